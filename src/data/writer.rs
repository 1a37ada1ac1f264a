//! Writing a folder of shards so that a run may be killed at any moment and go on later.
//!
//! Records first go to a journal, in blocks that each carry a checksum and say how many groups of the input are dealt
//! with. A run that starts again keeps the whole blocks, forgets the rest, and goes on after the last group that is
//! safe: no record is lost and none comes twice. A full journal becomes a shard.

use super::DataError;
use super::record::{RECORD_BYTES, Record};
use super::shard::{INDEX, Index, SHARD_RECORDS, ShardEntry, write_shard};
use crate::whole_file;
use sha2::{Digest, Sha256};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The name of the journal in its folder.
const JOURNAL: &str = "journal.part";

/// A block is written when it holds this many records …
const BLOCK_RECORDS: usize = 4_096;
/// … or when its oldest record has waited this long.
const BLOCK_AGE: Duration = Duration::from_secs(2);

/// Before the records of a block: their number (4 bytes), the groups dealt with after it (8), and the first 8 bytes
/// of the SHA-256 of these 12 bytes and the records.
const BLOCK_HEADER: usize = 20;

/// A folder as a job finds it.
pub enum Opened {
    /// The job has ended before; there is nothing to do.
    Complete(Index),
    /// The job begins, or goes on.
    Ready(Box<ShardWriter>),
}

/// Writes groups of records.
pub struct ShardWriter {
    folder: PathBuf,
    index: Index,
    shard_records: u64,
    journal: File,
    /// Records in the journal.
    written: u64,
    /// Groups dealt with by the records in the journal.
    safe_groups: u64,
    /// Bytes of records that are not yet in the journal.
    block: Vec<u8>,
    block_since: Instant,
    groups: u64,
    records: u64,
}

impl ShardWriter {
    /// Begins a folder, or goes on with one that the same job began. At most `shard_records` records stand in a shard.
    ///
    /// # Errors
    /// [`DataError::OtherJob`] if the folder holds something else, [`DataError::Write`] or [`DataError::Read`] if the
    /// disk fails.
    pub fn open(folder: &Path, job: serde_json::Value, shard_records: u64) -> Result<Opened, DataError> {
        fs::create_dir_all(folder).map_err(|error| DataError::write(folder, error))?;
        let index = if folder.join(INDEX).exists() {
            let index = Index::read(folder)?;
            if index.job != job {
                return Err(DataError::OtherJob(folder.to_path_buf()));
            }
            if index.complete {
                return Ok(Opened::Complete(index));
            }
            index
        } else {
            let index = Index::new(job);
            index.write(folder)?;
            index
        };
        let before = index.shards.last().map_or(0, |shard| shard.groups);
        let path = folder.join(JOURNAL);
        let kept = recover(&path, index.shards.len() as u64)?;
        let journal = match &kept {
            Some(_) => OpenOptions::new().append(true).open(&path),
            None => new_journal(&path, index.shards.len() as u64),
        }
        .map_err(|error| DataError::write(&path, error))?;
        let kept = kept.unwrap_or(Kept {
            bytes: 0,
            records: 0,
            groups: before,
        });
        journal
            .set_len(kept.bytes.max(JOURNAL_HEADER as u64))
            .map_err(|error| DataError::write(&path, error))?;
        Ok(Opened::Ready(Box::new(ShardWriter {
            records: index.records() + kept.records,
            folder: folder.to_path_buf(),
            index,
            shard_records,
            journal,
            written: kept.records,
            safe_groups: kept.groups.max(before),
            block: Vec::new(),
            block_since: Instant::now(),
            groups: kept.groups.max(before),
        })))
    }

    /// Takes up a folder for whatever job began it, to end it as it is. No other program may be writing it.
    ///
    /// # Errors
    /// As [`ShardWriter::open`], and [`DataError::Read`] if the folder holds no index.
    pub fn reopen(folder: &Path) -> Result<Opened, DataError> {
        ShardWriter::open(folder, Index::read(folder)?.job, SHARD_RECORDS)
    }

    /// The groups of the input that are dealt with: a run that goes on passes over as many.
    pub fn groups(&self) -> u64 {
        self.groups
    }

    /// The records written so far.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Adds what one group of the input has become; it may be nothing.
    ///
    /// # Errors
    /// [`DataError::Write`] if the disk fails; what was safe stays so. [`DataError::LongGroup`] if it does not fit
    /// into a shard.
    pub fn append(&mut self, group: &[Record]) -> Result<(), DataError> {
        let (length, waiting) = (group.len() as u64, (self.block.len() / RECORD_BYTES) as u64);
        if length > self.shard_records {
            return Err(DataError::LongGroup(length, self.shard_records));
        }
        if self.written + waiting + length > self.shard_records {
            self.close_shard()?;
        }
        for (place, record) in group.iter().enumerate() {
            let record = record.with_group_start(place == 0);
            self.block.extend_from_slice(&record.to_bytes());
        }
        self.groups += 1;
        self.records += length;
        let full = self.block.len() >= BLOCK_RECORDS * RECORD_BYTES;
        if full || self.block_since.elapsed() >= BLOCK_AGE {
            self.flush()?;
        }
        Ok(())
    }

    /// Ends the job, with notes for the index.
    ///
    /// # Errors
    /// [`DataError::Write`] if the disk fails.
    pub fn finish(mut self, notes: Vec<String>) -> Result<Index, DataError> {
        self.close_shard()?;
        self.index.complete = true;
        self.index.notes = notes;
        self.index.write(&self.folder)?;
        let path = self.folder.join(JOURNAL);
        fs::remove_file(&path).map_err(|error| DataError::write(&path, error))?;
        Ok(self.index)
    }

    /// Makes everything safe that was appended.
    fn flush(&mut self) -> Result<(), DataError> {
        self.block_since = Instant::now();
        if self.block.is_empty() && self.groups == self.safe_groups {
            return Ok(());
        }
        let count = (self.block.len() / RECORD_BYTES) as u32;
        let mut bytes = Vec::with_capacity(BLOCK_HEADER + self.block.len());
        bytes.extend_from_slice(&count.to_le_bytes());
        bytes.extend_from_slice(&self.groups.to_le_bytes());
        let sum = checksum(&bytes, &self.block);
        bytes.extend_from_slice(&sum);
        bytes.append(&mut self.block);
        self.journal
            .write_all(&bytes)
            .map_err(|error| DataError::write(&self.folder.join(JOURNAL), error))?;
        self.written += count as u64;
        self.safe_groups = self.groups;
        Ok(())
    }

    /// Turns the journal into a shard and begins another.
    fn close_shard(&mut self) -> Result<(), DataError> {
        self.flush()?;
        let path = self.folder.join(JOURNAL);
        self.journal
            .sync_all()
            .map_err(|error| DataError::write(&path, error))?;
        if self.written > 0 {
            let file = format!("shard-{:05}.bin", self.index.shards.len());
            let sha256 = write_shard(&self.folder.join(&file), self.written, |put| {
                let mut blocks = Blocks::open(&path)?;
                while let Some(block) = blocks.next()? {
                    put(&block.records)?;
                }
                Ok(())
            })?;
            self.index.shards.push(ShardEntry {
                file,
                records: self.written,
                groups: self.safe_groups,
                sha256,
            });
            self.index.write(&self.folder)?;
        }
        self.journal = new_journal(&path, self.index.shards.len() as u64)
            .map_err(|error| DataError::write(&path, error))?;
        self.written = 0;
        Ok(())
    }
}

/// A journal begins with the number of the shard that it will become.
const JOURNAL_HEADER: usize = 8;

fn new_journal(path: &Path, shard: u64) -> io::Result<File> {
    whole_file::write(path, |file| file.write_all(&shard.to_le_bytes()))?;
    OpenOptions::new().append(true).open(path)
}

fn checksum(header: &[u8], records: &[u8]) -> [u8; 8] {
    let hash = Sha256::new()
        .chain_update(header)
        .chain_update(records)
        .finalize();
    std::array::from_fn(|i| hash[i])
}

/// What of a journal is whole.
struct Kept {
    bytes: u64,
    records: u64,
    groups: u64,
}

/// Finds the whole blocks of a journal; `None` if there is none for this shard.
fn recover(path: &Path, shard: u64) -> Result<Option<Kept>, DataError> {
    let read = || -> io::Result<Option<Kept>> {
        let mut blocks = match Blocks::open(path) {
            Ok(blocks) if blocks.shard == shard => blocks,
            // a journal whose shard is in the index already was left by a run that ended just then
            Ok(_) => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut kept = Kept {
            bytes: JOURNAL_HEADER as u64,
            records: 0,
            groups: 0,
        };
        while let Some(block) = blocks.next()? {
            kept.bytes += (BLOCK_HEADER + block.records.len()) as u64;
            kept.records += (block.records.len() / RECORD_BYTES) as u64;
            kept.groups = block.groups;
        }
        Ok(Some(kept))
    };
    read().map_err(|error| DataError::read(path, error))
}

struct Block {
    records: Vec<u8>,
    groups: u64,
}

/// Reads a journal block by block, up to the first that is not whole.
struct Blocks {
    input: BufReader<File>,
    shard: u64,
}

impl Blocks {
    fn open(path: &Path) -> io::Result<Blocks> {
        let mut input = BufReader::with_capacity(1 << 18, File::open(path)?);
        let mut shard = [0; JOURNAL_HEADER];
        input.read_exact(&mut shard)?;
        Ok(Blocks {
            input,
            shard: u64::from_le_bytes(shard),
        })
    }

    fn next(&mut self) -> io::Result<Option<Block>> {
        let mut header = [0; BLOCK_HEADER];
        if !fill(&mut self.input, &mut header)? {
            return Ok(None);
        }
        let count = u32::from_le_bytes(std::array::from_fn(|i| header[i])) as u64;
        let mut records = Vec::new();
        (&mut self.input)
            .take(count * RECORD_BYTES as u64)
            .read_to_end(&mut records)?;
        let whole = records.len() as u64 == count * RECORD_BYTES as u64
            && checksum(&header[..12], &records) == header[12..];
        Ok(whole.then(|| Block {
            records,
            groups: u64::from_le_bytes(std::array::from_fn(|i| header[4 + i])),
        }))
    }
}

/// Whether there were enough bytes to fill the buffer.
fn fill(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match input.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::data::source::{GroupSource, Groups};
    use crate::data::{Label, games::GameSettings};
    use serde_json::json;

    /// The record that is number `n` of all.
    fn record(n: u64) -> Record {
        Record::new(&Position::default()).with_label(Label::centipawns(n as i32))
    }

    /// Groups of 1, 2, 3, 1, 2, 3 … records, and every seventh empty.
    fn group(n: u64, next: &mut u64) -> Vec<Record> {
        let length = if n % 7 == 6 { 0 } else { n % 3 + 1 };
        *next += length;
        (*next - length..*next).map(record).collect()
    }

    fn open(folder: &Path) -> Box<ShardWriter> {
        match ShardWriter::open(folder, json!({"job": 1}), 50).unwrap() {
            Opened::Ready(writer) => writer,
            Opened::Complete(_) => panic!("not complete"),
        }
    }

    /// Appends the groups up to `end`, going on where the writer stands.
    fn append(writer: &mut ShardWriter, end: u64) {
        let mut next = 0;
        for n in 0..end {
            let group = group(n, &mut next);
            if n >= writer.groups() {
                writer.append(&group).unwrap();
            }
        }
    }

    fn read_back(folder: &Path) -> Vec<u64> {
        let mut groups = Groups::new(vec![folder.to_path_buf()], GameSettings::default());
        let (mut group, mut numbers) = (Vec::new(), Vec::new());
        while groups.next_group(&mut group).unwrap() {
            assert!(group.len() <= 3 && group[0].starts_group());
            numbers.extend(group.iter().map(|record| record.score().unwrap() as u64));
        }
        numbers
    }

    #[test]
    fn groups_fill_shards_and_come_back_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = open(folder.path());
        append(&mut writer, 100);
        let index = writer.finish(vec!["done".to_string()]).unwrap();
        assert!(index.complete && index.shards.len() >= 3);
        assert!(
            index
                .shards
                .iter()
                .all(|shard| (40..=50).contains(&shard.records) || shard == index.shards.last().unwrap())
        );
        assert_eq!(
            read_back(folder.path()),
            (0..index.records()).collect::<Vec<u64>>()
        );
        assert!(!folder.path().join(JOURNAL).exists());
        let again = ShardWriter::open(folder.path(), json!({"job": 1}), 50).unwrap();
        assert!(matches!(again, Opened::Complete(done) if done == index));
        let other = ShardWriter::open(folder.path(), json!({"job": 2}), 50);
        assert!(matches!(other, Err(DataError::OtherJob(_))));
    }

    #[test]
    fn a_run_cut_off_at_any_byte_goes_on_without_loss_or_double() {
        let whole = tempfile::tempdir().unwrap();
        let mut writer = open(whole.path());
        append(&mut writer, 60);
        let records = writer.finish(Vec::new()).unwrap().records();
        for cut in (0..).step_by(97) {
            let folder = tempfile::tempdir().unwrap();
            let mut writer = open(folder.path());
            for stop in [20, 33, 45] {
                append(&mut writer, stop);
                writer.flush().unwrap();
            }
            // what the kill leaves: the journal up to some byte, and records that never reached it
            append(&mut writer, 47);
            drop(writer);
            let path = folder.path().join(JOURNAL);
            let bytes = fs::read(&path).unwrap();
            fs::write(&path, &bytes[..bytes.len().min(cut)]).unwrap();
            let mut writer = open(folder.path());
            append(&mut writer, 60);
            assert_eq!(writer.finish(Vec::new()).unwrap().records(), records);
            assert_eq!(read_back(folder.path()), (0..records).collect::<Vec<u64>>());
            if cut > bytes.len() {
                return;
            }
        }
    }

    #[test]
    fn a_kill_between_shard_index_and_journal_does_no_harm() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(JOURNAL);
        let mut writer = open(folder.path());
        append(&mut writer, 20);
        writer.flush().unwrap();
        let (journal, index) = (fs::read(&path).unwrap(), Index::read(folder.path()).unwrap());
        writer.close_shard().unwrap();
        drop(writer);
        // the index has the shard, the journal is still the old one
        fs::write(&path, &journal).unwrap();
        assert_eq!(open(folder.path()).groups(), 20);
        // the shard is there, the index does not know it
        fs::write(&path, &journal).unwrap();
        index.write(folder.path()).unwrap();
        let mut writer = open(folder.path());
        assert_eq!(writer.groups(), 20);
        append(&mut writer, 60);
        let records = writer.finish(Vec::new()).unwrap().records();
        assert_eq!(read_back(folder.path()), (0..records).collect::<Vec<u64>>());
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let group: Vec<Record> = (0..51).map(record).collect();
        let error = open(folder.path()).append(&group).unwrap_err();
        assert!(matches!(error, DataError::LongGroup(51, 50)));
    }
}
