//! The arithmetic of the incremental network, for every instruction set.
//!
//! [`kernels`] holds three loops, written once in terms of a few vector operations; one module for each instruction set
//! implements the operations. The scalar code defines the result: all sums are exact integers in any order, so that
//! every set gives the same numbers bit for bit. The set is chosen when a net is loaded, at the cost of one indirect
//! call for each loop.
//!
//! This is the only module with `unsafe` code, for two reasons: a vector instruction may only run on a processor that
//! has it, and the loads and stores of some sets take pointers. Products of matrices, [`BitInstructions`], [`prefetch()`],
//! [`prefer_huge_pages()`] and [`give_back_freed_memory()`] are here for these reasons too.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod bits;
#[cfg(feature = "lab")]
mod bytes;
mod kernels;
#[cfg(feature = "lab")]
pub mod matrix_unit;
#[cfg(target_arch = "aarch64")]
mod neon;
mod pages;
mod prefetch;
#[cfg(feature = "lab")]
pub mod product;
mod scalar;

pub use bits::{BitInstructions, Work};
#[cfg(feature = "lab")]
pub use bytes::{BYTE_BLOCK, ByteKernels, ByteLine, DOTS, Dots};
pub use pages::{give_back_freed_memory, prefer_huge_pages};
pub use prefetch::prefetch;

use std::fmt;
use std::str::FromStr;

/// The environment variable that forces an instruction set: the name of one of [`InstructionSet::ALL`].
pub const VARIABLE: &str = "ENROC_SIMD";

/// Numbers in a [`CacheLine`].
pub const LANES: usize = 32;

/// Inputs that are multiplied with a layer's rows at once.
const BLOCK: usize = 8;

/// 32 numbers of 16 bits, a cache line: one register of AVX-512, two of AVX2, four of NEON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct CacheLine(pub [i16; LANES]);

impl CacheLine {
    /// 32 zeros.
    pub const ZERO: CacheLine = CacheLine([0; LANES]);
}

/// 32 sums of 32 bits for the lanes of a [`CacheLine`], in the order in which multiplication leaves them: see
/// [`Sums::place`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Sums(pub [i32; LANES]);

impl Sums {
    /// 32 zeros.
    pub const ZERO: Sums = Sums([0; LANES]);

    /// The index of a lane's sum. x86 interleaves two registers within groups of eight lanes: the first four of every
    /// group make one register of sums, the last four another.
    pub const fn place(lane: usize) -> usize {
        let (group, rest) = (lane / 8, lane % 8);
        if rest < 4 {
            group * 4 + rest
        } else {
            LANES / 2 + group * 4 + rest - 4
        }
    }
}

/// For every subset of eight lanes the byte shuffle that moves its members to the front.
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

/// The source of each byte in a register of 16.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Shuffle([u8; 16]);

/// The lane indices 0–31.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
static LANE_NUMBERS: CacheLine = {
    let mut line = CacheLine::ZERO;
    let mut lane = 0;
    while lane < LANES {
        line.0[lane] = lane as i16;
        lane += 1;
    }
    line
};

/// The nonzero outputs of a layer, the only ones that contribute to the next layer.
#[derive(Clone, Debug)]
pub struct ActiveOutputs {
    /// Indices of outputs; valid below `length`.
    indices: Vec<u16>,
    /// Their values, above zero; valid below `length`, and zero to the end of the block once closed.
    values: Vec<i16>,
    length: usize,
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

/// The activation between the accumulators and the second layer, in integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntegerActivation {
    /// Values are clipped to this maximum; [`i16::MAX`] clips nothing.
    pub cap: i16,
    /// Set for a squared activation: x becomes (x · 2ⁿ)² / 2¹⁶. The cap times 2ⁿ fits in 15 bits.
    pub square: Option<u32>,
}

/// A layer between two activations, for one output bucket.
#[derive(Clone, Copy, Debug)]
pub struct DenseLayer<'a> {
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

/// An instruction set that this crate has code for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionSet {
    /// Plain Rust, on every processor.
    Scalar,
    /// x86-64 with AVX2 and BMI (Intel since 2013, AMD since 2015).
    Avx2,
    /// x86-64 with AVX-512 F, BW, VNNI and VBMI2 (Intel since Ice Lake, AMD since Zen 4).
    Avx512,
    /// The vector unit of every 64-bit ARM processor.
    Neon,
}

impl InstructionSet {
    /// Every set; among those of one architecture the best is last.
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

    /// The loops for this set; `None` if the processor lacks it.
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

/// Why the requested instruction set cannot be used.
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

type Accumulate = unsafe fn(&mut [CacheLine], &[CacheLine], &[CacheLine], &[u16], &[u16]);
type Activate = unsafe fn(&[CacheLine], &[CacheLine], IntegerActivation, u16, &mut ActiveOutputs);
type Multiply = unsafe fn(&mut ActiveOutputs, DenseLayer, &mut [Sums], &mut ActiveOutputs);

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
    /// If the lengths differ or a row is beyond the end.
    #[inline]
    pub fn accumulate(
        &self,
        target: &mut [CacheLine],
        source: &[CacheLine],
        rows: &[CacheLine],
        added: &[u16],
        removed: &[u16],
    ) {
        assert_eq!(target.len(), source.len());
        // SAFETY: a table exists only if the processor has its instructions
        unsafe { (self.accumulate)(target, source, rows, added, removed) }
    }

    /// Appends the nonzero outputs of the first layer: the activation of `sums` + `state` (wrapping); lane 0 is output
    /// `first`.
    ///
    /// # Panics
    /// If the lengths differ or the list is full.
    #[inline]
    pub fn activate(
        &self,
        sums: &[CacheLine],
        state: &[CacheLine],
        activation: IntegerActivation,
        first: u16,
        outputs: &mut ActiveOutputs,
    ) {
        assert_eq!(sums.len(), state.len());
        // SAFETY: a table exists only if the processor has its instructions
        unsafe { (self.activate)(sums, state, activation, first, outputs) }
    }

    /// Sets `outputs` to the nonzero outputs of a layer. The inputs are only padded, and `sums` is scratch space at
    /// least as long as the layer's bias.
    ///
    /// # Panics
    /// If an input has no row, or a buffer is too short.
    #[inline]
    pub fn multiply(
        &self,
        inputs: &mut ActiveOutputs,
        layer: DenseLayer,
        sums: &mut [Sums],
        outputs: &mut ActiveOutputs,
    ) {
        // SAFETY: a table exists only if the processor has its instructions
        unsafe { (self.multiply)(inputs, layer, sums, outputs) }
    }
}

/// The operations that the loops are written in. A `Register` holds a [`CacheLine`], a `Wide` holds [`Sums`].
///
/// A value of an implementing type exists only inside functions compiled for its instruction set, which run only if the
/// processor has it. So the value proves that the operations may be used, and they are safe functions.
trait Vocabulary: Copy {
    type Register: Copy;
    type Wide: Copy;

    /// How many lines of accumulators fit in the registers along with the loop's other values: 8, 4 or 1.
    const LINES: usize;

    fn load(self, line: &CacheLine) -> Self::Register;
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
    /// The high half of the 32-bit products.
    fn multiply_high(self, a: Self::Register, b: Self::Register) -> Self::Register;

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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lane_has_its_own_sum() {
        let mut places: Vec<usize> = (0..LANES).map(Sums::place).collect();
        assert_eq!(places[..6], [0, 1, 2, 3, 16, 17]);
        places.sort_unstable();
        assert!(places.into_iter().eq(0..LANES));
    }

    #[test]
    fn sets_are_parsed_by_name() {
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
