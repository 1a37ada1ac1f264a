//! Perft: counting the leaves of the move tree, the classic test of a move generator.
//!
//! [`perft`] is the plain count; [`PerftCounter`] gives the same numbers with threads and a hash table.

mod suite;
mod table;

use crate::arch::{BitInstructions, Work};
use crate::board::attacks::{Gathering, Magics};
use crate::board::{MAX_MOVES, Move, Position};
use arrayvec::ArrayVec;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use table::PerftTable;
use thiserror::Error;

pub use suite::{Mismatch, SuiteEntry, SuiteError, parse_suite};

/// A subtree of this many plies or fewer is counted by one thread.
const SEQUENTIAL_DEPTH: u32 = 3;

/// Why a [`PerftCounter`] could not be made.
#[derive(Debug, Error)]
pub enum CounterError {
    /// The table cannot be allocated.
    #[error("cannot allocate a perft table of {0} MiB: ask for a smaller one")]
    Memory(usize),
    /// The threads cannot be started.
    #[error("cannot start {0} threads: ask for fewer")]
    Threads(usize),
}

/// The number of legal move sequences of `depth` plies; moves of the last ply are counted without making them.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves() as u64,
        // nearly all the time of a perft goes by here
        2 => match BitInstructions::detect() {
            Some(bits) => bits.run(CountReplies(position)),
            None => position.count_replies(Magics),
        },
        _ => {
            let mut nodes = 0;
            for m in position.legal_moves() {
                nodes += perft(&position.after(m), depth - 1);
            }
            nodes
        }
    }
}

/// [`Position::count_replies`] for a processor with more instructions.
struct CountReplies<'a>(&'a Position);

impl Work for CountReplies<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(self, bits: BitInstructions) -> u64 {
        self.0
            .count_replies(Gathering(|word, mask| bits.gather(word, mask)))
    }
}

/// Counts with threads, and with a hash table so that transpositions are counted once.
pub struct PerftCounter {
    pool: Option<ThreadPool>,
    table: Option<PerftTable>,
}

impl PerftCounter {
    /// A counter with this many threads (0 counts as 1) and a table of `hash_mb` MiB, none if 0.
    ///
    /// # Errors
    /// [`CounterError`] if the table cannot be allocated or the threads cannot be started.
    pub fn new(threads: usize, hash_mb: usize) -> Result<PerftCounter, CounterError> {
        let pool = (threads > 1)
            .then(|| ThreadPoolBuilder::new().num_threads(threads).build())
            .transpose()
            .map_err(|_| CounterError::Threads(threads))?;
        let table = (hash_mb > 0)
            .then(|| PerftTable::new(hash_mb).ok_or(CounterError::Memory(hash_mb)))
            .transpose()?;
        Ok(PerftCounter { pool, table })
    }

    /// The same number as [`perft`].
    pub fn count(&self, position: &Position, depth: u32) -> u64 {
        match &self.pool {
            Some(pool) => pool.install(|| self.count_parallel(position, depth)),
            None => self.count_sequential(position, depth),
        }
    }

    /// The count below each legal move, in the generator's order; empty at depth 0.
    pub fn divide(&self, position: &Position, depth: u32) -> Vec<(Move, u64)> {
        let Some(rest) = depth.checked_sub(1) else {
            return Vec::new();
        };
        let behind = |m: Move| (m, self.count(&position.after(m), rest));
        position.legal_moves().into_iter().map(behind).collect()
    }

    fn count_parallel(&self, position: &Position, depth: u32) -> u64 {
        if depth <= SEQUENTIAL_DEPTH {
            return self.count_sequential(position, depth);
        }
        let count = || {
            position
                .legal_moves()
                .par_iter()
                .map(|&m| self.count_parallel(&position.after(m), depth - 1))
                .sum()
        };
        match &self.table {
            Some(table) => table.get_or_count(position.key(), depth, count),
            None => count(),
        }
    }

    fn count_sequential(&self, position: &Position, depth: u32) -> u64 {
        match &self.table {
            Some(table) => table.get_or_count(position.key(), depth, || count_with(table, position, depth)),
            None => perft(position, depth),
        }
    }
}

/// Counts a tree that the table does not know, from the subtrees that it does.
fn count_with(table: &PerftTable, position: &Position, depth: u32) -> u64 {
    // a move and its replies are counted faster than the table is asked about each move
    if depth <= 2 {
        return perft(position, depth);
    }
    let moves = position.legal_moves();
    // all keys before the first answer, so that the table's memory is waited for once and not move by move
    let ask = |&m: &Move| {
        let key = position.key_after(m);
        table.prefetch(key);
        key
    };
    let keys: ArrayVec<u64, MAX_MOVES> = moves.iter().map(ask).collect();
    let subtree = |(m, key)| {
        table.get_or_count(key, depth - 1, || {
            count_with(table, &position.after(m), depth - 1)
        })
    };
    moves.into_iter().zip(keys).map(subtree).sum()
}

/// Subtrees of this many plies, about a millisecond of work, are counted without checking for a stop.
const STEP: u32 = 3;

/// Counts the leaves below each move, in move order, and returns their sum; `None` if it was stopped.
pub fn divide(
    position: &Position,
    depth: u32,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(Move, u64),
) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    let mut sum = 0;
    for m in position.legal_moves() {
        let nodes = count_unless_stopped(&position.after(m), depth - 1, stop)?;
        tell(m, nodes);
        sum += nodes;
    }
    Some(sum)
}

fn count_unless_stopped(position: &Position, depth: u32, stop: &AtomicBool) -> Option<u64> {
    if depth <= STEP {
        return (!stop.load(Relaxed)).then(|| perft(position, depth));
    }
    position
        .legal_moves()
        .into_iter()
        .map(|m| count_unless_stopped(&position.after(m), depth - 1, stop))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn threads_and_table_change_nothing() {
        let position = Position::from_fen(KIWIPETE).unwrap();
        // a table of 1 MiB is far too small for the tree, so entries are replaced all the time
        for (threads, hash_mb) in [(1, 0), (1, 1), (3, 0), (3, 1), (0, 16)] {
            let counter = PerftCounter::new(threads, hash_mb).unwrap();
            for (depth, nodes) in [(0, 1), (1, 48), (2, 2_039), (3, 97_862), (4, 4_085_603)] {
                assert_eq!(
                    counter.count(&position, depth),
                    nodes,
                    "{threads} threads, {hash_mb} MiB"
                );
            }
            // again, from a full table
            assert_eq!(counter.count(&position, 4), 4_085_603);
        }
    }

    #[test]
    fn replies_are_counted_alike_by_every_way_to_look_up_sliders() {
        let positions = [
            Position::START_FEN,
            KIWIPETE,
            // pins, checks, promotions and captures en passant
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        ];
        for fen in positions {
            let position = Position::from_fen(fen).unwrap();
            let moves = position.legal_moves().into_iter();
            let expected: u64 = moves.map(|m| position.after(m).count_moves() as u64).sum();
            assert_eq!(position.count_replies(Magics), expected, "{fen}");
            if let Some(bits) = BitInstructions::detect() {
                assert_eq!(bits.run(CountReplies(&position)), expected, "{fen}");
            }
        }
    }

    #[test]
    fn divide_adds_up() {
        let counter = PerftCounter::new(2, 4).unwrap();
        let start = Position::default();
        let parts = counter.divide(&start, 4);
        assert_eq!(parts.len(), 20);
        assert_eq!(parts.iter().map(|part| part.1).sum::<u64>(), 197_281);
        let of = |uci: &str| {
            parts
                .iter()
                .find(|part| part.0.to_uci(false) == uci)
                .map(|part| part.1)
        };
        assert_eq!((of("e2e4"), of("b1a3")), (Some(13_160), Some(8_885)));
        assert!(counter.divide(&start, 0).is_empty());
    }

    #[test]
    fn a_table_beyond_all_memory_is_an_error() {
        assert!(matches!(
            PerftCounter::new(1, usize::MAX >> 20),
            Err(CounterError::Memory(_))
        ));
    }
}
