//! The weights of a convolution in training, for products in f32 or in bfloat16.

use super::bfloat::{BfloatFilters, BfloatScratch};
use super::convolution;
use super::convolution::{Backward, within};
use crate::arch::matrix_unit::MatrixUnit;
use crate::nets::cnn::kernel::Kernel;
use crate::nets::cnn::shape::ConvolutionShape;
use std::sync::Mutex;

/// Reusable scratch space for products of either kind.
#[derive(Debug, Default)]
pub(super) struct Rooms {
    single: convolution::Rooms,
    bfloat: Mutex<BfloatScratch>,
}

/// The weights of a convolution in training, prepared for the CPU.
#[derive(Debug)]
pub(super) enum TrainedKernel {
    /// Products in f32.
    Single(Kernel),
    /// Products in bfloat16.
    Bfloat(BfloatFilters),
}

impl TrainedKernel {
    /// Prepares weights (outputs × inputs × side × side). A matrix unit, if there is one, multiplies the 3 × 3 filters; the
    /// boards then have as many lanes as its squares have columns.
    pub(super) fn new(weights: &[f32], shape: ConvolutionShape, unit: Option<MatrixUnit>) -> TrainedKernel {
        match unit {
            Some(unit) if shape.side == 3 => TrainedKernel::Bfloat(BfloatFilters::new(weights, shape, unit)),
            _ => TrainedKernel::Single(Kernel::new(weights, shape)),
        }
    }

    /// Takes other weights in the same memory.
    ///
    /// # Panics
    /// If their number differs.
    pub(super) fn set(&mut self, weights: &[f32]) {
        match self {
            TrainedKernel::Single(kernel) => kernel.set(weights),
            TrainedKernel::Bfloat(filters) => filters.set(weights),
        }
    }

    /// Convolves all blocks, on all threads; returns what `after` makes of each block of results.
    pub(super) fn convolve_all<T: Send>(
        &self,
        boards: &[f32],
        results: &mut [f32],
        blocks: usize,
        rooms: &Rooms,
        after: impl Fn(&[f32]) -> T + Sync,
    ) -> Vec<T> {
        match self {
            TrainedKernel::Single(kernel) => {
                kernel.convolve_all(boards, results, blocks, &rooms.single, after)
            }
            TrainedKernel::Bfloat(filters) => within(&rooms.bfloat, |room| {
                filters.convolve(boards, results, room, after)
            }),
        }
    }

    /// Adds the gradients of the boards and returns those of the weights, in their order. `gradients` is given a block and a
    /// channel, and writes the gradients of that board of the convolution's results.
    pub(super) fn back(
        &self,
        all: Backward,
        outputs: usize,
        rooms: &Rooms,
        gradients: impl Fn(usize, usize, &mut [f32]) + Sync,
    ) -> Vec<f32> {
        match self {
            TrainedKernel::Single(kernel) => kernel.back(all, outputs, &rooms.single, gradients),
            TrainedKernel::Bfloat(filters) => {
                within(&rooms.bfloat, |room| filters.back(all, room, gradients))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::convolution::convolve_plain;
    use super::*;
    use crate::nets::cnn::winograd::SQUARES;
    use candle_core::{Device, Result, Tensor, Var};
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
        let result = planes.conv2d(weights, weights.dim(3)? / 2, 1, 1, 1)?;
        let outputs = weights.dim(0)?;
        result
            .reshape((blocks, lanes, outputs, SQUARES))?
            .permute((0, 2, 3, 1))?
            .contiguous()
    }

    /// The largest difference of the first numbers from the second, in units of the largest of these.
    fn distance(one: &[f32], other: &[f32]) -> f32 {
        let largest = |numbers: &mut dyn Iterator<Item = f32>| numbers.fold(0f32, |a, b| a.max(b.abs()));
        let differences = &mut one.iter().zip(other).map(|(a, b)| a - b);
        largest(differences) / largest(&mut other.iter().copied())
    }

    fn floats(tensor: &Tensor) -> Result<Vec<f32>> {
        tensor.flatten_all()?.to_vec1()
    }

    #[test]
    fn values_and_gradients_are_those_of_candle() -> Result<()> {
        let cases = [
            (1, 3, 5, 1, 3),
            (3, 16, 8, 16, 3),
            (2, 5, 7, 3, 3),
            (3, 64, 64, 32, 3),
            // filters enough for a product over the whole batch
            (2, 368, 360, 2, 3),
            (3, 6, 4, 2, 1),
        ];
        for case in cases {
            compare(case, None, 1e-5)?;
        }
        Ok(())
    }

    /// Rounded to 8 bits, a product errs by up to 2⁻⁸ of itself, and a sum of random ones by far less than the largest sum.
    #[test]
    fn values_and_gradients_in_bfloat16_are_nearly_those_of_candle() -> Result<()> {
        for unit in MatrixUnit::all() {
            for (blocks, inputs, outputs) in [(1, 3, 5), (3, 16, 33), (2, 64, 32), (2, 50, 70)] {
                compare((blocks, inputs, outputs, 32, 3), Some(unit), 5e-3)?;
            }
        }
        Ok(())
    }

    /// Compares a convolution of blocks, inputs, outputs, lanes and side with candle's.
    fn compare(
        (blocks, inputs, outputs, lanes, side): (usize, usize, usize, usize, usize),
        unit: Option<MatrixUnit>,
        tolerance: f32,
    ) -> Result<()> {
        let device = Device::Cpu;
        let shape = ConvolutionShape {
            inputs,
            outputs,
            side,
            shortcut: false,
            gate: None,
        };
        let numbers_of_boards = numbers(blocks * inputs * SQUARES * lanes, 1);
        let boards = Var::from_vec(
            numbers_of_boards.clone(),
            (blocks, inputs, SQUARES, lanes),
            &device,
        )?;
        let numbers_of_weights = numbers(shape.weights(), 2);
        let weights = Var::from_vec(numbers_of_weights.clone(), (outputs, inputs, side, side), &device)?;
        let factors = numbers(blocks * outputs * SQUARES * lanes, 3);
        let factor = Tensor::from_vec(factors.clone(), (blocks, outputs, SQUARES, lanes), &device)?;
        let wanted = stock(&boards, &weights)?;
        let gradients = (&wanted * &factor)?.sum_all()?.backward()?;
        let [boards_wanted, weights_wanted] =
            [&boards, &weights].map(|var| floats(gradients.get(var).unwrap()));
        let (boards_wanted, weights_wanted) = (boards_wanted?, weights_wanted?);

        let kernel = TrainedKernel::new(&numbers_of_weights, shape, unit);
        let rooms = Rooms::default();
        let mut found = vec![0f32; factors.len()];
        kernel.convolve_all(&numbers_of_boards, &mut found, blocks, &rooms, |_| ());
        let mut back = vec![0f32; numbers_of_boards.len()];
        let all = Backward {
            boards: &numbers_of_boards,
            boards_back: &mut back,
            blocks,
        };
        let board = SQUARES * lanes;
        let sums = kernel.back(all, outputs, &rooms, |block, channel, to| {
            to.copy_from_slice(&factors[(block * outputs + channel) * board..][..board]);
        });
        let pairs = [
            (found, floats(&wanted)?),
            (back, boards_wanted),
            (sums, weights_wanted),
        ];
        for (place, (found, wanted)) in pairs.iter().enumerate() {
            let distance = distance(found, wanted);
            assert!(distance < tolerance, "{shape:?}, {unit:?}, {place}: {distance}");
        }
        if side == 3 {
            let plain = convolve_plain(&boards, &weights)?;
            let plain_back = (&plain * &factor)?.sum_all()?.backward()?;
            assert!(distance(&floats(&plain)?, &pairs[0].1) < 1e-5);
            for (var, (_, wanted)) in [&boards, &weights].into_iter().zip(&pairs[1..]) {
                assert!(distance(&floats(plain_back.get(var).unwrap())?, wanted) < 1e-5);
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
            assert!(convolve_plain(&boards, &zeros(wrong)?).is_err());
        }
        Ok(())
    }
}
