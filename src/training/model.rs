//! The variables of an MLP in training.

use super::activation::activated;
use super::batch::MlpBatch;
use super::sparse::sum_of_rows;
use crate::evaluation::MlpShape;
use crate::evaluation::net::{Dense, MlpWeights};
use candle_core::{Device, Result, Tensor, Var};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Inputs that are set in a usual position: what the first layer's sums are made of.
const USUAL_INPUTS: f64 = 32.0;

/// An MLP whose weights can be trained.
pub struct TrainedMlp {
    shape: MlpShape,
    /// Weight (inputs × rows, so that all products run along rows) and bias of each layer.
    vars: Vec<(Var, Var)>,
}

impl TrainedMlp {
    /// Draws the first weights from a seed: uniform within ±√(3 / inputs), so that sums keep the size of what comes
    /// in, and biases of 0.
    pub fn new(shape: MlpShape, seed: u64, device: &Device) -> Result<TrainedMlp> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let vars = (0..shape.layers())
            .map(|layer| {
                let (inputs, rows) = (shape.inputs_of(layer), shape.rows_of(layer));
                let terms = if layer == 0 { USUAL_INPUTS } else { inputs as f64 };
                let bound = (3.0 / terms).sqrt() as f32;
                let weights: Vec<f32> = (0..inputs * rows)
                    .map(|_| random.random_range(-bound..bound))
                    .collect();
                let weight = Var::from_vec(weights, (inputs, rows), device)?;
                Ok((weight, Var::from_vec(vec![0f32; rows], rows, device)?))
            })
            .collect::<Result<_>>()?;
        Ok(TrainedMlp { shape, vars })
    }

    /// The variables, weight before bias, from the first layer on.
    pub fn vars(&self) -> Vec<Var> {
        self.vars
            .iter()
            .flat_map(|(weight, bias)| [weight.clone(), bias.clone()])
            .collect()
    }

    /// The outputs before tanh, one for each position.
    pub fn forward(&self, batch: &MlpBatch) -> Result<Tensor> {
        let shape = &self.shape;
        let (weight, bias) = &self.vars[0];
        let mut hidden = sum_of_rows(
            weight,
            bias,
            &batch.rows,
            shape.perspectives,
            shape.first_activation,
        )?;
        for (layer, (weight, bias)) in self.vars.iter().enumerate().skip(1) {
            let activation = shape.activation_after(layer);
            hidden = activated(
                &hidden.matmul(weight)?,
                bias,
                activation,
                &batch.buckets,
                shape.buckets,
            )?;
        }
        hidden.flatten_all()
    }

    /// Keeps weights and biases within ± a bound, one for each layer, the last for all that follow; 0 is no bound.
    pub fn clip(&self, bounds: &[f64]) -> Result<()> {
        for (layer, (weight, bias)) in self.vars.iter().enumerate() {
            let Some(&bound) = bounds.get(layer).or(bounds.last()) else {
                continue;
            };
            if bound > 0.0 {
                weight.set(&weight.clamp(-bound, bound)?)?;
                bias.set(&bias.clamp(-bound, bound)?)?;
            }
        }
        Ok(())
    }

    /// The weights as a net file holds them.
    pub fn weights(&self) -> Result<MlpWeights> {
        let layers = self.vars.iter().map(|(weight, bias)| {
            let weight = weight.t()?;
            let (outputs, inputs) = weight.dims2()?;
            Ok(Dense {
                inputs,
                outputs,
                weight: weight.contiguous()?.flatten_all()?.to_vec1()?,
                bias: bias.to_vec1()?,
            })
        });
        Ok(MlpWeights {
            shape: self.shape.clone(),
            layers: layers.collect::<Result<_>>()?,
        })
    }
}
