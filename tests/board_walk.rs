//! Walks through trees and games in which, at every node, everything that the board keeps up to date is compared
//! with what slow rules find.

mod slow_rules;

use enroc::board::magics::splitmix;
use enroc::board::{Bitboard, Changes, Color, Move, PieceType, Position, Square, Wanted};
use enroc::engine::perft::parse_suite;
use slow_rules::SlowBoard;

/// Compares one position with the slow rules, and each of its children with the slowly made move.
fn check_node(position: &Position) {
    check_representations(position);
    check_text(position);
    let slow = SlowBoard::new(position);
    let king = slow.king(position.side_to_move());
    let checkers: Bitboard = slow
        .attackers(king, !position.side_to_move())
        .into_iter()
        .collect();
    assert_eq!(position.checkers(), checkers, "{position}");
    assert_eq!(position.in_check(), checkers.any(), "{position}");
    assert_eq!(
        position.pinned(),
        slow.pinned().into_iter().collect(),
        "{position}"
    );
    check_moves(position, &slow);
    for m in position.legal_moves() {
        check_make(position, &slow, m);
    }
}

/// Mailbox, bitboards and keys say the same.
fn check_representations(position: &Position) {
    for square in Square::all() {
        let sets = Color::ALL.into_iter().flat_map(|color| {
            PieceType::ALL
                .into_iter()
                .filter(move |&kind| position.pieces(color, kind).has(square))
                .map(move |kind| kind.of(color))
        });
        assert!(sets.eq(position.piece_on(square)), "{position} {square}");
    }
    let colors = position.of_color(Color::White) | position.of_color(Color::Black);
    assert_eq!(position.occupied(), colors, "{position}");
    assert_eq!(position.key(), position.recomputed_key(), "{position}");
    assert_eq!(position.pawn_key(), position.recomputed_pawn_key(), "{position}");
    for color in Color::ALL {
        assert_eq!(
            position.piece_key(color),
            position.recomputed_piece_key(color),
            "{position}"
        );
        let attacked = position.attacked_by(color);
        for square in Square::all() {
            let is_attacked = position.is_attacked(square, color, position.occupied());
            assert_eq!(attacked.has(square), is_attacked, "{position} {square:?}");
        }
    }
}

/// The FENs read back as the same position.
fn check_text(position: &Position) {
    for shredder in [false, true] {
        let fen = position.to_fen(shredder);
        assert_eq!(Position::from_fen(&fen).as_ref(), Ok(position), "{fen}");
    }
}

/// The generators give what the slow rules give.
fn check_moves(position: &Position, slow: &SlowBoard) {
    let sorted = |mut moves: Vec<Move>| {
        moves.sort_by_key(|m| m.bits());
        moves
    };
    let expected = sorted(slow.legal_moves());
    let all = sorted(position.legal_moves().to_vec());
    assert_eq!(all, expected, "{position}");
    assert_eq!(position.count_moves() as usize, expected.len(), "{position}");
    assert_eq!(position.has_moves(), !expected.is_empty(), "{position}");
    let noisy: Vec<Move> = expected.into_iter().filter(|m| !m.is_quiet()).collect();
    assert_eq!(
        sorted(position.moves(Wanted::Noisy).to_vec()),
        noisy,
        "{position}"
    );
}

/// One move is made right, and tells what it changed.
fn check_make(position: &Position, slow: &SlowBoard, m: Move) {
    assert_eq!(Move::from_bits(m.bits()), Some(m));
    let mut child = *position;
    let Changes { removed, added } = child.make(m);
    assert_eq!(child, position.after(m));
    let mut played = *position;
    played.play(m);
    assert_eq!(child, played);
    assert_eq!(position.key_after(m), child.key(), "{position} {m:?}");
    let slow_child = slow.after(m);
    assert!(
        SlowBoard::new(&child).agrees_with(&slow_child),
        "{position} {m:?}"
    );
    let mut squares = slow.squares;
    for (piece, square) in removed {
        assert_eq!(squares[square.index()].take(), Some(piece), "{position} {m:?}");
    }
    for (piece, square) in added {
        assert_eq!(squares[square.index()].replace(piece), None, "{position} {m:?}");
    }
    assert_eq!(squares, slow_child.squares, "{position} {m:?}");
    let counts = m.is_capture() || m.piece().kind() == PieceType::Pawn;
    let clock = if counts { 0 } else { position.halfmove_clock() + 1 };
    assert_eq!(child.halfmove_clock(), clock, "{position} {m:?}");
    let black = position.side_to_move() == Color::Black;
    assert_eq!(child.fullmove_number(), position.fullmove_number() + black as u16);
}

fn walk(position: &Position, depth: u32) {
    check_node(position);
    if depth > 0 {
        for m in position.legal_moves() {
            walk(&position.after(m), depth - 1);
        }
    }
}

fn random_game(mut position: Position, plies: usize, random: &mut u64) {
    for _ in 0..plies {
        check_node(&position);
        let moves = position.legal_moves();
        if moves.is_empty() {
            return;
        }
        position.make(moves[splitmix(random) as usize % moves.len()]);
    }
}

#[test]
fn trees_of_tricky_positions() {
    for fen in [
        Position::START_FEN,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        // taking en passant would uncover a rank, a diagonal, or is the answer to the check
        "3k4/8/8/K1Pp3r/8/8/8/8 w - d6 0 1",
        "8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1",
        "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1",
        // the castling rook shields the king from a rook in the corner
        "4k3/8/8/8/8/8/8/rR2K3 w B - 0 1",
        // king and rook land on each other's squares; two rooks on one wing
        "1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 0 1",
        "5rkr/5pp1/8/8/8/8/5PP1/RR3KRR w GBhf - 0 1",
    ] {
        walk(&Position::from_fen(fen).unwrap(), 2);
    }
}

#[test]
fn every_position_of_the_suites() {
    for text in [
        include_str!("../perft/standard.epd"),
        include_str!("../perft/chess960.epd"),
    ] {
        for entry in parse_suite(text).unwrap() {
            check_node(&entry.position);
        }
    }
}

#[test]
fn random_games() {
    let mut random = 3;
    for _ in 0..10 {
        random_game(Position::default(), 160, &mut random);
    }
    let suite = parse_suite(include_str!("../perft/chess960.epd")).unwrap();
    for entry in suite.iter().step_by(80) {
        random_game(entry.position, 80, &mut random);
    }
}

#[test]
fn a_null_move_only_passes_the_turn() {
    let mut random = 4;
    let mut position = Position::default();
    for _ in 0..300 {
        if !position.in_check() {
            let mut passed = position;
            passed.make_null();
            check_representations(&passed);
            assert_eq!(passed.side_to_move(), !position.side_to_move());
            assert_eq!(passed.en_passant(), None);
            let squares = |position: &Position| SlowBoard::new(position).squares;
            assert_eq!(squares(&passed), squares(&position));
        }
        let moves = position.legal_moves();
        if moves.is_empty() {
            position = Position::default();
        } else {
            position.make(moves[splitmix(&mut random) as usize % moves.len()]);
        }
    }
}
