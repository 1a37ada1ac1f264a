//! Counting the leaves of the move tree, the classic proof of a move generator.

use crate::board::Position;

/// The number of legal move sequences of `depth` plies; the last ply is counted without being made.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves() as u64,
        _ => position
            .legal_moves()
            .into_iter()
            .map(|m| perft(&position.after(m), depth - 1))
            .sum(),
    }
}
