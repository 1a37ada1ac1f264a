//! Products of matrices in bfloat16 by a processor's matrix unit: Intel's AMX, in server processors since 2023.
//!
//! bfloat16 is the upper half of an f32: its range at 8 bits of precision. Products are summed in f32. One instruction
//! multiplies and adds 16 × 32 by 32 × 16 numbers, at sixteen times the rate of f32 in vectors, so that loading the
//! operands is the bottleneck: matrices are cut into squares of 32 × 32, which are stored as the unit reads them, and
//! four products share four loads.

/// Rows and columns of a square.
pub const SIDE: usize = 32;
/// Rows of half a square: the unit's registers hold 16 rows of 64 bytes.
const HALF: usize = SIDE / 2;

/// 32 × 32 numbers in f32.
pub type Sums = [[f32; SIDE]; SIDE];

/// A square on the left of a product: 32 rows, each with column j in the lower and column j + 16 in the upper half of
/// word j.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Left([[u32; HALF]; SIDE]);

/// A square on the right of a product: its 16 left columns, then the others; in each, word j of row j holds the number
/// of row j in the lower and that of row j + 16 in the upper half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Right([[[u32; HALF]; HALF]; 2]);

/// Two numbers in bfloat16, rounded to the nearest, in one word.
#[inline(always)]
pub fn pack(low: f32, high: f32) -> u32 {
    rounded(low) >> 16 | rounded(high) & 0xffff_0000
}

/// The bits of a finite number, its upper half rounded to the nearest, ties to even.
#[inline(always)]
fn rounded(number: f32) -> u32 {
    let bits = number.to_bits();
    bits.wrapping_add(0x7fff + (bits >> 16 & 1))
}

/// The numbers of a word.
fn unpack(word: u32) -> [f32; 2] {
    [word << 16, word & 0xffff_0000].map(f32::from_bits)
}

impl Left {
    pub const ZERO: Left = Left([[0; HALF]; SIDE]);

    /// Sets a row.
    #[inline(always)]
    pub fn set_row(&mut self, row: usize, numbers: &[f32; SIDE]) {
        let (low, high) = numbers.split_at(HALF);
        for (word, (&low, &high)) in self.0[row].iter_mut().zip(low.iter().zip(high)) {
            *word = pack(low, high);
        }
    }
}

impl Right {
    pub const ZERO: Right = Right([[[0; HALF]; HALF]; 2]);

    /// Sets row `row` and row `row` + 16, for rows below 16.
    #[inline(always)]
    pub fn set_rows(&mut self, row: usize, low: &[f32; SIDE], high: &[f32; SIDE]) {
        for (half, words) in self.0.iter_mut().enumerate() {
            for (column, word) in words[row].iter_mut().enumerate() {
                let column = half * HALF + column;
                *word = pack(low[column], high[column]);
            }
        }
    }

    /// Sets row `row` and row `row` + 16 from words that hold both, for rows below 16.
    #[inline(always)]
    pub fn set_words(&mut self, row: usize, words: &[u32; SIDE]) {
        let (left, right) = words.split_at(HALF);
        self.0[0][row].copy_from_slice(left);
        self.0[1][row].copy_from_slice(right);
    }

    /// Sets a column.
    #[inline(always)]
    pub fn set_column(&mut self, column: usize, numbers: &[f32; SIDE]) {
        let (low, high) = numbers.split_at(HALF);
        let rows = self.0[column / HALF].iter_mut();
        for (row, (&low, &high)) in rows.zip(low.iter().zip(high)) {
            row[column % HALF] = pack(low, high);
        }
    }
}

/// The terms of a sum of products: which square on the left is multiplied by which on the right.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    indices: Vec<[u32; 2]>,
    /// One more than the largest index on either side.
    ends: [usize; 2],
}

impl Terms {
    /// Adds a term.
    ///
    /// # Panics
    /// If an index does not fit in 32 bits.
    pub fn push(&mut self, left: usize, right: usize) {
        self.indices
            .push([left, right].map(|index| u32::try_from(index).expect("an index fits in 32 bits")));
        self.ends = [self.ends[0].max(left + 1), self.ends[1].max(right + 1)];
    }
}

/// An implementation of the products: the processor's unit, or plain Rust.
#[derive(Clone, Copy, Debug)]
pub struct MatrixUnit(Kind);

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Constructed only by [`MatrixUnit::of_processor`], if the processor has the instructions and the system allows
    /// them.
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    Amx,
    Portable,
}

impl MatrixUnit {
    /// The processor's; `None` if it has none or the system does not let this process use it.
    pub fn of_processor() -> Option<MatrixUnit> {
        #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
        if amx::is_granted() {
            return Some(MatrixUnit(Kind::Amx));
        }
        None
    }

    /// The same results up to rounding in plain Rust, slowly: the reference.
    pub fn portable() -> MatrixUnit {
        MatrixUnit(Kind::Portable)
    }

    /// All that multiply on this machine, to be compared.
    #[cfg(test)]
    pub fn all() -> impl Iterator<Item = MatrixUnit> {
        [Some(MatrixUnit::portable()), MatrixUnit::of_processor()]
            .into_iter()
            .flatten()
    }

    /// Overwrites `sums` with the sum of the products of squares that `terms` names.
    ///
    /// # Panics
    /// If an index is beyond the end of its slice.
    #[inline]
    pub fn multiply(self, left: &[Left], right: &[Right], terms: &Terms, sums: &mut Sums) {
        assert!(terms.ends[0] <= left.len() && terms.ends[1] <= right.len());
        match self.0 {
            // SAFETY: `Amx` exists only if the unit is granted; the assertion keeps every index inside its slice
            #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
            Kind::Amx => unsafe { amx::multiply(left, right, &terms.indices, sums) },
            Kind::Portable => multiply_portable(left, right, &terms.indices, sums),
        }
    }
}

fn multiply_portable(left: &[Left], right: &[Right], terms: &[[u32; 2]], sums: &mut Sums) {
    *sums = [[0.0; SIDE]; SIDE];
    for &[one, other] in terms {
        let (one, other) = (&left[one as usize].0, &right[other as usize].0);
        for (row, sums) in one.iter().zip(sums.iter_mut()) {
            for (column, sum) in sums.iter_mut().enumerate() {
                let column = other[column / HALF].iter().map(|row| row[column % HALF]);
                for (&one, other) in row.iter().zip(column) {
                    let ([low, high], [other_low, other_high]) = (unpack(one), unpack(other));
                    *sum += low * other_low + high * other_high;
                }
            }
        }
    }
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod amx {
    use super::{HALF, Left, Right, Sums};
    use std::arch::asm;
    use std::arch::x86_64::__cpuid_count;
    use std::sync::OnceLock;

    /// The shapes of the unit's eight registers, as `ldtilecfg` reads them (Intel's manual, volume 1, chapter 18).
    #[repr(C, align(64))]
    struct Shapes {
        palette: u8,
        start_row: u8,
        reserved: [u8; 14],
        bytes_of_a_row: [u16; 16],
        rows: [u8; 16],
    }

    static SHAPES: Shapes = {
        let mut shapes = Shapes {
            palette: 1,
            start_row: 0,
            reserved: [0; 14],
            bytes_of_a_row: [0; 16],
            rows: [0; 16],
        };
        let mut register = 0;
        while register < 8 {
            shapes.bytes_of_a_row[register] = 64;
            shapes.rows[register] = HALF as u8;
            register += 1;
        }
        shapes
    };

    /// Whether the processor has the instructions and Linux grants this process the registers, which it does on request.
    pub(super) fn is_granted() -> bool {
        /// `arch_prctl`: asks for a part of the processor's state (linux/arch/x86/include/uapi/asm/prctl.h).
        const REQUEST: libc::c_long = 0x1023;
        /// The registers' part of that state.
        const TILE_DATA: libc::c_long = 18;
        static GRANTED: OnceLock<bool> = OnceLock::new();
        *GRANTED.get_or_init(|| {
            let most = __cpuid_count(0, 0).eax;
            // CPUID leaf 7, EDX: bit 22 bfloat16, bit 24 the registers
            let supported = most >= 7 && __cpuid_count(7, 0).edx >> 22 & 0b101 == 0b101;
            // SAFETY: the call takes numbers only, and an older kernel refuses what it does not know
            supported && unsafe { libc::syscall(libc::SYS_arch_prctl, REQUEST, TILE_DATA) } == 0
        })
    }

    /// See [`super::MatrixUnit::multiply`].
    ///
    /// # Safety
    /// [`is_granted`], and every index lies inside its slice.
    pub(super) unsafe fn multiply(left: &[Left], right: &[Right], terms: &[[u32; 2]], sums: &mut Sums) {
        const { assert!(size_of::<Left>() == 1 << 11 && size_of::<Right>() == 1 << 11) };
        // SAFETY: the caller vouches for the instructions and the indices, which are those of squares of 2 KiB; `sums` is 4
        // KiB with rows of 128 bytes. The registers are set up, used and released within the block.
        unsafe {
            asm!(
                "ldtilecfg [{shapes}]",
                "tilezero tmm0",
                "tilezero tmm1",
                "tilezero tmm2",
                "tilezero tmm3",
                "test {count}, {count}",
                "jz 3f",
                "2:",
                "mov {one:e}, [{terms}]",
                "mov {other:e}, [{terms} + 4]",
                "shl {one}, 11",
                "shl {other}, 11",
                "add {one}, {left}",
                "add {other}, {right}",
                "tileloadd tmm4, [{one} + {row}*1]",
                "tileloadd tmm6, [{other} + {row}*1]",
                "tdpbf16ps tmm0, tmm4, tmm6",
                "tileloadd tmm7, [{other} + {row}*1 + 1024]",
                "tdpbf16ps tmm1, tmm4, tmm7",
                "tileloadd tmm5, [{one} + {row}*1 + 1024]",
                "tdpbf16ps tmm2, tmm5, tmm6",
                "tdpbf16ps tmm3, tmm5, tmm7",
                "add {terms}, 8",
                "dec {count}",
                "jnz 2b",
                "3:",
                "add {row}, {row}",
                "tilestored [{sums} + {row}*1], tmm0",
                "tilestored [{sums} + {row}*1 + 64], tmm1",
                "tilestored [{sums} + {row}*1 + 2048], tmm2",
                "tilestored [{sums} + {row}*1 + 2112], tmm3",
                "tilerelease",
                shapes = in(reg) &raw const SHAPES,
                left = in(reg) left.as_ptr(),
                right = in(reg) right.as_ptr(),
                sums = in(reg) sums.as_mut_ptr(),
                terms = inout(reg) terms.as_ptr() => _,
                count = inout(reg) terms.len() => _,
                row = inout(reg) 64usize => _,
                one = out(reg) _,
                other = out(reg) _,
                out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
                out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
                options(nostack),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Whole numbers up to 16 have few bits, so that products and sums are exact.
    fn squares(count: usize, seed: u64) -> Vec<Sums> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut row = || std::array::from_fn(|_| random.random_range(-16i8..=16) as f32);
        (0..count).map(|_| std::array::from_fn(|_| row())).collect()
    }

    fn left(square: &Sums) -> Left {
        let mut left = Left::ZERO;
        for (row, numbers) in square.iter().enumerate() {
            left.set_row(row, numbers);
        }
        left
    }

    #[test]
    fn sums_of_products_are_those_of_three_loops() {
        let (one, other) = (squares(3, 1), squares(4, 2));
        let by_rows = other.iter().map(|square| {
            let mut right = Right::ZERO;
            for row in 0..HALF {
                right.set_rows(row, &square[row], &square[row + HALF]);
            }
            right
        });
        let by_rows: Vec<Right> = by_rows.collect();
        let by_columns = other.iter().map(|square| {
            let mut right = Right::ZERO;
            for column in 0..SIDE {
                right.set_column(column, &square.map(|row| row[column]));
            }
            right
        });
        assert!(by_columns.eq(by_rows.iter().copied()));
        let lefts: Vec<Left> = one.iter().map(left).collect();
        for pairs in [&[][..], &[(1, 2)], &[(0, 3), (2, 0), (1, 1), (0, 0)]] {
            let mut terms = Terms::default();
            pairs.iter().for_each(|&(left, right)| terms.push(left, right));
            for unit in MatrixUnit::all() {
                let mut sums = [[7.0; SIDE]; SIDE];
                unit.multiply(&lefts, &by_rows, &terms, &mut sums);
                for (row, sums) in sums.iter().enumerate() {
                    for (column, sum) in sums.iter().enumerate() {
                        let product = |&(left, right): &(usize, usize)| -> f32 {
                            (0..SIDE)
                                .map(|k| one[left][row][k] * other[right][k][column])
                                .sum()
                        };
                        assert_eq!(*sum, pairs.iter().map(product).sum::<f32>(), "{unit:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn numbers_are_rounded_to_the_nearest() {
        // 1 + 2⁻⁸ lies in the middle between two numbers, and the even one is 1
        let cases = [
            (1.0, 1.0),
            (1.0 + 1.0 / 256.0, 1.0),
            (1.0 + 1.1 / 256.0, 1.0 + 1.0 / 128.0),
            (-3.3, -3.296875),
            (0.0, 0.0),
            (f32::MAX, f32::INFINITY),
        ];
        for (number, wanted) in cases {
            assert_eq!(unpack(pack(number, -number)), [wanted, -wanted]);
        }
    }

    #[test]
    #[should_panic]
    fn an_index_beyond_the_end_panics() {
        let mut terms = Terms::default();
        terms.push(0, 1);
        let mut sums = [[0.0; SIDE]; SIDE];
        MatrixUnit::portable().multiply(&[Left::ZERO], &[Right::ZERO], &terms, &mut sums);
    }
}
