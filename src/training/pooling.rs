//! The average over the board, in one pass on all threads.

use super::activation::{floats, with_floats};
use crate::evaluation::winograd::SQUARES;
use candle_core::{CpuStorage, CustomOp1, Layout, Result, Shape, Tensor, bail};
use rayon::prelude::*;

struct Pooling;

/// The mean over the squares: blocks × channels × 64 × lanes become blocks × channels × lanes.
///
/// # Errors
/// If the shape is another or the tensor is not plain f32 on the CPU.
pub fn pooled(boards: &Tensor) -> Result<Tensor> {
    if boards.dims4()?.2 != SQUARES {
        bail!("{:?} are no boards", boards.dims());
    }
    boards.apply_op1(Pooling)
}

impl CustomOp1 for Pooling {
    fn name(&self) -> &'static str {
        "pooling"
    }

    fn cpu_fwd(&self, boards: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (blocks, channels, _, lanes) = layout.shape().dims4()?;
        let mut means = vec![0f32; blocks * channels * lanes];
        let boards = floats(boards, layout)?.par_chunks_exact(SQUARES * lanes);
        means
            .par_chunks_exact_mut(lanes)
            .zip(boards)
            .for_each(|(means, board)| {
                for square in board.chunks_exact(lanes) {
                    means
                        .iter_mut()
                        .zip(square)
                        .for_each(|(mean, value)| *mean += value);
                }
                means.iter_mut().for_each(|mean| *mean /= SQUARES as f32);
            });
        Ok((CpuStorage::F32(means), (blocks, channels, lanes).into()))
    }

    fn bwd(&self, boards: &Tensor, _: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        let lanes = boards.dims4()?.3;
        let mut back = vec![0f32; boards.elem_count()];
        with_floats(gradient, |gradient| {
            let gradients = gradient.par_chunks_exact(lanes);
            back.par_chunks_exact_mut(SQUARES * lanes)
                .zip(gradients)
                .for_each(|(board, gradient)| {
                    for square in board.chunks_exact_mut(lanes) {
                        let pairs = square.iter_mut().zip(gradient);
                        pairs.for_each(|(to, gradient)| *to = gradient / SQUARES as f32);
                    }
                });
            Ok(())
        })?;
        Ok(Some(Tensor::from_vec(back, boards.shape(), boards.device())?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::{Device, Var};

    #[test]
    fn means_and_gradients_are_those_of_candle() -> Result<()> {
        let numbers: Vec<f32> = (0..2 * 3 * 64 * 5).map(|n| (n as f32 * 0.77).sin()).collect();
        let boards = Var::from_vec(numbers, (2, 3, 64, 5), &Device::Cpu)?;
        let (ours, theirs) = (pooled(&boards)?, boards.mean(2)?);
        let difference = |a: &Tensor, b: &Tensor| (a - b)?.abs()?.flatten_all()?.max(0)?.to_scalar::<f32>();
        assert!(difference(&ours, &theirs)? < 1e-6);
        let (ours, theirs) = (
            ours.sqr()?.sum_all()?.backward()?,
            theirs.sqr()?.sum_all()?.backward()?,
        );
        assert!(difference(ours.get(&boards).unwrap(), theirs.get(&boards).unwrap())? < 1e-6);
        Ok(())
    }
}
