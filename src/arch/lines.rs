//! The lines of memory that the kernels read and write: each is one or two registers of AVX-512.

/// Numbers in a [`CacheLine`].
pub const LANES: usize = 32;
/// Numbers in a [`ByteLine`].
pub const BYTES: usize = 64;
/// Sums in [`Dots`].
pub const DOTS: usize = 16;
/// Numbers of a [`ByteLine`] that are multiplied with weights together, and skipped together if all are zero.
pub const BLOCK: usize = BYTES / DOTS;

/// 32 numbers of 16 bits, a cache line: one register of AVX-512, two of AVX2, four of NEON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct CacheLine(pub [i16; LANES]);

/// 32 numbers of 8 bits, half a cache line: one register of AVX2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(32))]
pub struct HalfLine(pub [i8; LANES]);

impl HalfLine {
    pub const ZERO: HalfLine = HalfLine([0; LANES]);
}

impl CacheLine {
    pub const ZERO: CacheLine = CacheLine([0; LANES]);

    /// The numbers of all lines in pairs.
    pub(super) fn pairs(lines: &[CacheLine]) -> &[[i16; 2]] {
        // SAFETY: a line is 16 pairs and nothing else
        unsafe { std::slice::from_raw_parts(lines.as_ptr().cast(), lines.len() * LANES / 2) }
    }
}

/// 32 sums of 32 bits for the lanes of a [`CacheLine`], in the order in which multiplication leaves them: see
/// [`Sums::place`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Sums(pub [i32; LANES]);

impl Sums {
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

/// 64 numbers of 8 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct ByteLine(pub [i8; BYTES]);

impl ByteLine {
    pub const ZERO: ByteLine = ByteLine([0; BYTES]);

    /// The place of the number that was in this lane (0 to 63) of two lines before they were packed into one. x86 packs
    /// eight lanes of one line, then eight of the other. Groups of [`BLOCK`] lanes remain together.
    pub const fn place(lane: usize) -> usize {
        let (line, lane) = (lane / LANES, lane % LANES);
        lane / 8 * 16 + line * 8 + lane % 8
    }
}

/// 16 sums of 32 bits, each for one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Dots(pub [i32; DOTS]);

impl Dots {
    pub const ZERO: Dots = Dots([0; DOTS]);

    /// The numbers of all lines.
    pub(super) fn flat(lines: &[Dots]) -> &[i32] {
        // SAFETY: a line is 16 numbers and nothing else
        unsafe { std::slice::from_raw_parts(lines.as_ptr().cast(), lines.len() * DOTS) }
    }
}

/// For every subset of eight lanes the byte shuffle that moves its members to the front.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) static TOGETHER: [Shuffle; 256] = {
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
pub(super) struct Shuffle(pub [u8; 16]);

/// The lane indices 0–31.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) static LANE_NUMBERS: CacheLine = {
    let mut line = CacheLine::ZERO;
    let mut lane = 0;
    while lane < LANES {
        line.0[lane] = lane as i16;
        lane += 1;
    }
    line
};

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
    fn packing_moves_every_number_to_a_place_of_its_own() {
        let mut places: Vec<usize> = (0..BYTES).map(ByteLine::place).collect();
        assert_eq!(places[..9], [0, 1, 2, 3, 4, 5, 6, 7, 16]);
        assert_eq!(places[LANES], 8);
        places.sort_unstable();
        assert!(places.into_iter().eq(0..BYTES));
    }
}
