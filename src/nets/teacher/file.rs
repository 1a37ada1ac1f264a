//! The network file of Stockfish 15.1 (`nn-ad9b42354671.nnue`): its first layer HalfKAv2_hm, 22,528 inputs to 1,024 units.
//!
//! The file is little-endian: its version, a hash of the architecture, a description; then the first layer (a hash, 1,024
//! biases and 22,528 × 1,024 weights of 16 bits, 22,528 × 8 piece-square values of 32 bits); then for each of eight buckets
//! the later layers (a hash, biases of 32 bits and weights of 8 bits: 16 × 1,024, 32 × 32, 1 × 32).

use crate::arch::bytes::{BYTE_BLOCK, ByteLine, DOTS, Dots};
use crate::arch::{CacheLine, LANES, SimdError, prefer_huge_pages};
use crate::support::hex::hex;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Sets of later layers, and piece-square values of each input.
pub const BUCKETS: usize = 8;
/// Units of the first layer, for each point of view.
pub const UNITS: usize = 1_024;
/// Regions of the king: its squares, once the board is mirrored.
pub const REGIONS: usize = 32;
/// Inputs of each region: pawns, knights, bishops, rooks and queens of both sides, and the kings together.
pub const REGION_INPUTS: usize = 11 * 64;
/// The first input of the kings in each region.
pub const KINGS: usize = 10 * 64;
/// Units of the second layer; the last one goes straight to the output.
pub const SECOND: usize = DOTS;
/// Units of the third layer.
pub const THIRD: usize = 2 * DOTS;
/// Lines of a row: its weights, and one for the piece-square values.
pub const LINES: usize = UNITS / LANES + 1;

const INPUTS: usize = REGIONS * REGION_INPUTS;
const VERSION: u32 = 0x7af3_2f20;
/// Those of the architecture, of its first layer and of its later layers: nothing else is known to have them.
const HASHES: [u32; 3] = [0x1c10_2ef2, 0x7f23_44b8, 0x6333_6a4a];
/// Descriptions are a line of text.
const LONGEST_DESCRIPTION: usize = 1 << 16;
/// Piece-square values are kept in two numbers of 16 bits, of which the low one has so many bits …
pub const LOW_BITS: u32 = 10;
/// … so that the sum of 32 pieces' low numbers fits in 16 bits; that of their high numbers does up to this value.
const MOST_PIECE_SQUARE: i32 = 1_000 << LOW_BITS;
/// With larger biases a sum of a later layer might not fit in 32 bits.
const MOST_BIAS: i32 = 1 << 30;

/// Why a file cannot teach.
#[derive(Debug, Error)]
pub enum TeacherError {
    /// The requested instruction set cannot be used.
    #[error(transparent)]
    Simd(#[from] SimdError),
    /// It cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    /// It is something else, or damaged.
    #[error("{} is not the network of Stockfish 15.1: {fault}", path.display())]
    Foreign {
        path: PathBuf,
        /// What is wrong.
        fault: FileFault,
    },
}

/// What is wrong with a file that is not the network.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FileFault {
    /// It begins with another number.
    #[error("it does not begin with the version that this program knows")]
    Version,
    /// The hash of the architecture or of some of its layers is another one.
    #[error("the hash of its {of} is {found:08x}, not {expected:08x}")]
    Hash {
        of: &'static str,
        found: u32,
        expected: u32,
    },
    /// Its description has more bytes than a line of text has.
    #[error("its description is {0} bytes long")]
    Description(usize),
    /// Some of it is missing.
    #[error("it ends too early")]
    CutShort,
    /// It has bytes that belong to nothing.
    #[error("{0} bytes follow its end")]
    TooLong(usize),
    /// The sum of such piece-square values might not fit in two numbers of 16 bits.
    #[error("a piece-square value is {0}, beyond ± {MOST_PIECE_SQUARE}")]
    PieceSquare(i32),
    /// With such a bias a sum might not fit in 32 bits.
    #[error("a bias is {0}, beyond ± {MOST_BIAS}")]
    Bias(i32),
}

/// The weights, in the order in which they are used.
#[derive(Debug)]
pub struct Weights {
    /// For each input a row of [`LINES`]: the weights, then the piece-square values, the low numbers of the eight buckets
    /// before the high ones. The rows of a side's own king also have the biases, for exactly one of them is in every sum.
    pub rows: Vec<CacheLine>,
    /// The later layers of each bucket.
    pub buckets: Vec<Bucket>,
    /// The first 12 digits of the file's SHA-256, by which Stockfish names its networks.
    pub digest: String,
}

/// The later layers of one bucket.
#[derive(Debug)]
pub struct Bucket {
    /// The weights of the second layer, [`ByteLine`]s of four inputs each.
    pub second: Vec<ByteLine>,
    pub second_bias: [Dots; 1],
    /// The weights of the third layer: a line for every four inputs, for the first half of the units and then for the other.
    pub third: Vec<ByteLine>,
    pub third_bias: [Dots; 2],
    /// The weights of the output.
    pub output: [i8; THIRD],
    pub output_bias: i32,
}

impl Weights {
    /// Reads a file.
    ///
    /// # Errors
    /// [`TeacherError`] if it cannot be read, or is not this network or a damaged one.
    pub fn read(path: &Path) -> Result<Weights, TeacherError> {
        let bytes = std::fs::read(path).map_err(|source| TeacherError::Read {
            path: path.to_path_buf(),
            source,
        })?;
        Weights::parse(&bytes).map_err(|fault| TeacherError::Foreign {
            path: path.to_path_buf(),
            fault,
        })
    }

    /// Reads the contents of a file.
    ///
    /// # Errors
    /// [`FileFault`] if it is not this network, or a damaged one.
    pub fn parse(bytes: &[u8]) -> Result<Weights, FileFault> {
        let mut rest = Rest(bytes);
        if rest.number().ok() != Some(VERSION) {
            return Err(FileFault::Version);
        }
        rest.hash(HASHES[0], "architecture")?;
        let length = rest.number()? as usize;
        if length > LONGEST_DESCRIPTION {
            return Err(FileFault::Description(length));
        }
        rest.take(length)?;
        rest.hash(HASHES[1], "first layer")?;
        let rows = first_layer(&mut rest)?;
        let mut buckets = Vec::new();
        for _ in 0..BUCKETS {
            rest.hash(HASHES[2], "later layers")?;
            buckets.push(bucket(&mut rest)?);
        }
        if !rest.0.is_empty() {
            return Err(FileFault::TooLong(rest.0.len()));
        }
        let mut digest = hex(&Sha256::digest(bytes));
        digest.truncate(12);
        Ok(Weights {
            rows,
            buckets,
            digest,
        })
    }
}

/// The row of the king in a region, when it stands on the region's square.
pub const fn own_king_row(region: usize) -> usize {
    region * REGION_INPUTS + KINGS + square_of_region(region)
}

/// The square of the king that has this region, as its own side sees it once the board is mirrored: on the files e to h.
/// The regions begin at h8 and go down to e1.
const fn square_of_region(region: usize) -> usize {
    let (rank, file) = (7 - region / 4, 7 - region % 4);
    rank * 8 + file
}

/// The region of a king on such a square.
pub const fn region_of_square(square: usize) -> usize {
    (7 - square / 8) * 4 + 7 - square % 8
}

fn first_layer(rest: &mut Rest) -> Result<Vec<CacheLine>, FileFault> {
    let biases = rest.words(UNITS)?;
    let weights = rest.take(2 * UNITS * INPUTS)?;
    let piece_square = rest.take(4 * BUCKETS * INPUTS)?;
    // read at random: with small pages most rows would miss the TLB
    let mut rows = Vec::with_capacity(INPUTS * LINES);
    prefer_huge_pages(rows.spare_capacity_mut());
    let (lines, _) = weights.as_chunks::<{ 2 * LANES }>();
    let (values, _) = piece_square.as_chunks::<{ 4 * BUCKETS }>();
    for (row, values) in lines.chunks_exact(LINES - 1).zip(values) {
        rows.extend(row.iter().map(line));
        rows.push(piece_square_line(values)?);
    }
    for region in 0..REGIONS {
        let row = &mut rows[own_king_row(region) * LINES..][..LINES - 1];
        for (number, bias) in row.iter_mut().flat_map(|line| &mut line.0).zip(&biases) {
            // like every sum of the first layer, as Stockfish computes them
            *number = number.wrapping_add(*bias);
        }
    }
    Ok(rows)
}

fn line(bytes: &[u8; 2 * LANES]) -> CacheLine {
    let (pairs, _) = bytes.as_chunks::<2>();
    CacheLine(std::array::from_fn(|lane| i16::from_le_bytes(pairs[lane])))
}

fn piece_square_line(bytes: &[u8; 4 * BUCKETS]) -> Result<CacheLine, FileFault> {
    let mut line = CacheLine::ZERO;
    for (bucket, value) in bytes.as_chunks::<4>().0.iter().enumerate() {
        let value = i32::from_le_bytes(*value);
        if value.unsigned_abs() > MOST_PIECE_SQUARE as u32 {
            return Err(FileFault::PieceSquare(value));
        }
        let low = value & ((1 << LOW_BITS) - 1);
        line.0[bucket] = low as i16;
        line.0[BUCKETS + bucket] = (value >> LOW_BITS) as i16;
    }
    Ok(line)
}

fn bucket(rest: &mut Rest) -> Result<Bucket, FileFault> {
    let second_bias = rest.biases::<1>()?;
    let second = layer(rest, UNITS, 1)?;
    let third_bias = rest.biases::<2>()?;
    let third = layer(rest, 2 * SECOND, 2)?;
    let output_bias = rest.bias()?;
    let output = rest.take(THIRD)?;
    Ok(Bucket {
        second,
        second_bias,
        third,
        third_bias,
        output: std::array::from_fn(|n| output[n] as i8),
        output_bias,
    })
}

/// A layer of `groups` times 16 units: a row of the file is one unit's weights, a line of ours four inputs'.
fn layer(rest: &mut Rest, inputs: usize, groups: usize) -> Result<Vec<ByteLine>, FileFault> {
    let bytes = rest.take(inputs * groups * DOTS)?;
    let mut lines = vec![ByteLine::ZERO; groups * inputs / BYTE_BLOCK];
    for (unit, row) in bytes.chunks_exact(inputs).enumerate() {
        for (input, &weight) in row.iter().enumerate() {
            let line = unit / DOTS * inputs / BYTE_BLOCK + input / BYTE_BLOCK;
            lines[line].0[unit % DOTS * BYTE_BLOCK + input % BYTE_BLOCK] = weight as i8;
        }
    }
    Ok(lines)
}

/// What is still to be read.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], FileFault> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(FileFault::CutShort)?;
        self.0 = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u32, FileFault> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes(std::array::from_fn(|n| bytes[n])))
    }

    fn hash(&mut self, expected: u32, of: &'static str) -> Result<(), FileFault> {
        let found = self.number()?;
        match found == expected {
            true => Ok(()),
            false => Err(FileFault::Hash { of, found, expected }),
        }
    }

    fn words(&mut self, count: usize) -> Result<Vec<i16>, FileFault> {
        let (pairs, _) = self.take(2 * count)?.as_chunks();
        Ok(pairs.iter().map(|&pair| i16::from_le_bytes(pair)).collect())
    }

    fn bias(&mut self) -> Result<i32, FileFault> {
        let bias = self.number()? as i32;
        if bias.unsigned_abs() > MOST_BIAS as u32 {
            return Err(FileFault::Bias(bias));
        }
        Ok(bias)
    }

    fn biases<const N: usize>(&mut self) -> Result<[Dots; N], FileFault> {
        let mut biases = [Dots::ZERO; N];
        for bias in biases.iter_mut().flat_map(|dots| &mut dots.0) {
            *bias = self.bias()?;
        }
        Ok(biases)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_go_from_h8_to_e1() {
        assert_eq!([63, 60, 7, 4].map(region_of_square), [0, 3, 28, 31]);
        for region in 0..REGIONS {
            let square = square_of_region(region);
            assert!(square % 8 >= 4 && region_of_square(square) == region);
        }
    }
}
