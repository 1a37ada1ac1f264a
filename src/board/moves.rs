//! A move in 24 bits, in the layout of the thesis (§6.2.2), and lists of moves.

use super::types::{Color, Piece, PieceType, Square};
use arrayvec::ArrayVec;
use std::fmt;

/// The capacity of a move list. A reachable position has at most 218 legal moves (Petrović 1964); a FEN may describe
/// an unreachable one with more.
pub const MAX_MOVES: usize = 256;

/// The legal moves of one position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// A move: from (bits 0–5), to (6–11), moved piece (12–15), promoted piece (16–19), capture (20),
/// double push (21), en passant (22), castling (23).
///
/// The target of a castling move is the square of the rook, in standard chess as in Chess960.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u32);

/// The promotion field of a move that does not promote.
const NO_PROMOTION: u32 = 15;

impl Move {
    /// Bit 20.
    pub const CAPTURE: u32 = 1 << 20;
    /// Bit 21.
    pub const DOUBLE_PUSH: u32 = 1 << 21;
    /// Bit 22; an en passant move is also a capture.
    pub const EN_PASSANT: u32 = 1 << 22;
    /// Bit 23.
    pub const CASTLING: u32 = 1 << 23;

    /// A move that does not promote, with the given flag bits.
    #[inline]
    pub const fn new(from: Square, to: Square, piece: Piece, flags: u32) -> Move {
        Move(
            from.index() as u32
                | (to.index() as u32) << 6
                | (piece.index() as u32) << 12
                | NO_PROMOTION << 16
                | flags,
        )
    }

    /// A pawn move that promotes to `promoted`.
    #[inline]
    pub const fn promotion(from: Square, to: Square, pawn: Piece, promoted: Piece, flags: u32) -> Move {
        let plain = Move::new(from, to, pawn, flags).0;
        Move(plain & !(15 << 16) | (promoted.index() as u32) << 16)
    }

    /// The origin square.
    #[inline]
    pub const fn from(self) -> Square {
        Square::new((self.0 & 63) as u8)
    }

    /// The target square; the rook's square when castling.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.0 >> 6 & 63) as u8)
    }

    /// The moving piece.
    #[inline]
    pub const fn piece(self) -> Piece {
        Piece::ALL[(self.0 >> 12 & 15) as usize]
    }

    /// The player who moves.
    #[inline]
    pub const fn color(self) -> Color {
        if self.piece_target() < 6 * 64 {
            Color::White
        } else {
            Color::Black
        }
    }

    /// The moved piece's number times 64 plus that of the target square, below 12 · 64: what histories are kept by.
    #[inline]
    pub const fn piece_target(self) -> usize {
        (self.0 >> 6 & 1023) as usize
    }

    /// The piece that a pawn promotes to.
    #[inline]
    pub const fn promoted(self) -> Option<Piece> {
        match self.0 >> 16 & 15 {
            NO_PROMOTION => None,
            index => Some(Piece::ALL[index as usize]),
        }
    }

    /// Whether the move captures, en passant included.
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.0 & Self::CAPTURE != 0
    }

    /// Whether a pawn moves two squares.
    #[inline]
    pub const fn is_double_push(self) -> bool {
        self.0 & Self::DOUBLE_PUSH != 0
    }

    /// Whether a pawn captures en passant.
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.0 & Self::EN_PASSANT != 0
    }

    /// Whether the move castles.
    #[inline]
    pub const fn is_castling(self) -> bool {
        self.0 & Self::CASTLING != 0
    }

    /// Whether the move neither captures nor promotes.
    #[inline]
    pub const fn is_quiet(self) -> bool {
        !self.is_capture() && self.promoted().is_none()
    }

    /// The 24 bits.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The move from the 24 bits that [`Move::bits`] gives; `None` if a piece field is out of range.
    #[inline]
    pub const fn from_bits(bits: u32) -> Option<Move> {
        let (piece, promoted) = (bits >> 12 & 15, bits >> 16 & 15);
        if bits >> 24 == 0 && piece < 12 && (promoted < 12 || promoted == NO_PROMOTION) {
            Some(Move(bits))
        } else {
            None
        }
    }

    /// The king's final square when castling (on the g or c file), else the target square.
    #[inline]
    pub const fn landing(self) -> Square {
        if self.is_castling() {
            let file = if self.to().index() > self.from().index() {
                6
            } else {
                2
            };
            Square::at(file, self.from().rank())
        } else {
            self.to()
        }
    }

    /// The move in UCI notation: castling as the king's move to the g or c file, or in Chess960 as king takes rook.
    pub fn to_uci(self, chess960: bool) -> String {
        let to = if chess960 { self.to() } else { self.landing() };
        match self.promoted().map(Piece::kind) {
            Some(kind) => format!("{}{}{}", self.from(), to, PieceType::letter(kind)),
            None => format!("{}{}", self.from(), to),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.to_uci(true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_lie_where_the_thesis_puts_them() {
        let (e7, d8) = (Square::at(4, 6), Square::at(3, 7));
        let m = Move::promotion(e7, d8, Piece::WhitePawn, Piece::WhiteKnight, Move::CAPTURE);
        assert_eq!(m.bits(), 52 | 59 << 6 | 1 << 16 | 1 << 20);
        assert_eq!((m.from(), m.to(), m.piece()), (e7, d8, Piece::WhitePawn));
        assert_eq!(m.promoted(), Some(Piece::WhiteKnight));
        assert!(m.is_capture() && !m.is_castling() && !m.is_quiet());
        assert_eq!(m.to_uci(false), "e7d8n");
        let quiet = Move::new(e7, d8, Piece::BlackKing, 0);
        assert_eq!(quiet.bits() >> 12, 11 | 15 << 4);
        assert!(quiet.is_quiet());
    }

    #[test]
    fn castling_prints_in_both_notations() {
        let (e8, a8) = (Square::at(4, 7), Square::at(0, 7));
        let m = Move::new(e8, a8, Piece::BlackKing, Move::CASTLING);
        assert_eq!(m.bits() >> 23, 1);
        assert_eq!(m.to_uci(false), "e8c8");
        assert_eq!(m.to_uci(true), "e8a8");
    }

    #[test]
    fn bits_that_encode_no_move_are_refused() {
        assert!(Move::from_bits(12 << 12).is_none());
        assert!(Move::from_bits(12 << 16).is_none());
        assert!(Move::from_bits(1 << 24).is_none());
        let m = Move::new(Square::at(0, 0), Square::at(0, 1), Piece::WhiteRook, 0);
        assert_eq!(Move::from_bits(m.bits()), Some(m));
    }
}
