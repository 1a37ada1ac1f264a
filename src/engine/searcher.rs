//! The search together with the network that the options choose. The only place that knows evaluators by name: the
//! UCI engine and the comparison ask the [`Brain`].

use super::bench;
use super::bench::Totals;
use crate::board::Position;
use crate::nets::cnn::blocks::Tiled;
use crate::nets::cnn::reference::Cnn;
use crate::nets::mlp::integer::Incremental;
use crate::nets::mlp::reference::Mlp;
use crate::nets::net::Kind;
use crate::nets::net::Net;
use crate::nets::score::Score;
use crate::nets::{Evaluator, device};
use crate::search::{Control, Game, Limits, Outcome, Pool, Report, Settings, TableError};
use std::borrow::Cow;
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
    /// No graphics processor can be used.
    #[error("Backend cuda: {0}; the backend stays as it was")]
    NoGpu(String),
    /// No memory.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// How the network is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// The fastest on the processor: an MLP in integers that follow the search, a CNN in blocks of boards.
    #[default]
    Auto,
    /// An MLP in integers that follow the search.
    Incremental,
    /// In candle's floats, the reference.
    Candle,
    /// The same on the graphics processor.
    Cuda,
}

impl Backend {
    /// What the option's words mean; `None` for others.
    pub fn from_word(word: &str) -> Option<Backend> {
        match word {
            "auto" => Some(Backend::Auto),
            "incremental" => Some(Backend::Incremental),
            "candle" => Some(Backend::Candle),
            "cuda" => Some(Backend::Cuda),
            _ => None,
        }
    }
}

/// Which net is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetChoice {
    /// The one of this kind that is built in.
    Embedded(Kind),
    /// A file.
    File(PathBuf),
}

impl NetChoice {
    /// Reads it, or says why it cannot be used.
    fn read(&self) -> Result<Cow<'static, Net>, BrainError> {
        match self {
            NetChoice::Embedded(kind) => Net::embedded(*kind)
                .map(Cow::Borrowed)
                .map_err(|error| self.fault(error)),
            NetChoice::File(path) => Net::read(path).map(Cow::Owned).map_err(|error| self.fault(error)),
        }
    }

    fn fault(&self, reason: impl std::fmt::Display) -> BrainError {
        BrainError::Net {
            file: match self {
                NetChoice::Embedded(_) => "built into this binary".into(),
                NetChoice::File(path) => path.display().to_string(),
            },
            reason: reason.to_string(),
        }
    }
}

/// What makes a brain.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The net.
    pub net: NetChoice,
    /// How it is computed.
    pub backend: Backend,
    /// Search threads, each with an evaluator.
    pub threads: usize,
    /// The table's size in MiB.
    pub hash: usize,
}

/// Makes the enums of brains and of evaluators, one variant for each kind of evaluator, and what runs the same code on
/// any of them.
macro_rules! brains {
    ($($(#[$about:meta])* $name:ident($evaluator:ty)),+ $(,)?) => {
        /// A search, and the evaluators of its threads.
        pub enum Brain {
            $($(#[$about])* $name(Pool<$evaluator>),)+
        }

        /// An evaluator, to be copied for each thread.
        #[expect(clippy::large_enum_variant, reason = "there is one at a time, while a net is loaded")]
        enum AnyEvaluator {
            $($name($evaluator),)+
        }

        /// Runs the same code on the pool of any brain.
        macro_rules! with_pool {
            ($brain:expr, $pool:ident => $code:expr) => {
                match $brain {
                    $(Brain::$name($pool) => $code,)+
                }
            };
        }

        impl Brain {
            fn of(evaluator: AnyEvaluator, plan: &Plan) -> Result<Brain, TableError> {
                Ok(match evaluator {
                    $(AnyEvaluator::$name(evaluator) => {
                        Brain::$name(Pool::new(plan.hash, vec![evaluator; plan.threads])?)
                    })+
                })
            }

            /// Takes evaluators of the kind it has, or gives back one of another kind.
            fn take(&mut self, evaluator: AnyEvaluator, threads: usize) -> Option<AnyEvaluator> {
                match (self, evaluator) {
                    $((Brain::$name(pool), AnyEvaluator::$name(evaluator)) => {
                        pool.set_evaluators(vec![evaluator; threads]);
                        None
                    })+
                    (_, other) => Some(other),
                }
            }
        }
    };
}

brains! {
    /// The MLP in integers.
    Incremental(Incremental),
    /// candle's MLP.
    Mlp(Mlp),
    /// The CNN in blocks of boards.
    Tiled(Tiled),
    /// candle's CNN.
    Cnn(Cnn),
}

impl Brain {
    /// Reads the net and makes a search with it.
    ///
    /// # Errors
    /// [`BrainError`] when the net cannot be used or the table's memory is not to be had.
    pub fn new(plan: &Plan) -> Result<Brain, BrainError> {
        Ok(Brain::of(AnyEvaluator::read(plan)?, plan)?)
    }

    /// Another net, backend or number of threads; the table keeps its size. Nothing changes when there is an error.
    ///
    /// # Errors
    /// [`BrainError`] when the net cannot be used, or another kind of evaluator finds no memory for its table.
    pub fn rearrange(&mut self, plan: &Plan) -> Result<(), BrainError> {
        if let Some(other) = self.take(AnyEvaluator::read(plan)?, plan.threads) {
            *self = Brain::of(other, plan)?;
        }
        Ok(())
    }

    /// Another size of the table, in MiB; see [`Pool::resize`].
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

impl AnyEvaluator {
    fn read(plan: &Plan) -> Result<AnyEvaluator, BrainError> {
        let net = plan.net.read()?;
        let device = match plan.backend {
            Backend::Cuda => device::cuda().map_err(BrainError::NoGpu)?,
            _ => device::Device::Cpu,
        };
        let fault = |error: &dyn std::fmt::Display| plan.net.fault(error);
        Ok(match (net.info.architecture.kind(), plan.backend) {
            (Kind::Mlp, Backend::Auto | Backend::Incremental) => {
                AnyEvaluator::Incremental(Incremental::new(&net).map_err(|error| fault(&error))?)
            }
            (Kind::Mlp, Backend::Candle | Backend::Cuda) => {
                AnyEvaluator::Mlp(Mlp::on(&net, &device).map_err(|error| fault(&error))?)
            }
            (Kind::Cnn, Backend::Auto) => {
                AnyEvaluator::Tiled(Tiled::new(&net).map_err(|error| fault(&error))?)
            }
            (Kind::Cnn, Backend::Candle | Backend::Cuda) => {
                AnyEvaluator::Cnn(Cnn::new(&net, &device).map_err(|error| fault(&error))?)
            }
            (Kind::Cnn, Backend::Incremental) => {
                return Err(fault(
                    &"a CNN has no incremental form: set Backend to auto or candle",
                ));
            }
        })
    }
}
