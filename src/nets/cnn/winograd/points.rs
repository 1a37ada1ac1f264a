//! The values at the points of blocks of boards, and how they are laid out for one block and for a batch.

use super::passes::{Walk, Window, from_points, into_points};
use super::transforms::{Input, InputBack, Output, OutputBack, Transform};
use super::{GAP, POINTS, SIDE, SQUARES, TILES};
use crate::arch::product::Matrix;
use rayon::prelude::*;

/// The values at the 36 points of a block or of a batch of blocks, a matrix (channels × columns) for each point. The
/// columns are blocks × tiles × lanes.
#[derive(Debug, Default)]
pub(super) struct Points {
    numbers: Vec<f32>,
    channels: usize,
    lanes: usize,
    blocks: usize,
    strides: Strides,
}

/// Distances in floats.
#[derive(Clone, Copy, Debug, Default)]
struct Strides {
    /// From one point's matrix to the next.
    point: usize,
    /// From one row of a matrix to the next.
    channel: usize,
}

impl Points {
    /// Sets the size for one block, one matrix after the other; the contents are unspecified.
    pub(super) fn resize(&mut self, channels: usize, lanes: usize) {
        let channel = TILES * lanes;
        let point = channels * channel + GAP;
        (self.channels, self.lanes, self.blocks) = (channels, lanes, 1);
        self.strides = Strides { point, channel };
        self.grow(POINTS * point);
    }

    /// Sets the size for a batch, all points of a channel together, so that threads can share out the channels; the
    /// contents are unspecified.
    pub(super) fn resize_for_batch(&mut self, channels: usize, lanes: usize, blocks: usize) {
        let point = blocks * TILES * lanes + GAP;
        let channel = POINTS * point;
        (self.channels, self.lanes, self.blocks) = (channels, lanes, blocks);
        self.strides = Strides { point, channel };
        self.grow(channels * channel);
    }

    fn grow(&mut self, needed: usize) {
        if self.numbers.len() < needed {
            // a new vector: growing the old one would copy contents that nobody needs
            self.numbers = Vec::new();
            self.numbers.resize(needed, 0.0);
        }
    }

    /// The matrix of each point.
    pub(super) fn shape(&self) -> Matrix {
        let columns = self.blocks * TILES * self.lanes;
        Matrix::new(self.channels, columns, self.strides.channel)
    }

    pub(super) fn point(&self, point: usize) -> &[f32] {
        &self.numbers[point * self.strides.point..]
    }

    pub(super) fn point_mut(&mut self, point: usize) -> &mut [f32] {
        let start = point * self.strides.point;
        &mut self.numbers[start..]
    }

    /// So many rows of the matrix of a point, from the first.
    pub(super) fn rows(&self, point: usize, first: usize, rows: usize) -> (&[f32], Matrix) {
        let shape = Matrix { rows, ..self.shape() };
        (&self.point(point)[first * self.strides.channel..], shape)
    }

    /// The rows of a batch's matrices in parts of so many channels, each with the number of its first channel.
    pub(super) fn parts_mut(
        &mut self,
        channels: usize,
    ) -> impl IndexedParallelIterator<Item = (usize, PointsOfChannels<'_>)> {
        let (strides, columns) = (self.strides, self.shape().columns);
        self.numbers[..self.channels * strides.channel]
            .par_chunks_mut(channels * strides.channel)
            .enumerate()
            .map(move |(part, numbers)| {
                let shape = Matrix::new(numbers.len() / strides.channel, columns, strides.channel);
                let points = PointsOfChannels {
                    numbers,
                    shape,
                    stride: strides.point,
                };
                (part * channels, points)
            })
    }
}

/// Some rows of all matrices of a batch.
pub(super) struct PointsOfChannels<'a> {
    numbers: &'a mut [f32],
    /// These rows of the matrix of each point.
    pub(super) shape: Matrix,
    stride: usize,
}

impl PointsOfChannels<'_> {
    pub(super) fn point_mut(&mut self, point: usize) -> &mut [f32] {
        &mut self.numbers[point * self.stride..]
    }
}

impl Points {
    /// From the inputs of a convolution, one block.
    pub(super) fn of_inputs(&mut self, boards: &[f32]) {
        self.fill::<Input, 6>(boards);
    }

    /// From the gradients of its results, one block.
    pub(super) fn of_gradients(&mut self, boards: &[f32]) {
        self.fill::<OutputBack, 4>(boards);
    }

    /// To its results: those of one of the blocks.
    pub(super) fn to_results(&self, block: usize, boards: &mut [f32]) {
        self.empty::<Output, 4, false>(block, boards);
    }

    /// Adds the gradients of its inputs in one of the blocks; on squares that tiles share they add up.
    pub(super) fn add_gradients(&self, block: usize, boards: &mut [f32]) {
        self.empty::<InputBack, 6, true>(block, boards);
    }

    /// From the inputs of a convolution, all blocks of a batch, on all threads.
    pub(super) fn of_batch(&mut self, boards: &[f32]) {
        let board = SQUARES * self.lanes;
        let stride = self.channels * board;
        self.fill_batch::<Input, 6>(|channel, fill| fill(&boards[channel * board..], stride));
    }

    /// From the gradients of its results, on all threads; `write` is given a block, a channel and where its gradients go.
    pub(super) fn of_batch_gradients(&mut self, write: impl Fn(usize, usize, &mut [f32]) + Sync) {
        let board = SQUARES * self.lanes;
        let blocks = self.blocks;
        self.fill_batch::<OutputBack, 4>(|channel, fill| {
            let mut boards = vec![0f32; blocks * board];
            for (block, board) in boards.chunks_exact_mut(board).enumerate() {
                write(block, channel, board);
            }
            fill(&boards, board);
        });
    }

    fn fill<T: Transform<N, SIDE> + Window, const N: usize>(&mut self, boards: &[f32]) {
        let walk = self.over_channels();
        into_points::<T, N>(boards, &mut self.numbers, walk);
    }

    /// For each channel `read` hands over its boards, a board's distance apart, one for each block.
    fn fill_batch<T, const N: usize>(&mut self, read: impl Fn(usize, &mut dyn FnMut(&[f32], usize)) + Sync)
    where
        T: Transform<N, SIDE> + Window,
    {
        let walk = Walk {
            boards: self.blocks,
            lanes: self.lanes,
            board_stride: 0,
            column_stride: TILES * self.lanes,
            point_stride: self.strides.point,
        };
        self.parts_mut(1).for_each(|(channel, points)| {
            let numbers = points.numbers;
            read(channel, &mut |boards, board_stride| {
                into_points::<T, N>(boards, numbers, Walk { board_stride, ..walk });
            });
        });
    }

    fn empty<T, const M: usize, const ADD: bool>(&self, block: usize, boards: &mut [f32])
    where
        T: Transform<SIDE, M> + Window,
    {
        let numbers = &self.numbers[block * TILES * self.lanes..];
        from_points::<T, M, ADD>(numbers, boards, self.over_channels());
    }

    /// Over the channels of one block.
    fn over_channels(&self) -> Walk {
        Walk {
            boards: self.channels,
            lanes: self.lanes,
            board_stride: SQUARES * self.lanes,
            column_stride: self.strides.channel,
            point_stride: self.strides.point,
        }
    }
}
