//! A net in training: its model, its optimiser and the steps between them.

use super::TrainError;
use super::batch;
use super::batch::Batch;
use super::kind::Model;
use super::loss::Loss;
use super::meaning::Goal;
use super::optimizer::Adam;
use super::recipe::Recipe;
use crate::data::Record;
use crate::nets::net::{Architecture, FORMAT, Net, NetInfo, Validation};
use crate::nets::score::Score;
use candle_core::{Device, Tensor};
use candle_nn::Optimizer;

/// A net in training with its optimiser.
pub struct Trainer {
    recipe: Recipe,
    architecture: Architecture,
    model: Box<dyn Model>,
    optimizer: Adam,
}

impl Trainer {
    /// Draws the first weights of a recipe's net.
    ///
    /// # Errors
    /// If the recipe makes no sense or the device fails.
    pub fn new(recipe: &Recipe, device: &Device) -> Result<Trainer, TrainError> {
        let design = recipe.design()?;
        let model = design.model(recipe.schedule.seed, device)?;
        Ok(Trainer {
            optimizer: Adam::new(model.vars(), recipe.optimizer)?,
            recipe: recipe.clone(),
            architecture: design.architecture(),
            model,
        })
    }

    /// Encodes labelled positions for the net, on whatever thread.
    pub fn encoder(&self) -> impl Fn(&[Record]) -> Batch + Send + 'static {
        let goal = Goal {
            meaning: self.recipe.net.meaning(),
            result_share: self.recipe.schedule.result_share as f32,
        };
        batch::with_targets(self.model.encoder(), goal)
    }

    /// One step of the optimiser, counted from 0; the loss before it, without the price of activity.
    ///
    /// # Errors
    /// If the batch was encoded for another net, or the device fails.
    pub fn step(&mut self, batch: &Batch, step: u64) -> Result<f32, TrainError> {
        let Loss { error, price } = self.model.loss(batch, self.recipe.schedule.exponent)?;
        self.optimizer.set_learning_rate(self.rate(step));
        match price {
            Some(price) => self.optimizer.backward_step(&(&error + price)?)?,
            None => self.optimizer.backward_step(&error)?,
        }
        self.model.after_step()?;
        Ok(error.to_scalar()?)
    }

    /// The rate of a step.
    pub fn rate(&self, step: u64) -> f64 {
        self.recipe.optimizer.rate * self.recipe.schedule.rate(step)
    }

    /// The scores of positions, in centipawns for White, as the net file would give them.
    ///
    /// # Errors
    /// If the device fails.
    pub fn scores(&self, records: &[Record]) -> Result<Vec<Score>, TrainError> {
        self.model.scores(records, self.recipe.schedule.batch)
    }

    /// Copies of the weights, in the order of the model's variables, then of its other state.
    ///
    /// # Errors
    /// Those of candle.
    pub fn weights(&self) -> Result<Vec<Tensor>, TrainError> {
        let copies = self
            .model
            .vars()
            .into_iter()
            .map(|var| Ok(var.as_tensor().copy()?.detach()));
        let mut copies = copies.collect::<Result<Vec<_>, TrainError>>()?;
        copies.extend(self.model.state()?);
        Ok(copies)
    }

    /// Copies of the optimiser's means.
    pub fn moments(&self) -> Result<Vec<(Tensor, Tensor)>, TrainError> {
        let moments = self.optimizer.moments().iter();
        // the optimiser changes its means in place
        let copies = moments.map(|moments| Ok((moments.first.copy()?, moments.second.copy()?)));
        copies.collect()
    }

    /// Puts other weights in the place of the present ones.
    ///
    /// # Errors
    /// [`TrainError::Weights`] and [`TrainError::Shape`]: their number or a shape differs.
    pub fn set_weights(&mut self, weights: &[Tensor]) -> Result<(), TrainError> {
        let vars = self.model.vars();
        let (weights, state) = weights.split_at(vars.len().min(weights.len()));
        if weights.len() != vars.len() {
            return Err(TrainError::Weights {
                found: weights.len(),
                wanted: vars.len(),
            });
        }
        for (var, weight) in vars.iter().zip(weights) {
            if var.dims() != weight.dims() {
                return Err(TrainError::Shape {
                    found: weight.dims().into(),
                    wanted: var.dims().into(),
                });
            }
        }
        self.model.set_state(state)?;
        for (var, weight) in vars.iter().zip(weights) {
            var.set(weight)?;
        }
        Ok(())
    }

    /// Goes on from saved weights and means.
    pub fn restore(
        &mut self,
        steps: u64,
        weights: &[Tensor],
        moments: Vec<(Tensor, Tensor)>,
    ) -> Result<(), TrainError> {
        self.set_weights(weights)?;
        Ok(self.optimizer.restore(steps, moments)?)
    }

    /// Takes over the weights of a net file; see [`Model::take_over`].
    ///
    /// # Errors
    /// If the net is another, or the device fails.
    pub fn take_over(&mut self, net: &Net, sample: &[Record]) -> Result<(), TrainError> {
        self.model.take_over(net, sample)
    }

    /// The net as it is now.
    pub fn net(&self, positions: u64, validation: Option<Validation>) -> Result<Net, TrainError> {
        let info = NetInfo {
            format: FORMAT,
            name: self.recipe.name.clone(),
            architecture: self.architecture.clone(),
            orientation: self.recipe.net.orientation,
            curve: self.recipe.net.curve,
            data: self.recipe.data.description.clone(),
            positions,
            validation,
            recipe: Some(self.recipe.to_text()?),
        };
        Ok(self.model.net(info)?)
    }
}
