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
//! - *Trial C*: the order of captures by history, of quiet moves by six plies, checks, escapes and cut-offs near the root;
//!   histories from table cuts, evaluations and repeated searches; more pruning of captures, at leaves and from the
//!   table; draws by repetition seen a move ahead; and faults mended: a sequential test at 8,000 nodes a move with bounds
//!   0 and 10 accepted it after 454 games, 194 won, 149 drawn, 111 lost. Its values were usual ones.
//! - *SPSA 1*: 51 numbers tuned at once by simultaneous perturbation (Spall, "Multivariate stochastic approximation using a
//!   simultaneous perturbation gradient approximation", 1992; in OpenBench's form) over 2,600 pairs of games at 5,000 nodes
//!   a move. A sequential test at 8,000 nodes a move with bounds 0 and 10 accepted them after 666 games, 267 won, 223
//!   drawn, 176 lost.
//! - *Trial D*: quiet moves are pruned by the depth to which they would be searched, their history in it; null moves are
//!   reduced more, ProbCut asks for less, a missing table move costs two plies on the principal variation, and late moves
//!   there are reduced from the second on; a malus for an early quiet move that is refuted. A sequential test at 5,000 nodes
//!   a move with bounds 0 and 10 accepted the bundle after 1,196 games, 464 won, 366 drawn, 366 lost. Its values follow from
//!   how far the net's scores are spread.
//! - *SPSA 2*: 35 numbers tuned like those of SPSA 1 over 3,424 pairs of games at 8,000 nodes a move, with the net
//!   `mlp-570731978237`. A sequential test at as many nodes with bounds 0 and 10 accepted them, with some faults mended, after
//!   1,150 games, 408 won, 420 drawn, 322 lost; 2,000 games at 1 s + 0.01 s were +20 Elo (+11 to +29).
//!
//! With the feature `tune` every number is an option of the engine, which a tuner
//! can set; without it they are constants.

mod formulas;

pub use formulas::*;

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
    /// Half the width of the first window. SPSA 2.
    aspiration_window = 16 in 5..=60;
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
    /// How far above beta the evaluation must be, per ply. SPSA 2.
    reverse_futility_margin = 52 in 20..=200;
    /// Taken off that margin if the opponent's last move made their evaluation worse. Trial C, SPSA 1.
    reverse_futility_worsening = 2 in 0..=100;
    /// How much more for a static evaluation that was corrected, in sixteenths of the correction. Trial C, SPSA 1.
    reverse_futility_correction = 8 in 0..=64;
    /// Deepest node of razoring. Usual.
    razor_depth = 3 in 1..=8;
    /// How far below alpha the evaluation must be, per ply. SPSA 1.
    razor_margin = 179 in 80..=600;
    /// Shallowest node that tries a null move. Usual.
    null_move_depth = 3 in 1..=6;
    /// How far above beta, at depth 0, the evaluation must be for a null move. Trial D, SPSA 2.
    null_move_margin = 82 in 0..=400;
    /// By how much less per ply of depth. Trial D.
    null_move_margin_per_ply = 12 in 0..=60;
    /// Plies by which a null move search is always shorter. Usual.
    null_move_reduction = 4 in 2..=7;
    /// One more ply for every so many plies of depth. Trial D.
    null_move_depth_divisor = 3 in 2..=8;
    /// One more ply for every so many centipawns above beta. Trial D, SPSA 2.
    null_move_score_divisor = 92 in 60..=500;
    /// The most plies that the score adds. Trial D.
    null_move_score_plies = 6 in 0..=8;
    /// Shallowest node at which a null move's fail high is verified, against zugzwang (Tabibi and Netanyahu, "Verified null
    /// move pruning", 2002). The depth is usual.
    null_move_verified_depth = 12 in 6..=20;
    /// While a null move is verified, neither side passes for so many quarters of the verification's depth. Usual.
    null_move_verified_quarters = 3 in 1..=4;
    /// Shallowest node of ProbCut (Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm", 1995).
    /// The depth is usual.
    probcut_depth = 5 in 3..=10;
    /// How far above beta the capture must be. Trial D, SPSA 2.
    probcut_margin = 104 in 60..=400;
    /// How much less where the evaluation is improving. Trial D.
    probcut_improving = 25 in 0..=100;
    /// By how many plies the confirming search is shorter. Usual.
    probcut_reduction = 4 in 2..=6;
    /// A table entry at most so many plies shallower than the node, with a score below ProbCut's bound, rules it out. Usual.
    probcut_entry_margin = 3 in 1..=6;

    /// A score of the table this far above beta cuts off though its search was shallower. Trial C, SPSA 2.
    table_margin = 295 in 40..=1_000;
    /// By at most so many plies. Trial C.
    table_margin_plies = 4 in 1..=6;

    // Depth changed before any move is searched.

    /// Shallowest node at which a missing table move costs a ply (internal iterative reduction; Ed Schröder, 2020). Usual.
    internal_reduction_depth = 4 in 2..=10;
    /// Plies that it costs on the principal variation; one elsewhere. Trial D.
    internal_reduction_pv = 2 in 1..=3;
    /// A late move reduced by so many plies is searched a ply deeper if the opponent did not gain by it (hindsight
    /// extension). Trial A.
    hindsight_reduction = 3 in 2..=6;
    /// One reduced by at least one ply less than that is searched a ply less deeply if it gave away more than this.
    /// Trial A, SPSA 1.
    hindsight_margin = 87 in 20..=300;

    /// From this depth on the moves after one that raised alpha are searched a ply less deeply. Trial C.
    raised_shallowest = 3 in 2..=6;
    /// Down from this one. Trial C.
    raised_deepest = 12 in 3..=20;

    // Singular extension of the table's move.

    /// Shallowest node at which the table's move is tested (Anantharaman, Campbell and Hsu, "Singular extensions: adding
    /// selectivity to brute-force searching", 1988). The depth is usual; without any singular extension 160 to 200 games
    /// at 3,000 nodes a move were -9 Elo (-53 to +36).
    singular_depth = 7 in 4..=12;
    /// The entry may be at most so many plies shallower than the node. Usual.
    singular_entry_margin = 3 in 1..=6;
    /// How far below the table's score the other moves must fail, in sixteenths of a centipawn per ply of depth. SPSA 2.
    singular_margin = 37 in 2..=96;
    /// How much farther for an extension of two plies. SPSA 2.
    double_extension_margin = 21 in 0..=80;
    /// How much farther for an extension of three plies. Trial C, SPSA 1.
    triple_extension_margin = 104 in 20..=300;
    /// Added to both margins on the principal variation, and to the second if the move is not quiet. Trial C.
    extension_reserve = 200 in 0..=400;
    /// Plies taken off a table's move that is not singular but should fail high. Trial C, SPSA 1.
    negative_extension = 0 in 0..=3;
    /// No extension beyond this many times the iteration's depth, so that every line ends. Usual.
    extension_limit = 2 in 1..=4;

    // Late moves that are pruned.

    /// Deepest node of late move pruning. Usual.
    late_move_depth = 8 in 3..=14;
    /// Quiet moves that are searched before the others are pruned: this plus the square of the depth; half as many when the
    /// evaluation is not improving. SPSA 2.
    late_move_base = 4 in 0..=10;
    /// Deepest node, by its reduced depth, of futility pruning. Trial D.
    futility_depth = 11 in 3..=14;
    /// How far below alpha the evaluation must be for futility pruning at depth 0. Trial D, SPSA 2.
    futility_base = 76 in 20..=300;
    /// How much farther per ply of the reduced depth. Trial D, SPSA 2.
    futility_margin = 68 in 20..=250;
    /// For futility pruning and exchanges, a quiet move counts as searched a ply deeper for so much history. Trial D, SPSA 2.
    late_depth_history = 9_243 in 2_048..=32_768;
    /// Deepest node, by its reduced depth, of futility pruning of captures. Trial C.
    capture_futility_depth = 6 in -1..=12;
    /// How far below alpha the evaluation and what is captured must be at depth 0. Trial C, SPSA 1.
    capture_futility_base = 260 in 0..=1_000;
    /// How much farther per ply of the reduced depth. Trial C, SPSA 1.
    capture_futility_margin = 122 in 20..=400;
    /// One centipawn farther for so much history of the capture. Trial C.
    capture_futility_history = 100 in 10..=10_000;
    /// Deepest node that prunes moves which lose material by static exchange evaluation. Usual.
    see_depth = 9 in 3..=14;
    /// Material that a capture may lose, per ply. SPSA 2.
    see_capture_margin = 95 in 30..=250;
    /// Material that a quiet move may lose, per squared ply of the reduced depth. Trial D, SPSA 2.
    see_quiet_margin = 19 in 5..=80;
    /// And per reduced ply beside that. Trial D.
    see_quiet_base = 8 in 0..=100;
    /// Deepest node that prunes quiet moves by their history. Usual.
    history_depth = 4 in 1..=8;
    /// How bad that history must be, per ply. SPSA 2.
    history_margin = 5_027 in 1_000..=10_000;

    // Late move reductions, in parts of a ply (see PLY). The whole plies here are usual, the parts of trial A.

    /// Shallowest node that reduces late moves. Usual.
    reduction_depth = 2 in 2..=5;
    /// The reduction's base: 0.73 plies. SPSA 2.
    reduction_base = 748 in 0..=2_048;
    /// What ln(depth) ln(tried) is divided by: 2.04, in parts of one. SPSA 2.
    reduction_divisor = 2_085 in 1_200..=4_600;
    /// More where the evaluation is not improving. SPSA 2.
    reduction_not_improving = 1_159 in 0..=2_048;
    /// Less the wider the node's window is beside the root's, which is what a window as wide takes off. Trial C, SPSA 1.
    reduction_window = 423 in 0..=2_048;
    /// More where a fail high is expected. SPSA 2.
    reduction_cut_node = 1_903 in 0..=4_096;
    /// More where it is expected and the table has no move. Trial C, SPSA 1.
    reduction_no_table_move = 666 in 0..=2_048;
    /// More where the child's siblings failed high often. Trial A, SPSA 2.
    reduction_cutoffs = 1_174 in 0..=2_048;
    /// So many fail highs are often. Trial A.
    cutoffs_often = 3 in 0..=8;
    /// More for a quiet move beside a table move that captures. Trial A.
    reduction_table_capture = 1_024 in 0..=2_048;
    /// Less in a node that is or was on the principal variation. SPSA 2.
    reduction_was_pv = 1_087 in 0..=2_048;
    /// Less again if the table's score of it is above alpha. Trial C, SPSA 1.
    reduction_was_pv_above = 261 in 0..=2_048;
    /// Less again if the table's entry is at least as deep as the node. Trial C, SPSA 1.
    reduction_was_pv_deep = 80 in 0..=2_048;
    /// Less in a node that is on it now. SPSA 2.
    reduction_pv = 996 in 0..=2_048;
    /// Less for a move that gives check. SPSA 2.
    reduction_check = 762 in 0..=2_048;
    /// Less for a capture. SPSA 2.
    reduction_capture = 1_876 in 0..=2_048;
    /// Less for every centipawn by which the static evaluation was corrected: such a position is hard to judge.
    /// Trial C, SPSA 2.
    reduction_correction = 8 in 0..=64;
    /// A ply less for so much history of a capture, and more for the contrary. Trial C, SPSA 1.
    reduction_capture_history = 10_760 in 2_048..=32_768;
    /// A ply less for so much history, and more for the contrary. Trial A, SPSA 2.
    reduction_history = 9_360 in 2_048..=32_768;
    /// History beyond this changes a reduction no further. Trial A.
    reduction_history_limit = 24_576 in 4_096..=65_536;
    /// A reduced search that beats the best score by this is repeated a ply deeper. Trial A, SPSA 2.
    deeper_margin = 26 in 0..=150;
    /// How much more it takes per ply of depth. Trial A.
    deeper_margin_per_ply = 2 in 0..=10;
    /// One that beats it by less than this is repeated a ply less deeply. Trial A.
    shallower_margin = 8 in 0..=40;

    // Quiescence.

    /// After so many captures only those that retake, give check or promote are followed. Trial C.
    quiescence_moves = 3 in 1..=100;
    /// Quiet moves out of check that are followed. Trial C.
    quiescence_quiets = 2 in 1..=100;
    /// The least that a capture may bring by static exchange evaluation. Trial C, SPSA 2.
    quiescence_see = -21 in -200..=100;
    /// A capture that does not come within this margin of alpha is pruned (delta pruning). SPSA 2.
    delta_margin = 113 in 50..=400;
    /// The most that capturing a pawn may add to the score. Usual, and so are the next three.
    delta_pawn = 150 in 50..=300;
    /// The same of a knight or bishop.
    delta_minor = 450 in 250..=700;
    /// The same of a rook.
    delta_rook = 650 in 400..=1_000;
    /// The same of a queen.
    delta_queen = 1_200 in 700..=2_000;

    // Histories.

    /// The bonus of a move that failed high, per ply of depth. SPSA 2.
    history_bonus_per_ply = 172 in 50..=400;
    /// What is taken off it. Usual.
    history_bonus_offset = 60 in 0..=300;
    /// The least bonus. Usual.
    history_bonus_min = 60 in 1..=300;
    /// The greatest. SPSA 2.
    history_bonus_max = 2_022 in 500..=4_000;
    /// What the moves tried before it lose, per ply of depth. Trial C, SPSA 2.
    history_malus_per_ply = 227 in 50..=600;
    /// What is taken off that. Trial C.
    history_malus_offset = 80 in 0..=400;
    /// The most that they lose. Trial C.
    history_malus_max = 1_700 in 500..=4_000;
    /// Percent of the bonus for a table's move that cuts a node off. Trial C.
    table_cut_bonus = 100 in 0..=200;
    /// The bonus of a quiet move per centipawn that the opponent's evaluation fell by. Trial C, SPSA 1.
    evaluation_bonus = 4 in 0..=40;
    /// The most that it may be. Trial C.
    evaluation_bonus_max = 800 in 0..=3_000;
    /// Percent of the bonus after a late move had to be searched again. Trial C.
    repeat_bonus = 100 in 0..=200;
    /// How much the history near the root counts in the order there. Trial C, SPSA 1.
    low_ply_weight = 4 in 0..=16;
    /// What a minor piece gains in the order for leaving the attack of a pawn; a rook twice, a queen four times as much for
    /// those of lesser pieces. Trial C, SPSA 1.
    escape_bonus = 5_844 in 0..=25_000;
    /// What a quiet move may lose by static exchange evaluation and be a check worth trying early. Trial C: a pawn or less.
    check_loss = 75 in 0..=200;
    /// What such a check gains in the order. Trial C, SPSA 1.
    check_bonus = 11_771 in 0..=30_000;
    /// Worth of a captured pawn in the order of captures, beside histories up to 16,384. Trial C, SPSA 1.
    capture_pawn = 3_031 in 500..=32_768;
    /// A capture is good if it loses no more centipawns than its place in the order over this. Trial C, SPSA 1.
    capture_see_divisor = 62 in 20..=2_000;
    /// Percent of the bonus for the quiet move that led to a fail low. Trial B, SPSA 2.
    fail_low_bonus = 58 in 0..=150;
    /// Percent of the malus for the quiet move that was among the first and led to a fail high. Trial D, SPSA 2.
    refuted_malus = 62 in 0..=150;
    /// A score this far above beta earns the bonus of a ply more. Trial D.
    beyond_margin = 60 in 10..=1_000;

    // Correction history and the static evaluation.

    /// The most weight that one search result has. Trial A.
    correction_max_weight = 16 in 4..=64;
    /// What that weight is divided by. SPSA 2.
    correction_divisor = 133 in 32..=512;
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
}
