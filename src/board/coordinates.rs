//! Reads moves in UCI notation: origin square, target square, and a letter for promotions.

use super::bitboard::Bitboard;
use super::movegen::{Sink, Wanted, generate, origin};
use super::moves::Move;
use super::position::Position;
use super::types::{Color, PieceType, Square};
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
        let named = Named::find(self, from, to, promoted);
        let found = named.step.or(named.castling);
        found.ok_or_else(|| UciMoveError::Illegal(text.to_string()))
    }

    /// The legal move with these squares and this promotion, if there is one; a castling move's target is its rook.
    #[inline]
    pub fn find_move(&self, from: Square, to: Square, promoted: Option<PieceType>) -> Option<Move> {
        Named::find(self, from, to, promoted).step
    }
}

/// Picks the move that a text names out of the legal moves of the piece on `from`, without listing them.
struct Named {
    from: Square,
    to: Square,
    promoted: Option<PieceType>,
    side: Color,
    enemies: Bitboard,
    /// The move whose squares the text names.
    step: Option<Move>,
    /// The castling move that brings the king to the square that the text names.
    castling: Option<Move>,
}

impl Named {
    fn find(position: &Position, from: Square, to: Square, promoted: Option<PieceType>) -> Named {
        let mut named = Named {
            from,
            to,
            promoted,
            side: position.side_to_move(),
            enemies: position.of_color(!position.side_to_move()),
            step: None,
            castling: None,
        };
        generate(position, Wanted::All, Bitboard::of(from), &mut named);
        named
    }

    fn is_pawn_step(&self, targets: Bitboard, delta: i8) -> bool {
        targets.has(self.to) && origin(self.to, delta) == self.from
    }
}

impl Sink for Named {
    #[inline]
    fn piece(&mut self, kind: PieceType, from: Square, targets: Bitboard) {
        if targets.has(self.to) && self.promoted.is_none() {
            let capture = self.enemies.has(self.to) as u32 * Move::CAPTURE;
            self.step = Some(Move::new(from, self.to, kind.of(self.side), capture));
        }
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, delta: i8, flags: u32) {
        if self.promoted.is_none() && self.is_pawn_step(targets, delta) {
            let pawn = PieceType::Pawn.of(self.side);
            self.step = Some(Move::new(self.from, self.to, pawn, flags));
        }
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, delta: i8, flags: u32) {
        if let Some(kind) = self.promoted
            && self.is_pawn_step(targets, delta)
        {
            let [pawn, promoted] = [PieceType::Pawn, kind].map(|kind| kind.of(self.side));
            self.step = Some(Move::promotion(self.from, self.to, pawn, promoted, flags));
        }
    }

    #[inline]
    fn special(&mut self, kind: PieceType, from: Square, to: Square, flags: u32) {
        let special = Move::new(from, to, kind.of(self.side), flags);
        match self.promoted {
            Some(_) => {}
            None if to == self.to => self.step = Some(special),
            None if special.landing() == self.to => self.castling = Some(special),
            None => {}
        }
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

    /// The same by way of the list of all legal moves.
    fn found_in_the_list(position: &Position, text: &str) -> Option<Move> {
        let (from, to, promoted) = split(text)?;
        let moves = position.legal_moves();
        let candidates = || {
            let kind = |m: &Move| m.promoted().map(|piece| piece.kind());
            moves
                .iter()
                .filter(move |m| m.from() == from && kind(m) == promoted)
        };
        let step = candidates().find(|m| m.to() == to);
        step.or_else(|| candidates().find(|m| m.landing() == to)).copied()
    }

    #[test]
    fn of_all_texts_those_are_moves_that_the_list_of_legal_moves_has() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "1r1n4/k1P4P/8/3pP1p1/4P2P/6K1/8/8 w - d6 0 1",
            "rnbqk1nr/pPpp1ppp/4p3/8/1b1P4/2N5/1PP1PPPP/R1BQKBNR w KQkq - 0 1",
            "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1",
            "1rk3r1/1p6/8/8/8/8/8/1RK3R1 b GBgb - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            for (from, to) in Square::all().flat_map(|from| Square::all().map(move |to| (from, to))) {
                for promoted in ["", "q", "N"] {
                    let text = format!("{from}{to}{promoted}");
                    let expected = found_in_the_list(&position, &text);
                    assert_eq!(position.parse_uci(&text).ok(), expected, "{fen} {text}");
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
