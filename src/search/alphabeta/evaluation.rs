//! The static evaluation: the network's score, kept in the table and corrected by what the search learnt about it.

use crate::board::Position;
use crate::nets::Evaluator;
use crate::nets::score::{DRAW, MAX_PLY, Score};
use crate::search::correction::corrected;
use crate::search::shared::Shared;
use crate::search::tt::Entry;
use crate::search::worker::Worker;

impl<E: Evaluator> Worker<E> {
    /// The network's score: from the table, or asked now and kept there. `None` in check.
    pub(super) fn raw_evaluation(
        &mut self,
        shared: &Shared,
        position: &Position,
        entry: Option<Entry>,
        ply: usize,
    ) -> Option<Score> {
        if position.in_check() {
            return None;
        }
        if let Some(known) = entry.and_then(|entry| entry.evaluation) {
            return Some(known);
        }
        let raw = self.ask(position);
        if entry.is_none() {
            shared.table.store(position.key(), ply, Entry::of_evaluation(raw));
        }
        Some(raw)
    }

    /// The static evaluation that follows from the network's score.
    pub(super) fn corrected(&self, position: &Position, raw: Score, ply: usize) -> Score {
        corrected(position, raw, self.error(position, ply))
    }

    /// By how much the network is too low, as correction history has it.
    pub(super) fn error(&self, position: &Position, ply: usize) -> Score {
        self.corrections.error(position, self.move_before(ply, 1))
    }

    /// The score of a node after the root where the search or the game has ended, or that is as deep as a line may be.
    #[inline]
    pub(super) fn ended(&mut self, shared: &Shared, position: &Position, ply: usize) -> Option<Score> {
        if self.is_over(shared) {
            return Some(0);
        }
        if self.is_draw(position) {
            return Some(self.draw_score());
        }
        if ply < MAX_PLY - 1 {
            return None;
        }
        if position.in_check() {
            return Some(DRAW);
        }
        let raw = self.ask(position);
        Some(self.corrected(position, raw, ply))
    }

    /// A draw's score, a little to either side by turns, so that a line of repetitions is not taken for a fixed value.
    pub(super) fn draw_score(&self) -> Score {
        DRAW + 1 - (self.nodes & 2) as Score
    }
}
