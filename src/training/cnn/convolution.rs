//! Convolutions of boards in training: fast ones for the CPU, forwards and backwards, and a plain one in candle's
//! operations for any device.
//!
//! candle's own backward pass of a convolution is a naive transposed convolution on every device. On the CPU Winograd's
//! filtering does it in both directions ([`crate::nets::cnn::winograd`]); the plain one gathers the neighbourhood of every
//! square and multiplies once, so that candle knows all gradients itself. A matrix unit has a way of its own
//! (`bfloat`).
//!
//! Boards are blocks × channels × 64 squares × lanes; block b holds in lane l the position b · lanes + l of the batch.

use crate::arch::product::product;
use crate::nets::cnn::kernel::{Kernel, matrices};
use crate::nets::cnn::winograd::{BatchScratch, FilterGradients, KERNEL, SQUARES, Workspace};
use candle_core::{Result, Tensor, bail};
use rayon::prelude::*;
use std::sync::Mutex;

/// The boards of a convolution's backward pass: all blocks, one after the other.
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
    batch: Mutex<BatchScratch>,
}

/// Calls a function with the scratch space locked.
pub(super) fn within<R, T>(room: &Mutex<R>, function: impl FnOnce(&mut R) -> T) -> T {
    // a poisoned lock means that another thread has panicked already
    function(&mut room.lock().expect("no thread panics with the lock"))
}

impl Kernel {
    /// Convolves all blocks, on all threads; returns what `after` makes of each block of results while it is in the cache.
    pub(super) fn convolve_all<T: Send>(
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
