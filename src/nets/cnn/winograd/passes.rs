//! The passes between boards and points, for any vector width.

#![expect(
    clippy::needless_range_loop,
    reason = "rows and columns name places in several arrays at once"
)]

use super::transforms::{Input, InputBack, Lanes, Output, OutputBack, Transform, both_ways};
use super::{GAP, POINTS, SIDE, SQUARES, TILES};
use crate::arch::product::Matrix;
use pulp::{Arch, Scalar, Simd, WithSimd};
use std::marker::PhantomData;

/// The values at the 36 points of a block, one matrix (channels × tiles · lanes) for each point.
#[derive(Debug, Default)]
pub(super) struct Points {
    numbers: Vec<f32>,
    channels: usize,
    lanes: usize,
}

impl Points {
    /// Sets the size; the contents are unspecified.
    pub(super) fn resize(&mut self, channels: usize, lanes: usize) {
        (self.channels, self.lanes) = (channels, lanes);
        let needed = POINTS * self.stride();
        if self.numbers.len() < needed {
            self.numbers.resize(needed, 0.0);
        }
    }

    /// Floats from one point's matrix to the next.
    fn stride(&self) -> usize {
        self.channels * TILES * self.lanes + GAP
    }

    /// The channels, the lanes and the stride between points, the last two counted in registers.
    #[inline(always)]
    fn in_registers<S: Simd>(&self) -> (usize, usize, usize) {
        (
            self.channels,
            self.lanes / S::F32_LANES,
            self.stride() / S::F32_LANES,
        )
    }

    pub(super) fn shape(&self) -> Matrix {
        let columns = TILES * self.lanes;
        Matrix::new(self.channels, columns, columns)
    }

    pub(super) fn point(&self, point: usize) -> &[f32] {
        &self.numbers[point * self.stride()..]
    }

    pub(super) fn point_mut(&mut self, point: usize) -> &mut [f32] {
        let start = point * self.stride();
        &mut self.numbers[start..]
    }

    /// Writes the points of a tile, `place` registers after the beginning of each matrix.
    #[inline(always)]
    fn put<S: Simd>(numbers: &mut [S::f32s], stride: usize, place: usize, points: [[Lanes<S>; SIDE]; SIDE]) {
        for row in 0..SIDE {
            for column in 0..SIDE {
                numbers[(row * SIDE + column) * stride + place] = points[row][column].1;
            }
        }
    }

    /// Reads the points of a tile.
    #[inline(always)]
    fn get<S: Simd>(simd: S, numbers: &[S::f32s], stride: usize, place: usize) -> [[Lanes<S>; SIDE]; SIDE] {
        let mut points = [[Lanes::zero(simd); SIDE]; SIDE];
        for row in 0..SIDE {
            for column in 0..SIDE {
                points[row][column] = Lanes(simd, numbers[(row * SIDE + column) * stride + place]);
            }
        }
        points
    }
}

/// The squares of the board that a tile covers.
trait Window {
    /// By row and column in the tile; `None` beyond the edge of the board.
    fn square(tile: usize, row: usize, column: usize) -> Option<usize>;
}

/// The 6 × 6 inputs of a tile.
#[inline(always)]
fn input_square(tile: usize, row: usize, column: usize) -> Option<usize> {
    let (row, column) = (tile / 2 * 4 + row, tile % 2 * 4 + column);
    let inside = (1..9).contains(&row) && (1..9).contains(&column);
    inside.then(|| (row - 1) * 8 + column - 1)
}

/// The 4 × 4 results of a tile.
#[inline(always)]
fn result_square(tile: usize, row: usize, column: usize) -> Option<usize> {
    Some((tile / 2 * 4 + row) * 8 + tile % 2 * 4 + column)
}

macro_rules! windows {
    ($($transform:ty: $square:ident),+) => {
        $(impl Window for $transform {
            #[inline(always)]
            fn square(tile: usize, row: usize, column: usize) -> Option<usize> {
                $square(tile, row, column)
            }
        })+
    };
}

windows!(Input: input_square, InputBack: input_square, Output: result_square, OutputBack: result_square);

/// Work along the lanes of blocks, generic over the vector width.
pub(super) trait Pass {
    fn run<S: Simd>(self, simd: S);
}

/// Runs a pass with this processor's vector registers, or in scalars if the lanes do not fill them.
pub(super) struct ByLanes<P> {
    pass: P,
    lanes: usize,
}

impl<P: Pass> ByLanes<P> {
    pub(super) fn run(pass: P, lanes: usize) {
        Arch::new().dispatch(ByLanes { pass, lanes });
    }
}

impl<P: Pass> WithSimd for ByLanes<P> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        if self.lanes.is_multiple_of(S::F32_LANES) {
            self.pass.run(simd);
        } else {
            self.pass.run(Scalar::new());
        }
    }
}

/// Boards (channels × 64 × lanes) to points, by a transform of tiles of N × N.
struct IntoPoints<'a, T, const N: usize> {
    boards: &'a [f32],
    points: &'a mut Points,
    transform: PhantomData<T>,
}

impl<T: Transform<N, SIDE> + Window, const N: usize> Pass for IntoPoints<'_, T, N> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let (channels, lanes, stride) = self.points.in_registers::<S>();
        let boards = S::as_simd_f32s(self.boards).0;
        let numbers = S::as_mut_simd_f32s(&mut self.points.numbers).0;
        for channel in 0..channels {
            let board = &boards[channel * SQUARES * lanes..][..SQUARES * lanes];
            for tile in 0..TILES {
                for lane in 0..lanes {
                    let mut window = [[Lanes::zero(simd); N]; N];
                    for row in 0..N {
                        for column in 0..N {
                            if let Some(square) = T::square(tile, row, column) {
                                window[row][column] = Lanes(simd, board[square * lanes + lane]);
                            }
                        }
                    }
                    let place = (channel * TILES + tile) * lanes + lane;
                    Points::put::<S>(numbers, stride, place, both_ways::<T, S, N, SIDE>(simd, window));
                }
            }
        }
    }
}

/// Points to boards (channels × 64 × lanes), by a transform into tiles of M × M, written or (`ADD`) added.
struct FromPoints<'a, T, const M: usize, const ADD: bool> {
    points: &'a Points,
    boards: &'a mut [f32],
    transform: PhantomData<T>,
}

impl<T: Transform<SIDE, M> + Window, const M: usize, const ADD: bool> Pass for FromPoints<'_, T, M, ADD> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let (channels, lanes, stride) = self.points.in_registers::<S>();
        let numbers = S::as_simd_f32s(&self.points.numbers).0;
        let boards = S::as_mut_simd_f32s(self.boards).0;
        for channel in 0..channels {
            let board = &mut boards[channel * SQUARES * lanes..][..SQUARES * lanes];
            for tile in 0..TILES {
                for lane in 0..lanes {
                    let place = (channel * TILES + tile) * lanes + lane;
                    let points = Points::get(simd, numbers, stride, place);
                    let window = both_ways::<T, S, SIDE, M>(simd, points);
                    for row in 0..M {
                        for column in 0..M {
                            if let Some(square) = T::square(tile, row, column) {
                                let (to, value) = (&mut board[square * lanes + lane], window[row][column].1);
                                *to = if ADD { simd.add_f32s(*to, value) } else { value };
                            }
                        }
                    }
                }
            }
        }
    }
}

impl Points {
    /// From the inputs of a convolution.
    pub(super) fn of_inputs(&mut self, boards: &[f32]) {
        self.fill::<Input, 6>(boards);
    }

    /// From the gradients of its results.
    pub(super) fn of_gradients(&mut self, boards: &[f32]) {
        self.fill::<OutputBack, 4>(boards);
    }

    /// To its results.
    pub(super) fn to_results(&self, boards: &mut [f32]) {
        self.empty::<Output, 4, false>(boards);
    }

    /// Adds the gradients of its inputs; on squares that tiles share they add up.
    pub(super) fn add_gradients(&self, boards: &mut [f32]) {
        self.empty::<InputBack, 6, true>(boards);
    }

    fn fill<T: Transform<N, SIDE> + Window, const N: usize>(&mut self, boards: &[f32]) {
        let (lanes, points, transform) = (self.lanes, self, PhantomData::<T>);
        ByLanes::run(
            IntoPoints {
                boards,
                points,
                transform,
            },
            lanes,
        );
    }

    fn empty<T, const M: usize, const ADD: bool>(&self, boards: &mut [f32])
    where
        T: Transform<SIDE, M> + Window,
    {
        let (points, transform) = (self, PhantomData::<T>);
        ByLanes::run(
            FromPoints::<T, M, ADD> {
                points,
                boards,
                transform,
            },
            self.lanes,
        );
    }
}
