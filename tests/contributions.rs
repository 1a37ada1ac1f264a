//! Shapley values of pieces: they add up, and sampled and exact ones agree with a mean over every order.

use enroc::board::{Color, PieceType, Position, Square};
use enroc::engine::options::EngineOptions;
use enroc::engine::searcher::{Searcher, searcher};
use enroc::explain::contributions::{Changes, Contributions, Effort};
use std::collections::BTreeMap;

/// A few pieces, with pawns that shield a king and a pin, so that kings are laid open on the way.
const FEW: [&str; 3] = [
    "4k3/4n3/8/3p4/8/8/4R1P1/4K3 w - - 0 1",
    "6k1/5ppp/8/8/2b5/8/6P1/3R2K1 b - - 0 1",
    "4k2r/8/8/8/3pP3/8/8/R3K3 b Qk e3 0 1",
];

fn net(name: &'static str) -> Box<dyn Searcher> {
    let options = EngineOptions {
        net: name,
        ..EngineOptions::default()
    };
    searcher(&options.plan()).expect("a built-in net").0
}

fn contributions(net: &mut dyn Searcher, fen: &str, effort: Effort) -> Contributions {
    let position = Position::from_fen(fen).unwrap();
    Contributions::of(&position, effort, &mut |boards| net.evaluate(boards))
}

/// More pieces, for which not every set is tried if the orders are few.
const MORE: [&str; 2] = [
    "6k1/5ppp/8/8/2b5/8/5PPP/3R2K1 b - - 0 1",
    "4k3/3rnp2/4b3/8/4P3/8/3RR2P/4K3 w - - 0 1",
];

/// What each piece adds, averaged over every order in which the pieces can come; boards are made by way of FENs.
fn over_all_orders(net: &mut dyn Searcher, position: &Position) -> BTreeMap<Square, f64> {
    let pieces: Vec<Square> = (position.occupied() & !position.of_kind(PieceType::King))
        .into_iter()
        .collect();
    let mut totals = BTreeMap::new();
    let mut orders = 0;
    for_each_order(&mut pieces.clone(), 0, &mut |order| {
        orders += 1;
        let mut last = value(net, position, &[]);
        for count in 1..=order.len() {
            let next = value(net, position, &order[..count]);
            *totals.entry(order[count - 1]).or_insert(0.0) += next - last;
            last = next;
        }
    });
    totals.values_mut().for_each(|total| *total /= f64::from(orders));
    totals
}

fn for_each_order(items: &mut Vec<Square>, from: usize, visit: &mut impl FnMut(&[Square])) {
    if from == items.len() {
        return visit(items);
    }
    for index in from..items.len() {
        items.swap(from, index);
        for_each_order(items, from + 1, visit);
        items.swap(from, index);
    }
}

/// The value of a set of pieces in centipawns for White, with the other side to move where that is the only legal one.
fn value(net: &mut dyn Searcher, position: &Position, pieces: &[Square]) -> f64 {
    let mut board = String::new();
    for rank in (0..8).rev() {
        for file in 0..8 {
            let square = Square::at(file, rank);
            let there = position
                .piece_on(square)
                .filter(|piece| piece.kind() == PieceType::King || pieces.contains(&square));
            board.push(there.map_or('1', |piece| piece.letter()));
        }
        board.push(if rank > 0 { '/' } else { ' ' });
    }
    let fen = position.to_fen(false);
    let fields: Vec<&str> = fen.split(' ').collect();
    let sides = if fields[1] == "w" { ["w", "b"] } else { ["b", "w"] };
    let boards = sides.map(|side| {
        let text = format!("{board}{side} {} {} 0 1", fields[2], fields[3]);
        Position::from_lenient_fen(&text).map(|(board, _)| board)
    });
    let board = boards.into_iter().find_map(Result::ok).expect("one king is safe");
    let score = net.evaluate(&[board])[0];
    f64::from(board.side_to_move().for_white(score))
}

#[test]
fn exact_values_are_the_mean_over_all_orders() {
    let mut net = net("mlp");
    for fen in FEW {
        let position = Position::from_fen(fen).unwrap();
        let exact = contributions(&mut *net, fen, Effort { pairs: 99, seed: 0 });
        let slow = over_all_orders(&mut *net, &position);
        assert_eq!(exact.pieces.len(), slow.len());
        for piece in exact.pieces {
            let expected = slow[&piece.square];
            assert!(
                (piece.score - expected).abs() < 1e-6,
                "{fen}: {piece:?}, not {expected}"
            );
            assert_eq!(piece.error, 0.0);
        }
    }
}

#[test]
fn sampled_values_are_near_the_exact_ones() {
    let mut net = net("mlp");
    for fen in MORE {
        let exact = contributions(&mut *net, fen, Effort { pairs: 99, seed: 0 });
        const SEEDS: u64 = 60;
        let mut sums = vec![(0.0, 0.0); exact.pieces.len()];
        for seed in 0..SEEDS {
            // so few that the sets outnumber the boards of the orders
            let sampled = contributions(&mut *net, fen, Effort { pairs: 4, seed });
            for (sum, piece) in sums.iter_mut().zip(&sampled.pieces) {
                *sum = (sum.0 + piece.score, sum.1 + piece.error * piece.error);
            }
        }
        let mut errors = 0.0;
        for ((sum, squares), piece) in sums.into_iter().zip(&exact.pieces) {
            let (mean, error) = (sum / SEEDS as f64, squares.sqrt() / SEEDS as f64);
            errors += error;
            assert!(
                (mean - piece.score).abs() < 4.0 * error + 1e-6,
                "{fen}: {mean} ± {error}, not {piece:?}"
            );
        }
        assert!(errors > 1.0, "{fen}: nothing was sampled");
    }
}

#[test]
fn values_add_up_to_the_evaluation_less_that_of_the_kings() {
    let fens = [
        Position::START_FEN,
        "r1bq1rk1/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N1P/PP1P1PP1/RNBQR1K1 b - - 0 9",
        "r3k3/4n3/8/8/8/N7/4R3/K7 w - - 0 1",
        "8/8/8/3k4/8/8/4K3/8 w - - 0 1",
    ];
    for (name, pairs) in [("mlp", 8), ("cnn", 1)] {
        let mut net = net(name);
        for fen in fens {
            let parts = contributions(&mut *net, fen, Effort { pairs, seed: 3 });
            let sum: f64 = parts.pieces.iter().map(|piece| piece.score).sum();
            let position = Position::from_fen(fen).unwrap();
            let score = position.side_to_move().for_white(net.evaluate(&[position])[0]);
            assert_eq!(parts.score, score);
            assert!(
                (sum - f64::from(score - parts.kings)).abs() < 1e-6,
                "{name}, {fen}: {sum} of {parts:?}"
            );
        }
    }
}

/// A position, a move, and where pieces stand before and after it, as in `Rh1` and `Rf1`; `-` for a piece that is gone.
type Case = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

#[test]
fn pieces_keep_their_identity_through_a_move() {
    let mut net = net("mlp");
    let cases: [Case; 5] = [
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "e1g1",
            &[("Rh1", "Rf1"), ("Ra1", "Ra1")],
        ),
        ("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8q", &[("Pb7", "Qb8")]),
        (
            "2r1k3/1P6/8/8/8/8/8/4K3 w - - 0 1",
            "b7c8n",
            &[("Pb7", "Nc8"), ("rc8", "-")],
        ),
        (
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
            "d4e3",
            &[("pd4", "pe3"), ("Pe4", "-")],
        ),
        (
            "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
            "f3e5",
            &[("Nf3", "Ne5"), ("pe5", "-"), ("nc6", "nc6")],
        ),
    ];
    for (fen, text, expected) in cases {
        let position = Position::from_fen(fen).unwrap();
        let m = position.parse_uci(text).unwrap();
        let effort = Effort { pairs: 4, seed: 5 };
        let changes = Changes::of(&position, m, effort, &mut |boards| net.evaluate(boards));
        let name = |piece: enroc::board::Piece, square: Square| format!("{}{square}", piece.letter());
        for &(from, to) in expected {
            let change = changes
                .pieces
                .iter()
                .find(|change| name(change.piece, change.from) == from);
            let now = change
                .expect(from)
                .now
                .map_or("-".to_string(), |(piece, square)| name(piece, square));
            assert_eq!(now, to, "{fen} {text}");
        }
        let sums = changes.pieces.iter().fold((0.0, 0.0), |sum, piece| {
            (sum.0 + piece.before, sum.1 + piece.after)
        });
        for (sum, parts) in [(sums.0, &changes.before), (sums.1, &changes.after)] {
            assert!(
                (sum - f64::from(parts.score - parts.kings)).abs() < 1e-6,
                "{fen} {text}"
            );
        }
        // alone, each board has the same values as beside the other
        let alone = Contributions::of(&position, effort, &mut |boards| net.evaluate(boards));
        assert_eq!(alone, changes.before, "{fen} {text}");
        let taken = changes.pieces.iter().filter(|change| change.now.is_none());
        assert!(
            taken
                .clone()
                .all(|change| change.after == 0.0 && change.piece.color() != position.side_to_move())
        );
        assert_eq!(changes.after.pieces.len() + taken.count(), changes.pieces.len());
    }
}

#[test]
fn a_piece_is_worth_more_to_its_owner() {
    let parts = contributions(&mut *net("mlp"), Position::START_FEN, Effort::FAST);
    for piece in parts
        .pieces
        .iter()
        .filter(|piece| piece.piece.kind() != PieceType::Pawn)
    {
        let sign = if piece.piece.color() == Color::White {
            1.0
        } else {
            -1.0
        };
        assert!(sign * piece.score > 3.0 * piece.error, "{piece:?}");
    }
}
