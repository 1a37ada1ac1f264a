//! A search with a network of any kind behind one trait object. The search itself is compiled for each type of
//! evaluator; the detour through the object is taken once a search.

use super::bench::{self, Step, Totals};
use crate::board::Position;
use crate::nets::choice::{ChoiceError, NetChoice};
use crate::nets::kind::{Backend, EvaluatorVisitor};
use crate::nets::registry::with_evaluator;
use crate::nets::{Evaluator, NetError, Score};
use crate::search::{Control, Game, Limits, Outcome, Pool, Report, Settings, TableError};
use thiserror::Error;

/// Why there is no search with the network that was asked for.
#[derive(Debug, Error)]
pub enum SearcherError {
    /// The net cannot be used: its file is not there, damaged, or cannot be computed in this way.
    #[error(transparent)]
    Net(#[from] ChoiceError),
    /// No graphics processor can be used.
    #[error("Backend cuda: {0}; the backend stays as it was")]
    NoGpu(String),
    /// No memory for the table.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// What a searcher is made of.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The net.
    pub net: NetChoice,
    /// How it is computed.
    pub backend: Backend,
    /// Search threads, each with an evaluator of its own.
    pub threads: usize,
    /// The transposition table's size in MiB.
    pub hash: usize,
}

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

    /// Forgets everything that was searched.
    fn clear(&mut self);

    /// Another size of the table, in MiB; see [`Pool::resize`].
    ///
    /// # Errors
    /// [`TableError`] when the memory is not to be had.
    fn resize(&mut self, hash: usize) -> Result<(), TableError>;

    /// Another number of threads; what was searched is forgotten.
    fn set_threads(&mut self, threads: usize);

    /// Runs the benchmark with this network in a search of its own.
    ///
    /// # Errors
    /// [`TableError`] when the memory for that search is not to be had.
    fn bench(&self, depth: u32, control: &Control, tell: &mut dyn FnMut(&Step))
    -> Result<Totals, TableError>;
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

    fn clear(&mut self) {
        Pool::clear(self);
    }

    fn resize(&mut self, hash: usize) -> Result<(), TableError> {
        Pool::resize(self, hash)
    }

    fn set_threads(&mut self, threads: usize) {
        let evaluator = self.evaluator().clone();
        self.set_evaluators(vec![evaluator; threads]);
    }

    fn bench(
        &self,
        depth: u32,
        control: &Control,
        tell: &mut dyn FnMut(&Step),
    ) -> Result<Totals, TableError> {
        bench::run(self.evaluator().clone(), depth, control, tell)
    }
}

/// Makes the pool of a plan around an evaluator.
struct MakePool<'a>(&'a Plan);

impl EvaluatorVisitor for MakePool<'_> {
    type Output = Result<Box<dyn Searcher>, TableError>;

    fn visit<E: Evaluator + Clone + Send + 'static>(self, evaluator: E) -> Self::Output {
        let Plan { hash, threads, .. } = *self.0;
        Ok(Box::new(Pool::new(hash, vec![evaluator; threads])?))
    }
}

/// Reads the net of a plan and makes a search with it.
///
/// # Errors
/// [`SearcherError`] when the net cannot be used or the table's memory is not to be had.
pub fn searcher(plan: &Plan) -> Result<Box<dyn Searcher>, SearcherError> {
    let net = plan.net.read()?;
    match with_evaluator(&net, plan.backend, MakePool(plan)) {
        Ok(searcher) => Ok(searcher?),
        Err(NetError::NoGpu(reason)) => Err(SearcherError::NoGpu(reason)),
        Err(reason) => Err(plan.net.fault(reason).into()),
    }
}
