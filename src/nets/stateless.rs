//! Networks that keep nothing from one position to the next.

use super::{Evaluator, Score};
use crate::board::{Changes, Position};

/// A network that computes each score afresh; every one of them is an [`Evaluator`].
pub trait Stateless {
    /// Appends the scores of the positions in order, each for its side to move.
    fn score_all(&mut self, positions: &[Position], scores: &mut Vec<Score>);

    /// The score of one position, for its side to move.
    fn score_one(&mut self, position: &Position) -> Score {
        let mut scores = Vec::with_capacity(1);
        self.score_all(std::slice::from_ref(position), &mut scores);
        scores[0]
    }

    /// The preferred number of positions for [`score_all`](Stateless::score_all); 1 if batches gain nothing.
    fn preferred_batch(&self) -> usize {
        1
    }
}

impl<S: Stateless> Evaluator for S {
    fn refresh(&mut self, _: &Position) {}

    fn push(&mut self, _: Changes) {}

    fn pop(&mut self) {}

    fn evaluate(&mut self, position: &Position) -> Score {
        self.score_one(position)
    }

    fn evaluate_batch(&mut self, positions: &[Position], scores: &mut Vec<Score>) {
        self.score_all(positions, scores);
    }

    fn batch_size(&self) -> usize {
        self.preferred_batch()
    }
}
