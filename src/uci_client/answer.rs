//! What an engine answers.

use crate::board::Move;

/// A score as UCI gives it, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UciScore {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in so many moves; negative when the side to move is mated.
    Mate(i32),
}

/// What an engine thinks of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredMove {
    /// The last score that it gave.
    pub score: UciScore,
    pub best: Move,
}

/// What an engine thinks of a position in more than one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    pub best: Move,
    /// The first moves of its lines, best first, each with the last score that it gave.
    pub lines: Vec<(Move, UciScore)>,
    /// Positions searched, by its own count; 0 if it does not say.
    pub nodes: u64,
}
