//! The layers after a first one whose outputs are bounded: they fit in bytes, the next layer multiplies bytes with bytes
//! and skips blocks of zeros, and the few units of the layers after that are words of 16 bits.

use super::active_bytes::ActiveBytes;
use super::lines::{ByteLine, CacheLine, DOTS, Dots};
use super::vocabulary::Vocabulary;

/// Independent chains of additions: each addition waits for the one before in its chain.
pub const CHAINS: usize = 4;

/// What follows a layer's sums: they are shifted right, become words, and are made nonlinear.
#[derive(Clone, Debug)]
pub struct Ends {
    /// The initial sum of each unit, with half a unit of the shifted sum for rounding.
    pub bias: Vec<Dots>,
    /// How far each sum is shifted right, rounding down; the result saturates at 16 bits.
    pub shifts: Vec<Dots>,
    /// The largest word of each unit, in the order of the words.
    pub caps: Vec<CacheLine>,
    /// Whether each unit has two words. Then a line holds the units of one [`Dots`], their words from 0 to the cap before the
    /// squares of those from − cap to cap, divided by 2¹⁵ and rounded to nearest. Otherwise a line holds the words of two
    /// [`Dots`].
    pub twice: bool,
}

/// The second layer of one bucket: bytes times bytes.
#[derive(Clone, Debug)]
pub struct ByteLayer {
    /// For each [`Dots`] of units a line for every block of inputs, with [`BLOCK`](super::BLOCK) weights of each unit.
    pub weights: Vec<ByteLine>,
    pub ends: Ends,
}

/// A later layer of one bucket: words times words.
#[derive(Clone, Debug)]
pub struct WordLayer {
    /// For each [`Dots`] of units a line for every pair of inputs, with both weights of each unit.
    pub weights: Vec<CacheLine>,
    /// The number of pairs, a multiple of [`CHAINS`].
    pub pairs: usize,
    pub ends: Ends,
}

/// The layers after the first of one bucket.
#[derive(Clone, Debug)]
pub struct DenseLayers {
    /// The second layer.
    pub second: ByteLayer,
    /// Its unit whose sum goes straight to the output: of 16 units, or of a layer whose units have two words.
    pub straight: Option<usize>,
    /// The later layers but the last.
    pub later: Vec<WordLayer>,
    /// The weights of the output, whose sum has 32 bits; none if the second layer is the last.
    pub output: Vec<CacheLine>,
}

/// See [`Kernels::forward`](super::Kernels::forward).
#[inline(always)]
pub(super) fn forward<V: Vocabulary>(v: V, active: &mut ActiveBytes, layers: &DenseLayers) -> [i32; 2] {
    let ActiveBytes {
        lines,
        occupied,
        list,
        words: [inputs, outputs],
    } = active;
    list.length = 0;
    for &blocks in occupied.iter() {
        v.append_blocks(blocks, list);
    }
    let bytes = Bytes {
        numbers: Dots::flat(lines),
        occupied: list.numbers(),
        weights: &layers.second.weights,
    };
    let straight = layer(v, &bytes, &layers.second.ends, layers.straight, inputs);
    let (mut inputs, mut outputs) = (&mut inputs[..], &mut outputs[..]);
    for later in &layers.later {
        let words = Words {
            pairs: CacheLine::pairs(inputs),
            weights: &later.weights,
            count: later.pairs,
        };
        layer(v, &words, &later.ends, None, outputs);
        std::mem::swap(&mut inputs, &mut outputs);
    }
    let mut sum = v.load_dots(&Dots::ZERO);
    for (words, weights) in inputs.iter().zip(&layers.output) {
        sum = v.multiply_pairs(sum, v.load(words), v.load(weights));
    }
    [v.total(sum), straight]
}

/// The words of a layer, and the sum of the unit that is asked for, which is 0 if none is.
#[inline(always)]
fn layer<V: Vocabulary>(
    v: V,
    products: &impl Products,
    ends: &Ends,
    asked: Option<usize>,
    words: &mut [CacheLine],
) -> i32 {
    let mut answer = 0;
    for (number, (caps, words)) in ends.caps.iter().zip(words).enumerate() {
        let (none, caps) = (v.load_dots(&Dots::ZERO), v.load(caps));
        let first = if ends.twice { number } else { 2 * number };
        let word = if ends.twice || first + 1 == ends.bias.len() {
            let [sums] = products.sums(v, [first], [&ends.bias[first]]);
            if let Some(unit) = asked
                && unit / DOTS == first
            {
                let mut dots = Dots::ZERO;
                v.store_dots(sums, &mut dots);
                answer = dots.0[unit % DOTS];
            }
            let sums = v.shift_right(sums, v.load_dots(&ends.shifts[first]));
            if ends.twice {
                twice(v, sums, caps)
            } else {
                once(v, sums, none, caps)
            }
        } else {
            let bias = [&ends.bias[first], &ends.bias[first + 1]];
            let [low, high] = products.sums(v, [first, first + 1], bias);
            let low = v.shift_right(low, v.load_dots(&ends.shifts[first]));
            let high = v.shift_right(high, v.load_dots(&ends.shifts[first + 1]));
            once(v, low, high, caps)
        };
        v.store(word, words);
    }
    answer
}

/// Shifted sums as words from 0 to the caps.
#[inline(always)]
fn once<V: Vocabulary>(v: V, low: V::Sixteen, high: V::Sixteen, caps: V::Register) -> V::Register {
    v.minimum(v.maximum(v.narrow_dots(low, high), v.splat(0)), caps)
}

/// Shifted sums as words from 0 to the caps, and squared.
#[inline(always)]
fn twice<V: Vocabulary>(v: V, sums: V::Sixteen, caps: V::Register) -> V::Register {
    let (zero, none) = (v.splat(0), v.load_dots(&Dots::ZERO));
    let clipped = once(v, sums, none, caps);
    let either = v.minimum(v.narrow_dots(none, sums), caps);
    let either = v.maximum(either, v.subtract(zero, caps));
    v.add(clipped, v.multiply_rounded(either, either))
}

/// The products of a layer's inputs with its weights.
trait Products {
    /// The sums of `N` times 16 units with these numbers, from these initial ones.
    fn sums<V: Vocabulary, const N: usize>(
        &self,
        v: V,
        numbers: [usize; N],
        bias: [&Dots; N],
    ) -> [V::Sixteen; N];
}

/// Bytes with bytes, of the blocks that are not zero.
struct Bytes<'a> {
    numbers: &'a [i32],
    occupied: &'a [u16],
    weights: &'a [ByteLine],
}

impl Products for Bytes<'_> {
    #[inline(always)]
    fn sums<V: Vocabulary, const N: usize>(
        &self,
        v: V,
        numbers: [usize; N],
        bias: [&Dots; N],
    ) -> [V::Sixteen; N] {
        let rows = self.numbers.len();
        let mut weights = [self.weights; N];
        let mut parts = [[v.load_dots(&Dots::ZERO); CHAINS]; N];
        for i in 0..N {
            weights[i] = &self.weights[numbers[i] * rows..][..rows];
            parts[i][0] = v.load_dots(bias[i]);
        }
        let (blocks, rest) = self.occupied.as_chunks::<CHAINS>();
        for blocks in blocks {
            for (k, &block) in blocks.iter().enumerate() {
                self.add::<V, N>(v, block as usize, &weights, &mut parts, k);
            }
        }
        for &block in rest {
            self.add::<V, N>(v, block as usize, &weights, &mut parts, 0);
        }
        totals(v, parts)
    }
}

impl Bytes<'_> {
    /// Adds the products of one block.
    #[inline(always)]
    fn add<V: Vocabulary, const N: usize>(
        &self,
        v: V,
        block: usize,
        weights: &[&[ByteLine]; N],
        parts: &mut [[V::Sixteen; CHAINS]; N],
        k: usize,
    ) {
        // SAFETY: only blocks that there are get into the list
        let inputs = v.splat_block(unsafe { *self.numbers.get_unchecked(block) });
        for i in 0..N {
            // SAFETY: there are as many weights as blocks
            let weights = unsafe { weights[i].get_unchecked(block) };
            parts[i][k] = v.multiply_blocks(parts[i][k], inputs, v.load_bytes(weights));
        }
    }
}

/// Words with words.
struct Words<'a> {
    pairs: &'a [[i16; 2]],
    weights: &'a [CacheLine],
    count: usize,
}

impl Products for Words<'_> {
    #[inline(always)]
    fn sums<V: Vocabulary, const N: usize>(
        &self,
        v: V,
        numbers: [usize; N],
        bias: [&Dots; N],
    ) -> [V::Sixteen; N] {
        let mut weights = [self.weights.as_chunks::<CHAINS>().0; N];
        let mut parts = [[v.load_dots(&Dots::ZERO); CHAINS]; N];
        for i in 0..N {
            weights[i] = self.weights[numbers[i] * self.count..][..self.count]
                .as_chunks::<CHAINS>()
                .0;
            parts[i][0] = v.load_dots(bias[i]);
        }
        for (place, pairs) in self.pairs[..self.count]
            .as_chunks::<CHAINS>()
            .0
            .iter()
            .enumerate()
        {
            for k in 0..CHAINS {
                let [low, high] = pairs[k];
                let pair = v.splat_pair(low as u16 as i32 | (high as i32) << 16);
                for i in 0..N {
                    parts[i][k] = v.multiply_pairs(parts[i][k], pair, v.load(&weights[i][place][k]));
                }
            }
        }
        totals(v, parts)
    }
}

#[inline(always)]
fn totals<V: Vocabulary, const N: usize>(v: V, parts: [[V::Sixteen; CHAINS]; N]) -> [V::Sixteen; N] {
    let mut sums = [v.load_dots(&Dots::ZERO); N];
    for i in 0..N {
        let [a, b, c, d] = parts[i];
        sums[i] = v.add_dots(v.add_dots(a, b), v.add_dots(c, d));
    }
    sums
}
