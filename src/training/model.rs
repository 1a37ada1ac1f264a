//! A net in training, as candle trains it.

use super::TrainError;
use super::batch::{Batch, Encoder};
use super::loss::Loss;
use crate::data::Record;
use crate::nets::net::{Net, NetInfo};
use crate::nets::score::Score;
use candle_core::{Result, Tensor, Var};

/// What the recipe says of one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// The rate of the optimiser.
    pub rate: f64,
    /// The error's exponent in the loss, see [`super::loss::error_of_sums`].
    pub exponent: f64,
    /// The share of the training that is over, from 0 on, less than 1.
    pub gone: f64,
}

/// A net in training. It stays on one thread.
pub trait Model {
    /// The variables that the optimiser changes, always in the same order: checkpoints number them.
    fn vars(&self) -> Vec<Var>;

    /// What makes the inputs of [`Model::loss`] from positions.
    fn encoder(&self) -> Encoder;

    /// Runs a batch forward in training mode (running statistics may move) and compares the outputs with the targets. The
    /// result is differentiated afterwards.
    ///
    /// # Errors
    /// If the batch was encoded for another net, or the device fails.
    fn loss(&mut self, batch: &Batch, pace: &Pace) -> Result<Loss>;

    /// Called after each step of the optimiser, where weights have bounds to keep.
    ///
    /// # Errors
    /// Those of candle.
    fn after_step(&mut self) -> Result<()> {
        Ok(())
    }

    /// What the finished net would say of positions: centipawns for White, one score for each, in their order. At most
    /// `batch` positions, as many as a step has, are to be computed at a time.
    ///
    /// # Errors
    /// If the device fails.
    fn scores(&self, records: &[Record], batch: usize) -> std::result::Result<Vec<Score>, TrainError>;

    /// What a checkpoint has to hold beside the variables, such as running statistics.
    ///
    /// # Errors
    /// Those of candle.
    fn state(&self) -> Result<Vec<Tensor>> {
        Ok(Vec::new())
    }

    /// Puts back what [`Model::state`] gave.
    ///
    /// # Errors
    /// If the number of tensors or a shape differs; nothing is changed then.
    fn set_state(&mut self, state: &[Tensor]) -> Result<()> {
        match state.len() {
            0 => Ok(()),
            found => candle_core::bail!("{found} tensors more than the net has"),
        }
    }

    /// Takes over the weights of a net file of the same architecture, or of one that [`Design::takes_over`](super::kind::Design::takes_over) allows.
    /// What training needs and the file lacks, such as the statistics of folded batch norms, is computed from positions
    /// of the `sample`.
    ///
    /// # Errors
    /// If the net is another, or the device fails.
    fn take_over(&mut self, net: &Net, sample: &[Record]) -> std::result::Result<(), TrainError>;

    /// The net with its present weights, as its file will hold it.
    ///
    /// # Errors
    /// Those of candle.
    fn net(&self, info: NetInfo) -> Result<Net>;
}
