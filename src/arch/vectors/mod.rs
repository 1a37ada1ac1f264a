//! Vectors of floats, bfloat16 and 16-bit integers for the training of networks, in every instruction set.
//!
//! A loop is a [`Work`], written once in the operations of [`Vectors`]; [`VectorUnit::run`] compiles it for each set. The
//! portable operations define the results. Products and sums of floats may be rounded once instead of twice, and numbers
//! below 2⁻¹²⁶ may become 0; everything else is equal to the bit.
//!
//! Two orders of 32 lanes occur. The plain one is that of memory. Sums of bfloat16 are *woven*: the two halves hold the
//! lanes as [`Sums::place`](super::Sums::place) says, because that is how registers of 16 bits unpack into 32.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;
#[cfg(test)]
mod tests;

use super::{CacheLine, InstructionSet};

/// Floats in a [`Floats`].
pub const WIDTH: usize = 16;

/// 16 floats, a cache line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Floats(pub [f32; WIDTH]);

impl Floats {
    pub const ZERO: Floats = Floats([0.0; WIDTH]);
}

/// 32 numbers in bfloat16, the upper halves of floats, a cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Bfloats(pub [u16; 2 * WIDTH]);

impl Bfloats {
    pub const ZERO: Bfloats = Bfloats([0; 2 * WIDTH]);
}

/// Work that [`VectorUnit::run`] compiles for every instruction set.
pub trait Work {
    /// What the work finds.
    type Output;

    /// Does it. An implementation has to be `#[inline(always)]`, as has what it calls: a function that stays on its own is
    /// compiled for every processor.
    fn run<V: Vectors>(self, v: V) -> Self::Output;
}

/// The vector instructions that work is done with: a value exists only where the processor has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VectorUnit(Unit);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// With instructions for bfloat16.
    #[cfg(target_arch = "x86_64")]
    Avx512Bfloat,
}

impl VectorUnit {
    /// What is compiled for every processor.
    pub const PORTABLE: VectorUnit = VectorUnit(Unit::Portable);

    /// Every one that this processor has, the best last.
    pub fn available() -> Vec<VectorUnit> {
        #[cfg(target_arch = "x86_64")]
        let found = [
            (Unit::Portable, true),
            (Unit::Avx2, avx2::is_available()),
            (Unit::Avx512, avx512::is_available()),
            (
                Unit::Avx512Bfloat,
                avx512::is_available() && avx512::has_bfloats(),
            ),
        ];
        #[cfg(not(target_arch = "x86_64"))]
        let found = [(Unit::Portable, true)];
        let found = found.into_iter().filter(|(_, has)| *has);
        found.map(|(unit, _)| VectorUnit(unit)).collect()
    }

    /// The best that this processor has, within the instruction set that [`super::VARIABLE`] names, if it names one.
    pub fn chosen() -> VectorUnit {
        let allowed = InstructionSet::chosen().unwrap_or(InstructionSet::Scalar);
        let within = |unit: &VectorUnit| match unit.0 {
            Unit::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Unit::Avx2 => allowed != InstructionSet::Scalar,
            #[cfg(target_arch = "x86_64")]
            Unit::Avx512 | Unit::Avx512Bfloat => allowed == InstructionSet::Avx512,
        };
        let best = VectorUnit::available().into_iter().rfind(within);
        best.unwrap_or(VectorUnit::PORTABLE)
    }

    /// Does the work in these instructions.
    #[inline]
    pub fn run<W: Work>(self, work: W) -> W::Output {
        match self.0 {
            Unit::Portable => work.run(portable::Portable),
            // SAFETY: a value of this type exists only where the instructions were found
            #[cfg(target_arch = "x86_64")]
            Unit::Avx2 => unsafe { avx2::run(work) },
            // SAFETY: as above
            #[cfg(target_arch = "x86_64")]
            Unit::Avx512 => unsafe { avx512::run(work) },
            // SAFETY: as above
            #[cfg(target_arch = "x86_64")]
            Unit::Avx512Bfloat => unsafe { avx512::run_with_bfloats(work) },
        }
    }
}

/// The operations. A value of an implementing type exists only inside functions compiled for its instruction set, which run
/// only if the processor has it; so the value proves that the operations may be used, and they are safe functions.
pub trait Vectors: Copy {
    /// 16 floats.
    type Floats: Copy;
    /// 32 integers of 16 bits.
    type Integers: Copy;
    /// 32 numbers in bfloat16.
    type Bfloats: Copy;

    /// The same number in every lane.
    fn splat(self, number: f32) -> Self::Floats;
    /// Reads 16 floats.
    fn load(self, from: &Floats) -> Self::Floats;
    /// Writes 16 floats.
    fn store(self, floats: Self::Floats, to: &mut Floats);
    /// a + b.
    fn add(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// a − b.
    fn subtract(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// a · b.
    fn multiply(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// a / b.
    fn divide(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// a · b + c.
    fn multiply_add(self, a: Self::Floats, b: Self::Floats, c: Self::Floats) -> Self::Floats;
    /// √a.
    fn root(self, a: Self::Floats) -> Self::Floats;
    /// a within the bounds; what is no number stays none.
    fn clamp(self, a: Self::Floats, low: Self::Floats, high: Self::Floats) -> Self::Floats;
    /// `y` where low < x < high, 0 elsewhere.
    fn within(self, x: Self::Floats, low: Self::Floats, high: Self::Floats, y: Self::Floats) -> Self::Floats;
    /// The sum of the lanes.
    fn total(self, a: Self::Floats) -> f32;

    /// Reads 32 integers.
    fn load_integers(self, from: &CacheLine) -> Self::Integers;
    /// Writes 32 integers.
    fn store_integers(self, integers: Self::Integers, to: &mut CacheLine);
    /// a + b, saturating.
    fn add_integers(self, a: Self::Integers, b: Self::Integers) -> Self::Integers;
    /// The integers as floats, in the plain order.
    fn widen(self, a: Self::Integers) -> [Self::Floats; 2];
    /// Woven floats, rounded to the nearest integers and saturated, in the plain order.
    fn narrow(self, woven: [Self::Floats; 2]) -> Self::Integers;

    /// Reads 32 numbers.
    fn load_bfloats(self, from: &Bfloats) -> Self::Bfloats;
    /// Writes 32 numbers.
    fn store_bfloats(self, bfloats: Self::Bfloats, to: &mut Bfloats);
    /// Floats rounded to the nearest, ties to even, in the plain order.
    fn round(self, floats: [Self::Floats; 2]) -> Self::Bfloats;
    /// Adds `a` and `b` to woven sums.
    fn add_bfloats(self, woven: [Self::Floats; 2], a: Self::Bfloats, b: Self::Bfloats) -> [Self::Floats; 2];
}
