//! How exactly a side played: a number for every move, and means by the phases of the game.

use super::input::Game;
use crate::board::{Color, Phase};
use crate::explain::Explanation;
use crate::explain::explanation::Grade;

/// The drop that halves the accuracy of a move: that of a mistake.
const HALF: f64 = 0.2;

/// The accuracy of a move that gives away so much (0 to 2), in percent: 100 for a drop of 0, 50 for that of a mistake,
/// 25 for twice as much.
pub fn of_drop(drop: f64) -> f64 {
    100.0 * (-drop.max(0.0) / HALF).exp2()
}

/// What one side did in a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The mean accuracy of all moves; `None` without any.
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
        let mean = |wanted: Option<Phase>| {
            let chosen: Vec<f64> = played
                .iter()
                .filter(|(phase, _)| wanted.is_none_or(|wanted| *phase == wanted))
                .map(|(_, explanation)| of_drop(explanation.verdict.drop))
                .collect();
            (!chosen.is_empty()).then(|| chosen.iter().sum::<f64>() / chosen.len() as f64)
        };
        let count = |grade: Grade| {
            let is = |(_, explanation): &&(Phase, &Explanation)| explanation.verdict.grade == grade;
            played.iter().filter(is).count()
        };
        Summary {
            all: mean(None),
            phases: Phase::ALL.map(|phase| mean(Some(phase))),
            grades: COUNTED.map(count),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_halves_with_every_mistake() {
        assert_eq!(of_drop(0.0), 100.0);
        assert_eq!(of_drop(0.2), 50.0);
        assert_eq!(of_drop(0.4), 25.0);
        assert!(of_drop(2.0) < 0.2);
    }
}
