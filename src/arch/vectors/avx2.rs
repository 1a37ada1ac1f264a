//! The operations in AVX2 with FMA: 16 floats are two registers.

use super::super::CacheLine;
use super::{Bfloats, Floats, Vectors, Work};
use std::arch::x86_64::*;

/// Constructed only inside [`run`].
#[derive(Clone, Copy)]
struct Avx2;

/// Whether the processor has what [`run`] is compiled for.
pub(super) fn is_available() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("fma")
}

/// Does the work. The caller has found [`is_available`].
#[target_feature(enable = "avx2,bmi1,bmi2,fma")]
pub(super) fn run<W: Work>(work: W) -> W::Output {
    work.run(Avx2)
}

type Pair = [__m256; 2];
type Whole = [__m256i; 2];

/// Applies an operation to both registers.
#[inline(always)]
fn both<A: Copy, B: Copy, C>(a: [A; 2], b: [B; 2], operation: impl Fn(A, B) -> C) -> [C; 2] {
    [operation(a[0], b[0]), operation(a[1], b[1])]
}

/// The bits of 8 floats whose upper halves are rounded to the nearest, ties to even, and moved to the lower halves; 0 below
/// the normal numbers.
#[inline]
#[target_feature(enable = "avx2")]
fn rounded(floats: __m256) -> __m256i {
    let sign = _mm256_set1_ps(-0.0);
    let small =
        _mm256_cmp_ps::<_CMP_LT_OQ>(_mm256_andnot_ps(sign, floats), _mm256_set1_ps(f32::MIN_POSITIVE));
    let bits = _mm256_castps_si256(_mm256_blendv_ps(floats, _mm256_and_ps(floats, sign), small));
    let odd = _mm256_and_si256(_mm256_srli_epi32::<16>(bits), _mm256_set1_epi32(1));
    let raised = _mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7fff)), odd);
    _mm256_srli_epi32::<16>(raised)
}

impl Vectors for Avx2 {
    type Floats = Pair;
    type Integers = Whole;
    type Bfloats = Whole;

    #[inline(always)]
    fn splat(self, number: f32) -> Pair {
        // SAFETY: `Avx2` proves CPU support
        unsafe { [_mm256_set1_ps(number); 2] }
    }

    #[inline(always)]
    fn load(self, from: &Floats) -> Pair {
        let start = from.0.as_ptr();
        // SAFETY: `Avx2` proves CPU support; 64 bytes, aligned to 64
        unsafe { [_mm256_load_ps(start), _mm256_load_ps(start.add(8))] }
    }

    #[inline(always)]
    fn store(self, [low, high]: Pair, to: &mut Floats) {
        let start = to.0.as_mut_ptr();
        // SAFETY: `Avx2` proves CPU support; 64 bytes, aligned to 64
        unsafe {
            _mm256_store_ps(start, low);
            _mm256_store_ps(start.add(8), high);
        }
    }

    #[inline(always)]
    fn add(self, a: Pair, b: Pair) -> Pair {
        // SAFETY: `Avx2` proves CPU support
        both(a, b, |a, b| unsafe { _mm256_add_ps(a, b) })
    }

    #[inline(always)]
    fn subtract(self, a: Pair, b: Pair) -> Pair {
        // SAFETY: `Avx2` proves CPU support
        both(a, b, |a, b| unsafe { _mm256_sub_ps(a, b) })
    }

    #[inline(always)]
    fn multiply(self, a: Pair, b: Pair) -> Pair {
        // SAFETY: `Avx2` proves CPU support
        both(a, b, |a, b| unsafe { _mm256_mul_ps(a, b) })
    }

    #[inline(always)]
    fn divide(self, a: Pair, b: Pair) -> Pair {
        // SAFETY: `Avx2` proves CPU support
        both(a, b, |a, b| unsafe { _mm256_div_ps(a, b) })
    }

    #[inline(always)]
    fn multiply_add(self, a: Pair, b: Pair, c: Pair) -> Pair {
        // SAFETY: `Avx2` proves CPU support
        unsafe {
            [
                _mm256_fmadd_ps(a[0], b[0], c[0]),
                _mm256_fmadd_ps(a[1], b[1], c[1]),
            ]
        }
    }

    #[inline(always)]
    fn root(self, a: Pair) -> Pair {
        // SAFETY: `Avx2` proves CPU support
        a.map(|a| unsafe { _mm256_sqrt_ps(a) })
    }

    #[inline(always)]
    fn clamp(self, a: Pair, low: Pair, high: Pair) -> Pair {
        // SAFETY: `Avx2` proves CPU support; the second operand is what remains where one is no number
        let raised = both(low, a, |low, a| unsafe { _mm256_max_ps(low, a) });
        // SAFETY: as above
        both(high, raised, |high, a| unsafe { _mm256_min_ps(high, a) })
    }

    #[inline(always)]
    fn within(self, x: Pair, low: Pair, high: Pair, y: Pair) -> Pair {
        // SAFETY: `Avx2` proves CPU support
        let above = both(low, x, |low, x| unsafe { _mm256_cmp_ps::<_CMP_LT_OQ>(low, x) });
        // SAFETY: as above
        let below = both(x, high, |x, high| unsafe { _mm256_cmp_ps::<_CMP_LT_OQ>(x, high) });
        // SAFETY: as above
        let inside = both(above, below, |a, b| unsafe { _mm256_and_ps(a, b) });
        // SAFETY: as above
        both(inside, y, |a, b| unsafe { _mm256_and_ps(a, b) })
    }

    #[inline(always)]
    fn total(self, [low, high]: Pair) -> f32 {
        // SAFETY: `Avx2` proves CPU support
        unsafe {
            let eight = _mm256_add_ps(low, high);
            let four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps::<1>(eight));
            let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
        }
    }

    #[inline(always)]
    fn load_integers(self, from: &CacheLine) -> Whole {
        let start: *const __m256i = from.0.as_ptr().cast();
        // SAFETY: `Avx2` proves CPU support; 64 bytes, aligned to 64
        unsafe { [_mm256_load_si256(start), _mm256_load_si256(start.add(1))] }
    }

    #[inline(always)]
    fn store_integers(self, [low, high]: Whole, to: &mut CacheLine) {
        let start: *mut __m256i = to.0.as_mut_ptr().cast();
        // SAFETY: `Avx2` proves CPU support; 64 bytes, aligned to 64
        unsafe {
            _mm256_store_si256(start, low);
            _mm256_store_si256(start.add(1), high);
        }
    }

    #[inline(always)]
    fn add_integers(self, a: Whole, b: Whole) -> Whole {
        // SAFETY: `Avx2` proves CPU support
        both(a, b, |a, b| unsafe { _mm256_adds_epi16(a, b) })
    }

    #[inline(always)]
    fn widen(self, a: Whole) -> [Pair; 2] {
        // SAFETY: `Avx2` proves CPU support
        let eight = |half| unsafe { _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(half)) };
        // SAFETY: as above
        a.map(|a| unsafe {
            [
                eight(_mm256_castsi256_si128(a)),
                eight(_mm256_extracti128_si256::<1>(a)),
            ]
        })
    }

    #[inline(always)]
    fn narrow(self, [low, high]: [Pair; 2]) -> Whole {
        // SAFETY: `Avx2` proves CPU support; beyond 2³¹ the conversion gives the least integer, of either sign
        let integers =
            |a| unsafe { _mm256_cvtps_epi32(_mm256_min_ps(a, _mm256_set1_ps(f32::from(i16::MAX)))) };
        // SAFETY: as above
        both(low, high, |low, high| unsafe {
            _mm256_packs_epi32(integers(low), integers(high))
        })
    }

    #[inline(always)]
    fn load_bfloats(self, from: &Bfloats) -> Whole {
        let start: *const __m256i = from.0.as_ptr().cast();
        // SAFETY: `Avx2` proves CPU support; 64 bytes, aligned to 64
        unsafe { [_mm256_load_si256(start), _mm256_load_si256(start.add(1))] }
    }

    #[inline(always)]
    fn store_bfloats(self, [low, high]: Whole, to: &mut Bfloats) {
        let start: *mut __m256i = to.0.as_mut_ptr().cast();
        // SAFETY: `Avx2` proves CPU support; 64 bytes, aligned to 64
        unsafe {
            _mm256_store_si256(start, low);
            _mm256_store_si256(start.add(1), high);
        }
    }

    #[inline(always)]
    fn round(self, floats: [Pair; 2]) -> Whole {
        // SAFETY: `Avx2` proves CPU support
        floats.map(|[low, high]| unsafe {
            // packing interleaves halves of the registers; the permutation puts them in order
            let packed = _mm256_packus_epi32(rounded(low), rounded(high));
            _mm256_permute4x64_epi64::<0b11_01_10_00>(packed)
        })
    }

    #[inline(always)]
    fn add_bfloats(self, [low, high]: [Pair; 2], a: Whole, b: Whole) -> [Pair; 2] {
        // SAFETY: `Avx2` proves CPU support
        let lower = |a| unsafe { _mm256_castsi256_ps(_mm256_unpacklo_epi16(_mm256_setzero_si256(), a)) };
        // SAFETY: as above
        let upper = |a| unsafe { _mm256_castsi256_ps(_mm256_unpackhi_epi16(_mm256_setzero_si256(), a)) };
        [
            self.add(self.add(low, b.map(lower)), a.map(lower)),
            self.add(self.add(high, b.map(upper)), a.map(upper)),
        ]
    }
}
