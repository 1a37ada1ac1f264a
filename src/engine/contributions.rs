//! What each piece contributes to the static evaluation.

use crate::board::{Piece, PieceType, Position, Square};
use crate::nets::Score;

/// A piece on the board and its contribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contribution {
    /// Its square.
    pub square: Square,
    /// The piece.
    pub piece: Piece,
    /// The score with the piece minus the score without it, in centipawns for White; `None` if the piece cannot be
    /// removed (see [`Position::without`]).
    pub score: Option<Score>,
}

/// The static evaluation of a position, piece by piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contributions {
    /// In centipawns for White.
    pub score: Score,
    /// Every piece, kings included, from a1 to h8.
    pub pieces: Vec<Contribution>,
}

impl Contributions {
    /// Scores the position, and the position without each piece. `evaluate` returns the scores of several positions,
    /// each for its side to move.
    pub fn of(position: &Position, evaluate: &mut dyn FnMut(&[Position]) -> Vec<Score>) -> Contributions {
        let pieces: Vec<(Square, Piece)> = position
            .occupied()
            .into_iter()
            .filter_map(|square| Some((square, position.piece_on(square)?)))
            .collect();
        let without: Vec<Option<Position>> = pieces
            .iter()
            .map(|&(square, piece)| {
                position
                    .without(square)
                    .filter(|_| piece.kind() != PieceType::King)
            })
            .collect();
        let positions: Vec<Position> = std::iter::once(*position)
            .chain(without.iter().flatten().copied())
            .collect();
        let mut scores = evaluate(&positions)
            .into_iter()
            .map(|score| position.side_to_move().for_white(score));
        let score = scores.next().unwrap_or_default();
        let pieces = pieces
            .into_iter()
            .zip(&without)
            .map(|((square, piece), without)| Contribution {
                square,
                piece,
                score: without.map(|_| score - scores.next().unwrap_or_default()),
            });
        Contributions {
            score,
            pieces: pieces.collect(),
        }
    }
}
