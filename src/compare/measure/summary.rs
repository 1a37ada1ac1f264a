//! The measures of every contestant over all positions and over parts of them.

use super::estimate::Estimate;
use super::judge::Measure;
use crate::board::Phase;
use crate::compare::{Answers, Case, Set};
use rayon::prelude::*;

/// Some of the positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Every position.
    All,
    /// A part of the game.
    Phase(Phase),
    /// No check, and the reference's move neither captures nor promotes.
    Quiet,
    /// The others.
    Sharp,
}

impl Group {
    /// Every group in the order of the reports.
    pub const ALL: [Group; 6] = [
        Group::All,
        Group::Phase(Phase::Opening),
        Group::Phase(Phase::Middlegame),
        Group::Phase(Phase::Endgame),
        Group::Quiet,
        Group::Sharp,
    ];

    /// The name in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Group::All => "all",
            Group::Phase(Phase::Opening) => "opening",
            Group::Phase(Phase::Middlegame) => "middle game",
            Group::Phase(Phase::Endgame) => "ending",
            Group::Quiet => "quiet",
            Group::Sharp => "not quiet",
        }
    }

    /// Whether a position belongs to it.
    pub fn holds(self, case: &Case) -> bool {
        match self {
            Group::All => true,
            Group::Phase(phase) => case.phase() == phase,
            Group::Quiet => case.is_quiet() == Some(true),
            Group::Sharp => case.is_quiet() == Some(false),
        }
    }
}

/// The estimates of one contestant on one group, in the order of [`Measure::ALL`].
pub type Row = [Option<Estimate>; Measure::ALL.len()];

/// One contestant's estimates.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The contestant.
    pub name: String,
    /// What it exactly is.
    pub identity: String,
    /// One row for each of [`Group::ALL`].
    pub rows: Vec<Row>,
}

impl Summary {
    /// One measure on one group; `None` where nothing could be measured.
    pub fn get(&self, group: Group, measure: Measure) -> Option<Estimate> {
        let place = Group::ALL.iter().position(|&known| known == group)?;
        self.rows.get(place)?[measure as usize]
    }
}

/// Measures every contestant.
pub fn summarize(set: &Set, answers: &[Answers]) -> Vec<Summary> {
    let of_one = |answers: &Answers| Summary {
        name: answers.name.clone(),
        identity: answers.identity.clone(),
        rows: Group::ALL
            .iter()
            .map(|&group| Measure::ALL.map(|measure| estimate(set, answers, group, measure)))
            .collect(),
    };
    answers.par_iter().map(of_one).collect()
}

fn estimate(set: &Set, answers: &Answers, group: Group, measure: Measure) -> Option<Estimate> {
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
    use crate::compare::Answer;
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
        let value = |measure| summary.get(Group::All, measure).map(|estimate| estimate.value);
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
        assert_eq!(summary.get(Group::Phase(Phase::Opening), Measure::Same), None);
        assert_eq!(summary.get(Group::Quiet, Measure::Same).unwrap().count, 4);
    }
}
