//! The first layer as a sum: of 774 inputs about 30 are set, so the product with the weights is the sum of 30 rows.

use super::activation::{activate, add, descend};
use crate::nets::mlp::shape::Activation;
use crate::training::floats::{floats, with_floats};
use candle_core::{CpuStorage, CustomOp2, Layout, Result, Shape, Tensor, bail};
use pulp::Arch;
use rayon::prelude::*;
use std::sync::Arc;

/// Rows of the batch that one task sums.
const ROWS_PER_TASK: usize = 64;
/// Units whose gradients one task gathers: 774 rows of this many floats fit into the second-level cache.
const UNITS_PER_TASK: usize = 128;

/// Which inputs are set in each row of a batch: row r holds `indices[starts[r]..starts[r + 1]]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SparseRows {
    /// One more than there are rows, ascending from 0.
    pub starts: Vec<u32>,
    /// Numbers of set inputs.
    pub indices: Vec<u16>,
}

impl SparseRows {
    pub fn new() -> SparseRows {
        SparseRows {
            starts: vec![0],
            indices: Vec::new(),
        }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends a row.
    pub fn push(&mut self, row: impl IntoIterator<Item = u16>) {
        self.indices.extend(row);
        self.starts.push(self.indices.len() as u32);
    }

    /// The set inputs of one row.
    #[inline]
    pub fn row(&self, row: usize) -> &[u16] {
        &self.indices[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

/// For weights (inputs × units) and a bias (units): bias plus the weight rows of the set inputs, activated, for each
/// row of the batch; `group` consecutive rows stand side by side in one row of the result.
struct SumOfRows {
    rows: Arc<SparseRows>,
    group: usize,
    activation: Option<Activation>,
}

/// The first layer with its activation, if there is one: for weights (inputs × units) and a bias (units) the result is
/// rows / group × group · units, `group` consecutive rows side by side.
///
/// # Errors
/// If the rows are no multiple of `group`, a set input is beyond the weights, or the tensors are not plain f32 on the
/// CPU.
pub fn sum_of_rows(
    weight: &Tensor,
    bias: &Tensor,
    rows: &Arc<SparseRows>,
    group: usize,
    activation: Option<Activation>,
) -> Result<Tensor> {
    let (inputs, units) = weight.dims2()?;
    if bias.dims() != [units] || !rows.len().is_multiple_of(group) {
        bail!("a bias of {units} and rows in groups of {group} are needed");
    }
    if rows.indices.iter().any(|&index| index as usize >= inputs) {
        bail!("a set input is beyond the {inputs} of the layer");
    }
    let op = SumOfRows {
        rows: rows.clone(),
        group,
        activation,
    };
    weight.apply_op2(bias, op)
}

impl CustomOp2 for SumOfRows {
    fn name(&self) -> &'static str {
        "sum-of-rows"
    }

    fn cpu_fwd(
        &self,
        weight: &CpuStorage,
        weight_layout: &Layout,
        bias: &CpuStorage,
        bias_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (weight, bias) = (floats(weight, weight_layout)?, floats(bias, bias_layout)?);
        let units = bias.len();
        let mut sums = vec![0f32; self.rows.len() * units];
        let arch = Arch::new();
        sums.par_chunks_mut(ROWS_PER_TASK * units)
            .enumerate()
            .for_each(|(task, sums)| {
                arch.dispatch(|| {
                    for (row, sums) in sums.chunks_exact_mut(units).enumerate() {
                        sums.copy_from_slice(bias);
                        add_rows(sums, weight, self.rows.row(task * ROWS_PER_TASK + row));
                        activate(sums, self.activation);
                    }
                })
            });
        let shape = (self.rows.len() / self.group, self.group * units);
        Ok((CpuStorage::F32(sums), shape.into()))
    }

    fn bwd(
        &self,
        weight: &Tensor,
        bias: &Tensor,
        result: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let (inputs, units) = weight.dims2()?;
        let arch = Arch::new();
        let tasks = units.div_ceil(UNITS_PER_TASK);
        let blocks: Vec<Block> = with_floats([result, gradient], |[result, gradient]| {
            let gather = |task| {
                let start = task * UNITS_PER_TASK;
                let mut block = Block::new(start, inputs, UNITS_PER_TASK.min(units - start));
                arch.dispatch(|| block.gather(self, result, gradient, units));
                block
            };
            Ok((0..tasks).into_par_iter().map(gather).collect())
        })?;
        let mut weights = vec![0f32; inputs * units];
        let mut biases = Vec::with_capacity(units);
        for block in &blocks {
            biases.extend_from_slice(&block.bias);
            let rows = block.weight.chunks_exact(block.bias.len());
            for (to, from) in weights.chunks_exact_mut(units).zip(rows) {
                to[block.start..][..from.len()].copy_from_slice(from);
            }
        }
        let device = weight.device();
        Ok((
            Some(Tensor::from_vec(weights, (inputs, units), device)?),
            Some(Tensor::from_vec(biases, bias.shape(), device)?),
        ))
    }
}

/// Adds the rows of a matrix with these numbers to a row.
#[inline(always)]
fn add_rows(sums: &mut [f32], matrix: &[f32], numbers: &[u16]) {
    let width = sums.len();
    for &number in numbers {
        let row = &matrix[number as usize * width..][..width];
        for (sum, value) in sums.iter_mut().zip(row) {
            *sum += value;
        }
    }
}

/// The gradients of some of the units.
struct Block {
    start: usize,
    /// Inputs × units of the block.
    weight: Vec<f32>,
    bias: Vec<f32>,
}

impl Block {
    fn new(start: usize, inputs: usize, width: usize) -> Block {
        Block {
            start,
            weight: vec![0f32; inputs * width],
            bias: vec![0f32; width],
        }
    }

    /// Adds up the gradients of this block over all rows.
    #[inline(always)]
    fn gather(&mut self, op: &SumOfRows, result: &[f32], gradient: &[f32], units: usize) {
        let width = self.bias.len();
        let mut inner = [0f32; UNITS_PER_TASK];
        let inner = &mut inner[..width];
        let rows = result.chunks_exact(units).zip(gradient.chunks_exact(units));
        for (row, (result, gradient)) in rows.enumerate() {
            let span = self.start..self.start + width;
            descend(inner, &result[span.clone()], &gradient[span], op.activation);
            add(&mut self.bias, inner);
            for &index in op.rows.row(row) {
                add(&mut self.weight[index as usize * width..][..width], inner);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::{DType, Device, Var};

    /// Compares values and gradients with the dense product, with and without rows side by side.
    #[test]
    fn agrees_with_the_dense_product() -> Result<()> {
        let (inputs, units) = (20, UNITS_PER_TASK + 3);
        let device = Device::Cpu;
        let numbers =
            |count: usize, step: f32| -> Vec<f32> { (0..count).map(|n| (n as f32 * step).sin()).collect() };
        let weight = Var::from_vec(numbers(inputs * units, 0.7), (inputs, units), &device)?;
        let bias = Var::from_vec(numbers(units, 0.3), units, &device)?;
        let mut rows = SparseRows::new();
        let mut dense = Vec::new();
        for row in 0..6u16 {
            let set: Vec<u16> = (0..20).filter(|n| (n * 7 + row * 3) % 5 < 2).collect();
            dense.extend((0..20).map(|n| set.contains(&n) as u8 as f32));
            rows.push(set);
        }
        let (rows, dense) = (Arc::new(rows), Tensor::from_vec(dense, (6, inputs), &device)?);
        for group in [1, 2] {
            let sparse = sum_of_rows(&weight, &bias, &rows, group, Some(Activation::Relu))?;
            let product = dense.matmul(&weight)?.broadcast_add(&bias)?.relu()?;
            let product = product.reshape((6 / group, group * units))?;
            let difference = |a: &Tensor, b: &Tensor| (a - b)?.abs()?.max_all()?.to_scalar::<f32>();
            assert!(difference(&sparse, &product)? < 1e-5);
            let (one, other) = (
                sparse.sqr()?.sum_all()?.backward()?,
                product.sqr()?.sum_all()?.backward()?,
            );
            for var in [&weight, &bias] {
                let (one, other) = (one.get(var).unwrap(), other.get(var).unwrap());
                assert!(difference(one, other)? < 1e-3, "{one} {other}");
                assert_eq!(one.dtype(), DType::F32);
            }
        }
        Ok(())
    }

    #[test]
    fn wrong_rows_are_refused() -> Result<()> {
        let weight = Tensor::zeros((4, 2), DType::F32, &Device::Cpu)?;
        let bias = Tensor::zeros(2, DType::F32, &Device::Cpu)?;
        let mut rows = SparseRows::new();
        rows.push([1, 4]);
        let sum =
            |rows: &SparseRows, group| sum_of_rows(&weight, &bias, &Arc::new(rows.clone()), group, None);
        assert!(sum(&rows, 1).is_err());
        rows.indices[1] = 3;
        assert!(sum(&rows, 2).is_err());
        assert!(sum(&rows, 1).is_ok());
        Ok(())
    }
}
