//! What an export has written and what it has left out.

use crate::data::count::Counts;

/// Why a record was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// The formats for trainers have no place for a position without a label.
    Unlabelled,
    /// Nor for one whose game's result is not known.
    Result,
    /// A ply of a game needs its move.
    Unplayed,
    /// The record is damaged: its pieces make no legal position.
    Position,
    /// The record is damaged: its best move is not legal.
    Move,
}

impl LeftOut {
    /// The name of every reason, in the order of the counts.
    pub const NAMES: [&'static str; 5] = [
        "without a label",
        "of unknown result",
        "without a best move",
        "impossible position",
        "illegal best move",
    ];
}

/// What an export has done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportReport {
    /// Records written.
    pub written: u64,
    /// The games that they make up, in a format of games; else 0.
    pub games: u64,
    /// Records left out.
    pub left_out: Counts<5>,
}

impl Default for ExportReport {
    /// Nothing has been written or left out yet.
    fn default() -> ExportReport {
        ExportReport {
            written: 0,
            games: 0,
            left_out: Counts::new(LeftOut::NAMES),
        }
    }
}

impl ExportReport {
    /// Adds what another part of the export has done.
    pub(super) fn add(&mut self, other: &ExportReport) {
        self.written += other.written;
        self.games += other.games;
        self.left_out.add_all(&other.left_out);
    }
}
