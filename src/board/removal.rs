//! A position with some of its pieces taken off, to measure what the pieces contribute to the evaluation.

use super::bitboard::Bitboard;
use super::position::Position;
use super::types::{Color, Square, Wing};

impl Position {
    /// The position with only the kings and the pieces on some squares. Only the king of the side to move may be in
    /// check: if a removed piece exposes the other king, the other side is to move instead. `None` if both kings would
    /// be in check.
    pub fn keeping(&self, squares: Bitboard) -> Option<Position> {
        let mut less = Position::empty();
        let kings = Color::ALL.map(|color| Bitboard::of(self.king(color)));
        for square in (squares | kings[0] | kings[1]) & self.occupied() {
            if let Some(piece) = self.piece_on(square) {
                less.put(piece, square);
            }
        }
        for color in Color::ALL {
            for wing in Wing::ALL {
                let rook = self.castling_rook(color, wing);
                if self.castling.has(color, wing) && squares.has(rook) {
                    less.add_castling(color, wing, rook);
                }
            }
        }
        let attacked = |color: Color| less.is_attacked(less.king(color), !color, less.occupied());
        less.side = match (attacked(self.side), attacked(!self.side)) {
            (true, true) => return None,
            (false, true) => !self.side,
            (_, false) => self.side,
        };
        less.halfmove = self.halfmove;
        less.fullmove = self.fullmove;
        less.key = less.recomputed_key();
        less.find_checks_and_pins(less.side);
        if let Some(passed) = self.en_passant
            && less.side == self.side
            && squares.has(pushed_pawn(passed))
        {
            less.set_en_passant(passed);
        }
        Some(less)
    }
}

/// The square of the pawn whose double push passed over this en passant square.
fn pushed_pawn(passed: Square) -> Square {
    Square::at(passed.file(), if passed.rank() == 2 { 3 } else { 4 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn squares(names: &str) -> Bitboard {
        names
            .split_whitespace()
            .map(|name| Bitboard::of(name.parse().unwrap()))
            .fold(Bitboard::EMPTY, |all, square| all | square)
    }

    #[test]
    fn rights_go_with_their_pieces() {
        let fen = "1r2k1r1/8/8/8/pP6/8/8/RR2K2R b HBgb b3 0 1";
        let position = Position::from_fen(fen).unwrap();
        let all = position.occupied();
        assert_eq!(position.keeping(all), Some(position));
        let keeping = |without: &str| position.keeping(all & !squares(without)).unwrap();
        assert_eq!(keeping("b4").en_passant(), None);
        assert_eq!(keeping("a4").en_passant(), None);
        assert_eq!(
            keeping("b1").to_fen(true),
            "1r2k1r1/8/8/8/pP6/8/8/R3K2R b Hgb b3 0 1"
        );
        assert_eq!(
            keeping("a4 b4 a1 b1 h1 b8 g8").to_fen(true),
            "4k3/8/8/8/8/8/8/4K3 b - - 0 1"
        );
    }

    #[test]
    fn a_king_that_is_laid_open_gets_the_move() {
        let position = Position::from_fen("4k3/4n3/8/8/8/8/4R3/4K3 w - - 0 1").unwrap();
        let open = position.keeping(squares("e2")).unwrap();
        assert_eq!(open.to_fen(false), "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1");
        let both = Position::from_fen("r3k3/4n3/8/8/8/N7/4R3/K7 w - - 0 1").unwrap();
        assert_eq!(both.keeping(squares("a8 e2")), None);
    }

    proptest! {
        /// What is left is a position that its FEN describes as well.
        #[test]
        fn what_is_left_can_be_read_from_fen(moves in prop::collection::vec(any::<u16>(), 0..90), kept: u64) {
            let mut position = Position::default();
            for choice in moves {
                let legal = position.legal_moves();
                match legal.get(choice as usize % legal.len().max(1)) {
                    Some(&m) => position.play(m),
                    None => break,
                }
            }
            if let Some(less) = position.keeping(Bitboard(kept)) && less.checkers().count() <= 2 {
                prop_assert_eq!(Position::from_fen(&less.to_fen(true)), Ok(less));
            }
        }
    }
}
