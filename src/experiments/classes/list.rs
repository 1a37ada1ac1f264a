//! Which nets there are.

use super::boards::Inputs;
use super::coding::Task;
use serde::{Deserialize, Serialize};

/// The hidden layers of the seven nets of positions, as the thesis numbers them (§3.5).
const OF_POSITIONS: [&[usize]; 7] = [
    &[],
    &[128],
    &[128, 64],
    &[128, 64, 32, 256],
    &[256, 128, 64, 32],
    &[128, 256, 64, 32, 64, 16],
    &[256],
];

/// The hidden layers of the nets of moves (§4.3 and §5.2).
const OF_MOVES: [&[usize]; 7] = [
    &[],
    &[256],
    &[256, 128],
    &[256, 128, 64, 256],
    &[256, 128, 64, 32],
    &[128, 256, 64, 32, 64, 16],
    &[512],
];

/// The hidden layers of the nets of free files (§6.1).
const OF_FREE_FILES: [&[usize]; 9] = [
    OF_MOVES[0],
    OF_MOVES[1],
    OF_MOVES[2],
    OF_MOVES[3],
    OF_MOVES[4],
    OF_MOVES[5],
    &[64],
    &[256, 128, 64, 32, 16],
    &[256, 128, 64, 32, 16, 8],
];

/// How a net answers, and so what it is trained for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answers {
    /// A sigmoid for each of the author's outputs, under Keras's categorical cross-entropy; binary with one output.
    Sigmoids,
    /// A softmax over the classes of each question.
    Softmax,
}

impl Answers {
    /// As tables name it.
    pub fn name(self) -> &'static str {
        match self {
            Answers::Sigmoids => "sigmoids",
            Answers::Softmax => "softmax",
        }
    }
}

/// What is told to nets and how they answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Manner {
    /// What they are told.
    pub inputs: Inputs,
    /// How they answer.
    pub answers: Answers,
}

impl Manner {
    /// The author's two, then what may help, alone and together.
    pub const ALL: [Manner; 5] = [
        Manner::new(Inputs::Squares, Answers::Sigmoids),
        Manner::new(Inputs::Fields, Answers::Sigmoids),
        Manner::new(Inputs::Squares, Answers::Softmax),
        Manner::new(Inputs::Bits, Answers::Sigmoids),
        Manner::new(Inputs::Bits, Answers::Softmax),
    ];

    const fn new(inputs: Inputs, answers: Answers) -> Manner {
        Manner { inputs, answers }
    }

    /// Whether the author's nets are of this manner.
    #[cfg(test)]
    pub(super) fn is_the_authors(self) -> bool {
        self.answers == Answers::Sigmoids && self.inputs != Inputs::Bits
    }
}

impl std::fmt::Display for Manner {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}, {}", self.inputs.name(), self.answers.name())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NetName {
    /// What it is asked for.
    pub task: Task,
    /// What it is told and how it answers.
    pub manner: Manner,
    /// The number of its layout in the thesis, from 1.
    pub layout: usize,
}

impl NetName {
    /// Its name as part of a file's name.
    pub fn slug(&self) -> String {
        let Manner { inputs, answers } = self.manner;
        let task = self.task.to_string().replace(' ', "-");
        format!("{task}-{}-{}-{}", inputs.name(), answers.name(), self.layout)
    }

    /// Whether there is such a net.
    pub fn is_known(&self) -> bool {
        nets(&[self.task]).contains(self)
    }

    /// The sizes of its hidden layers.
    pub fn hidden(&self) -> &'static [usize] {
        layouts(self.task)[self.layout - 1]
    }
}

impl std::fmt::Display for NetName {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{} ({}, layout {})", self.task, self.manner, self.layout)
    }
}

fn layouts(task: Task) -> &'static [&'static [usize]] {
    match task {
        Task::Evaluation(_) => &OF_POSITIONS,
        Task::Change | Task::Explanation => &OF_MOVES,
        Task::FreeFile => &OF_FREE_FILES,
    }
}

/// All nets of these tasks: the author's first. Of moves the author tries one coding of the board alone.
pub fn nets(tasks: &[Task]) -> Vec<NetName> {
    let mut nets = Vec::new();
    for manner in Manner::ALL {
        for &task in tasks {
            if task.of_moves() && manner.inputs == Inputs::Fields {
                continue;
            }
            nets.extend((1..=layouts(task).len()).map(|layout| NetName { task, manner, layout }));
        }
    }
    nets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_author_has_98_nets_of_positions_and_23_of_moves() {
        let nets = nets(&Task::ALL);
        let authors = nets.iter().filter(|net| net.manner.is_the_authors());
        let (moves, positions): (Vec<&NetName>, Vec<&NetName>) = authors.partition(|net| net.task.of_moves());
        assert_eq!((positions.len(), moves.len()), (98, 23));
        assert!(nets[..98].iter().all(|net| net.manner.is_the_authors()));
        assert_eq!(nets.len(), 121 + 3 * (49 + 23));
        assert_eq!(nets.last().unwrap().hidden(), [256, 128, 64, 32, 16, 8]);
    }
}
