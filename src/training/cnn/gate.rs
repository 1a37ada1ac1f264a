//! The variables of a gate (squeeze-and-excitation) in training, and what it does in candle's operations.

use crate::nets::cnn::gate::Gate;
use crate::nets::cnn::shape::GateShape;
use crate::nets::net::Dense;
use crate::training::first_weights::FirstWeights;
use candle_core::{Device, Result, Tensor, Var};
use candle_nn::ops::sigmoid;

/// A gate whose weights can be trained.
pub(super) struct TrainedGate {
    /// Weights (outputs × inputs) and biases of its two layers.
    layers: [(Var, Var); 2],
}

impl TrainedGate {
    /// Draws the first weights so that sums are about as large as what is added up; biases begin at 0. As long as the norm
    /// before it gives zeros, a gate is half open.
    pub fn new(shape: GateShape, random: &mut FirstWeights, device: &Device) -> Result<TrainedGate> {
        let GateShape { channels, units } = shape;
        let layer = |weights: Vec<f32>, outputs: usize| {
            let weights = Var::from_vec(weights, (outputs, shape.weights() / 2 / outputs), device)?;
            Ok::<_, candle_core::Error>((weights, Var::from_vec(vec![0f32; outputs], outputs, device)?))
        };
        let reduce = layer(random.he(units * channels, channels), units)?;
        // no ReLU follows that would halve the mean square
        let bound = (3.0 / units as f64).sqrt();
        let expand = layer(random.uniform(channels * units, bound), channels)?;
        Ok(TrainedGate {
            layers: [reduce, expand],
        })
    }

    /// The variables, layer by layer, weight before bias.
    pub fn vars(&self) -> impl Iterator<Item = &Var> {
        self.layers.iter().flat_map(|(weight, bias)| [weight, bias])
    }

    /// Multiplies the channels of boards (blocks × channels × 64 × lanes) by their factors.
    pub fn apply(&self, boards: &Tensor) -> Result<Tensor> {
        let blocks = boards.dim(0)?;
        let dense = |(weight, bias): &(Var, Var), features: &Tensor| {
            let (outputs, inputs) = weight.dims2()?;
            let weight = weight.broadcast_as((blocks, outputs, inputs))?.contiguous()?;
            weight
                .matmul(features)?
                .broadcast_add(&bias.reshape((1, outputs, 1))?)
        };
        let hidden = dense(&self.layers[0], &boards.mean(2)?)?.relu()?;
        let factors = sigmoid(&dense(&self.layers[1], &hidden)?)?;
        boards.broadcast_mul(&factors.unsqueeze(2)?)
    }

    /// Takes over the layers of a net file.
    ///
    /// # Errors
    /// If a shape differs.
    pub fn set(&self, gate: &Gate) -> Result<()> {
        for ((weight, bias), layer) in self.layers.iter().zip(&gate.layers) {
            let device = weight.device();
            let shape = (layer.outputs, layer.inputs);
            weight.set(&Tensor::from_slice(&layer.weight, shape, device)?)?;
            bias.set(&Tensor::from_slice(&layer.bias, layer.outputs, device)?)?;
        }
        Ok(())
    }

    /// The layers as a net file holds them.
    pub fn weights(&self) -> Result<Gate> {
        let [reduce, expand] = self.layers.each_ref().map(|(weight, bias)| {
            let (outputs, inputs) = weight.dims2()?;
            Ok::<_, candle_core::Error>(Dense {
                inputs,
                outputs,
                weight: weight.flatten_all()?.to_vec1()?,
                bias: bias.to_vec1()?,
            })
        });
        Ok(Gate {
            layers: [reduce?, expand?],
        })
    }
}
