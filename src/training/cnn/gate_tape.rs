//! Gates (squeeze-and-excitation) in the fused body of a CNN: forwards together with the norm, the shortcut and ReLU, and
//! backwards in the pass that goes back through ReLU.
//!
//! Only averages over the board enter a gate, and all squares of a channel get the same factor. So nothing is stored for
//! each square: forwards, the averages are taken while a block is in the cache; backwards, two sums over each board tell
//! the gradients of its factor, and those of the norm's results are made up where the convolution needs them ([`BatchNormBackward`]).
//!
//! [`BatchNormBackward`]: super::normalise::BatchNormBackward

use super::normalise;
use super::normalise::{Blocks, GateBackward, Statistics};
use crate::arch::product::{Matrix, product};
use crate::nets::cnn::gate::sigmoid;
use crate::nets::cnn::shape::GateShape;
use crate::nets::cnn::winograd::SQUARES;
use pulp::Arch;
use rayon::prelude::*;

/// The layers of a gate, from among the parameters of the body.
pub(super) struct GateLayers<'a> {
    shape: GateShape,
    /// Units × channels, and a bias for each unit.
    reduce: (&'a [f32], &'a [f32]),
    /// Channels × units, and a bias for each channel.
    expand: (&'a [f32], &'a [f32]),
}

/// What a gate found for one block.
#[derive(Debug)]
pub(super) struct Opening {
    /// The averages of what the convolution gave (channels × lanes).
    averages: Vec<f32>,
    /// The same behind the norm.
    normal: Vec<f32>,
    /// What the first layer gave (units × lanes).
    hidden: Vec<f32>,
    /// What the channels are multiplied by (channels × lanes).
    factors: Vec<f32>,
}

/// What a convolution gave, and how its norm goes on from there.
pub(super) struct Normed<'a> {
    /// Boards (blocks × channels × 64 × lanes).
    pub boards: &'a [f32],
    /// The scales of the channels, then their shifts.
    pub scales: &'a [f32],
    /// The statistics of the channels.
    pub statistics: &'a [Statistics],
    /// Channels and lanes.
    pub shape: Blocks,
}

/// What [`GateLayers::relu_backward`] finds for a batch.
pub(super) struct GateGradients {
    /// Sums of the gradients of the norm's results, as [`normalise::relu_backward`] has them without a gate.
    pub totals: Vec<[f64; 2]>,
    /// How gradients come through the gate, block by block.
    pub gates_backward: Vec<GateBackward>,
    /// The gradients of the gate's parameters.
    pub parameters: Vec<f32>,
}

/// The same for one block; the second sum of each channel is not yet divided by its deviation.
struct OfBlock {
    totals: Vec<[f32; 2]>,
    gate_backward: GateBackward,
    parameters: Vec<f32>,
}

impl<'a> GateLayers<'a> {
    /// The layers of a gate from its parameters: weights and biases of the first one, then of the second one.
    pub fn new(shape: GateShape, parameters: &'a [f32]) -> GateLayers<'a> {
        let matrix = shape.channels * shape.units;
        let (reduce, rest) = parameters.split_at(matrix);
        let (reduce_bias, rest) = rest.split_at(shape.units);
        let (expand, expand_bias) = rest.split_at(matrix);
        GateLayers {
            shape,
            reduce: (reduce, reduce_bias),
            expand: (expand, expand_bias),
        }
    }

    /// Norm, gate, shortcut and ReLU, into results of the boards' shape; `averages` are those of the boards, block by block
    /// (channels × lanes).
    pub fn forward(
        &self,
        normed: &Normed,
        averages: Vec<Vec<f32>>,
        shortcut: &[f32],
        results: &mut [f32],
    ) -> Vec<Opening> {
        let affine = normalise::scale_and_shift(normed.scales, normed.statistics);
        let (arch, shape) = (Arch::new(), normed.shape);
        let inputs = normed.boards.par_chunks(shape.block());
        results
            .par_chunks_mut(shape.block())
            .zip(inputs.zip(shortcut.par_chunks(shape.block())))
            .zip(averages)
            .map(|((results, (boards, shortcut)), averages)| {
                let opening = self.open(averages, &affine, shape.lanes());
                arch.dispatch(|| apply(boards, shortcut, &affine, &opening.factors, results));
                opening
            })
            .collect()
    }

    /// What the gate finds in the averages of a block.
    fn open(&self, averages: Vec<f32>, affine: &[[f32; 2]], lanes: usize) -> Opening {
        let GateShape { channels, units } = self.shape;
        let mut normal = averages.clone();
        for (normal, [factor, shift]) in normal.chunks_exact_mut(lanes).zip(affine) {
            normal
                .iter_mut()
                .for_each(|value| *value = *value * factor + shift);
        }
        let dense = |(weight, bias): (&[f32], &[f32]), features: &[f32], inputs: usize, outputs: usize| {
            let biases = bias.iter().flat_map(|&bias| std::iter::repeat_n(bias, lanes));
            let mut sums: Vec<f32> = biases.collect();
            product(
                (&mut sums, Matrix::new(outputs, lanes, lanes)),
                (weight, Matrix::new(outputs, inputs, inputs)),
                (features, Matrix::new(inputs, lanes, lanes)),
                true,
            );
            sums
        };
        let mut hidden = dense(self.reduce, &normal, channels, units);
        hidden.iter_mut().for_each(|value| *value = value.max(0.0));
        let mut factors = dense(self.expand, &hidden, units, channels);
        factors.iter_mut().for_each(|factor| *factor = sigmoid(*factor));
        Opening {
            averages,
            normal,
            hidden,
            factors,
        }
    }

    /// Turns the gradients of ReLU's outputs into those of its inputs, which are those of the shortcut, and finds how they
    /// go on through the gate.
    pub fn relu_backward(
        &self,
        normed: &Normed,
        openings: &[Opening],
        results: &[f32],
        gradients: &mut [f32],
    ) -> GateGradients {
        let block = normed.shape.block();
        let parts: Vec<OfBlock> = gradients
            .par_chunks_mut(block)
            .zip(results.par_chunks(block))
            .zip(normed.boards.par_chunks(block).zip(openings))
            .map(|((gradients, results), (boards, opening))| {
                let sums = board_sums(gradients, results, boards, normed);
                self.block_back(opening, &sums, normed)
            })
            .collect();
        let mut parameters = vec![0f32; self.shape.parameters()];
        for part in &parts {
            let sums = parameters.iter_mut().zip(&part.parameters);
            sums.for_each(|(sum, gradient)| *sum += gradient);
        }
        let (totals, gates_backward): (Vec<_>, _) = parts
            .into_iter()
            .map(|part| (part.totals, part.gate_backward))
            .unzip();
        GateGradients {
            totals: normalise::totals_of_scales(&totals, normed.statistics),
            gates_backward,
            parameters,
        }
    }

    /// Goes back through the gate of one block, given the two sums of [`board_sums`].
    fn block_back(&self, opening: &Opening, [plain, centred]: &[Vec<f32>; 2], normed: &Normed) -> OfBlock {
        let lanes = normed.shape.lanes();
        let (affine, shifts) = (
            normalise::scale_and_shift(normed.scales, normed.statistics),
            &normed.scales[self.shape.channels..],
        );
        // of what the second layer gave: a board behind the norm is factor · (board − mean) + shift
        let mut of_sums = opening.factors.clone();
        for (place, open) in of_sums.iter_mut().enumerate() {
            let channel = place / lanes;
            let of_factor = affine[channel][0] * centred[place] + shifts[channel] * plain[place];
            *open = of_factor * *open * (1.0 - *open);
        }
        let (of_normal, parameters) = self.layers_back(opening, &of_sums, lanes);
        let totals = normed.statistics.iter().enumerate().map(|(channel, statistics)| {
            let mut totals = [0f32; 2];
            for place in channel * lanes..(channel + 1) * lanes {
                let (open, more) = (opening.factors[place], of_normal[place]);
                // the shares of all squares together
                totals[0] += open * plain[place] + more;
                totals[1] +=
                    open * centred[place] + more * (opening.averages[place] - statistics.mean as f32);
            }
            totals
        });
        OfBlock {
            totals: totals.collect(),
            gate_backward: GateBackward {
                factors: opening.factors.clone(),
                shares: of_normal.iter().map(|more| more / SQUARES as f32).collect(),
            },
            parameters,
        }
    }

    /// From the gradients of what the second layer gave (channels × lanes) to those of the averages behind the norm, and
    /// those of the parameters.
    fn layers_back(&self, opening: &Opening, of_sums: &[f32], lanes: usize) -> (Vec<f32>, Vec<f32>) {
        let GateShape { channels, units } = self.shape;
        let [of_channels, of_units] = [channels, units].map(|rows| Matrix::new(rows, lanes, lanes));
        let reduce = Matrix::new(units, channels, channels);
        let expand = Matrix::new(channels, units, units);
        let mut of_hidden = vec![0f32; units * lanes];
        product(
            (&mut of_hidden, of_units),
            (self.expand.0, expand.transposed()),
            (of_sums, of_channels),
            false,
        );
        normalise::pass_positive(&mut of_hidden, &opening.hidden);
        let mut of_normal = vec![0f32; channels * lanes];
        product(
            (&mut of_normal, of_channels),
            (self.reduce.0, reduce.transposed()),
            (&of_hidden, of_units),
            false,
        );
        let mut parameters = vec![0f32; self.shape.parameters()];
        let (of_reduce, of_expand) = parameters.split_at_mut(channels * units + units);
        product(
            (of_reduce, reduce),
            (&of_hidden, of_units),
            (&opening.normal, of_channels.transposed()),
            false,
        );
        product(
            (of_expand, expand),
            (of_sums, of_channels),
            (&opening.hidden, of_units.transposed()),
            false,
        );
        let biases = |gradients: &[f32], to: &mut [f32]| {
            for (to, gradients) in to.iter_mut().zip(gradients.chunks_exact(lanes)) {
                *to = gradients.iter().sum();
            }
        };
        biases(&of_hidden, &mut of_reduce[channels * units..]);
        biases(of_sums, &mut of_expand[channels * units..]);
        (of_normal, parameters)
    }
}

/// Norm, factors, shortcut and ReLU of one block.
#[inline(always)]
fn apply(boards: &[f32], shortcut: &[f32], affine: &[[f32; 2]], factors: &[f32], results: &mut [f32]) {
    let lanes = factors.len() / affine.len();
    let row = SQUARES * lanes;
    let inputs = boards.chunks_exact(row).zip(shortcut.chunks_exact(row));
    let weights = affine.iter().zip(factors.chunks_exact(lanes));
    for ((results, (boards, shortcut)), (&[factor, shift], open)) in
        results.chunks_exact_mut(row).zip(inputs).zip(weights)
    {
        let inputs = boards.chunks_exact(lanes).zip(shortcut.chunks_exact(lanes));
        for (results, (boards, shortcut)) in results.chunks_exact_mut(lanes).zip(inputs) {
            let numbers = boards.iter().zip(shortcut).zip(open);
            for (result, ((board, more), open)) in results.iter_mut().zip(numbers) {
                *result = ((board * factor + shift) * open + more).max(0.0);
            }
        }
    }
}

/// Turns the gradients of ReLU's outputs in one block into those of its inputs, and returns their sums over each board
/// (channels × lanes): plain, and times what the convolution's results are above their mean.
fn board_sums(gradients: &mut [f32], results: &[f32], boards: &[f32], normed: &Normed) -> [Vec<f32>; 2] {
    let (row, lanes) = (normed.shape.row(), normed.shape.lanes());
    let mut sums = [(); 2].map(|()| vec![0f32; boards.len() / SQUARES]);
    let [plain, centred] = &mut sums;
    let sums_of_channels = plain.chunks_exact_mut(lanes).zip(centred.chunks_exact_mut(lanes));
    let inputs = results.chunks_exact(row).zip(boards.chunks_exact(row));
    let channels = gradients.chunks_exact_mut(row).zip(inputs).zip(normed.statistics);
    let arch = Arch::new();
    for (((gradients, (results, boards)), statistics), sums) in channels.zip(sums_of_channels) {
        arch.dispatch(|| channel_sums(gradients, results, boards, statistics.mean as f32, sums));
    }
    sums
}

/// The same for one channel.
#[inline(always)]
fn channel_sums(
    gradients: &mut [f32],
    results: &[f32],
    boards: &[f32],
    mean: f32,
    (plain, centred): (&mut [f32], &mut [f32]),
) {
    normalise::pass_positive(gradients, results);
    let lanes = plain.len();
    for (gradients, boards) in gradients.chunks_exact(lanes).zip(boards.chunks_exact(lanes)) {
        let sums = plain.iter_mut().zip(centred.iter_mut());
        for ((plain, centred), (gradient, board)) in sums.zip(gradients.iter().zip(boards)) {
            *plain += gradient;
            *centred += gradient * (board - mean);
        }
    }
}
