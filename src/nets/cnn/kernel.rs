//! Operations on blocks of boards (channels × 64 squares × lanes) on the CPU, in play and in training: convolutions of
//! both sizes, the average over the board, and the dense layers behind it.

use super::shape::ConvolutionShape;
use super::winograd::{Filters, SQUARES, Workspace};
use crate::arch::product::{Matrix, product};
use crate::nets::net::Dense;

/// The weights of a convolution, prepared for the CPU.
#[derive(Debug)]
pub enum Kernel {
    /// 3 × 3.
    Filters(Filters),
    /// 1 × 1: outputs × inputs.
    Pointwise(ConvolutionShape, Vec<f32>),
}

impl Kernel {
    /// Prepares weights (outputs × inputs × side × side).
    pub fn new(weights: &[f32], shape: ConvolutionShape) -> Kernel {
        match shape.side {
            3 => Kernel::Filters(Filters::new(weights, shape.inputs, shape.outputs)),
            _ => Kernel::Pointwise(shape, weights.to_vec()),
        }
    }

    /// Takes other weights in the same memory.
    ///
    /// # Panics
    /// If their number differs.
    pub fn set(&mut self, weights: &[f32]) {
        match self {
            Kernel::Filters(filters) => filters.set(weights),
            Kernel::Pointwise(_, own) => own.copy_from_slice(weights),
        }
    }

    /// The lanes of a block of boards with so many numbers.
    pub fn lanes(&self, block: usize) -> usize {
        let inputs = match self {
            Kernel::Filters(filters) => filters.inputs(),
            Kernel::Pointwise(shape, _) => shape.inputs,
        };
        block / (inputs * SQUARES)
    }

    /// Convolves one block into another, with zeros around the board.
    pub fn convolve(&self, boards: &[f32], results: &mut [f32], workspace: &Workspace) {
        match self {
            Kernel::Filters(filters) => filters.convolve(boards, results, workspace),
            Kernel::Pointwise(shape, weights) => {
                let (weights_shape, inputs, outputs) = matrices(*shape, boards.len());
                product(
                    (results, outputs),
                    (weights, weights_shape),
                    (boards, inputs),
                    false,
                );
            }
        }
    }
}

/// The weights of a 1 × 1 convolution, its input of `block` numbers and its output, as matrices.
pub fn matrices(shape: ConvolutionShape, block: usize) -> (Matrix, Matrix, Matrix) {
    let columns = block / shape.inputs;
    (
        Matrix::new(shape.outputs, shape.inputs, shape.inputs),
        Matrix::new(shape.inputs, columns, columns),
        Matrix::new(shape.outputs, columns, columns),
    )
}

/// The averages of one channel (64 × lanes) over the board, one for each lane.
#[inline(always)]
pub fn average(board: &[f32], means: &mut [f32]) {
    means.fill(0.0);
    for square in board.chunks_exact(means.len()) {
        means
            .iter_mut()
            .zip(square)
            .for_each(|(mean, value)| *mean += value);
    }
    means.iter_mut().for_each(|mean| *mean /= SQUARES as f32);
}

/// The average of each channel over the board (channels × lanes).
#[inline(always)]
pub fn pooled(boards: &[f32], lanes: usize) -> Vec<f32> {
    let mut means = vec![0f32; boards.len() / SQUARES];
    let boards = boards.chunks_exact(SQUARES * lanes);
    boards
        .zip(means.chunks_exact_mut(lanes))
        .for_each(|(board, means)| average(board, means));
    means
}

/// Dense layers on features (channels × lanes), with ReLU between them.
pub fn dense(layers: &[Dense], mut hidden: Vec<f32>, lanes: usize) -> Vec<f32> {
    for (number, layer) in layers.iter().enumerate() {
        let last = number + 1 == layers.len();
        let mut results: Vec<f32> = layer
            .bias
            .iter()
            .flat_map(|&bias| std::iter::repeat_n(bias, lanes))
            .collect();
        let weights = Matrix::new(layer.outputs, layer.inputs, layer.inputs);
        product(
            (&mut results, Matrix::new(layer.outputs, lanes, lanes)),
            (&layer.weight, weights),
            (&hidden, Matrix::new(layer.inputs, lanes, lanes)),
            true,
        );
        if !last {
            results.iter_mut().for_each(|value| *value = value.max(0.0));
        }
        hidden = results;
    }
    hidden
}
