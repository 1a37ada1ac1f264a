//! Dividing data into training, validation and test parts, group by group.
//!
//! A group is a game, or the positions that grew from one start position; its members resemble one another, so they
//! must all land in the same part. The part depends on the hash of the group's first position and a seed alone: the
//! same group always lands in the same part, whatever file it stands in. A filter must therefore keep the first position of a
//! group: see `Filter::keep_group`.

use crate::data::record::Record;
use crate::support::mix::mix;
use serde::{Deserialize, Serialize};

/// What a group of positions is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// Weights are fitted to it.
    Training,
    /// Decides when to stop and what to keep.
    Validation,
    /// Used only for the figures that are reported.
    Test,
}

impl Part {
    /// Every part in the order of its number.
    pub const ALL: [Part; 3] = [Part::Training, Part::Validation, Part::Test];
}

/// How data is divided.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Split {
    /// The seed of the draw: another seed assigns groups otherwise.
    pub seed: u64,
    /// The share of groups for validation, 0 to 1.
    pub validation: f64,
    /// The share of groups for the test, 0 to 1.
    pub test: f64,
}

impl Default for Split {
    /// One group in fifty for validation, and one for the test.
    fn default() -> Split {
        Split {
            seed: 0,
            validation: 0.02,
            test: 0.02,
        }
    }
}

impl Split {
    /// The part of the group that begins with this record.
    pub fn part(&self, first: &Record) -> Part {
        // 53 bits make an exact number in [0, 1)
        let draw = (mix(first.hash() ^ mix(self.seed)) >> 11) as f64 / (1u64 << 53) as f64;
        if draw < self.validation {
            Part::Validation
        } else if draw < self.validation + self.test {
            Part::Test
        } else {
            Part::Training
        }
    }
}

/// Follows records in their order and gives each the part of its group.
#[derive(Clone, Debug)]
pub struct Splitter {
    split: Split,
    current: Option<Part>,
}

impl Splitter {
    /// Starts before the first record.
    pub fn new(split: Split) -> Splitter {
        Splitter { split, current: None }
    }

    /// The part of the next record.
    pub fn part(&mut self, record: &Record) -> Part {
        match self.current {
            Some(part) if !record.starts_group() => part,
            _ => *self.current.insert(self.split.part(record)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    /// Different positions, each the first of a group.
    fn starts() -> Vec<Record> {
        let mut position = Position::default();
        (0..4_000u64)
            .map(|n| {
                let moves = position.legal_moves();
                if moves.is_empty() || n % 60 == 59 {
                    position = Position::default();
                }
                let moves = position.legal_moves();
                position.make(moves[(mix(n) % moves.len() as u64) as usize]);
                Record::new(&position).with_group_start(true)
            })
            .collect()
    }

    #[test]
    fn shares_are_kept_and_the_seed_draws_others() {
        let split = Split {
            seed: 1,
            validation: 0.2,
            test: 0.1,
        };
        let other = Split { seed: 2, ..split };
        let parts: Vec<Part> = starts().iter().map(|start| split.part(start)).collect();
        let count = |part| parts.iter().filter(|&&p| p == part).count();
        assert!((640..960).contains(&count(Part::Validation)));
        assert!((280..520).contains(&count(Part::Test)));
        assert_ne!(
            parts,
            starts().iter().map(|start| other.part(start)).collect::<Vec<_>>()
        );
        let all = Split {
            validation: 0.0,
            test: 0.0,
            ..split
        };
        assert!(starts().iter().all(|start| all.part(start) == Part::Training));
    }

    #[test]
    fn a_group_stays_together_whatever_follows_its_start() {
        let split = Split {
            validation: 0.3,
            test: 0.3,
            ..Split::default()
        };
        let records: Vec<Record> = starts()
            .into_iter()
            .enumerate()
            .map(|(n, record)| record.with_group_start(n % 7 == 0))
            .collect();
        let mut splitter = Splitter::new(split);
        for group in records.chunks(7) {
            let expected = split.part(&group[0]);
            assert!(group.iter().all(|record| splitter.part(record) == expected));
        }
    }

    #[test]
    fn the_clocks_and_the_label_do_not_matter() {
        let split = Split {
            validation: 0.3,
            test: 0.3,
            ..Split::default()
        };
        for fen in [
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
        ] {
            let record = |fen: &str| Record::new(&Position::from_fen(fen).unwrap());
            let later = record(&fen.replace("0 1", "9 33")).with_label(crate::data::Label::Mate(3));
            assert_eq!(split.part(&record(fen)), split.part(&later));
        }
    }
}
