//! What the reference says of a position: its move, its score, and if it was asked for, its score of every legal move.

use super::error::CaseError;
use crate::board::{Move, Position};
use crate::compare::score;
use crate::nets::score::Score;

/// The reference's opinion of one position. Scores are for the side to move, in centipawns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reference {
    /// The moves that count as its choice, the first above all; only test suites with several solutions have more.
    pub best: Vec<Move>,
    /// Moves that a test suite warns of.
    pub avoid: Vec<Move>,
    /// Of its best move.
    pub score: Option<Score>,
    /// Every legal move, the best first; empty where only its choice is known.
    pub moves: Vec<(Move, Score)>,
}

impl Reference {
    /// The opinion that scores of every legal move express. Moves of one score keep their order.
    pub fn of_moves(mut moves: Vec<(Move, Score)>) -> Reference {
        moves.sort_by_key(|&(_, score)| std::cmp::Reverse(score));
        Reference {
            best: moves.iter().take(1).map(|&(m, _)| m).collect(),
            avoid: Vec::new(),
            score: moves.first().map(|&(_, score)| score),
            moves,
        }
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.best.is_empty() && self.avoid.is_empty()
    }

    /// Whether every legal move has a score.
    pub fn is_complete(&self) -> bool {
        !self.moves.is_empty()
    }

    /// The score of a move.
    pub fn score_of(&self, m: Move) -> Option<Score> {
        let known = self.moves.iter().find(|(known, _)| *known == m);
        known.map(|&(_, score)| score)
    }

    /// How many moves are better.
    pub fn better_than(&self, m: Move) -> Option<usize> {
        let own = self.score_of(m)?;
        Some(self.moves.iter().filter(|&&(_, score)| score > own).count())
    }

    /// Every move with its score, such as `e2e4:31 d2d4:28 f2f3:#-2`.
    pub fn to_text(&self, chess960: bool) -> String {
        let texts: Vec<String> = self
            .moves
            .iter()
            .map(|&(m, score)| format!("{}:{}", m.to_uci(chess960), score::to_text(score)))
            .collect();
        texts.join(" ")
    }

    /// Reads such a text.
    ///
    /// # Errors
    /// [`CaseError`] says what is wrong with it: every legal move must stand in it once.
    pub fn from_text(position: &Position, text: &str) -> Result<Reference, CaseError> {
        let mut moves: Vec<(Move, Score)> = Vec::new();
        for word in text.split_whitespace() {
            let (m, score) = word
                .split_once(':')
                .and_then(|(m, score)| Some((m, score::from_text(score)?)))
                .ok_or_else(|| CaseError::Label(word.to_string()))?;
            let m = position.parse_uci(m)?;
            if moves.iter().any(|&(known, _)| known == m) {
                return Err(CaseError::Twice(word.to_string()));
            }
            moves.push((m, score));
        }
        let (labelled, legal) = (moves.len(), position.legal_moves().len());
        match labelled == legal {
            true => Ok(Reference::of_moves(moves)),
            false => Err(CaseError::Unlabelled { labelled, legal }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "7k/8/8/8/8/8/5PPP/R5K1 w - - 0 1";

    #[test]
    fn texts_come_back_and_the_best_leads() {
        let position = Position::from_fen(FEN).unwrap();
        let scored = |n: usize| if n == 3 { 31_999 } else { n as Score };
        let moves: Vec<(Move, Score)> = position
            .legal_moves()
            .iter()
            .enumerate()
            .map(|(n, &m)| (m, scored(n)))
            .collect();
        let reference = Reference::of_moves(moves.clone());
        assert_eq!(reference.best, [moves[3].0]);
        assert_eq!(reference.better_than(moves[3].0), Some(0));
        assert_eq!(reference.better_than(moves[0].0), Some(moves.len() - 1));
        let text = reference.to_text(false);
        assert!(text.contains(":#1 "));
        assert_eq!(Reference::from_text(&position, &text), Ok(reference));
    }

    #[test]
    fn what_is_missing_or_doubled_is_named() {
        let position = Position::from_fen("7k/8/8/8/8/8/8/K7 w - - 0 1").unwrap();
        let refuse = |text| Reference::from_text(&position, text).unwrap_err().to_string();
        assert!(refuse("a1a2:0").contains("3 are legal"));
        assert!(refuse("a1a2:0 a1a2:1 a1b1:0").contains("twice"));
        assert!(refuse("a1a3:0").contains("a1a3"));
        assert!(refuse("a1a2").contains("a1a2"));
    }
}
