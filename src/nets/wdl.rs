//! Win, draw and loss probabilities of a score, and Lichess's winning chances.

use super::score::{Score, is_decisive, is_mate};
use std::fmt;

/// The score, in centipawns, at which half of the games are won.
const HALF_WON: f64 = 104.0;
/// The scale of the logistic curve: this many centipawns change the odds by a factor of e.
const SPREAD: f64 = 106.0;

/// Probabilities in thousandths, from the side to move's point of view; they add up to 1000.
///
/// Wins and losses each follow a logistic curve of the score, and draws are the rest. Both constants are maximum
/// likelihood estimates from 1620 positions of master games with the score of Stockfish 15.1 at 2000 nodes, whose unit
/// the networks learn, and the result of the game; their bootstrap standard deviations are 5 and 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chances {
    /// Of a win.
    pub win: u32,
    /// Of a draw.
    pub draw: u32,
    /// Of a loss.
    pub loss: u32,
}

impl Chances {
    /// The probabilities for the side to move with this score; a forced mate is certain.
    pub fn of(score: Score) -> Chances {
        let (win, loss) = (wins(score), wins(-score));
        Chances {
            win,
            draw: 1000 - win - loss,
            loss,
        }
    }
}

/// The expected score of the side to move, from 0 (lost) to 1 (won), a draw counting half: the same curve as
/// [`Chances`], not rounded.
pub fn expected(score: Score) -> f64 {
    (1.0 + share_won(score) - share_won(-score)) / 2.0
}

/// The rate of Lichess's curve, which it fitted to the games of its players (lila, pull request 11148).
const LICHESS_RATE: f64 = 0.003_682_08;

/// Scores beyond this count as much on Lichess.
const LICHESS_LIMIT: Score = 1000;

/// The winning chances of the side to move as Lichess computes them, from -1 to 1: what its inaccuracies, mistakes and
/// blunders are measured by. A forced mate or a result from tablebases is certain.
pub fn winning_chances(score: Score) -> f64 {
    if is_decisive(score) {
        return f64::from(score.signum());
    }
    let score = f64::from(score.clamp(-LICHESS_LIMIT, LICHESS_LIMIT));
    2.0 / (1.0 + (-LICHESS_RATE * score).exp()) - 1.0
}

/// The share of games won at this score.
fn share_won(score: Score) -> f64 {
    if is_mate(score) {
        return if score > 0 { 1.0 } else { 0.0 };
    }
    let odds = ((HALF_WON - f64::from(score)) / SPREAD).exp();
    1.0 / (1.0 + odds)
}

/// The same in thousandths.
fn wins(score: Score) -> u32 {
    (1000.0 * share_won(score)).round() as u32
}

impl fmt::Display for Chances {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {} {}", self.win, self.draw, self.loss)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nets::score::{EVALUATION_LIMIT, mate_in, mated_in};

    #[test]
    fn chances_add_up_and_mirror_each_other() {
        let mut last = 0;
        for score in -EVALUATION_LIMIT..=EVALUATION_LIMIT {
            let (ours, theirs) = (Chances::of(score), Chances::of(-score));
            assert_eq!(ours.win + ours.draw + ours.loss, 1000, "{score}");
            assert_eq!(
                (ours.win, ours.draw, ours.loss),
                (theirs.loss, theirs.draw, theirs.win)
            );
            assert!(ours.win >= last, "{score}");
            last = ours.win;
        }
    }

    #[test]
    fn the_expected_score_is_that_of_the_chances() {
        assert_eq!(expected(0), 0.5);
        assert_eq!((expected(mate_in(3)), expected(mated_in(2))), (1.0, 0.0));
        for score in [-500, -40, 7, 104, 900] {
            let chances = Chances::of(score);
            let from_chances = f64::from(chances.win) / 1000.0 + f64::from(chances.draw) / 2000.0;
            assert!((expected(score) - from_chances).abs() < 1e-3);
        }
    }

    #[test]
    fn lichess_counts_a_pawn_as_eighteen_hundredths() {
        assert_eq!(winning_chances(0), 0.0);
        assert!((winning_chances(100) - 0.182).abs() < 1e-3);
        assert_eq!(winning_chances(1000), winning_chances(5000));
        assert_eq!(winning_chances(-250), -winning_chances(250));
        assert_eq!(
            (winning_chances(mate_in(3)), winning_chances(mated_in(2))),
            (1.0, -1.0)
        );
    }

    #[test]
    fn landmarks() {
        assert_eq!(Chances::of(HALF_WON as Score).win, 500);
        let even = Chances::of(0);
        assert!(even.win == even.loss && even.draw > even.win, "{even:?}");
        assert_eq!(Chances::of(mate_in(5)).to_string(), "1000 0 0");
        assert_eq!(Chances::of(mated_in(4)).to_string(), "0 0 1000");
    }
}
