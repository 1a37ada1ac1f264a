//! The rows of a first layer: words, or bytes where its weights fit in them.

use super::lines::{CacheLine, HalfLine};
use super::pages::in_huge_pages;
use super::vocabulary::Vocabulary;

/// All rows, one after the other.
#[derive(Clone, Debug)]
pub enum RowStore {
    Words(Vec<CacheLine>),
    /// Half as long.
    Bytes(Vec<HalfLine>),
}

impl RowStore {
    /// So many lines of zeros. Rows are read at random: with small pages most would miss the TLB.
    pub fn words(lines: usize) -> RowStore {
        RowStore::Words(in_huge_pages(CacheLine::ZERO, lines))
    }

    /// The same of bytes.
    pub fn bytes(lines: usize) -> RowStore {
        RowStore::Bytes(in_huge_pages(HalfLine::ZERO, lines))
    }

    /// Sets one number.
    ///
    /// # Panics
    /// If it does not fit.
    #[inline]
    pub fn set(&mut self, line: usize, lane: usize, number: i32) {
        match self {
            RowStore::Words(lines) => lines[line].0[lane] = number.try_into().expect("a word"),
            RowStore::Bytes(lines) => lines[line].0[lane] = number.try_into().expect("a byte"),
        }
    }

    /// For the kernels.
    #[inline]
    pub fn rows(&self) -> Rows<'_> {
        match self {
            RowStore::Words(lines) => Rows::Words(lines),
            RowStore::Bytes(lines) => Rows::Bytes(lines),
        }
    }
}

/// The lines of a [`RowStore`].
#[derive(Clone, Copy, Debug)]
pub enum Rows<'a> {
    Words(&'a [CacheLine]),
    Bytes(&'a [HalfLine]),
}

/// A line of a row, which is added to a line of sums.
pub(super) trait RowLine {
    /// Its numbers as words.
    fn load<V: Vocabulary>(&self, v: V) -> V::Register;
}

impl RowLine for CacheLine {
    #[inline(always)]
    fn load<V: Vocabulary>(&self, v: V) -> V::Register {
        v.load(self)
    }
}

impl RowLine for HalfLine {
    #[inline(always)]
    fn load<V: Vocabulary>(&self, v: V) -> V::Register {
        v.load_half(self)
    }
}
