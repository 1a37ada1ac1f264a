//! The vector operations that the loops are written in.

use super::active::ActiveOutputs;
use super::blocks::{BlockList, Occupied};
use super::lines::{ByteLine, CacheLine, Dots, HalfLine, Sums};

/// The numbers of the bits that are set in a byte, the lowest first.
static SET_BITS: [[u16; 8]; 256] = {
    let mut numbers = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                numbers[byte][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    numbers
};

/// The operations of an instruction set. A `Register` holds a [`CacheLine`], a `Wide` [`Sums`], `Bytes` a [`ByteLine`], and
/// a `Sixteen` [`Dots`].
///
/// A value of an implementing type exists only inside functions compiled for its instruction set, which run only if the
/// processor has it. So the value proves that the operations may be used, and they are safe functions.
pub(super) trait Vocabulary: Copy {
    type Register: Copy;
    type Wide: Copy;
    type Bytes: Copy;
    type Sixteen: Copy;

    /// How many lines of accumulators fit in the registers along with the loop's other values: 8, 4 or 1.
    const LINES: usize;

    fn load(self, line: &CacheLine) -> Self::Register;
    /// Bytes as words.
    fn load_half(self, line: &HalfLine) -> Self::Register;
    fn store(self, register: Self::Register, line: &mut CacheLine);
    fn splat(self, number: i16) -> Self::Register;
    /// Wrapping.
    fn add(self, a: Self::Register, b: Self::Register) -> Self::Register;
    /// Wrapping.
    fn subtract(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn minimum(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn maximum(self, a: Self::Register, b: Self::Register) -> Self::Register;
    /// Bits shifted out of a lane are lost.
    fn shift_left(self, a: Self::Register, count: u32) -> Self::Register;
    /// The products divided by 2¹⁵ and rounded to nearest; no number is −2¹⁵.
    fn multiply_rounded(self, a: Self::Register, b: Self::Register) -> Self::Register;

    fn load_wide(self, sums: &Sums) -> Self::Wide;
    fn store_wide(self, wide: Self::Wide, sums: &mut Sums);
    /// Wrapping.
    fn add_wide(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// Adds `a` times the low half of `pair` plus `b` times its high half; wrapping.
    fn multiply_add(self, sums: Self::Wide, a: Self::Register, b: Self::Register, pair: i32) -> Self::Wide;
    /// The same in the first half of the sums; the second half is unchanged.
    fn multiply_add_half(
        self,
        sums: Self::Wide,
        a: Self::Register,
        b: Self::Register,
        pair: i32,
    ) -> Self::Wide;
    /// Shifts right, rounding down, and saturates to 16 bits.
    fn narrow(self, sums: Self::Wide, shift: u32) -> Self::Register;

    /// Appends the lanes above zero to a list; lane 0 is the output `first`.
    fn append(self, a: Self::Register, first: u16, list: &mut ActiveOutputs);

    /// The numbers of two lines, up to 127, as bytes in the order of [`ByteLine::place`]; those below 0 become 0.
    fn pack(self, a: Self::Register, b: Self::Register) -> Self::Bytes;
    fn load_bytes(self, line: &ByteLine) -> Self::Bytes;
    /// Stores bytes as the numbers of 32 bits that they make in fours, the first of them lowest.
    fn store_blocks(self, bytes: Self::Bytes, blocks: &mut Dots);
    /// Four bytes, the lowest first, over and over.
    fn splat_block(self, block: i32) -> Self::Bytes;
    /// Which blocks of four bytes, all from 0 to 127, are not zero: a bit for each.
    fn occupied(self, bytes: Self::Bytes) -> u16;
    /// Appends the numbers of those blocks to a list; the first block has the number `first`.
    #[inline(always)]
    fn append_blocks(self, Occupied { first, blocks }: Occupied, list: &mut BlockList) {
        for (blocks, start) in blocks.to_le_bytes().into_iter().zip((first as u16..).step_by(8)) {
            let rest: &mut [u16; 8] = list.numbers[list.length..]
                .first_chunk_mut()
                .expect("room for a line");
            *rest = SET_BITS[usize::from(blocks)].map(|bit| start + bit);
            list.length += blocks.count_ones() as usize;
        }
    }

    fn load_dots(self, dots: &Dots) -> Self::Sixteen;
    fn store_dots(self, sums: Self::Sixteen, dots: &mut Dots);
    /// Wrapping.
    fn add_dots(self, a: Self::Sixteen, b: Self::Sixteen) -> Self::Sixteen;
    /// Adds to each sum the products of the four bytes at its place, of which `inputs` are 0 to 127 and `weights` −127 to
    /// 127; wrapping.
    fn multiply_blocks(self, sums: Self::Sixteen, inputs: Self::Bytes, weights: Self::Bytes)
    -> Self::Sixteen;
    /// The words `pair` holds, the low half first, over and over.
    fn splat_pair(self, pair: i32) -> Self::Register;
    /// Adds to each sum the products of the two words at its place; wrapping.
    fn multiply_pairs(self, sums: Self::Sixteen, a: Self::Register, b: Self::Register) -> Self::Sixteen;
    /// Shifts each sum right by its own count, 0 to 31, rounding down.
    fn shift_right(self, sums: Self::Sixteen, counts: Self::Sixteen) -> Self::Sixteen;
    /// Sums as words, with saturation: those of `a`, then those of `b`.
    fn narrow_dots(self, a: Self::Sixteen, b: Self::Sixteen) -> Self::Register;
    /// All sums added together; wrapping.
    fn total(self, sums: Self::Sixteen) -> i32;
}
