//! Counting things by kind.

use std::fmt;

/// How often each of `N` named kinds of thing happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts<const N: usize> {
    names: [&'static str; N],
    counts: [u64; N],
}

impl<const N: usize> Counts<N> {
    /// Nothing has happened yet.
    pub fn new(names: [&'static str; N]) -> Counts<N> {
        Counts {
            names,
            counts: [0; N],
        }
    }

    /// Counts one thing of a kind, the index of its name.
    #[inline]
    pub fn add(&mut self, kind: usize) {
        self.counts[kind] += 1;
    }

    /// Adds what another count of the same kinds has counted.
    pub fn add_all(&mut self, other: &Counts<N>) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
    }

    /// How often one kind happened.
    pub fn of(&self, kind: usize) -> u64 {
        self.counts[kind]
    }

    /// That some of these things were skipped, by kind: `rows skipped: 2 (2 impossible position)`; `None` for none.
    pub fn skipped(&self, things: &str) -> Option<String> {
        (self.total() > 0).then(|| format!("{things} skipped: {self}"))
    }

    /// How often anything happened.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }
}

impl<const N: usize> fmt::Display for Counts<N> {
    /// The kinds that happened: `3 (2 in check, 1 duplicate)`, or `0`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.total())?;
        let mut separator = " (";
        for (name, count) in self.names.iter().zip(self.counts) {
            if count > 0 {
                write!(f, "{separator}{count} {name}")?;
                separator = ", ";
            }
        }
        if separator == ", " {
            f.write_str(")")
        } else {
            Ok(())
        }
    }
}
