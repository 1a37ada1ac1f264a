//! The data of a training: what is trained on, what is measured on, and the predictors to compare with.

use super::baselines::Baselines;
use super::recipe::Recipe;
use super::{TrainError, part_name};
use crate::board::GameResult;
use crate::data::count::Counts;
use crate::data::feed::loader;
use crate::data::feed::loader::{
    BatchSettings, BatchSource, Batches, Cursor, Loaded, Selection, ShardBatches, StreamSettings,
};
use crate::data::feed::split::Splitter;
use crate::data::record::hint::{hint_to_bytes, retain_with_hints};
use crate::data::store::shard::{Index, ShardReader};
use crate::data::{DataError, Filter, FilterSettings, Hint, Part, Record};
use crate::support::hex::hex;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// The data of one recipe.
pub struct Data {
    /// To fit weights to.
    pub training: Training,
    /// To decide which weights are kept.
    pub validation: Vec<Record>,
    /// For the final figures.
    pub test: Vec<Record>,
    /// Fitted to the training part, or to the validation part where the former is streamed.
    pub baselines: Baselines,
    /// What could not be read, a line for each file.
    pub skipped: Vec<String>,
    /// Tells this data from other data, so that a training goes on with its own alone.
    pub fingerprint: String,
}

/// Positions to train on.
pub enum Training {
    /// In memory.
    Loaded {
        /// The positions, 32 bytes each.
        records: Vec<Record>,
        /// Their hints, in the same order; empty if no file has hints.
        hints: Vec<Hint>,
        /// What the recipe's filter left out.
        left_out: Counts<5>,
    },
    /// Read from folders of shards again and again, a few shards at a time.
    Streamed(Vec<PathBuf>, StreamSettings),
}

impl Data {
    /// Reads the recipe's files. Only what is trained on is filtered: the errors on all positions need all of them.
    ///
    /// # Errors
    /// If a file cannot be read or holds nothing to measure on or less than one batch to train on.
    pub fn load(recipe: &Recipe, folder: &Path) -> Result<Data, TrainError> {
        let paths: Vec<PathBuf> = recipe.data.files.iter().map(|file| folder.join(file)).collect();
        let Parts {
            loaded,
            training,
            baselines,
        } = match recipe.data.in_memory {
            Some(in_memory) => streamed(recipe, paths, in_memory)?,
            None => in_memory(recipe, &paths)?,
        };
        let measured = recipe.schedule.measure_on;
        let (validation, test) = (
            thinned(&loaded.validation, measured),
            thinned(&loaded.test, measured),
        );
        for (records, part) in [(&validation, Part::Validation), (&test, Part::Test)] {
            if records.is_empty() {
                return Err(TrainError::NothingToMeasure(part_name(part)));
            }
        }
        check_results(recipe, &training, &loaded.validation)?;
        let fingerprint = match &training {
            Training::Loaded { records, hints, .. } => of_records(&[records, &validation], hints),
            Training::Streamed(folders, _) => of_shards(folders)?,
        };
        Ok(Data {
            fingerprint,
            training,
            validation,
            test,
            baselines,
            skipped: loaded.skipped,
        })
    }
}

/// What both ways of reading give.
struct Parts {
    /// The held-out parts, before they are thinned.
    loaded: Loaded,
    training: Training,
    baselines: Baselines,
}

/// Everything in memory; the baselines are fitted to the training part before the filter.
fn in_memory(recipe: &Recipe, paths: &[PathBuf]) -> Result<Parts, TrainError> {
    let (selection, filter) = unfiltered(recipe);
    let mut loaded = loader::load(paths, &selection)?;
    let baselines = Baselines::fit(&loaded.training);
    let mut filter = Filter::new(filter);
    let mut training = std::mem::take(&mut loaded.training);
    let mut hints = std::mem::take(&mut loaded.hints);
    retain_with_hints(&mut training, &mut hints, |record| filter.keep(record));
    // the vectors may have grown to twice the needed capacity
    training.shrink_to_fit();
    hints.shrink_to_fit();
    enough(training.len(), recipe)?;
    Ok(Parts {
        loaded,
        training: Training::Loaded {
            records: training,
            hints,
            left_out: filter.rejected().clone(),
        },
        baselines,
    })
}

/// The held-out parts in memory, the training part still in its shards; the baselines are fitted to the validation part.
fn streamed(recipe: &Recipe, folders: Vec<PathBuf>, in_memory: usize) -> Result<Parts, TrainError> {
    if let Some(file) = folders.iter().find(|folder| folder.is_file()) {
        return Err(TrainError::NoFolder(file.clone()));
    }
    let (selection, filter) = unfiltered(recipe);
    let stream = StreamSettings {
        shards: recipe.data.shards,
        in_memory,
        split: selection.split,
        filter,
    };
    enough(count(&folders, &stream, recipe.schedule.batch)?, recipe)?;
    let loaded = loader::load_held_out(&folders, &selection)?;
    let baselines = Baselines::fit(&loaded.validation);
    Ok(Parts {
        loaded,
        training: Training::Streamed(folders, stream),
        baselines,
    })
}

/// Refuses to learn from results where no position has one; if the training positions are streamed, the held-out ones
/// are checked instead.
fn check_results(recipe: &Recipe, training: &Training, held_out: &[Record]) -> Result<(), TrainError> {
    let share = recipe.schedule.result_share;
    let records = match training {
        Training::Loaded { records, .. } => records,
        Training::Streamed(..) => held_out,
    };
    if share > 0.0
        && records
            .iter()
            .all(|record| record.result() == GameResult::Unknown)
    {
        return Err(TrainError::NoResults(share));
    }
    Ok(())
}

/// The recipe's selection without its filter, and the filter.
fn unfiltered(recipe: &Recipe) -> (Selection, FilterSettings) {
    let mut selection = recipe.data.selection.clone();
    let filter = std::mem::take(&mut selection.filter);
    (selection, filter)
}

/// Positions of the training part of shards; counting ends when there are enough.
fn count(folders: &[PathBuf], stream: &StreamSettings, enough: usize) -> Result<usize, DataError> {
    let mut filter = Filter::new(stream.filter.clone());
    let (mut count, mut read, mut hints) = (0, Vec::new(), Vec::new());
    for shard in stream.shards_of(folders)? {
        let mut reader = ShardReader::open(&shard)?;
        let mut splitter = Splitter::new(stream.split);
        while count < enough && reader.read(&mut read, &mut hints)? {
            hints.clear();
            let mut wanted = |record: &Record| splitter.part(record) == Part::Training && filter.keep(record);
            count += read.drain(..).filter(|record| wanted(record)).count();
        }
    }
    Ok(count)
}

/// The SHA-256 of records, in their order, and of hints: the batches depend on it.
fn of_records(parts: &[&[Record]], hints: &[Hint]) -> String {
    let mut hash = Sha256::new();
    for record in parts.iter().copied().flatten() {
        hash.update(record.to_bytes());
    }
    for hint in hints {
        hash.update(hint_to_bytes(hint));
    }
    digits(hash)
}

/// The same of the shards' own hashes, which their folders list.
fn of_shards(folders: &[PathBuf]) -> Result<String, DataError> {
    let mut hash = Sha256::new();
    for folder in folders {
        for shard in Index::read(folder)?.shards {
            hash.update(shard.sha256);
            hash.update(shard.hints_sha256.unwrap_or_default());
        }
    }
    Ok(digits(hash))
}

/// The first digits of a hash.
fn digits(hash: Sha256) -> String {
    hex(&hash.finalize()[..16])
}

/// Without one full batch there would be no step, or steps of another size than the recipe's.
fn enough(positions: usize, recipe: &Recipe) -> Result<(), TrainError> {
    let batch = recipe.schedule.batch;
    if positions < batch {
        return Err(TrainError::TooFew { positions, batch });
    }
    Ok(())
}

impl Training {
    /// Shuffled batches from a place on.
    ///
    /// # Errors
    /// If there is no shard, or one cannot be read.
    pub fn batches(self, settings: BatchSettings, start: Cursor) -> Result<Source, TrainError> {
        Ok(match self {
            Training::Loaded { records, hints, .. } => {
                Source::Loaded(Batches::with_hints(records, hints, settings, start))
            }
            Training::Streamed(folders, stream) => {
                Source::Streamed(Box::new(ShardBatches::new(&folders, &stream, settings, start)?))
            }
        })
    }
}

/// Shuffled batches of either kind.
pub enum Source {
    /// Of records in memory.
    Loaded(Batches),
    /// Of shards.
    Streamed(Box<ShardBatches>),
}

impl BatchSource for Source {
    fn next_batch(&mut self, batch: &mut Vec<Record>) -> Result<bool, DataError> {
        match self {
            Source::Loaded(batches) => BatchSource::next_batch(batches, batch),
            Source::Streamed(batches) => batches.next_batch(batch),
        }
    }

    fn hints(&self) -> &[Hint] {
        match self {
            Source::Loaded(batches) => batches.hints(),
            Source::Streamed(batches) => batches.hints(),
        }
    }

    fn cursor(&self) -> Cursor {
        match self {
            Source::Loaded(batches) => batches.cursor(),
            Source::Streamed(batches) => batches.cursor(),
        }
    }
}

/// At most so many of the records, evenly drawn.
pub(super) fn thinned(records: &[Record], limit: Option<usize>) -> Vec<Record> {
    match limit {
        Some(limit) if limit < records.len() => (0..limit)
            .map(|place| records[place * records.len() / limit])
            .collect(),
        _ => records.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::data::store::writer::{Opened, ShardWriter};
    use crate::data::{Label, Split};

    #[test]
    fn positions_in_memory_take_no_more_room_than_they_need() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.csv");
        let rows = (0..3_000).map(|n| format!("{},{},e2e4,r{}\n", Position::START_FEN, n % 90, n % 4));
        std::fs::write(&path, rows.collect::<String>()).unwrap();
        let recipe = Recipe::parse(include_str!("../../nets/recipes/mlp-default-first.toml")).unwrap();
        let Training::Loaded { records, .. } = in_memory(&recipe, &[path]).unwrap().training else {
            panic!("the recipe does not stream");
        };
        assert_eq!((records.len(), records.capacity()), (3_000, 3_000));
    }

    #[test]
    fn another_label_or_another_order_is_other_data() {
        let [one, two] = [10, 20].map(|n| Record::new(&Position::default()).with_label(Label::centipawns(n)));
        assert_eq!(
            of_records(&[&[one, two]], &[]),
            of_records(&[&[one], &[two]], &[])
        );
        assert_ne!(of_records(&[&[one, two]], &[]), of_records(&[&[two, one]], &[]));
        assert_ne!(of_records(&[&[one, two]], &[]), of_records(&[&[one, one]], &[]));
        assert_ne!(of_records(&[&[one, two]], &[]), of_records(&[&[one]], &[]));
        assert_ne!(of_records(&[&[one]], &[]), of_records(&[&[one]], &[[3; 16]]));
    }

    #[test]
    fn thinning_draws_evenly() {
        let record = Record::new(&Position::default());
        let records: Vec<Record> = (0..10).map(|n| record.with_label(Label::centipawns(n))).collect();
        let scores = |records: Vec<Record>| {
            records
                .iter()
                .map(|record| record.score().unwrap())
                .collect::<Vec<_>>()
        };
        assert_eq!(scores(thinned(&records, Some(4))), [0, 2, 5, 7]);
        assert_eq!(thinned(&records, Some(11)).len(), 10);
        assert_eq!(thinned(&records, None).len(), 10);
    }

    #[test]
    fn only_the_training_part_is_counted() {
        let mut records = Vec::new();
        for &first in &Position::default().legal_moves() {
            let after = Position::default().after(first);
            let answers = after.legal_moves();
            let label = Label::centipawns(0);
            records.extend(
                answers
                    .iter()
                    .map(|&m| Record::new(&after.after(m)).with_label(label)),
            );
        }
        let folder = tempfile::tempdir().unwrap();
        let Opened::Ready(mut writer) = ShardWriter::open(folder.path(), &"job", 150).unwrap() else {
            panic!("complete already");
        };
        for record in &records {
            writer.append(&[*record]).unwrap();
        }
        writer.finish(Vec::new()).unwrap();
        let stream = StreamSettings {
            shards: None,
            in_memory: 2,
            split: Split {
                validation: 0.3,
                ..Split::default()
            },
            filter: FilterSettings::default(),
        };
        let is_wanted = |record: &&Record| stream.split.part(record) == Part::Training;
        let wanted = records.iter().filter(is_wanted).count();
        assert!((200..350).contains(&wanted), "{wanted} of {}", records.len());
        let folders = [folder.path().to_path_buf()];
        assert_eq!(count(&folders, &stream, usize::MAX).unwrap(), wanted);
    }

    /// A training that goes on must see the hints that it began with.
    #[test]
    fn shards_with_other_hints_are_other_data() {
        let folder = tempfile::tempdir().unwrap();
        let shards = |name: &str, hint: i16| {
            let path = folder.path().join(name);
            let Opened::Ready(mut writer) = ShardWriter::open_with_hints(&path, &"job", 9).unwrap() else {
                panic!("complete already");
            };
            let record = Record::new(&Position::default());
            writer.append_with_hints(&[record], &[[hint; 16]]).unwrap();
            writer.finish(Vec::new()).unwrap();
            of_shards(&[path]).unwrap()
        };
        let first = shards("one", 1);
        assert_eq!(first, shards("same", 1));
        assert_ne!(first, shards("other", 2));
    }
}
