//! Making a move on a position, and the list of what changed on the board.

use super::attacks;
use super::bitboard::Bitboard;
use super::moves::Move;
use super::position::Position;
use super::types::{CastlingRights, Color, Piece, PieceType, Square, Wing};
use super::zobrist;
use arrayvec::ArrayVec;

/// The pieces that a move took off their squares and put on new ones: at most two each (a move of one piece, a
/// capture, a promotion, or king and rook when castling). What keeps a picture of the board follows it by these.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Pieces that left a square.
    pub removed: ArrayVec<(Piece, Square), 2>,
    /// Pieces that arrived on a square.
    pub added: ArrayVec<(Piece, Square), 2>,
}

/// Who is told of the pieces that a move takes off and puts on.
trait Observer {
    fn removed(&mut self, piece: Piece, square: Square);
    fn added(&mut self, piece: Piece, square: Square);
}

impl Observer for Changes {
    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.removed.push((piece, square));
    }

    #[inline]
    fn added(&mut self, piece: Piece, square: Square) {
        self.added.push((piece, square));
    }
}

/// Nobody.
impl Observer for () {
    #[inline]
    fn removed(&mut self, _: Piece, _: Square) {}

    #[inline]
    fn added(&mut self, _: Piece, _: Square) {}
}

impl Position {
    /// The position after a legal move of this one.
    pub fn after(&self, m: Move) -> Position {
        let mut child = *self;
        child.play(m);
        child
    }

    /// Makes a legal move without telling what changed: [`Position::make`] for those who need not know.
    #[inline]
    pub fn play(&mut self, m: Move) {
        self.make_observed(m, &mut ());
    }

    /// Makes a legal move and tells what changed on the board. The move must come from this position's generator.
    #[inline]
    pub fn make(&mut self, m: Move) -> Changes {
        let mut changes = Changes::default();
        self.make_observed(m, &mut changes);
        changes
    }

    #[inline]
    fn make_observed(&mut self, m: Move, observer: &mut impl Observer) {
        let (from, to, piece) = (m.from(), m.to(), m.piece());
        debug_assert_eq!(
            self.piece_on(from),
            Some(piece),
            "{m:?} does not belong to this position"
        );
        self.halfmove = self.halfmove.saturating_add(1);
        self.clear_en_passant();
        self.lose_castling(Bitboard::of(from) | Bitboard::of(to));
        if m.is_castling() {
            self.castle(m, observer);
        } else {
            if m.is_capture() {
                self.capture(m, observer);
            }
            self.lift(piece, from, observer);
            self.drop(m.promoted().unwrap_or(piece), to, observer);
        }
        if piece.kind() == PieceType::Pawn {
            self.halfmove = 0;
        }
        self.end_turn();
        if m.is_double_push() {
            self.set_en_passant(Square::new((from.index() as u8 + to.index() as u8) / 2));
        }
    }

    #[inline]
    fn lift(&mut self, piece: Piece, square: Square, observer: &mut impl Observer) {
        self.remove(piece, square);
        observer.removed(piece, square);
    }

    #[inline]
    fn drop(&mut self, piece: Piece, square: Square, observer: &mut impl Observer) {
        self.put(piece, square);
        observer.added(piece, square);
    }

    /// Passes the turn; the side to move must not be in check.
    pub fn make_null(&mut self) {
        debug_assert!(!self.in_check(), "a null move out of check");
        self.halfmove = self.halfmove.saturating_add(1);
        self.clear_en_passant();
        self.end_turn();
    }

    #[inline]
    fn capture(&mut self, m: Move, observer: &mut impl Observer) {
        let square = if m.is_en_passant() {
            Square::at(m.to().file(), m.from().rank())
        } else {
            m.to()
        };
        if let Some(victim) = self.piece_on(square) {
            self.lift(victim, square, observer);
        }
        self.halfmove = 0;
    }

    fn castle(&mut self, m: Move, observer: &mut impl Observer) {
        let (king, side) = (m.piece(), self.side);
        let rook = PieceType::Rook.of(side);
        let wing = if m.to() > m.from() {
            Wing::King
        } else {
            Wing::Queen
        };
        // both leave before either arrives: in Chess960 one may land where the other stood
        self.lift(king, m.from(), observer);
        self.lift(rook, m.to(), observer);
        self.drop(king, wing.king_target(side), observer);
        self.drop(rook, wing.rook_target(side), observer);
    }

    /// Ends the rights whose king or rook is about to leave, or be taken on, one of the touched squares.
    #[inline]
    fn lose_castling(&mut self, touched: Bitboard) {
        if (touched & self.castling_squares).is_empty() {
            return;
        }
        let rights = std::mem::take(&mut self.castling);
        let rooks = std::mem::replace(&mut self.castling_rooks, Position::NO_ROOKS);
        self.castling_squares = Bitboard::EMPTY;
        for color in Color::ALL {
            for wing in Wing::ALL {
                let rook = rooks[CastlingRights::slot(color, wing)];
                if !rights.has(color, wing) {
                    continue;
                }
                if touched.has(rook) || touched.has(self.king(color)) {
                    self.key ^= zobrist::castling(color, rook);
                } else {
                    self.add_castling(color, wing, rook);
                }
            }
        }
    }

    #[inline]
    fn clear_en_passant(&mut self) {
        if let Some(square) = self.en_passant.take() {
            self.key ^= zobrist::en_passant(square);
        }
    }

    #[inline]
    fn end_turn(&mut self) {
        self.fullmove = self.fullmove.saturating_add(self.side as u16);
        self.side = !self.side;
        self.key ^= zobrist::black_to_move();
        self.find_checks_and_pins();
    }

    /// Notes the square behind a pawn that moved two squares, if a pawn of the side to move may take it.
    #[inline]
    pub(super) fn set_en_passant(&mut self, square: Square) {
        let takers = attacks::pawn(!self.side, square) & self.pieces(self.side, PieceType::Pawn);
        if takers
            .into_iter()
            .any(|from| self.en_passant_is_safe(from, square))
        {
            self.en_passant = Some(square);
            self.key ^= zobrist::en_passant(square);
        }
    }

    /// Whether taking en passant from `from` leaves the own king out of check; both pawns leave their lines at once.
    pub(super) fn en_passant_is_safe(&self, from: Square, to: Square) -> bool {
        let victim = Bitboard::of(Square::at(to.file(), from.rank()));
        let king = self.king(self.side);
        let occupied = (self.occupied() ^ Bitboard::of(from) ^ victim) | Bitboard::of(to);
        let attackers = self.attackers_to(king, occupied) & self.of_color(!self.side);
        (attackers & occupied).is_empty()
    }
}
