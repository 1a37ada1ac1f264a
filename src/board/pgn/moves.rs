//! Moves as files write them: in algebraic notation, in UCI's, or passed.

use super::super::moves::Move;
use super::super::position::Position;
use super::super::san::SanError;
use super::super::types::PieceType;
use super::PgnFault;
use super::events::{Events, Spot};
use super::lexer::Lexer;
use super::words::NULL_MOVES;
use crate::board::GameResult;

impl Position {
    /// Reads a move in algebraic notation, as leniently as [`Position::parse_san`], or in UCI's; `None` for a move that
    /// is passed.
    ///
    /// # Errors
    /// [`SanError`] if it is no legal move here.
    pub fn parse_written(&self, word: &str) -> Result<Option<Move>, SanError> {
        let error = match self.parse_san(word) {
            Ok(m) => return Ok(Some(m)),
            Err(error) => error,
        };
        if NULL_MOVES.contains(&word) {
            return Ok(None);
        }
        let bare = word.trim_end_matches(['+', '#']);
        if let Ok(m) = self.parse_uci(bare) {
            return Ok(Some(m));
        }
        self.castling_as_step(bare).map(Some).ok_or(error)
    }

    /// Castling that is written as the king's step: `Kg1`, `Ke1-g1`.
    fn castling_as_step(&self, word: &str) -> Option<Move> {
        let squares = word.strip_prefix('K')?;
        let king = self.king(self.side_to_move());
        let to = squares.strip_prefix(king.to_string().as_str()).unwrap_or(squares);
        let to = to.strip_prefix('-').unwrap_or(to).parse().ok()?;
        let is_it = |m: &Move| m.is_castling() && m.landing() == to && m.piece().kind() == PieceType::King;
        self.legal_moves().into_iter().find(is_it)
    }
}

/// The moves that a text names, without numbers, comments, variations and signs.
pub fn words(text: &str) -> Vec<String> {
    let mut found = Words::default();
    Lexer::default().finish(text.as_bytes(), &mut found);
    found.words
}

#[derive(Default)]
struct Words {
    words: Vec<String>,
    depth: usize,
}

impl Events for Words {
    fn tag(&mut self, _: &str, _: &str, _: bool, _: Spot) {}
    fn comment(&mut self, _: &str, _: Spot) {}
    fn open(&mut self, _: Spot) {
        self.depth += 1;
    }
    fn close(&mut self, _: Spot) {
        self.depth = self.depth.saturating_sub(1);
    }
    fn glyph(&mut self, _: u8, _: Spot) {}
    fn result(&mut self, _: GameResult, _: Spot) {}
    fn number(&mut self, _: u32, _: bool) {}
    fn word(&mut self, word: &str, _: Spot) {
        if self.depth == 0 {
            self.words.push(word.to_string());
        }
    }
    fn fault(&mut self, fault: PgnFault, _: Spot) {
        // what is no move is one that cannot be read, where only moves are expected
        if let (PgnFault::Word(word), 0) = (fault, self.depth) {
            self.words.push(word);
        }
    }
}
