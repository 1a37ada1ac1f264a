//! The benchmark: fixed positions searched to a fixed depth. Equal node counts show that two builds search alike;
//! nodes per second compare their speed.

use crate::board::{FenError, Position};
use crate::nets::Evaluator;
use crate::search::{Control, Game, Limits, MemoryError, Outcome, Pool, Settings};
use std::fmt;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// The default depth: a few seconds of work.
pub const DEPTH: u32 = 10;

/// The size of the transposition table in MiB, regardless of the options: another size would change the node count.
const HASH: usize = 16;

/// The positions, chosen for this engine from every stage of the game.
pub const POSITIONS: &[&str] = &[
    // openings, from popular lines
    "r1bqk2r/1pppbppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQ1RK1 w kq - 4 6",
    "rnbqkb1r/1p3ppp/p2p1n2/4p3/3NP3/2N1B3/PPP2PPP/R2QKB1R w KQkq - 0 7",
    "rnbq1rk1/ppp1bpp1/4pn1p/3p2B1/2PP4/2N1PN2/PP3PPP/R2QKB1R w KQ - 0 7",
    "rnbq1rk1/ppp2pbp/3p1np1/4p3/2PPP3/2N2N2/PP2BPPP/R1BQK2R w KQ - 0 7",
    "rnbqk2r/pp2nppp/4p3/2ppP3/3P4/P1P5/2P2PPP/R1BQKBNR w KQkq - 1 7",
    "rn1qkbnr/pp3ppp/4p3/2ppPb2/3P4/5N2/PPP1BPPP/RNBQK2R w KQkq - 0 6",
    "rnbqkb1r/ppp2ppp/1n6/4p3/8/2N3P1/PP1PPPBP/R1BQK1NR w KQkq - 2 6",
    "rnbqk2r/pp4pp/2pbpn2/3p1p2/2PP4/5NP1/PP2PPBP/RNBQ1RK1 w kq - 0 7",
    "rnbqkb1r/pppp1p1p/5n2/4N3/4PppP/8/PPPP2P1/RNBQKB1R w KQkq - 2 6",
    "rnbqkb1r/3ppppp/p4n2/1PpP4/8/8/PP2PPPP/RNBQKBNR w KQkq - 0 5",
    // middlegames that continue those openings
    "rnbq1r1k/1p3pp1/3pnb1p/p1p1P3/P3P3/2P2N1P/1PN1BPP1/R1BQR1K1 b - - 0 19",
    "2r1kb1r/1b2qp1p/p5p1/3nQ3/Pp1B4/1N1B1P2/1PP3PP/R3K2R b KQk - 2 23",
    "r1b3k1/1p3pp1/1p2pn1p/4N3/2B5/8/PP4PP/3R2K1 b - - 1 20",
    "r4rk1/p1p2pbp/1p2bnp1/2P1p3/1n2P3/2N1BN1P/PP2BPP1/3R1RK1 w - - 1 14",
    "3rk2r/p4pp1/1p2p2p/4Pn1P/2RP4/P4P2/2PB1P2/4R1K1 b k - 0 23",
    "r2q1rk1/1p4pp/p1n1b3/2bpp3/1N2n3/2P1BN2/PP2BPPP/2RQK2R w K - 0 16",
    "2kr1b1r/pppq1ppp/1n2b3/4p3/1P6/P1NP1nP1/1B2PPBP/2RQK2R w K - 0 13",
    "r1b2r1k/1pbnq1pp/2p1p3/p2pNp1n/2PP4/2B2NP1/PPQ1PPBP/R4RK1 w - - 12 14",
    "rn2b2k/1pp1q2p/p4R2/3Pr3/7P/2N2QPB/PPP5/R5K1 b - - 0 22",
    "2bq1rk1/3nppbp/5np1/rNpPp3/1pB5/4BN2/1P3PPP/2RQ1RK1 w - - 2 15",
    "4kr2/4b1p1/3p1n1p/p1p1p3/P3P3/1rP4P/p1R2PPK/R1B5 b - - 1 26",
    "2r2rk1/6p1/bp5p/3PRP1q/PpP5/3Q3P/1P1N1P2/2R3K1 b - - 0 27",
    "2r2rk1/1b1nbpp1/4pn1p/p7/1q6/2N1PNBP/1PB1QPP1/1R3RK1 b - - 3 20",
    "1n3b2/r1r1qp1k/1Np2npp/2P1p3/4P3/RB1bBN1P/1Q3PP1/3R2K1 b - - 7 27",
    "b1r3k1/r4pp1/2n1p2p/8/2p2P2/P1B5/2P3PP/R2B1RK1 b - - 3 23",
    "6k1/5p1p/2p1p2p/p3P2B/1b3P2/6PP/P3R2K/2r5 b - - 2 26",
    "2r2rk1/pB2b1pp/1n6/4p3/8/PN1P2P1/5P1P/R4RK1 b - - 0 22",
    "2r3k1/p2bq1p1/1n1np2p/1p1p1p2/3P1B2/1P2PPP1/P3Q1BP/R4NK1 b - - 1 23",
    // endgames
    "8/5pk1/4p1p1/3pP2p/3P1P1P/r5P1/4R1K1/8 w - - 0 41",
    "8/1p3k2/p1p2p2/2P2Pp1/PP4P1/4K3/8/8 w - - 0 45",
    "4k3/8/2n1p3/1p1pP1p1/1P1P2Pp/3B1K1P/8/8 w - - 4 50",
    "8/6p1/1r3p1k/7p/2R4P/1P4P1/1K6/8 b - - 0 44",
    "6k1/5ppp/8/3b4/8/P1B3P1/1P3P1P/6K1 w - - 2 35",
    "8/8/4kp2/8/2q3PP/6K1/5Q2/8 b - - 0 60",
    "8/6k1/8/1P6/8/2r5/5R2/4K3 w - - 0 70",
    "8/3k4/8/2pP4/1pP5/1P6/3K4/8 w - - 0 52",
    "8/8/1KP5/3r4/8/8/8/k7 w - - 0 1",
    "2r2k2/5p2/4p1p1/1N1pP2p/1P3P1P/4K1P1/8/8 w - - 1 40",
    "8/2k5/8/8/3BN3/3K4/8/8 w - - 0 1",
    "8/5P1k/8/8/8/7q/8/5QK1 b - - 0 1",
    // Chess960
    "qnbnrkrb/p1pp1pp1/1p2p3/P6p/8/4P1P1/1PPP1P1P/QNBNRKRB b GEge - 0 4",
    "b1qbrnkr/pppnp1p1/5p1p/3p4/2P4P/NB2P3/PP1P1PP1/B1Q1RNKR w HEhe - 1 6",
    "brqnnbkr/pppppppp/8/8/8/8/PPPPPPPP/BRQNNBKR w HBhb - 0 1",
    "rnkrqnbb/p1pp2pp/1p6/1N2pp2/8/2P4P/PP1PPPP1/R1KRQNBB b DAda - 0 4",
    "rkbbqrnn/2pp1p2/p3p1pp/1p6/PP1P4/6P1/2P1PP1P/RKBBQRNN w FAfa - 0 6",
    // short mates for either side
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
    "5rk1/5p1p/6p1/8/3B4/7Q/5PPP/6K1 w - - 0 1",
    "8/8/8/8/8/5k2/1q6/6K1 b - - 0 1",
    "k7/8/1K6/8/8/8/8/2R5 b - - 0 1",
];

/// The result for one position.
#[derive(Clone, Debug)]
pub struct Step {
    /// 1 for the first position.
    pub number: usize,
    pub position: Position,
    /// The result of its search.
    pub outcome: Outcome,
}

/// The totals of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub nodes: u64,
    /// Time spent searching.
    pub time: Duration,
}

impl fmt::Display for Totals {
    /// The line that OpenBench reads.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let micros = self.time.as_micros().max(1);
        let speed = u128::from(self.nodes) * 1_000_000 / micros;
        write!(f, "{} nodes {speed} nps", self.nodes)
    }
}

/// Searches every position to `depth` with one thread and a cleared table, and passes each result to `tell`. If
/// `control` stops it, the remaining positions are skipped.
///
/// # Errors
/// [`MemoryError`] if the table cannot be allocated.
pub fn run<E: Evaluator + Send>(
    evaluator: E,
    depth: u32,
    control: &Control,
    tell: &mut dyn FnMut(&Step),
) -> Result<Totals, MemoryError> {
    let mut pool = Pool::new(HASH, vec![evaluator])?;
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    let mut totals = Totals::default();
    for (index, position) in positions().flatten().enumerate() {
        let game = Game {
            position,
            history: Vec::new(),
        };
        pool.clear();
        let start = Instant::now();
        let outcome = pool.search(&game, &limits, &Settings::default(), control, &mut |_| {});
        totals.time += start.elapsed();
        totals.nodes += outcome.nodes;
        if control.stop.load(Relaxed) {
            break;
        }
        tell(&Step {
            number: index + 1,
            position,
            outcome,
        });
    }
    Ok(totals)
}

pub(super) fn positions() -> impl Iterator<Item = Result<Position, FenError>> {
    POSITIONS.iter().map(|fen| Position::from_fen(fen))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Changes, Color, PieceType};
    use crate::nets::score::Score;
    use std::collections::HashSet;

    /// A material count: enough for a search, and fast.
    struct Material;

    impl Evaluator for Material {
        fn refresh(&mut self, _: &Position) {}

        fn push(&mut self, _: Changes) {}

        fn pop(&mut self) {}

        fn evaluate(&mut self, position: &Position) -> Score {
            let worth = [100, 320, 330, 500, 900, 0];
            let side = |color: Color| -> Score {
                let count = |kind| position.pieces(color, kind).count() as Score;
                PieceType::ALL
                    .into_iter()
                    .map(|kind| worth[kind.index()] * count(kind))
                    .sum()
            };
            let mover = position.side_to_move();
            side(mover) - side(!mover)
        }

        fn evaluate_batch(&mut self, positions: &[Position], scores: &mut Vec<Score>) {
            scores.extend(positions.iter().map(|position| self.evaluate(position)));
        }
    }

    #[test]
    fn positions_are_legal_distinct_and_unfinished() {
        let positions: Vec<Position> = positions().collect::<Result<_, _>>().unwrap();
        assert_eq!(positions.len(), 50);
        let keys: HashSet<u64> = positions.iter().map(Position::key).collect();
        assert_eq!(keys.len(), positions.len());
        assert!(positions.iter().all(Position::has_moves));
    }

    #[test]
    fn the_node_count_is_deterministic() {
        let count = || {
            let mut steps = Vec::new();
            let totals = run(Material, 3, &Control::default(), &mut |step| {
                steps.push(step.outcome.nodes)
            });
            let totals = totals.unwrap();
            assert_eq!(totals.nodes, steps.iter().sum::<u64>());
            steps
        };
        let first = count();
        assert_eq!(first.len(), POSITIONS.len());
        assert_eq!(first, count());
    }

    #[test]
    fn the_last_line_is_what_openbench_reads() {
        let totals = Totals {
            nodes: 3_000,
            time: Duration::from_millis(1_500),
        };
        assert_eq!(totals.to_string(), "3000 nodes 2000 nps");
    }
}
