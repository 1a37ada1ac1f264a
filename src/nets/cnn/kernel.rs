//! Operations on blocks of boards (channels × 64 squares × lanes) on the CPU, in play and in training: convolutions of
//! both sizes, and the average over the board.

use super::shape::ConvolutionShape;
use super::winograd::{Filters, SQUARES, Workspace};
use crate::arch::product::{Matrix, product};

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
