//! The evaluation of Leonardo Serilli's minimax homework, by hand-written rules: the pieces are always counted; mobility and
//! check may be switched on.

#[cfg(feature = "lab")]
pub mod kind;

use super::score::{EVALUATION_LIMIT, Score};
use super::stateless::Stateless;
use crate::board::{Color, PieceType, Position, Wanted};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What a pawn, knight, bishop, rook, queen and king count, in centipawns: 1, 3, 3, 5, 9 and 0 in the homework's table.
const VALUES: [Score; 6] = [100, 300, 300, 500, 900, 0];
/// What each legal move of the side to move counts: the homework's rows show 200 at the start of a game, where White has
/// 20 moves, and −200 after White's first.
const MOVE: Score = 10;
/// What giving check counts. The homework says that it is better, not by how much; ours is half a pawn.
const CHECK: Score = 50;
/// The name of plain heuristics, and the prefix of those with options.
pub const NAME: &str = "heuristics";

/// Scores by hand-written rules.
///
/// As text it is `heuristics`, and after a colon what is switched on: `heuristics:mobility`, `heuristics:check`,
/// `heuristics:mobility+check`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heuristics {
    /// Whether the legal moves of the side to move count for it.
    pub mobility: bool,
    /// Whether a check counts for the side that gives it.
    pub check: bool,
}

impl Heuristics {
    /// The score of a position for the side to move, in centipawns.
    pub fn score(self, position: &Position) -> Score {
        let us = position.side_to_move();
        let pieces = |color: Color, kind: PieceType| position.pieces(color, kind).count() as Score;
        let kinds = PieceType::ALL.into_iter().zip(VALUES);
        let mut score: Score = kinds
            .map(|(kind, value)| value * (pieces(us, kind) - pieces(!us, kind)))
            .sum();
        if self.mobility {
            score += MOVE * position.moves(Wanted::All).len() as Score;
        }
        if self.check && position.in_check() {
            score -= CHECK;
        }
        score.clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
    }
}

impl Stateless for Heuristics {
    fn score_all(&mut self, positions: &[Position], scores: &mut Vec<Score>) {
        scores.extend(positions.iter().map(|position| self.score(position)));
    }

    fn score_one(&mut self, position: &Position) -> Score {
        self.score(position)
    }
}

impl fmt::Display for Heuristics {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match (self.mobility, self.check) {
            (false, false) => NAME,
            (true, false) => "heuristics:mobility",
            (false, true) => "heuristics:check",
            (true, true) => "heuristics:mobility+check",
        })
    }
}

/// The text does not name any heuristics.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' names no heuristics; {NAME}, {NAME}:mobility, {NAME}:check and {NAME}:mobility+check do")]
pub struct HeuristicsError(String);

impl FromStr for Heuristics {
    type Err = HeuristicsError;

    fn from_str(text: &str) -> Result<Heuristics, HeuristicsError> {
        let fault = || HeuristicsError(text.to_string());
        let mut heuristics = Heuristics::default();
        let names = match text.strip_prefix(NAME).ok_or_else(fault)? {
            "" => return Ok(heuristics),
            rest => rest.strip_prefix(':').ok_or_else(fault)?,
        };
        for name in names.split('+') {
            let switch = match name {
                "mobility" => &mut heuristics.mobility,
                "check" => &mut heuristics.check,
                _ => return Err(fault()),
            };
            // naming the same rule twice is a mistake
            if std::mem::replace(switch, true) {
                return Err(fault());
            }
        }
        Ok(heuristics)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(heuristics: &str, fen: &str) -> Score {
        let heuristics: Heuristics = heuristics.parse().unwrap();
        heuristics.score(&Position::from_fen(fen).unwrap())
    }

    /// The scores in the first rows of the homework's data, there for White: 200 before the first move, −200 after 1 c4,
    /// 220 after 1 c4 a5 and −200 after 2 a4.
    #[test]
    fn the_homeworks_scores() {
        let mut position = Position::default();
        let heuristics: Heuristics = "heuristics:mobility".parse().unwrap();
        let mut for_white = Vec::new();
        for m in ["c2c4", "a7a5", "a2a4", ""] {
            let score = heuristics.score(&position);
            for_white.push(match position.side_to_move() {
                Color::White => score,
                Color::Black => -score,
            });
            if let Ok(m) = position.parse_uci(m) {
                position.play(m);
            }
        }
        assert_eq!(for_white, [200, -200, 220, -200]);
    }

    #[test]
    fn each_heuristic_is_added_by_its_name() {
        // White is a rook and a knight for a queen up, and in check
        let fen = "4k3/8/8/8/8/8/4q3/R2N1K2 w - - 0 1";
        assert_eq!(score("heuristics", fen), 500 + 300 - 900);
        let moves = Position::from_fen(fen).unwrap().legal_moves().len() as Score;
        assert!(moves > 0);
        assert_eq!(score("heuristics:mobility", fen), -100 + 10 * moves);
        assert_eq!(score("heuristics:check", fen), -100 - 50);
        assert_eq!(score("heuristics:mobility+check", fen), -100 + 10 * moves - 50);
    }

    #[test]
    fn names_are_read_and_printed() {
        for text in [
            "heuristics",
            "heuristics:mobility",
            "heuristics:check",
            "heuristics:mobility+check",
        ] {
            assert_eq!(text.parse::<Heuristics>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "heuristic",
            "heuristics:",
            "heuristicsmobility",
            "heuristics:mobility+",
            "heuristics:check+check",
            "heuristics:tempo",
        ] {
            assert!(text.parse::<Heuristics>().is_err(), "{text}");
        }
    }
}
