//! The outputs of the nets: which classes there are, and the zeros and ones that the author writes for each.
//!
//! The thesis lists seven codings of an evaluation in its §3.4 and measures seven in its annex, under other numbers and
//! with outputs in another order. Here they have the annex's numbers and the order of the author's program, without which
//! the annex's figures would be others: the class of a row is the first of its ones.

use serde::{Deserialize, Serialize};

/// The bounds of the sizes of an evaluation: 8 intervals (tables' codings 1, 3, 4 and 5).
const EIGHT: &[f64] = &[0.25, 0.5, 1.0, 1.5, 2.5, 3.5, 4.5];
/// 10 intervals (6 and 7, and the change that a move makes).
const TEN: &[f64] = &[0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.5, 3.5, 4.5];
/// 6 intervals (2).
const SIX: &[f64] = &[0.5, 1.5, 2.5, 3.5, 4.5];

/// What a net is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// The evaluation of a position, by one of the seven codings.
    Evaluation(u8),
    /// How a move changes the evaluation, and whether somebody is to be mated after it: 21 outputs.
    Change,
    /// The same with capture, check, the place on the board and the squares attacked: 27 outputs.
    Explanation,
    /// Whether a move goes to a file without pawns: one output.
    FreeFile,
}

impl Task {
    /// Every task: positions first.
    pub const ALL: [Task; 10] = [
        Task::Evaluation(1),
        Task::Evaluation(2),
        Task::Evaluation(3),
        Task::Evaluation(4),
        Task::Evaluation(5),
        Task::Evaluation(6),
        Task::Evaluation(7),
        Task::Change,
        Task::Explanation,
        Task::FreeFile,
    ];

    /// Whether it is asked of a move, that is of two boards.
    pub fn of_moves(self) -> bool {
        !matches!(self, Task::Evaluation(_))
    }

    /// The classes and outputs.
    pub fn coding(self) -> Coding {
        let change = Part::evaluation(TEN, Style::default());
        let fact = || Part {
            codes: vec![vec![0], vec![1]],
        };
        Coding {
            parts: match self {
                Task::Evaluation(number) => vec![evaluation(number)],
                Task::Change => vec![change, fact()],
                Task::Explanation => vec![change, fact(), fact(), fact(), Part::one_of(3), fact()],
                Task::FreeFile => vec![fact()],
            },
        }
    }
}

impl std::fmt::Display for Task {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Task::Evaluation(number) => write!(f, "evaluation {number}"),
            Task::Change => write!(f, "change of a move"),
            Task::Explanation => write!(f, "explanation"),
            Task::FreeFile => write!(f, "free file"),
        }
    }
}

/// The codings of an evaluation by the numbers of the annex's tables.
fn evaluation(number: u8) -> Part {
    let (bounds, style) = match number {
        1 => (EIGHT, Style::default()),
        2 => (
            SIX,
            Style {
                sign: Some(Sizes::OfBothSigns),
                ..Style::default()
            },
        ),
        3 => (
            EIGHT,
            Style {
                zero: true,
                low: Low::Bounded,
                ..Style::default()
            },
        ),
        4 => (
            EIGHT,
            Style {
                zero: true,
                low: Low::Bounded,
                sign: Some(Sizes::OfEachSign),
            },
        ),
        5 => (
            EIGHT,
            Style {
                zero: true,
                ..Style::default()
            },
        ),
        6 => (TEN, Style::default()),
        _ => (
            TEN,
            Style {
                zero: true,
                ..Style::default()
            },
        ),
    };
    Part::evaluation(bounds, style)
}

/// How the codings of an evaluation differ.
#[derive(Clone, Copy, Debug, Default)]
struct Style {
    /// Whether the first output is the sign, 1 for Black, and if so, how the intervals relate to it.
    sign: Option<Sizes>,
    /// An evaluation of 0 has an output of its own, before the intervals.
    zero: bool,
    /// What belongs to the first interval.
    low: Low,
}

/// What intervals a coding with an output for the sign has.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sizes {
    /// The same outputs serve both signs.
    OfBothSigns,
    /// Each sign has its own.
    OfEachSign,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Low {
    /// All below its bound, every negative evaluation too.
    #[default]
    Unbounded,
    /// Only what no other output stands for.
    Bounded,
}

/// Mutually exclusive classes, and the author's outputs for each.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The zeros and ones of each class.
    pub codes: Vec<Vec<u8>>,
}

impl Part {
    /// The classes of an evaluation: the intervals of White's side, those of Black's, and perhaps 0.
    fn evaluation(bounds: &[f64], style: Style) -> Part {
        let intervals = bounds.len() + 1;
        let zero = usize::from(style.sign.is_some());
        let first = zero + usize::from(style.zero);
        let negative = match style.sign {
            Some(Sizes::OfBothSigns) => first,
            _ => first + intervals,
        };
        let code = |ones: &[usize]| {
            let mut code = vec![0; negative + intervals];
            ones.iter().for_each(|&place| code[place] = 1);
            code
        };
        let mut codes: Vec<Vec<u8>> = (0..intervals).map(|interval| code(&[first + interval])).collect();
        let unbounded = style.low == Low::Unbounded && style.sign.is_none();
        codes.extend((0..intervals).map(|interval| {
            let mut ones = vec![negative + interval];
            if style.sign.is_some() {
                ones.push(0);
            }
            if unbounded {
                ones.push(first);
            }
            code(&ones)
        }));
        if style.zero {
            codes.push(if unbounded {
                code(&[zero, first])
            } else {
                code(&[zero])
            });
        }
        Part { codes }
    }

    /// An output for each of so many classes.
    fn one_of(classes: usize) -> Part {
        let code = |own| (0..classes).map(|class| u8::from(class == own)).collect();
        Part {
            codes: (0..classes).map(code).collect(),
        }
    }

    /// The number of classes.
    pub fn classes(&self) -> usize {
        self.codes.len()
    }

    /// The number of the author's outputs.
    pub fn outputs(&self) -> usize {
        self.codes[0].len()
    }
}

/// The outputs of a net: several questions, each with its classes.
#[derive(Clone, Debug, PartialEq)]
pub struct Coding {
    /// The questions in the order of their outputs.
    pub parts: Vec<Part>,
}

impl Coding {
    /// The author's outputs.
    pub fn outputs(&self) -> usize {
        self.parts.iter().map(Part::outputs).sum()
    }

    /// The classes of all questions.
    pub fn classes(&self) -> usize {
        self.parts.iter().map(Part::classes).sum()
    }

    /// The author's zeros and ones for a class of each question.
    pub fn code(&self, classes: &[u8]) -> impl Iterator<Item = u8> {
        let codes = self.parts.iter().zip(classes);
        codes.flat_map(|(part, &class)| part.codes[usize::from(class)].iter().copied())
    }

    /// The place of the first 1: what the author's measure takes for the class. 0 where there is none.
    pub fn first_one(&self, classes: &[u8]) -> usize {
        self.code(classes).position(|bit| bit == 1).unwrap_or(0)
    }
}

/// The bounds of the sizes of an evaluation, and whether 0 is a class of its own.
fn bounds(task: Task) -> (&'static [f64], bool) {
    match task {
        Task::Evaluation(1) => (EIGHT, false),
        Task::Evaluation(2) => (SIX, false),
        Task::Evaluation(3..=5) => (EIGHT, true),
        Task::Evaluation(7) => (TEN, true),
        _ => (TEN, false),
    }
}

/// What an evaluation of a class is: `Some(true)` for White's side, `None` for 0; its sizes from the first number to below
/// the second, in the bounds' unit.
pub fn interval(task: Task, class: u8) -> (Option<bool>, [f64; 2]) {
    let (bounds, _) = bounds(task);
    let intervals = bounds.len() + 1;
    let place = usize::from(class) % intervals;
    let low = if place == 0 { 0.0 } else { bounds[place - 1] };
    let high = bounds.get(place).copied().unwrap_or(f64::INFINITY);
    match usize::from(class) / intervals {
        0 => (Some(true), [low, high]),
        1 => (Some(false), [low, high]),
        _ => (None, [0.0, 0.0]),
    }
}

/// The class of an evaluation: `centipawns` of White, `unit` of them being 1 in the bounds.
pub fn class_of_evaluation(task: Task, centipawns: i32, unit: u32) -> u8 {
    let (bounds, zero) = bounds(task);
    let size = f64::from(centipawns.abs()) / f64::from(unit);
    let interval = bounds.iter().filter(|&&bound| size >= bound).count();
    let intervals = bounds.len() + 1;
    (match centipawns {
        0 if zero => 2 * intervals,
        0.. => interval,
        _ => intervals + interval,
    }) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The outputs for an evaluation in thousandths, as the author writes it.
    fn outputs(number: u8, thousandths: i32) -> Vec<u8> {
        let task = Task::Evaluation(number);
        let class = class_of_evaluation(task, thousandths, 1000);
        task.coding().code(&[class]).collect()
    }

    /// So many outputs with ones in these places, from 1 on.
    fn ones(count: usize, places: &[usize]) -> Vec<u8> {
        (1..=count)
            .map(|place| u8::from(places.contains(&place)))
            .collect()
    }

    #[test]
    fn the_seven_codings_by_hand() {
        // §3.4's coding 2: 16 intervals, and "evaluation < 0.25" is true of every negative one too
        for (evaluation, places) in [
            (0, &[1][..]),
            (249, &[1]),
            (250, &[2]),
            (999, &[3]),
            (1_000, &[4]),
            (4_499, &[7]),
            (4_500, &[8]),
            (-1, &[1, 9]),
            (-250, &[1, 10]),
            (-9_999, &[1, 16]),
        ] {
            assert_eq!(outputs(1, evaluation), ones(16, places), "{evaluation}");
        }
        // §3.4's coding 1: the sign and six intervals of the size
        for (evaluation, places) in [
            (0, &[2][..]),
            (499, &[2]),
            (-499, &[1, 2]),
            (-500, &[1, 3]),
            (4_500, &[7]),
        ] {
            assert_eq!(outputs(2, evaluation), ones(7, places), "{evaluation}");
        }
        // 5: zero, and 16 intervals that exclude one another
        for (evaluation, places) in [
            (0, &[1][..]),
            (1, &[2]),
            (-1, &[10]),
            (4_500, &[9]),
            (-4_500, &[17]),
        ] {
            assert_eq!(outputs(3, evaluation), ones(17, places), "{evaluation}");
        }
        // 4: the same with the sign before
        for (evaluation, places) in [(0, &[2][..]), (1, &[3]), (-1, &[1, 11]), (-4_500, &[1, 18])] {
            assert_eq!(outputs(4, evaluation), ones(18, places), "{evaluation}");
        }
        // 3: zero, and the intervals of 2
        for (evaluation, places) in [(0, &[1, 2][..]), (1, &[2]), (-1, &[2, 10]), (300, &[3])] {
            assert_eq!(outputs(5, evaluation), ones(17, places), "{evaluation}");
        }
        // 6 and 7: more intervals
        for (evaluation, places) in [
            (0, &[1][..]),
            (750, &[4]),
            (1_250, &[6]),
            (-1_250, &[1, 16]),
            (-4_500, &[1, 20]),
        ] {
            assert_eq!(outputs(6, evaluation), ones(20, places), "{evaluation}");
        }
        for (evaluation, places) in [(0, &[1, 2][..]), (750, &[5]), (-4_500, &[2, 21])] {
            assert_eq!(outputs(7, evaluation), ones(21, places), "{evaluation}");
        }
    }

    #[test]
    fn every_class_has_a_code_of_its_own() {
        let outputs = [16, 7, 17, 18, 17, 20, 21, 21, 27, 1];
        let classes = [16, 12, 17, 17, 17, 20, 21, 22, 31, 2];
        for (task, (outputs, classes)) in Task::ALL.into_iter().zip(outputs.into_iter().zip(classes)) {
            let coding = task.coding();
            assert_eq!((coding.outputs(), coding.classes()), (outputs, classes), "{task}");
            for part in &coding.parts {
                let mut codes = part.codes.clone();
                codes.sort();
                codes.dedup();
                assert_eq!(codes.len(), part.classes(), "{task}");
            }
        }
    }

    #[test]
    fn no_negative_evaluation_is_a_class_of_its_own_for_the_authors_measure() {
        for number in [1, 6] {
            let task = Task::Evaluation(number);
            let coding = task.coding();
            for evaluation in [-9_000, -700, -1, 0, 249] {
                let class = class_of_evaluation(task, evaluation, 1000);
                assert_eq!(coding.first_one(&[class]), 0, "{evaluation}");
            }
        }
        // in pawns 250 centipawns are no longer near to nothing
        assert_eq!(class_of_evaluation(Task::Evaluation(6), 249, 1000), 0);
        assert_eq!(class_of_evaluation(Task::Evaluation(6), 249, 100), 6);
    }
}
