//! Training networks on labelled positions.

pub mod baselines;
pub mod batch;
mod beginning;
pub mod checkpoint;
pub mod cnn;
pub mod control;
pub mod evaluate;
pub mod event;
mod faults;
pub mod first_weights;
mod floats;
mod folder;
pub mod head;
pub mod kind;
mod log;
pub mod loss;
pub mod meaning;
pub mod measure;
pub mod mlp;
pub mod model;
pub mod net_recipe;
pub mod optimizer;
pub mod options;
pub mod plot;
pub mod recipe;
pub mod registry;
pub mod run;
pub mod source;
pub mod stepper;
pub mod trainer;
pub mod transformer;

use crate::data::record::RecordError;
use crate::data::{DataError, Part};
use crate::nets::net::NetError;
pub use faults::RecipeError;
pub use run::{Trained, run};
use std::path::PathBuf;

/// Every kind of network that can be trained. A new one is a folder beside `mlp` and `cnn` and an entry here; where a
/// recipe names no kind, the first that recognises the layout is taken.
const KINDS: &[kind::TrainingKind] = &[transformer::KIND, mlp::KIND, cnn::KIND, control::KIND];

/// Why a training cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// The recipe cannot be read or makes no sense.
    #[error("recipe {path}: {reason}")]
    Recipe { path: PathBuf, reason: RecipeError },
    /// The thread that prepares the batches has panicked.
    #[error(
        "the thread that prepares the data broke down; the last checkpoint is whole, and the same command continues from it"
    )]
    DataThread,
    /// The data cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A record of the data is damaged.
    #[error("a record of the data is damaged: {0}")]
    Record(#[from] RecordError),
    /// Less than one batch to train on.
    #[error(
        "the filter leaves {positions} positions to train on, fewer than a batch of {batch}: loosen it or lower schedule.batch"
    )]
    TooFew { positions: usize, batch: usize },
    /// Nothing to measure on.
    #[error("the {0} part of the data holds no labelled position")]
    NothingToMeasure(&'static str),
    /// Results to learn from are missing.
    #[error(
        "schedule.result_share is {0}, but no position of the data has a game's result: set it to 0, or use data with results (`enroc data selfplay`, PGN, viriformat)"
    )]
    NoResults(f64),
    /// A file where the recipe streams from folders.
    #[error(
        "{0} is no folder of shards, which data.in_memory needs; `enroc data import` makes one of a file"
    )]
    NoFolder(PathBuf),
    /// The net cannot be written or read.
    #[error(transparent)]
    Net(#[from] NetError),
    /// A file of the run cannot be written or read.
    #[error("{path}: {reason}")]
    File { path: PathBuf, reason: String },
    /// Another program trains there.
    #[error("another training is writing {0}")]
    Busy(PathBuf),
    /// The checkpoint belongs to another recipe.
    #[error("{0} was made by another recipe or an earlier form of this one; --restart begins again")]
    OtherRecipe(PathBuf),
    /// The checkpoint belongs to other data.
    #[error("{0} was trained on other data than its recipe's files hold now; --restart begins again")]
    OtherData(PathBuf),
    /// A checkpoint has too many or too few tensors.
    #[error("the checkpoint holds {found} tensors of weights, the net has {wanted}")]
    Weights { found: usize, wanted: usize },
    /// The weights of a checkpoint belong to another layout.
    #[error("the checkpoint holds weights of {found:?} where the net has {wanted:?}: the layouts differ")]
    Shape { found: Vec<usize>, wanted: Vec<usize> },
    /// The loss is infinite or no number.
    #[error("the loss is {loss} after {positions} positions: lower the rate or clip the weights")]
    Diverged { loss: f32, positions: u64 },
    /// candle reports an error.
    #[error("candle: {0}")]
    Candle(#[from] candle_core::Error),
}

/// What a part of the data is called.
pub fn part_name(part: Part) -> &'static str {
    match part {
        Part::Training => "training",
        Part::Validation => "validation",
        Part::Test => "test",
    }
}

impl TrainError {
    /// An error of a file, with its name.
    pub(crate) fn file(path: &std::path::Path, error: impl std::fmt::Display) -> TrainError {
        TrainError::File {
            path: path.into(),
            reason: error.to_string(),
        }
    }
}
