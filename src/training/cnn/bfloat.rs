//! Convolutions of a batch in bfloat16 on a matrix unit, forwards and backwards: 3 × 3 filters as sums of products of
//! squares of 32 × 32, straight from the definition.
//!
//! A block of boards has 32 lanes, so that 32 channels of one square of the board are one square matrix. The results at
//! a square of the board are the sum, over its neighbours on the board and over groups of 32 inputs, of filters times
//! boards. The gradients of the boards are the same with transposed filters and the neighbours on the other side; those of
//! the filters are the sum, over blocks and squares, of gradients times transposed boards. Weights, statistics and all sums
//! remain in f32.

use super::convolution::{Backward, NEIGHBOURS, OFF_BOARD};
use crate::arch::matrix_unit::{Left, MatrixUnit, Right, SIDE, Sums, Terms};
use crate::nets::cnn::bfloat::{fill, groups};
use crate::nets::cnn::blocks::BLOCK;
use crate::nets::cnn::shape::ConvolutionShape;
use crate::nets::cnn::winograd::{KERNEL, SQUARES};
use rayon::prelude::*;

/// Numbers of a channel in a block.
const ROW: usize = SQUARES * SIDE;
const _: () = assert!(BLOCK == SIDE);

/// The 3 × 3 filters of a convolution as a matrix unit takes them. Missing channels of the last group are zeros.
#[derive(Debug)]
pub(super) struct BfloatFilters {
    unit: MatrixUnit,
    inputs: usize,
    outputs: usize,
    /// For each group of outputs × place of the filter × group of inputs: outputs × inputs.
    filters: Vec<Left>,
    /// For each group of inputs × place of the filter × group of outputs: inputs × outputs.
    transposed: Vec<Left>,
    /// For each square of the board, filters of one group of outputs × boards of one block.
    forward: Vec<Terms>,
    /// For each square of the board, transposed filters of one group of inputs × gradients of one block.
    back: Vec<Terms>,
}

/// Reusable scratch space.
#[derive(Debug, Default)]
pub(super) struct BfloatScratch {
    /// For each block × square × group of channels: channels × lanes.
    boards: Vec<Right>,
    /// The same for the gradients of results.
    gradients: Vec<Right>,
    /// For each block × group of outputs × square: gradients, outputs × lanes.
    gradients_by_lanes: Vec<Left>,
    /// For each block × group of inputs × square: boards, lanes × inputs.
    boards_by_lanes: Vec<Right>,
}

/// The first `length` entries; their contents are unspecified.
fn room_for<T: Clone>(room: &mut Vec<T>, length: usize, zero: T) -> &mut [T] {
    if room.len() < length {
        room.resize(length, zero);
    }
    &mut room[..length]
}

/// One lane per number of a channel at a square.
fn at(row: &[f32], square: usize) -> &[f32; SIDE] {
    &row.as_chunks::<SIDE>().0[square]
}

/// The rows of a group's 32 channels, zeros where there are no more.
fn rows(boards: &[f32], group: usize) -> [&[f32]; SIDE] {
    static ZEROS: [f32; ROW] = [0.0; ROW];
    std::array::from_fn(|channel| {
        let start = (group * SIDE + channel) * ROW;
        boards.get(start..start + ROW).unwrap_or(&ZEROS)
    })
}

/// Writes a group of channels where [`BfloatScratch::boards`] of one block has them.
fn by_channels(rows: &[&[f32]; SIDE], group: usize, squares: &mut [Right]) {
    let groups = squares.len() / SQUARES;
    let (low, high) = rows.split_at(SIDE / 2);
    for (row, (low, high)) in low.iter().zip(high).enumerate() {
        for square in 0..SQUARES {
            squares[square * groups + group].set_rows(row, at(low, square), at(high, square));
        }
    }
}

impl BfloatFilters {
    /// Prepares weights (outputs × inputs × 3 × 3).
    pub fn new(weights: &[f32], shape: ConvolutionShape, unit: MatrixUnit) -> BfloatFilters {
        let ConvolutionShape { inputs, outputs, .. } = shape;
        let (input_groups, output_groups) = (groups(inputs), groups(outputs));
        let squares = KERNEL * input_groups * output_groups;
        let mut filters = BfloatFilters {
            unit,
            inputs,
            outputs,
            filters: vec![Left::ZERO; squares],
            transposed: vec![Left::ZERO; squares],
            forward: terms_of_squares(input_groups, |place| place),
            back: terms_of_squares(output_groups, |place| KERNEL - 1 - place),
        };
        filters.set(weights);
        filters
    }

    /// Takes other weights in the same memory.
    ///
    /// # Panics
    /// If their number differs.
    pub fn set(&mut self, weights: &[f32]) {
        assert_eq!(weights.len(), self.outputs * self.inputs * KERNEL);
        let (inputs, outputs) = (self.inputs, self.outputs);
        let filter = |output: usize, input: usize| -> [f32; KERNEL] {
            if output >= outputs || input >= inputs {
                return [0.0; KERNEL];
            }
            weights.as_chunks().0[output * inputs + input]
        };
        fill(&mut self.filters, groups(inputs), filter);
        fill(&mut self.transposed, groups(outputs), |input, output| {
            filter(output, input)
        });
    }

    /// Convolves all blocks, on all threads; returns what `after` makes of each block of results.
    pub fn convolve<T: Send>(
        &self,
        boards: &[f32],
        results: &mut [f32],
        room: &mut BfloatScratch,
        after: impl Fn(&[f32]) -> T + Sync,
    ) -> Vec<T> {
        let groups = groups(self.inputs);
        let blocks = boards.len() / (self.inputs * ROW);
        let squares = room_for(&mut room.boards, blocks * SQUARES * groups, Right::ZERO);
        squares
            .par_chunks_exact_mut(SQUARES * groups)
            .zip(boards.par_chunks_exact(self.inputs * ROW))
            .for_each(|(squares, boards)| {
                (0..groups).for_each(|group| by_channels(&rows(boards, group), group, squares));
            });
        results
            .par_chunks_exact_mut(self.outputs * ROW)
            .zip(squares.par_chunks_exact(SQUARES * groups))
            .map(|(results, boards)| {
                let write = |result: &mut [f32], sum: &[f32]| result.copy_from_slice(sum);
                self.multiply(&self.filters, &self.forward, boards, results, write);
                after(results)
            })
            .collect()
    }

    /// The products for all squares of one block, each row of sums written into the results.
    fn multiply(
        &self,
        filters: &[Left],
        terms: &[Terms],
        boards: &[Right],
        results: &mut [f32],
        write: impl Fn(&mut [f32], &[f32]) + Sync,
    ) {
        let filters = filters.par_chunks_exact(KERNEL * boards.len() / SQUARES);
        let groups = results.par_chunks_mut(SIDE * ROW).zip(filters);
        groups.for_each(|(results, filters)| {
            let mut sums = [[0.0; SIDE]; SIDE];
            for (square, terms) in terms.iter().enumerate() {
                self.unit.multiply(filters, boards, terms, &mut sums);
                for (result, sums) in results.chunks_exact_mut(ROW).zip(&sums) {
                    write(&mut result[square * SIDE..][..SIDE], sums);
                }
            }
        });
    }

    /// Adds the gradients of the boards and returns those of the weights, in their order. `gradients` is given a block and a
    /// channel, and writes the gradients of that board of the convolution's results.
    pub fn back(
        &self,
        all: Backward,
        room: &mut BfloatScratch,
        gradients: impl Fn(usize, usize, &mut [f32]) + Sync,
    ) -> Vec<f32> {
        self.prepare_back(&all, room, gradients);
        let squares = SQUARES * groups(self.outputs);
        all.boards_back
            .par_chunks_exact_mut(self.inputs * ROW)
            .zip(room.gradients[..all.blocks * squares].par_chunks_exact(squares))
            .for_each(|(boards_back, gradients)| {
                let add = |result: &mut [f32], sums: &[f32]| {
                    result.iter_mut().zip(sums).for_each(|(to, sum)| *to += sum);
                };
                self.multiply(&self.transposed, &self.back, gradients, boards_back, add);
            });
        self.gradients_of_weights(room, all.blocks)
    }

    /// Fills the room with the boards and the gradients of a batch.
    fn prepare_back(
        &self,
        all: &Backward,
        room: &mut BfloatScratch,
        gradients: impl Fn(usize, usize, &mut [f32]) + Sync,
    ) {
        let inputs = SQUARES * groups(self.inputs);
        let outputs = SQUARES * groups(self.outputs);
        let by_channel = room_for(&mut room.gradients, all.blocks * outputs, Right::ZERO);
        let by_lanes = room_for(&mut room.gradients_by_lanes, all.blocks * outputs, Left::ZERO);
        let boards_by_lanes = room_for(&mut room.boards_by_lanes, all.blocks * inputs, Right::ZERO);
        by_channel
            .par_chunks_exact_mut(outputs)
            .zip(by_lanes.par_chunks_exact_mut(outputs))
            .zip(boards_by_lanes.par_chunks_exact_mut(inputs))
            .zip(all.boards.par_chunks_exact(self.inputs * ROW))
            .enumerate()
            .for_each(|(block, (((by_channel, by_lanes), boards_by_lanes), boards))| {
                let mut of_group = vec![0f32; SIDE * ROW];
                for (group, by_lanes) in by_lanes.chunks_exact_mut(SQUARES).enumerate() {
                    for (channel, row) in of_group.chunks_exact_mut(ROW).enumerate() {
                        let channel = group * SIDE + channel;
                        if channel < self.outputs {
                            gradients(block, channel, row);
                        } else {
                            row.fill(0.0);
                        }
                    }
                    let rows = rows(&of_group, 0);
                    by_channels(&rows, group, by_channel);
                    for (square, by_lanes) in by_lanes.iter_mut().enumerate() {
                        let rows = rows.iter().enumerate();
                        rows.for_each(|(channel, row)| by_lanes.set_row(channel, at(row, square)));
                    }
                }
                for (group, by_lanes) in boards_by_lanes.chunks_exact_mut(SQUARES).enumerate() {
                    let rows = rows(boards, group);
                    for (square, by_lanes) in by_lanes.iter_mut().enumerate() {
                        let rows = rows.iter().enumerate();
                        rows.for_each(|(channel, row)| by_lanes.set_column(channel, at(row, square)));
                    }
                }
            });
    }

    /// The gradients of the weights, from the boards and gradients of the room.
    fn gradients_of_weights(&self, room: &BfloatScratch, blocks: usize) -> Vec<f32> {
        let terms = terms_of_batch(blocks, groups(self.outputs), groups(self.inputs));
        let mut weights = vec![0f32; self.outputs * self.inputs * KERNEL];
        weights
            .par_chunks_mut(SIDE * self.inputs * KERNEL)
            .enumerate()
            .for_each(|(output_group, weights)| {
                let left = &room.gradients_by_lanes[output_group * SQUARES..];
                let mut sums = [[[0.0; SIDE]; SIDE]; KERNEL];
                for input_group in 0..groups(self.inputs) {
                    let right = &room.boards_by_lanes[input_group * SQUARES..];
                    for (terms, sums) in terms.iter().zip(&mut sums) {
                        self.unit.multiply(left, right, terms, sums);
                    }
                    self.write_weights(&sums, input_group, weights);
                }
            });
        weights
    }

    /// Writes the gradients of the filters between a group of outputs and one of inputs.
    fn write_weights(&self, sums: &[Sums; KERNEL], input_group: usize, weights: &mut [f32]) {
        let first = input_group * SIDE;
        let count = SIDE.min(self.inputs - first);
        for (output, weights) in weights.chunks_exact_mut(self.inputs * KERNEL).enumerate() {
            let (filters, _) = weights[first * KERNEL..][..count * KERNEL].as_chunks_mut::<KERNEL>();
            for (input, filter) in filters.iter_mut().enumerate() {
                *filter = std::array::from_fn(|place| sums[place][output][input]);
            }
        }
    }
}

/// For each square of the board the products whose sum is its result: each place of the filter with the neighbour there,
/// each with all groups of channels. `filter_place` says which weight belongs to the neighbour.
fn terms_of_squares(groups: usize, filter_place: impl Fn(usize) -> usize) -> Vec<Terms> {
    let of_square = |square: usize| {
        let mut terms = Terms::default();
        for (place, neighbours) in NEIGHBOURS.iter().enumerate() {
            let neighbour = usize::from(neighbours[square]);
            if neighbour != OFF_BOARD {
                for group in 0..groups {
                    terms.push(filter_place(place) * groups + group, neighbour * groups + group);
                }
            }
        }
        terms
    };
    (0..SQUARES).map(of_square).collect()
}

/// For each place of the filter the products whose sum is the gradient of its weights: all squares of all blocks, each
/// with its neighbour there. Indices count from a group's first square in the first block.
fn terms_of_batch(blocks: usize, output_groups: usize, input_groups: usize) -> Vec<Terms> {
    let of_place = |neighbours: &[u8; SQUARES]| {
        let mut terms = Terms::default();
        for block in 0..blocks {
            for (square, &neighbour) in neighbours.iter().enumerate() {
                let neighbour = usize::from(neighbour);
                if neighbour != OFF_BOARD {
                    terms.push(
                        block * output_groups * SQUARES + square,
                        block * input_groups * SQUARES + neighbour,
                    );
                }
            }
        }
        terms
    };
    NEIGHBOURS.iter().map(of_place).collect()
}
