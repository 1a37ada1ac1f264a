//! Shards: files of records, at most a million each, and the index that lists them.
//!
//! A shard is a header and the records (`items`). Groups are never cut: a shard begins with the start of
//! one. In a folder with hints, each shard has a file beside it with a hint for every record, in the same order.
//! `index.json` names the shards, their lengths and SHA-256, and what made them.

use super::items::{ItemReader, Items, sha256};
use crate::data::DataError;
use crate::data::record::{Hint, NO_HINT, Record, hint_from_bytes};
use crate::support::whole_file;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// The name of the index in its folder.
pub const INDEX: &str = "index.json";

/// The records of a shard, unless another number is asked for.
pub const SHARD_RECORDS: u64 = 1_000_000;

/// No index counts more records and groups.
const MOST_RECORDS: u64 = 1 << 60;

const VERSION: u32 = 1;

/// What a folder of shards holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Index {
    /// The version of the format, 1.
    pub version: u32,
    /// What made the shards: only the same job may continue the run.
    pub job: serde_json::Value,
    /// Whether every shard has a file of hints beside it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub hints: bool,
    /// Whether the run has ended.
    pub complete: bool,
    /// The run's report at its end, a line each.
    pub notes: Vec<String>,
    /// The shards in their order.
    pub shards: Vec<ShardEntry>,
}

/// One shard in an index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardEntry {
    /// The name of the file in the folder.
    pub file: String,
    /// How many records it holds.
    pub records: u64,
    /// The groups of the input that were dealt with when it ended, from the first shard on.
    pub groups: u64,
    /// The SHA-256 of the whole file, in hexadecimal digits.
    pub sha256: String,
    /// That of the file of hints beside it, if the folder has hints.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hints_sha256: Option<String>,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// Where the hints of a shard are kept.
pub(super) fn hints_path(shard: &Path) -> PathBuf {
    shard.with_extension("hints")
}

impl ShardEntry {
    /// Its files in the folder.
    pub fn shard(&self, folder: &Path) -> Shard {
        let records = folder.join(&self.file);
        Shard {
            hints: self.hints_sha256.as_ref().map(|_| hints_path(&records)),
            records,
        }
    }
}

impl Index {
    /// The index of a run that has not begun.
    pub fn new(job: serde_json::Value) -> Index {
        Index {
            version: VERSION,
            job,
            hints: false,
            complete: false,
            notes: Vec::new(),
            shards: Vec::new(),
        }
    }

    /// Reads the index of a folder.
    ///
    /// # Errors
    /// [`DataError::Read`] if there is no such file, [`DataError::Damaged`] if it is not a valid index.
    pub fn read(folder: &Path) -> Result<Index, DataError> {
        let path = folder.join(INDEX);
        let text = fs::read(&path).map_err(|error| DataError::read(&path, error))?;
        let index: Index =
            serde_json::from_slice(&text).map_err(|error| DataError::damaged(&path, &error.to_string()))?;
        if index.version != VERSION {
            let fault = format!("version {} is not {VERSION}", index.version);
            return Err(DataError::damaged(&path, &fault));
        }
        match index.fault() {
            Some(fault) => Err(DataError::damaged(&path, &fault)),
            None => Ok(index),
        }
    }

    /// A fault that no run could have written: a shard outside of the folder, which a restart would delete, or counts
    /// whose sums overflow.
    fn fault(&self) -> Option<String> {
        let is_inside = |name: &str| Path::new(name).file_name().is_some_and(|last| last == name);
        if let Some(shard) = self.shards.iter().find(|shard| !is_inside(&shard.file)) {
            return Some(format!("{:?} is no file of this folder", shard.file));
        }
        if let Some(shard) = self
            .shards
            .iter()
            .find(|shard| shard.hints_sha256.is_some() != self.hints)
        {
            return Some(format!(
                "{:?} has hints where the others have none, or the reverse",
                shard.file
            ));
        }
        let counts = self.shards.iter().flat_map(|shard| [shard.records, shard.groups]);
        let sum = counts.fold(0, u64::saturating_add);
        (sum > MOST_RECORDS).then(|| format!("{sum} records and groups are more than any disk holds"))
    }

    /// Writes the index.
    ///
    /// # Errors
    /// [`DataError::Write`] if that fails; the old index is then still there.
    pub fn write(&self, folder: &Path) -> Result<(), DataError> {
        let path = folder.join(INDEX);
        let text = serde_json::to_vec_pretty(self).map_err(|error| DataError::write(&path, error.into()))?;
        whole_file::write_bytes(&path, &text).map_err(|error| DataError::write(&path, error))
    }

    /// The records of all shards.
    pub fn records(&self) -> u64 {
        self.shards.iter().map(|shard| shard.records).sum()
    }
}

/// A shard of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The file of its records.
    pub records: PathBuf,
    /// The file of their hints, if they have any.
    pub hints: Option<PathBuf>,
}

/// Reads one shard from its beginning.
pub struct ShardReader {
    records: ItemReader,
    hints: Option<ItemReader>,
}

impl ShardReader {
    /// Opens a shard; its header and the length of the file must agree, and it must have as many hints as records, if any.
    ///
    /// # Errors
    /// [`DataError::Read`] if it cannot be opened, [`DataError::Damaged`] if it is no shard, or not a whole one.
    pub fn open(shard: &Shard) -> Result<ShardReader, DataError> {
        let records = ItemReader::open(&shard.records, Items::Records)?;
        let open = |path: &PathBuf| ItemReader::open(path, Items::Hints);
        let hints = shard.hints.as_ref().map(open).transpose()?;
        match (&hints, &shard.hints) {
            (Some(reader), Some(path)) if reader.left() != records.left() => {
                let (found, wanted) = (reader.left(), records.left());
                let fault = format!("it holds {found} hints for {wanted} records");
                Err(DataError::damaged(path, &fault))
            }
            _ => Ok(ShardReader { records, hints }),
        }
    }

    /// The file of its records.
    fn path(&self) -> &Path {
        self.records.path()
    }

    /// The records that are still to come.
    pub fn left(&self) -> u64 {
        self.records.left()
    }

    /// Appends the next records, some ten thousands, and as many hints, [`NO_HINT`] if the shard has none; `false` at the
    /// end.
    ///
    /// # Errors
    /// [`DataError::Read`] when a file cannot be read on.
    pub fn read(&mut self, records: &mut Vec<Record>, hints: &mut Vec<Hint>) -> Result<bool, DataError> {
        let items = self.records.next()?;
        records.extend(items.iter().map(Record::from_bytes));
        let count = items.len();
        match &mut self.hints {
            Some(reader) => hints.extend(reader.next()?.iter().map(hint_from_bytes)),
            None => hints.resize(hints.len() + count, NO_HINT),
        }
        Ok(count > 0)
    }
}

/// Reads the shards of a folder one after the other, and refuses what `enroc data check` refuses.
pub struct FolderReader {
    folder: PathBuf,
    shards: std::vec::IntoIter<ShardEntry>,
    current: Option<ShardReader>,
    has_hints: bool,
}

impl FolderReader {
    /// Opens a folder.
    ///
    /// # Errors
    /// As [`Index::read`], and [`DataError::Unfinished`] if the run that writes it has not ended.
    pub fn open(folder: &Path) -> Result<FolderReader, DataError> {
        let index = complete_index(folder)?;
        Ok(FolderReader {
            folder: folder.to_path_buf(),
            has_hints: index.hints,
            shards: index.shards.into_iter(),
            current: None,
        })
    }

    /// Whether its records have hints.
    pub fn has_hints(&self) -> bool {
        self.has_hints
    }

    /// Appends the next records and as many hints, as [`ShardReader::read`]; `false` at the end of the last shard.
    ///
    /// # Errors
    /// As [`ShardReader::open`] and [`ShardReader::read`], and [`DataError::Damaged`] for a shard that is not the one of the
    /// index, or has an impossible record.
    pub fn read(&mut self, records: &mut Vec<Record>, hints: &mut Vec<Hint>) -> Result<bool, DataError> {
        loop {
            let before = records.len();
            if let Some(shard) = &mut self.current
                && shard.read(records, hints)?
            {
                let faults = records[before..].par_iter().map(Record::check);
                if let Some(fault) = faults.find_map_first(Result::err) {
                    return Err(DataError::damaged(shard.path(), &fault.to_string()));
                }
                return Ok(true);
            }
            match self.shards.next() {
                Some(entry) => self.current = Some(self.open_shard(&entry)?),
                None => return Ok(false),
            }
        }
    }

    fn open_shard(&self, entry: &ShardEntry) -> Result<ShardReader, DataError> {
        let shard = entry.shard(&self.folder);
        let reader = ShardReader::open(&shard)?;
        if reader.left() != entry.records {
            let fault = format!("{} records, the index says {}", reader.left(), entry.records);
            return Err(DataError::damaged(&shard.records, &fault));
        }
        let hints = shard.hints.iter().zip(&entry.hints_sha256);
        for (path, hash) in [(&shard.records, &entry.sha256)].into_iter().chain(hints) {
            if sha256(path)? != *hash {
                return Err(DataError::damaged(path, "its SHA-256 is not that of the index"));
            }
        }
        Ok(reader)
    }
}

fn complete_index(folder: &Path) -> Result<Index, DataError> {
    let index = Index::read(folder)?;
    match index.complete {
        true => Ok(index),
        false => Err(DataError::Unfinished(folder.to_path_buf())),
    }
}

/// The shards of a folder whose run has ended.
///
/// # Errors
/// As [`FolderReader::open`].
pub fn shards(folder: &Path) -> Result<Vec<Shard>, DataError> {
    let shards = complete_index(folder)?.shards;
    Ok(shards.iter().map(|entry| entry.shard(folder)).collect())
}

/// Whether this is a folder of shards with hints.
///
/// # Errors
/// As [`Index::read`].
pub fn has_hints(path: &Path) -> Result<bool, DataError> {
    Ok(path.is_dir() && Index::read(path)?.hints)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::data::record::hint_to_bytes;
    use crate::data::store::items::{sha256, write_items};
    use std::io;

    fn shard(folder: &Path, count: usize) -> (PathBuf, String) {
        let path = folder.join("a.shard");
        let bytes = Record::new(&Position::default()).to_bytes();
        let hash = write_items(&path, Items::Records, count as u64, |put| {
            (0..count).try_for_each(|_| put(&bytes))
        })
        .unwrap();
        (path, hash)
    }

    /// Opens a file of records without hints.
    fn open(path: &Path) -> Result<ShardReader, DataError> {
        ShardReader::open(&Shard {
            records: path.to_path_buf(),
            hints: None,
        })
    }

    #[test]
    fn a_shard_is_read_back_and_its_hash_is_that_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let (path, hash) = shard(folder.path(), 20_000);
        assert_eq!(sha256(&path).unwrap(), hash);
        let mut reader = open(&path).unwrap();
        let (mut records, mut hints) = (Vec::new(), Vec::new());
        while reader.read(&mut records, &mut hints).unwrap() {}
        assert_eq!(records.len(), 20_000);
        assert!(records.iter().all(|record| record.check().is_ok()));
        assert_eq!(hints, vec![NO_HINT; 20_000]);
        assert!(!folder.path().join("a.shard.tmp").exists());
    }

    #[test]
    fn hints_are_read_beside_their_records_or_refused_with_a_line() {
        let folder = tempfile::tempdir().unwrap();
        let (records, _) = shard(folder.path(), 20_000);
        let hints = hints_path(&records);
        let shard = Shard {
            records: records.clone(),
            hints: Some(hints.clone()),
        };
        let write = |count: i16| {
            write_items(&hints, Items::Hints, count as u64, |put| {
                (0..count).try_for_each(|n| put(&hint_to_bytes(&[n; 16])))
            })
            .unwrap()
        };
        write(20_000);
        let (mut read, mut beside) = (Vec::new(), Vec::new());
        let mut reader = ShardReader::open(&shard).unwrap();
        while reader.read(&mut read, &mut beside).unwrap() {
            assert_eq!(read.len(), beside.len());
        }
        assert!(beside.iter().enumerate().all(|(n, hint)| *hint == [n as i16; 16]));
        assert_eq!(beside.len(), 20_000);
        write(19_999);
        let few = ShardReader::open(&shard).err().unwrap().to_string();
        assert!(
            few.contains("19999 hints for 20000 records") && !few.contains('\n'),
            "{few}"
        );
        assert!(few.contains(&hints.display().to_string()), "{few}");
        fs::copy(&records, &hints).unwrap();
        let foreign = ShardReader::open(&shard).err().unwrap().to_string();
        assert!(foreign.contains("as a file of hints"), "{foreign}");
        fs::remove_file(&hints).unwrap();
        assert!(matches!(ShardReader::open(&shard), Err(DataError::Read { .. })));
    }

    #[test]
    fn truncated_and_foreign_files_are_refused_with_a_line() {
        let folder = tempfile::tempdir().unwrap();
        let (path, _) = shard(folder.path(), 3);
        let whole = fs::read(&path).unwrap();
        for length in [0, 10, 32, 33, 64, whole.len() - 1] {
            fs::write(&path, &whole[..length]).unwrap();
            let error = open(&path).err().unwrap().to_string();
            assert!(
                error.contains("a.shard is damaged") && !error.contains('\n'),
                "{error}"
            );
        }
        fs::write(&path, [&whole[..], b"x"].concat()).unwrap();
        assert!(matches!(open(&path), Err(DataError::Damaged { .. })));
        let mut huge = whole.clone();
        huge[16..24].fill(0xff);
        fs::write(&path, huge).unwrap();
        assert!(matches!(open(&path), Err(DataError::Damaged { .. })));
    }

    #[test]
    fn an_index_that_leads_elsewhere_or_counts_too_much_is_refused() {
        let room = tempfile::tempdir().unwrap();
        let folder = room.path().join("shards");
        fs::create_dir(&folder).unwrap();
        let read = |file: &str, records| {
            let mut index = Index::new("a job".into());
            index.shards = vec![
                ShardEntry {
                    file: file.to_string(),
                    records,
                    groups: 1,
                    sha256: String::new(),
                    hints_sha256: None,
                };
                2
            ];
            index.write(&folder).unwrap();
            Index::read(&folder).map(|index| index.records())
        };
        assert_eq!(read("a.shard", 3).unwrap(), 6);
        for file in ["../outside", "/outside", "a/../b", "a/", "..", "."] {
            let line = read(file, 3).unwrap_err().to_string();
            assert!(
                line.contains("is no file of this folder") && !line.contains('\n'),
                "{line}"
            );
        }
        assert!(matches!(
            read("a.shard", u64::MAX),
            Err(DataError::Damaged { .. })
        ));
        let mut index = Index::new("a job".into());
        index.hints = true;
        index.shards = vec![ShardEntry {
            file: "a.shard".to_string(),
            records: 1,
            groups: 1,
            sha256: String::new(),
            hints_sha256: None,
        }];
        index.write(&folder).unwrap();
        assert!(matches!(Index::read(&folder), Err(DataError::Damaged { .. })));
    }

    #[test]
    fn a_shard_that_cannot_be_written_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, b"old").unwrap();
        let full = write_items(&path, Items::Records, 1, |put| {
            put(&[0; 32])?;
            Err(io::Error::from(io::ErrorKind::StorageFull))
        });
        let line = full.unwrap_err().to_string();
        assert!(line.starts_with("cannot write") && !line.contains('\n'), "{line}");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn hints_that_were_changed_are_named_and_not_their_records() {
        let folder = tempfile::tempdir().unwrap();
        let (records, sha256) = shard(folder.path(), 3);
        let hints = hints_path(&records);
        let write = |first: i16| {
            let put_all = |put: &mut dyn FnMut(&[u8]) -> io::Result<()>| {
                (first..first + 3).try_for_each(|n| put(&hint_to_bytes(&[n; 16])))
            };
            write_items(&hints, Items::Hints, 3, put_all).unwrap()
        };
        let mut index = Index::new("a job".into());
        (index.hints, index.complete) = (true, true);
        index.shards = vec![ShardEntry {
            file: "a.shard".to_string(),
            records: 3,
            groups: 3,
            sha256,
            hints_sha256: Some(write(0)),
        }];
        index.write(folder.path()).unwrap();
        let read = || {
            FolderReader::open(folder.path())
                .unwrap()
                .read(&mut Vec::new(), &mut Vec::new())
        };
        assert!(read().unwrap());
        write(1);
        let line = read().unwrap_err().to_string();
        assert!(line.contains(&hints.display().to_string()), "{line}");
    }
}
