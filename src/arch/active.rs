//! The list of a layer's outputs above zero.

use super::lines::LANES;

/// Inputs that are multiplied with a layer's rows at once.
pub(super) const BLOCK: usize = 8;

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
    pub(super) fn close(&mut self) {
        let end = self.length.next_multiple_of(BLOCK);
        self.indices[self.length..end].fill(0);
        self.values[self.length..end].fill(0);
    }

    /// The entries in blocks of [`BLOCK`]: indices, and values packed in pairs with the first in the low half.
    #[inline(always)]
    pub(super) fn blocks(&self) -> impl Iterator<Item = (&[u16; BLOCK], [i32; BLOCK / 2])> {
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
