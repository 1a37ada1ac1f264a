//! Single-threaded bulk perft beside the crate cozy-chess: `cargo bench --bench perft`.
//!
//! The two count the same tree in turns, so that whatever else the machine does falls on both alike. Each line
//! gives the medians in million leaves a second and the median of the pairs' ratios; the last one is for the time
//! of all positions together. A ratio above 1 means that Enroc is faster.

use enroc::board::Position;
use enroc::engine::perft::perft;
use std::hint::black_box;
use std::time::Instant;

/// Pairs of runs for every position; odd, so that there is a median.
const PAIRS: usize = 21;

/// Name, FEN, depth and count: the start, the five positions of the Chess Programming Wiki's perft page that
/// follow it, and a line of the Chess960 suite.
const POSITIONS: [(&str, &str, u32, u64); 7] = [
    ("start", Position::START_FEN, 5, 4_865_609),
    (
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        4,
        4_085_603,
    ),
    (
        "position 3",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        6,
        11_030_083,
    ),
    (
        "position 4",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        5,
        15_833_292,
    ),
    (
        "position 5",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        4,
        2_103_487,
    ),
    (
        "position 6",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        4,
        3_894_594,
    ),
    (
        "chess960",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        5,
        8_146_062,
    ),
];

fn main() {
    println!("{:<12}{:>8}{:>8}{:>8}", "Mnps", "enroc", "cozy", "ratio");
    let mut totals = [(0.0, 0.0); PAIRS];
    for (name, fen, depth, nodes) in POSITIONS {
        let ours = Position::from_fen(fen).expect("the FEN is right");
        let theirs = cozy_chess::Board::from_fen(fen, false)
            .or_else(|_| cozy_chess::Board::from_fen(fen, true))
            .expect("the FEN is right");
        let mut seconds = [(0.0, 0.0); PAIRS];
        for (pair, total) in seconds.iter_mut().zip(&mut totals) {
            *pair = (
                time(nodes, || perft(black_box(&ours), depth)),
                time(nodes, || cozy_perft(black_box(&theirs), depth)),
            );
            *total = (total.0 + pair.0, total.1 + pair.1);
        }
        print_line(name, nodes, &seconds);
    }
    let nodes = POSITIONS.iter().map(|position| position.3).sum();
    print_line("all", nodes, &totals);
}

/// Seconds for one count, which has to be right.
fn time(nodes: u64, count: impl Fn() -> u64) -> f64 {
    let start = Instant::now();
    assert_eq!(count(), nodes);
    start.elapsed().as_secs_f64()
}

fn print_line(name: &str, nodes: u64, seconds: &[(f64, f64); PAIRS]) {
    let speed = |seconds: f64| nodes as f64 / seconds / 1e6;
    println!(
        "{name:<12}{:>8.1}{:>8.1}{:>8.3}",
        speed(median(seconds.map(|pair| pair.0))),
        speed(median(seconds.map(|pair| pair.1))),
        median(seconds.map(|pair| pair.1 / pair.0))
    );
}

fn median(mut values: [f64; PAIRS]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[PAIRS / 2]
}

/// The same count by cozy-chess, whose move sets are counted at the last ply without being listed.
fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for m in moves {
                let mut child = board.clone();
                child.play_unchecked(m);
                nodes += cozy_perft(&child, depth - 1);
            }
        }
        false
    });
    nodes
}
