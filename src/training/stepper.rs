//! What the trainer drives: a net together with its optimiser.
//!
//! [`Generic`] makes one of every [`Model`], with candle's gradients and [`Adam`]. A kind of network can have one of its own
//! instead, where gradients and steps are computed together; checkpoints hold the same tensors either way.

use super::TrainError;
use super::batch::{Batch, Encoder};
use super::loss::Loss;
use super::model::{Model, Pace};
use super::optimizer::{Adam, AdamSettings};
use crate::data::Record;
use crate::nets::net::{Net, NetInfo};
use crate::nets::score::Score;
use candle_core::Tensor;
use candle_nn::Optimizer;

/// A net with its optimiser. It stays on one thread.
pub trait Stepper {
    /// What makes the inputs of [`Stepper::step`] from positions.
    fn encoder(&self) -> Encoder;

    /// One step; the loss before it, without any price.
    ///
    /// # Errors
    /// If the batch was encoded for another net, or the device fails.
    fn step(&mut self, batch: &Batch, pace: &Pace) -> Result<f32, TrainError>;

    /// See [`Model::scores`].
    ///
    /// # Errors
    /// If the device fails.
    fn scores(&self, records: &[Record], batch: usize) -> Result<Vec<Score>, TrainError>;

    /// Copies of the weights, always in the same order: checkpoints number them. Other state of the net follows.
    ///
    /// # Errors
    /// Those of candle.
    fn weights(&self) -> Result<Vec<Tensor>, TrainError>;

    /// Puts other weights in the place of the present ones.
    ///
    /// # Errors
    /// [`TrainError::Weights`] and [`TrainError::Shape`]: their number or a shape differs.
    fn set_weights(&mut self, weights: &[Tensor]) -> Result<(), TrainError>;

    /// Copies of the optimiser's means of each weight.
    ///
    /// # Errors
    /// Those of candle.
    fn moments(&self) -> Result<Vec<(Tensor, Tensor)>, TrainError>;

    /// Goes on from saved means after so many steps.
    ///
    /// # Errors
    /// If their number or a shape differs.
    fn restore(&mut self, steps: u64, moments: Vec<(Tensor, Tensor)>) -> Result<(), TrainError>;

    /// See [`Model::take_over`].
    ///
    /// # Errors
    /// If the net is another, or the device fails.
    fn take_over(&mut self, net: &Net, sample: &[Record]) -> Result<(), TrainError>;

    /// The net with its present weights, as its file will hold it.
    ///
    /// # Errors
    /// Those of candle.
    fn net(&self, info: NetInfo) -> Result<Net, TrainError>;
}

/// Refuses tensors of other shapes than these.
///
/// # Errors
/// [`TrainError::Weights`] and [`TrainError::Shape`].
pub fn check_shapes(tensors: &[Tensor], wanted: &[Vec<usize>]) -> Result<(), TrainError> {
    if tensors.len() != wanted.len() {
        return Err(TrainError::Weights {
            found: tensors.len(),
            wanted: wanted.len(),
        });
    }
    for (tensor, wanted) in tensors.iter().zip(wanted) {
        if tensor.dims() != wanted {
            return Err(TrainError::Shape {
                found: tensor.dims().into(),
                wanted: wanted.clone(),
            });
        }
    }
    Ok(())
}

/// A model with gradients by candle.
pub struct Generic {
    model: Box<dyn Model>,
    optimizer: Adam,
}

impl Generic {
    /// A model before its first step.
    ///
    /// # Errors
    /// Those of candle.
    pub fn new(model: Box<dyn Model>, settings: AdamSettings) -> candle_core::Result<Generic> {
        Ok(Generic {
            optimizer: Adam::new(model.vars(), settings)?,
            model,
        })
    }
}

impl Stepper for Generic {
    fn encoder(&self) -> Encoder {
        self.model.encoder()
    }

    fn step(&mut self, batch: &Batch, pace: &Pace) -> Result<f32, TrainError> {
        let Loss { error, price } = self.model.loss(batch, pace)?;
        self.optimizer.set_learning_rate(pace.rate);
        match price {
            Some(price) => self.optimizer.backward_step(&(&error + price)?)?,
            None => self.optimizer.backward_step(&error)?,
        }
        self.model.after_step()?;
        Ok(error.to_scalar()?)
    }

    fn scores(&self, records: &[Record], batch: usize) -> Result<Vec<Score>, TrainError> {
        self.model.scores(records, batch)
    }

    fn weights(&self) -> Result<Vec<Tensor>, TrainError> {
        let copies = self
            .model
            .vars()
            .into_iter()
            .map(|var| Ok(var.as_tensor().copy()?.detach()));
        let mut copies = copies.collect::<Result<Vec<_>, TrainError>>()?;
        copies.extend(self.model.state()?);
        Ok(copies)
    }

    fn set_weights(&mut self, weights: &[Tensor]) -> Result<(), TrainError> {
        let vars = self.model.vars();
        let (weights, state) = weights.split_at(vars.len().min(weights.len()));
        let wanted: Vec<Vec<usize>> = vars.iter().map(|var| var.dims().into()).collect();
        check_shapes(weights, &wanted)?;
        self.model.set_state(state)?;
        for (var, weight) in vars.iter().zip(weights) {
            var.set(weight)?;
        }
        Ok(())
    }

    fn moments(&self) -> Result<Vec<(Tensor, Tensor)>, TrainError> {
        let moments = self.optimizer.moments().iter();
        // the optimiser changes its means in place
        let copies = moments.map(|moments| Ok((moments.first.copy()?, moments.second.copy()?)));
        copies.collect()
    }

    fn restore(&mut self, steps: u64, moments: Vec<(Tensor, Tensor)>) -> Result<(), TrainError> {
        Ok(self.optimizer.restore(steps, moments)?)
    }

    fn take_over(&mut self, net: &Net, sample: &[Record]) -> Result<(), TrainError> {
        self.model.take_over(net, sample)
    }

    fn net(&self, info: NetInfo) -> Result<Net, TrainError> {
        Ok(self.model.net(info)?)
    }
}
