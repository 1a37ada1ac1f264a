//! A second opinion: the same answers by another reference's scores of the same positions.

use super::entrant::Entrant;
use super::judge::{EQUAL_STRENGTH, Measure};
use super::pairs::{Pair, pairs};
use super::summary::{Subset, Summary, summarize};
use crate::compare::answer::Answers;
use crate::compare::error::CompareError;
use crate::compare::set::{Reference, Set};
use crate::nets::wdl::expected;
use serde::Serialize;
use std::collections::HashMap;
use std::path::Path;

/// What another referee makes of the answers.
#[derive(Clone, Debug)]
pub struct SecondOpinion {
    /// Who the referee is.
    pub labelled_by: String,
    /// How far it agrees with the first.
    pub agreement: Agreement,
    /// The entrants by its scores.
    pub summaries: Vec<Summary>,
    /// The same pairs by its scores.
    pub pairs: Vec<Pair>,
}

/// How far two referees agree, in positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Agreement {
    /// Positions that both have scored.
    pub positions: usize,
    /// Where they have the same best move.
    pub same: usize,
    /// Where the first's best move is of equal strength by the second's scores.
    pub equal: usize,
}

/// Judges the answers by another referee's labels of the same positions.
///
/// # Errors
/// [`CompareError::File`] names the first position that the other has no label for.
pub fn second_opinion(
    set: &Set,
    referee: &Set,
    path: &Path,
    answers: &[Answers],
    entrants: &[Entrant],
    main: Option<[usize; 2]>,
) -> Result<SecondOpinion, CompareError> {
    let known: HashMap<String, &Reference> = referee
        .cases
        .iter()
        .map(|case| (case.fen(), &case.reference))
        .collect();
    let mut other = set.clone();
    other.labelled_by = referee.labelled_by.clone();
    let mut agreement = Agreement::default();
    for case in &mut other.cases {
        let fen = case.fen();
        let Some(&reference) = known.get(&fen) else {
            let reason = format!("it has no label for {fen}: a referee must know all positions");
            return Err(CompareError::file(path, reason));
        };
        agreement.add(&case.reference, reference);
        case.reference = reference.clone();
    }
    Ok(SecondOpinion {
        summaries: summarize(&other, answers, entrants),
        pairs: pairs(&other, answers, entrants, main),
        labelled_by: other.labelled_by,
        agreement,
    })
}

impl Agreement {
    fn add(&mut self, first: &Reference, second: &Reference) {
        let (Some(&one), Some(&two)) = (first.best.first(), second.best.first()) else {
            return;
        };
        self.positions += 1;
        self.same += usize::from(one == two);
        let lost = second
            .score_of(one)
            .zip(second.score)
            .map(|(own, best)| expected(best) - expected(own));
        self.equal += usize::from(lost.is_some_and(|lost| lost < EQUAL_STRENGTH));
    }
}

/// The places of the entrants by a measure on all positions, from 1 for the best; `None` for those without it.
pub fn ranks(summaries: &[Summary], measure: Measure) -> Vec<Option<usize>> {
    // of these alone more is better
    let sign = if measure <= Measure::Equal { -1.0 } else { 1.0 };
    let values: Vec<Option<f64>> = summaries
        .iter()
        .map(|summary| Some(sign * summary.get(Subset::All, measure)?.value))
        .collect();
    let rank = |own: f64| 1 + values.iter().flatten().filter(|&&value| value < own).count();
    values.iter().map(|value| value.map(rank)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::answer::Answer;
    use crate::compare::measure::entrant::entrants;
    use crate::compare::measure::judge::tests::case;

    #[test]
    fn another_referee_changes_the_places() {
        let (first, moves) = case([40, 10, -900]);
        let mut second = first.clone();
        second.reference = Reference::of_moves(moves.iter().copied().zip([-60, 90, -900]).collect());
        let of = |case, labelled_by: &str| Set {
            cases: vec![case],
            labelled_by: labelled_by.to_string(),
            recorded: Vec::new(),
        };
        let (set, referee) = (of(first, "one"), of(second, "two"));
        let answers = [0, 1].map(|choice| Answers {
            name: choice.to_string(),
            identity: String::new(),
            rows: vec![Some(Answer {
                best: Some(moves[choice]),
                ..Answer::default()
            })],
        });
        let entrants = entrants(&[None, None], &answers);
        let opinion = second_opinion(&set, &referee, Path::new("x"), &answers, &entrants, None).unwrap();
        let expected = Agreement {
            positions: 1,
            same: 0,
            equal: 0,
        };
        assert_eq!(
            (opinion.agreement, opinion.labelled_by.as_str()),
            (expected, "two")
        );
        let before = summarize(&set, &answers, &entrants);
        for measure in [Measure::Same, Measure::ExpectedLoss] {
            assert_eq!(ranks(&before, measure), [Some(1), Some(2)]);
            assert_eq!(ranks(&opinion.summaries, measure), [Some(2), Some(1)]);
        }
        assert_eq!(opinion.pairs[0].only, [0.0, 1.0]);
        let none = of(case([1, 2, 3]).0, "three");
        let few = Set {
            cases: Vec::new(),
            ..none
        };
        let error = second_opinion(&set, &few, Path::new("x.csv"), &answers, &entrants, None).unwrap_err();
        assert!(
            error.to_string().starts_with("x.csv: it has no label for "),
            "{error}"
        );
    }
}
