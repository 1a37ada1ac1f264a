//! Convolutions of a whole batch in training, forwards and backwards, on all threads: one matrix product for each point
//! with a column for each tile of the batch.
//!
//! Products of many columns run nearer to the processor's peak, and the gradients of the filters need no sums of parts.
//! The points of a batch do not fit in the cache, so it takes many channels for the products to pay for that.

use super::points::Points;
use super::{Filters, POINTS, SQUARES};
use crate::arch::product::{Matrix, product};
use rayon::prelude::*;

/// The least number of filters with which a convolution of the whole batch is faster than one block after the other:
/// measured with 64 to 1024 channels on two cores with AVX2.
const LEAST_FILTERS: usize = 1 << 17;
/// The least number of channels in a part of a product; below, packing the other matrix costs more than threads bring.
const LEAST_PART: usize = 64;

/// Reusable scratch space for the points of a batch.
#[derive(Debug, Default)]
pub struct BatchScratch {
    inputs: Points,
    outputs: Points,
    /// Gradients of the filters at the points, outputs × points × inputs.
    gradients: Vec<f32>,
}

/// Channels in each part of a product, one part for a thread.
fn part(channels: usize) -> usize {
    channels
        .div_ceil(rayon::current_num_threads())
        .next_multiple_of(16)
        .max(LEAST_PART)
}

/// Overwrites the points of a batch with products, on all threads. `left` takes the first row of a part, its number of
/// rows and a point, and returns the left factor for the matrix of that point.
fn multiply<'a>(
    results: &mut Points,
    channels: usize,
    right: &Points,
    left: impl Fn(usize, usize, usize) -> (&'a [f32], Matrix) + Sync,
) {
    results.parts_mut(part(channels)).for_each(|(first, mut part)| {
        let shape = part.shape;
        for point in 0..POINTS {
            product(
                (part.point_mut(point), shape),
                left(first, shape.rows, point),
                (right.point(point), right.shape()),
                false,
            );
        }
    });
}

impl Filters {
    /// Whether these filters are many enough for [`Filters::convolve_batch`] to be faster than block by block.
    pub fn suit_batches(&self) -> bool {
        self.inputs * self.outputs >= LEAST_FILTERS
    }

    /// Convolves blocks (inputs × 64 × lanes each) into others (outputs × 64 × lanes each); returns what `after` makes of
    /// each block of results.
    pub fn convolve_batch<T: Send>(
        &self,
        boards: &[f32],
        results: &mut [f32],
        blocks: usize,
        room: &mut BatchScratch,
        after: impl Fn(&[f32]) -> T + Sync,
    ) -> Vec<T> {
        let lanes = boards.len() / (blocks * self.inputs * SQUARES);
        let BatchScratch { inputs, outputs, .. } = room;
        inputs.resize_for_batch(self.inputs, lanes, blocks);
        outputs.resize_for_batch(self.outputs, lanes, blocks);
        inputs.of_batch(boards);
        multiply(outputs, self.outputs, inputs, |first, rows, point| {
            (self.point(first * POINTS + point), self.shape_of(rows))
        });
        let outputs = &*outputs;
        results
            .par_chunks_exact_mut(self.outputs * SQUARES * lanes)
            .enumerate()
            .map(|(block, results)| {
                outputs.to_results(block, results);
                after(results)
            })
            .collect()
    }

    /// Adds the gradients of the boards of a batch to `boards_back` and returns those of the weights (outputs × inputs × 3 ×
    /// 3), from the boards and the gradients of the results: `gradients` is given a block, a channel and where they go.
    pub fn convolve_batch_back(
        &self,
        boards: &[f32],
        gradients: impl Fn(usize, usize, &mut [f32]) + Sync,
        boards_back: &mut [f32],
        blocks: usize,
        room: &mut BatchScratch,
    ) -> Vec<f32> {
        let lanes = boards.len() / (blocks * self.inputs * SQUARES);
        room.inputs.resize_for_batch(self.inputs, lanes, blocks);
        room.outputs.resize_for_batch(self.outputs, lanes, blocks);
        room.inputs.of_batch(boards);
        room.outputs.of_batch_gradients(gradients);
        let weights = self.gradients_of_weights(room);
        let BatchScratch { inputs, outputs, .. } = room;
        multiply(inputs, self.inputs, outputs, |first, rows, point| {
            let shape = Matrix {
                columns: rows,
                ..self.shape()
            };
            (&self.point(point)[first..], shape.transposed())
        });
        let inputs = &*inputs;
        boards_back
            .par_chunks_exact_mut(self.inputs * SQUARES * lanes)
            .enumerate()
            .for_each(|(block, back)| inputs.add_gradients(block, back));
        weights
    }

    /// The gradients of the weights, from the points of the inputs and those of the gradients of the outputs.
    fn gradients_of_weights(&self, room: &mut BatchScratch) -> Vec<f32> {
        let BatchScratch {
            inputs,
            outputs,
            gradients,
        } = room;
        let row = POINTS * self.inputs;
        if gradients.len() < self.outputs * row {
            gradients.resize(self.outputs * row, 0.0);
        }
        let gradients = &mut gradients[..self.outputs * row];
        let rows = part(self.outputs);
        let outputs = &*outputs;
        gradients
            .par_chunks_mut(rows * row)
            .enumerate()
            .for_each(|(part, gradients)| {
                let shape = self.shape_of(gradients.len() / row);
                for point in 0..POINTS {
                    let (from, from_shape) = outputs.rows(point, part * rows, shape.rows);
                    product(
                        (&mut gradients[point * self.inputs..], shape),
                        (from, from_shape),
                        (inputs.point(point), inputs.shape().transposed()),
                        false,
                    );
                }
            });
        self.weights_of(gradients)
    }
}
