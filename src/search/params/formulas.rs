//! What the search works out of its numbers.

use super::*;
use crate::nets::score::Score;
use once_cell::sync::Lazy;

/// Reductions are counted in parts of a ply, this many to the ply, and truncated towards zero at the end.
pub const PLY: i32 = 1_024;

/// [`singular_margin`] counts parts of a centipawn, this many to the centipawn.
pub const SINGULAR_UNIT: i32 = 16;

/// `value` under a condition, 0 without it.
#[inline]
pub fn when(condition: bool, value: i32) -> i32 {
    if condition { value } else { 0 }
}

/// The bonus for a move that failed high at this depth.
#[inline]
pub fn history_bonus(depth: i32) -> i32 {
    let bonus = history_bonus_per_ply() * depth - history_bonus_offset();
    bonus.max(history_bonus_min()).min(history_bonus_max())
}

/// What a move loses that was tried before the one that failed high at this depth.
#[inline]
pub fn history_malus(depth: i32) -> i32 {
    let malus = history_malus_per_ply() * depth - history_malus_offset();
    malus.max(history_bonus_min()).min(history_malus_max())
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

static LOGARITHMS: Lazy<[f64; 64]> = Lazy::new(|| std::array::from_fn(|n| (n as f64).ln()));

/// base + ln(depth) ln(tried) / divisor.
fn reduction(depth: usize, tried: usize) -> i32 {
    if depth == 0 || tried == 0 {
        return 0;
    }
    let parts = |value: i32| f64::from(value) / f64::from(PLY);
    let plies = parts(reduction_base()) + LOGARITHMS[depth] * LOGARITHMS[tried] / parts(reduction_divisor());
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
