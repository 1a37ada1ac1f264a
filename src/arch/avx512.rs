//! The vector operations in AVX-512: a line is one register, and VNNI multiplies and adds in one instruction.

use super::active::ActiveOutputs;
use super::blocks::{BlockList, Occupied};
use super::kernels::compiled;
use super::lines::{ByteLine, CacheLine, Dots, HalfLine, LANE_NUMBERS, LANES, Sums};
use super::vocabulary::Vocabulary;
use super::{InstructionSet, Kernels};
use std::arch::x86_64::*;

/// Constructed only inside the functions of [`compiled`], which [`kernels`] returns only if the processor has the
/// instructions.
#[derive(Clone, Copy)]
struct Avx512;

compiled!(
    Avx512,
    InstructionSet::Avx512,
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni,avx512vbmi2,bmi1,bmi2,popcnt")]
);

pub(super) fn kernels() -> Option<Kernels> {
    let supported = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vnni")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt");
    supported.then_some(KERNELS)
}

impl Vocabulary for Avx512 {
    type Register = __m512i;
    type Wide = [__m512i; 2];
    type Bytes = __m512i;
    type Sixteen = __m512i;
    const LINES: usize = 8;

    #[inline(always)]
    fn load(self, line: &CacheLine) -> Self::Register {
        // SAFETY: `Avx512` proves CPU support; a line is 64 bytes, aligned to 64
        unsafe { _mm512_load_si512(line.0.as_ptr().cast()) }
    }

    #[inline(always)]
    fn load_half(self, line: &HalfLine) -> Self::Register {
        // SAFETY: `Avx512` proves CPU support; half a line is 32 bytes, aligned to 32
        unsafe { _mm512_cvtepi8_epi16(_mm256_load_si256(line.0.as_ptr().cast())) }
    }

    #[inline(always)]
    fn store(self, register: Self::Register, line: &mut CacheLine) {
        // SAFETY: `Avx512` proves CPU support; a line is 64 bytes, aligned to 64
        unsafe { _mm512_store_si512(line.0.as_mut_ptr().cast(), register) }
    }

    #[inline(always)]
    fn splat(self, number: i16) -> Self::Register {
        // SAFETY: `Avx512` proves CPU support
        unsafe { _mm512_set1_epi16(number) }
    }

    #[inline(always)]
    fn add(self, a: Self::Register, b: Self::Register) -> Self::Register {
        // SAFETY: `Avx512` proves CPU support
        unsafe { _mm512_add_epi16(a, b) }
    }

    #[inline(always)]
    fn subtract(self, a: Self::Register, b: Self::Register) -> Self::Register {
        // SAFETY: `Avx512` proves CPU support
        unsafe { _mm512_sub_epi16(a, b) }
    }

    #[inline(always)]
    fn minimum(self, a: Self::Register, b: Self::Register) -> Self::Register {
        // SAFETY: `Avx512` proves CPU support
        unsafe { _mm512_min_epi16(a, b) }
    }

    #[inline(always)]
    fn maximum(self, a: Self::Register, b: Self::Register) -> Self::Register {
        // SAFETY: `Avx512` proves CPU support
        unsafe { _mm512_max_epi16(a, b) }
    }

    #[inline(always)]
    fn shift_left(self, a: Self::Register, count: u32) -> Self::Register {
        // SAFETY: `Avx512` proves CPU support
        unsafe { _mm512_sll_epi16(a, _mm_cvtsi32_si128(count as i32)) }
    }

    #[inline(always)]
    fn multiply_rounded(self, a: Self::Register, b: Self::Register) -> Self::Register {
        // SAFETY: `Avx512` proves CPU support
        unsafe { _mm512_mulhrs_epi16(a, b) }
    }

    #[inline(always)]
    fn load_wide(self, sums: &Sums) -> Self::Wide {
        let start: *const __m512i = sums.0.as_ptr().cast();
        // SAFETY: `Avx512` proves CPU support; sums are 128 bytes, aligned to 64
        unsafe { [_mm512_load_si512(start), _mm512_load_si512(start.add(1))] }
    }

    #[inline(always)]
    fn store_wide(self, wide: Self::Wide, sums: &mut Sums) {
        let start: *mut __m512i = sums.0.as_mut_ptr().cast();
        // SAFETY: `Avx512` proves CPU support; sums are 128 bytes, aligned to 64
        unsafe {
            _mm512_store_si512(start, wide[0]);
            _mm512_store_si512(start.add(1), wide[1]);
        }
    }

    #[inline(always)]
    fn add_wide(self, a: Self::Wide, b: Self::Wide) -> Self::Wide {
        // SAFETY: `Avx512` proves CPU support
        unsafe { [_mm512_add_epi32(a[0], b[0]), _mm512_add_epi32(a[1], b[1])] }
    }

    #[inline(always)]
    fn multiply_add(self, sums: Self::Wide, a: Self::Register, b: Self::Register, pair: i32) -> Self::Wide {
        // SAFETY: `Avx512` proves CPU support
        unsafe {
            let pair = _mm512_set1_epi32(pair);
            [
                _mm512_dpwssd_epi32(sums[0], _mm512_unpacklo_epi16(a, b), pair),
                _mm512_dpwssd_epi32(sums[1], _mm512_unpackhi_epi16(a, b), pair),
            ]
        }
    }

    #[inline(always)]
    fn multiply_add_half(
        self,
        mut sums: Self::Wide,
        a: Self::Register,
        b: Self::Register,
        pair: i32,
    ) -> Self::Wide {
        // SAFETY: `Avx512` proves CPU support
        unsafe {
            let pair = _mm512_set1_epi32(pair);
            sums[0] = _mm512_dpwssd_epi32(sums[0], _mm512_unpacklo_epi16(a, b), pair);
        }
        sums
    }

    #[inline(always)]
    fn narrow(self, sums: Self::Wide, shift: u32) -> Self::Register {
        // SAFETY: `Avx512` proves CPU support
        unsafe {
            let shift = _mm_cvtsi32_si128(shift as i32);
            _mm512_packs_epi32(_mm512_sra_epi32(sums[0], shift), _mm512_sra_epi32(sums[1], shift))
        }
    }

    #[inline(always)]
    fn append(self, a: Self::Register, first: u16, list: &mut ActiveOutputs) {
        let numbers = self.add(self.load(&LANE_NUMBERS), self.splat(first as i16));
        let indices: &mut [u16; LANES] = list.indices[list.length..]
            .first_chunk_mut()
            .expect("room for a line");
        let values: &mut [i16; LANES] = list.values[list.length..]
            .first_chunk_mut()
            .expect("room for a line");
        // SAFETY: `Avx512` proves CPU support; both arrays have 64 bytes
        unsafe {
            let lanes = _mm512_cmpgt_epi16_mask(a, _mm512_setzero_si512());
            // packed in a register first: compressing straight to memory is slow on some processors
            _mm512_storeu_si512(
                indices.as_mut_ptr().cast(),
                _mm512_maskz_compress_epi16(lanes, numbers),
            );
            _mm512_storeu_si512(values.as_mut_ptr().cast(), _mm512_maskz_compress_epi16(lanes, a));
            list.length += lanes.count_ones() as usize;
        }
    }
    #[inline(always)]
    fn pack(self, a: Self::Register, b: Self::Register) -> Self::Bytes {
        // SAFETY: `Avx512` proves CPU support
        unsafe { _mm512_packus_epi16(a, b) }
    }

    #[inline(always)]
    fn load_bytes(self, line: &ByteLine) -> Self::Bytes {
        // SAFETY: `Avx512` proves CPU support; a line is 64 bytes, aligned to 64
        unsafe { _mm512_load_si512(line.0.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store_blocks(self, bytes: Self::Bytes, blocks: &mut Dots) {
        self.store_dots(bytes, blocks);
    }

    #[inline(always)]
    fn splat_block(self, block: i32) -> Self::Bytes {
        // SAFETY: `Avx512` proves CPU support
        unsafe { _mm512_set1_epi32(block) }
    }

    #[inline(always)]
    fn occupied(self, bytes: Self::Bytes) -> u16 {
        // SAFETY: `Avx512` proves CPU support
        unsafe { _mm512_test_epi32_mask(bytes, bytes) }
    }

    #[inline(always)]
    fn append_blocks(self, Occupied { first, blocks }: Occupied, list: &mut BlockList) {
        for half in 0..2 {
            let blocks = (blocks >> (half * LANES)) as u32;
            let start = self.splat((first + half * LANES) as i16);
            let rest: &mut [u16; LANES] = list.numbers[list.length..]
                .first_chunk_mut()
                .expect("room for a line");
            // SAFETY: `Avx512` proves CPU support; the array has 64 bytes
            unsafe {
                let numbers = self.add(self.load(&LANE_NUMBERS), start);
                let packed = _mm512_maskz_compress_epi16(blocks, numbers);
                _mm512_storeu_si512(rest.as_mut_ptr().cast(), packed);
            }
            list.length += blocks.count_ones() as usize;
        }
    }

    #[inline(always)]
    fn load_dots(self, dots: &Dots) -> Self::Sixteen {
        // SAFETY: `Avx512` proves CPU support; the sums are 64 bytes, aligned to 64
        unsafe { _mm512_load_si512(dots.0.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store_dots(self, sums: Self::Sixteen, dots: &mut Dots) {
        // SAFETY: `Avx512` proves CPU support; the sums are 64 bytes, aligned to 64
        unsafe { _mm512_store_si512(dots.0.as_mut_ptr().cast(), sums) }
    }

    #[inline(always)]
    fn add_dots(self, a: Self::Sixteen, b: Self::Sixteen) -> Self::Sixteen {
        // SAFETY: `Avx512` proves CPU support
        unsafe { _mm512_add_epi32(a, b) }
    }

    #[inline(always)]
    fn multiply_blocks(
        self,
        sums: Self::Sixteen,
        inputs: Self::Bytes,
        weights: Self::Bytes,
    ) -> Self::Sixteen {
        // SAFETY: `Avx512` proves CPU support
        unsafe { _mm512_dpbusd_epi32(sums, inputs, weights) }
    }

    #[inline(always)]
    fn splat_pair(self, pair: i32) -> Self::Register {
        // SAFETY: `Avx512` proves CPU support
        unsafe { _mm512_set1_epi32(pair) }
    }

    #[inline(always)]
    fn multiply_pairs(self, sums: Self::Sixteen, a: Self::Register, b: Self::Register) -> Self::Sixteen {
        // SAFETY: `Avx512` proves CPU support
        unsafe { _mm512_dpwssd_epi32(sums, a, b) }
    }

    #[inline(always)]
    fn shift_right(self, sums: Self::Sixteen, counts: Self::Sixteen) -> Self::Sixteen {
        // SAFETY: `Avx512` proves CPU support
        unsafe { _mm512_srav_epi32(sums, counts) }
    }

    #[inline(always)]
    fn narrow_dots(self, a: Self::Sixteen, b: Self::Sixteen) -> Self::Register {
        // SAFETY: `Avx512` proves CPU support
        unsafe {
            // packing takes four sums from either by turns
            let packed = _mm512_packs_epi32(a, b);
            _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), packed)
        }
    }

    #[inline(always)]
    fn total(self, sums: Self::Sixteen) -> i32 {
        // SAFETY: `Avx512` proves CPU support
        unsafe { _mm512_reduce_add_epi32(sums) }
    }
}
