//! How exactly a side played, by Lichess's curve (lichess.org/page/accuracy), as the board's page has it too.

use super::input::Game;
use crate::board::{Color, Phase};
use crate::explain::Explanation;
use crate::explain::explanation::Grade;

/// The accuracy in per cent of a move that gives away so much, from 0 to 2: the whole point.
pub fn of_drop(drop: f64) -> f64 {
    let lost = 50.0 * drop.max(0.0);
    (103.1668 * (-0.04354 * lost).exp() - 3.1669).clamp(0.0, 100.0)
}

/// The accuracy of several moves: the average of the arithmetic and the harmonic mean, in which one blunder weighs more.
/// `None` without any.
fn of_moves(accuracies: &[f64]) -> Option<f64> {
    let count = accuracies.len() as f64;
    let arithmetic = accuracies.iter().sum::<f64>() / count;
    let harmonic = count
        / accuracies
            .iter()
            .map(|accuracy| accuracy.max(1.0).recip())
            .sum::<f64>();
    (!accuracies.is_empty()).then_some((arithmetic + harmonic) / 2.0)
}

/// What one side did in a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The accuracy of all moves; `None` without any.
    pub all: Option<f64>,
    /// The same for the moves of each phase, in the order of [`Phase::ALL`].
    pub phases: [Option<f64>; 3],
    /// Inaccuracies, mistakes and blunders.
    pub grades: [usize; 3],
}

/// The grades that a summary counts.
pub const COUNTED: [Grade; 3] = [Grade::Inaccuracy, Grade::Mistake, Grade::Blunder];

impl Summary {
    /// Sums up the moves of one side; `moves` are those of the game, one after the other.
    pub fn of(game: &Game, moves: &[Explanation], side: Color) -> Summary {
        let positions = game.positions();
        let played: Vec<(Phase, &Explanation)> = positions
            .iter()
            .zip(moves)
            .filter(|(position, _)| position.side_to_move() == side)
            .map(|(position, explanation)| (position.phase(), explanation))
            .collect();
        let accuracy = |wanted: Option<Phase>| {
            let chosen: Vec<f64> = played
                .iter()
                .filter(|(phase, _)| wanted.is_none_or(|wanted| *phase == wanted))
                .map(|(_, explanation)| of_drop(explanation.verdict.drop))
                .collect();
            of_moves(&chosen)
        };
        let count = |grade: Grade| {
            let is = |(_, explanation): &&(Phase, &Explanation)| explanation.verdict.grade == grade;
            played.iter().filter(is).count()
        };
        Summary {
            all: accuracy(None),
            phases: Phase::ALL.map(|phase| accuracy(Some(phase))),
            grades: COUNTED.map(count),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_is_that_of_lichess() {
        // 0, 5, 10, 20 and 100 per cent of the expected score are lost
        for (drop, accuracy) in [(0.0, 100.0), (0.1, 79.8), (0.2, 63.6), (0.4, 40.0), (2.0, 0.0)] {
            assert!(
                (of_drop(drop) - accuracy).abs() < 0.1,
                "{drop}: {}",
                of_drop(drop)
            );
        }
    }

    #[test]
    fn one_blunder_weighs_more_than_in_a_mean() {
        assert_eq!(of_moves(&[]), None);
        assert_eq!(of_moves(&[80.0, 80.0]), Some(80.0));
        // the means are 55 and 18.18
        assert!((of_moves(&[100.0, 10.0]).unwrap() - 36.59).abs() < 0.01);
        assert_eq!(of_moves(&[0.0, 0.0]), Some(0.5));
    }
}
