//! A net in training: its model, its optimiser and the steps between them.

use super::TrainError;
use super::batch::{Batch, Encoding, Inputs};
use super::cnn::model::TrainedCnn;
use super::mlp::model::TrainedMlp;
use super::optimizer::Adam;
use super::recipe::{NetShape, Recipe};
use crate::data::Record;
use crate::nets::cnn::blocks::{BLOCK, BoardNet};
use crate::nets::cnn::reference::Cnn;
use crate::nets::encoding::{PLANE_INPUTS, PLANES};
use crate::nets::net::{FORMAT, Net, NetInfo, Validation};
use crate::nets::score::Score;
use candle_core::{Device, Tensor, Var};
use candle_nn::Optimizer;
use rayon::prelude::*;

/// A net in training with its optimiser.
pub struct Trainer {
    recipe: Recipe,
    encoding: Encoding,
    model: Model,
    optimizer: Adam,
    device: Device,
}

/// The variables of a net of either kind.
enum Model {
    Mlp(TrainedMlp),
    Cnn(TrainedCnn),
}

impl Model {
    fn vars(&self) -> Vec<Var> {
        match self {
            Model::Mlp(model) => model.vars(),
            Model::Cnn(model) => model.vars(),
        }
    }

    /// The outputs before tanh, on the way to a step, and what activity costs where it has a price.
    fn forward(&mut self, inputs: &Inputs, price: f64) -> candle_core::Result<(Tensor, Option<Tensor>)> {
        match (self, inputs) {
            (Model::Mlp(model), Inputs::Bits(bits)) if price > 0.0 => {
                let (sums, activity) = model.forward_with_activity(bits)?;
                Ok((sums, Some((activity * price)?)))
            }
            (Model::Mlp(model), Inputs::Bits(bits)) => Ok((model.forward(bits)?, None)),
            (Model::Cnn(model), Inputs::Boards(boards)) => Ok((model.forward(boards)?, None)),
            _ => candle_core::bail!("the batch was encoded for a net of another kind"),
        }
    }
}

/// The mean of the errors' sizes to a power. The square has an operation of its own, which is exact and fast.
fn loss(sums: &Tensor, targets: &Tensor, exponent: f64) -> candle_core::Result<Tensor> {
    let errors = (sums.tanh()? - targets)?;
    if exponent == 2.0 {
        errors.sqr()?.mean_all()
    } else {
        errors.abs()?.powf(exponent)?.mean_all()
    }
}

impl Trainer {
    /// Draws the first weights of a recipe's net.
    pub fn new(recipe: &Recipe, device: &Device) -> Result<Trainer, TrainError> {
        let encoding = recipe.encoding()?;
        let seed = recipe.schedule.seed;
        let model = match encoding.shape.clone() {
            NetShape::Mlp(shape) => Model::Mlp(TrainedMlp::new(shape, seed, device)?),
            NetShape::Cnn(shape) => Model::Cnn(TrainedCnn::new(shape, seed, device)?),
        };
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

    /// One step of the optimiser, counted from 0; the loss before it, without the price of activity.
    pub fn step(&mut self, batch: &Batch, step: u64) -> Result<f32, TrainError> {
        let targets = Tensor::from_slice(&batch.targets, batch.targets.len(), &self.device)?;
        let (sums, penalty) = self.model.forward(&batch.inputs, self.recipe.net.sparsity)?;
        let loss = loss(&sums, &targets, self.recipe.schedule.exponent)?;
        self.optimizer.set_learning_rate(self.rate(step));
        match penalty {
            Some(penalty) => self.optimizer.backward_step(&(&loss + penalty)?)?,
            None => self.optimizer.backward_step(&loss)?,
        }
        if let Model::Mlp(model) = &self.model {
            model.clip(&self.recipe.net.clip)?;
        }
        Ok(loss.to_scalar()?)
    }

    /// The rate of a step.
    pub fn rate(&self, step: u64) -> f64 {
        self.recipe.optimizer.rate * self.recipe.schedule.rate(step)
    }

    /// The scores of positions, in centipawns for White, as the net file would give them.
    pub fn scores(&self, records: &[Record]) -> Result<Vec<Score>, TrainError> {
        let sums = match &self.model {
            Model::Mlp(model) => self.sums_of_mlp(model, records)?,
            Model::Cnn(model) if self.device.is_cpu() => {
                self.sums_of_boards(&BoardNet::new(&model.weights()?), records)
            }
            Model::Cnn(_) => self.sums_on_device(records)?,
        };
        let scores = records.iter().zip(sums).map(|(record, sum)| {
            let score = self.encoding.curve.score_before_tanh(sum);
            self.encoding.orientation.for_white(score, record.side_to_move())
        });
        Ok(scores.collect())
    }

    fn sums_of_mlp(&self, model: &TrainedMlp, records: &[Record]) -> Result<Vec<f32>, TrainError> {
        let mut sums = Vec::with_capacity(records.len());
        for chunk in records.chunks(self.recipe.schedule.batch) {
            if let Inputs::Bits(bits) = self.encoding.encode(chunk).inputs {
                sums.extend(model.forward(&bits)?.to_vec1::<f32>()?);
            }
        }
        Ok(sums)
    }

    fn sums_of_boards(&self, net: &BoardNet, records: &[Record]) -> Vec<f32> {
        let blocks = records.par_chunks(BLOCK).flat_map_iter(|records| {
            let planes = self.encoding.boards(records, BLOCK).planes;
            let sums = net.forward(planes, BLOCK).into_iter();
            sums.take(records.len())
        });
        blocks.collect()
    }

    fn sums_on_device(&self, records: &[Record]) -> Result<Vec<f32>, TrainError> {
        let model = Cnn::new(&self.net(0, None)?, &self.device)?;
        let mut sums = Vec::with_capacity(records.len());
        for chunk in records.chunks(self.recipe.schedule.batch) {
            let planes = self.encoding.boards(chunk, 1).planes;
            let shape = (planes.len() / PLANE_INPUTS, PLANES, 8, 8);
            let planes = Tensor::from_vec(planes, shape, &self.device)?;
            sums.extend(model.forward(&planes)?.to_vec1::<f32>()?);
        }
        Ok(sums)
    }

    /// Copies of the weights, in the order of the model's variables, and of the running statistics of a CNN.
    pub fn weights(&self) -> Result<Vec<Tensor>, TrainError> {
        let copies = self
            .model
            .vars()
            .into_iter()
            .map(|var| Ok(var.as_tensor().copy()?.detach()));
        let mut copies = copies.collect::<Result<Vec<_>, TrainError>>()?;
        if let Model::Cnn(model) = &self.model {
            copies.extend(model.running()?);
        }
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
        let (weights, running) = weights.split_at(vars.len().min(weights.len()));
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
        if let Model::Cnn(model) = &mut self.model {
            model.set_running(running)?;
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
    pub fn net(&self, positions: u64, validation: Option<Validation>) -> Result<Net, TrainError> {
        let info = NetInfo {
            format: FORMAT,
            name: self.recipe.name.clone(),
            architecture: self.encoding.shape.architecture(),
            orientation: self.encoding.orientation,
            curve: self.encoding.curve,
            data: self.recipe.data.description.clone(),
            positions,
            validation,
            recipe: Some(self.recipe.to_text()?),
        };
        Ok(match &self.model {
            Model::Mlp(model) => Net::of_mlp(info, &model.weights()?),
            Model::Cnn(model) => Net::of_cnn(info, &model.weights()?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loss_and_its_gradient_have_the_exponent() -> candle_core::Result<()> {
        let values = [0.5f32, -1.0, 0.0, 0.25];
        let targets = [0.9f32, -0.2, 0.0, -0.5];
        for exponent in [1.0, 1.5, 2.0, 2.6] {
            let sums = Var::from_slice(&values, 4, &Device::Cpu)?;
            let loss = loss(&sums, &Tensor::from_slice(&targets, 4, &Device::Cpu)?, exponent)?;
            let gradient = loss
                .backward()?
                .get(&sums)
                .expect("a gradient")
                .to_vec1::<f32>()?;
            let mut wanted = 0.0;
            for ((&sum, &target), found) in values.iter().zip(&targets).zip(gradient) {
                let (value, target) = (f64::from(sum).tanh(), f64::from(target));
                let error = value - target;
                wanted += error.abs().powf(exponent) / 4.0;
                let slope =
                    exponent * error.abs().powf(exponent - 1.0) * error.signum() * (1.0 - value * value)
                        / 4.0;
                // the size has no slope at 0
                assert!(
                    error == 0.0 || (f64::from(found) - slope).abs() < 1e-6,
                    "{exponent}: {found} {slope}"
                );
                assert!(found.is_finite());
            }
            assert!((f64::from(loss.to_scalar::<f32>()?) - wanted).abs() < 1e-6);
        }
        Ok(())
    }
}
