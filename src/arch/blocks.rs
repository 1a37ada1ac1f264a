//! Which blocks of bytes are not zero: as bits, and as a list of their numbers.

use super::lines::{DOTS, LANES};

/// The blocks that are not zero among 64.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occupied {
    /// The number of the first block.
    pub first: usize,
    /// A bit for each, the first lowest.
    pub blocks: u64,
}

/// The numbers of the blocks that are not zero, so that the loop over them needs no branch for each.
#[derive(Clone, Debug)]
pub(super) struct BlockList {
    /// Valid below `length`.
    pub numbers: Vec<u16>,
    pub length: usize,
}

impl BlockList {
    /// A list for so many lines of blocks.
    pub fn new(lines: usize) -> BlockList {
        BlockList {
            // a whole line may be written after the last entry
            numbers: vec![0; lines * DOTS + LANES],
            length: 0,
        }
    }

    /// The numbers in the list.
    #[inline(always)]
    pub fn numbers(&self) -> &[u16] {
        &self.numbers[..self.length]
    }
}
