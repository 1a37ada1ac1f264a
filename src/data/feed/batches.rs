//! Shuffled batches of records in memory, and what every source of batches shares.

use crate::data::DataError;
use crate::data::record::{Hint, Record};
use crate::support::mix::mix;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

/// Where a run stands in its data: enough, with the same data and settings, to continue with the very next batch.
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
    /// The seed of the random generator that shuffles the records, anew in each epoch.
    pub seed: u64,
    /// Whether half of the records, drawn anew in each epoch, are shown with the colours exchanged.
    pub flip: bool,
    /// Whether half of the records in which nobody may castle are shown with the files exchanged, a for h.
    pub mirror: bool,
}

impl BatchSettings {
    /// Flips and mirrors a random half of the records of a batch; their hints are the same either way.
    pub(super) fn vary(&self, batch: &mut [Record], cursor: Cursor) {
        if !self.flip && !self.mirror {
            return;
        }
        let salt = mix(self.seed ^ mix(!cursor.epoch)) ^ mix(cursor.batch);
        for (place, record) in batch.iter_mut().enumerate() {
            let bits = mix(salt ^ place as u64);
            if self.flip && bits & 1 == 1 {
                *record = record.flipped();
            }
            if self.mirror && bits & 2 == 2 {
                *record = record.mirrored().unwrap_or(*record);
            }
        }
    }

    /// The random generator of an epoch; each `stream` gives independent numbers.
    pub(super) fn rng(&self, epoch: u64, stream: u64) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::seed_from_u64(mix(self.seed ^ mix(epoch)));
        rng.set_stream(stream);
        rng
    }
}

/// Anything that gives batches, epoch after epoch.
pub trait BatchSource {
    /// Replaces `batch` by the next one; `false`, and an empty batch, once at the end of each epoch.
    ///
    /// # Errors
    /// [`DataError`] if the data cannot be read.
    fn next_batch(&mut self, batch: &mut Vec<Record>) -> Result<bool, DataError>;

    /// The hints of the last batch, in the order of its records; empty if none of the data has hints. Records without a
    /// hint have [`NO_HINT`](crate::data::NO_HINT).
    fn hints(&self) -> &[Hint];

    /// Where the next batch stands.
    fn cursor(&self) -> Cursor;
}

/// A batch that is ready for training.
pub struct Prepared<T> {
    /// The encoded batch; `None` at the end of an epoch.
    pub batch: Option<T>,
    /// Where the batch after this one stands, for a checkpoint.
    pub next: Cursor,
}

/// Encodes batches on a thread of its own, at most `ahead` batches early, until the receiver is dropped.
/// After an error nothing follows.
pub fn prefetch<T: Send + 'static>(
    mut source: impl BatchSource + Send + 'static,
    ahead: usize,
    mut encode: impl FnMut(&[Record], &[Hint]) -> T + Send + 'static,
) -> Receiver<Result<Prepared<T>, DataError>> {
    let (sender, receiver) = sync_channel(ahead);
    thread::spawn(move || {
        let mut records = Vec::new();
        loop {
            let prepared = source.next_batch(&mut records).map(|more| Prepared {
                batch: more.then(|| encode(&records, source.hints())),
                next: source.cursor(),
            });
            let last = prepared.is_err();
            if sender.send(prepared).is_err() || last {
                return;
            }
        }
    });
    receiver
}

/// Serves records in shuffled batches, epoch after epoch.
///
/// The order depends on the seed and the epoch alone, so that a [`Cursor`] is all that a checkpoint has to keep.
/// The records that do not fill the last batch of an epoch are left out of it, unless there is no full batch.
pub struct Batches {
    records: Vec<Record>,
    /// As many as records, or none.
    all_hints: Vec<Hint>,
    hints: Vec<Hint>,
    order: Vec<u32>,
    settings: BatchSettings,
    cursor: Cursor,
}

impl Batches {
    /// Serves these records from `start` on.
    ///
    /// # Panics
    /// With 2³² records or more, or batches of size 0.
    #[cfg(test)]
    fn new(records: Vec<Record>, settings: BatchSettings, start: Cursor) -> Batches {
        Batches::with_hints(records, Vec::new(), settings, start)
    }

    /// The same for records with hints; there may be none.
    ///
    /// # Panics
    /// With 2³² records or more, batches of size 0, or if there are hints but not as many as records.
    pub fn with_hints(
        records: Vec<Record>,
        hints: Vec<Hint>,
        settings: BatchSettings,
        start: Cursor,
    ) -> Batches {
        assert!(
            hints.is_empty() || hints.len() == records.len(),
            "a hint for each record"
        );
        assert!(settings.size > 0, "a batch holds at least one record");
        let count = u32::try_from(records.len()).expect("fewer than 2^32 records");
        let mut batches = Batches {
            records,
            all_hints: hints,
            hints: Vec::new(),
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
        self.hints.clear();
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
        let records = self.order[begin..end]
            .iter()
            .map(|&index| self.records[index as usize]);
        batch.extend(records);
        if !self.all_hints.is_empty() {
            let hints = self.order[begin..end]
                .iter()
                .map(|&index| self.all_hints[index as usize]);
            self.hints.extend(hints);
        }
        self.settings.vary(batch, self.cursor);
        self.cursor.batch += 1;
        true
    }

    /// Draws the order of the current epoch.
    fn shuffle(&mut self) {
        self.order.sort_unstable();
        self.order.shuffle(&mut self.settings.rng(self.cursor.epoch, 0));
    }
}

impl BatchSource for Batches {
    fn next_batch(&mut self, batch: &mut Vec<Record>) -> Result<bool, DataError> {
        Ok(Batches::next_batch(self, batch))
    }

    fn hints(&self) -> &[Hint] {
        &self.hints
    }

    fn cursor(&self) -> Cursor {
        Batches::cursor(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::data::Label;

    fn records(count: i32) -> Vec<Record> {
        let record = Record::new(&Position::default());
        (0..count)
            .map(|n| record.with_label(Label::centipawns(n)))
            .collect()
    }

    const SETTINGS: BatchSettings = BatchSettings {
        size: 10,
        seed: 3,
        flip: false,
        mirror: false,
    };

    fn epoch(batches: &mut dyn BatchSource) -> Vec<Vec<i16>> {
        let (mut batch, mut all) = (Vec::new(), Vec::new());
        while batches.next_batch(&mut batch).unwrap() {
            all.push(batch.iter().map(|record| record.score().unwrap()).collect());
        }
        all
    }

    #[test]
    fn an_epoch_shows_every_record_once_and_the_next_in_another_order() {
        let mut batches = Batches::new(records(105), SETTINGS, Cursor::default());
        let (first, second) = (epoch(&mut batches), epoch(&mut batches));
        assert_eq!((first.len(), second.len() as u64), (10, batches.per_epoch()));
        let mut seen = first.concat();
        assert!(!seen.is_sorted());
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 100);
        assert_ne!(first, second);
    }

    #[test]
    fn a_cursor_goes_on_with_the_very_next_batch() {
        let settings = BatchSettings {
            flip: true,
            mirror: true,
            ..SETTINGS
        };
        let mut whole = Batches::new(records(105), settings, Cursor::default());
        let all: Vec<_> = (0..5).flat_map(|_| epoch(&mut whole)).collect();
        assert!(all.concat().iter().any(|&score| score < 0));
        let mut batch = Vec::new();
        let mut cut = Batches::new(records(105), settings, Cursor::default());
        for served in 0..25 {
            let mut rest = Batches::new(records(105), settings, cut.cursor());
            let mut found = epoch(&mut rest);
            found.extend(epoch(&mut rest));
            assert_eq!(found[..], all[served..served + found.len()]);
            while !cut.next_batch(&mut batch) {}
        }
    }

    #[test]
    fn hints_stay_with_their_records() {
        let settings = BatchSettings {
            flip: true,
            mirror: true,
            ..SETTINGS
        };
        let hints = (0..105).map(|n| [n; 16]).collect();
        let mut batches = Batches::with_hints(records(105), hints, settings, Cursor::default());
        let (mut batch, mut seen) = (Vec::new(), 0);
        for _ in 0..3 {
            while batches.next_batch(&mut batch) {
                let scores = batch.iter().map(|record| record.score().unwrap().abs());
                assert!(scores.eq(batches.hints().iter().map(|hint| hint[0])));
                seen += batches.hints().len();
            }
            assert!(batches.hints().is_empty());
        }
        assert_eq!(seen, 300);
    }

    #[test]
    fn fewer_records_than_a_batch_make_one_batch() {
        let mut batches = Batches::new(records(4), SETTINGS, Cursor::default());
        assert_eq!(epoch(&mut batches)[0].len(), 4);
        assert_eq!(
            epoch(&mut Batches::new(Vec::new(), SETTINGS, Cursor::default())).len(),
            0
        );
    }

    #[test]
    fn encoding_ahead_changes_nothing() {
        let mut plain = Batches::new(records(105), SETTINGS, Cursor::default());
        let prepared = prefetch(
            Batches::new(records(105), SETTINGS, Cursor::default()),
            2,
            |batch: &[Record], _: &[Hint]| batch.to_vec(),
        );
        let mut batch = Vec::new();
        for prepared in prepared.into_iter().take(25) {
            let prepared = prepared.unwrap();
            let more = plain.next_batch(&mut batch);
            assert_eq!(prepared.batch, more.then(|| batch.clone()));
            assert_eq!(prepared.next, plain.cursor());
        }
    }
}
