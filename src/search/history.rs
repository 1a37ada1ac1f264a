//! What earlier parts of the search taught about moves: which ones refuted positions, and by how much the evaluation
//! was off in positions of the same kind.

use super::params;
use crate::board::{Color, Move, Piece, PieceType, Position, Square};
use crate::evaluation::Score;
use crate::evaluation::score::EVALUATION_LIMIT;

/// The bound of every history counter: 2^14.
const LIMIT: i32 = 16_384;
/// Entries of each correction table, a power of two.
const CORRECTION_ENTRIES: usize = 1 << 14;
/// Correction counters hold this many units to the centipawn.
const CORRECTION_GRAIN: i32 = 256;
/// The largest correction of one table, in centipawns.
const CORRECTION_LIMIT: i32 = 64;

/// Piece and target square of a move: what continuation histories remember of it.
pub type PieceTo = (Piece, Square);

/// Counters by the piece and target of one move.
type ByPieceTo = [[i16; 64]; 12];

/// The counters of one thread.
pub struct Histories {
    /// Quiet moves by colour, from and to (Schaeffer's history heuristic, 1989).
    quiet: Box<[[[i16; 64]; 64]; 2]>,
    /// Captures by moved piece, target and captured kind.
    capture: Box<[[[i16; 6]; 64]; 12]>,
    /// Quiet moves by the move one or more plies before.
    continuation: Vec<ByPieceTo>,
    /// Evaluation errors by side and pawn structure.
    pawn_correction: Vec<i32>,
    /// Evaluation errors by the last move.
    move_correction: Vec<[[i32; 64]; 12]>,
}

impl Default for Histories {
    fn default() -> Histories {
        Histories {
            quiet: Box::new([[[0; 64]; 64]; 2]),
            capture: Box::new([[[0; 6]; 64]; 12]),
            continuation: vec![[[0; 64]; 12]; 12 * 64],
            pawn_correction: vec![0; 2 * CORRECTION_ENTRIES],
            move_correction: vec![[[0; 64]; 12]; 2],
        }
    }
}

/// What a move captures; a pawn for en passant, and for promotions that capture nothing.
#[inline]
pub fn victim(position: &Position, m: Move) -> PieceType {
    match position.piece_on(m.to()) {
        Some(piece) if m.is_capture() => piece.kind(),
        _ => PieceType::Pawn,
    }
}

impl Histories {
    /// The worth of a quiet move after the `previous` moves (one, two and four plies ago).
    #[inline]
    pub fn quiet(&self, m: Move, previous: &[Option<PieceTo>]) -> i32 {
        let side = m.piece().color();
        let main = self.quiet[side.index()][m.from().index()][m.to().index()] as i32;
        previous
            .iter()
            .flatten()
            .fold(main, |sum, &before| sum + *self.follow_up(before, m) as i32)
    }

    /// The worth of a capture or promotion.
    #[inline]
    pub fn capture(&self, position: &Position, m: Move) -> i32 {
        self.capture[m.piece().index()][m.to().index()][victim(position, m).index()] as i32
    }

    /// Raises (or, with a negative bonus, lowers) the worth of a quiet move.
    pub fn update_quiet(&mut self, m: Move, previous: &[Option<PieceTo>], bonus: i32) {
        let side = m.piece().color();
        nudge(
            &mut self.quiet[side.index()][m.from().index()][m.to().index()],
            bonus,
        );
        for &(piece, square) in previous.iter().flatten() {
            let table = &mut self.continuation[piece.index() * 64 + square.index()];
            nudge(&mut table[m.piece().index()][m.to().index()], bonus);
        }
    }

    /// Raises or lowers the worth of a capture or promotion.
    pub fn update_capture(&mut self, position: &Position, m: Move, bonus: i32) {
        let victim = victim(position, m);
        nudge(
            &mut self.capture[m.piece().index()][m.to().index()][victim.index()],
            bonus,
        );
    }

    /// The evaluation corrected by how wrong it was in positions with the same pawns and after the same move.
    pub fn corrected(&self, position: &Position, last: Option<PieceTo>, evaluation: Score) -> Score {
        let pawns = self.pawn_correction[pawn_index(position)];
        let follow = last.map_or(0, |(piece, to)| {
            self.move_correction[position.side_to_move().index()][piece.index()][to.index()]
        });
        let fifty = 200 - position.halfmove_clock().min(100) as Score;
        // a draw by the fifty-move rule draws near: shrink towards it
        let shrunk = evaluation * fifty / 200;
        (shrunk + (pawns + follow) / CORRECTION_GRAIN).clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
    }

    /// Learns from a search that found `error` centipawns more than the evaluation.
    pub fn learn_error(&mut self, position: &Position, last: Option<PieceTo>, depth: i32, error: Score) {
        let weight = (depth + 1).min(params::CORRECTION_MAX_WEIGHT);
        let approach = |value: &mut i32| {
            let target = error.clamp(-4 * CORRECTION_LIMIT, 4 * CORRECTION_LIMIT) * CORRECTION_GRAIN;
            let moved = (*value * (256 - weight) + target * weight) / 256;
            *value = moved.clamp(
                -CORRECTION_LIMIT * CORRECTION_GRAIN,
                CORRECTION_LIMIT * CORRECTION_GRAIN,
            );
        };
        approach(&mut self.pawn_correction[pawn_index(position)]);
        if let Some((piece, to)) = last {
            let side = position.side_to_move().index();
            approach(&mut self.move_correction[side][piece.index()][to.index()]);
        }
    }

    #[inline]
    fn follow_up(&self, (piece, square): PieceTo, m: Move) -> &i16 {
        &self.continuation[piece.index() * 64 + square.index()][m.piece().index()][m.to().index()]
    }
}

/// Moves a counter by the bonus, the less the nearer it is to its bound, which it never passes.
#[inline]
fn nudge(counter: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    let value = *counter as i32;
    *counter = (value + bonus - value * bonus.abs() / LIMIT) as i16;
}

#[inline]
fn pawn_index(position: &Position) -> usize {
    let side = if position.side_to_move() == Color::White {
        0
    } else {
        CORRECTION_ENTRIES
    };
    side + (position.pawn_key() as usize & (CORRECTION_ENTRIES - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_approach_their_bound_and_come_back() {
        let mut counter = 0;
        for _ in 0..1000 {
            nudge(&mut counter, 2000);
        }
        assert!((15_000..=LIMIT as i16).contains(&counter));
        for _ in 0..1000 {
            nudge(&mut counter, -2000);
        }
        assert!((-LIMIT as i16..=-15_000).contains(&counter));
    }

    #[test]
    fn a_move_that_refutes_is_worth_more_than_one_that_does_not() {
        let position = Position::default();
        let moves = position.legal_moves();
        let mut histories = Histories::default();
        let before = [Some((Piece::BlackPawn, Square::at(4, 4))), None, None];
        histories.update_quiet(moves[0], &before, 500);
        histories.update_quiet(moves[1], &before, -500);
        assert!(histories.quiet(moves[0], &before) > histories.quiet(moves[0], &[None; 3]));
        assert!(histories.quiet(moves[1], &before) < 0);
        assert_eq!(histories.quiet(moves[2], &before), 0);
    }

    #[test]
    fn errors_are_learnt_and_bounded() {
        let position = Position::default();
        let mut histories = Histories::default();
        assert_eq!(histories.corrected(&position, None, 20), 20);
        for _ in 0..500 {
            histories.learn_error(&position, None, 12, 10_000);
        }
        assert_eq!(histories.corrected(&position, None, 20), 20 + CORRECTION_LIMIT);
    }
}
