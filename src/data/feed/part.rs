//! One part of a source, divided as in training.

use super::split::{Part, Split};
use crate::data::DataError;
use crate::data::formats::source::GroupSource;
use crate::data::record::Record;

/// The groups of a source that belong to one part.
pub struct PartOf<S> {
    source: S,
    split: Split,
    part: Part,
}

impl<S: GroupSource> PartOf<S> {
    /// The part of a source that is at its beginning.
    pub fn new(source: S, split: Split, part: Part) -> PartOf<S> {
        PartOf { source, split, part }
    }
}

impl<S: GroupSource> GroupSource for PartOf<S> {
    fn next_group(&mut self, group: &mut Vec<Record>) -> Result<bool, DataError> {
        while self.source.next_group(group)? {
            if group
                .first()
                .is_some_and(|first| self.split.part(first) == self.part)
            {
                return Ok(true);
            }
        }
        group.clear();
        Ok(false)
    }

    fn skipped(&self) -> &[String] {
        self.source.skipped()
    }
}
