//! Texts that are not written as UTF-8 with line feeds, turned into that.

use crate::board::pgn::Encoding;
use std::io::{self, Read};

/// Bytes that are turned at once.
const AT_ONCE: usize = 1 << 16;

/// A text in UTF-16, turned into UTF-8.
pub struct Utf16<R> {
    input: R,
    encoding: Encoding,
    /// The text that is ready, and how much of it was taken.
    ready: Vec<u8>,
    taken: usize,
    /// Bytes of a sign that is not whole yet.
    rest: Vec<u8>,
}

impl<R: Read> Utf16<R> {
    /// Turns what this holds.
    pub fn new(input: R, encoding: Encoding) -> Utf16<R> {
        Utf16 {
            input,
            encoding,
            ready: Vec::new(),
            taken: 0,
            rest: Vec::new(),
        }
    }

    /// Turns the next bytes; `false` at the end.
    fn turn(&mut self) -> io::Result<bool> {
        let read = (&mut self.input)
            .take(AT_ONCE as u64)
            .read_to_end(&mut self.rest)?;
        let (text, length) = self.encoding.piece(&self.rest, read == 0);
        self.rest.drain(..length);
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
