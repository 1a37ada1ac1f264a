//! The grade of a move as the page keeps it: one record for the list of moves, the graph, the retry and the words.

use super::position::NamedMove;
use super::score::{Judged, ShownScore};
use crate::board::Color;
use crate::explain::explanation::{Assessment, Grade, Value, Verdict};
use serde::Serialize;

/// How good a move is.
#[derive(Clone, Debug, Serialize)]
pub struct JudgedMove {
    grade: Grade,
    /// What it gives away of the expected score, from 0 to 1.
    loss: f64,
    /// How exact it is, in per cent.
    accuracy: f64,
    /// The position before it, with the best move.
    before: Judged,
    /// The position after it.
    after: Judged,
    /// The best move; the move itself if nothing is better.
    best: NamedMove,
    /// Positions searched for each score.
    nodes: u64,
}

impl JudgedMove {
    /// What the page keeps of a verdict on a move of this player.
    pub fn new(verdict: &Verdict, mover: Color, best: NamedMove, nodes: u64) -> JudgedMove {
        JudgedMove {
            grade: verdict.grade,
            loss: verdict.drop / 2.0,
            accuracy: verdict.accuracy(),
            before: for_white(verdict.before, mover, 0),
            after: for_white(verdict.after, mover, 1),
            best,
            nodes,
        }
    }
}

/// An assessment for the mover, as White's score. `moves_made` of the mover's moves are already played, by which a mate of
/// his is nearer.
fn for_white(assessment: Assessment, mover: Color, moves_made: i32) -> Judged {
    let expected = (assessment.expected + 1.0) / 2.0;
    Judged {
        score: match assessment.value {
            Value::Centipawns(score) => ShownScore::Cp(mover.for_white(score)),
            Value::Mate(moves) if moves > 0 => ShownScore::Mate(mover.for_white(moves - moves_made)),
            Value::Mate(moves) => ShownScore::Mate(mover.for_white(moves)),
        },
        expected: match mover {
            Color::White => expected,
            Color::Black => 1.0 - expected,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_for_white_and_mates_count_from_the_position() {
        let shown = |value, expected, mover, made| {
            let judged = for_white(Assessment { value, expected }, mover, made);
            (judged.score, judged.expected)
        };
        let cp = Value::Centipawns(50);
        assert_eq!(shown(cp, 0.2, Color::White, 1), (ShownScore::Cp(50), 0.6));
        assert_eq!(shown(cp, 0.2, Color::Black, 1), (ShownScore::Cp(-50), 0.4));
        let mate = Value::Mate(3);
        assert_eq!(shown(mate, 1.0, Color::White, 0), (ShownScore::Mate(3), 1.0));
        assert_eq!(shown(mate, 1.0, Color::Black, 1), (ShownScore::Mate(-2), 0.0));
        assert_eq!(
            shown(Value::Mate(-2), -1.0, Color::White, 1),
            (ShownScore::Mate(-2), 0.0)
        );
    }
}
