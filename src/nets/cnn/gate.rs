//! Squeeze-and-excitation (Hu, Shen and Sun, 2018) on the CPU, at the end of a residual block: each channel is multiplied by
//! a factor between 0 and 1, which two dense layers find from the averages of all channels over the board.

use super::kernel::{dense, pooled};
use super::winograd::SQUARES;
use crate::nets::net::Dense;
use pulp::{Arch, Simd, WithSimd};

/// A gate: how much of each channel a residual block lets through.
#[derive(Clone, Debug, PartialEq)]
pub struct Gate {
    /// From the averages of the channels to a few units, followed by ReLU; and from these to the factors of the
    /// channels, followed by [`sigmoid`].
    pub layers: [Dense; 2],
}

impl Gate {
    /// Ends a residual block: adds the bias to what its last convolution gave (channels × 64 × lanes), multiplies each
    /// channel by its factor, adds the block's input and applies ReLU.
    pub fn finish(&self, boards: &mut [f32], bias: &[f32], shortcut: &[f32], lanes: usize) {
        let mut factors = averages(boards, lanes);
        for (averages, bias) in factors.chunks_exact_mut(lanes).zip(bias) {
            averages.iter_mut().for_each(|average| *average += bias);
        }
        factors = dense(&self.layers, factors, lanes);
        factors.iter_mut().for_each(|factor| *factor = sigmoid(*factor));
        Arch::new().dispatch(|| apply(boards, bias, &factors, shortcut, lanes));
    }
}

/// From any number to one between 0 and 1.
pub fn sigmoid(number: f32) -> f32 {
    1.0 / (1.0 + (-number).exp())
}

/// The averages of channels (64 × lanes each) over the board.
fn averages(boards: &[f32], lanes: usize) -> Vec<f32> {
    let arch = Arch::new();
    if lanes > 1 {
        return arch.dispatch(|| pooled(boards, lanes));
    }
    let mut means = vec![0f32; boards.len() / SQUARES];
    let (boards, _) = boards.as_chunks();
    arch.dispatch(SingleBoards {
        boards,
        means: &mut means,
    });
    means
}

/// The averages of single boards, which have no lanes to be added up side by side.
struct SingleBoards<'a> {
    boards: &'a [[f32; SQUARES]],
    means: &'a mut [f32],
}

impl WithSimd for SingleBoards<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for (board, mean) in self.boards.iter().zip(self.means) {
            // registers of every width divide a board without remainder
            let (registers, _) = S::as_simd_f32s(board);
            let sums = registers.iter().fold(simd.splat_f32s(0.0), |sums, &register| {
                simd.add_f32s(sums, register)
            });
            *mean = simd.reduce_sum_f32s(sums) / SQUARES as f32;
        }
    }
}

/// Bias, factors, shortcut and ReLU.
#[inline(always)]
fn apply(boards: &mut [f32], bias: &[f32], factors: &[f32], shortcut: &[f32], lanes: usize) {
    let row = SQUARES * lanes;
    let channels = boards.chunks_exact_mut(row).zip(shortcut.chunks_exact(row));
    let factors = factors.chunks_exact(lanes).zip(bias);
    for ((board, shortcut), (factors, bias)) in channels.zip(factors) {
        let open =
            |value: &mut f32, factor: f32, more: f32| *value = ((*value + bias) * factor + more).max(0.0);
        if let &[factor] = factors {
            let values = board.iter_mut().zip(shortcut);
            values.for_each(|(value, more)| open(value, factor, *more));
            continue;
        }
        for (square, shortcut) in board.chunks_exact_mut(lanes).zip(shortcut.chunks_exact(lanes)) {
            let values = square.iter_mut().zip(factors).zip(shortcut);
            values.for_each(|((value, factor), more)| open(value, *factor, *more));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two channels by hand, on one board and on several.
    #[test]
    fn channels_are_weighted_by_what_the_averages_of_all_say() {
        let layer = |weight: [f32; 4], bias: [f32; 2]| Dense {
            inputs: 2,
            outputs: 2,
            weight: weight.to_vec(),
            bias: bias.to_vec(),
        };
        let gate = Gate {
            layers: [
                layer([1.0, -1.0, 0.5, 2.0], [0.25, 0.0]),
                layer([1.0, 2.0, -3.0, 0.5], [0.0, -1.0]),
            ],
        };
        let bias = [0.5, -0.25];
        for lanes in [1, 3, 16] {
            let value = |channel: usize, square: usize, lane: usize| {
                ((channel * 31 + square * 7 + lane * 3) % 13) as f32 / 4.0 - 1.0
            };
            let places =
                (0..2 * SQUARES * lanes).map(|n| (n / lanes / SQUARES, n / lanes % SQUARES, n % lanes));
            let places: Vec<_> = places.collect();
            let mut found: Vec<f32> = places.iter().map(|&(c, s, l)| value(c, s, l)).collect();
            let shortcut: Vec<f32> = places.iter().map(|&(c, s, l)| value(s, l, c)).collect();
            gate.finish(&mut found, &bias, &shortcut, lanes);
            for (&(channel, square, lane), (found, more)) in places.iter().zip(found.iter().zip(&shortcut)) {
                let average = |channel: usize| {
                    (0..SQUARES)
                        .map(|square| value(channel, square, lane))
                        .sum::<f32>()
                        / 64.0
                        + bias[channel]
                };
                let (first, second) = (average(0), average(1));
                let hidden = [
                    (first - second + 0.25).max(0.0),
                    (0.5 * first + 2.0 * second).max(0.0),
                ];
                let sum = match channel {
                    0 => hidden[0] + 2.0 * hidden[1],
                    _ => -3.0 * hidden[0] + 0.5 * hidden[1] - 1.0,
                };
                let factor = 1.0 / (1.0 + (-sum).exp());
                let wanted = (factor * (value(channel, square, lane) + bias[channel]) + more).max(0.0);
                assert!((found - wanted).abs() < 1e-5, "{lanes}: {found} {wanted}");
            }
        }
    }
}
