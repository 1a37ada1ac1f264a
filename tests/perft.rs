//! The published node counts, as deep as an everyday test may go. `enroc perft --suite` goes all the way.

use enroc::board::Position;
use enroc::engine::perft::{PerftCounter, parse_suite, perft};

/// Verifies every count up to `max_nodes`, without a table and with one, and returns how many positions there were.
fn verify(suite: &str, max_nodes: u64) -> usize {
    // the table keeps what it learnt from position to position, and is so small that it fills
    let counters = [0, 1].map(|hash_mb| PerftCounter::new(1, hash_mb).unwrap());
    let entries = parse_suite(suite).unwrap();
    for entry in &entries {
        assert!(
            entry.counts_up_to(max_nodes).next().is_some(),
            "line {} has no count up to {max_nodes}",
            entry.line
        );
        for counter in &counters {
            if let Err(mismatch) = entry.verify(counter, max_nodes) {
                panic!("line {}, {}: {mismatch}", entry.line, entry.fen);
            }
        }
    }
    entries.len()
}

#[test]
fn the_standard_suite() {
    // the last position's only count is eleven millions
    assert_eq!(verify(include_str!("../perft/standard.epd"), 12_000_000), 128);
}

#[test]
fn the_chess960_suite() {
    assert_eq!(verify(include_str!("../perft/chess960.epd"), 700_000), 960);
}

#[test]
fn the_positions_of_the_chess_programming_wiki() {
    for (fen, depth, nodes) in [
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11_030_083),
        (
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            4,
            422_333,
        ),
        (
            "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
            4,
            422_333,
        ),
        (
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            4,
            2_103_487,
        ),
        (
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            4,
            3_894_594,
        ),
    ] {
        assert_eq!(perft(&Position::from_fen(fen).unwrap(), depth), nodes, "{fen}");
    }
}

/// Single traps, by the counts that Martin Sedlak published with his set of them.
#[test]
fn traps() {
    for (what, fen, depth, nodes) in [
        (
            "en passant on a pinned diagonal",
            "8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1",
            6,
            824_064,
        ),
        (
            "en passant uncovers a rank",
            "3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1",
            6,
            1_134_888,
        ),
        (
            "en passant gives check",
            "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1",
            6,
            1_440_467,
        ),
        (
            "short castling gives check",
            "5k2/8/8/8/8/8/8/4K2R w K - 0 1",
            6,
            661_072,
        ),
        (
            "long castling gives check",
            "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1",
            6,
            803_711,
        ),
        (
            "a captured rook may not castle",
            "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1",
            4,
            1_274_206,
        ),
        (
            "castling through attacks",
            "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1",
            4,
            1_720_476,
        ),
        (
            "promotion out of check",
            "2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1",
            6,
            3_821_001,
        ),
        (
            "discovered check",
            "8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1",
            5,
            1_004_658,
        ),
        (
            "promotion gives check",
            "4k3/1P6/8/8/8/8/K7/8 w - - 0 1",
            6,
            217_342,
        ),
        ("underpromotion", "8/P1k5/K7/8/8/8/8/8 w - - 0 1", 6, 92_683),
        ("stalemating oneself", "K1k5/8/P7/8/8/8/8/8 w - - 0 1", 6, 2_217),
        ("stalemate and mate", "8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 7, 567_584),
        ("double check", "8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", 4, 23_527),
    ] {
        assert_eq!(
            perft(&Position::from_fen(fen).unwrap(), depth),
            nodes,
            "{what}: {fen}"
        );
    }
}

/// Nenad Petrović's position of 1964, the most legal moves that a position can have, fits into a list of moves.
#[test]
fn the_most_moves() {
    let position = Position::from_fen("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1").unwrap();
    assert_eq!(position.legal_moves().len(), 218);
    assert_eq!(position.count_moves(), 218);
}

/// A position and its mirror image, ranks flipped and colours swapped, have the same tree.
#[test]
fn mirrored_positions_count_the_same() {
    for entry in parse_suite(include_str!("../perft/standard.epd")).unwrap() {
        let mirrored = Position::from_fen(&mirror(&entry.fen)).unwrap();
        assert_eq!(perft(&mirrored, 3), perft(&entry.position, 3), "{}", entry.fen);
    }
}

/// Flips the ranks of a FEN and swaps the colours.
fn mirror(fen: &str) -> String {
    let swap = |text: &str| -> String {
        let swap_case = |c: char| {
            if c.is_ascii_uppercase() {
                c.to_ascii_lowercase()
            } else {
                c.to_ascii_uppercase()
            }
        };
        text.chars().map(swap_case).collect()
    };
    let fields: Vec<&str> = fen.split(' ').collect();
    let ranks: Vec<&str> = fields[0].split('/').rev().collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let en_passant = fields[3].replace('3', "x").replace('6', "3").replace('x', "6");
    format!(
        "{} {side} {} {en_passant} 0 1",
        swap(&ranks.join("/")),
        swap(fields[2])
    )
}
