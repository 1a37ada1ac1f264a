//! Contestants two by two on the same positions: where they differ, who is right?

use super::estimate::{Estimate, mcnemar};
use super::judge::Measure;
use crate::compare::answer::{Answer, Answers};
use crate::compare::contestant::Contestant;
use crate::compare::set::Set;
use serde::Serialize;

/// Two contestants on the positions that both have answered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// The names.
    pub names: [String; 2],
    /// Their places among the contestants.
    #[serde(skip)]
    pub places: [usize; 2],
    /// Positions on which both have the reference's move.
    pub both: usize,
    /// Positions on which only the first, or only the second, has it.
    pub only: [usize; 2],
    /// Positions on which neither has it.
    pub neither: usize,
    /// McNemar's exact test of `only`.
    pub p: f64,
    /// How much more expected score the first loses than the second; below 0, the first is better.
    pub difference: Option<Estimate>,
}

/// Compares contestants that were given the same plies, nodes or time, and those of a table, of which that is not known,
/// with all; all with all where no two were given the same.
pub fn pairs(set: &Set, contestants: &[Option<Contestant>], answers: &[Answers]) -> Vec<Pair> {
    let shared_limit = |place: usize| contestants[place].as_ref().map(Contestant::shared_limit);
    let meet = |one: usize, two: usize| match (shared_limit(one), shared_limit(two)) {
        (Some(one), Some(two)) => one == two,
        _ => true,
    };
    let all: Vec<[usize; 2]> = (0..answers.len())
        .flat_map(|one| (one + 1..answers.len()).map(move |two| [one, two]))
        .collect();
    let alike: Vec<[usize; 2]> = all.iter().copied().filter(|&[one, two]| meet(one, two)).collect();
    let chosen = if alike.is_empty() { all } else { alike };
    chosen
        .into_iter()
        .filter_map(|places| compare(set, answers, places))
        .collect()
}

/// `None` where no position was answered by both with a move.
fn compare(set: &Set, answers: &[Answers], places: [usize; 2]) -> Option<Pair> {
    let sides = places.map(|place| &answers[place]);
    let mut counts = [[0; 2]; 2];
    let mut differences = Vec::new();
    for (case, rows) in set.cases.iter().zip(sides[0].rows.iter().zip(&sides[1].rows)) {
        let (Some(one), Some(two)) = rows_of(rows) else {
            continue;
        };
        let of = |measure: Measure| Some((measure.of(case, one)?, measure.of(case, two)?));
        if let Some((one, two)) = of(Measure::Same) {
            counts[one as usize][two as usize] += 1;
        }
        differences.extend(of(Measure::ExpectedLoss).map(|(one, two)| one - two));
    }
    let [[neither, second], [first, both]] = counts;
    (neither + second + first + both > 0).then(|| Pair {
        names: sides.map(|side| side.name.clone()),
        places,
        both,
        only: [first, second],
        neither,
        p: mcnemar(first, second),
        difference: Estimate::of_mean(&differences),
    })
}

fn rows_of<'a>(rows: (&'a Option<Answer>, &'a Option<Answer>)) -> (Option<&'a Answer>, Option<&'a Answer>) {
    (rows.0.as_ref(), rows.1.as_ref())
}

/// A position on which two contestants disagree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disagreement {
    /// The position's place.
    pub case: usize,
    /// The better and the worse contestant's places.
    pub places: [usize; 2],
    /// What each loses in expected score.
    pub losses: [f64; 2],
}

/// The clearest disagreements: where one loses much more than the other. No position comes twice, and no pair
/// more than `per_pair` times.
pub fn telling(
    set: &Set,
    answers: &[Answers],
    pairs: &[Pair],
    count: usize,
    per_pair: usize,
) -> Vec<Disagreement> {
    let mut all = Vec::new();
    for pair in pairs {
        for (place, case) in set.cases.iter().enumerate() {
            let loss = |side: usize| {
                let answer = answers[pair.places[side]].rows[place].as_ref()?;
                Measure::ExpectedLoss.of(case, answer)
            };
            let (Some(one), Some(two)) = (loss(0), loss(1)) else {
                continue;
            };
            let [first, second] = pair.places;
            let better_first = one < two;
            all.push(Disagreement {
                case: place,
                places: if better_first {
                    [first, second]
                } else {
                    [second, first]
                },
                losses: if better_first { [one, two] } else { [two, one] },
            });
        }
    }
    let gap = |found: &Disagreement| found.losses[1] - found.losses[0];
    all.retain(|found| gap(found) > 0.0);
    all.sort_by(|one, two| gap(two).total_cmp(&gap(one)));
    let mut chosen: Vec<Disagreement> = Vec::new();
    for found in all {
        let unordered = |places: [usize; 2]| [places[0].min(places[1]), places[0].max(places[1])];
        let same_pair = chosen
            .iter()
            .filter(|known| unordered(known.places) == unordered(found.places))
            .count();
        if chosen.len() < count && same_pair < per_pair && chosen.iter().all(|known| known.case != found.case)
        {
            chosen.push(found);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::measure::judge::tests::case;
    use crate::compare::set::Case;
    use std::path::Path;

    fn made_up(choices: [&[usize]; 2]) -> (Set, Vec<Answers>) {
        let (cases, moves): (Vec<Case>, Vec<_>) = choices[0].iter().map(|_| case([40, 10, -900])).unzip();
        let answers = choices.map(|choices| Answers {
            rows: choices
                .iter()
                .enumerate()
                .map(|(place, &choice)| {
                    Some(Answer {
                        best: Some(moves[place][choice]),
                        ..Answer::default()
                    })
                })
                .collect(),
            ..Answers::default()
        });
        let set = Set {
            cases,
            ..Set::default()
        };
        (set, answers.into())
    }

    #[test]
    fn who_is_right_where_they_differ() {
        let (set, answers) = made_up([&[0, 0, 0, 1, 2, 0], &[0, 1, 2, 0, 1, 1]]);
        let pair = &pairs(&set, &[None, None], &answers)[0];
        assert_eq!((pair.both, pair.only, pair.neither), (1, [3, 1], 1));
        assert!((pair.p - 0.625).abs() < 1e-9);
        assert_eq!(pair.difference.unwrap().count, 6);
        let telling = telling(&set, &answers, std::slice::from_ref(pair), 9, 2);
        assert_eq!(telling.len(), 2);
        assert_eq!((telling[0].case, telling[0].places), (2, [0, 1]));
        assert_eq!((telling[1].case, telling[1].places), (4, [1, 0]));
    }

    #[test]
    fn like_meets_like() {
        let (set, mut answers) = made_up([&[0], &[0]]);
        answers.push(answers[0].clone());
        let parse = |text| Contestant::parse(text, Path::new("none")).ok();
        let meet = |contestants: [Option<Contestant>; 3]| -> Vec<[usize; 2]> {
            let pairs = pairs(&set, &contestants, &answers);
            pairs.iter().map(|pair| pair.places).collect()
        };
        assert_eq!(
            meet([parse("mlp@2"), parse("mlp@3"), parse("x@depth:3")]),
            [[1, 2]]
        );
        assert_eq!(
            meet([parse("mlp@2"), parse("mlp@3"), parse("x@depth:4")]).len(),
            3
        );
        // a table's contestant meets all
        assert_eq!(meet([None, parse("mlp@2"), parse("mlp@3")]), [[0, 1], [0, 2]]);
    }
}
