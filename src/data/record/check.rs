//! From 32 bytes to a position: is the record valid?

use super::label::Label;
use super::packed::{BLACK_TO_MOVE, CASTLING_ROOK, IN_CHECK, NO_MOVE, ORIGIN_SHIFT, Record};
use crate::board::{FenError, Move, Position, Square};
use std::fmt::Write;
use thiserror::Error;

/// Why 32 bytes are no record.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecordError {
    /// More occupied squares than codes.
    #[error("{0} squares are occupied, more than 32")]
    TooMany(u32),
    /// Bits that no record has.
    #[error("bits that must be zero are set")]
    SpareBits,
    /// A score between the centipawns and the mates.
    #[error("the score {0} is neither centipawns nor a mate")]
    Score(i16),
    /// The pieces make no legal position.
    #[error("{0}")]
    Position(#[from] FenError),
    /// The position is legal, but [`Record::new`] would encode it differently.
    #[error("castling, en passant, check or the move number is not marked as the position demands")]
    Marks,
    /// The best move is not legal.
    #[error("the best move {0} is not legal")]
    Move(String),
}

impl Record {
    /// The position.
    ///
    /// # Errors
    /// [`RecordError::TooMany`] or [`RecordError::Position`] where the pieces make none.
    pub fn position(&self) -> Result<Position, RecordError> {
        if self.piece_count() > 32 {
            return Err(RecordError::TooMany(self.piece_count()));
        }
        Ok(Position::from_fen(&self.fen())?)
    }

    /// Checks that the record is valid: a legal position encoded as [`Record::new`] encodes it, a possible score, a
    /// legal best move. Returns the position.
    ///
    /// # Errors
    /// [`RecordError`] names the first fault.
    pub fn check(&self) -> Result<Position, RecordError> {
        let position = self.position()?;
        if Label::decode(self.score).is_none() && self.score != Label::NONE {
            return Err(RecordError::Score(self.score));
        }
        if self.state >> ORIGIN_SHIFT > 3 {
            return Err(RecordError::SpareBits);
        }
        let fresh = Record::new(&position);
        let marks = |record: &Record| {
            (
                record.codes,
                record.fullmove,
                record.state & (BLACK_TO_MOVE | IN_CHECK),
            )
        };
        if marks(&fresh) != marks(self) {
            return Err(RecordError::Marks);
        }
        if self.best != NO_MOVE {
            let legal = |m: &Move| position.legal_moves().contains(m);
            self.best()
                .filter(legal)
                .ok_or_else(|| RecordError::Move(format!("{:#06x}", self.best)))?;
        }
        Ok(position)
    }

    /// The FEN, castling by the files of the rooks.
    pub fn fen(&self) -> String {
        let mut text = String::with_capacity(90);
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                match self.piece_on(Square::at(file, rank)) {
                    None => empty += 1,
                    Some(piece) => {
                        push_count(&mut text, empty);
                        empty = 0;
                        text.push(piece.letter());
                    }
                }
            }
            push_count(&mut text, empty);
            text.push(if rank > 0 { '/' } else { ' ' });
        }
        text.push_str(["w ", "b "][self.side_to_move().index()]);
        let before = text.len();
        for (color, case) in [b'A', b'a'].into_iter().enumerate() {
            let rooks = self
                .coded_squares()
                .filter(|coded| coded.1 == CASTLING_ROOK[color]);
            text.extend(rooks.map(|(square, _)| (case + square.file()) as char));
        }
        if text.len() == before {
            text.push('-');
        }
        match self.en_passant() {
            Some(square) => write!(text, " {square}"),
            None => write!(text, " -"),
        }
        .and_then(|()| write!(text, " {} {}", self.halfmove, self.fullmove))
        .expect("writing to a string cannot fail");
        text
    }
}

fn push_count(text: &mut String, empty: u8) {
    if empty > 0 {
        text.push((b'0' + empty) as char);
    }
}
