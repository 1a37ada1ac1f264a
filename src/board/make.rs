//! Makes a move on a position and lists what changed on the board.

use super::attacks;
use super::bitboard::Bitboard;
use super::moves::Move;
use super::position::Position;
use super::types::{CastlingRights, Color, Piece, PieceType, Square, Wing};
use super::zobrist;
use arrayvec::ArrayVec;

/// The pieces that a move removed from squares and added to squares: at most two each (a plain move, a capture, a
/// promotion, or king and rook when castling). Incremental evaluation is updated from them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Removed pieces and the squares they left.
    pub removed: ArrayVec<(Piece, Square), 2>,
    /// Added pieces and their new squares.
    pub added: ArrayVec<(Piece, Square), 2>,
}

/// Receives the pieces that a move removes and adds.
trait Observer {
    /// Whether anybody will read the position's keys, so that they have to follow the move.
    const KEYS: bool = true;

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

/// Ignores them, for moves whose changes nobody needs.
impl Observer for () {
    #[inline]
    fn removed(&mut self, _: Piece, _: Square) {}

    #[inline]
    fn added(&mut self, _: Piece, _: Square) {}
}

/// Ignores them and the keys, too.
struct Keyless;

impl Observer for Keyless {
    const KEYS: bool = false;

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

    /// The key of the position after a legal move. Most moves are not made for it, so that a table can be asked first.
    #[inline(always)]
    pub fn key_after(&self, m: Move) -> u64 {
        let (from, to, piece) = (m.from(), m.to(), m.piece());
        if m.is_castling() || m.is_en_passant() || m.is_double_push() && self.may_be_taken_in_passing(to) {
            return self.after(m).key;
        }
        let mut key = self.key ^ zobrist::black_to_move() ^ zobrist::piece(piece, from);
        key ^= zobrist::piece(m.promoted().unwrap_or(piece), to);
        if let Some(victim) = self.piece_on(to) {
            key ^= zobrist::piece(victim, to);
        }
        if let Some(square) = self.en_passant {
            key ^= zobrist::en_passant(square);
        }
        let touched = Bitboard::of(from) | Bitboard::of(to);
        if (touched & self.castling_squares).any() {
            key ^= self.key_of_lost_castling(touched);
        }
        key
    }

    /// Whether an enemy pawn stands beside this square, to which a pawn may move two squares.
    #[inline]
    fn may_be_taken_in_passing(&self, to: Square) -> bool {
        let pushed = Bitboard::of(to);
        let beside = (pushed & !Bitboard::FILE_A).rotated(-1) | (pushed & !Bitboard::FILE_H).rotated(1);
        (beside & self.pieces(!self.side, PieceType::Pawn)).any()
    }

    /// Makes a legal move like [`Position::make`], without recording what changed.
    #[inline]
    pub fn play(&mut self, m: Move) {
        self.make_observed(self.side, m, &mut ());
    }

    /// Makes a legal move of `side`, which is to move, and leaves the keys behind: for positions that are only counted.
    #[inline(always)]
    pub(super) fn play_without_keys(&mut self, side: Color, m: Move) {
        self.make_observed(side, m, &mut Keyless);
    }

    /// Makes a legal move and returns what changed on the board. The move must be legal in this position.
    #[inline]
    pub fn make(&mut self, m: Move) -> Changes {
        let mut changes = Changes::default();
        self.make_observed(self.side, m, &mut changes);
        changes
    }

    #[inline(always)]
    fn make_observed<O: Observer>(&mut self, side: Color, m: Move, observer: &mut O) {
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
                self.capture(side, m, observer);
            }
            self.take_from(side, piece, from, observer);
            self.put_on(side, m.promoted().unwrap_or(piece), to, observer);
        }
        if piece.kind() == PieceType::Pawn {
            self.halfmove = 0;
        }
        self.end_turn(side);
        if m.is_double_push() {
            self.set_en_passant(Square::new((from.index() as u8 + to.index() as u8) / 2));
        }
    }

    #[inline]
    fn take_from<O: Observer>(&mut self, color: Color, piece: Piece, square: Square, observer: &mut O) {
        self.lift(color, piece, square);
        if O::KEYS {
            self.toggle_keys(piece, square);
        }
        observer.removed(piece, square);
    }

    #[inline]
    fn put_on<O: Observer>(&mut self, color: Color, piece: Piece, square: Square, observer: &mut O) {
        self.drop(color, piece, square);
        if O::KEYS {
            self.toggle_keys(piece, square);
        }
        observer.added(piece, square);
    }

    /// Makes a null move; the side to move must not be in check.
    pub fn make_null(&mut self) {
        debug_assert!(!self.in_check(), "a null move in check");
        self.halfmove = self.halfmove.saturating_add(1);
        self.clear_en_passant();
        self.end_turn(self.side);
    }

    /// The position with the other side to move, as after a null move; `None` in check.
    pub fn passed(&self) -> Option<Position> {
        (!self.in_check()).then(|| {
            let mut passed = *self;
            passed.make_null();
            passed
        })
    }

    #[inline]
    fn capture(&mut self, side: Color, m: Move, observer: &mut impl Observer) {
        let square = if m.is_en_passant() {
            Square::at(m.to().file(), m.from().rank())
        } else {
            m.to()
        };
        if let Some(victim) = self.piece_on(square) {
            self.take_from(!side, victim, square, observer);
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
        // lift both before dropping either: in Chess960 one may land where the other stood
        self.take_from(side, king, m.from(), observer);
        self.take_from(side, rook, m.to(), observer);
        self.put_on(side, king, wing.king_target(side), observer);
        self.put_on(side, rook, wing.rook_target(side), observer);
    }

    /// Removes the castling rights whose king or rook moves from, or is captured on, one of the touched squares.
    #[inline(always)]
    fn lose_castling(&mut self, touched: Bitboard) {
        if (touched & self.castling_squares).any() {
            self.remove_castling(touched);
        }
    }

    // few moves come here; the others are faster without its code among theirs
    #[inline(never)]
    fn remove_castling(&mut self, touched: Bitboard) {
        self.key ^= self.key_of_lost_castling(touched);
        let rights = std::mem::take(&mut self.castling);
        let rooks = std::mem::replace(&mut self.castling_rooks, Position::NO_ROOKS);
        self.castling_squares = Bitboard::EMPTY;
        for color in Color::ALL {
            for wing in Wing::ALL {
                let rook = rooks[CastlingRights::slot(color, wing)];
                if rights.has(color, wing) && !self.loses_castling(color, rook, touched) {
                    self.add_castling(color, wing, rook);
                }
            }
        }
    }

    /// What the key loses with the castling rights of the kings and rooks on some squares.
    // rare, and kept out of others' code like the function above
    #[inline(never)]
    fn key_of_lost_castling(&self, touched: Bitboard) -> u64 {
        let mut key = 0;
        for color in Color::ALL {
            for wing in Wing::ALL {
                let rook = self.castling_rook(color, wing);
                if self.castling.has(color, wing) && self.loses_castling(color, rook, touched) {
                    key ^= zobrist::castling(color, rook);
                }
            }
        }
        key
    }

    /// Whether a player's right to castle with this rook is lost when these squares are touched.
    #[inline]
    fn loses_castling(&self, color: Color, rook: Square, touched: Bitboard) -> bool {
        touched.has(rook) || touched.has(self.king(color))
    }

    #[inline]
    fn clear_en_passant(&mut self) {
        if let Some(square) = self.en_passant.take() {
            self.key ^= zobrist::en_passant(square);
        }
    }

    #[inline(always)]
    fn end_turn(&mut self, side: Color) {
        self.fullmove = self.fullmove.saturating_add(side as u16);
        self.side = !side;
        self.key ^= zobrist::black_to_move();
        self.find_checks_and_pins(!side);
    }

    /// Sets the en passant square behind a pawn that moved two squares, if capturing that pawn is legal.
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

    /// Whether the capturing side's king is safe after an en passant capture, which opens the lines of both pawns.
    pub(super) fn en_passant_is_safe(&self, from: Square, to: Square) -> bool {
        let victim = Bitboard::of(Square::at(to.file(), from.rank()));
        let king = self.king(self.side);
        let occupied = (self.occupied() ^ Bitboard::of(from) ^ victim) | Bitboard::of(to);
        let attackers = self.attackers_to(king, occupied) & self.of_color(!self.side);
        (attackers & occupied).is_empty()
    }
}
