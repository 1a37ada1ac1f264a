//! Turning any source into a folder of shards.

use super::filter::Filter;
use super::source::GroupSource;
use super::writer::ShardWriter;
use super::{DataError, Record};

/// What an import has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportReport {
    /// Groups read, those of an earlier run that was cut off among them.
    pub groups: u64,
    /// Records read.
    pub read: u64,
    /// Records kept.
    pub kept: u64,
}

/// Appends the groups of a source, from the first that the writer has not dealt with. Those before it are read again,
/// so that the filter remembers them. `progress` is called with what was done so far.
///
/// # Errors
/// As the source and the writer.
pub fn import(
    source: &mut dyn GroupSource,
    filter: &mut Filter,
    writer: &mut ShardWriter,
    progress: &mut dyn FnMut(&ImportReport),
) -> Result<ImportReport, DataError> {
    let done = writer.groups();
    let mut report = ImportReport::default();
    let mut group = Vec::new();
    while source.next_group(&mut group)? {
        report.groups += 1;
        report.read += group.len() as u64;
        group.retain(|record| filter.keep(record));
        report.kept += group.len() as u64;
        if report.groups > done {
            writer.append(&group)?;
        }
        progress(&report);
    }
    Ok(report)
}

/// Start positions for self-play: openings over and over, each a group of its own.
pub struct Starts {
    openings: Vec<Record>,
    games: u64,
    next: u64,
}

impl Starts {
    /// Takes the openings in their order, from the first again after the last, `games` times in all.
    ///
    /// # Errors
    /// [`DataError::Empty`] without openings.
    pub fn new(openings: Vec<Record>, games: u64) -> Result<Starts, DataError> {
        if openings.is_empty() {
            return Err(DataError::Empty("the list of openings".to_string()));
        }
        Ok(Starts {
            openings,
            games,
            next: 0,
        })
    }
}

impl GroupSource for Starts {
    fn next_group(&mut self, group: &mut Vec<Record>) -> Result<bool, DataError> {
        group.clear();
        if self.next >= self.games {
            return Ok(false);
        }
        let place = self.next % self.openings.len() as u64;
        group.push(self.openings[place as usize]);
        self.next += 1;
        Ok(true)
    }
}
