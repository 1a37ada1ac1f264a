//! The vector operations in plain Rust: the reference that every other instruction set must reproduce.

use super::kernels::compiled;
use super::{ActiveOutputs, CacheLine, InstructionSet, Kernels, LANES, Sums, Vocabulary};

#[derive(Clone, Copy)]
struct Scalar;

compiled!(Scalar, InstructionSet::Scalar);

pub(super) fn kernels() -> Kernels {
    KERNELS
}

#[inline(always)]
fn each(a: [i16; LANES], b: [i16; LANES], operation: impl Fn(i16, i16) -> i16) -> [i16; LANES] {
    let mut result = a;
    for (a, b) in result.iter_mut().zip(b) {
        *a = operation(*a, b);
    }
    result
}

impl Vocabulary for Scalar {
    type Register = [i16; LANES];
    type Wide = [i32; LANES];
    const LINES: usize = 1;

    #[inline(always)]
    fn load(self, line: &CacheLine) -> Self::Register {
        line.0
    }

    #[inline(always)]
    fn store(self, register: Self::Register, line: &mut CacheLine) {
        line.0 = register;
    }

    #[inline(always)]
    fn splat(self, number: i16) -> Self::Register {
        [number; LANES]
    }

    #[inline(always)]
    fn add(self, a: Self::Register, b: Self::Register) -> Self::Register {
        each(a, b, i16::wrapping_add)
    }

    #[inline(always)]
    fn subtract(self, a: Self::Register, b: Self::Register) -> Self::Register {
        each(a, b, i16::wrapping_sub)
    }

    #[inline(always)]
    fn minimum(self, a: Self::Register, b: Self::Register) -> Self::Register {
        each(a, b, i16::min)
    }

    #[inline(always)]
    fn maximum(self, a: Self::Register, b: Self::Register) -> Self::Register {
        each(a, b, i16::max)
    }

    #[inline(always)]
    fn shift_left(self, a: Self::Register, count: u32) -> Self::Register {
        each(a, a, |x, _| x << count)
    }

    #[inline(always)]
    fn multiply_high(self, a: Self::Register, b: Self::Register) -> Self::Register {
        each(a, b, |x, y| ((x as i32 * y as i32) >> 16) as i16)
    }

    #[inline(always)]
    fn load_wide(self, sums: &Sums) -> Self::Wide {
        sums.0
    }

    #[inline(always)]
    fn store_wide(self, wide: Self::Wide, sums: &mut Sums) {
        sums.0 = wide;
    }

    #[inline(always)]
    fn add_wide(self, mut a: Self::Wide, b: Self::Wide) -> Self::Wide {
        for (a, b) in a.iter_mut().zip(b) {
            *a = a.wrapping_add(b);
        }
        a
    }

    #[inline(always)]
    fn multiply_add(
        self,
        mut sums: Self::Wide,
        a: Self::Register,
        b: Self::Register,
        pair: i32,
    ) -> Self::Wide {
        let (first, second) = (pair as i16 as i32, pair >> 16);
        let (low, high) = sums.split_at_mut(LANES / 2);
        // the order of `Sums::place`, written as runs of four so that the compiler can vectorize them
        for group in 0..LANES / 8 {
            for i in 0..4 {
                let (lane, place) = (group * 8 + i, group * 4 + i);
                let product = |lane: usize| a[lane] as i32 * first + b[lane] as i32 * second;
                low[place] = low[place].wrapping_add(product(lane));
                high[place] = high[place].wrapping_add(product(lane + 4));
            }
        }
        sums
    }

    #[inline(always)]
    fn multiply_add_half(
        self,
        mut sums: Self::Wide,
        a: Self::Register,
        b: Self::Register,
        pair: i32,
    ) -> Self::Wide {
        let (first, second) = (pair as i16 as i32, pair >> 16);
        for group in 0..LANES / 8 {
            for i in 0..4 {
                let (lane, place) = (group * 8 + i, group * 4 + i);
                let product = a[lane] as i32 * first + b[lane] as i32 * second;
                sums[place] = sums[place].wrapping_add(product);
            }
        }
        sums
    }

    #[inline(always)]
    fn narrow(self, sums: Self::Wide, shift: u32) -> Self::Register {
        let mut result = [0; LANES];
        for (lane, number) in result.iter_mut().enumerate() {
            let sum = sums[Sums::place(lane)] >> shift;
            *number = sum.clamp(i16::MIN as i32, i16::MAX as i32) as i16;
        }
        result
    }

    #[inline(always)]
    fn append(self, a: Self::Register, first: u16, list: &mut ActiveOutputs) {
        for (lane, value) in a.into_iter().enumerate() {
            // always written, counted only if positive: no branch to mispredict
            list.indices[list.length] = first + lane as u16;
            list.values[list.length] = value;
            list.length += (value > 0) as usize;
        }
    }
}
