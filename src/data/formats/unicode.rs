//! Texts that are not written as UTF-8 with line feeds, turned into that.

use std::io::{self, Read};

/// Bytes that are turned at once.
const AT_ONCE: usize = 1 << 16;

/// Whether a text that begins with these bytes is in UTF-16: by its mark, or by the zero beside a bracket or digit.
pub fn is_utf16(start: &[u8]) -> bool {
    match start {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => true,
        [sign, 0, ..] | [0, sign, ..] => matches!(sign, b'[' | b'1'),
        _ => false,
    }
}

/// A text in UTF-16, turned into UTF-8.
pub struct Utf16<R> {
    input: R,
    is_big: bool,
    /// The text that is ready, and how much of it was taken.
    ready: Vec<u8>,
    taken: usize,
    /// Bytes of a sign that is not whole yet.
    rest: Vec<u8>,
    is_begun: bool,
}

impl<R: Read> Utf16<R> {
    /// Turns what this holds.
    pub fn new(input: R) -> Utf16<R> {
        Utf16 {
            input,
            is_big: false,
            ready: Vec::new(),
            taken: 0,
            rest: Vec::new(),
            is_begun: false,
        }
    }

    /// Turns the next bytes; `false` at the end.
    fn turn(&mut self) -> io::Result<bool> {
        let read = (&mut self.input)
            .take(AT_ONCE as u64)
            .read_to_end(&mut self.rest)?;
        if !self.is_begun {
            self.is_begun = true;
            self.is_big = matches!(self.rest[..], [0xfe, 0xff, ..] | [0, _, ..]);
        }
        let is_big = self.is_big;
        let unit = |pair: &[u8]| match is_big {
            true => u16::from_be_bytes([pair[0], pair[1]]),
            false => u16::from_le_bytes([pair[0], pair[1]]),
        };
        let mut units: Vec<u16> = self.rest.chunks_exact(2).map(unit).collect();
        // the second half of a sign may still come
        if read > 0 && units.last().is_some_and(|unit| (0xd800..0xdc00).contains(unit)) {
            units.pop();
        }
        self.rest.drain(..units.len() * 2);
        let chars = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER));
        let text: String = chars.filter(|&c| c != '\u{feff}').collect();
        self.ready = text.into_bytes();
        self.taken = 0;
        Ok(read > 0)
    }
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.ready.len() {
            if !self.turn()? && self.ready.is_empty() {
                return Ok(0);
            }
        }
        let length = buffer.len().min(self.ready.len() - self.taken);
        buffer[..length].copy_from_slice(&self.ready[self.taken..self.taken + length]);
        self.taken += length;
        Ok(length)
    }
}

/// A text whose lines end in carriage returns, which become line feeds.
pub struct LineFeeds<R>(pub R);

impl<R: Read> Read for LineFeeds<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.0.read(buffer)?;
        for byte in &mut buffer[..length] {
            if *byte == b'\r' {
                *byte = b'\n';
            }
        }
        Ok(length)
    }
}
