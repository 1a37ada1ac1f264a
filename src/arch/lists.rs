//! The layers of a net whose first activation has no upper bound: lists of the outputs above zero, words of 16 bits, and
//! the rows of weights of the listed inputs alone.

use super::active::{ActiveOutputs, BLOCK};
use super::lines::{CacheLine, LANES, Sums};
use super::vocabulary::Vocabulary;

/// A layer between two activations, for one output bucket.
#[derive(Clone, Copy, Debug)]
pub struct ListLayer<'a> {
    /// For every input a row of `bias.len()` lines: the weights of all outputs.
    pub rows: &'a [CacheLine],
    /// The initial sums.
    pub bias: &'a [Sums],
    /// For a layer of one line: whether only the first half of its sums is needed, the other being zero.
    pub half: bool,
    /// The sums are shifted right by this, rounding down, and saturate at 16 bits.
    pub shift: u32,
    /// Shifted sums are clipped to 0 … `cap`.
    pub cap: i16,
}

/// See [`Kernels::activate`](super::Kernels::activate).
#[inline(always)]
pub(super) fn activate<V: Vocabulary>(
    v: V,
    sums: &[CacheLine],
    state: &[CacheLine],
    first: u16,
    outputs: &mut ActiveOutputs,
) {
    let mut output = first;
    for (sums, state) in sums.iter().zip(state) {
        v.append(v.add(v.load(sums), v.load(state)), output, outputs);
        output = output.wrapping_add(LANES as u16);
    }
}

/// See [`Kernels::multiply`](super::Kernels::multiply).
#[inline(always)]
pub(super) fn multiply<V: Vocabulary>(
    v: V,
    inputs: &mut ActiveOutputs,
    layer: ListLayer,
    sums: &mut [Sums],
    outputs: &mut ActiveOutputs,
) {
    inputs.close();
    let lines = layer.bias.len();
    let sums = &mut sums[..lines];
    match sums {
        [sums] if layer.half => multiply_line::<V, true>(v, inputs, layer, sums),
        [sums] => multiply_line::<V, false>(v, inputs, layer, sums),
        _ => multiply_lines(v, inputs, layer, sums),
    }
    outputs.clear();
    let (zero, cap) = (v.splat(0), v.splat(layer.cap));
    let mut output = 0u16;
    for sums in sums {
        let value = v.narrow(v.load_wide(sums), layer.shift);
        v.append(v.minimum(v.maximum(value, zero), cap), output, outputs);
        output = output.wrapping_add(LANES as u16);
    }
}

/// The sums of a layer of one line, in four independent chains because each addition waits for the one before.
#[inline(always)]
fn multiply_line<V: Vocabulary, const HALF: bool>(
    v: V,
    inputs: &ActiveOutputs,
    layer: ListLayer,
    sums: &mut Sums,
) {
    let mut parts = [v.load_wide(&Sums::ZERO); BLOCK / 2];
    for (indices, pairs) in inputs.blocks() {
        for i in 0..BLOCK / 2 {
            let row = |index: u16| v.load(&layer.rows[index as usize]);
            let (a, b) = (row(indices[2 * i]), row(indices[2 * i + 1]));
            parts[i] = if HALF {
                v.multiply_add_half(parts[i], a, b, pairs[i])
            } else {
                v.multiply_add(parts[i], a, b, pairs[i])
            };
        }
    }
    let bias = v.load_wide(&layer.bias[0]);
    let (left, right) = (v.add_wide(parts[0], parts[1]), v.add_wide(parts[2], parts[3]));
    v.store_wide(v.add_wide(bias, v.add_wide(left, right)), sums);
}

/// The sums of a wider layer: the rows of a few inputs at a time are read sequentially, which suits the prefetcher.
#[inline(always)]
fn multiply_lines<V: Vocabulary>(v: V, inputs: &ActiveOutputs, layer: ListLayer, sums: &mut [Sums]) {
    let lines = sums.len();
    sums.copy_from_slice(layer.bias);
    for (indices, pairs) in inputs.blocks() {
        let mut rows = [layer.rows; BLOCK];
        for (row, &index) in rows.iter_mut().zip(indices) {
            *row = &layer.rows[index as usize * lines..][..lines];
        }
        for (line, sums) in sums.iter_mut().enumerate() {
            let mut sum = v.load_wide(sums);
            for i in 0..BLOCK / 2 {
                let (a, b) = (v.load(&rows[2 * i][line]), v.load(&rows[2 * i + 1][line]));
                sum = v.multiply_add(sum, a, b, pairs[i]);
            }
            v.store_wide(sum, sums);
        }
    }
}
