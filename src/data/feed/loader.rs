//! Loading positions into memory: read from any source, filtered and divided into parts.

use super::filter::{Filter, FilterSettings};
use super::split::{Part, Split, Splitter};
use crate::data::DataError;
use crate::data::formats::games::GameSettings;
use crate::data::formats::source::SourceReader;
use crate::data::record::{Hint, NO_HINT, Record};
use crate::data::store::shard::has_hints;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

pub use crate::data::feed::batches::{BatchSettings, BatchSource, Batches, Cursor, prefetch};
pub use crate::data::feed::stream::{ShardBatches, StreamSettings};

/// Which records to take from the files.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Selection {
    /// How groups are divided into parts.
    pub split: Split,
    /// What is left out of the training part; the other parts stay whole, except for
    /// positions without a label.
    pub filter: FilterSettings,
    /// Reading ends once this many records are kept, over all parts.
    pub limit: Option<usize>,
}

/// Records in memory, by part, 32 bytes each, and as many for each hint.
#[derive(Debug)]
pub struct Loaded {
    /// To fit weights to.
    pub training: Vec<Record>,
    /// The hints of the training part, in its order; empty if no source has hints.
    pub hints: Vec<Hint>,
    /// To decide when to stop.
    pub validation: Vec<Record>,
    /// For the final figures.
    pub test: Vec<Record>,
    /// What was skipped, a line for each source that had unreadable rows, lines or games.
    pub skipped: Vec<String>,
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
/// As [`SourceReader::open`] and [`SourceReader::read`]; [`DataError::Empty`] if nothing is kept for training.
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
/// As [`SourceReader::open`] and [`SourceReader::read`].
pub fn load_held_out(paths: &[PathBuf], selection: &Selection) -> Result<Loaded, DataError> {
    read_parts(paths, selection, &[Part::Validation, Part::Test])
}

fn read_parts(paths: &[PathBuf], selection: &Selection, wanted: &[Part]) -> Result<Loaded, DataError> {
    let mut filter = Filter::new(selection.filter.clone());
    let mut parts = Part::ALL.map(|_| Vec::new());
    let mut skipped = Vec::new();
    let mut room = selection.limit.unwrap_or(usize::MAX);
    let (mut records, mut read_hints, mut hints) = (Vec::new(), Vec::new(), Vec::new());
    let mut keeps_hints = false;
    for path in paths.iter().filter(|_| wanted.contains(&Part::Training)) {
        keeps_hints |= has_hints(path)?;
    }
    for path in paths {
        let mut source = SourceReader::open(path, GameSettings::default())?;
        let mut splitter = Splitter::new(selection.split);
        while room > 0 && source.read_with_hints(&mut records, &mut read_hints)? {
            for (place, record) in records.drain(..).enumerate() {
                let part = splitter.part(&record);
                let keep = match part {
                    _ if !wanted.contains(&part) => false,
                    Part::Training => filter.keep(&record),
                    Part::Validation | Part::Test => record.score().is_some(),
                };
                if room > 0 && keep {
                    parts[part as usize].push(record);
                    room -= 1;
                    if keeps_hints && part == Part::Training {
                        hints.push(read_hints.get(place).copied().unwrap_or(NO_HINT));
                    }
                }
            }
            read_hints.clear();
        }
        let lines = source.skipped().into_iter();
        skipped.extend(lines.map(|words| format!("{}: {words}", path.display())));
    }
    let [training, validation, test] = parts;
    Ok(Loaded {
        training,
        hints,
        validation,
        test,
        skipped,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Label;
    use crate::data::formats::source::{GroupSource, Groups};
    use crate::data::store::writer::{Opened, ShardWriter};
    use std::collections::HashSet;
    use std::slice::from_ref;

    /// Rows with a rook and a pawn on many squares, four in each group, every tenth broken.
    fn rows() -> (tempfile::TempDir, PathBuf) {
        let mut text = String::new();
        for n in 0..1_200 {
            let mut ranks = ["k7", "8", "8", "8", "8", "8", "8", "K7"].map(str::to_string);
            let (file, rank) = (1 + n % 6, n / 6 % 4);
            ranks[2 + rank] = format!("{file}R{}", 7 - file);
            let file = 1 + n / 24 % 6;
            ranks[1] = format!("{file}p{}", 7 - file);
            let board = ranks.join("/");
            let score = if n % 10 == 0 { "x" } else { "5" };
            text += &format!("{board} w - - 0 {},{score},a1a2,r{}\n", n / 24 + 1, n % 4);
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.csv");
        std::fs::write(&path, text).unwrap();
        (folder, path)
    }

    fn selection() -> Selection {
        Selection {
            split: Split {
                seed: 1,
                validation: 0.3,
                test: 0.2,
            },
            ..Selection::default()
        }
    }

    #[test]
    fn parts_share_no_group_and_hold_everything_that_can_be_read() {
        let (_folder, path) = rows();
        let loaded = load(from_ref(&path), &selection()).unwrap();
        assert!(
            loaded.skipped[0].contains("120 unreadable score"),
            "{:?}",
            loaded.skipped
        );
        let sizes = Part::ALL.map(|part| loaded.part(part).len());
        assert_eq!(sizes.iter().sum::<usize>(), 1_080);
        assert!(sizes.iter().all(|&size| size > 0), "{sizes:?}");
        let starts = |part| -> HashSet<u64> {
            let records = loaded.part(part).iter();
            records
                .filter(|record| record.starts_group())
                .map(Record::hash)
                .collect()
        };
        assert!(starts(Part::Training).is_disjoint(&starts(Part::Validation)));
        assert!(starts(Part::Training).is_disjoint(&starts(Part::Test)));
        let held_out = load_held_out(from_ref(&path), &selection()).unwrap();
        assert!(held_out.training.is_empty());
        assert_eq!(
            (held_out.validation, held_out.test),
            (loaded.validation, loaded.test)
        );
    }

    #[test]
    fn hints_come_with_the_training_part() {
        let (folder, path) = rows();
        let hinted = folder.path().join("hinted");
        let Opened::Ready(mut writer) = ShardWriter::open_with_hints(&hinted, &1, 100).unwrap() else {
            panic!("a new folder is not complete");
        };
        let mut groups = Groups::new(vec![path.clone()], GameSettings::default());
        let (mut group, mut n) = (Vec::new(), 0);
        while groups.next_group(&mut group).unwrap() {
            let label =
                |(place, record): (usize, &Record)| record.with_label(Label::centipawns(n + place as i32));
            let labelled: Vec<Record> = group.iter().enumerate().map(label).collect();
            let hints: Vec<Hint> = labelled
                .iter()
                .map(|record| [record.score().unwrap(); 16])
                .collect();
            writer.append_with_hints(&labelled, &hints).unwrap();
            n += group.len() as i32;
        }
        writer.finish(Vec::new()).unwrap();
        let loaded = load(&[hinted, path.clone()], &selection()).unwrap();
        assert_eq!(loaded.hints.len(), loaded.training.len());
        let half = loaded.hints.iter().position(|hint| *hint == NO_HINT).unwrap();
        assert_eq!(2 * half, loaded.training.len());
        let scores = loaded.training.iter().map(|record| record.score().unwrap());
        assert!(
            scores
                .take(half)
                .eq(loaded.hints[..half].iter().map(|hint| hint[3]))
        );
        assert!(loaded.hints[half..].iter().all(|hint| *hint == NO_HINT));
        assert!(load(&[path], &selection()).unwrap().hints.is_empty());
    }

    #[test]
    fn the_filter_touches_training_alone_and_the_limit_everything() {
        let (_folder, path) = rows();
        let all = load(from_ref(&path), &selection()).unwrap();
        let mut fewer = selection();
        fewer.filter.duplicate_memory = Some(1);
        let filtered = load(from_ref(&path), &fewer).unwrap();
        assert!(filtered.training.len() < all.training.len() * 3 / 4);
        assert_eq!(filtered.validation, all.validation);
        fewer.filter.max_score = Some(4);
        assert!(matches!(load(from_ref(&path), &fewer), Err(DataError::Empty(_))));
        let few = Selection {
            limit: Some(100),
            ..selection()
        };
        let few = load(from_ref(&path), &few).unwrap();
        assert_eq!(
            Part::ALL.map(|part| few.part(part).len()).iter().sum::<usize>(),
            100
        );
    }
}
