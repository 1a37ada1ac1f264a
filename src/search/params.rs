//! The numbers of the search.
//!
//! Margins are in centipawns of the network's own scale. Where a constant names no other source it was chosen by hand
//! within the range that is usual in the field and kept when a match did not speak against it; none has been tuned
//! automatically yet.

use crate::nets::score::Score;
use once_cell::sync::Lazy;

/// Half the width of the first aspiration window.
pub const ASPIRATION: Score = 18;
/// The first iteration that uses an aspiration window.
pub const ASPIRATION_DEPTH: i32 = 4;

/// Deepest node at which the whole node is cut off because its evaluation is far above beta.
pub const REVERSE_FUTILITY_DEPTH: i32 = 8;
/// How far above beta the evaluation must be, per ply.
pub const REVERSE_FUTILITY_MARGIN: Score = 80;
/// Deepest node that goes straight to quiescence because its evaluation is far below alpha.
pub const RAZOR_DEPTH: i32 = 3;
/// How far below alpha the evaluation must be, per ply.
pub const RAZOR_MARGIN: Score = 250;

/// Shallowest node that tries a null move.
pub const NULL_MOVE_DEPTH: i32 = 3;
/// Plies by which a null move search is always shorter.
pub const NULL_MOVE_REDUCTION: i32 = 4;
/// One more ply for every so many plies of depth.
pub const NULL_MOVE_DEPTH_DIVISOR: i32 = 4;
/// One more ply for every so many centipawns above beta, at most three.
pub const NULL_MOVE_MARGIN: Score = 200;

/// Shallowest node at which a null move's cut-off is verified by a search without null moves (against zugzwang).
pub const NULL_MOVE_VERIFIED_DEPTH: i32 = 12;

/// Shallowest node for ProbCut (Buro 1995): a capture that a reduced search finds far above beta ends the node.
pub const PROBCUT_DEPTH: i32 = 5;
/// How far above beta.
pub const PROBCUT_MARGIN: Score = 180;
/// By how many plies the confirming search is shorter.
pub const PROBCUT_REDUCTION: i32 = 4;

/// Shallowest node at which a missing table move shortens the search by a ply (internal iterative reduction).
pub const INTERNAL_REDUCTION_DEPTH: i32 = 4;

/// Shallowest node at which the table move is tested for being the only good one (Anantharaman et al. 1988).
pub const SINGULAR_DEPTH: i32 = 7;
/// How far below the table's score the others must fail, per ply.
pub const SINGULAR_MARGIN: Score = 2;
/// How much farther for an extension of two plies.
pub const DOUBLE_EXTENSION_MARGIN: Score = 20;

/// Deepest node at which late quiet moves are left out altogether.
pub const LATE_MOVE_DEPTH: i32 = 8;
/// Deepest (reduced) node at which quiet moves are left out because the evaluation is far below alpha.
pub const FUTILITY_DEPTH: i32 = 8;
/// How far below alpha: a base and so much per ply.
pub const FUTILITY_BASE: Score = 100;
/// See [`FUTILITY_BASE`].
pub const FUTILITY_MARGIN: Score = 90;
/// Deepest node at which moves that lose material by exchange are left out.
pub const SEE_DEPTH: i32 = 9;
/// Material that a capture may lose, per ply.
pub const SEE_CAPTURE_MARGIN: i32 = 100;
/// Material that a quiet move may lose, per squared ply.
pub const SEE_QUIET_MARGIN: i32 = 25;
/// Deepest node at which quiet moves of bad history are left out, and how bad per ply.
pub const HISTORY_DEPTH: i32 = 4;
/// See [`HISTORY_DEPTH`].
pub const HISTORY_MARGIN: i32 = 4_000;

/// Shallowest node that reduces late moves.
pub const REDUCTION_DEPTH: i32 = 3;
/// Reductions are counted in parts of a ply, this many to the ply, and rounded down at the end.
pub const PLY: i32 = 1_024;
/// One ply less reduction for so much history, and more for the contrary.
pub const REDUCTION_HISTORY: i32 = 8_192;
/// History beyond this changes a reduction no further: three plies.
pub const REDUCTION_HISTORY_LIMIT: i32 = 3 * REDUCTION_HISTORY;

/// A late move after which the opponent's nodes failed high more often than this is searched a ply less deeply.
pub const MANY_CUTOFFS: u32 = 3;
/// A move that was searched with so many plies less is looked at a ply deeper if the opponent did not get better by it.
pub const HINDSIGHT_REDUCTION: i32 = 3;
/// Both players' evaluations of a move that was searched less deeply may add up to so much, if their difference is to be
/// worth the whole depth.
pub const HINDSIGHT_MARGIN: Score = 80;
/// A reduced search that finds this much more than the best so far, and two centipawns for each ply of depth, is
/// repeated a ply deeper.
pub const DEEPER_MARGIN: Score = 40;
/// One that finds less than this is repeated a ply less deeply.
pub const SHALLOWER_MARGIN: Score = 8;

/// Captures in quiescence that cannot come within this margin of alpha are left out.
pub const DELTA_MARGIN: Score = 150;

/// The most weight, of 128, that one search result has in the evaluation's correction.
pub const CORRECTION_MAX_WEIGHT: i32 = 16;

/// The bonus of a refuting move found at this depth.
#[inline]
pub fn history_bonus(depth: i32) -> i32 {
    (150 * depth - 60).clamp(60, 1_700)
}

/// How many quiet moves a shallow node tries before it leaves the rest out.
#[inline]
pub fn late_move_count(depth: i32, improving: bool) -> usize {
    let count = 3 + depth * depth;
    (if improving { count } else { count / 2 }) as usize
}

/// By how much the `tried`-th move of a node is searched less deeply, in parts of a ply:
/// 0.75 + ln(depth) ln(tried) / 2.25 plies.
#[inline]
pub fn late_move_reduction(depth: i32, tried: usize) -> i32 {
    REDUCTIONS[(depth.clamp(0, 63)) as usize][tried.min(63)]
}

static REDUCTIONS: Lazy<[[i32; 64]; 64]> = Lazy::new(|| {
    let mut table = [[0; 64]; 64];
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (tried, parts) in row.iter_mut().enumerate().skip(1) {
            let plies = 0.75 + (depth as f64).ln() * (tried as f64).ln() / 2.25;
            *parts = (plies * f64::from(PLY)) as i32;
        }
    }
    table
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_depth_and_with_the_number_of_moves_tried() {
        assert_eq!(late_move_reduction(1, 1), 3 * PLY / 4);
        for depth in 1..63 {
            for tried in 1..63 {
                let here = late_move_reduction(depth, tried);
                assert!(here <= late_move_reduction(depth + 1, tried));
                assert!(here <= late_move_reduction(depth, tried + 1));
            }
        }
        assert!(late_move_reduction(200, 500) < 10 * PLY);
    }
}
