//! A net in training: what is trained, by whatever computes its steps, and what the recipe says of each step.

use super::TrainError;
use super::batch;
use super::batch::Batch;
use super::meaning::Goal;
use super::model::Pace;
use super::recipe::Recipe;
use super::stepper::Stepper;
use crate::data::{Hint, Record};
use crate::nets::net::{Architecture, FORMAT, Net, NetInfo, Validation};
use crate::nets::score::Score;
use candle_core::{Device, Tensor};

/// A net in training with its optimiser.
pub struct Trainer {
    recipe: Recipe,
    architecture: Architecture,
    stepper: Box<dyn Stepper>,
}

impl Trainer {
    /// Draws the first weights of a recipe's net.
    ///
    /// # Errors
    /// If the recipe makes no sense or the device fails.
    pub fn new(recipe: &Recipe, device: &Device) -> Result<Trainer, TrainError> {
        let design = recipe.design()?;
        Ok(Trainer {
            recipe: recipe.clone(),
            architecture: design.architecture(),
            stepper: design.stepper(recipe.schedule.seed, device, recipe.optimizer)?,
        })
    }

    /// Encodes labelled positions for the net, on whatever thread; there may be hints to them, or none.
    pub fn encoder(&self) -> impl Fn(&[Record], &[Hint]) -> Batch + Send + 'static {
        let goal = Goal {
            meaning: self.recipe.net.meaning(),
            result_share: self.recipe.schedule.result_share as f32,
        };
        batch::with_targets(self.stepper.encoder(), goal)
    }

    /// One step of the optimiser, counted from 0; the loss before it, without any price.
    ///
    /// # Errors
    /// If the batch was encoded for another net, or the device fails.
    pub fn step(&mut self, batch: &Batch, step: u64) -> Result<f32, TrainError> {
        let pace = Pace {
            rate: self.rate(step),
            exponent: self.recipe.schedule.exponent,
            gone: step as f64 / self.recipe.schedule.steps() as f64,
        };
        self.stepper.step(batch, &pace)
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
        self.stepper.scores(records, self.recipe.schedule.batch)
    }

    /// Copies of the weights, see [`Stepper::weights`].
    ///
    /// # Errors
    /// Those of candle.
    pub fn weights(&self) -> Result<Vec<Tensor>, TrainError> {
        self.stepper.weights()
    }

    /// Copies of the optimiser's means.
    ///
    /// # Errors
    /// Those of candle.
    pub fn moments(&self) -> Result<Vec<(Tensor, Tensor)>, TrainError> {
        self.stepper.moments()
    }

    /// Puts other weights in the place of the present ones.
    ///
    /// # Errors
    /// [`TrainError::Weights`] and [`TrainError::Shape`]: their number or a shape differs.
    pub fn set_weights(&mut self, weights: &[Tensor]) -> Result<(), TrainError> {
        self.stepper.set_weights(weights)
    }

    /// Goes on from saved weights and means.
    ///
    /// # Errors
    /// If their number or a shape differs.
    pub fn restore(
        &mut self,
        steps: u64,
        weights: &[Tensor],
        moments: Vec<(Tensor, Tensor)>,
    ) -> Result<(), TrainError> {
        self.set_weights(weights)?;
        self.stepper.restore(steps, moments)
    }

    /// Takes over the weights of a net file; see [`super::model::Model::take_over`].
    ///
    /// # Errors
    /// If the net is another, or the device fails.
    pub fn take_over(&mut self, net: &Net, sample: &[Record]) -> Result<(), TrainError> {
        self.stepper.take_over(net, sample)
    }

    /// The net as it is now.
    ///
    /// # Errors
    /// Those of candle.
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
        self.stepper.net(info)
    }
}
