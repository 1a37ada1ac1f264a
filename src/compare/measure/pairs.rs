//! Entrants two by two on the same positions: where they differ, who is right?
//!
//! Of two single contestants p is McNemar's exact test; where a group takes part, [`group`] has the test that counts the
//! noise of training too.

use super::entrant::Entrant;
use super::estimate::{Estimate, holm, mcnemar};
use super::group;
use super::judge::Measure;
use super::summary::shared_values;
use crate::compare::answer::Answers;
use crate::compare::contestant::Contestant;
use crate::compare::set::Set;
use rayon::prelude::*;
use serde::Serialize;

/// Two entrants on the positions that both have answered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pair {
    pub names: [String; 2],
    /// Their places among the entrants.
    #[serde(skip)]
    pub places: [usize; 2],
    /// Positions on which both have the reference's move; of groups the mean over all pairs of their members.
    pub both: f64,
    /// Positions on which only the first, or only the second, has it.
    pub only: [f64; 2],
    /// Positions on which neither has it.
    pub neither: f64,
    /// Whether this is the main comparison, which was named beforehand.
    pub main: bool,
    /// How likely a difference in the share of the reference's moves at least as large is by chance alone.
    pub p: f64,
    /// The same by Holm's correction for all pairs but the main one, which needs none.
    pub corrected: f64,
    /// How much more expected score the first loses than the second; below 0, the first is better.
    pub difference: Option<Estimate>,
}

/// Compares the entrants that share a limit (plies, nodes or time), and those of a table, whose limit is not known,
/// with all others. If no two share one, all are compared with all. `main` holds the places of the comparison that was
/// named beforehand; it comes first.
pub fn pairs(set: &Set, answers: &[Answers], entrants: &[Entrant], main: Option<[usize; 2]>) -> Vec<Pair> {
    let shared_limit = |place: usize| entrants[place].contestant.as_ref().map(Contestant::shared_limit);
    let meet = |one: usize, two: usize| match (shared_limit(one), shared_limit(two)) {
        (Some(one), Some(two)) => one == two,
        _ => true,
    };
    let all: Vec<[usize; 2]> = (0..entrants.len())
        .flat_map(|one| (one + 1..entrants.len()).map(move |two| [one, two]))
        .collect();
    let alike: Vec<[usize; 2]> = all.iter().copied().filter(|&[one, two]| meet(one, two)).collect();
    let mut chosen = if alike.is_empty() { all } else { alike };
    if let Some([one, two]) = main {
        chosen.retain(|&places| places != [one, two] && places != [two, one]);
        chosen.insert(0, [one, two]);
    }
    let mut pairs: Vec<Pair> = chosen
        .into_par_iter()
        .filter_map(|places| compare(set, answers, entrants, places))
        .collect();
    for pair in &mut pairs {
        pair.main = main == Some(pair.places);
    }
    let others = || pairs.iter().filter(|pair| !pair.main);
    let corrected = holm(&others().map(|pair| pair.p).collect::<Vec<f64>>());
    let others = pairs.iter_mut().filter(|pair| !pair.main);
    for (pair, corrected) in others.zip(corrected) {
        pair.corrected = corrected;
    }
    pairs
}

/// `None` where no position was answered by both with a move.
fn compare(set: &Set, answers: &[Answers], entrants: &[Entrant], places: [usize; 2]) -> Option<Pair> {
    let sides = places.map(|place| &entrants[place]);
    let members: Vec<&Answers> = sides
        .iter()
        .flat_map(|side| side.members.iter().map(|&place| &answers[place]))
        .collect();
    let first = sides[0].members.len();
    let values = |measure| shared_values(set, &members, measure, |_| true);
    let (same, lost) = (values(Measure::Same), values(Measure::ExpectedLoss));
    let (one, two) = same.split_at(first);
    // how often both are right, only the first, only the second, or neither, over all pairs of members
    let mut counts = [[0.0; 2]; 2];
    let weight = 1.0 / (one.len() * two.len()) as f64;
    for (one, two) in one.iter().flat_map(|one| two.iter().map(move |two| (one, two))) {
        for (&one, &two) in one.iter().zip(two) {
            counts[one as usize][two as usize] += weight;
        }
    }
    if same[0].is_empty() {
        return None;
    }
    let [[neither, only_second], [only_first, both]] = counts;
    let alone = members.len() == 2;
    let p = match alone {
        true => mcnemar(only_first as usize, only_second as usize),
        false => group::difference([one, two])?.p,
    };
    let (one, two) = lost.split_at(first);
    let difference = match alone {
        true => {
            let differences: Vec<f64> = one[0].iter().zip(&two[0]).map(|(one, two)| one - two).collect();
            Estimate::of_mean(&differences)
        }
        false => group::difference([one, two]).map(|found| found.estimate),
    };
    Some(Pair {
        names: sides.map(|side| side.name.clone()),
        places,
        both,
        only: [only_first, only_second],
        neither,
        main: false,
        p,
        corrected: p,
        difference,
    })
}

/// A position on which two contestants disagree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disagreement {
    /// The position's place.
    pub case: usize,
    /// The places of the better and of the worse among the answers.
    pub places: [usize; 2],
    /// What each loses in expected score.
    pub losses: [f64; 2],
}

/// The clearest disagreements: where one loses much more than the other. No position comes twice, and no pair
/// more than `per_pair` times.
pub fn telling(
    set: &Set,
    answers: &[Answers],
    entrants: &[Entrant],
    pairs: &[Pair],
    count: usize,
    per_pair: usize,
) -> Vec<Disagreement> {
    let mut all = Vec::new();
    for pair in pairs {
        // a group is represented by its first member
        let members = pair.places.map(|place| entrants[place].members[0]);
        for (place, case) in set.cases.iter().enumerate() {
            let loss = |side: usize| {
                let answer = answers[members[side]].rows[place].as_ref()?;
                Measure::ExpectedLoss.of(case, answer)
            };
            let (Some(one), Some(two)) = (loss(0), loss(1)) else {
                continue;
            };
            let [first, second] = members;
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
    use crate::compare::answer::Answer;
    use crate::compare::measure::entrant::entrants;
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
        let entrants = entrants(&[None, None], &answers);
        let pair = &pairs(&set, &answers, &entrants, None)[0];
        assert_eq!((pair.both, pair.only, pair.neither), (1.0, [3.0, 1.0], 1.0));
        assert!((pair.p - 0.625).abs() < 1e-9);
        assert_eq!(pair.difference.unwrap().count, 6);
        let telling = telling(&set, &answers, &entrants, std::slice::from_ref(pair), 9, 2);
        assert_eq!(telling.len(), 2);
        assert_eq!((telling[0].case, telling[0].places), (2, [0, 1]));
        assert_eq!((telling[1].case, telling[1].places), (4, [1, 0]));
    }

    #[test]
    fn no_position_is_told_twice() {
        let (set, mut answers) = made_up([&[0, 0], &[1, 2]]);
        answers.push(answers[1].clone());
        let entrants = entrants(&[None, None, None], &answers);
        let pairs = pairs(&set, &answers, &entrants, None);
        let telling = telling(&set, &answers, &entrants, &pairs, 9, 9);
        let cases: Vec<usize> = telling.iter().map(|found| found.case).collect();
        assert_eq!(cases, [1, 0], "the greatest gap first");
    }

    #[test]
    fn like_meets_like() {
        let (set, mut answers) = made_up([&[0], &[0]]);
        answers.push(answers[0].clone());
        let parse = |text| Contestant::parse(text, Path::new("none")).ok();
        let meet = |contestants: [Option<Contestant>; 3]| -> Vec<[usize; 2]> {
            let pairs = pairs(&set, &answers, &entrants(&contestants, &answers), None);
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

    #[test]
    fn the_main_comparison_is_not_corrected_and_the_others_are() {
        let (set, mut answers) = made_up([&[0; 12], &[1; 12]]);
        answers.push(answers[1].clone());
        for (place, name) in ["a", "b", "c"].into_iter().enumerate() {
            answers[place].name = name.to_string();
        }
        let entrants = entrants(&[None, None, None], &answers);
        let found = pairs(&set, &answers, &entrants, Some([2, 0]));
        let places: Vec<[usize; 2]> = found.iter().map(|pair| pair.places).collect();
        assert_eq!(places, [[2, 0], [0, 1], [1, 2]]);
        assert!(found[0].main && found[0].p == found[0].corrected);
        assert!(!found[1].main && (found[1].corrected - 2.0 * found[1].p).abs() < 1e-12);
        assert_eq!(found[2].corrected, 1.0);
    }

    #[test]
    fn a_group_is_compared_by_the_mean_of_its_members() {
        let (set, answers) = made_up([&[0, 0, 0, 0], &[0, 1, 0, 1]]);
        let third = made_up([&[0, 0, 1, 1], &[0; 4]]).1.remove(0);
        let all = [answers[0].clone(), answers[1].clone(), third];
        let mut grouped = entrants(&[None, None, None], &all);
        grouped.truncate(2);
        grouped[1].members = vec![1, 2];
        let pair = &pairs(&set, &all, &grouped, None)[0];
        assert_eq!((pair.both, pair.only), (2.0, [2.0, 0.0]));
        assert!(pair.difference.unwrap().value < 0.0 && pair.p > 0.0 && pair.p < 1.0);
    }
}
