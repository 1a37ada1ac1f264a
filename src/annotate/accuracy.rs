//! How exactly a side played, by Lichess's means (lichess.org/page/accuracy), as the board's page has them too.

use super::input::Game;
use crate::board::{Color, Phase};
use crate::explain::Explanation;
use crate::explain::explanation::Grade;

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
                .map(|(_, explanation)| explanation.verdict.accuracy())
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
    fn one_blunder_weighs_more_than_in_a_mean() {
        assert_eq!(of_moves(&[]), None);
        assert_eq!(of_moves(&[80.0, 80.0]), Some(80.0));
        // the means are 55 and 18.18
        assert!((of_moves(&[100.0, 10.0]).unwrap() - 36.59).abs() < 0.01);
        assert_eq!(of_moves(&[0.0, 0.0]), Some(0.5));
    }
}
