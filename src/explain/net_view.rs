//! How a network sees the pieces before and after a move: its opinion, not a fact of the board.

use super::contributions::{Changes, Effort, Evaluate, PieceChange};
use super::plain;
use crate::board::{Color, Move, Piece, Position, Square};
use crate::nets::Score;
use serde::Serialize;

/// The network's evaluation before and after a move, divided among the pieces. Scores are centipawns for White.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NetView {
    /// Before the move.
    pub before: Total,
    /// After it.
    pub after: Total,
    /// Every piece but the kings, the one whose contribution changed most first. The contributions before the move add up
    /// to that evaluation less that of the kings alone, and so do those after it.
    pub pieces: Vec<PieceView>,
}

/// An evaluation as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Total {
    /// Of the position.
    pub score: Score,
    /// Of the kings alone.
    pub kings: Score,
}

/// A piece and what it contributes to the evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PieceView {
    /// The piece before the move, a capital letter for White's.
    #[serde(serialize_with = "plain::piece")]
    pub piece: Piece,
    /// Where it stood.
    #[serde(serialize_with = "plain::square")]
    pub from: Square,
    /// Where it stands after the move; none if it was taken.
    #[serde(serialize_with = "plain::optional_square")]
    pub to: Option<Square>,
    /// Its contribution before the move.
    pub before: f64,
    /// Its contribution after the move; 0 if it was taken.
    pub after: f64,
    /// The standard error of the difference.
    pub error: f64,
}

impl NetView {
    /// What a network sees in a legal move.
    pub fn of(position: &Position, m: Move, effort: Effort, evaluate: &mut Evaluate) -> NetView {
        let changes = Changes::of(position, m, effort, evaluate);
        let mut pieces: Vec<PieceView> = changes.pieces.iter().map(PieceView::of).collect();
        pieces.sort_by(|a, b| b.change().abs().total_cmp(&a.change().abs()));
        let [before, after] = [&changes.before, &changes.after].map(|parts| Total {
            score: parts.score,
            kings: parts.kings,
        });
        NetView {
            before,
            after,
            pieces,
        }
    }
}

impl PieceView {
    fn of(change: &PieceChange) -> PieceView {
        PieceView {
            piece: change.piece,
            from: change.from,
            to: change.now.map(|(_, square)| square),
            before: change.before,
            after: change.after,
            error: change.error,
        }
    }

    /// How its contribution changed, for White.
    pub fn change(&self) -> f64 {
        self.after - self.before
    }

    /// How much better it became for its owner.
    pub fn gain(&self) -> f64 {
        match self.piece.color() {
            Color::White => self.change(),
            Color::Black => -self.change(),
        }
    }

    /// Whether the difference is more than chance: at least three standard errors.
    pub fn is_certain(&self) -> bool {
        self.change().abs() >= 3.0 * self.error
    }
}
