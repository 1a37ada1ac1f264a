//! Instructions on the bits of a word (BMI), and wider copies (AVX2), for work that is compiled once more to use them.

/// Work that [`BitInstructions::run`] compiles for these instructions.
pub trait Work {
    /// What the work finds.
    type Output;

    /// Does it. An implementation has to be `#[inline(always)]`, as has what it calls: a function that stays on its own is
    /// compiled for every processor.
    fn run(self, bits: BitInstructions) -> Self::Output;
}

/// The proof that the processor has BMI1, BMI2 and AVX2, and that PEXT is fast.
#[derive(Clone, Copy, Debug)]
pub struct BitInstructions(());

#[cfg(target_arch = "x86_64")]
impl BitInstructions {
    /// `None` on a processor that lacks one of them.
    pub fn detect() -> Option<BitInstructions> {
        static FOUND: std::sync::LazyLock<Option<BitInstructions>> = std::sync::LazyLock::new(|| {
            let has = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2");
            (has && !is_pext_slow()).then_some(BitInstructions(()))
        });
        *FOUND
    }

    /// The bits of a word under a mask, gathered at the low end (PEXT).
    #[inline(always)]
    pub fn gather(self, word: u64, mask: u64) -> u64 {
        // SAFETY: a value of this type exists only where BMI2 was found
        unsafe { std::arch::x86_64::_pext_u64(word, mask) }
    }

    /// Does the work, compiled for these instructions.
    #[inline]
    pub fn run<W: Work>(self, work: W) -> W::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2")]
        fn compiled<W: Work>(work: W, bits: BitInstructions) -> W::Output {
            work.run(bits)
        }
        // SAFETY: a value of this type exists only where all three were found
        unsafe { compiled(work, self) }
    }
}

/// Whether PEXT takes tens of cycles, as on AMD's processors before Zen 3 (family 19h).
#[cfg(target_arch = "x86_64")]
fn is_pext_slow() -> bool {
    use std::arch::x86_64::__cpuid;
    // SAFETY: every x86-64 processor has CPUID
    #[allow(unused_unsafe, reason = "the function is safe from Rust 1.95 on")]
    let (vendor, version) = unsafe { (__cpuid(0), __cpuid(1)) };
    let is_amd = [vendor.ebx, vendor.edx, vendor.ecx]
        .map(u32::to_le_bytes)
        .concat()
        == b"AuthenticAMD";
    let family = (version.eax >> 8 & 15) + (version.eax >> 20 & 255);
    is_amd && family < 0x19
}

#[cfg(not(target_arch = "x86_64"))]
impl BitInstructions {
    /// `None`: these are instructions of x86-64.
    pub fn detect() -> Option<BitInstructions> {
        None
    }

    /// The bits of a word under a mask, gathered at the low end.
    pub fn gather(self, _word: u64, _mask: u64) -> u64 {
        unreachable!("no value of this type exists")
    }

    /// Does the work, compiled for these instructions.
    pub fn run<W: Work>(self, work: W) -> W::Output {
        work.run(self)
    }
}
