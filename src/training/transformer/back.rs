//! The backward passes of an encoder's operations on rows of numbers.

use crate::arch::product::{Matrix, product};
use crate::nets::transformer::layers::{add, sum};
use crate::nets::transformer::shape::SQUARES;
use crate::nets::transformer::weights::Linear;
use pulp::Arch;

/// The gradients of a [`crate::nets::transformer::layers::linear`]: those of its parameters are added to `sums`, those
/// of its inputs replace `inputs_back`.
pub(super) fn linear_back(
    values: &[f32],
    sums: &mut [f32],
    layer: &Linear,
    inputs: &[f32],
    outputs_back: &[f32],
    inputs_back: &mut [f32],
) {
    let rows = outputs_back.len() / layer.outputs;
    let outputs_shape = Matrix::new(rows, layer.outputs, layer.outputs);
    let inputs_shape = Matrix::new(rows, layer.inputs, layer.inputs);
    let weights_shape = Matrix::new(layer.outputs, layer.inputs, layer.inputs);
    let bias = &mut sums[layer.bias.clone()];
    Arch::new().dispatch(|| {
        outputs_back
            .chunks_exact(layer.outputs)
            .for_each(|row| add(bias, row))
    });
    product(
        (&mut sums[layer.weight.clone()], weights_shape),
        (outputs_back, outputs_shape.transposed()),
        (inputs, inputs_shape),
        true,
    );
    product(
        (inputs_back, inputs_shape),
        (outputs_back, outputs_shape),
        (&values[layer.weight.clone()], weights_shape),
        false,
    );
}

/// Lets gradients through where ReLU gave more than 0.
pub(super) fn relu_back(results: &[f32], gradients: &mut [f32]) {
    Arch::new().dispatch(|| {
        for (gradient, &result) in gradients.iter_mut().zip(results) {
            *gradient = if result > 0.0 { *gradient } else { 0.0 };
        }
    });
}

/// Adds the gradients of the tokens, from those of the normalised tokens, to `tokens_back`.
pub(super) fn normalise_back(
    normal: &[f32],
    factors: &[f32],
    width: usize,
    normal_back: &[f32],
    tokens_back: &mut [f32],
) {
    Arch::new().dispatch(|| {
        let rows = normal.chunks_exact(width).zip(normal_back.chunks_exact(width));
        for (((normal, back), factor), tokens_back) in
            rows.zip(factors).zip(tokens_back.chunks_exact_mut(width))
        {
            // the component along the token only changes its length, which the norm removes
            let along = sum(normal, back, |x, y| x * y) / width as f32;
            for ((to, x), gradient) in tokens_back.iter_mut().zip(normal).zip(back) {
                *to += factor * (gradient - along * x);
            }
        }
    });
}

/// Replaces the gradients of softmax's outputs by those of its inputs, row by row.
pub(super) fn softmax_back(results: &[f32], gradients: &mut [f32]) {
    Arch::new().dispatch(|| {
        let (results, _) = results.as_chunks::<SQUARES>();
        let (gradients, _) = gradients.as_chunks_mut::<SQUARES>();
        for (shares, gradients) in results.iter().zip(gradients) {
            let mean = sum(shares, gradients, |x, y| x * y);
            for (gradient, share) in gradients.iter_mut().zip(shares) {
                *gradient = share * (*gradient - mean);
            }
        }
    });
}
