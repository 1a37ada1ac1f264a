//! Convolutions of boards in training: fast ones for the CPU, forwards and backwards, and a plain one in candle's
//! operations for any device.
//!
//! candle's own backward pass of a convolution is a naive transposed convolution on every device. On the CPU Winograd's
//! filtering does it in both directions ([`crate::nets::cnn::winograd`]), or a matrix unit ([`super::bfloat`]); the plain one gathers the neighbourhood of every square and
//! multiplies once, so that candle knows all gradients itself.
//!
//! Boards are blocks × channels × 64 squares × lanes; block b holds in lane l the position b · lanes + l of the batch.

use super::bfloat::{BfloatFilters, BfloatRoom};
use crate::arch::matrix_unit::MatrixUnit;
use crate::arch::product::product;
use crate::nets::cnn::kernel::{Kernel, matrices};
use crate::nets::cnn::shape::ConvolutionShape;
use crate::nets::cnn::winograd::{BatchRoom, FilterGradients, KERNEL, SQUARES, Workspace};
use candle_core::{Result, Tensor, bail};
use rayon::prelude::*;
use std::sync::Mutex;

/// What goes back through a convolution: all blocks, one after the other.
pub(super) struct Backward<'a> {
    /// The boards that it was given.
    pub boards: &'a [f32],
    /// The gradients of the boards are added here.
    pub boards_back: &'a mut [f32],
    /// Blocks of the batch.
    pub blocks: usize,
}

/// Reusable scratch space for convolutions block by block and for those of whole batches.
#[derive(Debug, Default)]
pub(super) struct Rooms {
    blocks: Workspace,
    batch: Mutex<BatchRoom>,
    bfloat: Mutex<BfloatRoom>,
}

/// Works in a room that one thread has at a time.
fn within<R, T>(room: &Mutex<R>, function: impl FnOnce(&mut R) -> T) -> T {
    // a poisoned lock means that another thread has panicked already
    function(&mut room.lock().expect("no thread panics with the lock"))
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
            TrainedKernel::Single(kernel) => kernel.convolve_all(boards, results, blocks, rooms, after),
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
            TrainedKernel::Single(kernel) => kernel.back(all, outputs, rooms, gradients),
            TrainedKernel::Bfloat(filters) => {
                within(&rooms.bfloat, |room| filters.back(all, room, gradients))
            }
        }
    }
}

impl Kernel {
    /// See [`TrainedKernel::convolve_all`].
    fn convolve_all<T: Send>(
        &self,
        boards: &[f32],
        results: &mut [f32],
        blocks: usize,
        rooms: &Rooms,
        after: impl Fn(&[f32]) -> T + Sync,
    ) -> Vec<T> {
        if let Kernel::Filters(filters) = self
            && filters.suit_batches()
        {
            return within(&rooms.batch, |room| {
                filters.convolve_batch(boards, results, blocks, room, after)
            });
        }
        let (block, result) = (boards.len() / blocks, results.len() / blocks);
        results
            .par_chunks_exact_mut(result)
            .zip(boards.par_chunks_exact(block))
            .map(|(results, boards)| {
                self.convolve(boards, results, &rooms.blocks);
                after(results)
            })
            .collect()
    }

    /// See [`TrainedKernel::back`].
    fn back(
        &self,
        all: Backward,
        outputs: usize,
        rooms: &Rooms,
        gradients: impl Fn(usize, usize, &mut [f32]) + Sync,
    ) -> Vec<f32> {
        match self {
            Kernel::Filters(filters) if filters.suit_batches() => within(&rooms.batch, |room| {
                filters.convolve_batch_back(all.boards, gradients, all.boards_back, all.blocks, room)
            }),
            _ => self.back_by_blocks(all, outputs, rooms, gradients),
        }
    }

    /// Each thread has its share of the blocks, so that the sums come out the same in every run with as many threads.
    fn back_by_blocks(
        &self,
        all: Backward,
        outputs: usize,
        rooms: &Rooms,
        gradients: impl Fn(usize, usize, &mut [f32]) + Sync,
    ) -> Vec<f32> {
        let block = all.boards.len() / all.blocks;
        let share = all.blocks.div_ceil(rayon::current_num_threads());
        let row = SQUARES * self.lanes(block);
        let parts: Vec<Sums> = all
            .boards_back
            .par_chunks_mut(share * block)
            .zip(all.boards.par_chunks(share * block))
            .enumerate()
            .map(|(part, (boards_back, boards))| {
                let mut sums = self.sums();
                let mut of_results = vec![0f32; outputs * row];
                let blocks = boards
                    .chunks_exact(block)
                    .zip(boards_back.chunks_exact_mut(block));
                for (number, (boards, back)) in blocks.enumerate() {
                    for (channel, row) in of_results.chunks_exact_mut(row).enumerate() {
                        gradients(part * share + number, channel, row);
                    }
                    self.block_back(boards, &of_results, back, &mut sums, &rooms.blocks);
                }
                sums
            })
            .collect();
        let sums = parts
            .into_iter()
            .reduce(Sums::plus)
            .unwrap_or_else(|| self.sums());
        match (self, sums) {
            (Kernel::Filters(filters), Sums::Filters(sums)) => sums.weights(filters),
            (_, Sums::Pointwise(sums)) => sums,
            (Kernel::Pointwise(..), Sums::Filters(_)) => unreachable!("sums are made by the kernel"),
        }
    }

    fn sums(&self) -> Sums {
        match self {
            Kernel::Filters(filters) => Sums::Filters(FilterGradients::new(filters)),
            Kernel::Pointwise(_, weights) => Sums::Pointwise(vec![0f32; weights.len()]),
        }
    }

    fn block_back(
        &self,
        boards: &[f32],
        gradients: &[f32],
        back: &mut [f32],
        sums: &mut Sums,
        workspace: &Workspace,
    ) {
        match (self, sums) {
            (Kernel::Filters(filters), Sums::Filters(sums)) => {
                filters.convolve_back(boards, gradients, back, sums, workspace);
            }
            (Kernel::Pointwise(shape, weights), Sums::Pointwise(sums)) => {
                let (weights_shape, inputs, outputs) = matrices(*shape, boards.len());
                product(
                    (sums, weights_shape),
                    (gradients, outputs),
                    (boards, inputs.transposed()),
                    true,
                );
                product(
                    (back, inputs),
                    (weights, weights_shape.transposed()),
                    (gradients, outputs),
                    true,
                );
            }
            _ => unreachable!("sums are made by the kernel"),
        }
    }
}

/// Sums of the gradients of weights over some blocks.
enum Sums {
    Filters(FilterGradients),
    Pointwise(Vec<f32>),
}

impl Sums {
    fn plus(self, other: Sums) -> Sums {
        match (self, other) {
            (Sums::Filters(mut one), Sums::Filters(other)) => {
                one.add(&other);
                Sums::Filters(one)
            }
            (Sums::Pointwise(mut one), Sums::Pointwise(other)) => {
                one.iter_mut().zip(&other).for_each(|(sum, value)| *sum += value);
                Sums::Pointwise(one)
            }
            _ => unreachable!("sums are made by one kernel"),
        }
    }
}

/// Convolves boards (blocks × inputs × 64 × lanes) with weights (outputs × inputs × 3 × 3), with zeros around the board,
/// in candle's own operations.
///
/// # Errors
/// If the shapes do not fit.
pub fn convolve_plain(boards: &Tensor, weights: &Tensor) -> Result<Tensor> {
    check(boards, weights)?;
    let (blocks, inputs, _, lanes) = boards.dims4()?;
    let outputs = weights.dim(0)?;
    let neighbours: Vec<u32> = NEIGHBOURS.as_flattened().iter().map(|&n| n.into()).collect();
    let neighbours = Tensor::from_vec(neighbours, KERNEL * SQUARES, boards.device())?;
    // what lies around the board comes after its squares
    let edge = Tensor::zeros((blocks, inputs, 1, lanes), boards.dtype(), boards.device())?;
    let gathered = Tensor::cat(&[boards, &edge], 2)?.index_select(&neighbours, 2)?;
    let gathered = gathered.reshape((blocks, inputs * KERNEL, SQUARES * lanes))?;
    let weights = weights.reshape((1, outputs, inputs * KERNEL))?;
    let weights = weights.broadcast_as((blocks, outputs, inputs * KERNEL))?;
    weights
        .contiguous()?
        .matmul(&gathered)?
        .reshape((blocks, outputs, SQUARES, lanes))
}

/// What stands in [`NEIGHBOURS`] for a place around the board.
pub(super) const OFF_BOARD: usize = SQUARES;

/// For each of the nine places of a filter, for each square of the board, the square that lies there.
pub(super) static NEIGHBOURS: [[u8; SQUARES]; KERNEL] = {
    let mut neighbours = [[OFF_BOARD as u8; SQUARES]; KERNEL];
    let mut number = 0;
    while number < KERNEL * SQUARES {
        let (place, square) = (number / SQUARES, number % SQUARES);
        // a place left of file a or below rank 1 wraps around to a large number
        let rank = (square / 8 + place / 3).wrapping_sub(1);
        let file = (square % 8 + place % 3).wrapping_sub(1);
        if rank < 8 && file < 8 {
            neighbours[place][square] = (rank * 8 + file) as u8;
        }
        number += 1;
    }
    neighbours
};

fn check(boards: &Tensor, weights: &Tensor) -> Result<()> {
    let (_, inputs, squares, _) = boards.dims4()?;
    let (_, channels, height, width) = weights.dims4()?;
    if (squares, channels, height, width) != (SQUARES, inputs, 3, 3) {
        bail!("filters {:?} for boards {:?}", weights.dims(), boards.dims());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nets::cnn::shape::ConvolutionShape;
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
        let units = [Some(MatrixUnit::portable()), MatrixUnit::of_processor()];
        for unit in units.into_iter().flatten() {
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
