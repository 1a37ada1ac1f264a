//! Static exchange evaluation: the material that a move wins or loses if both sides go on capturing on its target
//! square for as long as it pays, each time with the least valuable piece. Pins are ignored; a king never captures
//! into check.

use super::attacks;
use super::bitboard::Bitboard;
use super::moves::Move;
use super::position::Position;
use super::types::{Color, PieceType, Square};

/// Piece values in centipawns, pawn to king: the 1-3-3-5-9 of the textbooks (Shannon 1950). A king is never
/// exchanged and counts zero.
pub const VALUES: [i32; 6] = [100, 300, 300, 500, 900, 0];

/// The gain of promoting to a queen.
const PROMOTION: i32 = value(PieceType::Queen) - value(PieceType::Pawn);

/// The value of a kind of piece in exchanges, in centipawns.
#[inline]
pub const fn value(kind: PieceType) -> i32 {
    VALUES[kind.index()]
}

impl Position {
    /// Whether a legal move and the exchanges that follow on its target square win at least `threshold`
    /// centipawns (a negative threshold allows a loss).
    pub fn see_at_least(&self, m: Move, threshold: i32) -> bool {
        if m.is_castling() {
            return threshold <= 0;
        }
        let (us, to) = (self.side, m.to());
        let mut victim = value(m.promoted().unwrap_or(m.piece()).kind());
        // the side to capture must win at least this much, or stopping earlier was better for it
        let mut needed = self.immediate_gain(m) - threshold + 1;
        if needed <= 0 {
            return false;
        }
        let promotes = to.rank() == 0 || to.rank() == 7;
        if needed > victim && !promotes {
            return true;
        }
        let mut exchange = Exchange::after(self, m);
        let mut side = !us;
        while needed > 0 {
            let Some(attacker) = exchange.capture(side) else {
                return side != us;
            };
            let mut gain = victim;
            victim = value(attacker);
            if promotes && attacker == PieceType::Pawn {
                gain += PROMOTION;
                victim = value(PieceType::Queen);
            }
            needed = gain - needed + 1;
            side = !side;
        }
        side == us
    }

    /// The value of the captured piece plus the gain of a promotion.
    #[inline]
    fn immediate_gain(&self, m: Move) -> i32 {
        let taken = if m.is_en_passant() {
            value(PieceType::Pawn)
        } else {
            self.piece_on(m.to()).map_or(0, |piece| value(piece.kind()))
        };
        let promotion = m
            .promoted()
            .map_or(0, |piece| value(piece.kind()) - value(PieceType::Pawn));
        taken + promotion
    }
}

/// The pieces that are left to capture on one square.
struct Exchange<'a> {
    position: &'a Position,
    target: Square,
    occupied: Bitboard,
    attackers: Bitboard,
}

impl<'a> Exchange<'a> {
    fn after(position: &'a Position, m: Move) -> Exchange<'a> {
        let target = m.to();
        let mut occupied = (position.occupied() & !Bitboard::of(m.from())) | Bitboard::of(target);
        if m.is_en_passant() {
            occupied &= !Bitboard::of(Square::at(target.file(), m.from().rank()));
        }
        Exchange {
            position,
            target,
            occupied,
            attackers: position.attackers_to(target, occupied) & occupied,
        }
    }

    /// Captures with a player's least valuable attacker and returns its kind; `None` if the player cannot capture.
    #[inline]
    fn capture(&mut self, side: Color) -> Option<PieceType> {
        let own = self.attackers & self.position.of_color(side);
        let kind = PieceType::ALL
            .into_iter()
            .find(|&kind| (own & self.position.of_kind(kind)).any())?;
        if kind == PieceType::King && (self.attackers & self.position.of_color(!side)).any() {
            return None;
        }
        self.occupied ^= Bitboard::of((own & self.position.of_kind(kind)).lowest());
        self.uncover(kind);
        Some(kind)
    }

    /// Adds the sliders behind a piece of this kind that has just captured (x-ray attacks).
    #[inline]
    fn uncover(&mut self, kind: PieceType) {
        let of_kind = |kind| self.position.of_kind(kind);
        let queens = of_kind(PieceType::Queen);
        if matches!(kind, PieceType::Pawn | PieceType::Bishop | PieceType::Queen) {
            let lines = attacks::bishop(self.target, self.occupied);
            self.attackers |= lines & (of_kind(PieceType::Bishop) | queens);
        }
        if matches!(kind, PieceType::Rook | PieceType::Queen) {
            let lines = attacks::rook(self.target, self.occupied);
            self.attackers |= lines & (of_kind(PieceType::Rook) | queens);
        }
        self.attackers &= self.occupied;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::magics::{Slider, splitmix, walk_rays};
    use crate::board::types::Piece;

    type Board = [Option<Piece>; 64];

    fn occupied(board: &Board) -> Bitboard {
        Square::all()
            .filter(|square| board[square.index()].is_some())
            .collect()
    }

    fn attacks_square(board: &Board, from: Square, to: Square) -> bool {
        let Some(piece) = board[from.index()] else {
            return false;
        };
        let steps = (
            (from.file() as i8 - to.file() as i8).abs(),
            to.rank() as i8 - from.rank() as i8,
        );
        let sees = |slider| walk_rays(slider, from, occupied(board)).has(to);
        match piece.kind() {
            PieceType::Pawn => steps == (1, if piece.color() == Color::White { 1 } else { -1 }),
            PieceType::Knight => matches!((steps.0, steps.1.abs()), (1, 2) | (2, 1)),
            PieceType::Bishop => sees(Slider::Bishop),
            PieceType::Rook => sees(Slider::Rook),
            PieceType::Queen => sees(Slider::Bishop) || sees(Slider::Rook),
            PieceType::King => steps.0 <= 1 && steps.1.abs() <= 1 && from != to,
        }
    }

    /// What `side` wins by capturing on `target`, by moving the pieces on a copied board.
    fn best_exchange(board: &Board, target: Square, side: Color) -> i32 {
        let attackers = |side| {
            Square::all()
                .filter(|&from| board[from.index()].is_some_and(|piece| piece.color() == side))
                .filter(|&from| attacks_square(board, from, target))
                .map(|from| (board[from.index()].unwrap().kind(), from))
                .min()
        };
        let Some((kind, from)) = attackers(side) else {
            return 0;
        };
        if kind == PieceType::King && attackers(!side).is_some() {
            return 0;
        }
        let taken = value(board[target.index()].expect("a piece to take").kind());
        let promotes = kind == PieceType::Pawn && matches!(target.rank(), 0 | 7);
        let arriving = if promotes { PieceType::Queen } else { kind };
        let mut next = *board;
        next[from.index()] = None;
        next[target.index()] = Some(arriving.of(side));
        let gain = taken + value(arriving) - value(kind);
        (gain - best_exchange(&next, target, !side)).max(0)
    }

    /// The exchange value of a move by that search.
    fn searched(position: &Position, m: Move) -> i32 {
        if m.is_castling() {
            return 0;
        }
        let material = |position: &Position| -> i32 {
            let worth = |color| -> i32 {
                PieceType::ALL
                    .into_iter()
                    .map(|kind| position.pieces(color, kind).count() as i32 * value(kind))
                    .sum()
            };
            worth(position.side_to_move()) - worth(!position.side_to_move())
        };
        let after = position.after(m);
        let board = std::array::from_fn(|index| after.piece_on(Square::new(index as u8)));
        -material(&after) - material(position) - best_exchange(&board, m.to(), after.side_to_move())
    }

    fn check_all_moves(position: &Position) -> usize {
        let moves = position.legal_moves();
        for &m in &moves {
            let exact = searched(position, m);
            for threshold in [exact - 100, exact - 1, exact, exact + 1, exact + 100, 0, 1] {
                assert_eq!(
                    position.see_at_least(m, threshold),
                    exact >= threshold,
                    "{position} {m:?}: worth {exact}, threshold {threshold}"
                );
            }
        }
        moves.len()
    }

    #[test]
    fn agrees_with_a_search_of_the_exchanges_on_random_games() {
        let mut random = 1;
        let mut compared = 0;
        for _ in 0..60 {
            let mut position = Position::default();
            for _ in 0..120 {
                compared += check_all_moves(&position);
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.make(moves[splitmix(&mut random) as usize % moves.len()]);
            }
        }
        assert!(compared > 50_000, "only {compared} moves compared");
    }

    #[test]
    fn agrees_with_a_search_where_lines_are_crowded() {
        for fen in [
            "3r2k1/3r4/2n1b3/3p4/2P1P3/1B1N4/3R2B1/3QR1K1 w - - 0 1",
            "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1",
            "4r2k/1P1P1P2/8/8/8/8/1p1p1p1K/2B1R3 w - - 0 1",
            "2r1r2k/1P1P1P2/8/8/8/8/1p1p1p1K/2B1R3 b - - 0 1",
            "r3k2r/1b2q3/8/2PpP3/3Q4/8/6B1/R3K2R w KQkq d6 0 1",
        ] {
            assert!(check_all_moves(&Position::from_fen(fen).unwrap()) > 0);
        }
    }

    #[test]
    fn known_exchanges() {
        for (fen, uci, exact) in [
            // an undefended pawn; a defended one
            ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100),
            ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", -400),
            // the pieces behind the rook join in
            ("3r2k1/3r4/8/3p4/8/3R4/3R4/3Q2K1 w - - 0 1", "d3d5", 100),
            // the king captures an undefended piece, but not a defended one
            ("8/8/3k4/3p4/8/3R4/3R4/4K3 w - - 0 1", "d3d5", 100),
            ("8/8/3k4/3p4/8/3R4/8/4K3 w - - 0 1", "d3d5", -400),
            // a quiet move to an attacked square; a promotion that is recaptured
            ("4k3/8/4p3/8/8/8/8/3RK3 w - - 0 1", "d1d5", -500),
            ("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8q", -100),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let m = position
                .legal_moves()
                .into_iter()
                .find(|m| m.to_uci(false) == uci)
                .unwrap();
            assert_eq!(searched(&position, m), exact, "{fen} {uci}");
            assert!(position.see_at_least(m, exact) && !position.see_at_least(m, exact + 1));
        }
    }
}
