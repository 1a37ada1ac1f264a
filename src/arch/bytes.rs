//! Products of bytes: layers whose inputs are 0 to 127 and whose weights are signed bytes, as the networks of Stockfish
//! have them. Every instruction set gives the same numbers; the loops in plain Rust fix them.

use super::{CacheLine, InstructionSet, LANES};

/// Inputs whose products are added at once.
pub const BYTE_BLOCK: usize = 4;

/// Sums in [`Dots`].
pub const DOTS: usize = 16;

/// Blocks that are multiplied in independent chains, because each addition waits for the one before.
const CHAINS: usize = 4;

/// The largest pair's factor: the product of two, divided by 128, fits in seven bits.
const MOST: i16 = 127;

/// 64 numbers of 8 bits: the weights of one block of inputs for 16 sums, those of each sum together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct ByteLine(pub [i8; BYTE_BLOCK * DOTS]);

impl ByteLine {
    pub const ZERO: ByteLine = ByteLine([0; BYTE_BLOCK * DOTS]);
}

/// 16 sums of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Dots(pub [i32; DOTS]);

impl Dots {
    pub const ZERO: Dots = Dots([0; DOTS]);
}

type Pair = unsafe fn(&[CacheLine], &mut [u8]);
type Multiply = unsafe fn(&[u8], &[ByteLine], &[Dots], &mut [Dots]);

/// The loops of one instruction set.
#[derive(Clone, Copy, Debug)]
pub struct ByteKernels {
    pair: Pair,
    multiply: Multiply,
}

impl ByteKernels {
    /// The loops for this set, or the plain ones if there are none for it; `None` if the processor lacks it.
    pub fn of(set: InstructionSet) -> Option<ByteKernels> {
        set.kernels()?;
        Some(match set {
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => x86::AVX512,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => x86::AVX2,
            _ => ByteKernels { pair, multiply },
        })
    }

    /// Clips numbers to 0 … 127 and multiplies each of the first half with its partner in the second half; the products
    /// are divided by 128, rounding down.
    ///
    /// # Panics
    /// If there are not twice as many numbers as outputs.
    #[inline]
    pub fn pair_products(&self, numbers: &[CacheLine], outputs: &mut [u8]) {
        assert_eq!(numbers.len() * LANES, 2 * outputs.len());
        // SAFETY: a table exists only if the processor has its instructions
        unsafe { (self.pair)(numbers, outputs) }
    }

    /// The sums of a layer: for every 16 of them a line for each [`BYTE_BLOCK`] inputs. Inputs must be at most 127, and
    /// the sums must fit in 32 bits.
    ///
    /// # Panics
    /// If the lengths do not fit together, or the inputs are not a multiple of 16.
    #[inline]
    pub fn multiply(&self, inputs: &[u8], weights: &[ByteLine], bias: &[Dots], sums: &mut [Dots]) {
        assert_eq!(inputs.len() % (BYTE_BLOCK * CHAINS), 0);
        assert_eq!(weights.len() * BYTE_BLOCK, inputs.len() * sums.len());
        assert_eq!(bias.len(), sums.len());
        // SAFETY: a table exists only if the processor has its instructions
        unsafe { (self.multiply)(inputs, weights, bias, sums) }
    }
}

/// See [`ByteKernels::pair_products`].
#[inline(always)]
fn pair(numbers: &[CacheLine], outputs: &mut [u8]) {
    let (first, second) = numbers.split_at(numbers.len() / 2);
    let outputs = outputs.as_chunks_mut::<LANES>().0;
    for ((first, second), outputs) in first.iter().zip(second).zip(outputs) {
        for ((a, b), output) in first.0.iter().zip(second.0).zip(outputs) {
            // both factors have seven bits: their product fits in 14
            *output = (((*a).clamp(0, MOST) * b.clamp(0, MOST)) >> 7) as u8;
        }
    }
}

/// See [`ByteKernels::multiply`].
#[inline(always)]
fn multiply(inputs: &[u8], weights: &[ByteLine], bias: &[Dots], sums: &mut [Dots]) {
    let blocks = inputs.as_chunks::<BYTE_BLOCK>().0;
    let weights = weights.chunks_exact(blocks.len());
    for ((weights, bias), sums) in weights.zip(bias).zip(sums) {
        *sums = *bias;
        for (block, line) in blocks.iter().zip(weights) {
            for (sum, weights) in sums.0.iter_mut().zip(line.0.as_chunks::<BYTE_BLOCK>().0) {
                let products = block.iter().zip(weights);
                let product = |(&input, &weight): (&u8, &i8)| i32::from(input) * i32::from(weight);
                *sum = sum.wrapping_add(products.map(product).sum());
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{BYTE_BLOCK, ByteKernels, ByteLine, CHAINS, CacheLine, Dots, LANES, MOST};
    use std::arch::x86_64::*;

    pub(super) const AVX512: ByteKernels = ByteKernels {
        pair: pair_avx512,
        multiply: multiply_avx512,
    };

    pub(super) const AVX2: ByteKernels = ByteKernels {
        pair: pair_avx2,
        multiply: multiply_avx2,
    };

    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    fn pair_avx512(numbers: &[CacheLine], outputs: &mut [u8]) {
        let (first, second) = numbers.split_at(numbers.len() / 2);
        let outputs = outputs.as_chunks_mut::<LANES>().0;
        let clipped = |line: &CacheLine| {
            // SAFETY: a line is 64 bytes, aligned to 64
            let numbers = unsafe { _mm512_load_si512(line.0.as_ptr().cast()) };
            let least = _mm512_max_epi16(numbers, _mm512_setzero_si512());
            _mm512_min_epi16(least, _mm512_set1_epi16(MOST))
        };
        for ((first, second), outputs) in first.iter().zip(second).zip(outputs) {
            let products = _mm512_mullo_epi16(clipped(first), clipped(second));
            let bytes = _mm512_cvtepi16_epi8(_mm512_srli_epi16::<7>(products));
            // SAFETY: the outputs are 32 bytes
            unsafe { _mm256_storeu_si256(outputs.as_mut_ptr().cast(), bytes) }
        }
    }

    #[target_feature(enable = "avx2")]
    fn pair_avx2(numbers: &[CacheLine], outputs: &mut [u8]) {
        let (first, second) = numbers.split_at(numbers.len() / 2);
        let outputs = outputs.as_chunks_mut::<LANES>().0;
        let clipped = |line: &CacheLine, half: usize| {
            let start: *const __m256i = line.0.as_ptr().cast();
            // SAFETY: a line is 64 bytes, aligned to 64
            let numbers = unsafe { _mm256_load_si256(start.add(half)) };
            let least = _mm256_max_epi16(numbers, _mm256_setzero_si256());
            _mm256_min_epi16(least, _mm256_set1_epi16(MOST))
        };
        for ((first, second), outputs) in first.iter().zip(second).zip(outputs) {
            let product = |half| {
                let products = _mm256_mullo_epi16(clipped(first, half), clipped(second, half));
                _mm256_srli_epi16::<7>(products)
            };
            // packing mixes the halves of the two registers; the permutation puts them in order
            let packed = _mm256_packus_epi16(product(0), product(1));
            let bytes = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
            // SAFETY: the outputs are 32 bytes
            unsafe { _mm256_storeu_si256(outputs.as_mut_ptr().cast(), bytes) }
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    fn multiply_avx512(inputs: &[u8], weights: &[ByteLine], bias: &[Dots], sums: &mut [Dots]) {
        let blocks = inputs.as_chunks::<BYTE_BLOCK>().0;
        let weights = weights.chunks_exact(blocks.len());
        for ((weights, bias), sums) in weights.zip(bias).zip(sums) {
            let mut parts = [_mm512_setzero_si512(); CHAINS];
            // SAFETY: the sums are 64 bytes, aligned to 64
            parts[0] = unsafe { _mm512_load_si512(bias.0.as_ptr().cast()) };
            let lines = weights.as_chunks::<CHAINS>().0;
            for (blocks, lines) in blocks.as_chunks::<CHAINS>().0.iter().zip(lines) {
                for ((part, block), line) in parts.iter_mut().zip(blocks).zip(lines) {
                    // SAFETY: a line is 64 bytes, aligned to 64
                    let line = unsafe { _mm512_load_si512(line.0.as_ptr().cast()) };
                    *part = _mm512_dpbusd_epi32(*part, _mm512_set1_epi32(i32::from_le_bytes(*block)), line);
                }
            }
            let [a, b, c, d] = parts;
            let sum = _mm512_add_epi32(_mm512_add_epi32(a, b), _mm512_add_epi32(c, d));
            // SAFETY: the sums are 64 bytes, aligned to 64
            unsafe { _mm512_store_si512(sums.0.as_mut_ptr().cast(), sum) }
        }
    }

    #[target_feature(enable = "avx2")]
    fn multiply_avx2(inputs: &[u8], weights: &[ByteLine], bias: &[Dots], sums: &mut [Dots]) {
        let blocks = inputs.as_chunks::<BYTE_BLOCK>().0;
        let weights = weights.chunks_exact(blocks.len());
        let ones = _mm256_set1_epi16(1);
        for ((weights, bias), sums) in weights.zip(bias).zip(sums) {
            let start: *const __m256i = bias.0.as_ptr().cast();
            // SAFETY: the sums are 64 bytes, aligned to 64
            let mut parts = unsafe { [_mm256_load_si256(start), _mm256_load_si256(start.add(1))] };
            for (block, line) in blocks.iter().zip(weights) {
                let input = _mm256_set1_epi32(i32::from_le_bytes(*block));
                let start: *const __m256i = line.0.as_ptr().cast();
                for (half, part) in parts.iter_mut().enumerate() {
                    // SAFETY: a line is 64 bytes, aligned to 64
                    let line = unsafe { _mm256_load_si256(start.add(half)) };
                    // two products of at most 127 · 128 fit in 16 bits
                    let pairs = _mm256_madd_epi16(_mm256_maddubs_epi16(input, line), ones);
                    *part = _mm256_add_epi32(*part, pairs);
                }
            }
            let start: *mut __m256i = sums.0.as_mut_ptr().cast();
            // SAFETY: the sums are 64 bytes, aligned to 64
            unsafe {
                _mm256_store_si256(start, parts[0]);
                _mm256_store_si256(start.add(1), parts[1]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look random, and the ends of the type among them.
    fn numbers(count: usize, seed: u32) -> impl Iterator<Item = i16> {
        (0..count as u32).map(move |n| match n % 11 {
            0 => i16::MIN,
            1 => i16::MAX,
            2 => MOST,
            _ => ((n + seed).wrapping_mul(0x9e37_79b9) >> 24) as i16 - 60,
        })
    }

    #[test]
    fn every_set_gives_the_numbers_of_the_definition() {
        let mut lines = [CacheLine::ZERO; 32];
        for (line, seed) in lines.iter_mut().zip(0..) {
            line.0 = numbers(LANES, seed * 77).collect::<Vec<_>>().try_into().unwrap();
        }
        let flat: Vec<i16> = lines.iter().flat_map(|line| line.0).collect();
        let outputs = flat.len() / 2;
        let expected: Vec<u8> = (0..outputs)
            .map(|n| {
                (i32::from(flat[n].clamp(0, 127)) * i32::from(flat[n + outputs].clamp(0, 127)) / 128) as u8
            })
            .collect();
        // the heaviest inputs that the product may meet
        let mut inputs = expected.clone();
        inputs[..40].fill(127);
        let weights: Vec<ByteLine> = (0..2 * outputs / BYTE_BLOCK)
            .map(|line| {
                let numbers = numbers(64, line as u32 * 13).map(|n| n as i8);
                ByteLine(numbers.collect::<Vec<_>>().try_into().unwrap())
            })
            .map(|line| {
                if line.0[5] > 50 {
                    ByteLine([-128; 64])
                } else {
                    line
                }
            })
            .collect();
        let bias = [Dots([-7; DOTS]), Dots(std::array::from_fn(|n| n as i32 * 1_000))];
        let sum = |unit: usize| -> i32 {
            let (group, place) = (unit / DOTS, unit % DOTS);
            let weight = |n: usize| {
                let line = weights[group * outputs / BYTE_BLOCK + n / BYTE_BLOCK];
                line.0[place * BYTE_BLOCK + n % BYTE_BLOCK]
            };
            let products = (0..outputs).map(|n| i32::from(inputs[n]) * i32::from(weight(n)));
            bias[group].0[place] + products.sum::<i32>()
        };
        for set in InstructionSet::available() {
            let kernels = ByteKernels::of(set).unwrap();
            let mut found = vec![0; outputs];
            kernels.pair_products(&lines, &mut found);
            assert_eq!(found, expected, "{set}");
            let mut sums = [Dots::ZERO; 2];
            kernels.multiply(&inputs, &weights, &bias, &mut sums);
            for unit in 0..2 * DOTS {
                assert_eq!(sums[unit / DOTS].0[unit % DOTS], sum(unit), "{set} {unit}");
            }
        }
    }
}
