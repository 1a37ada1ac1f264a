//! Scores as the page shows them, for White.

use crate::board::Color;
use crate::nets::score::{Score, mate_moves};
use crate::nets::wdl::winning_chances;
use crate::uci_client::UciScore;
use serde::{Deserialize, Serialize};

/// A score for White.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ShownScore {
    /// Centipawns.
    Cp(i32),
    /// Moves to mate, negative if Black mates; 0 if the side to move is mated.
    Mate(i32),
}

/// A score for White with the expected score of the game, from 0 (Black wins) to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Judged {
    /// The score.
    pub score: ShownScore,
    /// What it is worth.
    pub expected: f64,
}

/// White's share of the point, by the curve that grades moves.
fn share(score: Score) -> f64 {
    (1.0 + winning_chances(score)) / 2.0
}

impl Judged {
    /// Of a score for the side to move.
    pub fn new(score: Score, side_to_move: Color) -> Judged {
        let shown = match mate_moves(score) {
            Some(moves) => ShownScore::Mate(side_to_move.for_white(moves)),
            None => ShownScore::Cp(side_to_move.for_white(score)),
        };
        Judged {
            score: shown,
            expected: share(side_to_move.for_white(score)),
        }
    }

    /// Of another engine's score for the side to move.
    pub fn of_uci(score: UciScore, side_to_move: Color) -> Judged {
        match score {
            UciScore::Centipawns(value) => {
                let value = side_to_move.for_white(value);
                Judged {
                    score: ShownScore::Cp(value),
                    expected: share(value),
                }
            }
            UciScore::Mate(moves) => Judged {
                score: ShownScore::Mate(side_to_move.for_white(moves)),
                expected: match side_to_move.for_white(if moves > 0 { 1 } else { -1 }) {
                    1 => 1.0,
                    _ => 0.0,
                },
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nets::score::{mate_in, mated_in};

    #[test]
    fn scores_are_for_white() {
        let shown = |score, side| {
            let judged = Judged::new(score, side);
            (judged.score, judged.expected)
        };
        assert_eq!(shown(0, Color::Black), (ShownScore::Cp(0), 0.5));
        let (score, expected) = shown(100, Color::Black);
        assert!(score == ShownScore::Cp(-100) && expected < 0.5);
        assert_eq!(shown(mate_in(3), Color::White), (ShownScore::Mate(2), 1.0));
        assert_eq!(shown(mate_in(3), Color::Black), (ShownScore::Mate(-2), 0.0));
        assert_eq!(shown(mated_in(0), Color::White), (ShownScore::Mate(0), 0.0));
        assert_eq!(Judged::of_uci(UciScore::Mate(0), Color::Black).expected, 1.0);
        assert_eq!(
            Judged::of_uci(UciScore::Centipawns(31), Color::Black),
            Judged::new(31, Color::Black)
        );
    }
}
