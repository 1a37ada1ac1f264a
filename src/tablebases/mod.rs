//! Endgame tablebases: what perfect play of a position with few pieces leads to.
//!
//! The files are Syzygy's, read by the crate shakmaty-syzygy, which has a board of its own. No other room knows that
//! crate: positions are converted here, and a test compares both boards on random games. Without the feature `syzygy` the
//! type [`Tablebases`] has no value.

#[cfg(not(feature = "syzygy"))]
mod absent;
#[cfg(feature = "syzygy")]
mod convert;
#[cfg(feature = "syzygy")]
mod files;
#[cfg(feature = "syzygy")]
mod probe;

#[cfg(not(feature = "syzygy"))]
pub use absent::Tablebases;
#[cfg(feature = "syzygy")]
pub use probe::Tablebases;

use crate::board::Move;

/// The result of perfect play for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wdl {
    Loss,
    /// Lost, but for the fifty-move rule.
    BlessedLoss,
    Draw,
    /// Won, but for the fifty-move rule.
    CursedWin,
    Win,
}

impl Wdl {
    /// The same where the fifty-move rule does not count.
    #[must_use]
    pub fn without_fifty_moves(self) -> Wdl {
        match self {
            Wdl::BlessedLoss => Wdl::Loss,
            Wdl::CursedWin => Wdl::Win,
            other => other,
        }
    }

    /// The result for the other player.
    #[must_use]
    pub fn negated(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::BlessedLoss => Wdl::CursedWin,
            Wdl::Draw => Wdl::Draw,
            Wdl::CursedWin => Wdl::BlessedLoss,
            Wdl::Win => Wdl::Loss,
        }
    }
}

/// A legal move and what it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedMove {
    pub m: Move,
    /// The result for the player who moves.
    pub wdl: Wdl,
    /// Greater for better moves: a win that comes sooner to the next capture or pawn move, a loss that comes later.
    pub rank: i32,
}

/// All legal moves of a position, the best first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    pub moves: Vec<RankedMove>,
    /// Whether the ranks tell wins of one result apart, so that playing the first move makes progress.
    pub by_distance: bool,
}

/// What is in the folders of tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inventory {
    /// Tables of results.
    pub wdl: usize,
    /// Tables of distances.
    pub dtz: usize,
    /// The most pieces, kings included, that a table has.
    pub most_pieces: u32,
    /// Folders and files that cannot be used, a sentence each.
    pub faults: Vec<String>,
}
