//! Reads moves in UCI notation: origin square, target square, and a letter for promotions.

use super::moves::Move;
use super::position::Position;
use super::types::{PieceType, Square};
use thiserror::Error;

/// Why a text is not a legal move in UCI's notation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UciMoveError {
    /// Not two squares with an optional promotion letter.
    #[error("'{0}' is not a move such as e2e4 or e7e8q")]
    Malformed(String),
    /// A move that the position does not allow.
    #[error("{0} is not a legal move here")]
    Illegal(String),
}

impl Position {
    /// Reads a legal move from a text such as `e2e4` or `e7e8q`. Castling may be given as the king's move to the
    /// g or c file or, as in Chess960, as the king taking its rook. Where a text fits both a king step and castling,
    /// which Chess960 makes possible, it is the king step.
    ///
    /// # Errors
    /// [`UciMoveError`] if the text is not a move, or not a legal one in this position.
    pub fn parse_uci(&self, text: &str) -> Result<Move, UciMoveError> {
        let (from, to, promoted) = split(text).ok_or_else(|| UciMoveError::Malformed(text.to_string()))?;
        let moves = self.legal_moves();
        let candidates = || {
            moves
                .iter()
                .filter(|m| m.from() == from && m.promoted().map(|piece| piece.kind()) == promoted)
        };
        candidates()
            .find(|m| m.to() == to)
            .or_else(|| candidates().find(|m| m.landing() == to))
            .copied()
            .ok_or_else(|| UciMoveError::Illegal(text.to_string()))
    }
}

fn split(text: &str) -> Option<(Square, Square, Option<PieceType>)> {
    let square = |part: Option<&str>| part?.parse().ok();
    let promoted = match text.get(4..)? {
        "" => None,
        letter => Some(
            PieceType::PROMOTIONS
                .into_iter()
                .find(|kind| letter.eq_ignore_ascii_case(kind.letter().encode_utf8(&mut [0; 4])))?,
        ),
    };
    Some((square(text.get(..2))?, square(text.get(2..4))?, promoted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_legal_move_round_trips_in_both_notations() {
        for fen in [
            Position::START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/8/8/8/3Pp3/8/1p5P/R3K2R b KQkq d3 0 1",
            "1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            for m in position.legal_moves() {
                assert_eq!(position.parse_uci(&m.to_uci(true)), Ok(m), "{fen}");
                if !m.is_castling() || !position.needs_chess960() {
                    assert_eq!(position.parse_uci(&m.to_uci(false)), Ok(m), "{fen}");
                }
            }
        }
    }

    #[test]
    fn a_king_step_takes_precedence_over_castling() {
        let position = Position::from_fen("4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1").unwrap();
        assert!(!position.parse_uci("f1g1").unwrap().is_castling());
        assert!(position.parse_uci("f1h1").unwrap().is_castling());
        assert!(position.parse_uci("f1c1").unwrap().is_castling());
    }

    #[test]
    fn malformed_and_illegal_moves_are_refused() {
        let start = Position::default();
        for text in [
            "", "e2", "e2e", "e2e9", "e7e8k", "e7e8qq", "é2e4", "0000", "e2e4 ", "e2éq",
        ] {
            assert_eq!(
                start.parse_uci(text),
                Err(UciMoveError::Malformed(text.to_string())),
                "{text}"
            );
        }
        for text in ["e2e5", "e7e5", "e1g1", "e1h1", "e2e4q"] {
            assert_eq!(
                start.parse_uci(text),
                Err(UciMoveError::Illegal(text.to_string())),
                "{text}"
            );
        }
        let promotion = Position::from_fen("8/P3k3/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        assert!(promotion.parse_uci("a7a8").is_err());
        assert_eq!(promotion.parse_uci("a7a8N").unwrap().to_uci(false), "a7a8n");
    }
}
