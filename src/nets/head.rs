//! The end of every network: dense layers down to one number before tanh, and the score that it stands for.

use super::curve::{Curve, Orientation};
use super::net::{Dense, NetInfo};
use super::score::Score;
use crate::board::Position;
use candle_core::{Device, Result, Tensor};
use candle_nn::{Linear, Module};

/// Turns outputs into scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutputHead {
    /// The net's point of view.
    pub orientation: Orientation,
    /// The conversion of its output to centipawns.
    pub curve: Curve,
}

impl OutputHead {
    /// The head of a net.
    pub fn of(info: &NetInfo) -> OutputHead {
        OutputHead {
            orientation: info.orientation,
            curve: info.curve,
        }
    }

    /// The score, for the side to move, of an output before tanh.
    pub fn score(&self, sum: f32, position: &Position) -> Score {
        let score = self.curve.score_before_tanh(sum);
        self.orientation.for_mover(score, position.side_to_move())
    }

    /// The score, for the side to move, of an output after tanh.
    pub fn score_of_output(&self, output: f32, position: &Position) -> Score {
        self.orientation
            .for_mover(self.curve.score(output), position.side_to_move())
    }

    /// The scores of positions in the order of their outputs, each for its side to move.
    pub fn scores<'a>(
        &self,
        positions: &'a [Position],
        sums: impl IntoIterator<Item = f32> + 'a,
    ) -> impl Iterator<Item = Score> + 'a {
        let head = *self;
        positions
            .iter()
            .zip(sums)
            .map(move |(position, sum)| head.score(sum, position))
    }
}

/// Dense layers in candle, with ReLU after all but the last.
#[derive(Clone, Debug)]
pub struct DenseLayers(Vec<Linear>);

impl DenseLayers {
    /// The layers of a net file, on a device.
    ///
    /// # Errors
    /// If the device's memory is too small for them.
    pub fn new(layers: &[Dense], device: &Device) -> Result<DenseLayers> {
        let layers = layers.iter().map(|layer| {
            let weight = Tensor::from_slice(&layer.weight, (layer.outputs, layer.inputs), device)?;
            Ok((weight, Tensor::from_slice(&layer.bias, layer.outputs, device)?))
        });
        Ok(DenseLayers::of_tensors(layers.collect::<Result<Vec<_>>>()?))
    }

    /// Layers of these weights (outputs × inputs) and biases (outputs).
    pub fn of_tensors(layers: impl IntoIterator<Item = (Tensor, Tensor)>) -> DenseLayers {
        let layers = layers.into_iter();
        DenseLayers(
            layers
                .map(|(weight, bias)| Linear::new(weight, Some(bias)))
                .collect(),
        )
    }

    /// The outputs before tanh (positions) for the features of each position (positions × inputs).
    ///
    /// # Errors
    /// If the shapes do not fit, or the device fails.
    pub fn forward(&self, features: &Tensor) -> Result<Tensor> {
        let mut hidden = features.clone();
        for (number, layer) in self.0.iter().enumerate() {
            hidden = layer.forward(&hidden)?;
            if number + 1 < self.0.len() {
                hidden = hidden.relu()?;
            }
        }
        hidden.flatten_all()
    }
}
