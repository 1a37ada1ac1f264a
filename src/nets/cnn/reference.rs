//! The CNN as a candle model: the reference that the faster path must agree with, and the implementation on GPUs.

use super::shape::CnnShape;
use super::weights::CnnWeights;
use crate::board::Position;
use crate::nets::device;
use crate::nets::encoding;
use crate::nets::encoding::PLANES;
use crate::nets::head::{DenseLayers, OutputHead};
use crate::nets::net::{Net, NetError};
use crate::nets::score::Score;
use crate::nets::stateless::Stateless;
use candle_core::{Device, Result, Tensor};

/// A trained CNN as an evaluator, computed by candle.
#[derive(Clone, Debug)]
pub struct Cnn {
    shape: CnnShape,
    /// Weights (outputs × inputs × side × side) and biases (1 × outputs × 1 × 1).
    convolutions: Vec<(Tensor, Tensor)>,
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
        let convolutions = weights.convolutions.iter().map(|layer| {
            let shape = layer.shape;
            let dims = (shape.outputs, shape.inputs, shape.side, shape.side);
            let bias = Tensor::from_slice(&layer.bias, (1, shape.outputs, 1, 1), device)?;
            Ok((Tensor::from_slice(&layer.weight, dims, device)?, bias))
        });
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
            let (weight, bias) = convolutions.next().expect("the shape names the convolutions");
            let padding = weight.dim(3)? / 2;
            let result = boards.conv2d(weight, padding, 1, 1, 1)?.broadcast_add(bias)?;
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
        let sums = self.forward(&planes)?.to_vec1::<f32>()?;
        Ok(self.head.scores(positions, sums).collect())
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
