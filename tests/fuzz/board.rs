//! FEN, and moves in algebraic and UCI's notation.

use crate::mutation::Mutations;
use crate::target::fuzz;
use enroc::board::{PieceType, Position};
use enroc::data::Record;

/// Positions with castling of every kind, en passant, promotions and checks.
pub const FENS: &[&str] = &[
    Position::START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "5rkr/5pp1/8/8/8/8/5PP1/RR3KRR w GBhf - 0 1",
    "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 99 32768",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "4r3/8/8/b7/8/3n4/8/k3K3 w - - 255 65535",
];

const FEN_WORDS: &[&str] = &[
    " w ", " b ", " - ", "/", "8/", "KQkq", "HAha", "Kk", "e3", "e6", "Q", "QQQQ", "p", "P", "k", "K", "R",
    "1", "8", "\u{feff}", "é", "\0", "  ",
];

/// What is accepted is written and read again, its moves can be made, and it fits into a record.
#[test]
fn fen() {
    fuzz("fen", 100_000, Mutations::of_texts(FENS, FEN_WORDS), |input| {
        check_fen(&input.text())
    });
}

fn check_fen(text: &str) -> bool {
    let lenient = Position::from_lenient_fen(text);
    let strict = Position::from_fen(text);
    let Ok((position, faults)) = lenient else {
        assert!(strict.is_err());
        return false;
    };
    assert_eq!(strict.is_ok(), faults.is_empty());
    for shredder in [false, true] {
        let written = position.to_fen(shredder);
        let (read, _) = Position::from_lenient_fen(&written).expect("our own FEN");
        assert_eq!(read, position);
    }
    let moves = position.legal_moves();
    assert_eq!(position.count_moves() as usize, moves.len());
    for m in moves {
        let child = position.after(m);
        assert_eq!(child.key(), child.recomputed_key());
        assert_eq!(child.of_kind(PieceType::King).count(), 2);
        assert!(!child.is_attacked(
            child.king(!child.side_to_move()),
            child.side_to_move(),
            child.occupied()
        ));
    }
    if strict.is_ok() {
        assert_eq!(Record::new(&position).check(), Ok(position));
    }
    true
}

const MOVES: &[&str] = &[
    "e4",
    "Nf3",
    "exf6",
    "exf6 e.p.",
    "O-O",
    "O-O-O",
    "0-0",
    "Qxf7+",
    "a8=Q#",
    "bxa8=N",
    "b8(R)",
    "c8q",
    "gxf1=B+",
    "Rad1",
    "R1a3",
    "Qb6xd7",
    "Qhe5!?",
    "cxd6",
    "e5-d6",
    "e2e4",
    "e1g1",
    "e1h1",
    "b7a8q",
    "g2h1n",
    "f1g1",
    "f1b1",
];

const MOVE_WORDS: &[&str] = &[
    "x", "-", "=", "+", "#", "!", "?", "(", ")", "/", ":", "O", "0", "o", "e.p.", "N", "Q", "K", "a", "h",
    "1", "8", "é", "♘", "--",
];

/// What is accepted is a legal move, and the same when it is written.
#[test]
fn san() {
    let positions: Vec<Position> = FENS
        .iter()
        .map(|fen| Position::from_lenient_fen(fen).expect("a position").0)
        .collect();
    fuzz("san", 100_000, Mutations::of_texts(MOVES, MOVE_WORDS), |input| {
        let text = input.text();
        let accepting = positions.iter().filter(|position| check_move(&text, position));
        accepting.count() > 0
    });
}

fn check_move(text: &str, position: &Position) -> bool {
    let read = [position.parse_san(text).ok(), position.parse_uci(text).ok()];
    for m in read.into_iter().flatten() {
        assert!(position.legal_moves().contains(&m));
        assert_eq!(position.parse_san(&position.to_san(m)), Ok(m));
        assert_eq!(position.parse_uci(&m.to_uci(true)), Ok(m));
    }
    read.iter().any(Option::is_some)
}
