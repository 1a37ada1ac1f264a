//! Batch norm, the shortcut of a residual block and ReLU in one pass over a batch of boards, and their gradients in
//! another.
//!
//! candle's own operations would go over the boards some twenty times, on one thread, and take several times as long
//! as the convolution before them.

use super::activation::{floats, with_floats};
use crate::evaluation::winograd::SQUARES;
use candle_core::{CpuStorage, CustomOp2, CustomOp3, Layout, Result, Shape, Tensor, bail};
use pulp::Arch;
use rayon::prelude::*;
use std::sync::{Arc, OnceLock};

/// Added to a variance, so that the division stays finite; the usual value (Ioffe and Szegedy, 2015, give none).
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

/// What the operation leaves behind for its backward pass, and for the running means of the model.
type Kept = Arc<OnceLock<Vec<Statistics>>>;

struct Normalise {
    kept: Kept,
}

/// Normalises boards (blocks × channels × 64 × lanes) by the mean and variance of each channel in this batch, scales
/// and shifts them (`scales`: channels scales, then channels shifts), adds a shortcut, and applies ReLU. Returns the
/// statistics of the channels too.
///
/// # Errors
/// If the shapes do not fit or a tensor is not plain f32 on the CPU.
pub fn normalise(
    boards: &Tensor,
    scales: &Tensor,
    shortcut: Option<&Tensor>,
) -> Result<(Tensor, Vec<Statistics>)> {
    let (_, channels, squares, _) = boards.dims4()?;
    let other = shortcut.map_or(boards.dims(), Tensor::dims);
    if scales.dims() != [2 * channels] || squares != SQUARES || other != boards.dims() {
        bail!("scales {:?} for boards {:?}", scales.dims(), boards.dims());
    }
    let kept = Kept::default();
    let op = Normalise { kept: kept.clone() };
    let result = match shortcut {
        Some(shortcut) => boards.apply_op3(scales, shortcut, op)?,
        None => boards.apply_op2(scales, op)?,
    };
    let statistics = kept.get().cloned().unwrap_or_default();
    Ok((result, statistics))
}

/// The same in candle's own operations, on any device.
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
struct Blocks {
    channels: usize,
    /// Numbers of one channel in a block.
    row: usize,
}

impl Blocks {
    fn of(dims: &[usize]) -> Blocks {
        Blocks {
            channels: dims[1],
            row: dims[2] * dims[3],
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

impl Normalise {
    fn forward(
        &self,
        (boards, layout): (&CpuStorage, &Layout),
        (scales, scales_layout): (&CpuStorage, &Layout),
        shortcut: Option<(&CpuStorage, &Layout)>,
    ) -> Result<(CpuStorage, Shape)> {
        let shape = Blocks::of(layout.dims());
        let (boards, scales) = (floats(boards, layout)?, floats(scales, scales_layout)?);
        let shortcut = shortcut
            .map(|(storage, layout)| floats(storage, layout))
            .transpose()?;
        let blocks = boards.len() / shape.block();
        let totals = totals(blocks, shape.channels, |block, channel| {
            let row = &boards[block * shape.block() + channel * shape.row..][..shape.row];
            powers(row)
        });
        let count = (blocks * shape.row) as f64;
        let statistics: Vec<Statistics> = totals
            .iter()
            .map(|[sum, squares]| Statistics {
                mean: sum / count,
                variance: (squares / count - (sum / count).powi(2)).max(0.0),
            })
            .collect();
        let mut results = vec![0f32; boards.len()];
        let arch = Arch::new();
        results
            .par_chunks_mut(shape.block())
            .enumerate()
            .for_each(|(block, results)| {
                let start = block * shape.block();
                let shortcut = shortcut.map(|shortcut| &shortcut[start..][..shape.block()]);
                arch.dispatch(|| {
                    apply(
                        &boards[start..][..shape.block()],
                        shortcut,
                        scales,
                        &statistics,
                        shape,
                        results,
                    )
                });
            });
        // the operation runs once
        let _ = self.kept.set(statistics);
        Ok((CpuStorage::F32(results), layout.shape().clone()))
    }

    /// The gradients of the boards before normalising, of the scales and shifts, and of the shortcut where it is wanted.
    fn backward(
        &self,
        boards: &Tensor,
        scales: &Tensor,
        result: &Tensor,
        gradient: &Tensor,
        wanted: bool,
    ) -> Result<(Tensor, Tensor, Option<Tensor>)> {
        let shape = Blocks::of(boards.dims());
        let Some(statistics) = self.kept.get() else {
            bail!("normalise goes backwards before it went forwards");
        };
        let scale = scales.narrow(0, 0, shape.channels)?.to_vec1::<f32>()?;
        let (through, totals) = with_floats(boards, |boards| {
            with_floats(result, |result| {
                with_floats(gradient, |gradient| {
                    Ok(behind_relu(boards, result, gradient, statistics, shape))
                })
            })
        })?;
        let device = boards.device();
        let shortcut_back = if wanted {
            Some(Tensor::from_slice(&through, boards.shape(), device)?)
        } else {
            None
        };
        let mut boards_back = through;
        with_floats(boards, |boards| {
            before_norm(&mut boards_back, boards, &totals, &scale, statistics, shape);
            Ok(())
        })?;
        let scales_back = totals.iter().map(|total| total[1] as f32);
        let scales_back: Vec<f32> = scales_back
            .chain(totals.iter().map(|total| total[0] as f32))
            .collect();
        Ok((
            Tensor::from_vec(boards_back, boards.shape(), device)?,
            Tensor::from_vec(scales_back, scales.shape(), device)?,
            shortcut_back,
        ))
    }
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

/// The gradients behind ReLU, and for each channel their sum, plain and times the normalised boards.
fn behind_relu(
    boards: &[f32],
    result: &[f32],
    gradient: &[f32],
    statistics: &[Statistics],
    shape: Blocks,
) -> (Vec<f32>, Vec<[f64; 2]>) {
    let arch = Arch::new();
    let mut through = vec![0f32; boards.len()];
    through
        .par_chunks_mut(shape.block())
        .zip(result.par_chunks(shape.block()))
        .zip(gradient.par_chunks(shape.block()))
        .for_each(|((through, result), gradient)| arch.dispatch(|| pass_positive(through, result, gradient)));
    let totals = totals(boards.len() / shape.block(), shape.channels, |block, channel| {
        let start = block * shape.block() + channel * shape.row;
        let (boards, through) = (&boards[start..][..shape.row], &through[start..][..shape.row]);
        products(through, boards, statistics[channel].mean as f32)
    });
    let totals = totals.iter().zip(statistics);
    let totals = totals.map(|(total, statistics)| [total[0], total[1] * statistics.inverse_deviation()]);
    (through, totals.collect())
}

/// The gradients of what was positive, 0 for the rest.
#[inline(always)]
fn pass_positive(through: &mut [f32], result: &[f32], gradient: &[f32]) {
    for ((through, result), gradient) in through.iter_mut().zip(result).zip(gradient) {
        *through = if *result > 0.0 { *gradient } else { 0.0 };
    }
}

/// Turns gradients behind ReLU into those of the boards before the norm:
/// factor · (through − mean of through − normalised · mean of their products), as a · through + b · board + c.
fn before_norm(
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

impl CustomOp2 for Normalise {
    fn name(&self) -> &'static str {
        "normalise"
    }

    fn cpu_fwd(
        &self,
        boards: &CpuStorage,
        boards_layout: &Layout,
        scales: &CpuStorage,
        scales_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        self.forward((boards, boards_layout), (scales, scales_layout), None)
    }

    fn bwd(
        &self,
        boards: &Tensor,
        scales: &Tensor,
        result: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let (boards, scales, _) = self.backward(boards, scales, result, gradient, false)?;
        Ok((Some(boards), Some(scales)))
    }
}

impl CustomOp3 for Normalise {
    fn name(&self) -> &'static str {
        "normalise-with-shortcut"
    }

    fn cpu_fwd(
        &self,
        boards: &CpuStorage,
        boards_layout: &Layout,
        scales: &CpuStorage,
        scales_layout: &Layout,
        shortcut: &CpuStorage,
        shortcut_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let shortcut = Some((shortcut, shortcut_layout));
        self.forward((boards, boards_layout), (scales, scales_layout), shortcut)
    }

    fn bwd(
        &self,
        boards: &Tensor,
        scales: &Tensor,
        _: &Tensor,
        result: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let (boards, scales, shortcut) = self.backward(boards, scales, result, gradient, true)?;
        Ok((Some(boards), Some(scales), shortcut))
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
            let boards = Var::from_vec(numbers(count, 0.5), shape, &device)?;
            let shortcut = Var::from_vec(numbers(count, 0.0), shape, &device)?;
            let scales = Var::from_vec(numbers(2 * channels, 0.3), 2 * channels, &device)?;
            let factor = Tensor::from_vec(numbers(count, 0.0), shape, &device)?;
            for shortcut in [None, Some(&shortcut)] {
                let with = shortcut.map(Var::as_tensor);
                let (ours, found) = normalise(&boards, &scales, with)?;
                let (theirs, wanted) = normalise_plain(&boards, &scales, with)?;
                let difference =
                    |a: &Tensor, b: &Tensor| (a - b)?.abs()?.flatten_all()?.max(0)?.to_scalar::<f32>();
                assert!(difference(&ours, &theirs)? < 1e-5);
                for (found, wanted) in found.iter().zip(&wanted) {
                    assert!((found.mean - wanted.mean).abs() < 1e-5);
                    assert!((found.variance - wanted.variance).abs() < 1e-5);
                }
                let ours = (ours * &factor)?.sum_all()?.backward()?;
                let theirs = (theirs * &factor)?.sum_all()?.backward()?;
                for var in [&boards, &scales].into_iter().chain(shortcut) {
                    let found = difference(ours.get(var).unwrap(), theirs.get(var).unwrap())?;
                    assert!(found < 1e-4, "{found}");
                }
            }
        }
        Ok(())
    }
}
