//! Damaged inputs: a valid one of a list, and random edits of it.

use bolero::{Driver, ValueGenerator};
use std::fmt;
use std::ops::Range;

/// How many edits an input gets, drawn evenly: mostly few, for one fault is rarely hidden behind another.
const EDITS: [usize; 8] = [0, 1, 1, 1, 2, 2, 4, 10];
/// No edit makes an input longer than this.
const LONGEST: usize = 1 << 16;
/// The longest range that one edit inserts or repeats.
const LONGEST_RANGE: usize = 400;

/// Numbers that a reader may not expect, for texts.
const EXTREME_TEXTS: &[&str] = &[
    "0",
    "-0",
    "-1",
    "00",
    "+1",
    "9",
    "64",
    "100",
    "127",
    "255",
    "256",
    "-32768",
    "32767",
    "31999",
    "65535",
    "65536",
    "2147483647",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "0.5",
    "1e308",
    "1e999",
    "-1e-320",
    "inf",
    "nan",
    "",
];

/// The same for little-endian numbers.
const EXTREME_NUMBERS: &[u64] = &[
    0,
    1,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0x8000,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    u64::MAX >> 1,
    u64::MAX >> 1 ^ u64::MAX,
    u64::MAX,
];

/// A damaged input.
#[derive(Clone)]
pub struct Input {
    /// The place in the list of the input that it was made from.
    pub seed: usize,
    pub bytes: Vec<u8>,
}

impl Input {
    /// As a text; bytes that are none are replaced, as readers of lines do it.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

impl fmt::Debug for Input {
    /// As a literal that can be put into a test.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "seed {}: b\"{}\"", self.seed, self.bytes.escape_ascii())
    }
}

/// Makes damaged inputs.
pub struct Mutations {
    seeds: Vec<Vec<u8>>,
    tokens: &'static [&'static str],
}

impl Mutations {
    /// Of texts, with words that mean something in their format.
    pub fn of_texts(seeds: &[&str], tokens: &'static [&'static str]) -> Mutations {
        Mutations {
            seeds: seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect(),
            tokens,
        }
    }

    /// Of files of any kind.
    pub fn of_files(seeds: Vec<Vec<u8>>, tokens: &'static [&'static str]) -> Mutations {
        Mutations { seeds, tokens }
    }
}

impl ValueGenerator for Mutations {
    type Output = Input;

    fn generate<D: Driver>(&self, driver: &mut D) -> Option<Input> {
        let seed = below(driver, self.seeds.len())?;
        let mut bytes = self.seeds[seed].clone();
        for _ in 0..*pick(driver, &EDITS)? {
            self.edit(&mut bytes, driver)?;
        }
        Some(Input { seed, bytes })
    }
}

impl Mutations {
    fn edit<D: Driver>(&self, bytes: &mut Vec<u8>, driver: &mut D) -> Option<()> {
        let at = below(driver, bytes.len() + 1)?;
        let range = some_range(driver, bytes)?;
        let insertion = match below(driver, 12)? {
            0 => return flip(bytes, at, driver),
            1 => return copy_byte(bytes, at, driver),
            2 => return number_in_text(bytes, at, driver),
            3 => return number_in_bytes(bytes, at, driver),
            4 => return swap(bytes, range, driver),
            5 => {
                bytes.drain(range);
                return Some(());
            }
            6 => {
                bytes.truncate(at);
                return Some(());
            }
            7 => return self.splice(bytes, at, driver),
            8 => bytes[range].to_vec(),
            9 => driver.produce::<[u8; 3]>()?.to_vec(),
            10 => return self.token(bytes, range, driver),
            _ => return self.token(bytes, at..at, driver),
        };
        put(bytes, at..at, &insertion);
        Some(())
    }

    /// The rest is that of another input.
    fn splice<D: Driver>(&self, bytes: &mut Vec<u8>, at: usize, driver: &mut D) -> Option<()> {
        let other = pick(driver, &self.seeds)?;
        let from = below(driver, other.len() + 1)?;
        bytes.truncate(at);
        bytes.extend_from_slice(&other[from..]);
        bytes.truncate(LONGEST);
        Some(())
    }

    /// A word of the format in place of a range.
    fn token<D: Driver>(&self, bytes: &mut Vec<u8>, range: Range<usize>, driver: &mut D) -> Option<()> {
        if !self.tokens.is_empty() {
            put(bytes, range, pick(driver, self.tokens)?.as_bytes());
        }
        Some(())
    }
}

/// Changes some bits of a byte.
fn flip<D: Driver>(bytes: &mut [u8], at: usize, driver: &mut D) -> Option<()> {
    let bits: u8 = driver.produce()?;
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= bits;
    }
    Some(())
}

/// Puts a byte of another place here: it is in the alphabet of the format.
fn copy_byte<D: Driver>(bytes: &mut [u8], at: usize, driver: &mut D) -> Option<()> {
    let from = below(driver, bytes.len())?;
    if at < bytes.len() {
        bytes[at] = bytes[from];
    }
    Some(())
}

/// Replaces the next number of a text.
fn number_in_text<D: Driver>(bytes: &mut Vec<u8>, at: usize, driver: &mut D) -> Option<()> {
    let number = pick(driver, EXTREME_TEXTS)?;
    let rest = &bytes[at..];
    if let Some(skipped) = rest.iter().position(u8::is_ascii_digit) {
        let digits = rest[skipped..].iter().take_while(|byte| byte.is_ascii_digit());
        let start = at + skipped;
        let end = start + digits.count();
        put(bytes, start..end, number.as_bytes());
    }
    Some(())
}

/// Overwrites one, two, four or eight bytes by a number.
fn number_in_bytes<D: Driver>(bytes: &mut [u8], at: usize, driver: &mut D) -> Option<()> {
    let number = pick(driver, EXTREME_NUMBERS)?.to_le_bytes();
    let length = *pick(driver, &[1, 2, 4, 8])?;
    if let Some(place) = bytes.get_mut(at..at + length) {
        place.copy_from_slice(&number[..length]);
    }
    Some(())
}

/// Exchanges a range and the one behind it.
fn swap<D: Driver>(bytes: &mut [u8], range: Range<usize>, driver: &mut D) -> Option<()> {
    let end = range.end + below(driver, (bytes.len() - range.end).min(LONGEST_RANGE) + 1)?;
    bytes[range.start..end].rotate_left(range.len());
    Some(())
}

fn some_range<D: Driver>(driver: &mut D, bytes: &[u8]) -> Option<Range<usize>> {
    let start = below(driver, bytes.len() + 1)?;
    let rest = bytes.len() - start;
    // as often short as long
    let longest = *pick(driver, &[1, 4, 20, LONGEST_RANGE])?;
    Some(start..start + below(driver, rest.min(longest) + 1)?)
}

fn put(bytes: &mut Vec<u8>, range: Range<usize>, insertion: &[u8]) {
    if bytes.len() + insertion.len() <= LONGEST {
        bytes.splice(range, insertion.iter().copied());
    }
}

/// A number below this one; 0 where there is none.
fn below<D: Driver>(driver: &mut D, bound: usize) -> Option<usize> {
    Some(driver.produce::<u32>()? as usize % bound.max(1))
}

fn pick<'a, D: Driver, T>(driver: &mut D, all: &'a [T]) -> Option<&'a T> {
    let place = below(driver, all.len())?;
    Some(&all[place])
}
