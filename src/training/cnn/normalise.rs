//! Batch norm, the shortcut of a residual block and ReLU in one pass over a batch of boards; their gradients in one, and a
//! last one block by block, just before the convolution needs them; and the same in candle's operations, the reference.

use crate::nets::cnn::winograd::SQUARES;
use candle_core::{Result, Tensor};
use pulp::Arch;
use rayon::prelude::*;

/// Added to a variance, so that the division stays finite: PyTorch's value.
const EPSILON: f64 = 1e-5;

/// The mean and variance of a channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistics {
    /// Mean over positions and squares.
    pub mean: f64,
    /// Variance over positions and squares.
    pub variance: f64,
}

impl Statistics {
    /// The standard deviation by which a norm divides.
    pub fn deviation(self) -> f64 {
        (self.variance + EPSILON).sqrt()
    }

    fn inverse_deviation(self) -> f64 {
        1.0 / self.deviation()
    }
}

/// Normalises boards (blocks × channels × 64 × lanes) by the mean and variance of each channel in this batch, scales
/// and shifts them (`scales`: channels scales, then channels shifts), in candle's own operations. Returns the statistics
/// of the channels too.
///
/// # Errors
/// If the shapes do not fit.
pub fn normalise_plain(boards: &Tensor, scales: &Tensor) -> Result<(Tensor, Vec<Statistics>)> {
    let (_, channels, _, _) = boards.dims4()?;
    let moments = Moments::of(boards)?;
    let part = |start| scales.narrow(0, start, channels)?.reshape((1, channels, 1, 1));
    let normal = moments
        .centred
        .broadcast_div(&(&moments.variance + EPSILON)?.sqrt()?)?;
    let result = normal.broadcast_mul(&part(0)?)?.broadcast_add(&part(channels)?)?;
    Ok((result, moments.statistics()?))
}

/// Adds the shortcut of a residual block, if there is one, and applies ReLU, in candle's own operations.
///
/// # Errors
/// If the shapes do not fit.
pub fn finish_plain(boards: Tensor, shortcut: Option<&Tensor>) -> Result<Tensor> {
    match shortcut {
        Some(shortcut) => (boards + shortcut)?.relu(),
        None => boards.relu(),
    }
}

/// The mean and variance of each channel of boards (blocks × channels × 64 × lanes), in candle's operations.
///
/// # Errors
/// If the shapes do not fit.
pub fn statistics_plain(boards: &Tensor) -> Result<Vec<Statistics>> {
    Moments::of(boards)?.statistics()
}

/// The moments of the channels of boards (1 × channels × 1 × 1), in candle's operations.
struct Moments {
    mean: Tensor,
    /// The boards less the mean.
    centred: Tensor,
    variance: Tensor,
}

impl Moments {
    fn of(boards: &Tensor) -> Result<Moments> {
        let mean = boards.mean_keepdim((0, 2, 3))?;
        let centred = boards.broadcast_sub(&mean)?;
        Ok(Moments {
            variance: centred.sqr()?.mean_keepdim((0, 2, 3))?,
            mean,
            centred,
        })
    }

    fn statistics(&self) -> Result<Vec<Statistics>> {
        let numbers = |tensor: &Tensor| tensor.flatten_all()?.to_vec1::<f32>();
        let statistics = numbers(&self.mean)?.into_iter().zip(numbers(&self.variance)?);
        let statistics = statistics.map(|(mean, variance)| Statistics {
            mean: mean as f64,
            variance: variance as f64,
        });
        Ok(statistics.collect())
    }
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

    /// Positions side by side in a block.
    pub fn lanes(self) -> usize {
        self.row / SQUARES
    }

    /// Numbers of one channel in a block.
    pub fn row(self) -> usize {
        self.row
    }

    /// Numbers of a block.
    pub fn block(self) -> usize {
        self.channels * self.row
    }
}

/// Sums over all blocks of the two numbers of each channel; always in the same order, whatever the threads.
fn totals(parts: &[Vec<[f32; 2]>], channels: usize) -> Vec<[f64; 2]> {
    let mut totals = vec![[0f64; 2]; channels];
    for part in parts {
        for (total, part) in totals.iter_mut().zip(part) {
            *total = [total[0] + part[0] as f64, total[1] + part[1] as f64];
        }
    }
    totals
}

/// The sum of each channel of a block, and of its squares, for [`forward`].
pub fn channel_sums_and_squares(block: &[f32], shape: Blocks) -> Vec<[f32; 2]> {
    let power = |row: &[f32]| two_sums(row, row, |value, _| [value, value * value]);
    Arch::new().dispatch(|| block.chunks_exact(shape.row).map(power).collect())
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

/// The statistics of the channels, from the [`channel_sums_and_squares`] of all blocks.
pub fn statistics(sums: &[Vec<[f32; 2]>], shape: Blocks) -> Vec<Statistics> {
    let count = (sums.len() * shape.row) as f64;
    let totals = totals(sums, shape.channels).into_iter();
    let statistics = totals.map(|[sum, squares]| Statistics {
        mean: sum / count,
        variance: (squares / count - (sum / count).powi(2)).max(0.0),
    });
    statistics.collect()
}

/// What a norm does to each channel, as factor · board + shift.
pub fn scale_and_shift(scales: &[f32], statistics: &[Statistics]) -> Vec<[f32; 2]> {
    let (scales, shifts) = scales.split_at(statistics.len());
    let affine = statistics
        .iter()
        .zip(scales.iter().zip(shifts))
        .map(|(statistics, (&scale, &shift))| {
            let factor = scale as f64 * statistics.inverse_deviation();
            [factor as f32, (shift as f64 - factor * statistics.mean) as f32]
        });
    affine.collect()
}

/// What [`normalise_plain`] and [`finish_plain`] do, from boards and the [`scale_and_shift`] of their channels into results of the
/// same shape.
pub fn forward(
    boards: &[f32],
    affine: &[[f32; 2]],
    shortcut: Option<&[f32]>,
    shape: Blocks,
    results: &mut [f32],
) {
    let arch = Arch::new();
    results
        .par_chunks_mut(shape.block())
        .enumerate()
        .for_each(|(block, results)| {
            let start = block * shape.block();
            let boards = &boards[start..][..shape.block()];
            let shortcut = shortcut.map(|shortcut| &shortcut[start..][..shape.block()]);
            arch.dispatch(|| apply(boards, shortcut, affine, shape, results));
        });
}

/// Scale, shift, shortcut and ReLU of one block.
#[inline(always)]
fn apply(boards: &[f32], shortcut: Option<&[f32]>, affine: &[[f32; 2]], shape: Blocks, results: &mut [f32]) {
    for (channel, results) in results.chunks_exact_mut(shape.row).enumerate() {
        let [factor, shift] = affine[channel];
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

/// Turns the gradients of ReLU's outputs into those of its inputs, and returns for each channel their sum, plain and
/// times the normalised boards: the gradients of the shifts and of the scales.
pub fn relu_backward(
    gradients: &mut [f32],
    results: &[f32],
    boards: &[f32],
    statistics: &[Statistics],
    shape: Blocks,
) -> Vec<[f64; 2]> {
    let arch = Arch::new();
    let parts: Vec<Vec<[f32; 2]>> = gradients
        .par_chunks_mut(shape.block())
        .zip(results.par_chunks(shape.block()))
        .zip(boards.par_chunks(shape.block()))
        .map(|((gradients, results), boards)| {
            arch.dispatch(|| block_relu_backward(gradients, results, boards, statistics, shape.row))
        })
        .collect();
    totals_of_scales(&parts, statistics)
}

/// The sums over all blocks of the gradients of the norm's results, plain and times the normalised boards, from those of
/// each block, the second not yet divided by the deviation.
pub fn totals_of_scales(parts: &[Vec<[f32; 2]>], statistics: &[Statistics]) -> Vec<[f64; 2]> {
    let totals = totals(parts, statistics.len()).into_iter().zip(statistics);
    totals
        .map(|(total, statistics)| [total[0], total[1] * statistics.inverse_deviation()])
        .collect()
}

/// The same for one block whose channels hold `row` numbers each, the totals not yet divided by the deviation.
#[inline(always)]
fn block_relu_backward(
    gradients: &mut [f32],
    results: &[f32],
    boards: &[f32],
    statistics: &[Statistics],
    row: usize,
) -> Vec<[f32; 2]> {
    let rows = gradients
        .chunks_exact_mut(row)
        .zip(results.chunks_exact(row))
        .zip(boards.chunks_exact(row));
    rows.zip(statistics)
        .map(|(((gradients, results), boards), statistics)| {
            pass_positive(gradients, results);
            products(gradients, boards, statistics.mean as f32)
        })
        .collect()
}

/// The gradients of what was positive, 0 for the rest.
#[inline(always)]
pub fn pass_positive(gradients: &mut [f32], results: &[f32]) {
    for (gradient, result) in gradients.iter_mut().zip(results) {
        *gradient = if *result > 0.0 { *gradient } else { 0.0 };
    }
}

/// The sum of a row of gradients, and of their products with what `boards` are above the mean.
#[inline(always)]
fn products(gradients: &[f32], boards: &[f32], mean: f32) -> [f32; 2] {
    two_sums(gradients, boards, |gradient, board| {
        [gradient, gradient * (board - mean)]
    })
}

/// How the gradients of ReLU's inputs (`through`) become those of the boards before the norm, channel by channel:
/// factor · (through − mean of through − normalised · mean of their products), as a · through + b · board + c. Through a
/// gate they pass first.
pub struct BatchNormBackward {
    affine: Vec<[f32; 3]>,
    shape: Blocks,
    /// One for each block, if there is a gate.
    gates_backward: Option<Vec<GateBackward>>,
}

/// How the gradients of a gate's results become those of the norm's: factor · gradient + share, in each lane of each
/// channel of a block.
pub struct GateBackward {
    /// What the gate multiplied by (channels × lanes).
    pub factors: Vec<f32>,
    /// What comes to each square through the averages that the gate was given (channels × lanes).
    pub shares: Vec<f32>,
}

impl BatchNormBackward {
    /// From the totals that [`relu_backward`] returned for this many blocks, or those of a gate, with its gates_backward.
    pub fn new(
        totals: &[[f64; 2]],
        scale: &[f32],
        statistics: &[Statistics],
        shape: Blocks,
        blocks: usize,
        gates_backward: Option<Vec<GateBackward>>,
    ) -> BatchNormBackward {
        let count = (blocks * shape.row) as f64;
        let line = |channel: usize| {
            let statistics = statistics[channel];
            let deviation = statistics.inverse_deviation();
            let factor = scale[channel] as f64 * deviation;
            let slope = -totals[channel][1] / count * deviation;
            let constant = -totals[channel][0] / count - slope * statistics.mean;
            [factor as f32, (slope * factor) as f32, (constant * factor) as f32]
        };
        BatchNormBackward {
            affine: (0..shape.channels).map(line).collect(),
            shape,
            gates_backward,
        }
    }

    /// The gradients of one board, from all boards and the gradients of ReLU's inputs.
    pub fn board(&self, block: usize, channel: usize, boards: &[f32], gradients: &[f32], bent: &mut [f32]) {
        let start = block * self.shape.block() + channel * self.shape.row;
        let span = start..start + self.shape.row;
        let (boards, gradients) = (&boards[span.clone()], &gradients[span]);
        let [factor, slope, constant] = self.affine[channel];
        let Some(gates_backward) = &self.gates_backward else {
            return Arch::new().dispatch(|| {
                for ((bent, gradient), board) in bent.iter_mut().zip(gradients).zip(boards) {
                    *bent = factor * gradient + slope * board + constant;
                }
            });
        };
        let lanes = self.shape.lanes();
        let GateBackward { factors, shares } = &gates_backward[block];
        let span = channel * lanes..(channel + 1) * lanes;
        let (factors, shares) = (&factors[span.clone()], &shares[span]);
        Arch::new().dispatch(|| {
            let squares = bent.chunks_exact_mut(lanes).zip(gradients.chunks_exact(lanes));
            for ((bent, gradients), boards) in squares.zip(boards.chunks_exact(lanes)) {
                let gate_backward = gradients.iter().zip(factors.iter().zip(shares));
                for ((bent, board), (gradient, (open, share))) in
                    bent.iter_mut().zip(boards).zip(gate_backward)
                {
                    *bent = factor * (gradient * open + share) + slope * board + constant;
                }
            }
        });
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
                let (normal, wanted) = normalise_plain(&boards_var, &scales_var)?;
                let result = finish_plain(normal, with.then_some(more_var.as_tensor()))?;
                let back = (&result * &factor)?.sum_all()?.backward()?;
                let floats = |tensor: &Tensor| tensor.flatten_all()?.to_vec1::<f32>();
                let of = |var: &Var| floats(back.get(var).unwrap());

                let shape = Blocks::new(channels, lanes);
                let mut found = vec![0f32; count];
                let sums: Vec<_> = boards
                    .chunks_exact(shape.block())
                    .map(|block| channel_sums_and_squares(block, shape))
                    .collect();
                let more = with.then_some(&more[..]);
                let statistics = statistics(&sums, shape);
                forward(
                    &boards,
                    &scale_and_shift(&scales, &statistics),
                    more,
                    shape,
                    &mut found,
                );
                let mut gradients = factors.clone();
                let totals = relu_backward(&mut gradients, &found, &boards, &statistics, shape);
                if with {
                    assert!(distance(&gradients, &of(&more_var)?) < 1e-5);
                }
                let norm_backward =
                    BatchNormBackward::new(&totals, &scales, &statistics, shape, blocks, None);
                let mut bent = vec![0f32; count];
                for (place, bent) in bent.chunks_exact_mut(shape.row).enumerate() {
                    norm_backward.board(place / channels, place % channels, &boards, &gradients, bent);
                }
                let sums: Vec<f32> = [1, 0]
                    .iter()
                    .flat_map(|&n| totals.iter().map(move |total| total[n] as f32))
                    .collect();
                assert!(distance(&found, &floats(&result)?) < 1e-5);
                assert!(distance(&bent, &of(&boards_var)?) < 1e-4);
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
