//! A labelled position packed into 32 bytes, and what stands in them.

use super::label::Label;
use super::origin::Origin;
use crate::board::{
    Bitboard, CastlingRights, Color, GameResult, Move, Piece, PieceType, Position, Square, Wing,
};
use crate::support::mix::mix;

/// The length of a record in bytes.
pub const RECORD_BYTES: usize = 32;

/// The piece that each 4-bit code stands for.
const PIECES: [Piece; 16] = {
    let mut pieces = [Piece::WhiteRook; 16];
    let mut code = 0;
    while code < Piece::ALL.len() {
        pieces[code] = Piece::ALL[code];
        code += 1;
    }
    [pieces[13], pieces[14], pieces[15]] = [Piece::BlackRook, Piece::WhitePawn, Piece::BlackPawn];
    pieces
};

/// The codes of rooks that may castle, White's first.
pub(super) const CASTLING_ROOK: [u8; 2] = [12, 13];
/// The codes of pawns that may be captured en passant, White's first.
const PASSING_PAWN: [u8; 2] = [14, 15];

/// What the move field holds where no move is known.
pub(super) const NO_MOVE: u16 = 0;

pub(super) const BLACK_TO_MOVE: u8 = 1;
pub(super) const IN_CHECK: u8 = 1 << 1;
const GROUP_START: u8 = 1 << 2;
const RESULT_SHIFT: u8 = 3;
pub(super) const ORIGIN_SHIFT: u8 = 5;

/// A labelled position, packed; see the [module](super) for the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    pub(super) occupied: u64,
    pub(super) codes: [u8; 16],
    pub(super) score: i16,
    pub(super) best: u16,
    pub(super) fullmove: u16,
    pub(super) halfmove: u8,
    pub(super) state: u8,
}

impl Record {
    /// Packs a position, without label, move, result or group.
    pub fn new(position: &Position) -> Record {
        let mut record = Record {
            occupied: position.occupied().0,
            codes: [0; 16],
            score: Label::NONE,
            best: NO_MOVE,
            fullmove: position.fullmove_number(),
            halfmove: position.halfmove_clock(),
            state: (position.side_to_move() as u8 * BLACK_TO_MOVE) | (position.in_check() as u8 * IN_CHECK),
        };
        let passing = passing_pawn(position);
        for (place, square) in position.occupied().into_iter().enumerate() {
            let piece = position.piece_on(square).map_or(0, |piece| piece as u8);
            let code = if Some(square) == passing {
                PASSING_PAWN[(!position.side_to_move()).index()]
            } else {
                piece
            };
            record.codes[place / 2] |= code << (4 * (place % 2));
        }
        for color in Color::ALL {
            for wing in Wing::ALL {
                if position.castling().has(color, wing) {
                    record.set_code(position.castling_rook(color, wing), CASTLING_ROOK[color.index()]);
                }
            }
        }
        record
    }

    /// The record with this label.
    #[must_use]
    pub fn with_label(mut self, label: Label) -> Record {
        self.score = label.encode();
        self
    }

    /// The bare position: neither label nor best move.
    #[must_use]
    pub fn without_label(self) -> Record {
        Record {
            score: Label::NONE,
            best: NO_MOVE,
            ..self
        }
    }

    /// The record with this best move.
    #[must_use]
    pub fn with_best(mut self, best: Move) -> Record {
        let promotion = best.promoted().map_or(0, |piece| piece.kind() as u16);
        self.best = best.from().index() as u16 | (best.to().index() as u16) << 6 | promotion << 12;
        self
    }

    /// The record with this result.
    #[must_use]
    pub fn with_result(mut self, result: GameResult) -> Record {
        self.state = self.state & !(3 << RESULT_SHIFT) | (result as u8) << RESULT_SHIFT;
        self
    }

    /// The record with this origin.
    #[must_use]
    pub fn with_origin(mut self, origin: Origin) -> Record {
        self.state = self.state & !(7 << ORIGIN_SHIFT) | (origin as u8) << ORIGIN_SHIFT;
        self
    }

    /// The record marked, or not, as the first of its group: a game, or the positions that grew from one start.
    #[must_use]
    pub fn with_group_start(mut self, start: bool) -> Record {
        let bit = if start { GROUP_START } else { 0 };
        self.state = self.state & !GROUP_START | bit;
        self
    }

    /// The pieces and their squares, from a1 on.
    #[inline]
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> + '_ {
        let codes = (0..32).map(|place| self.codes[place / 2] >> (4 * (place % 2)) & 15);
        Bitboard(self.occupied)
            .into_iter()
            .zip(codes)
            .map(|(square, code)| (PIECES[code as usize], square))
    }

    /// How many pieces stand on the board, kings and pawns included.
    #[inline]
    pub fn piece_count(&self) -> u32 {
        self.occupied.count_ones()
    }

    /// Who is to move.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        Color::ALL[(self.state & BLACK_TO_MOVE) as usize]
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.state & IN_CHECK != 0
    }

    /// The castling moves that are still open.
    pub fn castling(&self) -> CastlingRights {
        let mut rights = CastlingRights::NONE;
        for (square, code) in self.coded_squares() {
            if let Some(color) = CASTLING_ROOK.iter().position(|&rook| rook == code) {
                let color = Color::ALL[color];
                let king = PieceType::King.of(color);
                let right_of_king = self.pieces().any(|(piece, at)| piece == king && at < square);
                rights = rights.with(color, if right_of_king { Wing::King } else { Wing::Queen });
            }
        }
        rights
    }

    /// The square behind a pawn that may be captured en passant.
    pub fn en_passant(&self) -> Option<Square> {
        self.coded_squares().find_map(|(square, code)| {
            let rank = [2, 5];
            let color = PASSING_PAWN.iter().position(|&pawn| pawn == code)?;
            Some(Square::at(square.file(), rank[color]))
        })
    }

    /// The label, if the position has one.
    pub fn label(&self) -> Option<Label> {
        Label::decode(self.score)
    }

    /// The score for White in centipawns, mates near ±32,000 (see [`Label`]); `None` without a label.
    #[inline]
    pub fn score(&self) -> Option<i16> {
        (self.score != Label::NONE).then_some(self.score)
    }

    /// The best move, if one is known.
    pub fn best(&self) -> Option<Move> {
        if self.best == NO_MOVE {
            return None;
        }
        let square = |shift: u16| Square::new((self.best >> shift & 63) as u8);
        let (from, to) = (square(0), square(6));
        let piece = self.piece_on(from)?;
        let target = self.piece_on(to);
        let castling = target == Some(PieceType::Rook.of(piece.color())) && piece.kind() == PieceType::King;
        let pawn = piece.kind() == PieceType::Pawn;
        let en_passant = pawn && target.is_none() && from.file() != to.file();
        let double = pawn && from.rank().abs_diff(to.rank()) == 2;
        let flags = [
            (target.is_some() && !castling || en_passant, Move::CAPTURE),
            (double, Move::DOUBLE_PUSH),
            (en_passant, Move::EN_PASSANT),
            (castling, Move::CASTLING),
        ];
        let flags = flags
            .iter()
            .filter(|flag| flag.0)
            .fold(0, |bits, flag| bits | flag.1);
        Some(match self.best >> 12 & 7 {
            0 => Move::new(from, to, piece, flags),
            kind @ 1..=4 => {
                let promoted = PieceType::ALL[kind as usize].of(piece.color());
                Move::promotion(from, to, piece, promoted, flags)
            }
            _ => return None,
        })
    }

    /// How the game ended.
    pub fn result(&self) -> GameResult {
        GameResult::ALL[(self.state >> RESULT_SHIFT & 3) as usize]
    }

    /// Where the position comes from.
    pub fn origin(&self) -> Origin {
        Origin::ALL[(self.state >> ORIGIN_SHIFT & 3) as usize]
    }

    /// Whether the position is the first of its group.
    #[inline]
    pub fn starts_group(&self) -> bool {
        self.state & GROUP_START != 0
    }

    /// A 64-bit hash of the position: pieces, side to move, castling, en passant; not the clocks. Unlike the Zobrist
    /// key it is part of the format, so that the same data is always split in the same way.
    pub fn hash(&self) -> u64 {
        let word = |at: usize| {
            let bytes = std::array::from_fn(|i| self.codes[at + i]);
            u64::from_le_bytes(bytes)
        };
        let side = (self.state & BLACK_TO_MOVE) as u64;
        [self.occupied, word(0), word(8)]
            .into_iter()
            .fold(mix(side), |hash, word| mix(hash ^ word))
    }

    /// The 32 bytes.
    pub fn to_bytes(&self) -> [u8; RECORD_BYTES] {
        let mut bytes = [0; RECORD_BYTES];
        bytes[..8].copy_from_slice(&self.occupied.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.codes);
        bytes[24..26].copy_from_slice(&self.score.to_le_bytes());
        bytes[26..28].copy_from_slice(&self.best.to_le_bytes());
        bytes[28..30].copy_from_slice(&self.fullmove.to_le_bytes());
        bytes[30] = self.halfmove;
        bytes[31] = self.state;
        bytes
    }

    /// The record in 32 bytes; [`Record::check`] tells whether it makes sense.
    pub fn from_bytes(bytes: &[u8; RECORD_BYTES]) -> Record {
        let pair = |at: usize| [bytes[at], bytes[at + 1]];
        Record {
            occupied: u64::from_le_bytes(std::array::from_fn(|i| bytes[i])),
            codes: std::array::from_fn(|i| bytes[8 + i]),
            score: i16::from_le_bytes(pair(24)),
            best: u16::from_le_bytes(pair(26)),
            fullmove: u16::from_le_bytes(pair(28)),
            halfmove: bytes[30],
            state: bytes[31],
        }
    }

    /// What stands on a square.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        let place = self.place(square)?;
        Some(PIECES[(self.codes[place / 2] >> (4 * (place % 2)) & 15) as usize])
    }

    /// Where the code of an occupied square is kept; `None` for an empty one.
    fn place(&self, square: Square) -> Option<usize> {
        let bit = 1u64 << square.index();
        let place = (self.occupied & (bit - 1)).count_ones() as usize;
        (self.occupied & bit != 0 && place < 32).then_some(place)
    }

    pub(super) fn set_code(&mut self, square: Square, code: u8) {
        if let Some(place) = self.place(square) {
            let shift = 4 * (place % 2);
            let byte = &mut self.codes[place / 2];
            *byte = *byte & !(15 << shift) | code << shift;
        }
    }

    pub(super) fn coded_squares(&self) -> impl Iterator<Item = (Square, u8)> + '_ {
        let codes = (0..32).map(|place| self.codes[place / 2] >> (4 * (place % 2)) & 15);
        Bitboard(self.occupied).into_iter().zip(codes)
    }
}

/// The pawn that may be captured en passant.
fn passing_pawn(position: &Position) -> Option<Square> {
    let rank = [4, 3][position.side_to_move().index()];
    position
        .en_passant()
        .map(|behind| Square::at(behind.file(), rank))
}
