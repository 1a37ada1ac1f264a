//! The passes between boards and points, for any vector width.

#![expect(
    clippy::needless_range_loop,
    reason = "rows and columns name places in several arrays at once"
)]

use super::transforms::{Input, InputBack, Lanes, Output, OutputBack, Transform, both_ways};
use super::{SIDE, SQUARES, TILES};
use pulp::{Arch, Scalar, Simd, WithSimd};
use std::marker::PhantomData;

/// The squares of the board that a tile covers.
pub(super) trait Window {
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

/// Boards that a pass goes over, one after the other, and where the points of each begin; distances in floats.
#[derive(Clone, Copy)]
pub(super) struct Walk {
    pub(super) boards: usize,
    pub(super) lanes: usize,
    pub(super) board_stride: usize,
    /// From the points of one board to those of the next.
    pub(super) column_stride: usize,
    /// From one point of a board to the next.
    pub(super) point_stride: usize,
}

impl Walk {
    /// The same with distances in registers.
    #[inline(always)]
    fn in_registers<S: Simd>(self) -> Walk {
        Walk {
            boards: self.boards,
            lanes: self.lanes / S::F32_LANES,
            board_stride: self.board_stride / S::F32_LANES,
            column_stride: self.column_stride / S::F32_LANES,
            point_stride: self.point_stride / S::F32_LANES,
        }
    }
}

/// Boards (64 × lanes each) to points, by a transform of tiles of N × N.
struct IntoPoints<'a, T, const N: usize> {
    boards: &'a [f32],
    numbers: &'a mut [f32],
    walk: Walk,
    transform: PhantomData<T>,
}

/// Turns boards into points.
pub(super) fn into_points<T, const N: usize>(boards: &[f32], numbers: &mut [f32], walk: Walk)
where
    T: Transform<N, SIDE> + Window,
{
    let transform = PhantomData::<T>;
    ByLanes::run(
        IntoPoints {
            boards,
            numbers,
            walk,
            transform,
        },
        walk.lanes,
    );
}

impl<T: Transform<N, SIDE> + Window, const N: usize> Pass for IntoPoints<'_, T, N> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let walk = self.walk.in_registers::<S>();
        let boards = S::as_simd_f32s(self.boards).0;
        let numbers = S::as_mut_simd_f32s(self.numbers).0;
        for number in 0..walk.boards {
            let board = &boards[number * walk.board_stride..][..SQUARES * walk.lanes];
            let numbers = &mut numbers[number * walk.column_stride..];
            for tile in 0..TILES {
                for lane in 0..walk.lanes {
                    let mut window = [[Lanes::zero(simd); N]; N];
                    for row in 0..N {
                        for column in 0..N {
                            if let Some(square) = T::square(tile, row, column) {
                                window[row][column] = Lanes(simd, board[square * walk.lanes + lane]);
                            }
                        }
                    }
                    let points = both_ways::<T, S, N, SIDE>(simd, window);
                    put::<S>(numbers, walk.point_stride, tile * walk.lanes + lane, points);
                }
            }
        }
    }
}

/// Points to boards (64 × lanes each), by a transform into tiles of M × M, written or (`ADD`) added.
struct FromPoints<'a, T, const M: usize, const ADD: bool> {
    numbers: &'a [f32],
    boards: &'a mut [f32],
    walk: Walk,
    transform: PhantomData<T>,
}

/// Turns points into boards, written or (`ADD`) added.
pub(super) fn from_points<T, const M: usize, const ADD: bool>(numbers: &[f32], boards: &mut [f32], walk: Walk)
where
    T: Transform<SIDE, M> + Window,
{
    let transform = PhantomData::<T>;
    ByLanes::run(
        FromPoints::<T, M, ADD> {
            numbers,
            boards,
            walk,
            transform,
        },
        walk.lanes,
    );
}

impl<T: Transform<SIDE, M> + Window, const M: usize, const ADD: bool> Pass for FromPoints<'_, T, M, ADD> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let walk = self.walk.in_registers::<S>();
        let numbers = S::as_simd_f32s(self.numbers).0;
        let boards = S::as_mut_simd_f32s(self.boards).0;
        for number in 0..walk.boards {
            let board = &mut boards[number * walk.board_stride..][..SQUARES * walk.lanes];
            let numbers = &numbers[number * walk.column_stride..];
            for tile in 0..TILES {
                for lane in 0..walk.lanes {
                    let points = get(simd, numbers, walk.point_stride, tile * walk.lanes + lane);
                    let window = both_ways::<T, S, SIDE, M>(simd, points);
                    for row in 0..M {
                        for column in 0..M {
                            if let Some(square) = T::square(tile, row, column) {
                                let (to, value) =
                                    (&mut board[square * walk.lanes + lane], window[row][column].1);
                                *to = if ADD { simd.add_f32s(*to, value) } else { value };
                            }
                        }
                    }
                }
            }
        }
    }
}
