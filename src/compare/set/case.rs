//! A position that is compared on, and a set of them.

use super::error::CaseError;
use super::reference::Reference;
use crate::board::{Ending, GameResult, Phase, Position};
use crate::compare::answer::Answers;

/// One position, and what is known of it.
#[derive(Clone, Debug)]
pub struct Case {
    /// Where it comes from, in a word or two.
    pub id: String,
    pub position: Position,
    /// How its game ended, where that says something about the position.
    pub result: GameResult,
    /// What the reference says.
    pub reference: Reference,
}

/// A set of positions, the name of whoever scored them, and the answers that came with them in a table.
#[derive(Clone, Debug, Default)]
pub struct Set {
    pub cases: Vec<Case>,
    /// Whose scores the references are; empty where there are none.
    pub labelled_by: String,
    /// Answers that a table holds, by contestant.
    pub recorded: Vec<Answers>,
}

impl Case {
    /// A position of which nothing is known.
    pub fn new(id: impl Into<String>, position: Position) -> Case {
        Case {
            id: id.into(),
            position,
            result: GameResult::Unknown,
            reference: Reference::default(),
        }
    }

    /// The part of the game.
    pub fn phase(&self) -> Phase {
        self.position.phase()
    }

    /// Whether the position is quiet: no check, and the reference's move neither captures nor promotes. `None` where
    /// that move is not known.
    pub fn is_quiet(&self) -> Option<bool> {
        let best = self.reference.best.first()?;
        Some(best.is_quiet() && !self.position.in_check())
    }

    /// The FEN, by which the position is known in every file.
    pub fn fen(&self) -> String {
        self.position.to_fen(self.position.needs_chess960())
    }
}

impl Set {
    /// At most `count` positions, spread evenly over the set.
    #[must_use]
    pub fn thinned(mut self, count: usize) -> Set {
        let total = self.cases.len();
        if count < total {
            let keep: Vec<usize> = (0..count).map(|n| n * total / count).collect();
            self.cases = keep.iter().map(|&n| self.cases[n].clone()).collect();
            for answers in &mut self.recorded {
                answers.rows = keep.iter().map(|&n| answers.rows[n].clone()).collect();
            }
        }
        self
    }
}

/// Reads a position that is to be compared on: it must be legal and not over.
///
/// # Errors
/// [`CaseError::Fen`] or [`CaseError::Over`].
pub fn read_fen(text: &str) -> Result<Position, CaseError> {
    let position = Position::from_fen(text)?;
    let how = match position.ending(&[]) {
        None | Some(Ending::Repetition) => return Ok(position),
        Some(Ending::Checkmate) => "checkmate",
        Some(Ending::Stalemate) => "stalemate",
        Some(Ending::InsufficientMaterial) => "nobody can mate",
        Some(Ending::FiftyMoves) => "fifty moves",
    };
    let fen = text.to_string();
    Err(CaseError::Over { how, fen })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_that_are_over_are_refused() {
        for (fen, word) in [
            (
                "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
                "checkmate",
            ),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
            ("7k/8/6K1/8/8/8/8/8 b - - 0 1", "nobody"),
            ("7k/8/6K1/8/8/8/8/R7 b - - 100 90", "fifty"),
        ] {
            let reason = read_fen(fen).unwrap_err().to_string();
            assert!(reason.contains(word), "{reason}");
        }
    }
}
