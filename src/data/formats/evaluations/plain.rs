//! A line in the shape in which Lichess writes them all: these fields in this order, no blanks between them, no escapes.
//!
//! That is read without an allocation, several times as fast as JSON in general. What deviates in anything is left to
//! the reader of [JSON](super::json), so that this one need not tell what is wrong with it; a test holds the two to the
//! same answers.

use super::Evaluation;
use crate::data::Label;
use memchr::memchr;

/// The evaluation of a line; `None` if the line has another shape, whether that is good JSON or not.
pub(super) fn read(line: &[u8]) -> Option<Evaluation<'_>> {
    let mut rest = Rest(is_plain(line).then_some(line)?);
    rest.pass(b"{\"fen\":\"")?;
    let fen = rest.string()?;
    rest.pass(b",\"evals\":[")?;
    let mut deepest: Option<Search> = None;
    loop {
        let search = rest.search()?;
        let counts = search.best.is_some() && deepest.is_none_or(|other| search.rank >= other.rank);
        if counts {
            deepest = Some(search);
        }
        if rest.pass(b",").is_none() {
            break;
        }
    }
    rest.pass(b"]}")?;
    let best = match deepest.and_then(|search| search.best) {
        Some((label, line)) => Some((label, str::from_utf8(line).ok()?)),
        None => None,
    };
    let fen = str::from_utf8(fen).ok()?;
    rest.0.is_empty().then_some(Evaluation { fen, best })
}

/// Whether a line has nothing but letters, digits and signs that need no escape in JSON.
fn is_plain(line: &[u8]) -> bool {
    let is_plain = |&byte: &u8| (b' '..=b'~').contains(&byte) & (byte != b'\\');
    // without a way out before its end a loop can become SIMD instructions
    let all = |bytes: &[u8]| bytes.iter().fold(true, |all, byte| all & is_plain(byte));
    let (blocks, tail) = line.as_chunks::<32>();
    blocks.iter().all(|block| all(block)) && all(tail)
}

/// What one search found.
#[derive(Clone, Copy)]
struct Search<'a> {
    /// Its depth and its nodes.
    rank: (u64, u64),
    best: Option<(Label, &'a [u8])>,
}

/// What of a line is still to be read.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    /// Passes over a text that must come next.
    #[inline]
    fn pass<const N: usize>(&mut self, text: &[u8; N]) -> Option<()> {
        let (start, rest) = self.0.split_first_chunk::<N>()?;
        if start != text {
            return None;
        }
        self.0 = rest;
        Some(())
    }

    /// The rest of a string whose first quote is passed, up to the quote at its end.
    #[inline]
    fn string(&mut self) -> Option<&'a [u8]> {
        let end = memchr(b'"', self.0)?;
        let string = &self.0[..end];
        self.0 = &self.0[end + 1..];
        Some(string)
    }

    fn search(&mut self) -> Option<Search<'a>> {
        self.pass(b"{\"pvs\":[")?;
        let best = self.variation()?;
        while self.pass(b",").is_some() {
            self.variation()?;
        }
        self.pass(b"],\"knodes\":")?;
        let nodes = self.number(18)?;
        self.pass(b",\"depth\":")?;
        let depth = self.number(9)?;
        self.pass(b"}")?;
        Some(Search {
            rank: (depth, nodes),
            best: best.0.map(|label| (label, best.1)),
        })
    }

    /// A score, which a mate in no moves is not, and its line.
    fn variation(&mut self) -> Option<(Option<Label>, &'a [u8])> {
        self.pass(b"{\"")?;
        let label = if self.pass(b"cp\":").is_some() {
            Some(Label::centipawns(self.score()?))
        } else {
            self.pass(b"mate\":")?;
            Label::mate(self.score()?)
        };
        self.pass(b",\"line\":\"")?;
        let line = self.string()?;
        self.pass(b"}")?;
        Some((label, line))
    }

    fn score(&mut self) -> Option<i32> {
        let negative = self.pass(b"-").is_some();
        let size = self.number(9)? as i32;
        match (negative, size) {
            // the number -0 is no whole one to a reader of JSON
            (true, 0) => None,
            (true, _) => Some(-size),
            (false, _) => Some(size),
        }
    }

    /// A whole number of so many digits at most, without zeros in front.
    fn number(&mut self, most: usize) -> Option<u64> {
        let length = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.0.split_at(length);
        if length == 0 || length > most || length > 1 && digits[0] == b'0' {
            return None;
        }
        self.0 = rest;
        let with_digit = |number, digit: &u8| 10 * number + u64::from(digit - b'0');
        Some(digits.iter().fold(0, with_digit))
    }
}
