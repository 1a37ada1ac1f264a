//! Dividing data into training, validation and test parts, group by group.
//!
//! A group is a game, or the positions that grew from one start position; its members resemble one another, so they
//! must all land in the same part. The part depends on the hash of the group's first position and a seed alone: the
//! same position always lands in the same part, whatever file it stands in.

use super::record::{Record, mix};
use serde::{Deserialize, Serialize};

/// What a group of positions is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// Weights are fitted to it.
    Training,
    /// Decides when to stop and what to keep.
    Validation,
    /// Looked at once, for the figures that are reported.
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
    /// Another seed draws other groups.
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
