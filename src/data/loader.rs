//! Handing positions to training: loaded, filtered, divided into parts, and served in shuffled batches.

use super::DataError;
use super::count::Counts;
use super::filter::{Filter, FilterSettings};
use super::games::GameSettings;
use super::record::{Record, mix};
use super::source::Source;
use super::split::{Part, Split, Splitter};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

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
    if training.is_empty() {
        let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        return Err(DataError::Empty(names.join(", ")));
    }
    Ok(Loaded {
        training,
        validation,
        test,
        broken,
        skipped,
        rejected: filter.rejected().clone(),
    })
}

/// Where a run stands in its data: enough, with the same data and settings, to go on with the very next batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor {
    /// Passes over the data that are complete.
    pub epoch: u64,
    /// Batches of this pass that have been handed out.
    pub batch: u64,
}

/// How batches are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BatchSettings {
    /// Records in a batch.
    pub size: usize,
    /// Orders the records; every epoch has another order.
    pub seed: u64,
    /// Whether half of the records, drawn anew in each epoch, are shown with the colours exchanged.
    pub flip: bool,
}

/// Serves records in shuffled batches, epoch after epoch.
///
/// The order depends on the seed and the epoch alone, so that a [`Cursor`] is all that a checkpoint has to keep.
/// The records that do not fill the last batch of an epoch are left out of it, unless there is no full batch.
pub struct Batches {
    records: Vec<Record>,
    order: Vec<u32>,
    settings: BatchSettings,
    cursor: Cursor,
}

impl Batches {
    /// Serves these records from `start` on.
    ///
    /// # Panics
    /// With 2³² records or more, or batches of size 0.
    pub fn new(records: Vec<Record>, settings: BatchSettings, start: Cursor) -> Batches {
        assert!(settings.size > 0, "a batch holds at least one record");
        let count = u32::try_from(records.len()).expect("fewer than 2^32 records");
        let mut batches = Batches {
            records,
            order: (0..count).collect(),
            settings,
            cursor: start,
        };
        batches.shuffle();
        batches
    }

    /// How many batches an epoch has.
    pub fn per_epoch(&self) -> u64 {
        let full = self.records.len() / self.settings.size;
        full.max(!self.records.is_empty() as usize) as u64
    }

    /// Where the next batch stands.
    pub fn cursor(&self) -> Cursor {
        self.cursor
    }

    /// Replaces `batch` by the next one; `false`, and an empty batch, once at the end of each epoch.
    pub fn next_batch(&mut self, batch: &mut Vec<Record>) -> bool {
        batch.clear();
        if self.cursor.batch >= self.per_epoch() {
            self.cursor = Cursor {
                epoch: self.cursor.epoch + 1,
                batch: 0,
            };
            self.shuffle();
            return false;
        }
        let begin = self.cursor.batch as usize * self.settings.size;
        let end = (begin + self.settings.size).min(self.order.len());
        let salt = mix(self.settings.seed ^ mix(!self.cursor.epoch));
        for (place, &index) in self.order[begin..end].iter().enumerate() {
            let record = self.records[index as usize];
            let flip = self.settings.flip && mix(salt ^ (begin + place) as u64) & 1 == 1;
            batch.push(if flip { record.flipped() } else { record });
        }
        self.cursor.batch += 1;
        true
    }

    /// Draws the order of the current epoch.
    fn shuffle(&mut self) {
        let seed = mix(self.settings.seed ^ mix(self.cursor.epoch));
        self.order.sort_unstable();
        self.order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    }
}
