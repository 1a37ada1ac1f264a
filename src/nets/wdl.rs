//! Win, draw and loss probabilities of a score, the expected score of the game, and Lichess's winning chances.

use super::score::{DRAW, Score, is_decisive, is_mate};
use crate::board::{PieceType, Position};
use std::fmt;

/// The score, in centipawns, at which half of the games are won, by the material on the board: the numbers are multiplied
/// with the powers 0, 1, 2 … of its share of [`FULL`].
const HALF_WON_BY_MATERIAL: [f64; 3] = [389.1, -603.1, 353.9];
/// The scale of the logistic curve in the same way: this many centipawns change the odds by a factor of e.
const SPREAD_BY_MATERIAL: [f64; 3] = [98.7, -76.6, 72.9];
/// All material, and the least for which the curves were fitted.
const FULL: u32 = 78;
const LEAST: u32 = 8;

/// The score, in centipawns, at which half of the games are won, whatever the material.
const HALF_WON: f64 = 104.0;
/// The scale of the logistic curve with it.
const SPREAD: f64 = 106.0;

/// The pieces of both sides: pawn 1, knight and bishop 3, rook 5, queen 9; 78 at the start of a game.
pub fn material(position: &Position) -> u32 {
    let worth = [
        (PieceType::Pawn, 1),
        (PieceType::Knight, 3),
        (PieceType::Bishop, 3),
        (PieceType::Rook, 5),
        (PieceType::Queen, 9),
    ];
    worth
        .iter()
        .map(|&(kind, worth)| position.of_kind(kind).count() * worth)
        .sum()
}

/// Probabilities in thousandths, from the side to move's point of view; they add up to 1000.
///
/// Wins and losses each follow a logistic curve of the score, and draws are the rest. Both numbers of the curve depend on
/// the material, for the fewer pieces are left the more it takes to win. They are maximum likelihood estimates from
/// 119,120 positions within ±600 of 1,391 games of this engine against itself, with 6,000 nodes a move (commit b25fa59),
/// from unbalanced openings and up to four random moves.
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
    /// A certain draw.
    pub const DRAWN: Chances = Chances {
        win: 0,
        draw: 1000,
        loss: 0,
    };

    /// The probabilities for the side to move with this score and so much [`material`] on the board; a forced mate is
    /// certain.
    pub fn of(score: Score, material: u32) -> Chances {
        let share = f64::from(material.clamp(LEAST, FULL)) / f64::from(FULL);
        let sum = |numbers: [f64; 3]| numbers.iter().rev().fold(0.0, |sum, number| sum * share + number);
        let (half_won, spread) = (sum(HALF_WON_BY_MATERIAL), sum(SPREAD_BY_MATERIAL));
        let wins = |score| (1000.0 * share_won(score, half_won, spread)).round() as u32;
        let (win, loss) = (wins(score), wins(-score));
        Chances {
            win,
            draw: 1000 - win - loss,
            loss,
        }
    }
}

/// The expected score of the side to move, from 0 (lost) to 1 (won), a draw counting half, whatever the material: the
/// measure of errors in trainings, comparisons and verdicts. Its two constants are maximum likelihood estimates from 1620
/// positions of master games with the score of Stockfish 15.1 at 2000 nodes, whose unit the networks learn, and the result
/// of the game; their bootstrap standard deviations are 5 and 6.
pub fn expected(score: Score) -> f64 {
    let share = |score| share_won(score, HALF_WON, SPREAD);
    (1.0 + share(score) - share(-score)) / 2.0
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

/// The share of games won at this score, on a logistic curve.
fn share_won(score: Score, half_won: f64, spread: f64) -> f64 {
    if is_mate(score) {
        return if score > DRAW { 1.0 } else { 0.0 };
    }
    1.0 / (1.0 + ((half_won - f64::from(score)) / spread).exp())
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
        for material in [0, 4, 10, 30, 50, 78, 103] {
            let mut last = 0;
            for score in -EVALUATION_LIMIT..=EVALUATION_LIMIT {
                let (ours, theirs) = (Chances::of(score, material), Chances::of(-score, material));
                assert_eq!(ours.win + ours.draw + ours.loss, 1000, "{score}");
                assert_eq!(
                    (ours.win, ours.draw, ours.loss),
                    (theirs.loss, theirs.draw, theirs.win)
                );
                assert!(ours.win >= last, "{score}");
                last = ours.win;
            }
        }
    }

    #[test]
    fn it_takes_more_to_win_with_few_pieces() {
        // towards the opening more can still go wrong, so that scores say less again
        for score in [20, 50, 100, 200] {
            let wins: Vec<u32> = (LEAST..=60)
                .map(|material| Chances::of(score, material).win)
                .collect();
            assert!(wins.is_sorted(), "{score}: {wins:?}");
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
        assert_eq!(material(&Position::default()), FULL);
        let rooks = Position::from_fen("8/8/3k4/6r1/8/2R5/5K2/8 w - - 0 1").unwrap();
        let even = Chances::of(10, material(&rooks));
        assert!(even.draw > 930, "{even:?}");
        let start = Chances::of(30, FULL);
        assert!(
            (150..350).contains(&start.win) && start.loss < start.win,
            "{start:?}"
        );
        assert_eq!(Chances::of(mate_in(5), 5).to_string(), "1000 0 0");
        assert_eq!(Chances::of(mated_in(4), 78).to_string(), "0 0 1000");
        assert_eq!(Chances::DRAWN.to_string(), "0 1000 0");
    }

    #[test]
    fn the_expected_score_is_that_of_its_curve() {
        assert_eq!(expected(0), 0.5);
        assert_eq!((expected(mate_in(3)), expected(mated_in(2))), (1.0, 0.0));
        // half of the games won, few lost
        assert!((expected(HALF_WON as Score) - 0.688).abs() < 0.001);
        for score in [-500, -40, 7, 104, 900] {
            assert!((expected(score) + expected(-score) - 1.0).abs() < 1e-9);
        }
    }
}
