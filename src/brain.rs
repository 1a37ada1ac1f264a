//! The search together with the network that the options choose. The only place that knows evaluators by name: the
//! UCI engine and the comparison ask the [`Brain`].

use crate::bench::{self, Totals};
use crate::board::Position;
use crate::evaluation::{Evaluator, Incremental, Mlp, Net, Score};
use crate::search::{Control, Game, Limits, Outcome, Pool, Report, Settings, TableError};
use std::path::PathBuf;
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

/// How the network is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// In integers that follow the search; what `auto` chooses.
    #[default]
    Incremental,
    /// In candle's floats, the reference.
    Candle,
}

impl Backend {
    /// What the option's words mean; `None` for others.
    pub fn from_word(word: &str) -> Option<Backend> {
        match word {
            "auto" | "incremental" => Some(Backend::Incremental),
            "candle" => Some(Backend::Candle),
            _ => None,
        }
    }
}

/// What makes a brain.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The net's file; `None` for the embedded one.
    pub eval_file: Option<PathBuf>,
    /// How it is computed.
    pub backend: Backend,
    /// Search threads, each with an evaluator.
    pub threads: usize,
    /// The table's size in MiB.
    pub hash: usize,
}

/// A search, and the evaluators of its threads.
pub enum Brain {
    /// The multilayer perceptron in integers.
    Incremental(Pool<Incremental>),
    /// candle's multilayer perceptron.
    Candle(Pool<Mlp>),
}

/// Runs the same code on the pool of any brain.
macro_rules! with_pool {
    ($brain:expr, $pool:ident => $code:expr) => {
        match $brain {
            Brain::Incremental($pool) => $code,
            Brain::Candle($pool) => $code,
        }
    };
}

impl Brain {
    /// Reads the net and makes a search with it.
    ///
    /// # Errors
    /// [`BrainError`] when the net cannot be used or the table's memory is not to be had.
    pub fn new(plan: &Plan) -> Result<Brain, BrainError> {
        Ok(match Evaluators::read(plan)? {
            Evaluators::Incremental(all) => Brain::Incremental(Pool::new(plan.hash, all)?),
            Evaluators::Candle(all) => Brain::Candle(Pool::new(plan.hash, all)?),
        })
    }

    /// Another net, backend or number of threads; the table keeps its size. Nothing changes when there is an error.
    ///
    /// # Errors
    /// [`BrainError`] when the net cannot be used, or another backend finds no memory for its table.
    pub fn rearrange(&mut self, plan: &Plan) -> Result<(), BrainError> {
        match (&mut *self, Evaluators::read(plan)?) {
            (Brain::Incremental(pool), Evaluators::Incremental(all)) => pool.set_evaluators(all),
            (Brain::Candle(pool), Evaluators::Candle(all)) => pool.set_evaluators(all),
            (_, Evaluators::Incremental(all)) => *self = Brain::Incremental(Pool::new(plan.hash, all)?),
            (_, Evaluators::Candle(all)) => *self = Brain::Candle(Pool::new(plan.hash, all)?),
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

/// One evaluator for each thread.
enum Evaluators {
    Incremental(Vec<Incremental>),
    Candle(Vec<Mlp>),
}

impl Evaluators {
    fn read(plan: &Plan) -> Result<Evaluators, BrainError> {
        let file = plan.eval_file.as_deref();
        let name = file.map_or("built into this binary".to_string(), |path| {
            path.display().to_string()
        });
        let fail = |reason: &dyn std::fmt::Display| BrainError::Net {
            file: name.clone(),
            reason: reason.to_string(),
        };
        let from_file;
        let net = match file {
            Some(path) => {
                from_file = Net::read(path).map_err(|error| fail(&error))?;
                &from_file
            }
            None => Net::embedded().map_err(|error| fail(&error))?,
        };
        Ok(match plan.backend {
            Backend::Incremental => {
                let evaluator = Incremental::new(net).map_err(|error| fail(&error))?;
                Evaluators::Incremental(vec![evaluator; plan.threads])
            }
            Backend::Candle => {
                let evaluator = Mlp::new(net).map_err(|error| fail(&error))?;
                Evaluators::Candle(vec![evaluator; plan.threads])
            }
        })
    }
}
