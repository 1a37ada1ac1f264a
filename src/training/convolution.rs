//! 3 × 3 convolutions as operations that candle can differentiate: a fast one for the CPU and a plain one for any
//! device.
//!
//! candle's own backward pass of a convolution is a naive transposed convolution on every device. The fast operation
//! is Winograd's in both directions ([`winograd`]); the plain one gathers the neighbourhood of every square and
//! multiplies once, so that candle knows all gradients itself.
//!
//! Tensors of boards have the shape blocks × channels × 64 squares × lanes; block b holds in lane l the position
//! b · lanes + l of the batch.

use super::activation::{floats, with_floats};
use crate::evaluation::winograd::{self, FilterGradients, Filters, SQUARES, Workspace};
use candle_core::{CpuStorage, CustomOp2, Layout, Result, Shape, Tensor, bail};
use rayon::prelude::*;
use std::sync::Arc;

/// Winograd's convolution with the filters of its last forward pass.
struct Convolution {
    workspace: Arc<Workspace>,
}

/// Convolves boards (blocks × inputs × 64 × lanes) with weights (outputs × inputs × 3 × 3), with zeros around the
/// board, on the CPU.
///
/// # Errors
/// If the shapes do not fit or a tensor is not plain f32 on the CPU.
pub fn convolve(boards: &Tensor, weights: &Tensor, workspace: &Arc<Workspace>) -> Result<Tensor> {
    check(boards, weights)?;
    let op = Convolution {
        workspace: workspace.clone(),
    };
    boards.contiguous()?.apply_op2(weights, op)
}

/// The same on any device, in candle's own operations.
///
/// # Errors
/// If the shapes do not fit.
pub fn convolve_plain(boards: &Tensor, weights: &Tensor) -> Result<Tensor> {
    check(boards, weights)?;
    let (blocks, inputs, _, lanes) = boards.dims4()?;
    let outputs = weights.dim(0)?;
    let neighbours = Tensor::from_vec(neighbours(), winograd::KERNEL * SQUARES, boards.device())?;
    // square 64 is what lies around the board
    let edge = Tensor::zeros((blocks, inputs, 1, lanes), boards.dtype(), boards.device())?;
    let gathered = Tensor::cat(&[boards, &edge], 2)?.index_select(&neighbours, 2)?;
    let gathered = gathered.reshape((blocks, inputs * winograd::KERNEL, SQUARES * lanes))?;
    let weights = weights.reshape((1, outputs, inputs * winograd::KERNEL))?;
    let weights = weights.broadcast_as((blocks, outputs, inputs * winograd::KERNEL))?;
    weights
        .contiguous()?
        .matmul(&gathered)?
        .reshape((blocks, outputs, SQUARES, lanes))
}

/// For each of the nine places of a filter, for each square, the square that lies there; 64 beyond the edge.
fn neighbours() -> Vec<u32> {
    let places = (0..3).flat_map(|down| (0..3).map(move |right| (down - 1, right - 1)));
    places
        .flat_map(|(down, right)| {
            (0..8).flat_map(move |rank: i32| {
                (0..8).map(move |file: i32| {
                    let (rank, file) = (rank + down, file + right);
                    let on_board = (0..8).contains(&rank) && (0..8).contains(&file);
                    if on_board {
                        (rank * 8 + file) as u32
                    } else {
                        SQUARES as u32
                    }
                })
            })
        })
        .collect()
}

fn check(boards: &Tensor, weights: &Tensor) -> Result<()> {
    let (_, inputs, squares, _) = boards.dims4()?;
    let (_, channels, height, width) = weights.dims4()?;
    if (squares, channels, height, width) != (SQUARES, inputs, 3, 3) {
        bail!("filters {:?} for boards {:?}", weights.dims(), boards.dims());
    }
    Ok(())
}

impl CustomOp2 for Convolution {
    fn name(&self) -> &'static str {
        "convolution"
    }

    fn cpu_fwd(
        &self,
        boards: &CpuStorage,
        boards_layout: &Layout,
        weights: &CpuStorage,
        weights_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (blocks, inputs, _, lanes) = boards_layout.shape().dims4()?;
        let outputs = weights_layout.shape().dims4()?.0;
        let filters = Filters::new(floats(weights, weights_layout)?, inputs, outputs);
        let mut results = vec![0f32; blocks * outputs * SQUARES * lanes];
        results
            .par_chunks_mut(outputs * SQUARES * lanes)
            .zip(floats(boards, boards_layout)?.par_chunks(inputs * SQUARES * lanes))
            .for_each(|(results, boards)| filters.convolve(boards, results, &self.workspace));
        Ok((CpuStorage::F32(results), (blocks, outputs, SQUARES, lanes).into()))
    }

    fn bwd(
        &self,
        boards: &Tensor,
        weights: &Tensor,
        _: &Tensor,
        gradients: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let (_, inputs, _, _) = boards.dims4()?;
        let outputs = weights.dim(0)?;
        let filters = with_floats(weights, |weights| Ok(Filters::new(weights, inputs, outputs)))?;
        let (boards_back, sums) = with_floats(boards, |boards_values| {
            with_floats(gradients, |gradients| {
                Ok(self.back(&filters, boards.dims(), boards_values, gradients))
            })
        })?;
        let weights_back = sums.weights(&filters);
        Ok((
            Some(Tensor::from_vec(boards_back, boards.shape(), boards.device())?),
            Some(Tensor::from_vec(weights_back, weights.shape(), weights.device())?),
        ))
    }
}

impl Convolution {
    /// The gradients of the boards, and the sums of those of the filters. Each thread has its share of the blocks, so
    /// that the sums come out the same in every run with as many threads.
    fn back(
        &self,
        filters: &Filters,
        dims: &[usize],
        boards: &[f32],
        gradients: &[f32],
    ) -> (Vec<f32>, FilterGradients) {
        let (blocks, lanes) = (dims[0], dims[3]);
        let block = dims[1] * SQUARES * lanes;
        let result = gradients.len() / blocks;
        let share = blocks.div_ceil(rayon::current_num_threads());
        let mut boards_back = vec![0f32; boards.len()];
        let parts: Vec<FilterGradients> = boards_back
            .par_chunks_mut(share * block)
            .zip(boards.par_chunks(share * block))
            .zip(gradients.par_chunks(share * result))
            .map(|((boards_back, boards), gradients)| {
                let mut sums = FilterGradients::new(filters);
                let blocks = boards.chunks_exact(block).zip(gradients.chunks_exact(result));
                for ((boards, gradients), back) in blocks.zip(boards_back.chunks_exact_mut(block)) {
                    filters.convolve_back(boards, gradients, back, &mut sums, &self.workspace);
                }
                sums
            })
            .collect();
        let mut parts = parts.into_iter();
        let mut sums = parts.next().unwrap_or_else(|| FilterGradients::new(filters));
        parts.for_each(|part| sums.add(&part));
        (boards_back, sums)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::{Device, Var};
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Random numbers in [-1, 1); a regular pattern would cancel out in the sums and leave nothing but rounding.
    fn numbers(count: usize, seed: u64) -> Vec<f32> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        (0..count).map(|_| random.random_range(-1.0..1.0)).collect()
    }

    /// candle's own convolution of the same boards, in its own order.
    fn stock(boards: &Tensor, weights: &Tensor) -> Result<Tensor> {
        let (blocks, inputs, _, lanes) = boards.dims4()?;
        let planes = boards.permute((0, 3, 1, 2))?.contiguous()?;
        let planes = planes.reshape((blocks * lanes, inputs, 8, 8))?;
        let result = planes.conv2d(weights, 1, 1, 1, 1)?;
        let outputs = weights.dim(0)?;
        result
            .reshape((blocks, lanes, outputs, SQUARES))?
            .permute((0, 2, 3, 1))?
            .contiguous()
    }

    /// The largest difference, in units of the largest number.
    fn difference(one: &Tensor, other: &Tensor) -> Result<f32> {
        let largest = |tensor: &Tensor| tensor.abs()?.flatten_all()?.max(0)?.to_scalar::<f32>();
        Ok(largest(&(one - other)?)? / largest(other)?)
    }

    #[test]
    fn values_and_gradients_are_those_of_candle() -> Result<()> {
        for (blocks, inputs, outputs, lanes) in [(1, 3, 5, 1), (3, 16, 8, 16), (2, 5, 7, 3), (3, 64, 64, 32)]
        {
            let device = Device::Cpu;
            let shape = (blocks, inputs, SQUARES, lanes);
            let boards = Var::from_vec(numbers(blocks * inputs * SQUARES * lanes, 1), shape, &device)?;
            let weights = numbers(outputs * inputs * 9, 2);
            let weights = Var::from_vec(weights, (outputs, inputs, 3, 3), &device)?;
            let factor = numbers(blocks * outputs * SQUARES * lanes, 3);
            let factor = Tensor::from_vec(factor, (blocks, outputs, SQUARES, lanes), &device)?;
            let results = [
                stock(&boards, &weights)?,
                convolve(&boards, &weights, &Arc::default())?,
                convolve_plain(&boards, &weights)?,
            ];
            let gradients = results
                .iter()
                .map(|result| (result * &factor)?.sum_all()?.backward())
                .collect::<Result<Vec<_>>>()?;
            for way in 1..3 {
                let found = difference(&results[way], &results[0])?;
                assert!(found < 1e-5, "way {way}, {inputs} to {outputs}: {found}");
                for var in [&boards, &weights] {
                    let [ours, theirs] = [way, 0].map(|way| gradients[way].get(var).unwrap());
                    let found = difference(ours, theirs)?;
                    assert!(found < 1e-5, "way {way}, {inputs} to {outputs}: {found}");
                }
            }
        }
        Ok(())
    }

    #[test]
    fn shapes_that_do_not_fit_are_refused() -> Result<()> {
        let zeros =
            |shape: (usize, usize, usize, usize)| Tensor::zeros(shape, candle_core::DType::F32, &Device::Cpu);
        let boards = zeros((1, 4, 64, 2))?;
        for wrong in [(8, 3, 3, 3), (8, 4, 1, 1)] {
            assert!(convolve(&boards, &zeros(wrong)?, &Arc::default()).is_err());
            assert!(convolve_plain(&boards, &zeros(wrong)?).is_err());
        }
        Ok(())
    }
}
