//! The numbers of the search, each with its range.
//!
//! Scores and margins are in centipawns of the network's scale, depths in plies, shares of the time in percent.
//! Not here are sizes of data structures, bit layouts and how often the clock is read: they stand with their code.
//!
//! Where the values come from:
//! - *Usual*: chosen by hand in the middle of what engines of the field use; no trial speaks for the value itself.
//! - *Trial A*: the bundle of reductions in parts of a ply, second looks at late moves and faster corrections: 400 games
//!   at 5,000 nodes a move, 149 won, 147 drawn, 104 lost, +39 Elo (+12 to +67). Parts of it were tried alone in 300
//!   games each (95 % within some 30 Elo): parts of a ply +30, correction weights +21, fail highs of the children +23,
//!   hindsight +20, deeper and shallower repeats +15, the capturing table move +14.
//! - *Trial B*: the bundle of histories by threats and pawns, the fail low bonus and more corrections: 400 games at
//!   5,000 nodes a move, 151 won, 140 drawn, 109 lost, +37 Elo (+11 to +63).
//!
//! Nothing has been tuned automatically yet. With the feature `tune` every number is an option of the engine, which a tuner
//! can set; without it they are constants.

use crate::nets::score::Score;
use once_cell::sync::Lazy;
#[cfg(feature = "tune")]
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

/// A number of the search with its range.
#[cfg(any(test, feature = "tune"))]
#[derive(Debug)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// Its value without tuning.
    pub default: i32,
    /// The least value that makes sense.
    pub min: i32,
    /// The greatest.
    pub max: i32,
    #[cfg(feature = "tune")]
    value: &'static AtomicI32,
}

#[cfg(feature = "tune")]
impl Param {
    /// Changes the value for all searches of this process; `false`, and no change, if it is out of range.
    pub fn set(&self, value: i32) -> bool {
        let fits = (self.min..=self.max).contains(&value);
        if fits {
            self.value.store(value, Relaxed);
        }
        fits
    }
}

/// Declares the numbers: a constant function each, or with the feature `tune` one that reads a value which can be set;
/// and the table of them all.
macro_rules! params {
    ($($(#[$about:meta])* $name:ident = $default:literal in $min:literal..=$max:literal;)+) => {
        $(
            $(#[$about])*
            #[cfg(not(feature = "tune"))]
            #[inline(always)]
            pub const fn $name() -> i32 {
                $default
            }

            $(#[$about])*
            #[cfg(feature = "tune")]
            #[inline]
            pub fn $name() -> i32 {
                values::$name.load(Relaxed)
            }
        )+

        #[cfg(feature = "tune")]
        #[expect(non_upper_case_globals, reason = "they are named like the functions that read them")]
        mod values {
            use std::sync::atomic::AtomicI32;
            $(pub static $name: AtomicI32 = AtomicI32::new($default);)+
        }

        /// All of them.
        #[cfg(any(test, feature = "tune"))]
        pub static PARAMS: &[Param] = &[$(Param {
            name: stringify!($name),
            default: $default,
            min: $min,
            max: $max,
            #[cfg(feature = "tune")]
            value: &values::$name,
        }),+];
    };
}

params! {
    // Aspiration windows.

    /// The first iteration that uses an aspiration window. Usual.
    aspiration_depth = 4 in 2..=10;
    /// Half the width of the first window. Usual: 10 to 25.
    aspiration_window = 18 in 5..=60;
    /// The window is wider by one for every so many centipawns of the last score. Usual.
    aspiration_score_divisor = 128 in 16..=1024;
    /// A window that had to grow beyond this is opened altogether. Usual: 500 to 1,500.
    aspiration_widest = 1_000 in 200..=4_000;
    /// After so many fail highs the depth is reduced no further. Usual.
    aspiration_reductions = 3 in 0..=6;

    // Nodes that are cut off before any move is searched.

    /// With a halfmove clock of this many plies the fifty-move rule may contradict a score in the table. Usual.
    table_cut_clock = 90 in 60..=100;
    /// Deepest node of reverse futility pruning. Usual: 6 to 10.
    reverse_futility_depth = 8 in 2..=14;
    /// How far above beta the evaluation must be, per ply. Usual; 65 was worth nothing together with two plies less for a
    /// table move that others equal (400 games at 5,000 nodes a move: +5 Elo, -22 to +32).
    reverse_futility_margin = 80 in 20..=200;
    /// Deepest node of razoring. Usual.
    razor_depth = 3 in 1..=8;
    /// How far below alpha the evaluation must be, per ply. Usual.
    razor_margin = 250 in 80..=600;
    /// Shallowest node that tries a null move. Usual.
    null_move_depth = 3 in 1..=6;
    /// How far above beta, at depth 0, the evaluation must be for a null move. Usual.
    null_move_margin = 160 in 0..=400;
    /// By how much less per ply of depth. Usual.
    null_move_margin_per_ply = 20 in 0..=60;
    /// Plies by which a null move search is always shorter. Usual.
    null_move_reduction = 4 in 2..=7;
    /// One more ply for every so many plies of depth. Usual.
    null_move_depth_divisor = 4 in 2..=8;
    /// One more ply for every so many centipawns above beta. Usual.
    null_move_score_divisor = 200 in 60..=500;
    /// The most plies that the score adds. Usual.
    null_move_score_plies = 3 in 0..=6;
    /// Shallowest node at which a null move's fail high is verified, against zugzwang (Tabibi and Netanyahu, "Verified null
    /// move pruning", 2002). The depth is usual.
    null_move_verified_depth = 12 in 6..=20;
    /// The side that passed makes no null moves for so many quarters of the verification's depth. Usual.
    null_move_verified_quarters = 3 in 1..=4;
    /// Shallowest node of ProbCut (Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm", 1995).
    /// The depth is usual.
    probcut_depth = 5 in 3..=10;
    /// How far above beta the capture must be. Usual.
    probcut_margin = 180 in 60..=400;
    /// By how many plies the confirming search is shorter. Usual.
    probcut_reduction = 4 in 2..=6;
    /// A table entry at most so many plies shallower than the node, with a score below ProbCut's bound, rules it out. Usual.
    probcut_entry_margin = 3 in 1..=6;

    // Depth changed before any move is searched.

    /// Shallowest node at which a missing table move costs a ply (internal iterative reduction; Ed Schröder, 2020). Usual.
    internal_reduction_depth = 4 in 2..=10;
    /// A late move reduced by so many plies is searched a ply deeper if the opponent did not gain by it (hindsight
    /// extension). Trial A.
    hindsight_reduction = 3 in 2..=6;
    /// One reduced by at least one ply less than that is searched a ply less deeply if it gave away more than this. Trial A.
    hindsight_margin = 80 in 20..=300;

    // Singular extension of the table's move.

    /// Shallowest node at which the table's move is tested (Anantharaman, Campbell and Hsu, "Singular extensions: adding
    /// selectivity to brute-force searching", 1988). The depth is usual; without any singular extension 160 to 200 games
    /// at 3,000 nodes a move were -9 Elo (-53 to +36).
    singular_depth = 7 in 4..=12;
    /// The table's entry may be so many plies shallower than the node. Usual.
    singular_entry_margin = 3 in 1..=6;
    /// How far below the table's score the other moves must fail, per ply of depth. Usual.
    singular_margin = 2 in 1..=6;
    /// How much farther for an extension of two plies. Usual.
    double_extension_margin = 20 in 0..=80;
    /// No extension beyond this many times the iteration's depth, so that every line ends. Usual.
    extension_limit = 2 in 1..=4;

    // Late moves that are pruned.

    /// Deepest node of late move pruning. Usual.
    late_move_depth = 8 in 3..=14;
    /// Quiet moves that are searched before the others are pruned: this plus the square of the depth; half as many when the
    /// evaluation is not improving. Usual.
    late_move_base = 3 in 0..=10;
    /// Deepest node, by its reduced depth, of futility pruning. Usual.
    futility_depth = 8 in 3..=14;
    /// How far below alpha the evaluation must be for futility pruning at depth 0. Usual.
    futility_base = 100 in 20..=300;
    /// How much farther per ply of the reduced depth. Usual.
    futility_margin = 90 in 20..=250;
    /// Deepest node that prunes moves which lose material by static exchange evaluation. Usual.
    see_depth = 9 in 3..=14;
    /// Material that a capture may lose, per ply. Usual.
    see_capture_margin = 100 in 30..=250;
    /// Material that a quiet move may lose, per squared ply of the reduced depth. Usual.
    see_quiet_margin = 25 in 5..=80;
    /// Deepest node that prunes quiet moves by their history. Usual.
    history_depth = 4 in 1..=8;
    /// How bad that history must be, per ply. Usual.
    history_margin = 4_000 in 1_000..=10_000;

    // Late move reductions, in parts of a ply (see PLY). The whole plies here are usual, the parts of trial A.

    /// Shallowest node that reduces late moves. Usual.
    reduction_depth = 3 in 2..=5;
    /// The reduction's base: 0.75 plies. Usual; 0.6 with a divisor of 1.9 was -9 Elo (-47 to +29) in 160 to 200 games at
    /// 3,000 nodes a move.
    reduction_base = 768 in 0..=2_048;
    /// What ln(depth) ln(tried) is divided by: 2.25, in parts of one. See [`reduction_base`].
    reduction_divisor = 2_304 in 1_200..=4_600;
    /// More where the evaluation is not improving. Usual.
    reduction_not_improving = 1_024 in 0..=2_048;
    /// More where a fail high is expected. Usual.
    reduction_cut_node = 2_048 in 0..=4_096;
    /// More where the child's siblings failed high often. Trial A.
    reduction_cutoffs = 1_024 in 0..=2_048;
    /// So many fail highs are often. Trial A.
    cutoffs_often = 3 in 0..=8;
    /// More for a quiet move beside a table move that captures. Trial A.
    reduction_table_capture = 1_024 in 0..=2_048;
    /// Less in a node that is or was on the principal variation. Usual.
    reduction_was_pv = 1_024 in 0..=2_048;
    /// Less in a node that is on it now. Usual.
    reduction_pv = 1_024 in 0..=2_048;
    /// Less for a move that gives check. Usual.
    reduction_check = 1_024 in 0..=2_048;
    /// Less for a capture. Usual.
    reduction_capture = 1_024 in 0..=2_048;
    /// A ply less for so much history, and more for the contrary. Trial A.
    reduction_history = 8_192 in 2_048..=32_768;
    /// History beyond this changes a reduction no further. Trial A.
    reduction_history_limit = 24_576 in 4_096..=65_536;
    /// A reduced search that beats the best score by this is repeated a ply deeper. Trial A.
    deeper_margin = 40 in 0..=150;
    /// How much more it takes per ply of depth. Trial A.
    deeper_margin_per_ply = 2 in 0..=10;
    /// One that beats it by less than this is repeated a ply less deeply. Trial A.
    shallower_margin = 8 in 0..=40;

    // Quiescence.

    /// A capture that does not come within this margin of alpha is pruned (delta pruning). Usual.
    delta_margin = 150 in 50..=400;
    /// The most that capturing a pawn may add to the score. Usual, and so are the next three.
    delta_pawn = 150 in 50..=300;
    /// The same of a knight or bishop.
    delta_minor = 450 in 250..=700;
    /// The same of a rook.
    delta_rook = 650 in 400..=1_000;
    /// The same of a queen.
    delta_queen = 1_200 in 700..=2_000;

    // Histories.

    /// The bonus of a move that failed high, per ply of depth. Usual.
    history_bonus_per_ply = 150 in 50..=400;
    /// What is taken off it. Usual.
    history_bonus_offset = 60 in 0..=300;
    /// The least bonus. Usual.
    history_bonus_min = 60 in 1..=300;
    /// The greatest. Usual.
    history_bonus_max = 1_700 in 500..=4_000;
    /// Percent of the bonus for the quiet move that led to a fail low. Trial B.
    fail_low_bonus = 50 in 0..=150;

    // Correction history and the static evaluation.

    /// The most weight that one search result has. Trial A.
    correction_max_weight = 16 in 4..=64;
    /// Of so much. Usual.
    correction_divisor = 128 in 32..=512;
    /// The most that one search result adds to a counter. Usual: a quarter of the counters' bound.
    correction_step = 4_096 in 512..=16_384;
    /// The evaluation shrinks by the halfmove clock over this: by half at the fifty-move rule. Usual.
    fifty_move_divisor = 200 in 110..=400;

    // The transposition table.

    /// Plies of depth that an entry loses in worth for every search since it was written. Usual.
    table_age_penalty = 4 in 0..=16;
    /// An entry of this search that is deeper by more than this is not overwritten. Usual.
    table_keep_margin = 3 in 0..=8;

    // Time.

    /// Moves that a game is planned to go on for when the clock gives no number: a share of 1/25 spends half of a sudden
    /// death clock in seventeen moves, which leaves enough for long games since the increment is spent as it comes. Usual.
    planned_moves = 25 in 10..=60;
    /// Percent of the increment that is spent on every move. Usual.
    increment_share = 75 in 20..=100;
    /// The most of the remaining time that one move may take. Usual.
    largest_share = 30 in 10..=60;
    /// The same when it is the last move of the time control. Usual.
    last_move_share = 80 in 50..=95;
    /// How much of the soft limit a search may take before it is cut off. Usual.
    hard_limit = 350 in 150..=800;
    /// Of the soft limit when the best move has just changed. Usual, and so are the next four.
    best_move_changed = 160 in 80..=300;
    /// When it has stayed for one iteration.
    best_move_stayed_1 = 120 in 60..=250;
    /// For two.
    best_move_stayed_2 = 100 in 50..=200;
    /// For three.
    best_move_stayed_3 = 90 in 40..=180;
    /// For more.
    best_move_stayed_4 = 80 in 30..=160;
    /// Of the soft limit, less the best move's share of the nodes. Usual.
    effort_base = 160 in 100..=250;
    /// The least that remains of it. Usual.
    effort_min = 60 in 20..=100;
    /// The most. Usual.
    effort_max = 140 in 100..=250;
    /// The soft limit doubles when the score fell by so many centipawns. Usual.
    fall_divisor = 100 in 30..=400;
    /// The least that a rise leaves. Usual.
    fall_min = 80 in 40..=100;
    /// The most that a fall gives. Usual.
    fall_max = 160 in 100..=300;
    /// The weight of the newest score in the mean that it is held against. Usual.
    score_mean_share = 30 in 5..=90;
    /// The mean begins with the score of this iteration. Usual.
    score_mean_depth = 4 in 1..=10;
    /// With a single legal move there is nothing to decide: a few plies give a score and an expected answer. Usual.
    forced_move_depth = 6 in 1..=12;
}

/// Reductions are counted in parts of a ply, this many to the ply, and rounded down at the end.
pub const PLY: i32 = 1_024;

/// The bonus for a move that failed high at this depth.
#[inline]
pub fn history_bonus(depth: i32) -> i32 {
    let bonus = history_bonus_per_ply() * depth - history_bonus_offset();
    bonus.max(history_bonus_min()).min(history_bonus_max())
}

/// How many quiet moves a shallow node tries before late move pruning.
#[inline]
pub fn late_move_count(depth: i32, improving: bool) -> usize {
    let count = late_move_base() + depth * depth;
    (if improving { count } else { count / 2 }) as usize
}

/// The late move reduction of a node's `tried`-th move, in parts of a ply, before anything else is known of the move.
#[inline]
pub fn late_move_reduction(depth: i32, tried: usize) -> i32 {
    let (depth, tried) = (depth.clamp(0, 63) as usize, tried.min(63));
    if cfg!(feature = "tune") {
        return reduction(depth, tried);
    }
    REDUCTIONS[depth][tried]
}

static REDUCTIONS: Lazy<[[i32; 64]; 64]> =
    Lazy::new(|| std::array::from_fn(|depth| std::array::from_fn(|tried| reduction(depth, tried))));

/// base + ln(depth) ln(tried) / divisor.
fn reduction(depth: usize, tried: usize) -> i32 {
    if depth == 0 || tried == 0 {
        return 0;
    }
    let parts = |value: i32| f64::from(value) / f64::from(PLY);
    let plies =
        parts(reduction_base()) + (depth as f64).ln() * (tried as f64).ln() / parts(reduction_divisor());
    (plies * f64::from(PLY)) as i32
}

/// A number in percent as a factor.
#[inline]
pub fn percent(number: i32) -> f64 {
    f64::from(number) / 100.0
}

/// The most that capturing a piece of this kind (pawn to king) may add to a score.
#[inline]
pub fn delta_gain(kind: usize) -> Score {
    [
        delta_pawn(),
        delta_minor(),
        delta_minor(),
        delta_rook(),
        delta_queen(),
        0,
    ][kind]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_lies_in_its_range_and_has_a_name_of_its_own() {
        let names: std::collections::HashSet<_> = PARAMS.iter().map(|param| param.name).collect();
        assert_eq!(names.len(), PARAMS.len());
        for param in PARAMS {
            assert!(
                param.min < param.max && (param.min..=param.max).contains(&param.default),
                "{param:?}"
            );
        }
    }

    #[test]
    fn reductions_grow_with_depth_and_with_the_number_of_moves_tried() {
        assert_eq!(late_move_reduction(1, 1), reduction_base());
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
