//! The start of a game in 32 bytes, which the format calls a marlinformat board.
//!
//! | bytes | field |
//! |---|---|
//! | 0–7 | occupied squares, bit 0 = a1 |
//! | 8–23 | 4 bits for each occupied square from a1 on, low half first: `PNBRQK` = 0–5, 6 a rook that may castle; 8 more for Black |
//! | 24 | bits 0–6 the en passant square, 64 for none; bit 7 Black to move |
//! | 25 | plies since the last capture or pawn move |
//! | 26–27 | number of the move; 0 stands for 1 |
//! | 28–29 | a score, which nobody needs: the first ply has its own |
//! | 30 | result: Black won, drawn, White won = 0, 1, 2 |
//! | 31 | unused; 1 marks a result that is not known, in the data of this project |
//!
//! Bytes 0–23 are those of a [`Record`], but for a few of the 4-bit codes.

use super::BrokenGame;
use crate::board::{Color, GameResult, Position, Square};
use crate::data::Record;

/// The length of a start in bytes.
pub const START_BYTES: usize = 32;

/// The square that stands for no en passant capture.
const NO_SQUARE: u8 = 64;
const BLACK_TO_MOVE: u8 = 1 << 7;
const RESULT_UNKNOWN: u8 = 1;

/// What a record has for each code of a square; 7 is nothing for either player.
const RECORD_CODES: [u8; 16] = [0, 1, 2, 3, 4, 5, 12, NOTHING, 6, 7, 8, 9, 10, 11, 13, NOTHING];
const NOTHING: u8 = 16;

/// The code of a square for each that a record has.
const CODES: [u8; 16] = [0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 6, 14, 0, 8];

/// A record's codes of rooks that may castle, White's first.
const CASTLING_ROOK: [u8; 2] = [12, 13];
/// A record's codes of pawns, White's first, and of those that may be captured en passant.
const PAWN: [u8; 2] = [0, 6];
const PASSING_PAWN: [u8; 2] = [14, 15];

/// The position and the result of the game.
///
/// # Errors
/// [`BrokenGame::Start`] where the bytes make no legal position, [`BrokenGame::Result`] where they name no result.
pub fn unpack(bytes: &[u8; START_BYTES]) -> Result<(Position, GameResult), BrokenGame> {
    let result = match (bytes[30], bytes[31]) {
        (_, RESULT_UNKNOWN) => GameResult::Unknown,
        (0, _) => GameResult::BlackWins,
        (1, _) => GameResult::Draw,
        (2, _) => GameResult::WhiteWins,
        _ => return Err(BrokenGame::Result),
    };
    let record = to_record(bytes).ok_or(BrokenGame::Start)?;
    let position = record.position().map_err(|_| BrokenGame::Start)?;
    Ok((position, result))
}

/// The start of a game whose first record this is; its score is that of the first ply.
pub fn pack(first: &Record) -> [u8; START_BYTES] {
    let record = first.to_bytes();
    let mut bytes = record;
    for place in 8..24 {
        let code = |shift: u8| CODES[(record[place] >> shift & 15) as usize] << shift;
        bytes[place] = code(0) | code(4);
    }
    let en_passant = first
        .en_passant()
        .map_or(NO_SQUARE, |square| square.index() as u8);
    bytes[24] = en_passant | (first.side_to_move() as u8 * BLACK_TO_MOVE);
    bytes[25] = record[30];
    bytes[26..28].copy_from_slice(&record[28..30]);
    bytes[28..30].copy_from_slice(&record[24..26]);
    (bytes[30], bytes[31]) = match first.result() {
        GameResult::BlackWins => (0, 0),
        GameResult::Draw => (1, 0),
        GameResult::WhiteWins => (2, 0),
        GameResult::Unknown => (1, RESULT_UNKNOWN),
    };
    bytes
}

/// The start as a record; whether that is a legal position remains to be seen.
fn to_record(bytes: &[u8; START_BYTES]) -> Option<Record> {
    let mut packed = *bytes;
    packed[8..].fill(0);
    packed[28..30].copy_from_slice(&bytes[26..28]);
    packed[30] = bytes[25];
    let mover = Color::ALL[(bytes[24] & BLACK_TO_MOVE != 0) as usize];
    packed[31] = mover as u8;
    let passing = passing_pawn(bytes[24] & !BLACK_TO_MOVE, mover)?;
    let mut passing_found = passing.is_none();
    let occupied = occupied(bytes);
    for (place, square) in occupied.take(32).enumerate() {
        let shift = 4 * (place % 2);
        let mut code = RECORD_CODES[(bytes[8 + place / 2] >> shift & 15) as usize];
        let owner = CASTLING_ROOK.iter().position(|&rook| rook == code);
        if code == NOTHING || owner.is_some_and(|owner| square.rank() != Color::ALL[owner].back_rank()) {
            return None;
        }
        if passing == Some(square) && code == PAWN[(!mover).index()] {
            code = PASSING_PAWN[(!mover).index()];
            passing_found = true;
        }
        packed[8 + place / 2] |= code << shift;
    }
    passing_found.then(|| Record::from_bytes(&packed))
}

/// The square of the pawn that has just passed the en passant square; `None` for a square that no pawn passes.
fn passing_pawn(en_passant: u8, mover: Color) -> Option<Option<Square>> {
    if en_passant == NO_SQUARE {
        return Some(None);
    }
    let (rank, pawn_rank) = [(5, 4), (2, 3)][mover.index()];
    (en_passant / 8 == rank).then(|| Some(Square::at(en_passant % 8, pawn_rank)))
}

fn occupied(bytes: &[u8; START_BYTES]) -> impl Iterator<Item = Square> {
    let bits = u64::from_le_bytes(std::array::from_fn(|i| bytes[i]));
    Square::all().filter(move |square| bits >> square.index() & 1 == 1)
}
