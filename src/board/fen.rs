//! Reads and writes FEN, with the castling fields of X-FEN and Shredder-FEN.

use super::attacks;
use super::bitboard::Bitboard;
use super::position::Position;
use super::types::{Color, Piece, PieceType, Square, Wing};
use arrayvec::ArrayVec;
use std::fmt;
use thiserror::Error;

/// Why a text is not the FEN of a legal position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FenError {
    /// Not four to six fields.
    #[error("a FEN has four to six fields separated by spaces, this one has {0}")]
    Fields(usize),
    /// Not eight ranks.
    #[error("the board has {0} ranks instead of 8")]
    Ranks(usize),
    /// A rank of more or fewer than eight squares.
    #[error("rank {rank} describes {squares} squares instead of 8")]
    RankLength {
        /// 1–8.
        rank: u8,
        /// How many squares its letters and digits cover.
        squares: u32,
    },
    /// A character that stands for neither a piece nor empty squares.
    #[error("'{0}' is not a piece or a number of empty squares")]
    Letter(char),
    /// A player without exactly one king.
    #[error("{0:?} has {1} kings instead of 1")]
    Kings(Color, u32),
    /// More than sixteen pieces of one colour.
    #[error("{0:?} has {1} pieces, more than 16")]
    TooMany(Color, u32),
    /// More promoted pieces than missing pawns.
    #[error("{0:?} has more promoted pieces than missing pawns")]
    Promoted(Color),
    /// A pawn on the first or last rank.
    #[error("there is a pawn on {0}, on the first or last rank")]
    PawnRank(Square),
    /// Neither `w` nor `b`.
    #[error("the side to move is '{0}' instead of 'w' or 'b'")]
    Side(String),
    /// A castling field that cannot be read or does not match the kings and rooks.
    #[error("castling '{0}' does not fit the kings and rooks on the board")]
    Castling(String),
    /// An en passant square that no double push can have crossed.
    #[error("'{0}' is not a square that a pawn has just passed")]
    EnPassant(String),
    /// A clock or move number that is not a number.
    #[error("'{0}' is not a move count")]
    Count(String),
    /// The side not to move is in check.
    #[error("the side that is not to move is in check")]
    OpponentInCheck,
    /// More than two pieces give check, which no move can cause.
    #[error("{0} pieces give check at once, more than 2")]
    Checkers(u32),
}

/// A field that says nothing.
const NOTHING: &str = "-";
/// Fields that a FEN must have; clock and move number may be missing.
const LEAST_FIELDS: usize = 4;

impl Position {
    /// The FEN of the start of a game.
    pub const START_FEN: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// Reads a FEN of four to six fields; missing counts are 0 and 1. The castling field may be standard, X-FEN or
    /// Shredder-FEN. An en passant square is kept only if the capture is legal.
    ///
    /// # Errors
    /// [`FenError`] if the text does not describe a legal position.
    pub fn from_fen(fen: &str) -> Result<Position, FenError> {
        let (position, ignored) = Position::read_fen(fen, LEAST_FIELDS)?;
        match ignored.into_iter().next() {
            Some(fault) => Err(fault),
            None => Ok(position),
        }
    }

    /// Like [`Position::from_fen`] for positions set up by hand. Castling rights and an en passant square that do not fit
    /// the board are left out; so are clocks and move numbers that are written as `-`, and only the board and the side to
    /// move must be there. More pawns and promoted pieces, or more checks at once, than a game can bring about are
    /// accepted, for composers use them. Each of these faults is returned beside the position.
    ///
    /// # Errors
    /// [`FenError`] for every other fault.
    pub fn from_lenient_fen(fen: &str) -> Result<(Position, Vec<FenError>), FenError> {
        // if anything is wrong with so short a text, it was hardly meant as a FEN
        Position::read_fen(fen, 2).map_err(|error| match fen.split_whitespace().count() {
            fields if fields < LEAST_FIELDS => FenError::Fields(fields),
            _ => error,
        })
    }

    /// Reads a FEN of at least so many fields; the faults that can be passed over are beside the position.
    fn read_fen(fen: &str, least: usize) -> Result<(Position, Vec<FenError>), FenError> {
        let fields = split_fields(fen, least)?;
        let mut position = Position::empty();
        read_board(&mut position, fields[0])?;
        position.side = match fields[1] {
            "w" => Color::White,
            "b" => Color::Black,
            other => return Err(FenError::Side(other.to_string())),
        };
        check_pieces(&position)?;
        let mut faults: Vec<FenError> = Color::ALL
            .into_iter()
            .filter(|&color| has_too_many_promoted(&position, color))
            .map(FenError::Promoted)
            .collect();
        if fields.len() < LEAST_FIELDS {
            faults.push(FenError::Fields(fields.len()));
        }
        let castling = read_castling(&mut position, fields.get(2).unwrap_or(&NOTHING));
        let mut counts = [None; 2];
        for (count, field) in counts.iter_mut().zip(fields.iter().skip(LEAST_FIELDS)) {
            match *field == NOTHING {
                true => faults.push(FenError::Count(NOTHING.to_string())),
                false => *count = Some(read_count(field)?),
            }
        }
        position.halfmove = counts[0].unwrap_or(0).min(u8::MAX as u32) as u8;
        position.fullmove = counts[1].unwrap_or(1).clamp(1, u16::MAX as u32) as u16;
        // the pieces are in the key since they were put on the board
        position.key ^= position.key_of_rights();
        position.find_checks_and_pins(position.side);
        let en_passant = read_en_passant(&mut position, fields.get(3).unwrap_or(&NOTHING));
        let opponent = position.king(!position.side);
        if position.is_attacked(opponent, position.side, position.occupied()) {
            return Err(FenError::OpponentInCheck);
        }
        let checkers = position.checkers.count();
        let checkers = (checkers > 2).then_some(FenError::Checkers(checkers));
        faults.extend([castling, en_passant].into_iter().filter_map(Result::err));
        faults.extend(checkers);
        Ok((position, faults))
    }

    /// The FEN. Castling rights are written as `KQkq`, or as the files of the rooks if `shredder` is set. A right for
    /// which `KQkq` would name a different rook is written as a file in both forms, as X-FEN does.
    pub fn to_fen(&self, shredder: bool) -> String {
        let en_passant = self
            .en_passant
            .map_or("-".to_string(), |square| square.to_string());
        let side = if self.side == Color::White { 'w' } else { 'b' };
        let castling = write_castling(self, shredder);
        format!(
            "{} {side} {castling} {en_passant} {} {}",
            write_board(self),
            self.halfmove,
            self.fullmove
        )
    }

    /// Whether a king or rook that may castle stands on another file than in standard chess.
    pub fn needs_chess960(&self) -> bool {
        Color::ALL.into_iter().any(|color| {
            Wing::ALL.into_iter().any(|wing| {
                let file = if wing == Wing::King { 7 } else { 0 };
                self.castling.has(color, wing)
                    && (self.king(color).file() != 4 || self.castling_rook(color, wing).file() != file)
            })
        })
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.to_fen(false))
    }
}

/// The fields of a FEN, without an allocation: files of millions are read.
fn split_fields(fen: &str, least: usize) -> Result<ArrayVec<&str, 6>, FenError> {
    let wrong = || FenError::Fields(fen.split_whitespace().count());
    let mut fields = ArrayVec::new();
    for field in fen.split_whitespace() {
        fields.try_push(field).map_err(|_| wrong())?;
    }
    match fields.len() < least {
        true => Err(wrong()),
        false => Ok(fields),
    }
}

fn read_board(position: &mut Position, text: &str) -> Result<(), FenError> {
    let ranks = 1 + text.bytes().filter(|&byte| byte == b'/').count();
    if ranks != 8 {
        return Err(FenError::Ranks(ranks));
    }
    let (mut file, mut rank) = (0u32, 7u8);
    for letter in text.chars() {
        match letter {
            '1'..='8' => file += letter as u32 - '0' as u32,
            '/' => {
                check_rank(rank, file)?;
                (file, rank) = (0, rank - 1);
            }
            _ => {
                let piece = Piece::from_letter(letter).ok_or(FenError::Letter(letter))?;
                if file < 8 {
                    position.put(piece, Square::at(file as u8, rank));
                }
                file += 1;
            }
        }
    }
    check_rank(rank, file)
}

/// Whether the letters and digits of a rank cover its eight squares.
fn check_rank(rank: u8, squares: u32) -> Result<(), FenError> {
    let rank = rank + 1;
    match squares {
        8 => Ok(()),
        _ => Err(FenError::RankLength { rank, squares }),
    }
}

fn check_pieces(position: &Position) -> Result<(), FenError> {
    for color in Color::ALL {
        let kings = position.pieces(color, PieceType::King).count();
        if kings != 1 {
            return Err(FenError::Kings(color, kings));
        }
        let all = position.of_color(color).count();
        if all > 16 {
            return Err(FenError::TooMany(color, all));
        }
        // with more the legal moves might not fit into a move list
        if promoted(position, color) > 8 {
            return Err(FenError::Promoted(color));
        }
    }
    let misplaced = position.of_kind(PieceType::Pawn) & (Bitboard::rank(0) | Bitboard::rank(7));
    misplaced
        .first()
        .map_or(Ok(()), |square| Err(FenError::PawnRank(square)))
}

/// Whether a player has more promoted pieces than missing pawns.
fn has_too_many_promoted(position: &Position, color: Color) -> bool {
    promoted(position, color) + position.pieces(color, PieceType::Pawn).count() > 8
}

/// The least number of a player's pieces that must have been promoted.
fn promoted(position: &Position, color: Color) -> u32 {
    [
        (PieceType::Knight, 2),
        (PieceType::Bishop, 2),
        (PieceType::Rook, 2),
        (PieceType::Queen, 1),
    ]
    .into_iter()
    .map(|(kind, original)| position.pieces(color, kind).count().saturating_sub(original))
    .sum()
}

/// Sets the castling rights that fit the board; an error if any do not.
fn read_castling(position: &mut Position, text: &str) -> Result<(), FenError> {
    if text == "-" {
        return Ok(());
    }
    let mut all_fit = true;
    for letter in text.chars() {
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        let king = position.king(color);
        let back_rank = Bitboard::rank(color.back_rank());
        let rooks = position.pieces(color, PieceType::Rook) & back_rank;
        let rook = match letter.to_ascii_uppercase() {
            'K' => rooks.into_iter().filter(|&rook| rook > king).last(),
            'Q' => rooks.into_iter().find(|&rook| rook < king),
            file @ 'A'..='H' => {
                let square = Square::at(file as u8 - b'A', color.back_rank());
                rooks.has(square).then_some(square)
            }
            _ => None,
        };
        let wing = |rook: Square| if rook > king { Wing::King } else { Wing::Queen };
        let fits = |&rook: &Square| back_rank.has(king) && !position.castling.has(color, wing(rook));
        match rook.filter(fits) {
            Some(rook) => position.add_castling(color, wing(rook), rook),
            None => all_fit = false,
        }
    }
    match all_fit {
        true => Ok(()),
        false => Err(FenError::Castling(text.to_string())),
    }
}

fn read_en_passant(position: &mut Position, text: &str) -> Result<(), FenError> {
    if text == "-" {
        return Ok(());
    }
    let wrong = || FenError::EnPassant(text.to_string());
    let square: Square = text.parse().map_err(|_| wrong())?;
    let (rank, start, pawn_rank) = match position.side {
        Color::White => (5, 6, 4),
        Color::Black => (2, 1, 3),
    };
    let pawn = position.piece_on(Square::at(square.file(), pawn_rank));
    let passed = [square, Square::at(square.file(), start)].map(|square| position.piece_on(square));
    if square.rank() != rank || pawn != Some(PieceType::Pawn.of(!position.side)) || passed != [None, None] {
        return Err(wrong());
    }
    position.set_en_passant(square);
    Ok(())
}

fn read_count(text: &str) -> Result<u32, FenError> {
    text.parse().map_err(|_| FenError::Count(text.to_string()))
}

fn write_board(position: &Position) -> String {
    let mut text = String::with_capacity(72);
    for rank in (0..8).rev() {
        let mut empty = 0u8;
        for file in 0..8 {
            match position.piece_on(Square::at(file, rank)) {
                Some(piece) => {
                    if empty > 0 {
                        text.push((b'0' + empty) as char);
                    }
                    empty = 0;
                    text.push(piece.letter());
                }
                None => empty += 1,
            }
        }
        if empty > 0 {
            text.push((b'0' + empty) as char);
        }
        if rank > 0 {
            text.push('/');
        }
    }
    text
}

fn write_castling(position: &Position, shredder: bool) -> String {
    let mut text = String::new();
    for color in Color::ALL {
        for wing in Wing::ALL {
            if !position.castling.has(color, wing) {
                continue;
            }
            let rook = position.castling_rook(color, wing);
            let letter = if shredder || !is_outermost(position, color, wing, rook) {
                (b'a' + rook.file()) as char
            } else {
                ['k', 'q'][wing as usize]
            };
            text.push(if color == Color::White {
                letter.to_ascii_uppercase()
            } else {
                letter
            });
        }
    }
    if text.is_empty() { "-".to_string() } else { text }
}

/// Whether no other rook of the player stands farther out on this wing, so that `K` or `Q` names this one.
fn is_outermost(position: &Position, color: Color, wing: Wing, rook: Square) -> bool {
    let corner = Square::at(if wing == Wing::King { 7 } else { 0 }, color.back_rank());
    let outside = attacks::between(rook, corner) | Bitboard::of(corner);
    rook == corner || (outside & position.pieces(color, PieceType::Rook)).is_empty()
}
