//! The CNN on the CPU: Winograd convolutions on blocks of boards, one block per call. Its scores agree with those of
//! [`Cnn`](super::reference::Cnn) up to rounding.

use super::gate::Gate;
use super::kernel::{Kernel, dense, pooled};
use super::shape::CnnShape;
use super::weights::{CnnWeights, Convolution};
use super::winograd::{SQUARES, Workspace};
use crate::board::Position;
use crate::nets::encoding;
use crate::nets::encoding::PLANE_INPUTS;
use crate::nets::head::OutputHead;
use crate::nets::net::{Dense, Net, NetError};
use crate::nets::score::Score;
use crate::nets::stateless::Stateless;
use pulp::Arch;
use std::convert::Infallible;
use std::sync::Arc;

/// Positions in a full block; the times with 16, 32 and 64 differ by less than a sixth.
pub const BLOCK: usize = 32;
/// Fewer positions than this are transformed one by one; more are padded to a multiple of [`WIDE`].
const FEW: usize = 8;
/// Lanes that the transforms process at once.
const WIDE: usize = 16;

/// The number of lanes of a block with this many positions.
pub fn lanes_for(positions: usize) -> usize {
    if positions < FEW {
        positions
    } else {
        positions.next_multiple_of(WIDE)
    }
}

/// A convolution with its bias, and the gate that follows it.
#[derive(Debug)]
struct Layer {
    kernel: Kernel,
    bias: Vec<f32>,
    gate: Option<Gate>,
}

impl Layer {
    fn new(layer: &Convolution) -> Layer {
        Layer {
            kernel: Kernel::new(&layer.weight, layer.shape),
            bias: layer.bias.clone(),
            gate: layer.gate.clone(),
        }
    }

    /// Convolves boards, adds the bias, applies the gate if there is one, adds the shortcut of a residual block if given,
    /// and applies ReLU.
    fn run(&self, boards: &[f32], shortcut: Option<&[f32]>, lanes: usize, workspace: &Workspace) -> Vec<f32> {
        let columns = SQUARES * lanes;
        let mut results = vec![0f32; self.bias.len() * columns];
        self.kernel.convolve(boards, &mut results, workspace);
        match (&self.gate, shortcut) {
            (Some(gate), Some(shortcut)) => gate.finish(&mut results, &self.bias, shortcut, lanes),
            _ => Arch::new().dispatch(|| finish(&mut results, &self.bias, shortcut, columns)),
        }
        results
    }
}

/// The layers of a CNN for blocks of boards.
#[derive(Debug)]
pub struct BoardNet {
    shape: CnnShape,
    convolutions: Vec<Layer>,
    dense: Vec<Dense>,
    workspace: Workspace,
}

impl BoardNet {
    /// Prepares the weights.
    pub fn new(weights: &CnnWeights) -> BoardNet {
        BoardNet {
            shape: weights.shape.clone(),
            convolutions: weights.convolutions.iter().map(Layer::new).collect(),
            dense: weights.dense.clone(),
            workspace: Workspace::default(),
        }
    }

    /// The outputs before tanh of a block of planes (16 × 64 × lanes), one for each lane.
    pub fn forward(&self, planes: Vec<f32>, lanes: usize) -> Vec<f32> {
        let mut convolutions = self.convolutions.iter();
        let boards = self.shape.walk(planes, |boards: &Vec<f32>, shortcut| {
            let layer = convolutions.next().expect("the shape names the convolutions");
            Ok::<_, Infallible>(layer.run(boards, shortcut.map(Vec::as_slice), lanes, &self.workspace))
        });
        let Ok(boards) = boards;
        dense(&self.dense, pooled(&boards, lanes), lanes)
    }
}

/// Bias, shortcut and ReLU.
#[inline(always)]
fn finish(results: &mut [f32], bias: &[f32], shortcut: Option<&[f32]>, columns: usize) {
    for (channel, results) in results.chunks_exact_mut(columns).enumerate() {
        let bias = bias[channel];
        match shortcut {
            Some(shortcut) => results
                .iter_mut()
                .zip(&shortcut[channel * columns..])
                .for_each(|(value, more)| *value = (*value + bias + more).max(0.0)),
            None => results
                .iter_mut()
                .for_each(|value| *value = (*value + bias).max(0.0)),
        }
    }
}

/// A trained CNN as an evaluator, computed on the calling thread.
#[derive(Clone, Debug)]
pub struct Tiled {
    net: Arc<BoardNet>,
    head: OutputHead,
}

impl Tiled {
    /// The evaluator of a CNN.
    ///
    /// # Errors
    /// If the net is not a CNN.
    pub fn new(net: &Net) -> Result<Tiled, NetError> {
        Ok(Tiled {
            net: Arc::new(BoardNet::new(&net.cnn()?)),
            head: OutputHead::of(&net.info),
        })
    }

    fn score_block(&self, positions: &[Position], scores: &mut Vec<Score>) {
        let lanes = lanes_for(positions.len());
        let mut planes = vec![0f32; PLANE_INPUTS * lanes];
        for (lane, position) in positions.iter().enumerate() {
            let boards =
                encoding::plane_boards(position, self.head.orientation.view(position.side_to_move()));
            encoding::spread(&boards, lane, lanes, &mut planes);
        }
        let sums = self.net.forward(planes, lanes);
        scores.extend(self.head.scores(positions, sums));
    }
}

impl Stateless for Tiled {
    fn score_all(&mut self, positions: &[Position], scores: &mut Vec<Score>) {
        for block in positions.chunks(BLOCK) {
            self.score_block(block, scores);
        }
    }

    fn preferred_batch(&self) -> usize {
        BLOCK
    }
}
