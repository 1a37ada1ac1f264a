//! Shuffled batches of records from shards, with a bound on the memory: a few shards at a time are loaded on another
//! thread and shuffled across one another.

use super::batches::{BatchSettings, BatchSource, Cursor};
use super::filter::{Filter, FilterSettings};
use super::split::{Part, Split, Splitter};
use crate::data::DataError;
use crate::data::record::hint::retain_with_hints;
use crate::data::record::{Hint, Record};
use crate::data::store::shard::{Shard, ShardReader, shards};
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// How records are streamed from shards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StreamSettings {
    /// How many shards to use, from the first; all of them where `None`.
    #[serde(default)]
    pub shards: Option<usize>,
    /// How many shards may be in memory at once, at least 2: half of them are served, shuffled across one another,
    /// while the other half is loaded. A shard of a million records takes 32 MB, and as much again for hints.
    pub in_memory: usize,
    /// How groups are divided into parts; the training part is served.
    #[serde(default)]
    pub split: Split,
    /// What is left out.
    #[serde(default)]
    pub filter: FilterSettings,
}

impl StreamSettings {
    /// The shards of these folders that are used.
    ///
    /// # Errors
    /// As [`shards`].
    pub fn shards_of(&self, folders: &[PathBuf]) -> Result<Vec<Shard>, DataError> {
        let mut all = Vec::new();
        for folder in folders {
            all.extend(shards(folder)?);
        }
        all.truncate(self.shards.unwrap_or(usize::MAX));
        Ok(all)
    }
}

/// Serves the training part of shards in shuffled batches, without ever holding more than a few shards.
///
/// Each epoch takes the shards in another order, some at a time, and shuffles the records of those. The order depends
/// on the seed and the epoch alone. Going on inside an epoch reads its shards again up to that place.
pub struct ShardBatches {
    windows: Receiver<Result<Option<Window>, DataError>>,
    window: Window,
    /// Records of the window that are served.
    served: usize,
    /// The hints of the last batch.
    hints: Vec<Hint>,
    /// The epoch has ended, but its end has not been reported yet.
    ended: bool,
    settings: BatchSettings,
    cursor: Cursor,
}

/// What the loading thread sends, or nothing at the end of an epoch.
#[derive(Default)]
struct Window {
    records: Vec<Record>,
    /// As many as records, or none.
    hints: Vec<Hint>,
}

impl Window {
    /// Forgets the first records.
    fn drop_first(&mut self, count: usize) {
        self.records.drain(..count);
        self.hints.drain(..count.min(self.hints.len()));
    }

    fn append(&mut self, mut other: Window) {
        if self.records.is_empty() {
            *self = other;
        } else {
            self.records.append(&mut other.records);
            self.hints.append(&mut other.hints);
        }
    }

    fn clear(&mut self) {
        self.records.clear();
        self.hints.clear();
    }
}

impl ShardBatches {
    /// Serves the shards of these folders from `start` on.
    ///
    /// # Errors
    /// As [`shards`], and [`DataError::Empty`] if there is no shard; as [`BatchSource::next_batch`] when the
    /// place of `start` has to be found.
    pub fn new(
        folders: &[PathBuf],
        stream: &StreamSettings,
        settings: BatchSettings,
        start: Cursor,
    ) -> Result<ShardBatches, DataError> {
        let shards = stream.shards_of(folders)?;
        if shards.is_empty() {
            let names: Vec<String> = folders
                .iter()
                .map(|folder| folder.display().to_string())
                .collect();
            return Err(DataError::Empty(names.join(", ")));
        }
        // nothing is queued: one window is served while the thread holds the next
        let (sender, windows) = sync_channel(0);
        let loading = Loading {
            shards,
            stream: stream.clone(),
            settings,
            sender,
        };
        thread::spawn(move || loading.run(start.epoch));
        let mut batches = ShardBatches {
            windows,
            window: Window::default(),
            served: 0,
            hints: Vec::new(),
            ended: false,
            settings,
            cursor: Cursor {
                epoch: start.epoch,
                batch: 0,
            },
        };
        let mut passed = Vec::new();
        while batches.cursor != start && batches.next_batch(&mut passed)? {}
        Ok(batches)
    }

    /// Appends the next window to what is left of this one; `false` at the end of an epoch.
    fn load(&mut self) -> Result<bool, DataError> {
        self.window.drop_first(self.served);
        self.served = 0;
        let window = self.windows.recv().map_err(|_| DataError::Ended)??;
        let more = window.is_some();
        self.window.append(window.unwrap_or_default());
        Ok(more)
    }
}

impl BatchSource for ShardBatches {
    fn next_batch(&mut self, batch: &mut Vec<Record>) -> Result<bool, DataError> {
        batch.clear();
        self.hints.clear();
        while !self.ended && self.window.records.len() - self.served < self.settings.size {
            self.ended = !self.load()?;
        }
        let end = self.window.records.len().min(self.served + self.settings.size);
        let full = end - self.served == self.settings.size;
        // a short batch is better than none
        if full || self.cursor.batch == 0 && end > self.served {
            batch.extend_from_slice(&self.window.records[self.served..end]);
            if !self.window.hints.is_empty() {
                self.hints.extend_from_slice(&self.window.hints[self.served..end]);
            }
            self.settings.vary(batch, self.cursor);
            self.served = end;
            self.cursor.batch += 1;
            return Ok(true);
        }
        self.window.clear();
        self.served = 0;
        self.ended = false;
        self.cursor = Cursor {
            epoch: self.cursor.epoch + 1,
            batch: 0,
        };
        Ok(false)
    }

    fn hints(&self) -> &[Hint] {
        &self.hints
    }

    fn cursor(&self) -> Cursor {
        self.cursor
    }
}

/// The thread that loads windows.
struct Loading {
    shards: Vec<Shard>,
    stream: StreamSettings,
    settings: BatchSettings,
    sender: SyncSender<Result<Option<Window>, DataError>>,
}

impl Loading {
    fn run(self, first_epoch: u64) {
        for epoch in first_epoch.. {
            match self.run_epoch(epoch) {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => {
                    // the receiver may be gone
                    let _ = self.sender.send(Err(error));
                    return;
                }
            }
        }
    }

    /// Sends the windows of an epoch and its end; `false` if the receiver is gone.
    fn run_epoch(&self, epoch: u64) -> Result<bool, DataError> {
        let mut order: Vec<&Shard> = self.shards.iter().collect();
        order.shuffle(&mut self.settings.rng(epoch, 0));
        let has_hints = order.iter().any(|shard| shard.hints.is_some());
        let mut filter = Filter::new(self.stream.filter.clone());
        let mut total = 0;
        for (number, shards) in order.chunks((self.stream.in_memory / 2).max(1)).enumerate() {
            let mut window = Window::default();
            for shard in shards {
                read_training(shard, self.stream.split, has_hints, &mut filter, &mut window)?;
            }
            total += window.records.len();
            // the same random numbers give both the same order
            let rng = self.settings.rng(epoch, 1 + number as u64);
            window.records.shuffle(&mut rng.clone());
            window.hints.shuffle(&mut rng.clone());
            if self.sender.send(Ok(Some(window))).is_err() {
                return Ok(false);
            }
        }
        if total == 0 {
            return Err(DataError::Empty("the training part of the shards".to_string()));
        }
        Ok(self.sender.send(Ok(None)).is_ok())
    }
}

/// Appends the records of a shard that are for training and pass the filter, with their hints if any shard has hints.
fn read_training(
    shard: &Shard,
    split: Split,
    has_hints: bool,
    filter: &mut Filter,
    window: &mut Window,
) -> Result<(), DataError> {
    let mut reader = ShardReader::open(shard)?;
    let mut splitter = Splitter::new(split);
    let mut read = Window::default();
    while reader.read(&mut read.records, &mut read.hints)? {
        if !has_hints {
            read.hints.clear();
        }
        retain_with_hints(&mut read.records, &mut read.hints, |record| {
            splitter.part(record) == Part::Training && filter.keep(record)
        });
        window.records.append(&mut read.records);
        window.hints.append(&mut read.hints);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::data::store::writer::{Opened, ShardWriter};
    use crate::data::{Label, NO_HINT};
    use std::path::Path;

    const SETTINGS: BatchSettings = BatchSettings {
        size: 32,
        seed: 5,
        flip: false,
        mirror: false,
    };

    fn stream(in_memory: usize) -> StreamSettings {
        let split = Split {
            seed: 0,
            validation: 0.0,
            test: 0.0,
        };
        StreamSettings {
            shards: None,
            in_memory,
            split,
            filter: FilterSettings::default(),
        }
    }

    /// Shards of 100 records with the scores 0, 1, 2 …
    fn shards(folder: &Path, count: i32) -> Vec<PathBuf> {
        let Opened::Ready(mut writer) = ShardWriter::open(folder, &1, 100).unwrap() else {
            panic!("a new folder is not complete");
        };
        let record = Record::new(&Position::default());
        for n in 0..count {
            writer.append(&[record.with_label(Label::centipawns(n))]).unwrap();
        }
        writer.finish(Vec::new()).unwrap();
        vec![folder.to_path_buf()]
    }

    /// The same with hints that begin with the scores.
    fn hinted_shards(folder: &Path, scores: std::ops::Range<i16>) -> PathBuf {
        let Opened::Ready(mut writer) = ShardWriter::open_with_hints(folder, &1, 100).unwrap() else {
            panic!("a new folder is not complete");
        };
        let record = Record::new(&Position::default());
        for n in scores {
            let record = record.with_label(Label::centipawns(n.into()));
            writer.append_with_hints(&[record], &[[n; 16]]).unwrap();
        }
        writer.finish(Vec::new()).unwrap();
        folder.to_path_buf()
    }

    #[test]
    fn hints_stay_with_their_records_and_are_missed_where_there_are_none() {
        let (bare, hinted) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mut folders = shards(bare.path(), 500);
        let mut batches = ShardBatches::new(&folders, &stream(4), SETTINGS, Cursor::default()).unwrap();
        let mut batch = Vec::new();
        assert!(batches.next_batch(&mut batch).unwrap() && batches.hints().is_empty());
        folders.push(hinted_shards(hinted.path(), 500..1_000));
        let settings = BatchSettings {
            flip: true,
            mirror: true,
            ..SETTINGS
        };
        let filtered = StreamSettings {
            filter: FilterSettings {
                max_score: Some(900),
                ..FilterSettings::default()
            },
            ..stream(4)
        };
        let mut batches = ShardBatches::new(&folders, &filtered, settings, Cursor::default()).unwrap();
        let mut seen = [0; 2];
        while batches.next_batch(&mut batch).unwrap() {
            assert_eq!(batch.len(), batches.hints().len());
            for (record, hint) in batch.iter().zip(batches.hints()) {
                let score = record.score().unwrap().abs();
                let expected = if score < 500 { NO_HINT } else { [score; 16] };
                assert_eq!(*hint, expected);
                seen[(score >= 500) as usize] += 1;
            }
        }
        assert!(seen[0] > 450 && (360..=401).contains(&seen[1]), "{seen:?}");
    }

    fn epoch(batches: &mut ShardBatches) -> Vec<Vec<i16>> {
        let (mut batch, mut all) = (Vec::new(), Vec::new());
        while batches.next_batch(&mut batch).unwrap() {
            all.push(batch.iter().map(|record| record.score().unwrap()).collect());
        }
        all
    }

    #[test]
    fn an_epoch_shows_every_record_once_shuffled_across_its_window() {
        let folder = tempfile::tempdir().unwrap();
        let folders = shards(folder.path(), 1_000);
        let mut batches = ShardBatches::new(&folders, &stream(6), SETTINGS, Cursor::default()).unwrap();
        let (first, second) = (epoch(&mut batches).concat(), epoch(&mut batches).concat());
        // 31 full batches of 32
        assert_eq!(first.len(), 992);
        let mut sorted = first.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), 992);
        assert_ne!(first, second);
        // three shards at a time: the first window shows just those three, mixed
        let mut of_shards: Vec<i16> = first[..288].iter().map(|score| score / 100).collect();
        assert!(of_shards.windows(2).filter(|pair| pair[0] != pair[1]).count() > 100);
        of_shards.sort_unstable();
        of_shards.dedup();
        assert_eq!(of_shards.len(), 3);
    }

    #[test]
    fn a_cursor_goes_on_with_the_very_next_batch() {
        let folder = tempfile::tempdir().unwrap();
        let folders = shards(folder.path(), 700);
        let settings = BatchSettings {
            flip: true,
            mirror: true,
            ..SETTINGS
        };
        let open = |cursor| ShardBatches::new(&folders, &stream(4), settings, cursor).unwrap();
        let mut whole = open(Cursor::default());
        let all: Vec<_> = (0..3).flat_map(|_| epoch(&mut whole)).collect();
        let (mut cut, mut batch) = (open(Cursor::default()), Vec::new());
        for served in 0..=42 {
            let found = epoch(&mut open(cut.cursor()));
            assert_eq!(found[..], all[served..served + found.len()]);
            while !cut.next_batch(&mut batch).unwrap() {}
        }
    }

    #[test]
    fn few_shards_few_records_and_none() {
        let folder = tempfile::tempdir().unwrap();
        let folders = shards(folder.path(), 210);
        let only = StreamSettings {
            shards: Some(1),
            ..stream(2)
        };
        let mut batches = ShardBatches::new(&folders, &only, SETTINGS, Cursor::default()).unwrap();
        assert!(epoch(&mut batches).concat().iter().all(|&score| score < 100));
        let large = BatchSettings {
            size: 500,
            ..SETTINGS
        };
        let mut batches = ShardBatches::new(&folders, &stream(2), large, Cursor::default()).unwrap();
        assert_eq!([1, 1], [epoch(&mut batches).len(), epoch(&mut batches).len()]);
        let nothing = StreamSettings {
            filter: FilterSettings {
                duplicate_memory: None,
                max_score: Some(0),
                ..FilterSettings::default()
            },
            ..stream(2)
        };
        let one = StreamSettings {
            shards: Some(1),
            ..nothing.clone()
        };
        // the one position with score 0 is in the first shard
        let mut batches = ShardBatches::new(&folders, &one, SETTINGS, Cursor::default()).unwrap();
        assert_eq!(epoch(&mut batches), [[0]]);
    }

    #[test]
    fn a_truncated_shard_ends_the_stream_with_one_line() {
        let folder = tempfile::tempdir().unwrap();
        let folders = shards(folder.path(), 300);
        let path = folder.path().join("shard-00001.bin");
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 7]).unwrap();
        let mut batches = ShardBatches::new(&folders, &stream(2), SETTINGS, Cursor::default()).unwrap();
        let mut batch = Vec::new();
        let error = loop {
            match batches.next_batch(&mut batch) {
                Ok(more) => assert!(more, "the epoch must not look complete"),
                Err(error) => break error.to_string(),
            }
        };
        assert!(
            error.contains("shard-00001.bin is damaged") && !error.contains('\n'),
            "{error}"
        );
    }

    #[test]
    fn a_position_of_two_shards_is_served_once_where_duplicates_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        // every record has the same position
        let folders = shards(folder.path(), 300);
        let unique = StreamSettings {
            filter: FilterSettings {
                duplicate_memory: Some(1),
                ..FilterSettings::default()
            },
            ..stream(2)
        };
        let mut batches = ShardBatches::new(&folders, &unique, SETTINGS, Cursor::default()).unwrap();
        assert_eq!(epoch(&mut batches).concat().len(), 1);
    }

    #[test]
    fn every_epoch_has_another_order_of_shards() {
        let folder = tempfile::tempdir().unwrap();
        let folders = shards(folder.path(), 800);
        let mut batches = ShardBatches::new(&folders, &stream(2), SETTINGS, Cursor::default()).unwrap();
        let first_shard = |_| epoch(&mut batches)[0][0] / 100;
        let begun: std::collections::HashSet<i16> = (0..8).map(first_shard).collect();
        assert!(begun.len() > 2, "{begun:?}");
    }
}
