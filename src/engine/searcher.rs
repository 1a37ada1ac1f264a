//! A search with a network of any kind behind one trait object. The search itself is compiled for each type of
//! evaluator, so that dynamic dispatch happens once per search.

use super::bench::{self, Step, Totals};
use crate::board::Position;
use crate::explain::contributions::Effort;
use crate::nets::choice::{ChoiceError, NetChoice};
use crate::nets::kind::{Backend, EvaluatorVisitor, Method};
use crate::nets::registry::{method, with_evaluator};
use crate::nets::{Evaluator, NetError, Score};
use crate::search::{Control, Game, Limits, Outcome, Pool, Report, Settings, TableError};
use thiserror::Error;

/// Why a searcher cannot be made.
#[derive(Debug, Error)]
pub enum SearcherError {
    /// The net cannot be used: its file is missing or damaged, or the backend cannot compute it.
    #[error(transparent)]
    Net(#[from] ChoiceError),
    /// No GPU can be used.
    #[error("Backend cuda: {0}; the backend stays as it was")]
    NoGpu(String),
    /// The table cannot be allocated.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// The net and resources of a searcher.
#[derive(Clone, Debug)]
pub struct SearcherPlan {
    /// The net.
    pub net: NetChoice,
    /// How the net is computed.
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

    /// How much effort to spend on the contributions of the pieces, so that it takes this network a fraction of a
    /// second.
    fn effort(&self) -> Effort;

    /// Clears the table and the histories.
    fn clear(&mut self);

    /// Resizes the table, in MiB; see [`Pool::resize`].
    ///
    /// # Errors
    /// [`TableError`] if the table cannot be allocated.
    fn resize(&mut self, hash: usize) -> Result<(), TableError>;

    /// Sets the number of threads; the table and the histories are cleared.
    fn set_threads(&mut self, threads: usize);

    /// Runs the benchmark with this network in a separate search.
    ///
    /// # Errors
    /// [`TableError`] if that search's table cannot be allocated.
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

    fn resize(&mut self, hash: usize) -> Result<(), TableError> {
        Pool::resize(self, hash)
    }

    fn set_threads(&mut self, threads: usize) {
        Pool::set_threads(self, threads);
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
struct MakePool<'a>(&'a SearcherPlan);

impl EvaluatorVisitor for MakePool<'_> {
    type Output = Result<Box<dyn Searcher>, TableError>;

    fn visit<E: Evaluator + Clone + Send + 'static>(self, evaluator: E) -> Self::Output {
        let SearcherPlan { hash, threads, .. } = *self.0;
        Ok(Box::new(Pool::new(hash, vec![evaluator; threads])?))
    }
}

/// What a searcher evaluates with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Where the net is from.
    pub net: NetChoice,
    /// The name in the net's file.
    pub name: String,
    /// How it is computed.
    pub method: Method,
}

/// Reads the net of a plan and makes a searcher with it.
///
/// # Errors
/// [`SearcherError`] if the net cannot be used or the table cannot be allocated.
pub fn searcher(plan: &SearcherPlan) -> Result<(Box<dyn Searcher>, Identity), SearcherError> {
    let net = plan.net.read()?;
    let identity = Identity {
        net: plan.net.clone(),
        name: net.info.name.clone(),
        method: method(&net, plan.backend),
    };
    match with_evaluator(&net, plan.backend, MakePool(plan)) {
        Ok(searcher) => Ok((searcher?, identity)),
        Err(NetError::NoGpu(reason)) => Err(SearcherError::NoGpu(reason)),
        Err(reason) => Err(plan.net.fault(reason).into()),
    }
}
