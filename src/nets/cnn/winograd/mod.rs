//! 3 × 3 convolutions on the chess board by Winograd's minimal filtering, forwards and backwards.
//!
//! The algorithm is F(4 × 4, 3 × 3) as Lavin and Gray describe it (arXiv 1509.09308): each quarter of the board is a tile
//! of 4 × 4 results that depend on 6 × 6 inputs. Inputs and weights are transformed to 36 points, the convolution is one
//! matrix product for each point, and the products are transformed back. That takes 36 multiplications where direct
//! convolution takes 144. The backward pass is the same chain transposed.
//!
//! Boards come in blocks: channels × 64 squares × lanes, where a lane is a position of the batch. All transforms run
//! along lanes, so they need no shuffles.

mod batch;
mod passes;
mod points;
mod transforms;

use crate::arch::product::{Matrix, product};
pub use batch::BatchScratch;
use passes::{ByLanes, Pass};
use points::Points;
use pulp::{Scalar, Simd};
use rayon::prelude::*;
use std::sync::Mutex;
use transforms::{Filter, FilterBack, Lanes, both_ways};

/// Squares of a board.
pub const SQUARES: usize = 64;
/// Weights of a filter.
pub const KERNEL: usize = 9;
/// Points of a tile.
const POINTS: usize = 36;
/// Points in a row.
const SIDE: usize = 6;
/// Tiles of a board.
const TILES: usize = 4;
/// Padding in floats between the matrices of two points, so that they do not map to the same cache sets.
const GAP: usize = 16;

/// Scratch space for the points of one block, on both sides of the products.
#[derive(Debug, Default)]
struct Room {
    inputs: Points,
    outputs: Points,
}

/// Reusable scratch space, one for each working thread.
#[derive(Debug, Default)]
pub struct Workspace(Mutex<Vec<Room>>);

impl Workspace {
    fn with<T>(&self, function: impl FnOnce(&mut Room) -> T) -> T {
        // a poisoned lock means that another thread has panicked already
        let taken = self.0.lock().expect("no thread panics with the lock").pop();
        let mut room = taken.unwrap_or_default();
        let result = function(&mut room);
        self.0.lock().expect("no thread panics with the lock").push(room);
        result
    }
}

/// The filters of a convolution, transformed to the 36 points.
#[derive(Clone, Debug)]
pub struct Filters {
    /// Outputs × points × inputs.
    points: Vec<f32>,
    inputs: usize,
    outputs: usize,
}

impl Filters {
    /// Transforms weights (outputs × inputs × 3 × 3).
    ///
    /// # Panics
    /// If the number of weights does not match.
    pub fn new(weights: &[f32], inputs: usize, outputs: usize) -> Filters {
        let mut filters = Filters {
            points: vec![0f32; outputs * POINTS * inputs],
            inputs,
            outputs,
        };
        filters.set(weights);
        filters
    }

    /// Takes other weights in the same memory.
    ///
    /// # Panics
    /// If the number of weights does not match.
    pub fn set(&mut self, weights: &[f32]) {
        assert_eq!(weights.len(), self.outputs * self.inputs * KERNEL);
        self.points
            .par_chunks_mut(POINTS * self.inputs)
            .zip(weights.par_chunks(self.inputs * KERNEL))
            .for_each(|(points, weights)| ByLanes::run(WeightsToPoints { weights, points }, 1));
    }

    /// Channels of the boards that they are for.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// The weights of one point as a matrix.
    fn shape(&self) -> Matrix {
        self.shape_of(self.outputs)
    }

    /// The weights of one point for so many outputs.
    fn shape_of(&self, outputs: usize) -> Matrix {
        Matrix::new(outputs, self.inputs, POINTS * self.inputs)
    }

    fn point(&self, point: usize) -> &[f32] {
        &self.points[point * self.inputs..]
    }

    /// The gradients of the weights (outputs × inputs × 3 × 3) from those at the points (outputs × points × inputs).
    fn weights_of(&self, gradients: &[f32]) -> Vec<f32> {
        let mut weights = vec![0f32; self.outputs * self.inputs * KERNEL];
        weights
            .par_chunks_mut(self.inputs * KERNEL)
            .zip(gradients.par_chunks(POINTS * self.inputs))
            .for_each(|(weights, points)| ByLanes::run(PointsToWeights { points, weights }, 1));
        weights
    }

    /// Convolves one block (inputs × 64 × lanes) into another (outputs × 64 × lanes).
    pub fn convolve(&self, boards: &[f32], results: &mut [f32], workspace: &Workspace) {
        let lanes = boards.len() / (self.inputs * SQUARES);
        workspace.with(|room| {
            room.inputs.resize(self.inputs, lanes);
            room.outputs.resize(self.outputs, lanes);
            room.inputs.of_inputs(boards);
            self.multiply(room);
            room.outputs.to_results(0, results);
        });
    }

    fn multiply(&self, room: &mut Room) {
        let (inputs, outputs) = (room.inputs.shape(), room.outputs.shape());
        for point in 0..POINTS {
            let to = (room.outputs.point_mut(point), outputs);
            product(
                to,
                (self.point(point), self.shape()),
                (room.inputs.point(point), inputs),
                false,
            );
        }
    }

    /// Adds the gradients of a block's boards to `boards_back` and those of the filters to `points_back`, from the boards
    /// and the gradients of the results.
    pub fn convolve_back(
        &self,
        boards: &[f32],
        gradients: &[f32],
        boards_back: &mut [f32],
        points_back: &mut FilterGradients,
        workspace: &Workspace,
    ) {
        let lanes = boards.len() / (self.inputs * SQUARES);
        workspace.with(|room| {
            room.inputs.resize(self.inputs, lanes);
            room.outputs.resize(self.outputs, lanes);
            room.inputs.of_inputs(boards);
            room.outputs.of_gradients(gradients);
            self.multiply_back(room, points_back);
            room.inputs.add_gradients(0, boards_back);
        });
    }

    /// Adds the gradients of the filters, then overwrites the inputs with their gradients.
    fn multiply_back(&self, room: &mut Room, gradients: &mut FilterGradients) {
        let (inputs, outputs) = (room.inputs.shape(), room.outputs.shape());
        for point in 0..POINTS {
            product(
                (&mut gradients.0[point * self.inputs..], self.shape()),
                (room.outputs.point(point), outputs),
                (room.inputs.point(point), inputs.transposed()),
                true,
            );
            product(
                (room.inputs.point_mut(point), inputs),
                (self.point(point), self.shape().transposed()),
                (room.outputs.point(point), outputs),
                false,
            );
        }
    }
}

/// Sums of the gradients of filters, at the points.
#[derive(Clone, Debug)]
pub struct FilterGradients(Vec<f32>);

impl FilterGradients {
    /// Zeros for these filters.
    pub fn new(filters: &Filters) -> FilterGradients {
        FilterGradients(vec![0f32; filters.points.len()])
    }

    /// Adds other sums.
    pub fn add(&mut self, other: &FilterGradients) {
        self.0
            .iter_mut()
            .zip(&other.0)
            .for_each(|(sum, value)| *sum += value);
    }

    /// The gradients of the weights (outputs × inputs × 3 × 3).
    pub fn weights(&self, filters: &Filters) -> Vec<f32> {
        filters.weights_of(&self.0)
    }
}

/// The filters of one output (inputs × 3 × 3) to points (points × inputs).
struct WeightsToPoints<'a> {
    weights: &'a [f32],
    points: &'a mut [f32],
}

impl Pass for WeightsToPoints<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let simd = Scalar::new();
        let inputs = self.weights.len() / KERNEL;
        for (input, weights) in self.weights.chunks_exact(KERNEL).enumerate() {
            let mut window = [[Lanes::zero(simd); 3]; 3];
            for place in 0..KERNEL {
                window[place / 3][place % 3] = Lanes(simd, weights[place]);
            }
            let points = both_ways::<Filter, Scalar, 3, 6>(simd, window);
            for point in 0..POINTS {
                self.points[point * inputs + input] = points[point / SIDE][point % SIDE].1;
            }
        }
    }
}

/// The gradients of the filters of one output at the points (points × inputs) to those of the weights.
struct PointsToWeights<'a> {
    points: &'a [f32],
    weights: &'a mut [f32],
}

impl Pass for PointsToWeights<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let simd = Scalar::new();
        let inputs = self.weights.len() / KERNEL;
        for (input, weights) in self.weights.chunks_exact_mut(KERNEL).enumerate() {
            let mut points = [[Lanes::zero(simd); SIDE]; SIDE];
            for point in 0..POINTS {
                points[point / SIDE][point % SIDE] = Lanes(simd, self.points[point * inputs + input]);
            }
            let gradients = both_ways::<FilterBack, Scalar, 6, 3>(simd, points);
            for place in 0..KERNEL {
                weights[place] = gradients[place / 3][place % 3].1;
            }
        }
    }
}
