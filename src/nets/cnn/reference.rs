//! The CNN as a candle model: the reference that the faster path must agree with, and the implementation on GPUs.

use super::gate::Gate;
use super::shape::CnnShape;
use super::weights::{CnnWeights, Convolution};
use crate::board::Position;
use crate::nets::device;
use crate::nets::encoding;
use crate::nets::encoding::PLANES;
use crate::nets::head::{DenseLayers, OutputHead};
use crate::nets::net::{Net, NetError};
use crate::nets::score::Score;
use crate::nets::stateless::Stateless;
use candle_core::{Device, Result, Tensor};
use candle_nn::ops::sigmoid;
use candle_nn::{Linear, Module};

/// A convolution with what follows it before the shortcut.
#[derive(Clone, Debug)]
struct Layer {
    /// Outputs × inputs × side × side.
    weight: Tensor,
    /// 1 × outputs × 1 × 1.
    bias: Tensor,
    gate: Option<[Linear; 2]>,
}

impl Layer {
    fn new(layer: &Convolution, device: &Device) -> Result<Layer> {
        let shape = layer.shape;
        let dims = (shape.outputs, shape.inputs, shape.side, shape.side);
        Ok(Layer {
            bias: Tensor::from_slice(&layer.bias, (1, shape.outputs, 1, 1), device)?,
            weight: Tensor::from_slice(&layer.weight, dims, device)?,
            gate: layer.gate.as_ref().map(|gate| linear(gate, device)).transpose()?,
        })
    }

    /// What it makes of boards (positions × channels × 8 × 8).
    fn forward(&self, boards: &Tensor) -> Result<Tensor> {
        let padding = self.weight.dim(3)? / 2;
        let result = boards
            .conv2d(&self.weight, padding, 1, 1, 1)?
            .broadcast_add(&self.bias)?;
        let Some([reduce, expand]) = &self.gate else {
            return Ok(result);
        };
        let hidden = reduce.forward(&result.mean((2, 3))?)?.relu()?;
        let factors = sigmoid(&expand.forward(&hidden)?)?;
        result.broadcast_mul(&factors.unsqueeze(2)?.unsqueeze(3)?)
    }
}

/// The layers of a gate.
fn linear(gate: &Gate, device: &Device) -> Result<[Linear; 2]> {
    let [reduce, expand] = gate.layers.each_ref().map(|layer| {
        let weight = Tensor::from_slice(&layer.weight, (layer.outputs, layer.inputs), device)?;
        let bias = Tensor::from_slice(&layer.bias, layer.outputs, device)?;
        Ok::<_, candle_core::Error>(Linear::new(weight, Some(bias)))
    });
    Ok([reduce?, expand?])
}

/// A trained CNN as an evaluator, computed by candle.
#[derive(Clone, Debug)]
pub struct Cnn {
    shape: CnnShape,
    convolutions: Vec<Layer>,
    dense: DenseLayers,
    head: OutputHead,
    device: Device,
}

impl Cnn {
    /// The model of a CNN, on a device.
    ///
    /// # Errors
    /// If the net is not a CNN, or the device's memory is too small for it.
    pub fn new(net: &Net, device: &Device) -> std::result::Result<Cnn, NetError> {
        let weights = net.cnn()?;
        Cnn::build(net, weights, device).map_err(|error| NetError::Device(error.to_string()))
    }

    fn build(net: &Net, weights: CnnWeights, device: &Device) -> Result<Cnn> {
        let convolutions = weights.convolutions.iter();
        let convolutions = convolutions.map(|layer| Layer::new(layer, device));
        Ok(Cnn {
            convolutions: convolutions.collect::<Result<_>>()?,
            dense: DenseLayers::new(&weights.dense, device)?,
            shape: weights.shape,
            head: OutputHead::of(&net.info),
            device: device.clone(),
        })
    }

    /// The layout of the net.
    pub fn shape(&self) -> &CnnShape {
        &self.shape
    }

    /// The outputs before tanh (positions) for planes (positions × 16 × 8 × 8).
    pub fn forward(&self, planes: &Tensor) -> Result<Tensor> {
        let mut convolutions = self.convolutions.iter();
        let boards = self.shape.walk(planes.clone(), |boards: &Tensor, shortcut| {
            let layer = convolutions.next().expect("the shape names the convolutions");
            let result = layer.forward(boards)?;
            match shortcut {
                Some(shortcut) => (result + shortcut)?.relu(),
                None => result.relu(),
            }
        })?;
        self.dense.forward(&boards.mean((2, 3))?)
    }

    /// The scores of positions, each for its side to move.
    ///
    /// # Errors
    /// If the device runs out of memory or fails.
    pub fn scores(&self, positions: &[Position]) -> Result<Vec<Score>> {
        Ok(self.head.scores(positions, self.sums(positions)?).collect())
    }

    /// The outputs before tanh.
    ///
    /// # Errors
    /// As [`Cnn::scores`].
    pub fn sums(&self, positions: &[Position]) -> Result<Vec<f32>> {
        if positions.is_empty() {
            return Ok(Vec::new());
        }
        let mut planes = Vec::with_capacity(positions.len() * encoding::PLANE_INPUTS);
        for position in positions {
            planes.extend_from_slice(&encoding::planes(
                position,
                self.head.orientation.view(position.side_to_move()),
            ));
        }
        let planes = Tensor::from_vec(planes, (positions.len(), PLANES, 8, 8), &self.device)?;
        self.forward(&planes)?.to_vec1()
    }
}

impl Stateless for Cnn {
    fn score_all(&mut self, positions: &[Position], scores: &mut Vec<Score>) {
        scores.extend(
            self.scores(positions)
                .expect("the layers were checked when the net was read"),
        );
    }

    fn preferred_batch(&self) -> usize {
        device::batch_size(&self.device)
    }
}
