//! What can go wrong with a labelling run.

use crate::data::DataError;
use crate::uci_client::ClientError;
use thiserror::Error;

/// What ends a labelling run; failures of the engine on single positions are counted instead.
#[derive(Debug, Error)]
pub enum LabellingError {
    /// The input cannot be read, or the labels cannot be written.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The engine is missing or fails again and again.
    #[error(transparent)]
    Engine(#[from] ClientError),
}
