//! Magic numbers: for every square a multiplier that maps each set of blockers on its lines to a table index
//! of its own. [`find`] found them with [`SEED`]; a test repeats the search.

use super::bitboard::Bitboard;
use super::types::Square;

/// The random seed of the search for the constants below, the same for both sliders.
pub const SEED: u64 = 0x656e_726f_6331;

/// The two kinds of slider; a queen is both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slider {
    /// Along diagonals.
    Bishop,
    /// Along ranks and files.
    Rook,
}

impl Slider {
    /// The four steps (file, rank) that this slider repeats.
    pub const fn steps(self) -> [(i8, i8); 4] {
        match self {
            Slider::Bishop => [(1, 1), (-1, 1), (-1, -1), (1, -1)],
            Slider::Rook => [(1, 0), (0, 1), (-1, 0), (0, -1)],
        }
    }

    /// The constants of this slider, a1 to h8.
    pub const fn magics(self) -> &'static [u64; 64] {
        match self {
            Slider::Bishop => &BISHOP,
            Slider::Rook => &ROOK,
        }
    }
}

/// The squares whose occupancy matters: the slider's lines without their last squares.
pub const fn blocker_mask(slider: Slider, square: Square) -> Bitboard {
    let steps = slider.steps();
    let mut mask = 0;
    let mut i = 0;
    while i < 4 {
        let (df, dr) = steps[i];
        let (mut file, mut rank) = (square.file() as i8 + df, square.rank() as i8 + dr);
        // a square belongs to the mask while the one behind it is still on the board
        while 0 <= file + df && file + df < 8 && 0 <= rank + dr && rank + dr < 8 {
            mask |= 1 << (rank * 8 + file);
            file += df;
            rank += dr;
        }
        i += 1;
    }
    Bitboard(mask)
}

/// Attacks by walking each ray until it meets a blocker: the slow reference for the tables.
pub fn walk_rays(slider: Slider, square: Square, occupied: Bitboard) -> Bitboard {
    let mut attacks = Bitboard::EMPTY;
    for (df, dr) in slider.steps() {
        let (mut file, mut rank) = (square.file() as i8 + df, square.rank() as i8 + dr);
        while (0..8).contains(&file) && (0..8).contains(&rank) {
            let target = Square::at(file as u8, rank as u8);
            attacks |= Bitboard::of(target);
            if occupied.has(target) {
                break;
            }
            file += df;
            rank += dr;
        }
    }
    attacks
}

/// Searches for a multiplier for each square, in order, in one random sequence; a multiplier may map two sets of
/// blockers to one index only if their attacks are the same.
pub fn find(slider: Slider, seed: u64) -> [u64; 64] {
    let mut random = seed;
    let mut magics = [0; 64];
    for square in Square::all() {
        let mask = blocker_mask(slider, square);
        let shift = 64 - mask.count();
        let wanted: Vec<(u64, u64)> = mask
            .subsets()
            .map(|blockers| (blockers.0, walk_rays(slider, square, blockers).0))
            .collect();
        let mut table = vec![(0u32, 0u64); wanted.len()];
        let mut trial = 0u32;
        magics[square.index()] = loop {
            // sparse numbers (one bit in eight) succeed far more often
            let magic = splitmix(&mut random) & splitmix(&mut random) & splitmix(&mut random);
            trial += 1;
            let fits = wanted.iter().all(|&(blockers, attacks)| {
                let entry = &mut table[(blockers.wrapping_mul(magic) >> shift) as usize];
                let free = entry.0 != trial;
                if free {
                    *entry = (trial, attacks);
                }
                free || entry.1 == attacks
            });
            if fits {
                break magic;
            }
        };
    }
    magics
}

/// The next number of Steele, Lea and Flood's SplitMix64 sequence.
pub const fn splitmix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Multipliers of the bishop, a1 to h8.
#[rustfmt::skip]
const BISHOP: [u64; 64] = [
    0x500c_2008_8208_8100, 0x4020_0441_0245_0000, 0x4092_0810_c900_0070, 0x1204_2411_8050_0000,
    0x0034_0420_8100_1808, 0x0086_0104_a200_0149, 0x2204_0c27_0450_4018, 0x000a_0242_0801_8800,
    0x0800_c010_1309_0100, 0x0800_9014_8800_8028, 0x0218_4212_0041_0084, 0x0001_180e_0044_2000,
    0x0000_4410_4400_2001, 0x0000_1a08_0238_0811, 0x0000_0084_3006_1108, 0x2602_0444_0218_8240,
    0x00a0_0110_0410_0182, 0x0090_0018_8218_0840, 0x6804_0022_0414_000a, 0x0004_0008_0210_6000,
    0x0a11_0008_2008_0000, 0x0001_4102_0050_0400, 0x1400_c002_082c_0419, 0x2100_4008_8200_9018,
    0x0070_0510_1104_1000, 0x0010_8421_0204_1402, 0x2108_0200_0400_3200, 0x0028_0800_0020_2020,
    0x0400_4040_2401_0040, 0x0090_0081_0901_4100, 0x0012_9a08_0088_3400, 0x0402_1040_0a01_00a0,
    0x400c_6020_8004_0405, 0x0000_a820_6864_0c20, 0x0004_2808_0004_00a0, 0x1460_0401_0010_0900,
    0x0450_4040_c004_0100, 0x2010_0202_0000_2480, 0x0410_0401_0000_4320, 0x0902_0401_0080_4451,
    0x8a84_0a20_1040_0480, 0x8052_0201_2000_4440, 0x2040_2014_1601_3000, 0x004c_4020_2800_4c20,
    0x22f4_2020_0980_0100, 0x00a4_0140_4100_2200, 0x8012_1022_0600_0282, 0x4102_0489_2100_4200,
    0x800c_0082_1070_0000, 0x3161_0401_0402_2288, 0x0801_0105_8804_0080, 0x0100_0900_4206_0881,
    0x0101_0020_2044_5100, 0x0000_2020_0421_2250, 0x2020_0244_0828_8a00, 0x0010_0121_1422_8000,
    0x0304_406c_0420_0480, 0x0040_0202_011c_0208, 0x210b_0111_1098_0400, 0x0102_6601_0042_0200,
    0x0805_0101_1052_0208, 0x0000_5240_1002_0221, 0x0000_2044_0108_1910, 0x80c0_0880_a900_4100,
];

/// Multipliers of the rook, a1 to h8.
#[rustfmt::skip]
const ROOK: [u64; 64] = [
    0x2080_0080_2040_0010, 0x6840_0010_0420_0041, 0x0880_2000_8128_1002, 0x0080_1000_2801_0480,
    0x0100_1100_2800_0402, 0x0100_0500_8802_1400, 0x0880_1200_0080_0500, 0x5100_0300_0080_4822,
    0x0000_8005_6040_0081, 0x2022_0022_0040_9102, 0x2008_8080_1000_2000, 0x8002_0022_0008_4011,
    0x0000_8004_0208_0081, 0x1000_8080_1200_0400, 0x1002_0002_0004_0108, 0x0caa_0000_8045_0402,
    0x0001_0100_2040_8004, 0x0050_8080_4000_2002, 0x0506_8080_3000_2000, 0x0501_0100_2010_0088,
    0x0019_0100_0408_0010, 0x0009_8080_1400_c200, 0x4000_8400_3002_0801, 0x0703_5200_0484_0041,
    0x0800_2080_8001_4000, 0x9002_6102_0042_0880, 0x4800_8202_0020_f0c1, 0x3052_8804_8010_0080,
    0x0640_0800_8004_0280, 0x0402_0012_8004_0080, 0x0005_0089_002a_0004, 0x3600_0086_0020_4401,
    0x8100_8004_4100_2100, 0x01cc_4220_0240_1000, 0x0115_8420_0080_5000, 0x0006_2100_0900_1000,
    0x0080_8008_0080_0401, 0x0106_8002_0080_0400, 0x8080_4118_0400_4210, 0x8200_0108_6200_0484,
    0x0100_2040_0180_8004, 0x0004_5000_2000_4000, 0x0050_2001_0011_0040, 0x8010_0180_0800_8011,
    0x2008_0004_1901_0030, 0x0004_0600_0400_8080, 0x4080_3021_02c4_0008, 0x1400_8100_4882_0004,
    0x1010_8000_4004_2480, 0x8440_6100_4000_8100, 0x2300_2001_4011_0100, 0x8548_0c10_0021_0100,
    0x2008_0004_0200_4040, 0x1204_8002_0004_0080, 0x2400_6810_0241_0400, 0x0400_8402_a10c_4200,
    0x0002_0061_1043_0082, 0x0220_4000_6011_0485, 0x0080_1100_2000_0841, 0x1400_6098_1000_6501,
    0x2006_0008_200c_3006, 0x9002_0010_0421_0802, 0x2010_0a08_100d_0c84, 0x0340_0080_6241_0402,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seeded_search_reproduces_the_constants() {
        for slider in [Slider::Bishop, Slider::Rook] {
            assert_eq!(&find(slider, SEED), slider.magics(), "{slider:?}");
        }
    }
}
