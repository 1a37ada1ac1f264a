//! Batch norm, the shortcut of a residual block and ReLU in one pass over a batch of boards, and their gradients in
//! two; and the same in candle's operations, the reference.

use crate::evaluation::winograd::SQUARES;
use candle_core::{Result, Tensor};
use pulp::Arch;
use rayon::prelude::*;

/// Added to a variance, so that the division stays finite: PyTorch's value.
pub const EPSILON: f64 = 1e-5;

/// The mean and variance of a channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistics {
    /// Mean over positions and squares.
    pub mean: f64,
    /// Variance over positions and squares.
    pub variance: f64,
}

impl Statistics {
    fn inverse_deviation(self) -> f64 {
        1.0 / (self.variance + EPSILON).sqrt()
    }
}

/// Normalises boards (blocks × channels × 64 × lanes) by the mean and variance of each channel in this batch, scales
/// and shifts them (`scales`: channels scales, then channels shifts), adds a shortcut, and applies ReLU; in candle's own
/// operations. Returns the statistics of the channels too.
///
/// # Errors
/// If the shapes do not fit.
pub fn normalise_plain(
    boards: &Tensor,
    scales: &Tensor,
    shortcut: Option<&Tensor>,
) -> Result<(Tensor, Vec<Statistics>)> {
    let (_, channels, _, _) = boards.dims4()?;
    let mean = boards.mean_keepdim((0, 2, 3))?;
    let centred = boards.broadcast_sub(&mean)?;
    let variance = centred.sqr()?.mean_keepdim((0, 2, 3))?;
    let part = |start| scales.narrow(0, start, channels)?.reshape((1, channels, 1, 1));
    let normal = centred.broadcast_div(&(&variance + EPSILON)?.sqrt()?)?;
    let result = normal.broadcast_mul(&part(0)?)?.broadcast_add(&part(channels)?)?;
    let result = match shortcut {
        Some(shortcut) => (result + shortcut)?,
        None => result,
    };
    let numbers = |tensor: &Tensor| tensor.flatten_all()?.to_vec1::<f32>();
    let statistics = numbers(&mean)?.into_iter().zip(numbers(&variance)?);
    let statistics = statistics.map(|(mean, variance)| Statistics {
        mean: mean as f64,
        variance: variance as f64,
    });
    Ok((result.relu()?, statistics.collect()))
}

/// Where the numbers of a channel stand in each block.
#[derive(Clone, Copy)]
pub struct Blocks {
    channels: usize,
    /// Numbers of one channel in a block.
    row: usize,
}

impl Blocks {
    /// Boards of so many channels and lanes.
    pub fn new(channels: usize, lanes: usize) -> Blocks {
        Blocks {
            channels,
            row: SQUARES * lanes,
        }
    }

    fn block(self) -> usize {
        self.channels * self.row
    }
}

/// Sums over all blocks, channel by channel, of two numbers that `sums` makes of the rows of a block; always in the
/// same order, whatever the threads.
fn totals(blocks: usize, channels: usize, sums: impl Fn(usize, usize) -> [f32; 2] + Sync) -> Vec<[f64; 2]> {
    let arch = Arch::new();
    let parts: Vec<Vec<[f32; 2]>> = (0..blocks)
        .into_par_iter()
        .map(|block| arch.dispatch(|| (0..channels).map(|channel| sums(block, channel)).collect()))
        .collect();
    let mut totals = vec![[0f64; 2]; channels];
    for part in parts {
        for (total, part) in totals.iter_mut().zip(part) {
            *total = [total[0] + part[0] as f64, total[1] + part[1] as f64];
        }
    }
    totals
}

/// The sum of a row and of its squares.
#[inline(always)]
fn powers(row: &[f32]) -> [f32; 2] {
    two_sums(row, row, |value, _| [value, value * value])
}

/// The sum of a row of gradients, and of their products with what `boards` are above the mean.
#[inline(always)]
fn products(gradients: &[f32], boards: &[f32], mean: f32) -> [f32; 2] {
    two_sums(gradients, boards, |gradient, board| {
        [gradient, gradient * (board - mean)]
    })
}

/// Two sums along two rows, kept apart by lane so that they can run in parallel.
#[inline(always)]
fn two_sums(one: &[f32], other: &[f32], terms: impl Fn(f32, f32) -> [f32; 2]) -> [f32; 2] {
    const LANES: usize = 16;
    let mut sums = [[0f32; LANES]; 2];
    let (whole, rest) = one.as_chunks::<LANES>();
    let (other_whole, other_rest) = other.as_chunks::<LANES>();
    for (one, other) in whole.iter().zip(other_whole) {
        for lane in 0..LANES {
            let [first, second] = terms(one[lane], other[lane]);
            sums[0][lane] += first;
            sums[1][lane] += second;
        }
    }
    for (one, other) in rest.iter().zip(other_rest) {
        let [first, second] = terms(*one, *other);
        sums[0][0] += first;
        sums[1][0] += second;
    }
    sums.map(|sums| sums.iter().sum())
}

/// What [`normalise_plain`] does, from boards into results of the same shape; returns the statistics of the channels.
pub fn forward(
    boards: &[f32],
    scales: &[f32],
    shortcut: Option<&[f32]>,
    shape: Blocks,
    results: &mut [f32],
) -> Vec<Statistics> {
    let blocks = boards.len() / shape.block();
    let totals = totals(blocks, shape.channels, |block, channel| {
        powers(&boards[block * shape.block() + channel * shape.row..][..shape.row])
    });
    let count = (blocks * shape.row) as f64;
    let statistics: Vec<Statistics> = totals
        .iter()
        .map(|[sum, squares]| Statistics {
            mean: sum / count,
            variance: (squares / count - (sum / count).powi(2)).max(0.0),
        })
        .collect();
    let arch = Arch::new();
    results
        .par_chunks_mut(shape.block())
        .enumerate()
        .for_each(|(block, results)| {
            let start = block * shape.block();
            let boards = &boards[start..][..shape.block()];
            let shortcut = shortcut.map(|shortcut| &shortcut[start..][..shape.block()]);
            arch.dispatch(|| apply(boards, shortcut, scales, &statistics, shape, results));
        });
    statistics
}

/// Scale, shift, shortcut and ReLU of one block.
#[inline(always)]
fn apply(
    boards: &[f32],
    shortcut: Option<&[f32]>,
    scales: &[f32],
    statistics: &[Statistics],
    shape: Blocks,
    results: &mut [f32],
) {
    for (channel, results) in results.chunks_exact_mut(shape.row).enumerate() {
        let deviation = statistics[channel].inverse_deviation();
        let factor = (scales[channel] as f64 * deviation) as f32;
        let shift = (scales[shape.channels + channel] as f64
            - scales[channel] as f64 * deviation * statistics[channel].mean) as f32;
        let span = channel * shape.row..(channel + 1) * shape.row;
        let boards = results.iter_mut().zip(&boards[span.clone()]);
        match shortcut {
            Some(shortcut) => boards
                .zip(&shortcut[span])
                .for_each(|((result, board), more)| *result = (board * factor + shift + more).max(0.0)),
            None => boards.for_each(|(result, board)| *result = (board * factor + shift).max(0.0)),
        }
    }
}

/// Turns the gradients of results into those behind ReLU, and gives for each channel their sum, plain and times the
/// normalised boards: the gradients of the shifts and of the scales.
pub fn behind_relu(
    gradients: &mut [f32],
    results: &[f32],
    boards: &[f32],
    statistics: &[Statistics],
    shape: Blocks,
) -> Vec<[f64; 2]> {
    let arch = Arch::new();
    let pairs = gradients
        .par_chunks_mut(shape.block())
        .zip(results.par_chunks(shape.block()));
    pairs.for_each(|(gradients, results)| arch.dispatch(|| pass_positive(gradients, results)));
    let totals = totals(boards.len() / shape.block(), shape.channels, |block, channel| {
        let start = block * shape.block() + channel * shape.row;
        let (boards, gradients) = (&boards[start..][..shape.row], &gradients[start..][..shape.row]);
        products(gradients, boards, statistics[channel].mean as f32)
    });
    let totals = totals.iter().zip(statistics);
    let totals = totals.map(|(total, statistics)| [total[0], total[1] * statistics.inverse_deviation()]);
    totals.collect()
}

/// The gradients of what was positive, 0 for the rest.
#[inline(always)]
fn pass_positive(gradients: &mut [f32], results: &[f32]) {
    for (gradient, result) in gradients.iter_mut().zip(results) {
        *gradient = if *result > 0.0 { *gradient } else { 0.0 };
    }
}

/// Turns gradients behind ReLU into those of the boards before the norm:
/// factor · (through − mean of through − normalised · mean of their products), as a · through + b · board + c.
pub fn before_norm(
    gradients: &mut [f32],
    boards: &[f32],
    totals: &[[f64; 2]],
    scale: &[f32],
    statistics: &[Statistics],
    shape: Blocks,
) {
    let count = (boards.len() / shape.channels) as f64;
    let line = |channel: usize| {
        let statistics = statistics[channel];
        let deviation = statistics.inverse_deviation();
        let factor = scale[channel] as f64 * deviation;
        let slope = -totals[channel][1] / count * deviation;
        let constant = -totals[channel][0] / count - slope * statistics.mean;
        [factor as f32, (slope * factor) as f32, (constant * factor) as f32]
    };
    let lines: Vec<[f32; 3]> = (0..shape.channels).map(line).collect();
    let arch = Arch::new();
    gradients
        .par_chunks_mut(shape.block())
        .zip(boards.par_chunks(shape.block()))
        .for_each(|(gradients, boards)| arch.dispatch(|| bend(gradients, boards, &lines, shape.row)));
}

/// a · gradient + b · board + c, with the numbers of each channel.
#[inline(always)]
fn bend(gradients: &mut [f32], boards: &[f32], lines: &[[f32; 3]], row: usize) {
    let rows = gradients.chunks_exact_mut(row).zip(boards.chunks_exact(row));
    for ((gradients, boards), [factor, slope, constant]) in rows.zip(lines) {
        for (gradient, board) in gradients.iter_mut().zip(boards) {
            *gradient = factor * *gradient + slope * board + constant;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::{Device, Var};
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn values_and_gradients_are_those_of_candle() -> Result<()> {
        let device = Device::Cpu;
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let mut numbers = |count: usize, middle: f32| -> Vec<f32> {
            (0..count)
                .map(|_| middle + random.random_range(-1.0..1.0))
                .collect()
        };
        for (blocks, channels, lanes) in [(1, 2, 1), (3, 5, 16), (2, 4, 3)] {
            let shape = (blocks, channels, SQUARES, lanes);
            let count = blocks * channels * SQUARES * lanes;
            let (boards, more) = (numbers(count, 0.5), numbers(count, 0.0));
            let (scales, factors) = (numbers(2 * channels, 0.3), numbers(count, 0.0));
            let boards_var = Var::from_vec(boards.clone(), shape, &device)?;
            let scales_var = Var::from_vec(scales.clone(), 2 * channels, &device)?;
            let more_var = Var::from_vec(more.clone(), shape, &device)?;
            let factor = Tensor::from_vec(factors.clone(), shape, &device)?;
            for with in [false, true] {
                let (result, wanted) =
                    normalise_plain(&boards_var, &scales_var, with.then_some(more_var.as_tensor()))?;
                let back = (&result * &factor)?.sum_all()?.backward()?;
                let floats = |tensor: &Tensor| tensor.flatten_all()?.to_vec1::<f32>();
                let of = |var: &Var| floats(back.get(var).unwrap());

                let shape = Blocks::new(channels, lanes);
                let mut found = vec![0f32; count];
                let statistics = forward(&boards, &scales, with.then_some(&more[..]), shape, &mut found);
                let mut gradients = factors.clone();
                let totals = behind_relu(&mut gradients, &found, &boards, &statistics, shape);
                if with {
                    assert!(distance(&gradients, &of(&more_var)?) < 1e-5);
                }
                before_norm(&mut gradients, &boards, &totals, &scales, &statistics, shape);
                let sums: Vec<f32> = [1, 0]
                    .iter()
                    .flat_map(|&n| totals.iter().map(move |total| total[n] as f32))
                    .collect();
                assert!(distance(&found, &floats(&result)?) < 1e-5);
                assert!(distance(&gradients, &of(&boards_var)?) < 1e-4);
                assert!(distance(&sums, &of(&scales_var)?) < 1e-3);
                for (found, wanted) in statistics.iter().zip(&wanted) {
                    assert!((found.mean - wanted.mean).abs() < 1e-5);
                    assert!((found.variance - wanted.variance).abs() < 1e-5);
                }
            }
        }
        Ok(())
    }

    fn distance(one: &[f32], other: &[f32]) -> f32 {
        one.iter()
            .zip(other)
            .fold(0f32, |largest, (a, b)| largest.max((a - b).abs()))
    }
}
