//! The basic types of chess: colours, pieces, squares, castling rights.

use std::fmt;
use std::ops::Not;
use std::str::FromStr;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Color {
    /// Moves first.
    White,
    /// Moves second.
    Black,
}

impl Color {
    /// Converts a score between this player's point of view and White's, in either direction.
    #[inline]
    #[must_use]
    pub const fn for_white(self, score: i32) -> i32 {
        match self {
            Color::White => score,
            Color::Black => -score,
        }
    }

    /// Both players, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// 0 for White, 1 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The rank (0–7) on which this player's pieces start.
    #[inline]
    pub const fn back_rank(self) -> u8 {
        match self {
            Color::White => 0,
            Color::Black => 7,
        }
    }
}

impl Not for Color {
    type Output = Color;

    #[inline]
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

/// A kind of piece, without its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum PieceType {
    /// `p`, the only kind that promotes.
    Pawn,
    /// `n`.
    Knight,
    /// `b`.
    Bishop,
    /// `r`.
    Rook,
    /// `q`.
    Queen,
    /// `k`.
    King,
}

impl PieceType {
    /// Every kind, from pawn to king.
    pub const ALL: [PieceType; 6] = [
        PieceType::Pawn,
        PieceType::Knight,
        PieceType::Bishop,
        PieceType::Rook,
        PieceType::Queen,
        PieceType::King,
    ];

    /// The pieces a pawn may promote to, best first.
    pub const PROMOTIONS: [PieceType; 4] = [
        PieceType::Queen,
        PieceType::Knight,
        PieceType::Rook,
        PieceType::Bishop,
    ];

    /// 0 for a pawn … 5 for a king.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter of this piece in lower case: `p n b r q k`.
    pub const fn letter(self) -> char {
        b"pnbrqk"[self as usize] as char
    }

    /// The piece of this kind and the given colour.
    #[inline]
    pub const fn of(self, color: Color) -> Piece {
        Piece::ALL[self as usize + 6 * color as usize]
    }
}

/// A coloured piece, numbered `PNBRQKpnbrqk` = 0–11 as in the move encoding and the network inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Piece {
    /// `P` = 0.
    WhitePawn,
    /// `N` = 1.
    WhiteKnight,
    /// `B` = 2.
    WhiteBishop,
    /// `R` = 3.
    WhiteRook,
    /// `Q` = 4.
    WhiteQueen,
    /// `K` = 5.
    WhiteKing,
    /// `p` = 6.
    BlackPawn,
    /// `n` = 7.
    BlackKnight,
    /// `b` = 8.
    BlackBishop,
    /// `r` = 9.
    BlackRook,
    /// `q` = 10.
    BlackQueen,
    /// `k` = 11.
    BlackKing,
}

impl Piece {
    /// Every piece in the order of its number.
    pub const ALL: [Piece; 12] = [
        Piece::WhitePawn,
        Piece::WhiteKnight,
        Piece::WhiteBishop,
        Piece::WhiteRook,
        Piece::WhiteQueen,
        Piece::WhiteKing,
        Piece::BlackPawn,
        Piece::BlackKnight,
        Piece::BlackBishop,
        Piece::BlackRook,
        Piece::BlackQueen,
        Piece::BlackKing,
    ];

    /// The kinds in the order of [`Piece::ALL`].
    const KINDS: [PieceType; 12] = {
        let mut kinds = [PieceType::Pawn; 12];
        let mut i = 0;
        while i < 12 {
            kinds[i] = PieceType::ALL[i % 6];
            i += 1;
        }
        kinds
    };

    /// The FEN letters in the order of [`Piece::ALL`].
    pub const LETTERS: &'static [u8; 12] = b"PNBRQKpnbrqk";

    /// 0–11.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The piece's owner.
    #[inline]
    pub const fn color(self) -> Color {
        if (self as u8) < 6 {
            Color::White
        } else {
            Color::Black
        }
    }

    /// The piece without its colour.
    #[inline]
    pub const fn kind(self) -> PieceType {
        // a look-up: dividing by six takes longer
        Self::KINDS[self as usize]
    }

    /// The FEN letter: upper case for White.
    pub const fn letter(self) -> char {
        Self::LETTERS[self as usize] as char
    }

    /// The piece that a FEN letter stands for.
    #[inline]
    pub fn from_letter(letter: char) -> Option<Piece> {
        *OF_LETTER.get(letter as usize)?
    }
}

/// The piece of every ASCII letter, for files of millions of FENs are read.
static OF_LETTER: [Option<Piece>; 128] = {
    let mut table = [None; 128];
    let mut index = 0;
    while index < Piece::ALL.len() {
        table[Piece::LETTERS[index] as usize] = Some(Piece::ALL[index]);
        index += 1;
    }
    table
};

/// A square, a1 = 0, b1 = 1 … h8 = 63.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Square(u8);

impl Square {
    /// The square with this number; the number is taken modulo 64.
    #[inline]
    pub const fn new(index: u8) -> Square {
        Square(index & 63)
    }

    /// The square on a file (0 = a) and a rank (0 = first).
    #[inline]
    pub const fn at(file: u8, rank: u8) -> Square {
        Square((rank << 3 | file) & 63)
    }

    /// 0–63.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// 0 for the a-file … 7 for the h-file.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// 0 for the first rank … 7 for the eighth.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The same file seen from the other side of the board: a1 becomes a8.
    #[inline]
    pub const fn flip_rank(self) -> Square {
        Square(self.0 ^ 56)
    }

    /// The same rank mirrored: a1 becomes h1.
    #[inline]
    pub const fn flip_file(self) -> Square {
        Square(self.0 ^ 7)
    }

    /// All squares from a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> {
        (0..64).map(Square)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The text was not a square such as `e4`.
#[derive(Debug, PartialEq, Eq)]
pub struct NotASquare;

impl FromStr for Square {
    type Err = NotASquare;

    fn from_str(text: &str) -> Result<Square, NotASquare> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Square::at(file - b'a', rank - b'1')),
            _ => Err(NotASquare),
        }
    }
}

/// The wing on which a king castles: towards the h-file or the a-file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Wing {
    /// Towards the h-file.
    King,
    /// Towards the a-file.
    Queen,
}

impl Wing {
    /// Both wings, the king's first.
    pub const ALL: [Wing; 2] = [Wing::King, Wing::Queen];

    /// The king's square after castling.
    #[inline]
    pub const fn king_target(self, color: Color) -> Square {
        match self {
            Wing::King => Square::at(6, color.back_rank()),
            Wing::Queen => Square::at(2, color.back_rank()),
        }
    }

    /// The rook's square after castling.
    #[inline]
    pub const fn rook_target(self, color: Color) -> Square {
        match self {
            Wing::King => Square::at(5, color.back_rank()),
            Wing::Queen => Square::at(3, color.back_rank()),
        }
    }
}

/// The castling rights of both players, one bit each in the order K, Q, k, q.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct CastlingRights(u8);

impl CastlingRights {
    /// No rights.
    pub const NONE: CastlingRights = CastlingRights(0);

    /// The index of one right in the order K, Q, k, q (0–3).
    #[inline]
    pub const fn slot(color: Color, wing: Wing) -> usize {
        color as usize * 2 + wing as usize
    }

    /// The set as a number, K = 1, Q = 2, k = 4, q = 8.
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The set from the number that [`CastlingRights::bits`] gives.
    #[inline]
    pub const fn from_bits(bits: u8) -> CastlingRights {
        CastlingRights(bits & 15)
    }

    /// Whether this right is in the set.
    #[inline]
    pub const fn has(self, color: Color, wing: Wing) -> bool {
        self.0 >> Self::slot(color, wing) & 1 == 1
    }

    /// Whether the player may still castle on either wing.
    #[inline]
    pub const fn any(self, color: Color) -> bool {
        self.0 >> (2 * color as usize) & 3 != 0
    }

    /// The set with this right in it.
    #[inline]
    pub const fn with(self, color: Color, wing: Wing) -> CastlingRights {
        CastlingRights(self.0 | 1 << Self::slot(color, wing))
    }

    /// The set without the rights in `lost`.
    #[inline]
    pub const fn without(self, lost: CastlingRights) -> CastlingRights {
        CastlingRights(self.0 & !lost.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_keep_their_numbers_colours_and_letters() {
        for (index, piece) in Piece::ALL.into_iter().enumerate() {
            assert_eq!(piece.index(), index);
            assert_eq!(piece.kind().of(piece.color()), piece);
            assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
        }
        assert_eq!(Piece::from_letter('x'), None);
    }

    #[test]
    fn squares_read_and_print() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        assert_eq!(Square::at(4, 3).to_string(), "e4");
        assert_eq!("e9".parse::<Square>(), Err(NotASquare));
        assert_eq!("".parse::<Square>(), Err(NotASquare));
    }

    #[test]
    fn castling_rights_are_a_set() {
        let both = CastlingRights::NONE
            .with(Color::White, Wing::Queen)
            .with(Color::Black, Wing::King);
        assert_eq!(both.bits(), 0b0110);
        assert!(both.any(Color::White) && !both.has(Color::White, Wing::King));
        let lost = CastlingRights::NONE.with(Color::White, Wing::Queen);
        assert_eq!(both.without(lost).bits(), 0b0100);
    }
}
