//! Quiet moves that give check, told without making them.

use crate::board::{Bitboard, Move, Position, attacks};
use std::cell::OnceCell;

/// The squares from which each kind of piece of the side to move would attack the enemy king, found when first asked.
#[derive(Default)]
pub struct Checks(OnceCell<[Bitboard; 6]>);

impl Checks {
    /// Whether the moved piece itself will attack the enemy king. It does not stand in its own way: else it would attack
    /// the king already.
    #[inline]
    pub fn has(&self, position: &Position, m: Move) -> bool {
        let squares = self.0.get_or_init(|| {
            let (side, occupied) = (position.side_to_move(), position.occupied());
            let king = position.king(!side);
            let (diagonal, straight) = (attacks::bishop(king, occupied), attacks::rook(king, occupied));
            [
                attacks::pawn(!side, king),
                attacks::knight(king),
                diagonal,
                straight,
                diagonal | straight,
                Bitboard::EMPTY,
            ]
        });
        squares[m.piece().kind().index()].has(m.to())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_that_give_check_are_those_of_the_slow_way() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "4k3/8/8/8/1b6/8/3N4/R3K2R b - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let checks = Checks::default();
            for m in position.legal_moves() {
                let changed = m.is_castling() || m.promoted().is_some() || m.is_en_passant();
                let child = position.after(m);
                let gives_check = child.checkers().has(m.to());
                assert!(changed || checks.has(&position, m) == gives_check, "{fen} {m:?}");
            }
        }
    }
}
