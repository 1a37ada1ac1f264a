//! The vector operations in NEON: a line is four registers.

use super::active::ActiveOutputs;
use super::kernels::compiled;
use super::lines::{BYTES, ByteLine, CacheLine, DOTS, Dots, HalfLine, LANE_NUMBERS, LANES, Sums, TOGETHER};
use super::vocabulary::Vocabulary;
use super::{InstructionSet, Kernels};
use std::arch::aarch64::*;
use std::arch::is_aarch64_feature_detected;

/// Constructed only inside the functions of [`compiled`], which [`kernels`] returns only if the processor has NEON.
#[derive(Clone, Copy)]
struct Neon;

compiled!(Neon, InstructionSet::Neon, #[target_feature(enable = "neon")]);

pub(super) fn kernels() -> Option<Kernels> {
    is_aarch64_feature_detected!("neon").then_some(KERNELS)
}

/// Registers in a line.
const PARTS: usize = 4;
/// Lanes of a register.
const WIDTH: usize = LANES / PARTS;

/// Applies an operation to the parts of two lines.
#[inline(always)]
fn each(
    a: [int16x8_t; PARTS],
    b: [int16x8_t; PARTS],
    operation: impl Fn(int16x8_t, int16x8_t) -> int16x8_t,
) -> [int16x8_t; PARTS] {
    [
        operation(a[0], b[0]),
        operation(a[1], b[1]),
        operation(a[2], b[2]),
        operation(a[3], b[3]),
    ]
}

impl Vocabulary for Neon {
    type Register = [int16x8_t; PARTS];
    /// The sums of the first four lanes of each part, then those of the last four.
    type Wide = [[int32x4_t; PARTS]; 2];
    type Bytes = [int8x16_t; PARTS];
    type Sixteen = [int32x4_t; PARTS];
    const LINES: usize = 4;

    #[inline(always)]
    fn load(self, line: &CacheLine) -> Self::Register {
        let start = line.0.as_ptr();
        // SAFETY: `Neon` proves CPU support; the four parts lie within the line
        unsafe {
            [
                vld1q_s16(start),
                vld1q_s16(start.add(WIDTH)),
                vld1q_s16(start.add(2 * WIDTH)),
                vld1q_s16(start.add(3 * WIDTH)),
            ]
        }
    }

    #[inline(always)]
    fn load_half(self, line: &HalfLine) -> Self::Register {
        let start = line.0.as_ptr();
        // SAFETY: `Neon` proves CPU support; the four parts lie within half a line
        std::array::from_fn(|i| unsafe { vmovl_s8(vld1_s8(start.add(i * WIDTH))) })
    }

    #[inline(always)]
    fn store(self, register: Self::Register, line: &mut CacheLine) {
        let start = line.0.as_mut_ptr();
        for (number, part) in register.into_iter().enumerate() {
            // SAFETY: `Neon` proves CPU support; the four parts lie within the line
            unsafe { vst1q_s16(start.add(number * WIDTH), part) }
        }
    }

    #[inline(always)]
    fn splat(self, number: i16) -> Self::Register {
        // SAFETY: `Neon` proves CPU support
        unsafe { [vdupq_n_s16(number); PARTS] }
    }

    #[inline(always)]
    fn add(self, a: Self::Register, b: Self::Register) -> Self::Register {
        // SAFETY: `Neon` proves CPU support
        each(a, b, |a, b| unsafe { vaddq_s16(a, b) })
    }

    #[inline(always)]
    fn subtract(self, a: Self::Register, b: Self::Register) -> Self::Register {
        // SAFETY: `Neon` proves CPU support
        each(a, b, |a, b| unsafe { vsubq_s16(a, b) })
    }

    #[inline(always)]
    fn minimum(self, a: Self::Register, b: Self::Register) -> Self::Register {
        // SAFETY: `Neon` proves CPU support
        each(a, b, |a, b| unsafe { vminq_s16(a, b) })
    }

    #[inline(always)]
    fn maximum(self, a: Self::Register, b: Self::Register) -> Self::Register {
        // SAFETY: `Neon` proves CPU support
        each(a, b, |a, b| unsafe { vmaxq_s16(a, b) })
    }

    #[inline(always)]
    fn shift_left(self, a: Self::Register, count: u32) -> Self::Register {
        // SAFETY: `Neon` proves CPU support
        each(a, a, |a, _| unsafe { vshlq_s16(a, vdupq_n_s16(count as i16)) })
    }

    #[inline(always)]
    fn multiply_rounded(self, a: Self::Register, b: Self::Register) -> Self::Register {
        // SAFETY: `Neon` proves CPU support
        each(a, b, |a, b| unsafe { vqrdmulhq_s16(a, b) })
    }

    #[inline(always)]
    fn load_wide(self, sums: &Sums) -> Self::Wide {
        let start = sums.0.as_ptr();
        // SAFETY: `Neon` proves CPU support; eight parts of four lie within the sums
        let part = |number: usize| unsafe { vld1q_s32(start.add(4 * number)) };
        [
            [part(0), part(1), part(2), part(3)],
            [part(4), part(5), part(6), part(7)],
        ]
    }

    #[inline(always)]
    fn store_wide(self, wide: Self::Wide, sums: &mut Sums) {
        let start = sums.0.as_mut_ptr();
        for (number, part) in wide.into_iter().flatten().enumerate() {
            // SAFETY: `Neon` proves CPU support; eight parts of four lie within the sums
            unsafe { vst1q_s32(start.add(4 * number), part) }
        }
    }

    #[inline(always)]
    fn add_wide(self, mut a: Self::Wide, b: Self::Wide) -> Self::Wide {
        for (a, b) in a.iter_mut().flatten().zip(b.into_iter().flatten()) {
            // SAFETY: `Neon` proves CPU support
            *a = unsafe { vaddq_s32(*a, b) };
        }
        a
    }

    #[inline(always)]
    fn multiply_add(
        self,
        [mut low, mut high]: Self::Wide,
        a: Self::Register,
        b: Self::Register,
        pair: i32,
    ) -> Self::Wide {
        let (first, second) = (pair as i16, (pair >> 16) as i16);
        for i in 0..PARTS {
            // SAFETY: `Neon` proves CPU support
            unsafe {
                low[i] = vmlal_n_s16(low[i], vget_low_s16(a[i]), first);
                low[i] = vmlal_n_s16(low[i], vget_low_s16(b[i]), second);
                high[i] = vmlal_n_s16(high[i], vget_high_s16(a[i]), first);
                high[i] = vmlal_n_s16(high[i], vget_high_s16(b[i]), second);
            }
        }
        [low, high]
    }

    #[inline(always)]
    fn multiply_add_half(
        self,
        mut sums: Self::Wide,
        a: Self::Register,
        b: Self::Register,
        pair: i32,
    ) -> Self::Wide {
        let (first, second) = (pair as i16, (pair >> 16) as i16);
        for i in 0..PARTS {
            // SAFETY: `Neon` proves CPU support
            unsafe {
                let sum = vmlal_n_s16(sums[0][i], vget_low_s16(a[i]), first);
                sums[0][i] = vmlal_n_s16(sum, vget_low_s16(b[i]), second);
            }
        }
        sums
    }

    #[inline(always)]
    fn narrow(self, [low, high]: Self::Wide, shift: u32) -> Self::Register {
        // SAFETY: `Neon` proves CPU support
        let part = |i: usize| unsafe {
            // shifting left by a negative number shifts right and rounds down
            let shift = vdupq_n_s32(-(shift as i32));
            vcombine_s16(
                vqmovn_s32(vshlq_s32(low[i], shift)),
                vqmovn_s32(vshlq_s32(high[i], shift)),
            )
        };
        [part(0), part(1), part(2), part(3)]
    }

    #[inline(always)]
    fn append(self, a: Self::Register, first: u16, list: &mut ActiveOutputs) {
        let numbers = self.add(self.load(&LANE_NUMBERS), self.splat(first as i16));
        for (values, numbers) in a.into_iter().zip(numbers) {
            // SAFETY: `Neon` proves CPU support; the bits are eight numbers
            let lanes = unsafe {
                let bits = vld1q_u16([1, 2, 4, 8, 16, 32, 64, 128].as_ptr());
                vaddvq_u16(vandq_u16(vcgtzq_s16(values), bits))
            };
            let shuffle = &TOGETHER[lanes as usize & 0xff].0;
            let to_indices: &mut [u16; WIDTH] = list.indices[list.length..]
                .first_chunk_mut()
                .expect("room for a line");
            let to_values: &mut [i16; WIDTH] = list.values[list.length..]
                .first_chunk_mut()
                .expect("room for a line");
            // SAFETY: `Neon` proves CPU support; all three arrays have 16 bytes
            unsafe {
                let shuffle = vld1q_u8(shuffle.as_ptr());
                let together = |part| vqtbl1q_u8(vreinterpretq_u8_s16(part), shuffle);
                vst1q_u16(to_indices.as_mut_ptr(), vreinterpretq_u16_u8(together(numbers)));
                vst1q_s16(to_values.as_mut_ptr(), vreinterpretq_s16_u8(together(values)));
            }
            list.length += lanes.count_ones() as usize;
        }
    }
    #[inline(always)]
    fn pack(self, a: Self::Register, b: Self::Register) -> Self::Bytes {
        // SAFETY: `Neon` proves CPU support
        let part =
            |i: usize| unsafe { vreinterpretq_s8_u8(vcombine_u8(vqmovun_s16(a[i]), vqmovun_s16(b[i]))) };
        std::array::from_fn(part)
    }

    #[inline(always)]
    fn load_bytes(self, line: &ByteLine) -> Self::Bytes {
        let start = line.0.as_ptr();
        // SAFETY: `Neon` proves CPU support; the four parts lie within the line
        std::array::from_fn(|i| unsafe { vld1q_s8(start.add(i * BYTES / PARTS)) })
    }

    #[inline(always)]
    fn store_blocks(self, bytes: Self::Bytes, blocks: &mut Dots) {
        // SAFETY: `Neon` proves CPU support
        self.store_dots(bytes.map(|part| unsafe { vreinterpretq_s32_s8(part) }), blocks);
    }

    #[inline(always)]
    fn splat_block(self, block: i32) -> Self::Bytes {
        // SAFETY: `Neon` proves CPU support
        unsafe { [vreinterpretq_s8_s32(vdupq_n_s32(block)); PARTS] }
    }

    #[inline(always)]
    fn occupied(self, [a, b, c, d]: Self::Bytes) -> u16 {
        // SAFETY: `Neon` proves CPU support; the bits are eight numbers
        unsafe {
            let bits = vld1q_u16([1, 2, 4, 8, 16, 32, 64, 128].as_ptr());
            let some = |bytes| {
                let blocks = vreinterpretq_s32_s8(bytes);
                vmovn_u32(vtstq_s32(blocks, blocks))
            };
            let low = vaddvq_u16(vandq_u16(vcombine_u16(some(a), some(b)), bits));
            let high = vaddvq_u16(vandq_u16(vcombine_u16(some(c), some(d)), bits));
            low | high << 8
        }
    }

    #[inline(always)]
    fn load_dots(self, dots: &Dots) -> Self::Sixteen {
        let start = dots.0.as_ptr();
        // SAFETY: `Neon` proves CPU support; the four parts lie within the sums
        std::array::from_fn(|i| unsafe { vld1q_s32(start.add(i * DOTS / PARTS)) })
    }

    #[inline(always)]
    fn store_dots(self, sums: Self::Sixteen, dots: &mut Dots) {
        let start = dots.0.as_mut_ptr();
        for (number, part) in sums.into_iter().enumerate() {
            // SAFETY: `Neon` proves CPU support; the four parts lie within the sums
            unsafe { vst1q_s32(start.add(number * DOTS / PARTS), part) }
        }
    }

    #[inline(always)]
    fn add_dots(self, a: Self::Sixteen, b: Self::Sixteen) -> Self::Sixteen {
        // SAFETY: `Neon` proves CPU support
        std::array::from_fn(|i| unsafe { vaddq_s32(a[i], b[i]) })
    }

    #[inline(always)]
    fn multiply_blocks(
        self,
        sums: Self::Sixteen,
        inputs: Self::Bytes,
        weights: Self::Bytes,
    ) -> Self::Sixteen {
        // SAFETY: `Neon` proves CPU support
        std::array::from_fn(|i| unsafe {
            let low = vmull_s8(vget_low_s8(inputs[i]), vget_low_s8(weights[i]));
            let high = vmull_s8(vget_high_s8(inputs[i]), vget_high_s8(weights[i]));
            // two products of 127 · 127 fit in 16 bits
            vpadalq_s16(sums[i], vpaddq_s16(low, high))
        })
    }

    #[inline(always)]
    fn splat_pair(self, pair: i32) -> Self::Register {
        // SAFETY: `Neon` proves CPU support
        unsafe { [vreinterpretq_s16_s32(vdupq_n_s32(pair)); PARTS] }
    }

    #[inline(always)]
    fn multiply_pairs(self, sums: Self::Sixteen, a: Self::Register, b: Self::Register) -> Self::Sixteen {
        // SAFETY: `Neon` proves CPU support
        std::array::from_fn(|i| unsafe {
            let low = vmull_s16(vget_low_s16(a[i]), vget_low_s16(b[i]));
            let high = vmull_s16(vget_high_s16(a[i]), vget_high_s16(b[i]));
            vaddq_s32(sums[i], vpaddq_s32(low, high))
        })
    }

    #[inline(always)]
    fn shift_right(self, sums: Self::Sixteen, counts: Self::Sixteen) -> Self::Sixteen {
        // SAFETY: `Neon` proves CPU support; shifting left by a negative number shifts right and rounds down
        std::array::from_fn(|i| unsafe { vshlq_s32(sums[i], vnegq_s32(counts[i])) })
    }

    #[inline(always)]
    fn narrow_dots(self, a: Self::Sixteen, b: Self::Sixteen) -> Self::Register {
        // SAFETY: `Neon` proves CPU support
        let words = |low, high| unsafe { vcombine_s16(vqmovn_s32(low), vqmovn_s32(high)) };
        [
            words(a[0], a[1]),
            words(a[2], a[3]),
            words(b[0], b[1]),
            words(b[2], b[3]),
        ]
    }

    #[inline(always)]
    fn total(self, [a, b, c, d]: Self::Sixteen) -> i32 {
        // SAFETY: `Neon` proves CPU support
        unsafe { vaddvq_s32(vaddq_s32(vaddq_s32(a, b), vaddq_s32(c, d))) }
    }
}
