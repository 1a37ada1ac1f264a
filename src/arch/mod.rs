//! The arithmetic of the incremental network, once for every instruction set.
//!
//! [`kernels`] holds three loops, written once in a small vocabulary of vector operations; a module for each
//! instruction set says what the words mean there. Scalar code fixes the result: all sums are exact integers, whatever
//! their order, so that every set gives the same numbers bit for bit. The set is chosen when a net is loaded, and the
//! choice costs one indirect call for a whole loop.
//!
//! This is the only room with `unsafe` code. It has two reasons: a vector instruction may only run on a processor that
//! has it, and the loads and stores of some sets take pointers. So [`prefetch()`] lives here too, though the search is who
//! needs it.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod kernels;
#[cfg(target_arch = "aarch64")]
mod neon;
mod prefetch;
pub mod product;
mod scalar;

pub use prefetch::prefetch;

use std::fmt;
use std::str::FromStr;

/// The environment variable that forces an instruction set: the name of one of [`InstructionSet::ALL`].
pub const VARIABLE: &str = "ENROC_SIMD";

/// Numbers in a [`Line`].
pub const LANES: usize = 32;

/// Inputs that a layer is multiplied with at once.
const BLOCK: usize = 8;

/// 32 numbers of 16 bits, a cache line: one register of AVX-512, two of AVX2, four of NEON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Line(pub [i16; LANES]);

impl Line {
    /// 32 zeros.
    pub const ZERO: Line = Line([0; LANES]);
}

/// 32 sums of 32 bits that belong to the lanes of a [`Line`], in the order that multiplying leaves them in:
/// [`Sums::place`] tells where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Sums(pub [i32; LANES]);

impl Sums {
    /// 32 zeros.
    pub const ZERO: Sums = Sums([0; LANES]);

    /// Where the sum of a lane stands. x86 interleaves two registers within groups of eight lanes: the first four of
    /// every group make one register of sums, the last four another.
    pub const fn place(lane: usize) -> usize {
        let (group, rest) = (lane / 8, lane % 8);
        if rest < 4 {
            group * 4 + rest
        } else {
            LANES / 2 + group * 4 + rest - 4
        }
    }
}

/// For every set of eight lanes the bytes that bring its members together at the front, for instructions that shuffle
/// bytes by numbers in a register.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
static TOGETHER: [Shuffle; 256] = {
    let mut table = [Shuffle([0; 16]); 256];
    let mut set = 0;
    while set < 256 {
        let (mut lane, mut count) = (0, 0);
        while lane < 8 {
            if set >> lane & 1 == 1 {
                table[set].0[2 * count] = 2 * lane;
                table[set].0[2 * count + 1] = 2 * lane + 1;
                count += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    table
};

/// Which byte goes where in a register of 16.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Shuffle([u8; 16]);

/// The numbers of the lanes.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
static LANE_NUMBERS: Line = {
    let mut line = Line::ZERO;
    let mut lane = 0;
    while lane < LANES {
        line.0[lane] = lane as i16;
        lane += 1;
    }
    line
};

/// The outputs of a layer that are not zero: all that the next layer has to look at.
#[derive(Clone, Debug)]
pub struct Active {
    /// Which output; meaningful below `length`.
    indices: Vec<u16>,
    /// What it is, above zero; meaningful below `length`, and zero to the end of the block once closed.
    values: Vec<i16>,
    length: usize,
}

impl Active {
    /// A list for a layer of at most `outputs` outputs.
    pub fn new(outputs: usize) -> Active {
        // a whole line may be written behind the last entry
        let room = outputs.next_multiple_of(LANES) + LANES;
        Active {
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

    /// Fills the last block with entries that count nothing.
    #[inline(always)]
    fn close(&mut self) {
        let end = self.length.next_multiple_of(BLOCK);
        self.indices[self.length..end].fill(0);
        self.values[self.length..end].fill(0);
    }

    /// The entries by [`BLOCK`]s: which outputs, and their values by twos, the first in the low half.
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

/// What the accumulators go through before the second layer, in integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Activation {
    /// Values are cut off here; [`i16::MAX`] cuts nothing.
    pub cap: i16,
    /// Set for a squared activation: x becomes (x · 2ⁿ)² / 2¹⁶. The cap times 2ⁿ fits in 15 bits.
    pub square: Option<u32>,
}

/// A layer between two activations, for one output bucket.
#[derive(Clone, Copy, Debug)]
pub struct Dense<'a> {
    /// For every input a row of as many lines as `bias` has: the weights of all outputs.
    pub rows: &'a [Line],
    /// Where the sums begin.
    pub bias: &'a [Sums],
    /// For a layer of one line: whether only the first half of its sums is wanted, the other being zero.
    pub half: bool,
    /// The sums are shifted right by this, rounding down, and saturate at 16 bits.
    pub shift: u32,
    /// Values are cut off here after that; below zero they become zero.
    pub cap: i16,
}

/// An instruction set that this crate has code for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionSet {
    /// Plain Rust, on every processor.
    Scalar,
    /// x86-64 with AVX2 and BMI (Intel since 2013, AMD since 2015).
    Avx2,
    /// x86-64 with AVX-512 F, BW, VNNI and VBMI2 (Intel since Ice Lake, AMD since Zen 4).
    Avx512,
    /// The vectors that every 64-bit ARM has.
    Neon,
}

impl InstructionSet {
    /// Every set, the best last among those of one architecture.
    pub const ALL: [InstructionSet; 4] = [
        InstructionSet::Scalar,
        InstructionSet::Avx2,
        InstructionSet::Avx512,
        InstructionSet::Neon,
    ];

    /// The name that [`VARIABLE`] takes.
    pub const fn name(self) -> &'static str {
        match self {
            InstructionSet::Scalar => "scalar",
            InstructionSet::Avx2 => "avx2",
            InstructionSet::Avx512 => "avx512",
            InstructionSet::Neon => "neon",
        }
    }

    /// The sets that this processor has, the best last.
    pub fn available() -> impl Iterator<Item = InstructionSet> {
        InstructionSet::ALL
            .into_iter()
            .filter(|set| set.kernels().is_some())
    }

    /// The set that [`VARIABLE`] names, or the best that this processor has.
    pub fn chosen() -> Result<InstructionSet, SimdError> {
        match std::env::var_os(VARIABLE) {
            Some(name) => name.to_string_lossy().parse(),
            None => Ok(InstructionSet::available()
                .last()
                .unwrap_or(InstructionSet::Scalar)),
        }
    }

    /// The loops for this set; `None` where the processor lacks it.
    pub fn kernels(self) -> Option<Kernels> {
        match self {
            InstructionSet::Scalar => Some(scalar::kernels()),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => avx2::kernels(),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => avx512::kernels(),
            #[cfg(target_arch = "aarch64")]
            InstructionSet::Neon => neon::kernels(),
            #[allow(unreachable_patterns)]
            _ => None,
        }
    }
}

impl fmt::Display for InstructionSet {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The instruction set that was asked for cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SimdError {
    /// No set has this name.
    #[error("{VARIABLE} is `{0}`; it can be scalar, avx2, avx512 or neon")]
    Unknown(String),
    /// The processor lacks it.
    #[error("{VARIABLE} is `{0}`, which this processor does not have")]
    Unavailable(InstructionSet),
}

impl FromStr for InstructionSet {
    type Err = SimdError;

    /// Reads the name of a set that this processor has.
    fn from_str(name: &str) -> Result<InstructionSet, SimdError> {
        let set = InstructionSet::ALL
            .into_iter()
            .find(|set| set.name() == name)
            .ok_or_else(|| SimdError::Unknown(name.into()))?;
        match set.kernels() {
            Some(_) => Ok(set),
            None => Err(SimdError::Unavailable(set)),
        }
    }
}

type Accumulate = unsafe fn(&mut [Line], &[Line], &[Line], &[u16], &[u16]);
type Activate = unsafe fn(&[Line], &[Line], Activation, u16, &mut Active);
type Multiply = unsafe fn(&mut Active, Dense, &mut [Sums], &mut Active);

/// The loops of one instruction set.
#[derive(Clone, Copy, Debug)]
pub struct Kernels {
    set: InstructionSet,
    accumulate: Accumulate,
    activate: Activate,
    multiply: Multiply,
}

impl Kernels {
    /// The instruction set.
    pub fn set(&self) -> InstructionSet {
        self.set
    }

    /// `target` = `source` + the added rows − the removed rows, each row as long as `target`; wrapping, so that only the
    /// last sum has to fit in 16 bits.
    ///
    /// # Panics
    /// When the lengths differ or a row is beyond the end.
    #[inline]
    pub fn accumulate(
        &self,
        target: &mut [Line],
        source: &[Line],
        rows: &[Line],
        added: &[u16],
        removed: &[u16],
    ) {
        assert_eq!(target.len(), source.len());
        // SAFETY: a table is only handed out where the processor has its instructions
        unsafe { (self.accumulate)(target, source, rows, added, removed) }
    }

    /// Appends the outputs of the first layer that are not zero: the activation of `sums` + `state`, which wrap, where
    /// the first lane is output `first`.
    ///
    /// # Panics
    /// When the lengths differ or the list is full.
    #[inline]
    pub fn activate(
        &self,
        sums: &[Line],
        state: &[Line],
        activation: Activation,
        first: u16,
        outputs: &mut Active,
    ) {
        assert_eq!(sums.len(), state.len());
        // SAFETY: a table is only handed out where the processor has its instructions
        unsafe { (self.activate)(sums, state, activation, first, outputs) }
    }

    /// Makes `outputs` those of a layer that are not zero. The inputs are only closed, not changed, and `sums` is room for
    /// as many as the layer's bias has.
    ///
    /// # Panics
    /// When an input has no row, or there is too little room.
    #[inline]
    pub fn multiply(&self, inputs: &mut Active, layer: Dense, sums: &mut [Sums], outputs: &mut Active) {
        // SAFETY: a table is only handed out where the processor has its instructions
        unsafe { (self.multiply)(inputs, layer, sums, outputs) }
    }
}

/// The words that the loops are written in. `Register` is what holds a [`Line`] and `Wide` what holds [`Sums`].
///
/// A value of an implementing type exists only inside functions that are compiled for its instruction set, which run only
/// where the processor has it: that makes every word safe to say.
trait Vocabulary: Copy {
    type Register: Copy;
    type Wide: Copy;

    /// How many lines of accumulators the registers hold beside what else the loop needs: 8, 4 or 1.
    const LINES: usize;

    fn load(self, line: &Line) -> Self::Register;
    fn store(self, register: Self::Register, line: &mut Line);
    fn splat(self, number: i16) -> Self::Register;
    /// Wrapping.
    fn add(self, a: Self::Register, b: Self::Register) -> Self::Register;
    /// Wrapping.
    fn subtract(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn minimum(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn maximum(self, a: Self::Register, b: Self::Register) -> Self::Register;
    /// Bits that leave a lane are lost.
    fn shift_left(self, a: Self::Register, count: u32) -> Self::Register;
    /// The high half of the 32-bit products.
    fn multiply_high(self, a: Self::Register, b: Self::Register) -> Self::Register;

    fn load_wide(self, sums: &Sums) -> Self::Wide;
    fn store_wide(self, wide: Self::Wide, sums: &mut Sums);
    /// Wrapping.
    fn add_wide(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// Adds `a` times the low half of `pair` plus `b` times its high half; wrapping.
    fn multiply_add(self, sums: Self::Wide, a: Self::Register, b: Self::Register, pair: i32) -> Self::Wide;
    /// The same in the first half of the sums; the second stays as it is.
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
    fn append(self, a: Self::Register, first: u16, list: &mut Active);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_have_one_place_each() {
        let mut places: Vec<usize> = (0..LANES).map(Sums::place).collect();
        assert_eq!(places[..6], [0, 1, 2, 3, 16, 17]);
        places.sort_unstable();
        assert!(places.into_iter().eq(0..LANES));
    }

    #[test]
    fn sets_are_known_by_their_names() {
        assert_eq!("scalar".parse(), Ok(InstructionSet::Scalar));
        assert_eq!(
            "sse9".parse::<InstructionSet>(),
            Err(SimdError::Unknown("sse9".into()))
        );
        for set in InstructionSet::ALL {
            let found = set.name().parse::<InstructionSet>();
            match set.kernels() {
                Some(kernels) => assert_eq!((found, kernels.set()), (Ok(set), set)),
                None => assert_eq!(found, Err(SimdError::Unavailable(set))),
            }
        }
    }

    #[test]
    fn the_last_block_is_filled_with_nothing() {
        let mut list = Active::new(32);
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
