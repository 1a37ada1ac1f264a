//! A net in training: its model, its optimiser and the steps between them.

use super::TrainError;
use super::batch::{Encoding, MlpBatch};
use super::model::TrainedMlp;
use super::optimizer::Adam;
use super::recipe::Recipe;
use crate::board::Color;
use crate::data::Record;
use crate::evaluation::net::{Architecture, FORMAT, Net, NetInfo, Validation};
use crate::evaluation::{Orientation, Score};
use candle_core::{Device, Tensor};
use candle_nn::Optimizer;

/// A net in training with its optimiser.
pub struct Trainer {
    recipe: Recipe,
    encoding: Encoding,
    model: TrainedMlp,
    optimizer: Adam,
    device: Device,
}

impl Trainer {
    /// Draws the first weights of a recipe's net.
    pub fn new(recipe: &Recipe, device: &Device) -> Result<Trainer, TrainError> {
        let encoding = recipe.encoding()?;
        let model = TrainedMlp::new(encoding.shape.clone(), recipe.schedule.seed, device)?;
        let optimizer = Adam::new(model.vars(), recipe.optimizer)?;
        Ok(Trainer {
            recipe: recipe.clone(),
            encoding,
            model,
            optimizer,
            device: device.clone(),
        })
    }

    /// How positions are encoded for the net.
    pub fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    /// One step of the optimiser, counted from 0; the mean squared error before it.
    pub fn step(&mut self, batch: &MlpBatch, step: u64) -> Result<f32, TrainError> {
        let targets = Tensor::from_slice(&batch.targets, batch.targets.len(), &self.device)?;
        let loss = (self.model.forward(batch)?.tanh()? - targets)?
            .sqr()?
            .mean_all()?;
        self.optimizer.set_learning_rate(self.rate(step));
        self.optimizer.backward_step(&loss)?;
        self.model.clip(&self.recipe.net.clip)?;
        Ok(loss.to_scalar()?)
    }

    /// The rate of a step.
    pub fn rate(&self, step: u64) -> f64 {
        self.recipe.optimizer.rate * self.recipe.schedule.rate(step)
    }

    /// The scores of positions, in centipawns for White.
    pub fn scores(&self, records: &[Record]) -> Result<Vec<Score>, TrainError> {
        let mut scores = Vec::with_capacity(records.len());
        for chunk in records.chunks(self.recipe.schedule.batch) {
            let sums: Vec<f32> = self.model.forward(&self.encoding.encode(chunk))?.to_vec1()?;
            scores.extend(chunk.iter().zip(sums).map(|(record, sum)| {
                let score = self.encoding.curve.score_before_tanh(sum);
                match (self.encoding.orientation, record.side_to_move()) {
                    (Orientation::Mover, Color::Black) => -score,
                    _ => score,
                }
            }));
        }
        Ok(scores)
    }

    /// Copies of the weights, in the order of the model's variables.
    pub fn weights(&self) -> Result<Vec<Tensor>, TrainError> {
        let copies = self
            .model
            .vars()
            .into_iter()
            .map(|var| Ok(var.as_tensor().copy()?.detach()));
        copies.collect()
    }

    /// Copies of the optimiser's means.
    pub fn moments(&self) -> Vec<(Tensor, Tensor)> {
        let moments = self.optimizer.moments().iter();
        moments
            .map(|moments| (moments.first.clone(), moments.second.clone()))
            .collect()
    }

    /// Puts other weights in the place of the present ones.
    ///
    /// # Errors
    /// If their number or a shape differs.
    pub fn set_weights(&self, weights: &[Tensor]) -> Result<(), TrainError> {
        let vars = self.model.vars();
        if weights.len() != vars.len() {
            return Err(TrainError::Weights {
                found: weights.len(),
                wanted: vars.len(),
            });
        }
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

    /// The net as it is now.
    pub fn net(&self, positions: u64, validation: Validation) -> Result<Net, TrainError> {
        let info = NetInfo {
            format: FORMAT,
            name: self.recipe.name.clone(),
            architecture: Architecture::of_mlp(&self.encoding.shape),
            orientation: self.encoding.orientation,
            curve: self.encoding.curve,
            data: self.recipe.data.description.clone(),
            positions,
            validation: Some(validation),
        };
        Ok(Net::of_mlp(info, &self.model.weights()?))
    }
}
