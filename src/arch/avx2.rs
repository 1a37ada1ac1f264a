//! The vector operations in AVX2: a line is two registers.

use super::active::ActiveOutputs;
use super::kernels::compiled;
use super::lines::{ByteLine, CacheLine, Dots, HalfLine, LANE_NUMBERS, Sums, TOGETHER};
use super::vocabulary::Vocabulary;
use super::{InstructionSet, Kernels};
use std::arch::x86_64::*;

/// Constructed only inside the functions of [`compiled`], which [`kernels`] returns only if the processor has AVX2 and
/// BMI.
#[derive(Clone, Copy)]
struct Avx2;

compiled!(Avx2, InstructionSet::Avx2, #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]);

pub(super) fn kernels() -> Option<Kernels> {
    let supported = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt");
    supported.then_some(KERNELS)
}

impl Vocabulary for Avx2 {
    type Register = [__m256i; 2];
    type Wide = [__m256i; 4];
    type Bytes = [__m256i; 2];
    type Sixteen = [__m256i; 2];
    const LINES: usize = 4;

    #[inline(always)]
    fn load(self, line: &CacheLine) -> Self::Register {
        let start: *const __m256i = line.0.as_ptr().cast();
        // SAFETY: `Avx2` proves CPU support; a line is 64 bytes, aligned to 64
        unsafe { [_mm256_load_si256(start), _mm256_load_si256(start.add(1))] }
    }

    #[inline(always)]
    fn load_half(self, line: &HalfLine) -> Self::Register {
        let start: *const __m128i = line.0.as_ptr().cast();
        // SAFETY: `Avx2` proves CPU support; half a line is 32 bytes, aligned to 32
        unsafe {
            [
                _mm256_cvtepi8_epi16(_mm_load_si128(start)),
                _mm256_cvtepi8_epi16(_mm_load_si128(start.add(1))),
            ]
        }
    }

    #[inline(always)]
    fn store(self, [low, high]: Self::Register, line: &mut CacheLine) {
        let start: *mut __m256i = line.0.as_mut_ptr().cast();
        // SAFETY: `Avx2` proves CPU support; a line is 64 bytes, aligned to 64
        unsafe {
            _mm256_store_si256(start, low);
            _mm256_store_si256(start.add(1), high);
        }
    }

    #[inline(always)]
    fn splat(self, number: i16) -> Self::Register {
        // SAFETY: `Avx2` proves CPU support
        unsafe { [_mm256_set1_epi16(number); 2] }
    }

    #[inline(always)]
    fn add(self, a: Self::Register, b: Self::Register) -> Self::Register {
        // SAFETY: `Avx2` proves CPU support
        unsafe { [_mm256_add_epi16(a[0], b[0]), _mm256_add_epi16(a[1], b[1])] }
    }

    #[inline(always)]
    fn subtract(self, a: Self::Register, b: Self::Register) -> Self::Register {
        // SAFETY: `Avx2` proves CPU support
        unsafe { [_mm256_sub_epi16(a[0], b[0]), _mm256_sub_epi16(a[1], b[1])] }
    }

    #[inline(always)]
    fn minimum(self, a: Self::Register, b: Self::Register) -> Self::Register {
        // SAFETY: `Avx2` proves CPU support
        unsafe { [_mm256_min_epi16(a[0], b[0]), _mm256_min_epi16(a[1], b[1])] }
    }

    #[inline(always)]
    fn maximum(self, a: Self::Register, b: Self::Register) -> Self::Register {
        // SAFETY: `Avx2` proves CPU support
        unsafe { [_mm256_max_epi16(a[0], b[0]), _mm256_max_epi16(a[1], b[1])] }
    }

    #[inline(always)]
    fn shift_left(self, a: Self::Register, count: u32) -> Self::Register {
        // SAFETY: `Avx2` proves CPU support
        unsafe {
            let count = _mm_cvtsi32_si128(count as i32);
            [_mm256_sll_epi16(a[0], count), _mm256_sll_epi16(a[1], count)]
        }
    }

    #[inline(always)]
    fn multiply_rounded(self, a: Self::Register, b: Self::Register) -> Self::Register {
        // SAFETY: `Avx2` proves CPU support
        unsafe { [_mm256_mulhrs_epi16(a[0], b[0]), _mm256_mulhrs_epi16(a[1], b[1])] }
    }

    #[inline(always)]
    fn load_wide(self, sums: &Sums) -> Self::Wide {
        let start: *const __m256i = sums.0.as_ptr().cast();
        // SAFETY: `Avx2` proves CPU support; sums are 128 bytes, aligned to 64
        unsafe {
            [
                _mm256_load_si256(start),
                _mm256_load_si256(start.add(1)),
                _mm256_load_si256(start.add(2)),
                _mm256_load_si256(start.add(3)),
            ]
        }
    }

    #[inline(always)]
    fn store_wide(self, wide: Self::Wide, sums: &mut Sums) {
        let start: *mut __m256i = sums.0.as_mut_ptr().cast();
        for (number, part) in wide.into_iter().enumerate() {
            // SAFETY: `Avx2` proves CPU support; four parts of 32 bytes lie within the sums, which are aligned
            unsafe { _mm256_store_si256(start.add(number), part) }
        }
    }

    #[inline(always)]
    fn add_wide(self, mut a: Self::Wide, b: Self::Wide) -> Self::Wide {
        for (a, b) in a.iter_mut().zip(b) {
            // SAFETY: `Avx2` proves CPU support
            *a = unsafe { _mm256_add_epi32(*a, b) };
        }
        a
    }

    #[inline(always)]
    fn multiply_add(self, sums: Self::Wide, a: Self::Register, b: Self::Register, pair: i32) -> Self::Wide {
        // SAFETY: `Avx2` proves CPU support
        unsafe {
            let pair = _mm256_set1_epi32(pair);
            let product = |both| _mm256_madd_epi16(both, pair);
            [
                _mm256_add_epi32(sums[0], product(_mm256_unpacklo_epi16(a[0], b[0]))),
                _mm256_add_epi32(sums[1], product(_mm256_unpacklo_epi16(a[1], b[1]))),
                _mm256_add_epi32(sums[2], product(_mm256_unpackhi_epi16(a[0], b[0]))),
                _mm256_add_epi32(sums[3], product(_mm256_unpackhi_epi16(a[1], b[1]))),
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
        // SAFETY: `Avx2` proves CPU support
        unsafe {
            let pair = _mm256_set1_epi32(pair);
            let product = |a, b| _mm256_madd_epi16(_mm256_unpacklo_epi16(a, b), pair);
            sums[0] = _mm256_add_epi32(sums[0], product(a[0], b[0]));
            sums[1] = _mm256_add_epi32(sums[1], product(a[1], b[1]));
        }
        sums
    }

    #[inline(always)]
    fn narrow(self, sums: Self::Wide, shift: u32) -> Self::Register {
        // SAFETY: `Avx2` proves CPU support
        unsafe {
            let shift = _mm_cvtsi32_si128(shift as i32);
            let down = |sums| _mm256_sra_epi32(sums, shift);
            [
                _mm256_packs_epi32(down(sums[0]), down(sums[2])),
                _mm256_packs_epi32(down(sums[1]), down(sums[3])),
            ]
        }
    }

    #[inline(always)]
    fn append(self, a: Self::Register, first: u16, list: &mut ActiveOutputs) {
        let numbers = self.add(self.load(&LANE_NUMBERS), self.splat(first as i16));
        // SAFETY: `Avx2` proves CPU support
        let lanes = unsafe {
            // packing mixes the halves of the two registers; the permutation puts them in order
            let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(a[0], a[1]));
            _mm256_movemask_epi8(_mm256_cmpgt_epi8(packed, _mm256_setzero_si256()))
        };
        let lanes = lanes.to_le_bytes();
        // SAFETY: `Avx2` proves CPU support
        let halves = |[low, high]: Self::Register| unsafe {
            [
                _mm256_castsi256_si128(low),
                _mm256_extracti128_si256::<1>(low),
                _mm256_castsi256_si128(high),
                _mm256_extracti128_si256::<1>(high),
            ]
        };
        for ((values, numbers), lanes) in halves(a).into_iter().zip(halves(numbers)).zip(lanes) {
            let shuffle = &TOGETHER[lanes as usize].0;
            let to_indices: &mut [u16; 8] = list.indices[list.length..]
                .first_chunk_mut()
                .expect("room for a line");
            let to_values: &mut [i16; 8] = list.values[list.length..]
                .first_chunk_mut()
                .expect("room for a line");
            // SAFETY: `Avx2` proves CPU support; all three arrays have 16 bytes
            unsafe {
                let shuffle = _mm_loadu_si128(shuffle.as_ptr().cast());
                _mm_storeu_si128(to_indices.as_mut_ptr().cast(), _mm_shuffle_epi8(numbers, shuffle));
                _mm_storeu_si128(to_values.as_mut_ptr().cast(), _mm_shuffle_epi8(values, shuffle));
            }
            list.length += lanes.count_ones() as usize;
        }
    }
    #[inline(always)]
    fn pack(self, a: Self::Register, b: Self::Register) -> Self::Bytes {
        // SAFETY: `Avx2` proves CPU support
        unsafe { [_mm256_packus_epi16(a[0], b[0]), _mm256_packus_epi16(a[1], b[1])] }
    }

    #[inline(always)]
    fn load_bytes(self, line: &ByteLine) -> Self::Bytes {
        let start: *const __m256i = line.0.as_ptr().cast();
        // SAFETY: `Avx2` proves CPU support; a line is 64 bytes, aligned to 64
        unsafe { [_mm256_load_si256(start), _mm256_load_si256(start.add(1))] }
    }

    #[inline(always)]
    fn store_blocks(self, bytes: Self::Bytes, blocks: &mut Dots) {
        self.store_dots(bytes, blocks);
    }

    #[inline(always)]
    fn splat_block(self, block: i32) -> Self::Bytes {
        // SAFETY: `Avx2` proves CPU support
        unsafe { [_mm256_set1_epi32(block); 2] }
    }

    #[inline(always)]
    fn occupied(self, [low, high]: Self::Bytes) -> u16 {
        // SAFETY: `Avx2` proves CPU support
        unsafe {
            // bytes up to 127 make no negative number, so that every block but zero is above zero
            let zero = _mm256_setzero_si256();
            let low = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(low, zero)));
            let high = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(high, zero)));
            (low | high << 8) as u16
        }
    }

    #[inline(always)]
    fn load_dots(self, dots: &Dots) -> Self::Sixteen {
        let start: *const __m256i = dots.0.as_ptr().cast();
        // SAFETY: `Avx2` proves CPU support; the sums are 64 bytes, aligned to 64
        unsafe { [_mm256_load_si256(start), _mm256_load_si256(start.add(1))] }
    }

    #[inline(always)]
    fn store_dots(self, [low, high]: Self::Sixteen, dots: &mut Dots) {
        let start: *mut __m256i = dots.0.as_mut_ptr().cast();
        // SAFETY: `Avx2` proves CPU support; the sums are 64 bytes, aligned to 64
        unsafe {
            _mm256_store_si256(start, low);
            _mm256_store_si256(start.add(1), high);
        }
    }

    #[inline(always)]
    fn add_dots(self, a: Self::Sixteen, b: Self::Sixteen) -> Self::Sixteen {
        // SAFETY: `Avx2` proves CPU support
        unsafe { [_mm256_add_epi32(a[0], b[0]), _mm256_add_epi32(a[1], b[1])] }
    }

    #[inline(always)]
    fn multiply_blocks(
        self,
        sums: Self::Sixteen,
        inputs: Self::Bytes,
        weights: Self::Bytes,
    ) -> Self::Sixteen {
        // SAFETY: `Avx2` proves CPU support
        let products = |part: usize| unsafe {
            // two products of 127 · 127 fit in 16 bits, so that nothing saturates
            let pairs = _mm256_maddubs_epi16(inputs[part], weights[part]);
            _mm256_madd_epi16(pairs, _mm256_set1_epi16(1))
        };
        self.add_dots(sums, [products(0), products(1)])
    }

    #[inline(always)]
    fn splat_pair(self, pair: i32) -> Self::Register {
        // SAFETY: `Avx2` proves CPU support
        unsafe { [_mm256_set1_epi32(pair); 2] }
    }

    #[inline(always)]
    fn multiply_pairs(self, sums: Self::Sixteen, a: Self::Register, b: Self::Register) -> Self::Sixteen {
        // SAFETY: `Avx2` proves CPU support
        let products = unsafe { [_mm256_madd_epi16(a[0], b[0]), _mm256_madd_epi16(a[1], b[1])] };
        self.add_dots(sums, products)
    }

    #[inline(always)]
    fn shift_right(self, sums: Self::Sixteen, counts: Self::Sixteen) -> Self::Sixteen {
        // SAFETY: `Avx2` proves CPU support
        unsafe {
            [
                _mm256_srav_epi32(sums[0], counts[0]),
                _mm256_srav_epi32(sums[1], counts[1]),
            ]
        }
    }

    #[inline(always)]
    fn narrow_dots(self, a: Self::Sixteen, b: Self::Sixteen) -> Self::Register {
        // SAFETY: `Avx2` proves CPU support
        let words = |[low, high]: Self::Sixteen| unsafe {
            // packing takes four sums from either by turns
            _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi32(low, high))
        };
        [words(a), words(b)]
    }

    #[inline(always)]
    fn total(self, [low, high]: Self::Sixteen) -> i32 {
        // SAFETY: `Avx2` proves CPU support
        unsafe {
            let eight = _mm256_add_epi32(low, high);
            let four = _mm_add_epi32(
                _mm256_castsi256_si128(eight),
                _mm256_extracti128_si256::<1>(eight),
            );
            let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
            _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two)))
        }
    }
}
