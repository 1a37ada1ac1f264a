//! A search with a network of any kind behind one trait object. The search itself is compiled for each type of
//! evaluator, so that dynamic dispatch happens once per search.

use super::bench::{self, Step, Totals};
use crate::board::Position;
use crate::explain::contributions::Effort;
use crate::nets::{Evaluator, Score};
use crate::search::{Control, Game, Limits, MemoryError, Outcome, Pool, Report, Settings};

/// A search with its network, table and threads.
pub trait Searcher: Send {
    /// See [`Pool::search`].
    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        settings: &Settings,
        control: &Control,
        report: &mut dyn FnMut(&Report),
    ) -> Outcome;

    /// The static evaluations of positions, each for its side to move.
    fn evaluate(&mut self, positions: &[Position]) -> Vec<Score>;

    /// How much effort to spend on the contributions of the pieces, so that it takes this network a fraction of a
    /// second.
    fn effort(&self) -> Effort;

    /// Clears the table and the histories.
    fn clear(&mut self);

    /// Resizes the table, in MiB; see [`Pool::resize`].
    ///
    /// # Errors
    /// [`MemoryError`] if the table cannot be allocated.
    fn resize(&mut self, hash: usize) -> Result<(), MemoryError>;

    /// Sets the number of threads; the table and the histories are cleared.
    ///
    /// # Errors
    /// [`MemoryError`] if there is no memory for so many.
    fn set_threads(&mut self, threads: usize) -> Result<(), MemoryError>;

    /// Runs the benchmark with this network in a separate search.
    ///
    /// # Errors
    /// [`MemoryError`] if that search's table cannot be allocated.
    fn bench(
        &self,
        depth: u32,
        control: &Control,
        tell: &mut dyn FnMut(&Step),
    ) -> Result<Totals, MemoryError>;
}

impl<E: Evaluator + Clone + Send> Searcher for Pool<E> {
    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        settings: &Settings,
        control: &Control,
        report: &mut dyn FnMut(&Report),
    ) -> Outcome {
        Pool::search(self, game, limits, settings, control, report)
    }

    fn evaluate(&mut self, positions: &[Position]) -> Vec<Score> {
        let mut scores = Vec::with_capacity(positions.len());
        self.evaluator_mut().evaluate_batch(positions, &mut scores);
        scores
    }

    fn effort(&self) -> Effort {
        // networks that gain by batches are the slow ones
        match self.evaluator().batch_size() {
            1 => Effort::FAST,
            _ => Effort::SLOW,
        }
    }

    fn clear(&mut self) {
        Pool::clear(self);
    }

    fn resize(&mut self, hash: usize) -> Result<(), MemoryError> {
        Pool::resize(self, hash)
    }

    fn set_threads(&mut self, threads: usize) -> Result<(), MemoryError> {
        Pool::set_threads(self, threads)
    }

    fn bench(
        &self,
        depth: u32,
        control: &Control,
        tell: &mut dyn FnMut(&Step),
    ) -> Result<Totals, MemoryError> {
        bench::run(self.evaluator().clone(), depth, control, tell)
    }
}
