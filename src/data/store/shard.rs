//! Shards: files of records, at most a million each, and the index that lists them.
//!
//! A shard is a header of 32 bytes (the letters `ENROCREC`, the version 1, the 32 bytes of a record and the number of
//! records, each little-endian, 4, 4 and 8 bytes long, then 8 zero bytes) and the records. Groups are never cut: a
//! shard begins with the start of one. `index.json` names the shards, their lengths and SHA-256, and what made them.

use crate::data::DataError;
use crate::data::record::{RECORD_BYTES, Record};
use crate::support::hex::hex;
use crate::support::whole_file;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// The name of the index in its folder.
pub const INDEX: &str = "index.json";

/// The records of a shard, unless another number is asked for.
pub const SHARD_RECORDS: u64 = 1_000_000;

/// No index counts more records and groups.
const MOST_RECORDS: u64 = 1 << 60;

/// The length of a shard's header.
const HEADER_BYTES: usize = 32;

const MAGIC: &[u8; 8] = b"ENROCREC";
const VERSION: u32 = 1;

/// Records that are read at once.
const AT_ONCE: usize = 1 << 14;

/// What a folder of shards holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Index {
    /// The version of the format, 1.
    pub version: u32,
    /// What made the shards: only the same job may continue the run.
    pub job: serde_json::Value,
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
}

impl Index {
    /// The index of a run that has not begun.
    pub fn new(job: serde_json::Value) -> Index {
        Index {
            version: VERSION,
            job,
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

/// Writes a shard from the bytes of `count` records, no fewer and no more, and returns its SHA-256.
pub(super) fn write_shard(
    path: &Path,
    count: u64,
    mut records: impl FnMut(&mut dyn FnMut(&[u8]) -> io::Result<()>) -> io::Result<()>,
) -> Result<String, DataError> {
    let mut hash = Sha256::new();
    whole_file::write(path, |file| {
        let mut written = 0;
        let mut put = |bytes: &[u8]| {
            written += bytes.len() as u64;
            hash.update(bytes);
            file.write_all(bytes)
        };
        put(&header(count))?;
        records(&mut put)?;
        let found = (written - HEADER_BYTES as u64) / RECORD_BYTES as u64;
        if found != count {
            let fault = format!("{found} records where {count} were promised");
            return Err(io::Error::other(fault));
        }
        Ok(())
    })
    .map_err(|error| DataError::write(path, error))?;
    Ok(hex(&hash.finalize()))
}

fn header(count: u64) -> [u8; HEADER_BYTES] {
    let mut header = [0; HEADER_BYTES];
    header[..8].copy_from_slice(MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[12..16].copy_from_slice(&(RECORD_BYTES as u32).to_le_bytes());
    header[16..24].copy_from_slice(&count.to_le_bytes());
    header
}

/// Reads one shard from its beginning.
pub struct ShardReader {
    path: PathBuf,
    input: BufReader<File>,
    left: u64,
}

impl ShardReader {
    /// Opens a shard; its header and the length of the file must agree.
    ///
    /// # Errors
    /// [`DataError::Read`] if it cannot be opened, [`DataError::Damaged`] if it is no shard, or not a whole one.
    pub fn open(path: &Path) -> Result<ShardReader, DataError> {
        let failed = |error| DataError::read(path, error);
        let file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        let mut input = BufReader::with_capacity(1 << 18, file);
        let mut bytes = [0; HEADER_BYTES];
        if length >= HEADER_BYTES as u64 {
            input.read_exact(&mut bytes).map_err(failed)?;
        }
        let count = u64::from_le_bytes(std::array::from_fn(|i| bytes[16 + i]));
        if bytes != header(count) {
            return Err(DataError::damaged(
                path,
                "it does not begin as a shard of version 1 does",
            ));
        }
        let there = (length - HEADER_BYTES as u64) / RECORD_BYTES as u64;
        if count.checked_mul(RECORD_BYTES as u64) != Some(length - HEADER_BYTES as u64) {
            let fault = format!("it should hold {count} records and has room for {there}");
            return Err(DataError::damaged(path, &fault));
        }
        Ok(ShardReader {
            path: path.to_path_buf(),
            input,
            left: count,
        })
    }

    /// The records that are still to come.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Appends the next records, some ten thousands; `false` at the end.
    ///
    /// # Errors
    /// [`DataError::Read`] when the file cannot be read on.
    pub fn read(&mut self, records: &mut Vec<Record>) -> Result<bool, DataError> {
        let count = self.left.min(AT_ONCE as u64) as usize;
        let mut bytes = vec![0; count * RECORD_BYTES];
        self.input
            .read_exact(&mut bytes)
            .map_err(|error| DataError::read(&self.path, error))?;
        self.left -= count as u64;
        let (whole, _) = bytes.as_chunks::<RECORD_BYTES>();
        records.extend(whole.iter().map(Record::from_bytes));
        Ok(count > 0)
    }
}

/// Reads the shards of a folder one after the other, and refuses what `enroc data check` refuses.
pub struct FolderReader {
    folder: PathBuf,
    shards: std::vec::IntoIter<ShardEntry>,
    current: Option<ShardReader>,
}

impl FolderReader {
    /// Opens a folder.
    ///
    /// # Errors
    /// As [`Index::read`], and [`DataError::Unfinished`] if the run that writes it has not ended.
    pub fn open(folder: &Path) -> Result<FolderReader, DataError> {
        Ok(FolderReader {
            folder: folder.to_path_buf(),
            shards: complete_index(folder)?.shards.into_iter(),
            current: None,
        })
    }

    /// Appends the next records; `false` at the end of the last shard.
    ///
    /// # Errors
    /// As [`ShardReader::open`] and [`ShardReader::read`], and [`DataError::Damaged`] for a shard that is not the one of the
    /// index, or has an impossible record.
    pub fn read(&mut self, records: &mut Vec<Record>) -> Result<bool, DataError> {
        loop {
            let before = records.len();
            if let Some(shard) = &mut self.current
                && shard.read(records)?
            {
                let faults = records[before..].par_iter().map(Record::check);
                if let Some(fault) = faults.find_map_first(Result::err) {
                    return Err(DataError::damaged(&shard.path, &fault.to_string()));
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
        let path = self.folder.join(&entry.file);
        let shard = ShardReader::open(&path)?;
        if shard.left != entry.records {
            let fault = format!("{} records, the index says {}", shard.left, entry.records);
            return Err(DataError::damaged(&path, &fault));
        }
        if sha256(&path)? != entry.sha256 {
            return Err(DataError::damaged(&path, "its SHA-256 is not that of the index"));
        }
        Ok(shard)
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
pub fn shard_paths(folder: &Path) -> Result<Vec<PathBuf>, DataError> {
    Ok(complete_index(folder)?
        .shards
        .iter()
        .map(|shard| folder.join(&shard.file))
        .collect())
}

/// The SHA-256 of a file, in hexadecimal digits.
pub(super) fn sha256(path: &Path) -> Result<String, DataError> {
    let mut hash = Sha256::new();
    File::open(path)
        .and_then(|mut file| io::copy(&mut file, &mut hash))
        .map_err(|error| DataError::read(path, error))?;
    Ok(hex(&hash.finalize()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    fn shard(folder: &Path, count: usize) -> (PathBuf, String) {
        let path = folder.join("a.shard");
        let bytes = Record::new(&Position::default()).to_bytes();
        let hash = write_shard(&path, count as u64, |put| {
            (0..count).try_for_each(|_| put(&bytes))
        })
        .unwrap();
        (path, hash)
    }

    #[test]
    fn a_shard_is_read_back_and_its_hash_is_that_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let (path, hash) = shard(folder.path(), 20_000);
        assert_eq!(sha256(&path).unwrap(), hash);
        let mut reader = ShardReader::open(&path).unwrap();
        let mut records = Vec::new();
        while reader.read(&mut records).unwrap() {}
        assert_eq!(records.len(), 20_000);
        assert!(records.iter().all(|record| record.check().is_ok()));
        assert!(!folder.path().join("a.shard.tmp").exists());
    }

    #[test]
    fn truncated_and_foreign_files_are_refused_with_a_line() {
        let folder = tempfile::tempdir().unwrap();
        let (path, _) = shard(folder.path(), 3);
        let whole = fs::read(&path).unwrap();
        for length in [0, 10, 32, 33, 64, whole.len() - 1] {
            fs::write(&path, &whole[..length]).unwrap();
            let error = ShardReader::open(&path).err().unwrap().to_string();
            assert!(
                error.contains("a.shard is damaged") && !error.contains('\n'),
                "{error}"
            );
        }
        fs::write(&path, [&whole[..], b"x"].concat()).unwrap();
        assert!(matches!(ShardReader::open(&path), Err(DataError::Damaged { .. })));
        let mut huge = whole.clone();
        huge[16..24].fill(0xff);
        fs::write(&path, huge).unwrap();
        assert!(matches!(ShardReader::open(&path), Err(DataError::Damaged { .. })));
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
    }

    #[test]
    fn a_shard_that_cannot_be_written_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, b"old").unwrap();
        let full = write_shard(&path, 1, |put| {
            put(&[0; RECORD_BYTES])?;
            Err(io::Error::from(io::ErrorKind::StorageFull))
        });
        let line = full.unwrap_err().to_string();
        assert!(line.starts_with("cannot write") && !line.contains('\n'), "{line}");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
