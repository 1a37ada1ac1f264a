//! What one answer is worth by the reference's opinion of the position.

use crate::board::Move;
use crate::compare::answer::Answer;
use crate::compare::set::Case;
use crate::nets::curve::thesis_unit;
use crate::nets::score::Score;
use crate::nets::wdl::expected;

/// Two moves are of equal strength when the expected scores that the reference gives them differ by less than this:
/// a fiftieth of a game's point, about 11 centipawns in a level position and more where the game is decided.
pub const EQUAL_STRENGTH: f64 = 0.02;
/// A move that gives away at least this much of the expected score is a blunder.
pub const BLUNDER: f64 = 0.2;
/// The reference's scores count up to 20 pawns; a mate is worth as much.
const SCORE_BOUND: Score = 2_000;
/// A loss counts up to ten pawns.
const LOSS_BOUND: Score = 1_000;

/// What is measured of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Measure {
    /// The reference's own move.
    Same,
    /// A move to which the reference prefers fewer than three others.
    TopThree,
    /// A move within 10 centipawns of the best.
    Within10,
    /// Within 30.
    Within30,
    /// A move as strong as the best; see [`EQUAL_STRENGTH`].
    Equal,
    /// A move that gives away much; see [`BLUNDER`].
    Blunder,
    /// Centipawns behind the best move.
    Loss,
    /// Expected score behind the best move.
    ExpectedLoss,
    /// Difference of the score after look-ahead from the reference's, ten pawns = 1.
    Error,
    /// The same of the network's score of the position itself.
    StaticError,
    Nodes,
    /// Positions that the network was asked about.
    Evaluations,
    /// Milliseconds.
    Time,
}

impl Measure {
    /// Every measure in the order of the reports.
    pub const ALL: [Measure; 13] = [
        Measure::Same,
        Measure::TopThree,
        Measure::Within10,
        Measure::Within30,
        Measure::Equal,
        Measure::Blunder,
        Measure::Loss,
        Measure::ExpectedLoss,
        Measure::Error,
        Measure::StaticError,
        Measure::Nodes,
        Measure::Evaluations,
        Measure::Time,
    ];

    /// The name in files.
    pub fn key(self) -> &'static str {
        match self {
            Measure::Same => "same",
            Measure::TopThree => "top_three",
            Measure::Within10 => "within_10cp",
            Measure::Within30 => "within_30cp",
            Measure::Equal => "equal_strength",
            Measure::Blunder => "blunder",
            Measure::Loss => "loss_cp",
            Measure::ExpectedLoss => "loss_expected",
            Measure::Error => "error",
            Measure::StaticError => "static_error",
            Measure::Nodes => "nodes",
            Measure::Evaluations => "evaluations",
            Measure::Time => "ms",
        }
    }

    /// The name in reports.
    pub fn title(self) -> &'static str {
        match self {
            Measure::Same => "same move",
            Measure::TopThree => "top three",
            Measure::Within10 => "within 10 cp",
            Measure::Within30 => "within 30 cp",
            Measure::Equal => "equal strength",
            Measure::Blunder => "blunders",
            Measure::Loss => "loss, cp",
            Measure::ExpectedLoss => "loss, expected",
            Measure::Error => "score error",
            Measure::StaticError => "static error",
            Measure::Nodes => "nodes",
            Measure::Evaluations => "evaluations",
            Measure::Time => "ms",
        }
    }

    /// The name with its unit, for headings.
    pub fn heading(self) -> String {
        match self.is_share() {
            true => format!("{}, %", self.title()),
            false => self.title().to_string(),
        }
    }

    /// Whether it is yes or no, so that a share of positions is reported, not a mean.
    pub fn is_share(self) -> bool {
        self <= Measure::Blunder
    }

    /// Decimal places in reports; shares are in per cent.
    pub fn decimals(self) -> usize {
        match self {
            Measure::ExpectedLoss | Measure::Error | Measure::StaticError => 3,
            Measure::Nodes | Measure::Evaluations => 0,
            _ => 1,
        }
    }

    /// The measure of an answer; 0 or 1 for a share, `None` where the reference or the answer does not say enough.
    pub fn of(self, case: &Case, answer: &Answer) -> Option<f64> {
        let losses = || losses(case, answer.best?);
        let flag = |flag: bool| f64::from(u8::from(flag));
        let error = |score: Option<Score>| {
            let reference = case.reference.score?;
            Some((thesis_unit(score?) - thesis_unit(reference)).abs())
        };
        match self {
            Measure::Same => Some(flag(is_right(case, answer.best?)?)),
            Measure::TopThree => Some(flag(case.reference.better_than(answer.best?)? < 3)),
            Measure::Within10 => losses().map(|(cp, _)| flag(cp <= 10)),
            Measure::Within30 => losses().map(|(cp, _)| flag(cp <= 30)),
            Measure::Equal => losses().map(|(_, lost)| flag(lost < EQUAL_STRENGTH)),
            Measure::Blunder => losses().map(|(_, lost)| flag(lost >= BLUNDER)),
            Measure::Loss => losses().map(|(cp, _)| f64::from(cp)),
            Measure::ExpectedLoss => losses().map(|(_, lost)| lost),
            Measure::Error => error(answer.score),
            Measure::StaticError => error(answer.static_score),
            Measure::Nodes => Some(answer.nodes as f64),
            Measure::Evaluations => answer.evaluations.map(|count| count as f64),
            Measure::Time => Some(answer.micros as f64 / 1e3),
        }
    }
}

/// Whether a move is the reference's; in a test suite that only warns, whether it is none of the bad ones.
pub fn is_right(case: &Case, m: Move) -> Option<bool> {
    let reference = &case.reference;
    if reference.is_empty() {
        return None;
    }
    let good = reference.best.is_empty() || reference.best.contains(&m);
    Some(good && !reference.avoid.contains(&m))
}

/// What a move gives away by the reference's scores: centipawns, at most ten pawns, and expected score.
fn losses(case: &Case, m: Move) -> Option<(Score, f64)> {
    let own = case.reference.score_of(m)?;
    let best = case.reference.moves.first()?.1;
    let bounded = |score: Score| score.clamp(-SCORE_BOUND, SCORE_BOUND);
    let lost = (bounded(best) - bounded(own)).clamp(0, LOSS_BOUND);
    Some((lost, (expected(best) - expected(own)).max(0.0)))
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::board::Position;
    use crate::compare::set::Reference;
    use crate::nets::score::{mate_in, mated_in};

    /// Two moves of a king and one of a pawn, of which the reference thinks this, best first.
    pub fn case(scores: [Score; 3]) -> (Case, Vec<Move>) {
        let position = Position::from_fen("7k/p7/8/8/8/8/P7/K7 w - - 0 1").unwrap();
        let moves: Vec<Move> = position
            .legal_moves()
            .into_iter()
            .filter(|m| m.from().to_string() == "a1")
            .chain(
                position
                    .legal_moves()
                    .into_iter()
                    .filter(|m| m.from().to_string() == "a2"),
            )
            .collect();
        let mut case = Case::new("made up", position);
        case.reference = Reference::of_moves(moves.iter().copied().zip(scores).collect());
        (case, moves)
    }

    fn measure(measure: Measure, scores: [Score; 3], place: usize) -> f64 {
        let (case, moves) = case(scores);
        let answer = Answer {
            best: Some(moves[place]),
            ..Answer::default()
        };
        measure.of(&case, &answer).unwrap()
    }

    #[test]
    fn moves_are_ranked_by_the_reference() {
        let scores = [50, 41, 10];
        assert_eq!(
            [0, 1, 2].map(|place| measure(Measure::Same, scores, place)),
            [1.0, 0.0, 0.0]
        );
        assert_eq!(
            [0, 1, 2].map(|place| measure(Measure::Within10, scores, place)),
            [1.0, 1.0, 0.0]
        );
        assert_eq!(
            [0, 1, 2].map(|place| measure(Measure::Within30, scores, place)),
            [1.0, 1.0, 0.0]
        );
        assert_eq!(
            [0, 1, 2].map(|place| measure(Measure::Loss, scores, place)),
            [0.0, 9.0, 40.0]
        );
        assert_eq!(
            [0, 1, 2].map(|place| measure(Measure::Equal, scores, place)),
            [1.0, 1.0, 0.0]
        );
        assert_eq!(measure(Measure::TopThree, scores, 2), 1.0);
    }

    #[test]
    fn losses_are_bounded_and_expected_scores_know_what_is_decided() {
        let lost = [900, -900, mated_in(4)];
        assert_eq!(measure(Measure::Loss, lost, 1), 1_000.0);
        assert_eq!(measure(Measure::Blunder, lost, 1), 1.0);
        assert!(measure(Measure::ExpectedLoss, lost, 2) > 0.99);
        // two pawns in a level game are a blunder, in a won one nothing
        assert_eq!(measure(Measure::Blunder, [0, -200, -300], 1), 1.0);
        let won = [mate_in(3), 1_900, 1_000];
        assert_eq!(measure(Measure::Blunder, won, 2), 0.0);
        assert_eq!(
            (measure(Measure::Loss, won, 1), measure(Measure::Loss, won, 2)),
            (100.0, 1_000.0)
        );
        assert_eq!(measure(Measure::Equal, [mate_in(3), mate_in(9), 0], 1), 1.0);
    }

    #[test]
    fn scores_are_compared_in_the_unit_of_the_thesis() {
        let (case, _) = case([250, 0, 0]);
        let answer = Answer {
            score: Some(-150),
            static_score: Some(mate_in(5)),
            micros: 2_500,
            ..Answer::default()
        };
        assert!((Measure::Error.of(&case, &answer).unwrap() - 0.4).abs() < 1e-6);
        assert!((Measure::StaticError.of(&case, &answer).unwrap() - 0.75).abs() < 1e-6);
        assert_eq!(Measure::Time.of(&case, &answer), Some(2.5));
        for measure in [Measure::Same, Measure::Loss, Measure::Evaluations] {
            assert_eq!(measure.of(&case, &answer), None);
        }
    }

    #[test]
    fn several_solutions_and_warnings() {
        let (mut case, moves) = case([3, 2, 1]);
        case.reference = Reference {
            best: vec![moves[0], moves[1]],
            ..Reference::default()
        };
        assert_eq!(
            [0, 1, 2].map(|n| is_right(&case, moves[n])),
            [Some(true), Some(true), Some(false)]
        );
        case.reference = Reference {
            avoid: vec![moves[2]],
            ..Reference::default()
        };
        assert_eq!(
            [0, 2].map(|n| is_right(&case, moves[n])),
            [Some(true), Some(false)]
        );
        case.reference = Reference::default();
        assert_eq!(is_right(&case, moves[0]), None);
    }
}
