//! How good answers are, by the author's measure and by others.

use super::coding::{Coding, Task};
use super::net::Said;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::hash::Hash;

/// A net of whose answers at least this share is the same has collapsed: it says one thing, whatever it is shown.
pub const COLLAPSED: f64 = 0.999;

/// Shares of rows, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// The author's: the largest output is the first of the target's ones; with one output, it is right.
    pub accuracy: f64,
    /// The same for each class of that measure, on average over those that there are.
    pub balanced: f64,
    /// Every output is right.
    pub exact: f64,
    /// The first question's outputs are all right, on average over its classes.
    pub balanced_exact: f64,
    /// The commonest answer by the author's measure.
    pub commonest: f64,
}

impl Figures {
    /// Measures what was said of rows whose classes are known. All are 0 without rows.
    pub fn of(task: Task, coding: &Coding, said: &[Said], classes: &[Vec<u8>]) -> Figures {
        let measured = said.iter().zip(classes).map(|(said, classes)| {
            let right = |question: usize| said.classes[question] == Some(classes[question]);
            let exact = (0..classes.len()).all(right);
            let (class, answer, largest_right) = match task {
                Task::FreeFile => (
                    usize::from(classes[0]),
                    said.classes[0].map_or(usize::MAX, usize::from),
                    exact,
                ),
                _ => {
                    let class = coding.first_one(classes);
                    (class, said.largest, said.largest == class)
                }
            };
            Row {
                class,
                answer,
                largest_right,
                exact,
                first: (classes[0], right(0)),
            }
        });
        let rows: Vec<Row> = measured.collect();
        let share = |count: usize| count as f64 / rows.len().max(1) as f64;
        Figures {
            accuracy: share(rows.iter().filter(|row| row.largest_right).count()),
            balanced: balanced(rows.iter().map(|row| (row.class, row.largest_right))),
            exact: share(rows.iter().filter(|row| row.exact).count()),
            balanced_exact: balanced(rows.iter().map(|row| row.first)),
            commonest: share(commonest(rows.iter().map(|row| row.answer)).map_or(0, |(_, count)| count)),
        }
    }

    /// Whether the net says one thing.
    pub fn is_collapsed(&self) -> bool {
        self.commonest >= COLLAPSED
    }
}

/// One row, measured.
struct Row {
    /// By the author's measure.
    class: usize,
    answer: usize,
    largest_right: bool,
    exact: bool,
    /// The class of the first question, and whether it was found.
    first: (u8, bool),
}

/// The share of right rows of each class, on average over the classes.
fn balanced<C: Hash + Eq>(rows: impl Iterator<Item = (C, bool)>) -> f64 {
    let mut classes: HashMap<C, [usize; 2]> = HashMap::new();
    for (class, right) in rows {
        let [rows, rights] = classes.entry(class).or_default();
        *rows += 1;
        *rights += usize::from(right);
    }
    // sorted, for a sum of floats depends on its order
    let mut shares: Vec<f64> = classes
        .values()
        .map(|&[rows, right]| right as f64 / rows as f64)
        .collect();
    shares.sort_by(f64::total_cmp);
    shares.iter().sum::<f64>() / shares.len().max(1) as f64
}

/// The most common item, the smallest of equally common ones, and its count.
fn commonest<T: Hash + Ord>(items: impl Iterator<Item = T>) -> Option<(T, usize)> {
    let mut counts: HashMap<T, usize> = HashMap::new();
    for item in items {
        *counts.entry(item).or_default() += 1;
    }
    counts
        .into_iter()
        .max_by(|one, two| one.1.cmp(&two.1).then_with(|| two.0.cmp(&one.0)))
}

/// The figures of a predictor that looks at nothing: for each measure what is commonest in the training rows.
pub fn constant(task: Task, coding: &Coding, training: &[Vec<u8>], test: &[Vec<u8>]) -> Figures {
    let largest = commonest(training.iter().map(|classes| coding.first_one(classes)));
    let exact = commonest(training.iter().cloned());
    let (Some((largest, _)), Some((classes, _))) = (largest, exact) else {
        return Figures::of(task, coding, &[], &[]);
    };
    let said = Said {
        largest,
        classes: classes.into_iter().map(Some).collect(),
    };
    Figures::of(task, coding, &vec![said; test.len()], test)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(largest: usize, class: Option<u8>) -> Said {
        Said {
            largest,
            classes: vec![class],
        }
    }

    #[test]
    fn figures_by_hand() {
        let task = Task::Evaluation(2);
        let coding = task.coding();
        // White a little ahead twice, White far ahead, Black ahead: their first ones are 1, 1, 6 and the sign, 0
        let classes = [vec![0], vec![0], vec![5], vec![8]];
        let answers = [
            said(1, Some(0)),
            said(1, None),
            said(1, Some(0)),
            said(0, Some(7)),
        ];
        let figures = Figures::of(task, &coding, &answers, &classes);
        assert_eq!(figures.accuracy, 0.75);
        assert!((figures.balanced - (1.0 + 0.0 + 1.0) / 3.0).abs() < 1e-12);
        assert_eq!(figures.exact, 0.25);
        assert!((figures.balanced_exact - 0.5 / 3.0).abs() < 1e-12);
        assert_eq!(figures.commonest, 0.75);
        assert!(!figures.is_collapsed());
    }

    #[test]
    fn the_constant_says_what_is_commonest() {
        let task = Task::Evaluation(1);
        let coding = task.coding();
        // by the author's measure the first class is the commonest, by whole classes a lead of White
        let training = [vec![1], vec![1], vec![1], vec![0], vec![0], vec![8], vec![9]];
        let test = [vec![0], vec![1], vec![15], vec![8]];
        let figures = constant(task, &coding, &training, &test);
        assert_eq!((figures.accuracy, figures.exact), (0.75, 0.25));
        assert_eq!((figures.balanced, figures.balanced_exact), (0.5, 0.25));
        assert!(figures.is_collapsed());
        assert_eq!(constant(task, &coding, &[], &[]).accuracy, 0.0);
    }

    #[test]
    fn one_output_is_right_or_wrong() {
        let task = Task::FreeFile;
        let classes = [vec![0], vec![1], vec![1], vec![1]];
        let answers = [
            said(0, Some(0)),
            said(0, Some(0)),
            said(0, Some(1)),
            said(0, Some(1)),
        ];
        let figures = Figures::of(task, &task.coding(), &answers, &classes);
        assert_eq!((figures.accuracy, figures.exact), (0.75, 0.75));
        assert!((figures.balanced - (1.0 + 2.0 / 3.0) / 2.0).abs() < 1e-12);
        assert_eq!(figures.commonest, 0.5);
    }

    #[test]
    fn a_net_that_says_one_thing_has_collapsed() {
        let task = Task::Evaluation(6);
        let coding = task.coding();
        let classes: Vec<Vec<u8>> = (0..2_000).map(|n| vec![n as u8 % 20]).collect();
        let mut answers = vec![said(0, None); 2_000];
        assert!(Figures::of(task, &coding, &answers, &classes).is_collapsed());
        for answer in &mut answers[..3] {
            answer.largest = 4;
        }
        assert!(!Figures::of(task, &coding, &answers, &classes).is_collapsed());
    }
}
