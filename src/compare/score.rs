//! Scores as text and in the units of the measures.

use crate::nets::curve::Curve;
use crate::nets::score::{EVALUATION_LIMIT, Score, mate_in, mate_moves, mated_in};
use crate::uci_client::UciScore;

/// A UCI score in the engine's own numbers.
pub fn of_uci(score: UciScore) -> Score {
    match score {
        UciScore::Centipawns(value) => value.clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT),
        UciScore::Mate(moves) => of_mate(moves),
    }
}

/// A mate in so many moves; 0 and less: the side to move is mated. Mates beyond the longest line that a search
/// follows, 64 moves, count as that long.
fn of_mate(moves: i32) -> Score {
    if moves > 0 {
        mate_in(2 * moves.min(64) as usize - 1)
    } else {
        mated_in(2 * moves.max(-64).unsigned_abs() as usize)
    }
}

/// Centipawns, or `#3` and `#-2` for mates in so many moves.
pub fn to_text(score: Score) -> String {
    mate_moves(score).map_or_else(|| score.to_string(), |moves| format!("#{moves}"))
}

/// The score of such a text.
pub fn from_text(text: &str) -> Option<Score> {
    match text.strip_prefix('#') {
        Some(moves) => Some(of_mate(moves.parse().ok()?)),
        None => text
            .parse()
            .ok()
            .filter(|score: &Score| score.abs() <= EVALUATION_LIMIT),
    }
}

/// The score, in centipawns, of a number in the thesis's unit; beyond ±1 it counts as ±1.
pub fn from_thesis_unit(value: f64) -> Score {
    Curve::THESIS.score(value as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nets::curve::thesis_unit;
    use crate::nets::score::is_mate;

    #[test]
    fn texts_come_back() {
        for score in [0, -17, 20_000, mate_in(1), mate_in(7), mated_in(0), mated_in(4)] {
            assert_eq!(from_text(&to_text(score)), Some(score));
        }
        assert_eq!(to_text(mate_in(5)), "#3");
        assert_eq!(
            (from_text("#-2"), from_text("#0")),
            (Some(mated_in(4)), Some(mated_in(0)))
        );
        for wrong in ["", "#", "x", "1.5", "20001", "#x"] {
            assert_eq!(from_text(wrong), None, "{wrong}");
        }
        assert!(is_mate(of_mate(10_000)) && is_mate(of_mate(i32::MIN + 1)));
    }

    #[test]
    fn the_unit_of_the_thesis_is_ten_pawns() {
        assert_eq!(thesis_unit(250), 0.25);
        assert_eq!((thesis_unit(1_500), thesis_unit(mated_in(4))), (1.0, -1.0));
        assert_eq!((from_thesis_unit(-0.287), from_thesis_unit(9.898)), (-287, 1_000));
        assert_eq!(of_uci(UciScore::Centipawns(90_000)), EVALUATION_LIMIT);
        assert_eq!(of_uci(UciScore::Mate(-1)), mated_in(2));
    }
}
