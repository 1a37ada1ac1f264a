//! Training networks on labelled positions.

pub mod activation;
pub mod batch;
pub mod measure;
pub mod model;
pub mod optimizer;
pub mod recipe;
pub mod sparse;
pub mod trainer;

use crate::data::DataError;
use crate::evaluation::NetError;
use crate::evaluation::layout::LayoutError;
use std::path::PathBuf;
pub use trainer::{Options, run};

/// Why a training cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// The recipe cannot be read or makes no sense.
    #[error("recipe {path}: {reason}")]
    Recipe { path: PathBuf, reason: String },
    /// The layout is not understood.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// The data cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The net cannot be written or read.
    #[error(transparent)]
    Net(#[from] NetError),
    /// A file of the run cannot be written or read.
    #[error("{path}: {reason}")]
    File { path: PathBuf, reason: String },
    /// The loss is infinite or no number.
    #[error("the loss is {loss} after {positions} positions: lower the rate or clip the weights")]
    Diverged { loss: f32, positions: u64 },
    /// candle reports an error.
    #[error("candle: {0}")]
    Candle(#[from] candle_core::Error),
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
