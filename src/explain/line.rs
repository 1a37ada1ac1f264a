//! A line of moves with the positions between them: what claims are about.

use crate::board::{Color, Move, Position, SanError, Square, pgn};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use thiserror::Error;

/// A start position and legal moves from it. In JSON `fen`, `line` in UCI's notation, and `san`.
#[derive(Clone, Debug)]
pub struct Line {
    /// One more than there are moves: `positions[i]` is the one in which `moves[i]` is played.
    positions: Vec<Position>,
    moves: Vec<Move>,
}

/// A move of a text that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("move {number} of the line: {source}")]
pub struct LineError {
    /// Counted from 1.
    pub number: usize,
    /// What is wrong with it.
    pub source: SanError,
}

/// Where a move begins and ends: the same move in another position may take something else.
pub(super) fn ends(m: Move) -> (Square, Square) {
    (m.from(), m.to())
}

impl Line {
    /// A line without moves.
    pub fn new(start: Position) -> Line {
        Line {
            positions: vec![start],
            moves: Vec::new(),
        }
    }

    /// Reads moves in UCI's notation or in algebraic notation, with blanks between them, and numbers as PGN has them.
    ///
    /// # Errors
    /// [`LineError`] names the first move that is none or not legal.
    pub fn parse(start: Position, text: &str) -> Result<Line, LineError> {
        let mut line = Line::new(start);
        for (index, word) in pgn::words(text).iter().enumerate() {
            let position = line.end();
            let m = position
                .parse_uci(word)
                .or_else(|_| position.parse_san(word))
                .map_err(|source| LineError {
                    number: index + 1,
                    source,
                })?;
            line.push(m);
        }
        Ok(line)
    }

    /// Plays a legal move of the last position.
    pub fn push(&mut self, m: Move) {
        self.positions.push(self.end().after(m));
        self.moves.push(m);
    }

    /// The first `plies` moves, or all of them where there are fewer.
    #[must_use]
    pub fn prefix(&self, plies: usize) -> Line {
        let plies = plies.min(self.len());
        Line {
            positions: self.positions[..=plies].to_vec(),
            moves: self.moves[..plies].to_vec(),
        }
    }

    /// The moves from this ply on.
    #[must_use]
    pub fn suffix(&self, ply: usize) -> Line {
        let ply = ply.min(self.len());
        Line {
            positions: self.positions[ply..].to_vec(),
            moves: self.moves[ply..].to_vec(),
        }
    }

    /// The number of moves.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether there is no move.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The moves in order.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The move at this ply, counted from 0; `None` past the end.
    pub fn at(&self, ply: usize) -> Option<Move> {
        self.moves.get(ply).copied()
    }

    /// Whether all moves from one ply up to another are captures, checks or answers to checks.
    pub fn is_forced(&self, first: usize, end: usize) -> bool {
        (first..end).all(|ply| {
            self.moves[ply].is_capture() || self.before(ply).in_check() || self.after(ply).in_check()
        })
    }

    /// Whether the next move captures the piece that moved at this ply.
    pub fn is_taken(&self, ply: usize) -> bool {
        let answer = self.at(ply + 1).filter(|m| m.is_capture());
        answer.is_some_and(|answer| self.at(ply).is_some_and(|m| m.landing() == answer.to()))
    }

    /// Whether the first move is a capture that is taken back at once.
    pub fn is_traded(&self) -> bool {
        self.is_taken(0) && self.at(0).is_some_and(|m| m.is_capture())
    }

    /// Whether the piece that moved at this ply is given up: taken at once, or with the opponent's next move if it stays
    /// where it is while the answer gives check.
    pub fn is_given(&self, ply: usize) -> bool {
        let Some(square) = self.at(ply).map(Move::landing) else {
            return false;
        };
        let takes = |later: usize| {
            self.at(ply + later)
                .is_some_and(|m| m.is_capture() && m.to() == square)
        };
        let checks = || {
            let stays = |m: Move| m.from() != square;
            self.after(ply + 1).in_check() && self.at(ply + 2).is_some_and(stays)
        };
        takes(1) || self.at(ply + 1).is_some() && checks() && takes(3)
    }

    /// The position before the move at this ply.
    ///
    /// # Panics
    /// If the line is shorter than that.
    pub fn before(&self, ply: usize) -> &Position {
        &self.positions[ply]
    }

    /// The position after the move at this ply.
    ///
    /// # Panics
    /// If the line has no such move.
    pub fn after(&self, ply: usize) -> &Position {
        &self.positions[ply + 1]
    }

    /// The first position.
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// The last position.
    pub fn end(&self) -> &Position {
        &self.positions[self.moves.len()]
    }

    /// Who plays the move at this ply.
    ///
    /// # Panics
    /// If the line is shorter than that.
    pub fn mover(&self, ply: usize) -> Color {
        self.before(ply).side_to_move()
    }

    /// The moves as UCI writes them.
    pub fn to_uci(&self) -> Vec<String> {
        let chess960 = self.start().needs_chess960();
        self.moves.iter().map(|m| m.to_uci(chess960)).collect()
    }

    /// The moves in algebraic notation.
    pub fn to_san(&self) -> Vec<String> {
        let played = self.positions.iter().zip(&self.moves);
        played.map(|(position, &m)| position.to_san(m)).collect()
    }
}

impl Serialize for Line {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("fen", &self.start().to_fen(false))?;
        map.serialize_entry("line", &self.to_uci())?;
        map.serialize_entry("san", &self.to_san())?;
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_both_notations_and_names_the_move_that_is_wrong() {
        let line = Line::parse(Position::default(), "e4 e7e5 Nf3 b8c6").unwrap();
        assert_eq!(line.to_uci(), ["e2e4", "e7e5", "g1f3", "b8c6"]);
        assert_eq!(line.to_san(), ["e4", "e5", "Nf3", "Nc6"]);
        assert_eq!(line.end(), line.after(3));
        for text in [
            "1. e4 e5 2. Nf3",
            "1.e4! e5 2.g1f3 *",
            "1. e4 {king's pawn} 1... e5 2. Nf3+ (2. f4)",
        ] {
            let line = Line::parse(Position::default(), text).unwrap();
            assert_eq!(line.to_san(), ["e4", "e5", "Nf3"], "{text}");
        }
        for (text, error) in [
            ("e4 e4", "move 2 of the line: e4 is not a legal move here"),
            ("1... e5", "move 1 of the line: e5 is not a legal move here"),
            ("e2e4 e2e4", "move 2 of the line: e2e4 is not a legal move here"),
            (
                "1. e4 e5 2. what",
                "move 3 of the line: 'what' is not a move in algebraic notation",
            ),
        ] {
            let found = Line::parse(Position::default(), text).unwrap_err();
            assert_eq!(found.to_string(), error);
        }
    }
}
