//! What judges positions: a search with an evaluation, handed in by whoever has one.

use super::contributions::Effort;
use crate::board::{Move, Position};
use crate::nets::Score;

/// A position and what was before it.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The position to search.
    pub position: &'a Position,
    /// The keys of the positions before it, oldest first, for repetitions.
    pub history: &'a [u64],
    /// Only these moves may begin; any move where this is empty.
    pub moves: &'a [Move],
    /// About this many positions are searched.
    pub nodes: u64,
}

/// A search about what surrounds a move gets the nodes divided by this.
const SHARE: u64 = 10;

impl Question<'_> {
    /// The nodes of a search about what surrounds a move.
    pub fn share(&self) -> u64 {
        (self.nodes / SHARE).max(1)
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// For the side to move.
    pub score: Score,
    /// The expected line, best move first; empty where the game is over.
    pub line: Vec<Move>,
    /// Positions searched.
    pub nodes: u64,
}

/// A search and a static evaluation.
pub trait Judge {
    /// Forgets what earlier searches found.
    fn forget(&mut self) {}

    /// Searches a position. After [`Judge::forget`] the same questions in the same order get the same answers.
    fn search(&mut self, question: &Question) -> Finding;

    /// The static evaluations of positions, in centipawns for the side to move of each.
    fn evaluate(&mut self, positions: &[Position]) -> Vec<Score>;

    /// How much effort to spend on the pieces' contributions to that evaluation.
    fn effort(&self) -> Effort;
}
