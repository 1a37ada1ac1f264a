//! The arithmetic of the incremental network, for every instruction set.
//!
//! The loops are written once in terms of a few vector operations: the updates of the first layer's sums, the layers of a
//! net whose first activation is bounded ([`dense`]), and those of one whose first activation is not ([`lists`]). One
//! module for each instruction set implements the operations. The scalar code defines the result: all sums are exact
//! integers in any order, so that every set gives the same numbers bit for bit. The set is chosen when a net is loaded,
//! at the cost of one indirect call for each loop.
//!
//! This is the only module with `unsafe` code, for two reasons: a vector instruction may only run on a processor that
//! has it, and the loads and stores of some sets take pointers. Products of matrices, vectors of floats for the training,
//! [`BitInstructions`], [`prefetch()`], [`prefer_huge_pages()`] and [`give_back_freed_memory()`] are here for these
//! reasons too.

mod accumulate;
mod active;
mod active_bytes;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod bits;
mod blocks;
#[cfg(feature = "lab")]
pub mod bytes;
pub mod dense;
mod kernels;
mod lines;
pub mod lists;
#[cfg(feature = "lab")]
pub mod matrix_unit;
#[cfg(target_arch = "aarch64")]
mod neon;
mod pages;
mod prefetch;
#[cfg(feature = "lab")]
pub mod product;
mod rows;
mod scalar;
#[cfg(feature = "lab")]
pub mod vectors;
mod vocabulary;

pub use active::ActiveOutputs;
pub use active_bytes::{ActiveBytes, ByteActivation, Factor, Update};
pub use bits::{BitInstructions, Work};
pub use dense::{ByteLayer, CHAINS, DenseLayers, Ends, WordLayer};
pub use lines::{BLOCK, BYTES, ByteLine, CacheLine, DOTS, Dots, HalfLine, LANES, Sums};
pub use lists::ListLayer;
pub use pages::{give_back_freed_memory, in_huge_pages, prefer_huge_pages};
pub use prefetch::prefetch;
pub use rows::{RowStore, Rows};

use std::fmt;
use std::str::FromStr;

/// The environment variable that forces an instruction set: the name of one of [`InstructionSet::ALL`].
pub const VARIABLE: &str = "ENROC_SIMD";

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

type Accumulate = unsafe fn(&mut [CacheLine], &[CacheLine], Rows, &[u16], &[u16]);
type Activate = unsafe fn(&[CacheLine], &[CacheLine], u16, &mut ActiveOutputs);
type Multiply = unsafe fn(&mut ActiveOutputs, ListLayer, &mut [Sums], &mut ActiveOutputs);
type ActivateBytes = unsafe fn(&[CacheLine], &[CacheLine], ByteActivation, usize, &mut ActiveBytes);
type Follow = unsafe fn(Update, Rows, &[CacheLine], ByteActivation, usize, &mut ActiveBytes);
type Forward = unsafe fn(&mut ActiveBytes, &DenseLayers) -> [i32; 2];

/// The loops of one instruction set.
#[derive(Clone, Copy, Debug)]
pub struct Kernels {
    set: InstructionSet,
    accumulate: Accumulate,
    activate: Activate,
    multiply: Multiply,
    activate_bytes: ActivateBytes,
    follow: Follow,
    forward: Forward,
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
        rows: Rows,
        added: &[u16],
        removed: &[u16],
    ) {
        assert_eq!(target.len(), source.len());
        // SAFETY: a table exists only if the processor has its instructions
        unsafe { (self.accumulate)(target, source, rows, added, removed) }
    }

    /// Appends the nonzero outputs of a first layer with ReLU: those of `sums` + `state` (wrapping) above zero; lane 0 is
    /// output `first`.
    ///
    /// # Panics
    /// If the lengths differ or the list is full.
    #[inline]
    pub fn activate(&self, sums: &[CacheLine], state: &[CacheLine], first: u16, outputs: &mut ActiveOutputs) {
        assert_eq!(sums.len(), state.len());
        // SAFETY: a table exists only if the processor has its instructions
        unsafe { (self.activate)(sums, state, first, outputs) }
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
        layer: ListLayer,
        sums: &mut [Sums],
        outputs: &mut ActiveOutputs,
    ) {
        // SAFETY: a table exists only if the processor has its instructions
        unsafe { (self.multiply)(inputs, layer, sums, outputs) }
    }

    /// Writes the outputs of a first layer with a bounded activation, that of `sums` + `state` (wrapping), from the line of
    /// bytes `first` on. The sums are as many lines as [`ByteActivation::granule`] asks for. Lines of bytes must be written
    /// in order, after [`ActiveBytes::clear`].
    ///
    /// # Panics
    /// If the lengths differ, or there are fewer lines of bytes.
    #[inline]
    pub fn activate_bytes(
        &self,
        sums: &[CacheLine],
        state: &[CacheLine],
        activation: ByteActivation,
        first: usize,
        outputs: &mut ActiveBytes,
    ) {
        // SAFETY: a table exists only if the processor has its instructions
        unsafe { (self.activate_bytes)(sums, state, activation, first, outputs) }
    }

    /// [`Kernels::accumulate`] and [`Kernels::activate_bytes`] of the target, in one pass.
    ///
    /// # Panics
    /// As both of them.
    #[inline]
    pub fn follow(
        &self,
        update: Update,
        rows: Rows,
        state: &[CacheLine],
        activation: ByteActivation,
        first: usize,
        outputs: &mut ActiveBytes,
    ) {
        assert_eq!(update.target.len(), update.source.len());
        // SAFETY: a table exists only if the processor has its instructions
        unsafe { (self.follow)(update, rows, state, activation, first, outputs) }
    }

    /// The sum of the output layer without its bias, and that of the unit of the second layer that goes straight there, or
    /// 0.
    ///
    /// # Panics
    /// If the layers are not for as many inputs, or have more units than there is space for.
    #[inline]
    pub fn forward(&self, inputs: &mut ActiveBytes, layers: &DenseLayers) -> [i32; 2] {
        // SAFETY: a table exists only if the processor has its instructions
        unsafe { (self.forward)(inputs, layers) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
