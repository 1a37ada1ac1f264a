//! The transforms between inputs, weights, results and points, along the lanes of a register.

use pulp::Simd;
use std::ops::{Add, Mul, Sub};

/// A register of floats with its instruction set.
#[derive(Clone, Copy)]
pub(super) struct Lanes<S: Simd>(pub(super) S, pub(super) S::f32s);

impl<S: Simd> Lanes<S> {
    #[inline(always)]
    pub(super) fn zero(simd: S) -> Lanes<S> {
        Lanes(simd, simd.splat_f32s(0.0))
    }

    /// This plus `factor` times another.
    #[inline(always)]
    fn plus(self, factor: f32, other: Lanes<S>) -> Lanes<S> {
        let simd = self.0;
        Lanes(
            simd,
            simd.mul_add_e_f32s(simd.splat_f32s(factor), other.1, self.1),
        )
    }
}

impl<S: Simd> Add for Lanes<S> {
    type Output = Lanes<S>;
    #[inline(always)]
    fn add(self, other: Lanes<S>) -> Lanes<S> {
        Lanes(self.0, self.0.add_f32s(self.1, other.1))
    }
}

impl<S: Simd> Sub for Lanes<S> {
    type Output = Lanes<S>;
    #[inline(always)]
    fn sub(self, other: Lanes<S>) -> Lanes<S> {
        Lanes(self.0, self.0.sub_f32s(self.1, other.1))
    }
}

impl<S: Simd> Mul<f32> for Lanes<S> {
    type Output = Lanes<S>;
    #[inline(always)]
    fn mul(self, factor: f32) -> Lanes<S> {
        Lanes(self.0, self.0.mul_f32s(self.1, self.0.splat_f32s(factor)))
    }
}

/// The points are 0, ±A, ±B and ∞. With 3/4 and 3/2 the error is a third of that with the usual 1 and 2: 1.1e-6 of the
/// largest result against 3.9e-6, over 300 random tiles of 64 channels in f32.
const A: f32 = 0.75;
const B: f32 = 1.5;
const A2: f32 = A * A;
const B2: f32 = B * B;

/// A one-dimensional transform, applied to a row or column of a tile.
pub(super) trait Transform<const N: usize, const M: usize> {
    fn line<S: Simd>(line: [Lanes<S>; N]) -> [Lanes<S>; M];
}

/// Inputs to points, Bᵀ of the paper: values of the polynomials that vanish at all points but one.
pub(super) struct Input;

impl Transform<6, 6> for Input {
    #[inline(always)]
    fn line<S: Simd>(d: [Lanes<S>; 6]) -> [Lanes<S>; 6] {
        let (even_a, odd_a) = (d[4].plus(-B2, d[2]), d[3].plus(-B2, d[1]));
        let (even_b, odd_b) = (d[4].plus(-A2, d[2]), d[3].plus(-A2, d[1]));
        [
            d[4].plus(-(A2 + B2), d[2]).plus(A2 * B2, d[0]),
            even_a.plus(A, odd_a),
            even_a.plus(-A, odd_a),
            even_b.plus(B, odd_b),
            even_b.plus(-B, odd_b),
            d[5].plus(-(A2 + B2), d[3]).plus(A2 * B2, d[1]),
        ]
    }
}

/// The transpose of [`Input`]: gradients of points to gradients of inputs.
pub(super) struct InputBack;

impl Transform<6, 6> for InputBack {
    #[inline(always)]
    fn line<S: Simd>(v: [Lanes<S>; 6]) -> [Lanes<S>; 6] {
        let (even_a, odd_a) = (v[1] + v[2], (v[1] - v[2]) * A);
        let (even_b, odd_b) = (v[3] + v[4], (v[3] - v[4]) * B);
        [
            v[0] * (A2 * B2),
            (v[5] * (A2 * B2)).plus(-B2, odd_a).plus(-A2, odd_b),
            (v[0] * -(A2 + B2)).plus(-B2, even_a).plus(-A2, even_b),
            (odd_a + odd_b).plus(-(A2 + B2), v[5]),
            v[0] + even_a + even_b,
            v[5],
        ]
    }
}

/// The divisors of the weights at ±A and at ±B: the derivative of the polynomial with all finite points as roots.
const AT_A: f32 = 2.0 * A2 * (A2 - B2);
const AT_B: f32 = 2.0 * B2 * (B2 - A2);

/// Weights to points, G of the paper.
pub(super) struct Filter;

impl Transform<3, 6> for Filter {
    #[inline(always)]
    fn line<S: Simd>(w: [Lanes<S>; 3]) -> [Lanes<S>; 6] {
        let (even_a, odd_a) = (w[0].plus(A2, w[2]) * (1.0 / AT_A), w[1] * (A / AT_A));
        let (even_b, odd_b) = (w[0].plus(B2, w[2]) * (1.0 / AT_B), w[1] * (B / AT_B));
        [
            w[0] * (1.0 / (A2 * B2)),
            even_a + odd_a,
            even_a - odd_a,
            even_b + odd_b,
            even_b - odd_b,
            w[2],
        ]
    }
}

/// The transpose of [`Filter`]: gradients of points to gradients of weights.
pub(super) struct FilterBack;

impl Transform<6, 3> for FilterBack {
    #[inline(always)]
    fn line<S: Simd>(u: [Lanes<S>; 6]) -> [Lanes<S>; 3] {
        let (even_a, odd_a) = ((u[1] + u[2]) * (1.0 / AT_A), (u[1] - u[2]) * (A / AT_A));
        let (even_b, odd_b) = ((u[3] + u[4]) * (1.0 / AT_B), (u[3] - u[4]) * (B / AT_B));
        [
            (even_a + even_b).plus(1.0 / (A2 * B2), u[0]),
            odd_a + odd_b,
            u[5].plus(A2, even_a).plus(B2, even_b),
        ]
    }
}

/// Points to results, Aᵀ of the paper.
pub(super) struct Output;

impl Transform<6, 4> for Output {
    #[inline(always)]
    fn line<S: Simd>(m: [Lanes<S>; 6]) -> [Lanes<S>; 4] {
        let (even_a, odd_a) = (m[1] + m[2], (m[1] - m[2]) * A);
        let (even_b, odd_b) = (m[3] + m[4], (m[3] - m[4]) * B);
        [
            m[0] + even_a + even_b,
            odd_a + odd_b,
            (even_a * A2).plus(B2, even_b),
            m[5].plus(A2, odd_a).plus(B2, odd_b),
        ]
    }
}

/// The transpose of [`Output`]: gradients of results to gradients of points.
pub(super) struct OutputBack;

impl Transform<4, 6> for OutputBack {
    #[inline(always)]
    fn line<S: Simd>(y: [Lanes<S>; 4]) -> [Lanes<S>; 6] {
        let (even_a, odd_a) = (y[0].plus(A2, y[2]), y[1].plus(A2, y[3]) * A);
        let (even_b, odd_b) = (y[0].plus(B2, y[2]), y[1].plus(B2, y[3]) * B);
        [
            y[0],
            even_a + odd_a,
            even_a - odd_a,
            even_b + odd_b,
            even_b - odd_b,
            y[3],
        ]
    }
}

/// Applies a transform to the rows of a matrix, then to the columns of the result. It uses loops because arrays built by
/// closures stay in memory instead of registers.
#[inline(always)]
pub(super) fn both_ways<T: Transform<N, M>, S: Simd, const N: usize, const M: usize>(
    simd: S,
    square: [[Lanes<S>; N]; N],
) -> [[Lanes<S>; M]; M] {
    let zero = Lanes::zero(simd);
    let mut rows = [[zero; M]; N];
    for row in 0..N {
        rows[row] = T::line(square[row]);
    }
    let mut result = [[zero; M]; M];
    for column in 0..M {
        let mut line = [zero; N];
        for row in 0..N {
            line[row] = rows[row][column];
        }
        let line = T::line(line);
        for row in 0..M {
            result[row][column] = line[row];
        }
    }
    result
}
