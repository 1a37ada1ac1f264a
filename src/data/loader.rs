//! Loading positions into memory: read from any source, filtered and divided into parts.

use super::DataError;
use super::count::Counts;
use super::filter::{Filter, FilterSettings};
use super::games::GameSettings;
use super::record::Record;
use super::source::Source;
use super::split::{Part, Split, Splitter};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

pub use super::batches::{BatchSettings, BatchSource, Batches, Cursor, prefetch};
pub use super::stream::{ShardBatches, StreamSettings};

/// Which records to take from the files.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Selection {
    /// How groups are divided into parts.
    pub split: Split,
    /// What is left out of the training part; what figures are measured on stays whole, but for positions without a
    /// label.
    pub filter: FilterSettings,
    /// Reading ends once this many records are kept, over all parts.
    pub limit: Option<usize>,
}

/// Records in memory, by part, 32 bytes each.
#[derive(Debug)]
pub struct Loaded {
    /// To fit weights to.
    pub training: Vec<Record>,
    /// To decide when to stop.
    pub validation: Vec<Record>,
    /// For the final figures.
    pub test: Vec<Record>,
    /// How many rows, lines or games could not be read.
    pub broken: u64,
    /// The same in words, a line for each source that had some.
    pub skipped: Vec<String>,
    /// Records that the filter left out.
    pub rejected: Counts<5>,
}

impl Loaded {
    /// The records of one part.
    pub fn part(&self, part: Part) -> &[Record] {
        match part {
            Part::Training => &self.training,
            Part::Validation => &self.validation,
            Part::Test => &self.test,
        }
    }
}

/// Reads sources of any kind, one after the other, into memory.
///
/// # Errors
/// As [`Source::open`] and [`Source::read`]; [`DataError::Empty`] if nothing is kept for training.
pub fn load(paths: &[PathBuf], selection: &Selection) -> Result<Loaded, DataError> {
    let loaded = read_parts(paths, selection, &Part::ALL)?;
    if loaded.training.is_empty() {
        let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        return Err(DataError::Empty(names.join(", ")));
    }
    Ok(loaded)
}

/// Reads only the validation and test parts, where the training part is streamed from its shards.
///
/// # Errors
/// As [`Source::open`] and [`Source::read`].
pub fn load_held_out(paths: &[PathBuf], selection: &Selection) -> Result<Loaded, DataError> {
    read_parts(paths, selection, &[Part::Validation, Part::Test])
}

fn read_parts(paths: &[PathBuf], selection: &Selection, wanted: &[Part]) -> Result<Loaded, DataError> {
    let mut filter = Filter::new(selection.filter.clone());
    let mut parts = Part::ALL.map(|_| Vec::new());
    let (mut broken, mut skipped) = (0, Vec::new());
    let mut room = selection.limit.unwrap_or(usize::MAX);
    let mut records = Vec::new();
    for path in paths {
        let mut source = Source::open(path, GameSettings::default())?;
        let mut splitter = Splitter::new(selection.split);
        while room > 0 && source.read(&mut records)? {
            for record in records.drain(..) {
                let part = splitter.part(&record);
                let keep = match part {
                    _ if !wanted.contains(&part) => false,
                    Part::Training => filter.keep(&record),
                    Part::Validation | Part::Test => record.score().is_some(),
                };
                if room > 0 && keep {
                    parts[part as usize].push(record);
                    room -= 1;
                }
            }
        }
        if let Some((count, words)) = source.skipped() {
            broken += count;
            skipped.push(format!("{}: {words}", path.display()));
        }
    }
    let [training, validation, test] = parts;
    Ok(Loaded {
        training,
        validation,
        test,
        broken,
        skipped,
        rejected: filter.rejected().clone(),
    })
}
