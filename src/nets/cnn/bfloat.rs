//! The CNN in play in bfloat16 on a matrix unit, one position at a time. Its scores agree with those of
//! [`Tiled`](super::blocks::Tiled) up to the rounding of factors to 8 bits.
//!
//! 32 channels of half a board are one square matrix. The results on half a board are the sum, over the places of the
//! filter and groups of 32 inputs, of filters times the board moved by that place. So one position alone fills the unit, and
//! the search need not collect positions into batches.

use super::gate::Gate;
use super::kernel::{dense, pooled};
use super::shape::{CnnShape, ConvolutionShape};
use super::weights::{CnnWeights, Convolution};
use super::winograd::{KERNEL, SQUARES};
use crate::arch::matrix_unit::{Left, MatrixUnit, Right, SIDE, Sums, Terms, pack};
use crate::board::Position;
use crate::nets::encoding;
use crate::nets::encoding::PLANE_INPUTS;
use crate::nets::head::OutputHead;
use crate::nets::net::{Dense, Net, NetError};
use crate::nets::score::Score;
use crate::nets::stateless::Stateless;
use pulp::Arch;
use rayon::prelude::*;
use std::convert::Infallible;
use std::sync::Arc;

/// Half boards of a board, one for the columns of each square matrix.
const HALVES: usize = SQUARES / SIDE;
/// Squares in a rank.
const FILES: usize = 8;
/// From a rank to the next on a board with edges: one empty square is the right edge of a rank and the left one of the next.
const PITCH: usize = FILES + 1;
/// A board with edges: a rank before the first and one after the last.
const EDGED: usize = 10 * PITCH + 1;

/// Groups of 32 channels.
pub fn groups(channels: usize) -> usize {
    channels.div_ceil(SIDE)
}

/// Writes filters of N weights as squares: group of rows × place × group of columns. `filter` is given a row and a column.
pub fn fill<const N: usize>(
    squares: &mut [Left],
    groups: usize,
    filter: impl Fn(usize, usize) -> [f32; N] + Sync,
) {
    squares
        .par_chunks_exact_mut(N * groups)
        .enumerate()
        .for_each(|(row_group, squares)| {
            for row in 0..SIDE {
                for group in 0..groups {
                    let mut numbers = [[0f32; SIDE]; N];
                    for column in 0..SIDE {
                        let filter = filter(row_group * SIDE + row, group * SIDE + column);
                        let places = numbers.iter_mut().zip(filter);
                        places.for_each(|(numbers, weight)| numbers[column] = weight);
                    }
                    for (place, numbers) in numbers.iter().enumerate() {
                        squares[place * groups + group].set_row(row, numbers);
                    }
                }
            }
        });
}

/// The square matrices of half a board, one for each place of the filter and group of inputs.
fn length(shape: ConvolutionShape) -> usize {
    shape.side * shape.side * groups(shape.inputs)
}

/// A convolution with its bias, as the unit takes it, and the gate that follows it.
#[derive(Debug)]
struct Layer {
    shape: ConvolutionShape,
    bias: Vec<f32>,
    gate: Option<Gate>,
    /// Group of outputs × place of the filter × group of inputs: outputs × inputs.
    filters: Vec<Left>,
    /// For each half of the board, the filters of one group of outputs × moved boards.
    terms: [Terms; HALVES],
}

impl Layer {
    fn new(convolution: &Convolution) -> Layer {
        let shape = convolution.shape;
        let length = length(shape);
        let mut layer = Layer {
            shape,
            bias: convolution.bias.clone(),
            gate: convolution.gate.clone(),
            filters: vec![Left::ZERO; groups(shape.outputs) * length],
            terms: std::array::from_fn(|half| {
                let mut terms = Terms::default();
                (0..length).for_each(|number| terms.push(number, half * length + number));
                terms
            }),
        };
        match shape.side {
            1 => layer.fill::<1>(&convolution.weight),
            _ => layer.fill::<KERNEL>(&convolution.weight),
        }
        layer
    }

    /// Takes weights (outputs × inputs × N).
    fn fill<const N: usize>(&mut self, weights: &[f32]) {
        let ConvolutionShape { inputs, outputs, .. } = self.shape;
        let (weights, _) = weights.as_chunks::<N>();
        fill(&mut self.filters, groups(inputs), |output, input| {
            let inside = output < outputs && input < inputs;
            if inside {
                weights[output * inputs + input]
            } else {
                [0.0; N]
            }
        });
    }

    /// Convolves a board (inputs × 64), adds the bias, applies the gate if there is one, adds the shortcut if given, and
    /// applies ReLU.
    fn run(
        &self,
        unit: MatrixUnit,
        board: &[f32],
        shortcut: Option<&[f32]>,
        room: &mut Vec<Right>,
    ) -> Vec<f32> {
        let length = length(self.shape);
        if room.len() < HALVES * length {
            room.resize(HALVES * length, Right::ZERO);
        }
        Arch::new().dispatch(|| match self.shape.side {
            1 => spread::<1>(board, length, room),
            _ => spread::<KERNEL>(board, length, room),
        });
        match (&self.gate, shortcut) {
            (Some(gate), Some(shortcut)) => {
                let mut results =
                    self.multiply(unit, room, |sums, _, half, results| copy(sums, half, results));
                gate.finish(&mut results, &self.bias, shortcut, 1);
                results
            }
            _ => self.multiply(unit, room, |sums, group, half, results| {
                let bias = &self.bias[group * SIDE..];
                let shortcut = shortcut.map(|shortcut| &shortcut[group * SIDE * SQUARES..]);
                Arch::new().dispatch(|| finish(sums, bias, shortcut, half, results));
            }),
        }
    }

    /// The products of the filters with a board that is spread out; `write` is given the sums of a group of outputs on half
    /// a board, the numbers of both, and the results of the group.
    fn multiply(
        &self,
        unit: MatrixUnit,
        room: &[Right],
        write: impl Fn(&Sums, usize, usize, &mut [f32]),
    ) -> Vec<f32> {
        let mut results = vec![0f32; self.shape.outputs * SQUARES];
        let mut sums = [[0.0; SIDE]; SIDE];
        let filters = self.filters.chunks_exact(length(self.shape));
        for (group, (results, filters)) in results.chunks_mut(SIDE * SQUARES).zip(filters).enumerate() {
            for (half, terms) in self.terms.iter().enumerate() {
                unit.multiply(filters, room, terms, &mut sums);
                write(&sums, group, half, results);
            }
        }
        results
    }
}

/// Writes a board (channels × 64), moved by each of N places of a filter, as half × place × group of channels, `length`
/// squares a half.
#[inline(always)]
fn spread<const N: usize>(board: &[f32], length: usize, squares: &mut [Right]) {
    let groups = length / N;
    let (channels, _) = board.as_chunks::<SQUARES>();
    let mut words = [0u32; EDGED];
    for (group, channels) in channels.chunks(SIDE).enumerate() {
        let channel = |number: usize| channels.get(number).unwrap_or(&[0.0; SQUARES]);
        for row in 0..SIDE / 2 {
            let (low, high) = (channel(row), channel(row + SIDE / 2));
            for rank in 0..FILES {
                let at = (rank + 1) * PITCH + 1;
                for file in 0..FILES {
                    let square = rank * FILES + file;
                    words[at + file] = pack(low[square], high[square]);
                }
            }
            for half in 0..HALVES {
                for place in 0..N {
                    // of 9 places the first one is a rank and a file before the square, of 1 it is the square
                    let (ranks, files) = if N == 1 { (1, 1) } else { (place / 3, place % 3) };
                    let mut moved = [0u32; SIDE];
                    for (rank, moved) in moved.as_chunks_mut::<FILES>().0.iter_mut().enumerate() {
                        let start = (half * SIDE / FILES + rank + ranks) * PITCH + files;
                        moved.copy_from_slice(&words[start..start + FILES]);
                    }
                    squares[half * length + place * groups + group].set_words(row, &moved);
                }
            }
        }
    }
}

/// Writes the sums of half a board for a group of outputs, with bias, shortcut and ReLU.
#[inline(always)]
fn finish(sums: &Sums, bias: &[f32], shortcut: Option<&[f32]>, half: usize, results: &mut [f32]) {
    for (channel, (results, sums)) in results.chunks_exact_mut(SQUARES).zip(sums).enumerate() {
        let bias = bias[channel];
        let results = results[half * SIDE..][..SIDE].iter_mut().zip(sums);
        match shortcut {
            Some(shortcut) => results
                .zip(&shortcut[channel * SQUARES + half * SIDE..][..SIDE])
                .for_each(|((result, sum), more)| *result = (sum + bias + more).max(0.0)),
            None => results.for_each(|(result, sum)| *result = (sum + bias).max(0.0)),
        }
    }
}

/// Writes the sums of half a board for a group of outputs as they are.
fn copy(sums: &Sums, half: usize, results: &mut [f32]) {
    for (results, sums) in results.chunks_exact_mut(SQUARES).zip(sums) {
        results[half * SIDE..][..SIDE].copy_from_slice(sums);
    }
}

/// The layers of a CNN for a matrix unit.
#[derive(Debug)]
struct UnitNet {
    unit: MatrixUnit,
    shape: CnnShape,
    layers: Vec<Layer>,
    dense: Vec<Dense>,
}

impl UnitNet {
    fn new(weights: &CnnWeights, unit: MatrixUnit) -> UnitNet {
        UnitNet {
            unit,
            shape: weights.shape.clone(),
            layers: weights.convolutions.iter().map(Layer::new).collect(),
            dense: weights.dense.clone(),
        }
    }

    /// The output before tanh for the planes of a position (16 × 64).
    fn forward(&self, planes: Vec<f32>, room: &mut Vec<Right>) -> f32 {
        let mut layers = self.layers.iter();
        let board = self.shape.walk(planes, |board: &Vec<f32>, shortcut| {
            let layer = layers.next().expect("the shape names the convolutions");
            Ok::<_, Infallible>(layer.run(self.unit, board, shortcut.map(Vec::as_slice), room))
        });
        let Ok(board) = board;
        dense(&self.dense, pooled(&board, 1), 1)[0]
    }
}

/// A trained CNN as an evaluator in bfloat16, computed on the calling thread.
#[derive(Clone, Debug)]
pub struct Bfloat {
    net: Arc<UnitNet>,
    head: OutputHead,
    /// The moved boards of a layer.
    room: Vec<Right>,
}

impl Bfloat {
    /// The evaluator of a CNN.
    ///
    /// # Errors
    /// If the net is not a CNN.
    pub fn new(net: &Net, unit: MatrixUnit) -> Result<Bfloat, NetError> {
        Ok(Bfloat {
            net: Arc::new(UnitNet::new(&net.cnn()?, unit)),
            head: OutputHead::of(&net.info),
            room: Vec::new(),
        })
    }
}

impl Stateless for Bfloat {
    fn score_all(&mut self, positions: &[Position], scores: &mut Vec<Score>) {
        for position in positions {
            let mut planes = vec![0f32; PLANE_INPUTS];
            let view = self.head.orientation.view(position.side_to_move());
            encoding::spread(&encoding::plane_boards(position, view), 0, 1, &mut planes);
            let sum = self.net.forward(planes, &mut self.room);
            scores.push(self.head.score(sum, position));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nets::cnn::blocks::BoardNet;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn dense_layer(
        (inputs, outputs): (usize, usize),
        draw: &mut impl FnMut(usize, usize) -> Vec<f32>,
    ) -> Dense {
        Dense {
            inputs,
            outputs,
            weight: draw(inputs * outputs, inputs),
            bias: draw(outputs, 100),
        }
    }

    /// Random weights of He's size.
    fn weights(layout: &str) -> CnnWeights {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let shape: CnnShape = layout.parse().unwrap();
        let mut draw = |count: usize, terms: usize| -> Vec<f32> {
            let bound = (6.0 / terms as f32).sqrt();
            (0..count).map(|_| random.random_range(-bound..bound)).collect()
        };
        let convolutions = shape.convolutions().into_iter().map(|shape| Convolution {
            shape,
            weight: draw(shape.weights(), shape.weights() / shape.outputs),
            bias: draw(shape.outputs, 100),
            gate: shape.gate.map(|shape| Gate {
                layers: shape.layers().map(|layer| dense_layer(layer, &mut draw)),
            }),
        });
        let convolutions = convolutions.collect();
        let dense = shape.dense().into_iter();
        CnnWeights {
            dense: dense.map(|layer| dense_layer(layer, &mut draw)).collect(),
            convolutions,
            shape,
        }
    }

    /// Factors rounded to 8 bits err by up to 2⁻⁹ of themselves, so sums of many by far less than a hundredth of their size.
    #[test]
    fn outputs_are_nearly_those_in_floats() {
        let mut random = ChaCha8Rng::seed_from_u64(8);
        for unit in MatrixUnit::all() {
            for layout in [
                "16-1x1:50-40-pool-5-1",
                "16-33-2r-pool-1",
                "16-64-1r-96-pool-64-1",
                "16-40-2se-pool-5-1",
            ] {
                let weights = weights(layout);
                let (ours, theirs) = (UnitNet::new(&weights, unit), BoardNet::new(&weights));
                let mut room = Vec::new();
                for _ in 0..4 {
                    let planes: Vec<f32> = (0..PLANE_INPUTS)
                        .map(|_| f32::from(u8::from(random.random_ratio(1, 5))))
                        .collect();
                    let found = ours.forward(planes.clone(), &mut room);
                    let wanted = theirs.forward(planes, 1)[0];
                    assert!(
                        (found - wanted).abs() < 0.02 * (1.0 + wanted.abs()),
                        "{layout}: {found} {wanted}"
                    );
                }
            }
        }
    }

    /// A filter with one weight moves the board, and nothing comes in over the edge.
    #[test]
    fn each_place_of_a_filter_is_a_neighbour() {
        for place in 0..KERNEL {
            let mut weight = vec![0.0; KERNEL];
            weight[place] = 1.0;
            let shape = ConvolutionShape {
                inputs: 1,
                outputs: 1,
                side: 3,
                shortcut: false,
                gate: None,
            };
            let layer = Layer::new(&Convolution {
                shape,
                weight,
                bias: vec![0.0],
                gate: None,
            });
            let board: Vec<f32> = (1..=SQUARES).map(|number| number as f32).collect();
            let found = layer.run(MatrixUnit::portable(), &board, None, &mut Vec::new());
            for (square, found) in found.iter().enumerate() {
                let rank = (square / 8 + place / 3).checked_sub(1).filter(|&rank| rank < 8);
                let file = (square % 8 + place % 3).checked_sub(1).filter(|&file| file < 8);
                let wanted = rank.zip(file).map_or(0.0, |(rank, file)| board[rank * 8 + file]);
                assert_eq!(*found, wanted, "place {place}, square {square}");
            }
        }
    }
}
