//! The layers of a net whose first activation has no upper bound: lists of the outputs above zero, words of 16 bits, and
//! the rows of weights of the listed inputs alone.

use super::lines::{CacheLine, LANES, Sums};
use super::vocabulary::Vocabulary;

/// Inputs that are multiplied with a layer's rows at once.
const BLOCK: usize = 8;

/// The nonzero outputs of a layer, the only ones that contribute to the next layer.
#[derive(Clone, Debug)]
pub struct ActiveOutputs {
    /// Indices of outputs; valid below `length`.
    pub(super) indices: Vec<u16>,
    /// Their values, above zero; valid below `length`, and zero to the end of the block once closed.
    pub(super) values: Vec<i16>,
    pub(super) length: usize,
}

impl ActiveOutputs {
    /// A list for a layer of at most `outputs` outputs.
    pub fn new(outputs: usize) -> ActiveOutputs {
        // a whole line may be written after the last entry
        let room = outputs.next_multiple_of(LANES) + LANES;
        ActiveOutputs {
            indices: vec![0; room],
            values: vec![0; room],
            length: 0,
        }
    }

    /// Empties the list.
    #[inline]
    pub fn clear(&mut self) {
        self.length = 0;
    }

    /// The outputs with their values.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (usize, i16)> + '_ {
        let indices = self.indices[..self.length].iter();
        indices
            .zip(&self.values[..self.length])
            .map(|(&index, &value)| (index as usize, value))
    }

    /// Pads the last block with zeros.
    #[inline(always)]
    fn close(&mut self) {
        let end = self.length.next_multiple_of(BLOCK);
        self.indices[self.length..end].fill(0);
        self.values[self.length..end].fill(0);
    }

    /// The entries in blocks of [`BLOCK`]: indices, and values packed in pairs with the first in the low half.
    #[inline(always)]
    fn blocks(&self) -> impl Iterator<Item = (&[u16; BLOCK], [i32; BLOCK / 2])> {
        let end = self.length.next_multiple_of(BLOCK);
        let indices = self.indices[..end].as_chunks::<BLOCK>().0;
        let values = self.values[..end].as_chunks::<BLOCK>().0;
        indices.iter().zip(values).map(|(indices, values)| {
            let mut pairs = [0; BLOCK / 2];
            for (pair, &[low, high]) in pairs.iter_mut().zip(values.as_chunks::<2>().0) {
                *pair = low as u16 as i32 | (high as i32) << 16;
            }
            (indices, pairs)
        })
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_block_is_padded_with_zeros() {
        let mut list = ActiveOutputs::new(32);
        list.indices[..12].copy_from_slice(&[3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25]);
        list.values[..12].copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
        list.length = 9;
        list.close();
        let blocks: Vec<_> = list.blocks().collect();
        assert_eq!(
            blocks[0],
            (
                &[3, 5, 7, 9, 11, 13, 15, 17],
                [0x2_0001, 0x4_0003, 0x6_0005, 0x8_0007]
            )
        );
        assert_eq!(blocks[1], (&[19, 0, 0, 0, 0, 0, 0, 0], [9, 0, 0, 0]));
        assert_eq!(blocks.len(), 2);
        assert!(list.iter().map(|(index, _)| index).eq((3..20).step_by(2)));
    }
}
