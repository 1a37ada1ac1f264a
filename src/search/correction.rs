//! Correction history: by how much the network was off in similar positions, as the search found out. The static
//! evaluation is corrected by as much.

use super::history::{PieceTo, nudge};
use super::params::{correction_divisor, correction_max_weight, correction_step, fifty_move_divisor};
use crate::board::{Color, Position};
use crate::nets::score::{EVALUATION_LIMIT, Score};

/// Entries of each table for one side to move, a power of two.
const ENTRIES: usize = 1 << 14;
/// Counters hold this many units to the centipawn: at its bound one of them corrects by 64 centipawns.
const GRAIN: i32 = 256;

/// The errors of one thread, each for the side to move.
pub struct Corrections {
    /// By pawn structure, by White's pieces, by Black's pieces.
    by_key: [Vec<i16>; 3],
    /// By the last move.
    by_move: Vec<[i16; PieceTo::COUNT + 1]>,
}

impl Default for Corrections {
    fn default() -> Corrections {
        Corrections {
            by_key: std::array::from_fn(|_| vec![0; 2 * ENTRIES]),
            by_move: vec![[0; PieceTo::COUNT + 1]; 2],
        }
    }
}

impl Corrections {
    /// Forgets everything, in the same memory.
    pub fn clear(&mut self) {
        self.by_key.iter_mut().for_each(|sums| sums.fill(0));
        self.by_move.fill([0; PieceTo::COUNT + 1]);
    }

    /// Centipawns by which the network was too low in positions with the same pawns, the same pieces of one player, or the
    /// same last move.
    pub fn error(&self, position: &Position, last: PieceTo) -> Score {
        let by_key = keys(position).into_iter().zip(&self.by_key);
        let error: i32 = by_key.map(|(key, table)| i32::from(table[key])).sum();
        let by_move = self.by_move[position.side_to_move().index()][last.index()];
        (error + i32::from(by_move)) / GRAIN
    }

    /// Learns from a search that found `error` centipawns more than the corrected evaluation.
    pub fn learn(&mut self, position: &Position, last: PieceTo, depth: i32, error: Score) {
        let weight = (depth + 1).min(correction_max_weight());
        let step = correction_step();
        let bonus = (error * weight * GRAIN / correction_divisor()).clamp(-step, step);
        for (key, table) in keys(position).into_iter().zip(&mut self.by_key) {
            nudge(&mut table[key], bonus);
        }
        if last != PieceTo::NONE {
            let side = position.side_to_move().index();
            nudge(&mut self.by_move[side][last.index()], bonus);
        }
    }
}

/// The static evaluation: the network's score, smaller the nearer a draw by the fifty-move rule comes, and corrected by
/// [`Corrections::error`].
pub fn corrected(position: &Position, evaluation: Score, error: Score) -> Score {
    let clock = position.halfmove_clock().min(100) as Score;
    let shrunk = evaluation * (fifty_move_divisor() - clock) / fifty_move_divisor();
    (shrunk + error).clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
}

#[inline]
fn keys(position: &Position) -> [usize; 3] {
    let side = position.side_to_move().index() * ENTRIES;
    [
        position.pawn_key() as usize,
        position.piece_key(Color::White) as usize,
        position.piece_key(Color::Black) as usize,
    ]
    .map(|key| side + (key & (ENTRIES - 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_learnt_and_bounded() {
        let position = Position::default();
        let mut corrections = Corrections::default();
        assert_eq!(corrections.error(&position, PieceTo::NONE), 0);
        corrections.learn(&position, PieceTo::NONE, 12, 100);
        let once = corrections.error(&position, PieceTo::NONE);
        assert!((1..40).contains(&once), "{once}");
        for _ in 0..500 {
            corrections.learn(&position, PieceTo::NONE, 12, 10_000);
        }
        let bounded = corrections.error(&position, PieceTo::NONE);
        assert!((150..=3 * 64).contains(&bounded), "{bounded}");
        // the other side's errors are its own
        let mut other = position;
        other.make_null();
        assert_eq!(corrections.error(&other, PieceTo::NONE), 0);
    }

    #[test]
    fn an_evaluation_shrinks_towards_the_fifty_move_rule() {
        let at = |clock| Position::from_fen(&format!("4k3/8/8/8/8/8/8/R3K3 w - - {clock} 80")).unwrap();
        assert_eq!(corrected(&at(0), 400, 7), 407);
        assert_eq!(corrected(&at(50), 400, 7), 307);
        assert_eq!(corrected(&at(100), -400, 7), -193);
    }
}
