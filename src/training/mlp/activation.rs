//! Bias and activation in one pass over a batch, and their gradients in another.
//!
//! candle's own operations make a new tensor for each of the sum, the comparison, the mask and their gradients, and
//! run on one thread; in a narrow network that takes longer than the products.

use crate::nets::mlp::shape::Activation;
use crate::training::floats::{floats, with_floats};
use candle_core::{CpuStorage, CustomOp2, Layout, Result, Shape, Tensor, bail};
use pulp::Arch;
use rayon::prelude::*;
use std::sync::Arc;

/// Floats that one task handles, about.
const FLOATS_PER_TASK: usize = 1 << 16;

/// `activation(x + bias)`, of one block of each row where there are buckets.
struct Activated {
    activation: Option<Activation>,
    buckets: Arc<Vec<u8>>,
    blocks: usize,
}

/// Takes from each row of `x` (rows × blocks · units) the block that `buckets` names for it, adds that block of the
/// bias (blocks · units) and applies the activation, if there is one: rows × units. `buckets` is not read where there
/// is one block only.
///
/// # Errors
/// If the shapes do not fit, a bucket has no block, or a tensor is not plain f32 on the CPU.
pub fn activated(
    x: &Tensor,
    bias: &Tensor,
    activation: Option<Activation>,
    buckets: &Arc<Vec<u8>>,
    blocks: usize,
) -> Result<Tensor> {
    let (rows, width) = x.dims2()?;
    if bias.dims() != [width] || !width.is_multiple_of(blocks) {
        bail!(
            "a bias of {:?} in {blocks} blocks for rows of {width}",
            bias.dims()
        );
    }
    if blocks > 1 && (buckets.len() != rows || buckets.iter().any(|&bucket| bucket as usize >= blocks)) {
        bail!("{} buckets for {rows} rows of {blocks} blocks", buckets.len());
    }
    let op = Activated {
        activation,
        buckets: buckets.clone(),
        blocks,
    };
    x.apply_op2(bias, op)
}

impl Activated {
    /// Where the block of a row begins in it.
    #[inline(always)]
    fn start(&self, row: usize, units: usize) -> usize {
        if self.blocks == 1 {
            0
        } else {
            self.buckets[row] as usize * units
        }
    }

    /// The gradients before the activation, and their sums over the rows, in the same order whatever the threads.
    fn gradients(&self, result: &[f32], gradient: &[f32], units: usize) -> (Vec<f32>, Vec<f32>) {
        let (width, rows_per_task) = (units * self.blocks, rows_per_task(units));
        let mut inner = vec![0f32; result.len() * self.blocks];
        let arch = Arch::new();
        let parts: Vec<Vec<f32>> = inner
            .par_chunks_mut(rows_per_task * width)
            .zip(result.par_chunks(rows_per_task * units))
            .zip(gradient.par_chunks(rows_per_task * units))
            .enumerate()
            .map(|(task, ((inner, result), gradient))| {
                let mut sums = vec![0f32; width];
                arch.dispatch(|| {
                    let rows = inner.chunks_exact_mut(width).zip(result.chunks_exact(units));
                    for (row, ((inner, result), gradient)) in
                        rows.zip(gradient.chunks_exact(units)).enumerate()
                    {
                        let start = self.start(task * rows_per_task + row, units);
                        let inner = &mut inner[start..start + units];
                        descend(inner, result, gradient, self.activation);
                        add(&mut sums[start..start + units], inner);
                    }
                });
                sums
            })
            .collect();
        let mut sums = vec![0f32; width];
        parts.iter().for_each(|part| add(&mut sums, part));
        (inner, sums)
    }
}

impl CustomOp2 for Activated {
    fn name(&self) -> &'static str {
        "bias-and-activation"
    }

    fn cpu_fwd(
        &self,
        x: &CpuStorage,
        x_layout: &Layout,
        bias: &CpuStorage,
        bias_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (x, bias) = (floats(x, x_layout)?, floats(bias, bias_layout)?);
        let width = bias.len();
        let (units, rows) = (width / self.blocks, x.len() / width.max(1));
        let rows_per_task = rows_per_task(units);
        let mut results = vec![0f32; rows * units];
        let arch = Arch::new();
        results
            .par_chunks_mut(rows_per_task * units)
            .zip(x.par_chunks(rows_per_task * width))
            .enumerate()
            .for_each(|(task, (results, x))| {
                arch.dispatch(|| {
                    let rows = results.chunks_exact_mut(units).zip(x.chunks_exact(width));
                    for (row, (results, x)) in rows.enumerate() {
                        let start = self.start(task * rows_per_task + row, units);
                        results.copy_from_slice(&x[start..start + units]);
                        add(results, &bias[start..start + units]);
                        activate(results, self.activation);
                    }
                });
            });
        Ok((CpuStorage::F32(results), (rows, units).into()))
    }

    fn bwd(
        &self,
        x: &Tensor,
        bias: &Tensor,
        result: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let units = result.dims2()?.1;
        let (inner, sums) = with_floats(result, |result| {
            with_floats(gradient, |gradient| Ok(self.gradients(result, gradient, units)))
        })?;
        Ok((
            Some(Tensor::from_vec(inner, x.shape(), x.device())?),
            Some(Tensor::from_vec(sums, bias.shape(), x.device())?),
        ))
    }
}

fn rows_per_task(units: usize) -> usize {
    (FLOATS_PER_TASK / units.max(1)).max(1)
}

/// Adds numbers to numbers.
#[inline(always)]
pub(super) fn add(to: &mut [f32], from: &[f32]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += from;
    }
}

/// Applies the activation; one loop for each, so that every one becomes vector code.
#[inline(always)]
pub(super) fn activate(row: &mut [f32], activation: Option<Activation>) {
    match activation {
        None => {}
        Some(Activation::Relu) => row.iter_mut().for_each(|x| *x = x.max(0.0)),
        Some(Activation::ClippedRelu) => row.iter_mut().for_each(|x| *x = x.clamp(0.0, 1.0)),
        Some(Activation::SquaredClippedRelu) => row.iter_mut().for_each(|x| {
            let clipped = x.clamp(0.0, 1.0);
            *x = clipped * clipped;
        }),
    }
}

/// The gradient before the activation from the result after it.
#[inline(always)]
pub(super) fn descend(inner: &mut [f32], result: &[f32], gradient: &[f32], activation: Option<Activation>) {
    let items = inner.iter_mut().zip(result).zip(gradient);
    let open = |y: f32| y > 0.0 && y < 1.0;
    match activation {
        None => inner.copy_from_slice(gradient),
        Some(Activation::Relu) => items.for_each(|((x, &y), &g)| *x = if y > 0.0 { g } else { 0.0 }),
        Some(Activation::ClippedRelu) => items.for_each(|((x, &y), &g)| *x = if open(y) { g } else { 0.0 }),
        // y is the square of the clipped value, and the slope of a square is twice its root
        Some(Activation::SquaredClippedRelu) => {
            items.for_each(|((x, &y), &g)| *x = if open(y) { 2.0 * y.sqrt() * g } else { 0.0 })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nets::mlp::reference;
    use candle_core::{Device, Var};

    fn numbers(count: usize, step: f32) -> Vec<f32> {
        (0..count).map(|n| 1.6 * (n as f32 * step).sin()).collect()
    }

    #[test]
    fn agrees_with_candles_own_operations() -> Result<()> {
        let (rows, units) = (rows_per_task(40) + 5, 40);
        let device = Device::Cpu;
        let x = Var::from_vec(numbers(rows * units, 0.37), (rows, units), &device)?;
        let bias = Var::from_vec(numbers(units, 0.9), units, &device)?;
        let factor = Tensor::from_vec(numbers(rows * units, 0.11), (rows, units), &device)?;
        let difference = |a: &Tensor, b: &Tensor| (a - b)?.abs()?.max_all()?.to_scalar::<f32>();
        for activation in [
            Activation::Relu,
            Activation::ClippedRelu,
            Activation::SquaredClippedRelu,
        ] {
            let ours = activated(&x, &bias, Some(activation), &Arc::default(), 1)?;
            let theirs = reference::activate(&x.broadcast_add(&bias)?, activation)?;
            assert!(difference(&ours, &theirs)? < 1e-6);
            let ours = (ours * &factor)?.sum_all()?.backward()?;
            let theirs = (theirs * &factor)?.sum_all()?.backward()?;
            for (var, bound) in [(&x, 1e-5), (&bias, 2e-3)] {
                let found = difference(ours.get(var).unwrap(), theirs.get(var).unwrap())?;
                assert!(found < bound, "{activation:?}: {found}");
            }
        }
        Ok(())
    }

    #[test]
    fn each_row_takes_its_block() -> Result<()> {
        let device = Device::Cpu;
        let x = Var::from_vec(vec![1f32, 2., 3., 4., 5., 6., 7., 8.], (2, 4), &device)?;
        let bias = Var::from_vec(vec![10f32, 20., 30., 40.], 4, &device)?;
        let buckets = Arc::new(vec![1, 0]);
        let result = activated(&x, &bias, None, &buckets, 2)?;
        assert_eq!(result.to_vec2::<f32>()?, [[33., 44.], [15., 26.]]);
        let gradients = result.sqr()?.sum_all()?.backward()?;
        let of = |var: &Var| gradients.get(var).unwrap().flatten_all()?.to_vec1::<f32>();
        assert_eq!(of(&x)?, [0., 0., 66., 88., 30., 52., 0., 0.]);
        assert_eq!(of(&bias)?, [30., 52., 66., 88.]);
        assert!(activated(&x, &bias, None, &Arc::new(vec![1, 2]), 2).is_err());
        assert!(activated(&x, &bias, None, &Arc::new(vec![1]), 2).is_err());
        Ok(())
    }
}
