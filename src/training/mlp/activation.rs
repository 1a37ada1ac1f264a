//! Bias and activation in one pass over a batch, and their gradients in another.
//!
//! candle's own operations make a new tensor for each of the sum, the comparison, the mask and their gradients, and
//! run on one thread; in a narrow network that takes longer than the products.

use crate::nets::mlp::shape::Activation;
use crate::training::floats::{floats, with_floats};
use candle_core::{CpuStorage, CustomOp2, Layout, Result, Shape, Tensor, bail};
use pulp::Arch;
use rayon::prelude::*;

/// Floats that one task handles, about.
const FLOATS_PER_TASK: usize = 1 << 16;

/// `activation(x + bias)`.
struct Activated(Option<Activation>);

/// Adds the bias (units) to each row of `x` (rows × units) and applies the activation, if there is one.
///
/// # Errors
/// If the shapes do not fit, or a tensor is not plain f32 on the CPU.
pub fn activated(x: &Tensor, bias: &Tensor, activation: Option<Activation>) -> Result<Tensor> {
    let (_, units) = x.dims2()?;
    if bias.dims() != [units] {
        bail!("a bias of {:?} for rows of {units}", bias.dims());
    }
    x.apply_op2(bias, Activated(activation))
}

impl Activated {
    /// The gradients before the activation, and their sums over the rows, in the same order whatever the threads.
    fn gradients(&self, result: &[f32], gradient: &[f32], units: usize) -> (Vec<f32>, Vec<f32>) {
        let task = rows_per_task(units) * units;
        let mut inner = vec![0f32; result.len()];
        let arch = Arch::new();
        let parts: Vec<Vec<f32>> = inner
            .par_chunks_mut(task)
            .zip(result.par_chunks(task))
            .zip(gradient.par_chunks(task))
            .map(|((inner, result), gradient)| {
                let mut sums = vec![0f32; units];
                arch.dispatch(|| {
                    descend(inner, result, gradient, self.0);
                    inner.chunks_exact(units).for_each(|row| add(&mut sums, row));
                });
                sums
            })
            .collect();
        let mut sums = vec![0f32; units];
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
        let units = bias.len();
        let task = rows_per_task(units) * units;
        let mut results = vec![0f32; x.len()];
        let arch = Arch::new();
        results
            .par_chunks_mut(task)
            .zip(x.par_chunks(task))
            .for_each(|(results, x)| {
                arch.dispatch(|| {
                    results.copy_from_slice(x);
                    results.chunks_exact_mut(units).for_each(|row| add(row, bias));
                    activate(results, self.0);
                });
            });
        Ok((CpuStorage::F32(results), x_layout.shape().clone()))
    }

    fn bwd(
        &self,
        x: &Tensor,
        bias: &Tensor,
        result: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let units = result.dims2()?.1;
        let (inner, sums) = with_floats([result, gradient], |[result, gradient]| {
            Ok(self.gradients(result, gradient, units))
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
            let ours = activated(&x, &bias, Some(activation))?;
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
}
