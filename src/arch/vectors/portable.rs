//! The operations in plain Rust: the reference for the others.

use super::super::{CacheLine, Sums};
use super::{Bfloats, Floats, Vectors, WIDTH};

/// For every processor.
#[derive(Clone, Copy)]
pub(super) struct Portable;

type Lanes = [f32; WIDTH];

#[inline(always)]
fn each(a: Lanes, b: Lanes, operation: impl Fn(f32, f32) -> f32) -> Lanes {
    let mut result = a;
    for (a, b) in result.iter_mut().zip(b) {
        *a = operation(*a, b);
    }
    result
}

/// The upper half of a float, rounded to the nearest, ties to even; 0 below the normal numbers.
#[inline(always)]
fn rounded(number: f32) -> u16 {
    let bits = number.to_bits();
    let normal = if number.abs() < f32::MIN_POSITIVE {
        bits & 1 << 31
    } else {
        bits
    };
    (normal.wrapping_add(0x7fff + (normal >> 16 & 1)) >> 16) as u16
}

impl Vectors for Portable {
    type Floats = Lanes;
    type Integers = [i16; 2 * WIDTH];
    type Bfloats = [u16; 2 * WIDTH];

    #[inline(always)]
    fn splat(self, number: f32) -> Lanes {
        [number; WIDTH]
    }

    #[inline(always)]
    fn load(self, from: &Floats) -> Lanes {
        from.0
    }

    #[inline(always)]
    fn store(self, floats: Lanes, to: &mut Floats) {
        to.0 = floats;
    }

    #[inline(always)]
    fn add(self, a: Lanes, b: Lanes) -> Lanes {
        each(a, b, |a, b| a + b)
    }

    #[inline(always)]
    fn subtract(self, a: Lanes, b: Lanes) -> Lanes {
        each(a, b, |a, b| a - b)
    }

    #[inline(always)]
    fn multiply(self, a: Lanes, b: Lanes) -> Lanes {
        each(a, b, |a, b| a * b)
    }

    #[inline(always)]
    fn divide(self, a: Lanes, b: Lanes) -> Lanes {
        each(a, b, |a, b| a / b)
    }

    #[inline(always)]
    fn multiply_add(self, a: Lanes, b: Lanes, c: Lanes) -> Lanes {
        self.add(self.multiply(a, b), c)
    }

    #[inline(always)]
    fn root(self, a: Lanes) -> Lanes {
        each(a, a, |a, _| a.sqrt())
    }

    #[inline(always)]
    fn clamp(self, a: Lanes, low: Lanes, high: Lanes) -> Lanes {
        let raised = each(a, low, |a, low| if a < low { low } else { a });
        each(raised, high, |a, high| if a > high { high } else { a })
    }

    #[inline(always)]
    fn within(self, x: Lanes, low: Lanes, high: Lanes, y: Lanes) -> Lanes {
        let mut result = y;
        for (lane, y) in result.iter_mut().enumerate() {
            if !(low[lane] < x[lane] && x[lane] < high[lane]) {
                *y = 0.0;
            }
        }
        result
    }

    #[inline(always)]
    fn total(self, a: Lanes) -> f32 {
        a.iter().sum()
    }

    #[inline(always)]
    fn load_integers(self, from: &CacheLine) -> Self::Integers {
        from.0
    }

    #[inline(always)]
    fn store_integers(self, integers: Self::Integers, to: &mut CacheLine) {
        to.0 = integers;
    }

    #[inline(always)]
    fn add_integers(self, mut a: Self::Integers, b: Self::Integers) -> Self::Integers {
        for (a, b) in a.iter_mut().zip(b) {
            *a = a.saturating_add(b);
        }
        a
    }

    #[inline(always)]
    fn widen(self, a: Self::Integers) -> [Lanes; 2] {
        let mut floats = [[0.0; WIDTH]; 2];
        for (float, integer) in floats.as_flattened_mut().iter_mut().zip(a) {
            *float = f32::from(integer);
        }
        floats
    }

    #[inline(always)]
    fn narrow(self, woven: [Lanes; 2]) -> Self::Integers {
        let mut integers = [0; 2 * WIDTH];
        for (lane, integer) in integers.iter_mut().enumerate() {
            // the conversion saturates
            *integer = woven.as_flattened()[Sums::place(lane)].round_ties_even() as i16;
        }
        integers
    }

    #[inline(always)]
    fn load_bfloats(self, from: &Bfloats) -> Self::Bfloats {
        from.0
    }

    #[inline(always)]
    fn store_bfloats(self, bfloats: Self::Bfloats, to: &mut Bfloats) {
        to.0 = bfloats;
    }

    #[inline(always)]
    fn round(self, floats: [Lanes; 2]) -> Self::Bfloats {
        let mut bfloats = [0; 2 * WIDTH];
        for (bfloat, float) in bfloats.iter_mut().zip(floats.as_flattened()) {
            *bfloat = rounded(*float);
        }
        bfloats
    }

    #[inline(always)]
    fn add_bfloats(self, mut woven: [Lanes; 2], a: Self::Bfloats, b: Self::Bfloats) -> [Lanes; 2] {
        let number = |half: u16| f32::from_bits(u32::from(half) << 16);
        // the order of `Sums::place`, written as runs of four so that the compiler can vectorize them
        for (half, woven) in woven.iter_mut().enumerate() {
            for group in 0..4 {
                for i in 0..4 {
                    let lane = group * 8 + half * 4 + i;
                    let sum = &mut woven[group * 4 + i];
                    *sum = *sum + number(b[lane]) + number(a[lane]);
                }
            }
        }
        woven
    }
}
