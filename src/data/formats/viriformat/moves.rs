//! A ply of a game in four bytes: the move, then the score for White of the position in which it was played.
//!
//! A move is its two squares in six bits each, from first, then the promotion, `NBRQ` = 0–3, in two, then its kind in two:
//! 1 en passant, 2 castling as king takes rook, 3 promotion. A score is centipawns, or near ±32,000 a mate as in a
//! [`Label`].

use crate::board::{Move, PieceType, Position};
use crate::data::Label;

/// The length of a ply in bytes.
pub const PLY_BYTES: usize = 4;

/// What stands behind the last ply.
pub const END: [u8; PLY_BYTES] = [0; PLY_BYTES];

const EN_PASSANT: u16 = 1;
const CASTLING: u16 = 2;
const PROMOTION: u16 = 3;

/// The legal move of a position that these two bytes mean, if there is one.
pub fn unpack_move(bytes: [u8; 2], position: &Position) -> Option<Move> {
    let packed = u16::from_le_bytes(bytes);
    // only a promotion needs the bits of the piece; others may have anything there
    let kept = if packed >> 14 == PROMOTION {
        u16::MAX
    } else {
        !(3 << 12)
    };
    let moves = position.legal_moves();
    moves.into_iter().find(|&m| pack(m) == packed & kept)
}

/// The label of a score. What lies between centipawns and mates is a high score.
pub fn unpack_score(bytes: [u8; 2]) -> Label {
    let number = i16::from_le_bytes(bytes);
    Label::decode(number).unwrap_or(Label::centipawns(number.into()))
}

/// A ply in four bytes.
pub fn pack_ply(played: Move, label: Label) -> [u8; PLY_BYTES] {
    let ([from, to], [low, high]) = (pack(played).to_le_bytes(), label.encode().to_le_bytes());
    [from, to, low, high]
}

fn pack(m: Move) -> u16 {
    let kind = match m.promoted() {
        Some(piece) => (piece.kind() as u16 - PieceType::Knight as u16) | PROMOTION << 2,
        None if m.is_en_passant() => EN_PASSANT << 2,
        None if m.is_castling() => CASTLING << 2,
        None => 0,
    };
    m.from().index() as u16 | (m.to().index() as u16) << 6 | kind << 12
}
