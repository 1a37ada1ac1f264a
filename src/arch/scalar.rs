//! The vector operations in plain Rust: the reference that every other instruction set must reproduce.

use super::active::ActiveOutputs;
use super::kernels::compiled;
use super::lines::{BLOCK, BYTES, ByteLine, CacheLine, DOTS, Dots, HalfLine, LANES, Sums};
use super::vocabulary::Vocabulary;
use super::{InstructionSet, Kernels};

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
    type Bytes = [i8; BYTES];
    type Sixteen = [i32; DOTS];
    const LINES: usize = 1;

    #[inline(always)]
    fn load(self, line: &CacheLine) -> Self::Register {
        line.0
    }

    #[inline(always)]
    fn load_half(self, line: &HalfLine) -> Self::Register {
        line.0.map(i16::from)
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
    fn multiply_rounded(self, a: Self::Register, b: Self::Register) -> Self::Register {
        each(a, b, |x, y| ((x as i32 * y as i32 + (1 << 14)) >> 15) as i16)
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

    #[inline(always)]
    fn pack(self, a: Self::Register, b: Self::Register) -> Self::Bytes {
        let mut bytes = [0; BYTES];
        for (lane, number) in a.into_iter().chain(b).enumerate() {
            bytes[ByteLine::place(lane)] = number.max(0) as i8;
        }
        bytes
    }

    #[inline(always)]
    fn load_bytes(self, line: &ByteLine) -> Self::Bytes {
        line.0
    }

    #[inline(always)]
    fn store_blocks(self, bytes: Self::Bytes, blocks: &mut Dots) {
        for (block, bytes) in blocks.0.iter_mut().zip(bytes.as_chunks().0) {
            *block = i32::from_le_bytes(bytes.map(|byte| byte as u8));
        }
    }

    #[inline(always)]
    fn splat_block(self, block: i32) -> Self::Bytes {
        let block = block.to_le_bytes();
        std::array::from_fn(|place| block[place % BLOCK] as i8)
    }

    #[inline(always)]
    fn occupied(self, bytes: Self::Bytes) -> u16 {
        let blocks = bytes.as_chunks::<BLOCK>().0.iter().enumerate();
        blocks.fold(0, |set, (place, block)| {
            set | u16::from(*block != [0; BLOCK]) << place
        })
    }

    #[inline(always)]
    fn load_dots(self, dots: &Dots) -> Self::Sixteen {
        dots.0
    }

    #[inline(always)]
    fn store_dots(self, sums: Self::Sixteen, dots: &mut Dots) {
        dots.0 = sums;
    }

    #[inline(always)]
    fn add_dots(self, a: Self::Sixteen, b: Self::Sixteen) -> Self::Sixteen {
        std::array::from_fn(|i| a[i].wrapping_add(b[i]))
    }

    #[inline(always)]
    fn multiply_blocks(
        self,
        mut sums: Self::Sixteen,
        inputs: Self::Bytes,
        weights: Self::Bytes,
    ) -> Self::Sixteen {
        for (place, sum) in sums.iter_mut().enumerate() {
            for i in place * BLOCK..(place + 1) * BLOCK {
                *sum = sum.wrapping_add(inputs[i] as i32 * weights[i] as i32);
            }
        }
        sums
    }

    #[inline(always)]
    fn splat_pair(self, pair: i32) -> Self::Register {
        std::array::from_fn(|lane| (pair >> (lane % 2 * 16)) as i16)
    }

    #[inline(always)]
    fn multiply_pairs(self, mut sums: Self::Sixteen, a: Self::Register, b: Self::Register) -> Self::Sixteen {
        for (place, sum) in sums.iter_mut().enumerate() {
            for i in [2 * place, 2 * place + 1] {
                *sum = sum.wrapping_add(a[i] as i32 * b[i] as i32);
            }
        }
        sums
    }

    #[inline(always)]
    fn shift_right(self, sums: Self::Sixteen, counts: Self::Sixteen) -> Self::Sixteen {
        std::array::from_fn(|i| sums[i] >> counts[i])
    }

    #[inline(always)]
    fn narrow_dots(self, a: Self::Sixteen, b: Self::Sixteen) -> Self::Register {
        let narrow = |sum: i32| sum.clamp(i16::MIN as i32, i16::MAX as i32) as i16;
        std::array::from_fn(|lane| narrow(if lane < DOTS { a[lane] } else { b[lane - DOTS] }))
    }

    #[inline(always)]
    fn total(self, sums: Self::Sixteen) -> i32 {
        sums.into_iter().fold(0, i32::wrapping_add)
    }
}
