//! A position with one piece removed, to measure what that piece contributes to the evaluation.

use super::position::Position;
use super::types::{Color, Piece, Square, Wing};

impl Position {
    /// The position without the piece on a square; `None` if that is not a legal position: a king cannot be removed,
    /// nor a piece that shields the king of the side not to move.
    pub fn without(&self, square: Square) -> Option<Position> {
        // by way of a FEN, so that checks, pins, castling rights and en passant are recomputed
        let fen = self.to_fen(true);
        let fields: Vec<&str> = fen.split(' ').collect();
        let [_, side, _, en_passant, halfmoves, moves] = fields[..] else {
            return None;
        };
        // removing the pawn that can be captured en passant removes the capture too
        let passed = self.en_passant().is_some_and(|passed| {
            passed.file() == square.file() && matches!((passed.rank(), square.rank()), (2, 3) | (5, 4))
        });
        let en_passant = if passed { "-" } else { en_passant };
        let board = board_without(self, square);
        let castling = castling_without(self, square);
        Position::from_fen(&format!(
            "{board} {side} {castling} {en_passant} {halfmoves} {moves}"
        ))
        .ok()
    }
}

fn board_without(position: &Position, removed: Square) -> String {
    let mut text = String::new();
    for rank in (0..8).rev() {
        for file in 0..8 {
            let square = Square::at(file, rank);
            let piece = position.piece_on(square).filter(|_| square != removed);
            text.push(piece.map_or('1', Piece::letter));
        }
        if rank > 0 {
            text.push('/');
        }
    }
    text
}

/// The castling field in Shredder-FEN, without the right of a removed rook.
fn castling_without(position: &Position, removed: Square) -> String {
    let mut text = String::new();
    for color in Color::ALL {
        for wing in Wing::ALL {
            let rook = position.castling_rook(color, wing);
            if position.castling().has(color, wing) && rook != removed {
                let file = (b'a' + rook.file()) as char;
                text.push(match color {
                    Color::White => file.to_ascii_uppercase(),
                    Color::Black => file,
                });
            }
        }
    }
    if text.is_empty() { "-".to_string() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::PieceType;

    #[test]
    fn removing_a_piece_leaves_a_consistent_position() {
        let fen = "1r2k1r1/8/8/8/pP6/8/8/RR2K2R b KQgb b3 0 1";
        let fen = fen.replace("KQgb", "HBgb");
        let position = Position::from_fen(&fen).unwrap();
        for square in position.occupied() {
            let kind = position.piece_on(square).unwrap().kind();
            let Some(less) = position.without(square) else {
                assert_eq!(kind, PieceType::King);
                continue;
            };
            assert_eq!(less.occupied().count() + 1, position.occupied().count());
            assert_eq!(less.key(), less.recomputed_key());
            assert_eq!(less.side_to_move(), position.side_to_move());
        }
        let without_pawn = position.without(Square::at(1, 3)).unwrap();
        assert_eq!(
            (position.en_passant(), without_pawn.en_passant()),
            (Some(Square::at(1, 2)), None)
        );
        let without_rook = position.without(Square::at(1, 0)).unwrap();
        assert!(!without_rook.castling().has(Color::White, Wing::Queen));
        assert!(without_rook.castling().has(Color::White, Wing::King));
    }
}
