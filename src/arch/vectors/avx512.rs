//! The operations in AVX-512, with and without its instructions for bfloat16.

use super::super::CacheLine;
use super::{Bfloats, Floats, Vectors, Work};
use std::arch::x86_64::*;

/// Constructed only inside [`run`] and [`run_with_bfloats`].
#[derive(Clone, Copy)]
struct Avx512<const BFLOATS: bool>;

/// Whether the processor has what [`run`] is compiled for.
pub(super) fn is_available() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("fma")
}

/// Whether it has the instructions for bfloat16 besides.
pub(super) fn has_bfloats() -> bool {
    is_x86_feature_detected!("avx512bf16")
}

/// Does the work. The caller has found [`is_available`].
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,fma")]
pub(super) fn run<W: Work>(work: W) -> W::Output {
    work.run(Avx512::<false>)
}

/// Does the work. The caller has found [`is_available`] and [`has_bfloats`].
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512bf16,bmi1,bmi2,fma")]
pub(super) fn run_with_bfloats<W: Work>(work: W) -> W::Output {
    work.run(Avx512::<true>)
}

/// The upper halves of 16 floats, rounded to the nearest, ties to even; 0 below the normal numbers.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn rounded(floats: __m512) -> __m256i {
    let least = _mm512_set1_ps(f32::MIN_POSITIVE);
    let normal = _mm512_cmp_ps_mask::<_CMP_NLT_UQ>(_mm512_abs_ps(floats), least);
    let sign = _mm512_and_si512(_mm512_castps_si512(floats), _mm512_set1_epi32(i32::MIN));
    let bits = _mm512_mask_mov_epi32(sign, normal, _mm512_castps_si512(floats));
    let odd = _mm512_and_si512(_mm512_srli_epi32::<16>(bits), _mm512_set1_epi32(1));
    let raised = _mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7fff)), odd);
    _mm512_cvtepi32_epi16(_mm512_srli_epi32::<16>(raised))
}

impl<const BFLOATS: bool> Vectors for Avx512<BFLOATS> {
    type Floats = __m512;
    type Integers = __m512i;
    type Bfloats = __m512i;

    #[inline(always)]
    fn splat(self, number: f32) -> __m512 {
        // SAFETY: `Avx512` proves CPU support
        unsafe { _mm512_set1_ps(number) }
    }

    #[inline(always)]
    fn load(self, from: &Floats) -> __m512 {
        // SAFETY: `Avx512` proves CPU support; 64 bytes, aligned to 64
        unsafe { _mm512_load_ps(from.0.as_ptr()) }
    }

    #[inline(always)]
    fn store(self, floats: __m512, to: &mut Floats) {
        // SAFETY: `Avx512` proves CPU support; 64 bytes, aligned to 64
        unsafe { _mm512_store_ps(to.0.as_mut_ptr(), floats) }
    }

    #[inline(always)]
    fn add(self, a: __m512, b: __m512) -> __m512 {
        // SAFETY: `Avx512` proves CPU support
        unsafe { _mm512_add_ps(a, b) }
    }

    #[inline(always)]
    fn subtract(self, a: __m512, b: __m512) -> __m512 {
        // SAFETY: `Avx512` proves CPU support
        unsafe { _mm512_sub_ps(a, b) }
    }

    #[inline(always)]
    fn multiply(self, a: __m512, b: __m512) -> __m512 {
        // SAFETY: `Avx512` proves CPU support
        unsafe { _mm512_mul_ps(a, b) }
    }

    #[inline(always)]
    fn divide(self, a: __m512, b: __m512) -> __m512 {
        // SAFETY: `Avx512` proves CPU support
        unsafe { _mm512_div_ps(a, b) }
    }

    #[inline(always)]
    fn multiply_add(self, a: __m512, b: __m512, c: __m512) -> __m512 {
        // SAFETY: `Avx512` proves CPU support
        unsafe { _mm512_fmadd_ps(a, b, c) }
    }

    #[inline(always)]
    fn root(self, a: __m512) -> __m512 {
        // SAFETY: `Avx512` proves CPU support
        unsafe { _mm512_sqrt_ps(a) }
    }

    #[inline(always)]
    fn clamp(self, a: __m512, low: __m512, high: __m512) -> __m512 {
        // SAFETY: `Avx512` proves CPU support; the second operand is what remains where one is no number
        unsafe { _mm512_min_ps(high, _mm512_max_ps(low, a)) }
    }

    #[inline(always)]
    fn within(self, x: __m512, low: __m512, high: __m512, y: __m512) -> __m512 {
        // SAFETY: `Avx512` proves CPU support
        unsafe {
            let above = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(low, x);
            _mm512_maskz_mov_ps(_mm512_mask_cmp_ps_mask::<_CMP_LT_OQ>(above, x, high), y)
        }
    }

    #[inline(always)]
    fn total(self, a: __m512) -> f32 {
        // SAFETY: `Avx512` proves CPU support
        unsafe { _mm512_reduce_add_ps(a) }
    }

    #[inline(always)]
    fn load_integers(self, from: &CacheLine) -> __m512i {
        // SAFETY: `Avx512` proves CPU support; 64 bytes, aligned to 64
        unsafe { _mm512_load_si512(from.0.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store_integers(self, integers: __m512i, to: &mut CacheLine) {
        // SAFETY: `Avx512` proves CPU support; 64 bytes, aligned to 64
        unsafe { _mm512_store_si512(to.0.as_mut_ptr().cast(), integers) }
    }

    #[inline(always)]
    fn add_integers(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `Avx512` proves CPU support
        unsafe { _mm512_adds_epi16(a, b) }
    }

    #[inline(always)]
    fn widen(self, a: __m512i) -> [__m512; 2] {
        // SAFETY: `Avx512` proves CPU support
        unsafe {
            let halves = [_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64::<1>(a)];
            halves.map(|half| _mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(half)))
        }
    }

    #[inline(always)]
    fn narrow(self, woven: [__m512; 2]) -> __m512i {
        // SAFETY: `Avx512` proves CPU support
        unsafe {
            // beyond 2³¹ the conversion gives the least integer, of either sign
            let most = _mm512_set1_ps(f32::from(i16::MAX));
            let [low, high] = woven.map(|floats| _mm512_cvtps_epi32(_mm512_min_ps(floats, most)));
            _mm512_packs_epi32(low, high)
        }
    }

    #[inline(always)]
    fn load_bfloats(self, from: &Bfloats) -> __m512i {
        // SAFETY: `Avx512` proves CPU support; 64 bytes, aligned to 64
        unsafe { _mm512_load_si512(from.0.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store_bfloats(self, bfloats: __m512i, to: &mut Bfloats) {
        // SAFETY: `Avx512` proves CPU support; 64 bytes, aligned to 64
        unsafe { _mm512_store_si512(to.0.as_mut_ptr().cast(), bfloats) }
    }

    #[inline(always)]
    fn round(self, [low, high]: [__m512; 2]) -> __m512i {
        // SAFETY: `Avx512` proves CPU support, and `BFLOATS` that of bfloat16; both types are 64 bytes
        unsafe {
            if BFLOATS {
                std::mem::transmute::<__m512bh, __m512i>(_mm512_cvtne2ps_pbh(high, low))
            } else {
                _mm512_inserti64x4::<1>(_mm512_castsi256_si512(rounded(low)), rounded(high))
            }
        }
    }

    #[inline(always)]
    fn add_bfloats(self, [low, high]: [__m512; 2], a: __m512i, b: __m512i) -> [__m512; 2] {
        // SAFETY: `Avx512` proves CPU support, and `BFLOATS` that of bfloat16; both types are 64 bytes
        unsafe {
            if BFLOATS {
                const ONE: i16 = 0x3f80;
                let pairs = |a| std::mem::transmute::<__m512i, __m512bh>(a);
                let ones = pairs(_mm512_set1_epi16(ONE));
                [
                    _mm512_dpbf16_ps(low, pairs(_mm512_unpacklo_epi16(a, b)), ones),
                    _mm512_dpbf16_ps(high, pairs(_mm512_unpackhi_epi16(a, b)), ones),
                ]
            } else {
                let zero = _mm512_setzero_si512();
                let lower = |a| _mm512_castsi512_ps(_mm512_unpacklo_epi16(zero, a));
                let upper = |a| _mm512_castsi512_ps(_mm512_unpackhi_epi16(zero, a));
                [
                    _mm512_add_ps(_mm512_add_ps(low, lower(b)), lower(a)),
                    _mm512_add_ps(_mm512_add_ps(high, upper(b)), upper(a)),
                ]
            }
        }
    }
}
