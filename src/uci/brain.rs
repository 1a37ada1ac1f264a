//! The search together with the network that the options choose. The only place of the engine that knows evaluators
//! by name: everything else asks the [`Brain`].

use crate::bench::{self, Totals};
use crate::board::Position;
use crate::evaluation::{Evaluator, Mlp, Net, Score};
use crate::search::{Control, Game, Limits, Outcome, Pool, Report, Settings, TableError};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a network cannot be used.
#[derive(Debug, Error)]
pub enum BrainError {
    /// The file is not there, damaged, or holds something else.
    #[error("net {file}: {reason}")]
    Net {
        /// The file's name, or that of the embedded net.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// No memory.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// What makes a brain.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The net's file; `None` for the embedded one.
    pub eval_file: Option<PathBuf>,
    /// Search threads, each with an evaluator.
    pub threads: usize,
    /// The table's size in MiB.
    pub hash: usize,
}

/// A search, and the evaluators of its threads.
pub enum Brain {
    /// candle's multilayer perceptron.
    Mlp(Pool<Mlp>),
}

/// Runs the same code on the pool of any brain.
macro_rules! with_pool {
    ($brain:expr, $pool:ident => $code:expr) => {
        match $brain {
            Brain::Mlp($pool) => $code,
        }
    };
}

impl Brain {
    /// Reads the net and makes a search with it.
    ///
    /// # Errors
    /// [`BrainError`] when the net cannot be used or the table's memory is not to be had.
    pub fn new(plan: &Plan) -> Result<Brain, BrainError> {
        let mlp = read_mlp(plan.eval_file.as_deref())?;
        Ok(Brain::Mlp(Pool::new(plan.hash, vec![mlp; plan.threads])?))
    }

    /// Another net or number of threads; the table keeps its size. Nothing changes when there is an error.
    ///
    /// # Errors
    /// [`BrainError`] when the net cannot be used.
    pub fn rearrange(&mut self, plan: &Plan) -> Result<(), BrainError> {
        let mlp = read_mlp(plan.eval_file.as_deref())?;
        match self {
            Brain::Mlp(pool) => pool.set_evaluators(vec![mlp; plan.threads]),
        }
        Ok(())
    }

    /// Another size of the table, in MiB; the old table stays when there is an error.
    ///
    /// # Errors
    /// [`TableError`] when the memory is not to be had.
    pub fn resize(&mut self, hash: usize) -> Result<(), TableError> {
        with_pool!(self, pool => pool.resize(hash))
    }

    /// Forgets everything that was searched.
    pub fn clear(&mut self) {
        with_pool!(self, pool => pool.clear());
    }

    /// See [`Pool::search`].
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        settings: &Settings,
        control: &Control,
        report: &mut dyn FnMut(&Report),
    ) -> Outcome {
        with_pool!(self, pool => pool.search(game, limits, settings, control, report))
    }

    /// The static scores of positions, each for its side to move.
    pub fn evaluate(&mut self, positions: &[Position]) -> Vec<Score> {
        let mut scores = Vec::with_capacity(positions.len());
        with_pool!(self, pool => pool.evaluator().evaluate_batch(positions, &mut scores));
        scores
    }

    /// Runs the benchmark with this network in a search of its own.
    ///
    /// # Errors
    /// [`TableError`] when the memory for that search is not to be had.
    pub fn bench(
        &mut self,
        depth: u32,
        control: &Control,
        tell: &mut dyn FnMut(&bench::Step),
    ) -> Result<Totals, TableError> {
        with_pool!(self, pool => bench::run(pool.evaluator().clone(), depth, control, tell))
    }
}

fn read_mlp(file: Option<&Path>) -> Result<Mlp, BrainError> {
    let name = file.map_or("built into this binary".to_string(), |path| {
        path.display().to_string()
    });
    let fail = |reason: String| BrainError::Net {
        file: name.clone(),
        reason,
    };
    match file {
        Some(path) => Net::read(path)
            .and_then(|net| Mlp::new(&net))
            .map_err(|error| fail(error.to_string())),
        None => Net::embedded()
            .map_err(|error| fail(error.to_string()))
            .and_then(|net| Mlp::new(net).map_err(|error| fail(error.to_string()))),
    }
}
