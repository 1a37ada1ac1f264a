//! The operations of an encoder on rows of numbers, in play and in training: products with a bias, norm, ReLU, softmax.

use super::shape::SQUARES;
use super::weights::Linear;
use crate::arch::product::{Matrix, product};
use pulp::Arch;

/// Added to the mean square of a token, so that the division stays finite.
pub const EPSILON: f32 = 1e-6;
/// The number of partial sums, enough to fill registers of any width.
const LANES: usize = 16;

/// What a product does with the numbers already in its output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Overwrites them.
    Replace,
    /// Adds to them.
    Add,
}

/// `outputs (+)= inputs · weightᵀ + bias` for rows of inputs.
pub fn linear(values: &[f32], layer: &Linear, inputs: &[f32], outputs: &mut [f32], target: Target) {
    let bias = &values[layer.bias.clone()];
    let rows = outputs.len() / layer.outputs;
    Arch::new().dispatch(|| {
        for row in outputs.chunks_exact_mut(layer.outputs) {
            match target {
                Target::Replace => row.copy_from_slice(bias),
                Target::Add => add(row, bias),
            }
        }
    });
    product(
        (outputs, Matrix::new(rows, layer.outputs, layer.outputs)),
        (inputs, Matrix::new(rows, layer.inputs, layer.inputs)),
        (
            &values[layer.weight.clone()],
            Matrix::new(layer.outputs, layer.inputs, layer.inputs).transposed(),
        ),
        true,
    );
}

/// Adds numbers to numbers.
#[inline(always)]
pub fn add(to: &mut [f32], from: &[f32]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
}

/// max(x, 0).
pub fn relu(numbers: &mut [f32]) {
    Arch::new().dispatch(|| numbers.iter_mut().for_each(|x| *x = x.max(0.0)));
}

/// The sum of `terms` over two rows, in a fixed order.
#[inline(always)]
pub fn sum(one: &[f32], other: &[f32], terms: impl Fn(f32, f32) -> f32) -> f32 {
    let mut sums = [0f32; LANES];
    let (whole, rest) = one.as_chunks::<LANES>();
    let (other_whole, other_rest) = other.as_chunks::<LANES>();
    for (one, other) in whole.iter().zip(other_whole) {
        for lane in 0..LANES {
            sums[lane] += terms(one[lane], other[lane]);
        }
    }
    for (one, other) in rest.iter().zip(other_rest) {
        sums[0] += terms(*one, *other);
    }
    sums.iter().sum()
}

/// Divides each token (rows of `width`) by the root of its mean square; keeps the factors.
pub fn normalise(tokens: &[f32], width: usize, normal: &mut [f32], factors: &mut [f32]) {
    Arch::new().dispatch(|| {
        let rows = tokens.chunks_exact(width).zip(normal.chunks_exact_mut(width));
        for ((token, normal), factor) in rows.zip(factors) {
            let square = sum(token, token, |x, y| x * y) / width as f32;
            *factor = 1.0 / (square + EPSILON).sqrt();
            for (normal, x) in normal.iter_mut().zip(token) {
                *normal = x * *factor;
            }
        }
    });
}

/// Replaces each row of 64 by its softmax.
pub fn softmax(rows: &mut [f32]) {
    Arch::new().dispatch(|| {
        let (rows, _) = rows.as_chunks_mut::<SQUARES>();
        rows.iter_mut().for_each(softmax_row);
    });
}

#[inline(always)]
fn softmax_row(row: &mut [f32; SQUARES]) {
    let mut largest = [f32::NEG_INFINITY; LANES];
    let (parts, _) = row.as_chunks_mut::<LANES>();
    for part in parts.iter() {
        for lane in 0..LANES {
            largest[lane] = if part[lane] > largest[lane] {
                part[lane]
            } else {
                largest[lane]
            };
        }
    }
    let largest = largest.iter().fold(f32::NEG_INFINITY, |a, &b| a.max(b));
    let mut sums = [0f32; LANES];
    for part in parts.iter_mut() {
        for lane in 0..LANES {
            part[lane] = exp(part[lane] - largest);
            sums[lane] += part[lane];
        }
    }
    let factor = 1.0 / sums.iter().sum::<f32>();
    row.iter_mut().for_each(|x| *x *= factor);
}

/// eˣ for x ≤ 0, to two units in the last place; clamped below −87, where it is almost zero.
#[inline(always)]
fn exp(x: f32) -> f32 {
    /// 1.5 · 2²³: adding a number to it rounds the number to an integer, which is then in the lowest bits.
    const ROUND: f32 = 12_582_912.0;
    // ln 2 in two parts, the first with zeros at the end, so that its multiples are exact
    const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
    let x = if x < -87.0 { -87.0 } else { x };
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let whole = shifted - ROUND;
    let rest = (x - whole * LN_2[0]) - whole * LN_2[1];
    // Taylor's series: rest is within ±ln 2 / 2, where the next term is below 2⁻²⁴
    let series = [
        1.0 / 5040.0,
        1.0 / 720.0,
        1.0 / 120.0,
        1.0 / 24.0,
        1.0 / 6.0,
        0.5,
        1.0,
        1.0,
    ];
    let value = series.iter().fold(0f32, |value, term| value * rest + term);
    let power = (shifted.to_bits() << 23).wrapping_add(1.0f32.to_bits());
    value * f32::from_bits(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_are_those_of_the_library() {
        for n in 0..=87_000 {
            let x = -(n as f32) / 1000.0;
            let wanted = f64::from(x).exp();
            let found = f64::from(exp(x));
            assert!(
                (found / wanted - 1.0).abs() < 3e-7,
                "exp({x}) is {wanted}, not {found}"
            );
        }
        assert_eq!(exp(0.0), 1.0);
        assert!(exp(f32::NEG_INFINITY) < 1e-37 && exp(-1e30) < 1e-37);
    }

    #[test]
    fn a_softmax_is_a_share_of_one() {
        let numbers: Vec<f32> = (0..2 * SQUARES).map(|n| 30.0 * (n as f32 * 0.7).sin()).collect();
        let mut rows = numbers.clone();
        softmax(&mut rows);
        for (row, found) in numbers.chunks(SQUARES).zip(rows.chunks(SQUARES)) {
            let total: f64 = row.iter().map(|&x| f64::from(x).exp()).sum();
            for (&x, &share) in row.iter().zip(found) {
                assert!((f64::from(share) - f64::from(x).exp() / total).abs() < 1e-6);
            }
        }
    }

    /// Includes widths that do not fill a register.
    #[test]
    fn normal_tokens_have_a_mean_square_of_one() {
        for width in [4, 16, 23, 64] {
            let tokens: Vec<f32> = (0..3 * width).map(|n| 5.0 * (n as f32 * 0.7).sin()).collect();
            let (mut normal, mut factors) = (vec![0.0; 3 * width], vec![0.0; 3]);
            normalise(&tokens, width, &mut normal, &mut factors);
            for ((normal, token), factor) in normal.chunks(width).zip(tokens.chunks(width)).zip(factors) {
                let square = normal.iter().map(|x| x * x).sum::<f32>() / width as f32;
                assert!((square - 1.0).abs() < 1e-5, "{width}: {square}");
                assert!(normal.iter().zip(token).all(|(n, t)| *n == t * factor));
            }
        }
    }
}
