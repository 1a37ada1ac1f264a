//! The measures of every contestant over all positions and over parts of them.

use super::entrant::Entrant;
use super::estimate::Estimate;
use super::group;
use super::judge::Measure;
use crate::board::Phase;
use crate::compare::answer::Answers;
use crate::compare::set::{Case, Set};
use rayon::prelude::*;

/// Some of the positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subset {
    All,
    /// A part of the game.
    Phase(Phase),
    /// No check, and the reference's move neither captures nor promotes.
    Quiet,
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

/// One entrant's estimates.
#[derive(Clone, Debug)]
pub struct Summary {
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

/// Measures every entrant.
pub fn summarize(set: &Set, answers: &[Answers], entrants: &[Entrant]) -> Vec<Summary> {
    let of_one = |entrant: &Entrant| {
        let members: Vec<&Answers> = entrant.members.iter().map(|&place| &answers[place]).collect();
        Summary {
            name: entrant.name.clone(),
            identity: entrant.identity.clone(),
            rows: Subset::ALL
                .iter()
                .map(|&subset| Measure::ALL.map(|measure| estimate(set, &members, subset, measure)))
                .collect(),
        }
    };
    entrants.par_iter().map(of_one).collect()
}

fn estimate(set: &Set, members: &[&Answers], subset: Subset, measure: Measure) -> Option<Estimate> {
    // a table does not hold nodes, evaluations or times
    if members[0].identity.starts_with("table ") && measure >= Measure::Nodes {
        return None;
    }
    let mut values = shared_values(set, members, measure, |case| subset.holds(case));
    match (values.len(), measure.is_share()) {
        (1, true) => Estimate::of_share(&values.remove(0)),
        (1, false) => Estimate::of_mean(&values.remove(0)),
        (_, is_share) => group::estimate(&values).map(|found| Estimate {
            // with few members the interval can exceed the possible values
            low: found.low.max(0.0),
            high: if is_share { found.high.min(1.0) } else { found.high },
            ..found
        }),
    }
}

/// A measure of the answers of several (outer), on the positions where all have it (inner).
pub fn shared_values(
    set: &Set,
    members: &[&Answers],
    measure: Measure,
    wanted: impl Fn(&Case) -> bool,
) -> Vec<Vec<f64>> {
    let mut values = vec![Vec::new(); members.len()];
    for (place, case) in set.cases.iter().enumerate().filter(|(_, case)| wanted(case)) {
        let of = |answers: &&Answers| measure.of(case, answers.rows[place].as_ref()?);
        let row: Option<Vec<f64>> = members.iter().map(of).collect();
        for (values, value) in values.iter_mut().zip(row.into_iter().flatten()) {
            values.push(value);
        }
    }
    values
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
    use crate::compare::measure::entrant::entrants;
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
        let answers = [answers];
        let summary = &summarize(&set, &answers, &entrants(&[None], &answers))[0];
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

    #[test]
    fn shares_of_a_group_stay_between_none_and_all() {
        let (cases, moves): (Vec<Case>, Vec<_>) = (0..8).map(|_| case([40, 10, -900])).unzip();
        let set = Set {
            cases,
            ..Set::default()
        };
        let answers = [0, 1].map(|blunders| Answers {
            rows: (0..8)
                .map(|place| {
                    Some(Answer {
                        best: Some(moves[place][if place < blunders { 2 } else { 0 }]),
                        ..Answer::default()
                    })
                })
                .collect(),
            ..Answers::default()
        });
        let mut both = entrants(&[None, None], &answers);
        both.truncate(1);
        both[0].members = vec![0, 1];
        let summary = &summarize(&set, &answers, &both)[0];
        for measure in [Measure::Same, Measure::Blunder, Measure::Loss] {
            let found = summary.get(Subset::All, measure).unwrap();
            assert!(found.low >= 0.0 && found.low <= found.value, "{found:?}");
            assert!(found.high >= found.value, "{found:?}");
            assert!(found.high <= 1.0 || measure == Measure::Loss, "{found:?}");
        }
    }
}
