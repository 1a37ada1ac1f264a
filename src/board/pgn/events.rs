//! What a text in PGN consists of.

use super::PgnFault;
use crate::board::GameResult;

/// A place in a stream of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// Bytes before it.
    pub byte: u64,
    /// Its line, from 1.
    pub line: u32,
}

/// What a text consists of, in its order.
pub trait Events {
    /// A tag; `fresh` after an empty line. The value is without its escapes.
    fn tag(&mut self, name: &str, value: &str, fresh: bool, spot: Spot);
    /// A comment of either kind, with its white space as it stands.
    fn comment(&mut self, text: &str, spot: Spot);
    /// The beginning of a variation.
    fn open(&mut self, spot: Spot);
    /// The end of a variation.
    fn close(&mut self, spot: Spot);
    /// A glyph by its number.
    fn glyph(&mut self, number: u8, spot: Spot);
    /// A result.
    fn result(&mut self, result: GameResult, spot: Spot);
    /// The number of a move of White; `fresh` after an empty line.
    fn number(&mut self, number: u32, fresh: bool);
    /// A move, or what stands in its place.
    fn word(&mut self, word: &str, spot: Spot);
    /// Something that cannot be read.
    fn fault(&mut self, fault: PgnFault, spot: Spot);
}
