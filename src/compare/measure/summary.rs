//! The measures of every contestant over all positions and over parts of them.

use super::estimate::Estimate;
use super::judge::Measure;
use crate::board::Phase;
use crate::compare::answer::Answers;
use crate::compare::set::{Case, Set};
use rayon::prelude::*;

/// Some of the positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subset {
    /// Every position.
    All,
    /// A part of the game.
    Phase(Phase),
    /// No check, and the reference's move neither captures nor promotes.
    Quiet,
    /// The others.
    Sharp,
}

impl Subset {
    /// Every group in the order of the reports.
    pub const ALL: [Subset; 6] = [
        Subset::All,
        Subset::Phase(Phase::Opening),
        Subset::Phase(Phase::Middlegame),
        Subset::Phase(Phase::Endgame),
        Subset::Quiet,
        Subset::Sharp,
    ];

    /// The name in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Subset::All => "all",
            Subset::Phase(Phase::Opening) => "opening",
            Subset::Phase(Phase::Middlegame) => "middle game",
            Subset::Phase(Phase::Endgame) => "ending",
            Subset::Quiet => "quiet",
            Subset::Sharp => "not quiet",
        }
    }

    /// Whether a position belongs to it.
    pub fn holds(self, case: &Case) -> bool {
        match self {
            Subset::All => true,
            Subset::Phase(phase) => case.phase() == phase,
            Subset::Quiet => case.is_quiet() == Some(true),
            Subset::Sharp => case.is_quiet() == Some(false),
        }
    }
}

/// The estimates of one contestant on one group, in the order of [`Measure::ALL`].
pub type Estimates = [Option<Estimate>; Measure::ALL.len()];

/// One contestant's estimates.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The contestant.
    pub name: String,
    /// Its exact identity.
    pub identity: String,
    /// One row for each of [`Subset::ALL`].
    pub rows: Vec<Estimates>,
}

impl Summary {
    /// One measure on one group; `None` where nothing could be measured.
    pub fn get(&self, group: Subset, measure: Measure) -> Option<Estimate> {
        let place = Subset::ALL.iter().position(|&known| known == group)?;
        self.rows.get(place)?[measure as usize]
    }
}

/// Measures every contestant.
pub fn summarize(set: &Set, answers: &[Answers]) -> Vec<Summary> {
    let of_one = |answers: &Answers| Summary {
        name: answers.name.clone(),
        identity: answers.identity.clone(),
        rows: Subset::ALL
            .iter()
            .map(|&group| Measure::ALL.map(|measure| estimate(set, answers, group, measure)))
            .collect(),
    };
    answers.par_iter().map(of_one).collect()
}

fn estimate(set: &Set, answers: &Answers, group: Subset, measure: Measure) -> Option<Estimate> {
    let values: Vec<f64> = values(set, answers, measure)
        .filter(|(case, _)| group.holds(case))
        .map(|(_, value)| value)
        .collect();
    // a table says nothing of its contestants' work
    if answers.identity.starts_with("table ") && measure >= Measure::Nodes {
        return None;
    }
    match measure.is_share() {
        true => Estimate::of_share(&values),
        false => Estimate::of_mean(&values),
    }
}

/// A measure of all answers, with their positions.
pub fn values<'a>(
    set: &'a Set,
    answers: &'a Answers,
    measure: Measure,
) -> impl Iterator<Item = (&'a Case, f64)> {
    set.cases
        .iter()
        .zip(&answers.rows)
        .filter_map(move |(case, answer)| Some((case, measure.of(case, answer.as_ref()?)?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::answer::Answer;
    use crate::compare::measure::judge::tests::case;

    #[test]
    fn shares_and_means_over_a_made_up_set() {
        // of four answers two are the best move, one loses 30 cp, one a piece
        let scores = [40, 10, -260];
        let (cases, moves): (Vec<Case>, Vec<_>) = (0..4).map(|_| case(scores)).unzip();
        let set = Set {
            cases,
            ..Set::default()
        };
        let answer = |place: usize, chosen: usize| {
            Some(Answer {
                best: Some(moves[place][chosen]),
                score: Some(140),
                nodes: 10 * (place as u64 + 1),
                ..Answer::default()
            })
        };
        let answers = Answers {
            name: "made up".to_string(),
            rows: vec![answer(0, 0), answer(1, 0), answer(2, 1), answer(3, 2)],
            ..Answers::default()
        };
        let summary = &summarize(&set, &[answers])[0];
        let value = |measure| summary.get(Subset::All, measure).map(|estimate| estimate.value);
        assert_eq!(value(Measure::Same), Some(0.5));
        assert_eq!(value(Measure::TopThree), Some(1.0));
        assert_eq!(value(Measure::Within10), Some(0.5));
        assert_eq!(value(Measure::Within30), Some(0.75));
        assert_eq!(value(Measure::Loss), Some(82.5));
        assert_eq!(value(Measure::Blunder), Some(0.25));
        assert!((value(Measure::Error).unwrap() - 0.1).abs() < 1e-6);
        assert_eq!(
            (value(Measure::Nodes), value(Measure::StaticError)),
            (Some(25.0), None)
        );
        assert_eq!(summary.get(Subset::Phase(Phase::Opening), Measure::Same), None);
        assert_eq!(summary.get(Subset::Quiet, Measure::Same).unwrap().count, 4);
    }
}
