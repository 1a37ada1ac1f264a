//! A layer with buckets: each position is multiplied by the weights of its bucket alone.
//!
//! One product with the weights of all buckets, of which each row then keeps one block, does eight times the work.

use super::activation::{activate, add, descend};
use crate::arch::product::{Matrix, product};
use crate::nets::mlp::shape::Activation;
use crate::training::floats::{floats, with_floats};
use candle_core::{CpuStorage, CustomOp3, Layout, Result, Shape, Tensor, bail};
use pulp::Arch;
use rayon::prelude::*;
use std::sync::Arc;

/// Positions that are gathered for one product: their inputs stay in the second-level cache.
const GATHERED: usize = 128;

/// `activation(x · weight + bias)` with the block of the weights and of the bias that each row's bucket names.
struct Bucketed {
    activation: Option<Activation>,
    buckets: Arc<Vec<u8>>,
    blocks: usize,
}

/// For `x` (rows × inputs), weights (inputs × blocks · units) and a bias (blocks · units): rows × units, each row from the
/// block that `buckets` names for it.
///
/// # Errors
/// If the shapes do not fit, a bucket has no block, or a tensor is not plain f32 on the CPU.
pub fn bucketed(
    x: &Tensor,
    weight: &Tensor,
    bias: &Tensor,
    activation: Option<Activation>,
    buckets: &Arc<Vec<u8>>,
    blocks: usize,
) -> Result<Tensor> {
    let (rows, inputs) = x.dims2()?;
    let (weight_rows, width) = weight.dims2()?;
    if weight_rows != inputs || bias.dims() != [width] || !width.is_multiple_of(blocks) {
        bail!(
            "weights of {weight_rows} × {width} and a bias of {:?} in {blocks} blocks for {inputs} inputs",
            bias.dims()
        );
    }
    if buckets.len() != rows || buckets.iter().any(|&bucket| bucket as usize >= blocks) {
        bail!("{} buckets for {rows} rows of {blocks} blocks", buckets.len());
    }
    let op = Bucketed {
        activation,
        buckets: buckets.clone(),
        blocks,
    };
    x.apply_op3(weight, bias, op)
}

impl Bucketed {
    /// The rows of a matrix `width` wide, grouped by their blocks, each with its number.
    fn by_block<'a>(&self, matrix: &'a mut [f32], width: usize) -> Vec<Vec<(usize, &'a mut [f32])>> {
        let mut blocks: Vec<Vec<_>> = (0..self.blocks).map(|_| Vec::new()).collect();
        for (row, numbers) in matrix.chunks_exact_mut(width).enumerate() {
            blocks[self.buckets[row] as usize].push((row, numbers));
        }
        blocks
    }
}

/// The sizes of a layer.
#[derive(Clone, Copy)]
struct Sizes {
    inputs: usize,
    /// Outputs of one block.
    units: usize,
    /// Outputs of all of them.
    width: usize,
}

impl Sizes {
    /// Where a block of the weights begins, and its shape.
    fn block(self, number: usize) -> (usize, Matrix) {
        let Sizes { inputs, units, width } = self;
        (number * units, Matrix::new(inputs, units, width))
    }
}

/// The gradients of one block.
struct Gradients {
    /// Inputs × units.
    weight: Vec<f32>,
    bias: Vec<f32>,
}

/// Copies rows of a matrix `width` wide into `to`, one after the other.
fn gather(rows: &[(usize, &mut [f32])], matrix: &[f32], width: usize, to: &mut Vec<f32>) {
    to.clear();
    for (row, _) in rows {
        to.extend_from_slice(&matrix[row * width..][..width]);
    }
}

impl CustomOp3 for Bucketed {
    fn name(&self) -> &'static str {
        "bucketed-layer"
    }

    fn cpu_fwd(
        &self,
        x: &CpuStorage,
        x_layout: &Layout,
        weight: &CpuStorage,
        weight_layout: &Layout,
        bias: &CpuStorage,
        bias_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let x = floats(x, x_layout)?;
        let (weight, bias) = (floats(weight, weight_layout)?, floats(bias, bias_layout)?);
        let (rows, inputs) = (self.buckets.len(), x.len() / self.buckets.len().max(1));
        let (width, units) = (bias.len(), bias.len() / self.blocks);
        let sizes = Sizes { inputs, units, width };
        let mut results = vec![0f32; rows * units];
        let arch = Arch::new();
        self.by_block(&mut results, units)
            .into_par_iter()
            .enumerate()
            .for_each(|(number, mut members)| {
                let (start, block) = sizes.block(number);
                let (mut gathered, mut sums) = (Vec::new(), vec![0f32; GATHERED * units]);
                for members in members.chunks_mut(GATHERED) {
                    gather(members, x, inputs, &mut gathered);
                    product(
                        (&mut sums, Matrix::new(members.len(), units, units)),
                        (&gathered, Matrix::new(members.len(), inputs, inputs)),
                        (&weight[start..], block),
                        false,
                    );
                    arch.dispatch(|| {
                        for ((_, result), sums) in members.iter_mut().zip(sums.chunks_exact(units)) {
                            result.copy_from_slice(sums);
                            add(result, &bias[start..start + units]);
                            activate(result, self.activation);
                        }
                    });
                }
            });
        Ok((CpuStorage::F32(results), (rows, units).into()))
    }

    fn bwd(
        &self,
        x: &Tensor,
        weight: &Tensor,
        bias: &Tensor,
        result: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let (inputs, width) = weight.dims2()?;
        let units = width / self.blocks;
        let sizes = Sizes { inputs, units, width };
        let mut descended = vec![0f32; x.elem_count()];
        let members = self.by_block(&mut descended, inputs);
        let tensors = [x, weight, result, gradient];
        let blocks: Vec<Gradients> = with_floats(tensors, |[x, weight, result, gradient]| {
            let of_block = |(number, members)| {
                self.gradients_of_block(number, members, sizes, (x, weight), (result, gradient))
            };
            Ok(members.into_par_iter().enumerate().map(of_block).collect())
        })?;
        let mut weights = vec![0f32; inputs * width];
        for (number, block) in blocks.iter().enumerate() {
            let rows = weights.chunks_exact_mut(width);
            for (to, from) in rows.zip(block.weight.chunks_exact(units)) {
                to[number * units..][..units].copy_from_slice(from);
            }
        }
        let biases = blocks.into_iter().flat_map(|block| block.bias).collect();
        let device = x.device();
        Ok((
            Some(Tensor::from_vec(descended, x.shape(), device)?),
            Some(Tensor::from_vec(weights, weight.shape(), device)?),
            Some(Tensor::from_vec(biases, bias.shape(), device)?),
        ))
    }
}

impl Bucketed {
    /// The gradients of one block's weights and bias; those of its rows of `x` go to `members`.
    fn gradients_of_block(
        &self,
        number: usize,
        mut members: Vec<(usize, &mut [f32])>,
        sizes: Sizes,
        (x, weight): (&[f32], &[f32]),
        (result, gradient): (&[f32], &[f32]),
    ) -> Gradients {
        let Sizes { inputs, units, .. } = sizes;
        let (start, block) = sizes.block(number);
        let mut sums = Gradients {
            weight: vec![0f32; inputs * units],
            bias: vec![0f32; units],
        };
        let (mut gathered, mut back) = (Vec::new(), vec![0f32; GATHERED * inputs]);
        let mut inner = vec![0f32; GATHERED * units];
        let arch = Arch::new();
        for members in members.chunks_mut(GATHERED) {
            let rows = members.len();
            gather(members, x, inputs, &mut gathered);
            arch.dispatch(|| {
                for ((row, _), inner) in members.iter().zip(inner.chunks_exact_mut(units)) {
                    let span = row * units..(row + 1) * units;
                    descend(inner, &result[span.clone()], &gradient[span], self.activation);
                    add(&mut sums.bias, inner);
                }
            });
            let (x_shape, inner_shape) = (Matrix::new(rows, inputs, inputs), Matrix::new(rows, units, units));
            product(
                (&mut sums.weight, Matrix::new(inputs, units, units)),
                (&gathered, x_shape.transposed()),
                (&inner, inner_shape),
                true,
            );
            product(
                (&mut back, x_shape),
                (&inner, inner_shape),
                (&weight[start..], block.transposed()),
                false,
            );
            for ((_, to), from) in members.iter_mut().zip(back.chunks_exact(inputs)) {
                to.copy_from_slice(from);
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nets::mlp::reference;
    use candle_core::{Device, Var};

    /// Compares values and gradients with the product of every block, of which each row keeps its own.
    #[test]
    fn agrees_with_candles_own_operations() -> Result<()> {
        let (rows, inputs, units, blocks) = (2 * GATHERED + 9, 20, 6, 3);
        let device = Device::Cpu;
        let numbers =
            |count: usize, step: f32| -> Vec<f32> { (0..count).map(|n| (n as f32 * step).sin()).collect() };
        let var =
            |shape: (usize, usize), step| Var::from_vec(numbers(shape.0 * shape.1, step), shape, &device);
        let (x, weight) = (var((rows, inputs), 0.37)?, var((inputs, blocks * units), 0.73)?);
        let bias = Var::from_vec(numbers(blocks * units, 0.9), blocks * units, &device)?;
        let factor = Tensor::from_vec(numbers(rows * units, 0.11), (rows, units), &device)?;
        // one block has no row
        let buckets: Vec<u8> = (0..rows).map(|row| 2 * (row % 5 == 0) as u8).collect();
        let index = Tensor::from_vec(
            buckets.iter().map(|&b| b.into()).collect::<Vec<u32>>(),
            (rows, 1, 1),
            &device,
        )?;
        let buckets = Arc::new(buckets);
        let difference = |a: &Tensor, b: &Tensor| (a - b)?.abs()?.max_all()?.to_scalar::<f32>();
        for activation in [Activation::Relu, Activation::SquaredClippedRelu] {
            let ours = bucketed(&x, &weight, &bias, Some(activation), &buckets, blocks)?;
            let all = x
                .matmul(&weight)?
                .broadcast_add(&bias)?
                .reshape((rows, blocks, units))?;
            let index = index.broadcast_as((rows, 1, units))?.contiguous()?;
            let theirs = reference::activate(&all.gather(&index, 1)?.squeeze(1)?, activation)?;
            assert!(difference(&ours, &theirs)? < 1e-5);
            let ours = (ours * &factor)?.sum_all()?.backward()?;
            let theirs = (theirs * &factor)?.sum_all()?.backward()?;
            for var in [&x, &weight, &bias] {
                let found = difference(ours.get(var).unwrap(), theirs.get(var).unwrap())?;
                assert!(found < 1e-3, "{activation:?}: {found}");
            }
        }
        Ok(())
    }

    #[test]
    fn buckets_without_a_block_are_refused() -> Result<()> {
        let ones = |shape: (usize, usize)| Tensor::ones(shape, candle_core::DType::F32, &Device::Cpu);
        let (x, weight, bias) = (ones((2, 3))?, ones((3, 4))?, ones((4, 1))?.flatten_all()?);
        let layer = |buckets: Vec<u8>| bucketed(&x, &weight, &bias, None, &Arc::new(buckets), 2);
        assert_eq!(layer(vec![1, 0])?.dims(), [2, 2]);
        assert!(layer(vec![1, 2]).is_err());
        assert!(layer(vec![1]).is_err());
        Ok(())
    }
}
