//! Writing a folder of shards so that a run can be killed at any moment and continued later.
//!
//! Records first go to a journal, in blocks that each carry a checksum and say how many groups of the input are dealt
//! with. A run that starts again keeps the whole blocks, drops the rest, and continues after the last group that is
//! safe: no record is lost and none comes twice. A full journal becomes a shard, with a file of hints beside it in a
//! folder that has them.

use super::folder::{index_of, lock};
use super::items::{ITEM_BYTES, Items, write_items};
use super::journal::{
    JOURNAL, JOURNAL_HEADER, JournalBlock, JournalReader, Kept, block, new_journal, recover,
};
use super::shard::{Index, SHARD_RECORDS, ShardEntry, hints_path};
use crate::data::DataError;
use crate::data::record::{Hint, NO_HINT, Record, hint_to_bytes};
use crate::support::whole_file;
use serde::Serialize;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A block is written when it holds this many records …
const BLOCK_RECORDS: usize = 4_096;
/// … or at the first look after the block before it is this old.
const BLOCK_AGE: Duration = Duration::from_secs(2);

/// A folder as a job finds it.
pub enum Opened {
    /// The job has ended before; there is nothing to do.
    Complete(Index),
    /// The job begins or is continued.
    Ready(Box<ShardWriter>),
}

/// Writes groups of records.
pub struct ShardWriter {
    /// Held for the lifetime of the writer; the system releases it when the process is killed.
    _lock: File,
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
    /// Those of their hints, in a folder that has them.
    block_hints: Vec<u8>,
    block_since: Instant,
    /// A write to the journal failed: what comes after it in the file could not be read back.
    failed: bool,
    groups: u64,
    records: u64,
}

impl ShardWriter {
    /// Begins a folder, or continues one that the same job began. The job is what decides the records: two jobs are
    /// the same if their JSON is. At most `shard_records` records stand in a shard.
    ///
    /// # Errors
    /// [`DataError::OtherJob`] if the folder holds something else, [`DataError::Busy`] if another run writes it,
    /// [`DataError::Write`] or [`DataError::Read`] if the disk fails.
    pub fn open(folder: &Path, job: &impl Serialize, shard_records: u64) -> Result<Opened, DataError> {
        ShardWriter::begin(folder, job, shard_records, false)
    }

    /// The same, with a hint beside every record.
    ///
    /// # Errors
    /// As [`ShardWriter::open`].
    pub fn open_with_hints(
        folder: &Path,
        job: &impl Serialize,
        shard_records: u64,
    ) -> Result<Opened, DataError> {
        ShardWriter::begin(folder, job, shard_records, true)
    }

    fn begin(
        folder: &Path,
        job: &impl Serialize,
        shard_records: u64,
        hints: bool,
    ) -> Result<Opened, DataError> {
        let job = serde_json::to_value(job).map_err(|error| DataError::write(folder, error.into()))?;
        fs::create_dir_all(folder).map_err(|error| DataError::write(folder, error))?;
        // a complete folder is never written again, so it needs no lock and may be on a read-only disk
        if let Some(index) = index_of(folder, &job, hints)?.filter(|index| index.complete) {
            return Ok(Opened::Complete(index));
        }
        let lock = lock(folder)?;
        // the run that held the lock until now may have changed the index, or ended
        let index = match index_of(folder, &job, hints)? {
            Some(index) if index.complete => return Ok(Opened::Complete(index)),
            Some(index) => index,
            None => {
                let mut index = Index::new(job);
                index.hints = hints;
                index.write(folder)?;
                index
            }
        };
        let before = index.shards.last().map_or(0, |shard| shard.groups);
        let path = folder.join(JOURNAL);
        let kept = recover(&path, index.shards.len() as u64, hints)?;
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
            _lock: lock,
            records: index.records() + kept.records,
            folder: folder.to_path_buf(),
            index,
            shard_records,
            journal,
            written: kept.records,
            safe_groups: kept.groups.max(before),
            block: Vec::new(),
            block_hints: Vec::new(),
            block_since: Instant::now(),
            failed: false,
            groups: kept.groups.max(before),
        })))
    }

    /// Opens a folder with the job that began it, whatever that was, to end it as it is.
    ///
    /// # Errors
    /// As [`ShardWriter::open`], and [`DataError::Read`] if the folder holds no index.
    pub fn reopen(folder: &Path) -> Result<Opened, DataError> {
        let index = Index::read(folder)?;
        ShardWriter::begin(folder, &index.job, SHARD_RECORDS, index.hints)
    }

    #[cfg(test)]
    fn has_hints(&self) -> bool {
        self.index.hints
    }

    /// The groups of the input that are dealt with: a continued run skips as many.
    pub fn groups(&self) -> u64 {
        self.groups
    }

    /// The records written so far.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Adds what one group of the input has become; it may be nothing. In a folder with hints, its records have none.
    ///
    /// # Errors
    /// [`DataError::Write`] if the disk fails; what was safe stays so. [`DataError::LongGroup`] if it does not fit
    /// into a shard.
    pub fn append(&mut self, group: &[Record]) -> Result<(), DataError> {
        self.append_with_hints(group, &[])
    }

    /// The same with the records' hints, which a folder without hints does not keep; there may be none.
    ///
    /// # Errors
    /// As [`ShardWriter::append`].
    ///
    /// # Panics
    /// If there are hints, but not as many as records.
    pub fn append_with_hints(&mut self, group: &[Record], hints: &[Hint]) -> Result<(), DataError> {
        assert!(
            hints.is_empty() || hints.len() == group.len(),
            "a hint for each record"
        );
        let (length, waiting) = (group.len() as u64, (self.block.len() / ITEM_BYTES) as u64);
        if length > self.shard_records {
            return Err(DataError::LongGroup(length, self.shard_records));
        }
        if self.written + waiting + length > self.shard_records {
            self.close_shard()?;
        }
        for (place, record) in group.iter().enumerate() {
            let record = record.with_group_start(place == 0);
            self.block.extend_from_slice(&record.to_bytes());
            if self.index.hints {
                let hint = hints.get(place).unwrap_or(&NO_HINT);
                self.block_hints.extend_from_slice(&hint_to_bytes(hint));
            }
        }
        self.groups += 1;
        self.records += length;
        if self.block.len() >= BLOCK_RECORDS * ITEM_BYTES {
            self.flush()?;
        }
        Ok(())
    }

    /// Flushes what has waited for two seconds; to be called now and then, whether anything is appended or not.
    ///
    /// # Errors
    /// As [`ShardWriter::flush`].
    pub fn flush_if_old(&mut self) -> Result<(), DataError> {
        if self.block_since.elapsed() >= BLOCK_AGE {
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
        // an empty file that stays does no harm; a run that locks it now finds the index complete
        let _ = fs::remove_file(self.folder.join(whole_file::LOCK));
        Ok(self.index)
    }

    /// Makes everything safe that was appended.
    ///
    /// # Errors
    /// [`DataError::Write`] if the disk fails, now or before: what was safe stays so, and nothing more becomes safe.
    pub fn flush(&mut self) -> Result<(), DataError> {
        self.block_since = Instant::now();
        if self.block.is_empty() && self.groups == self.safe_groups {
            return Ok(());
        }
        let failed = |error| DataError::write(&self.folder.join(JOURNAL), error);
        if self.failed {
            return Err(failed(io::Error::other("an earlier write to it has failed")));
        }
        let bytes = block(&self.block, &self.block_hints, self.groups);
        self.failed = true;
        self.journal.write_all(&bytes).map_err(failed)?;
        self.failed = false;
        self.written += (self.block.len() / ITEM_BYTES) as u64;
        self.block.clear();
        self.block_hints.clear();
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
            let shard = self.folder.join(&file);
            let write = |target: &Path, kind, part: fn(JournalBlock) -> Vec<u8>| {
                write_items(target, kind, self.written, |put| {
                    let mut blocks = JournalReader::open(&path, self.index.hints)?;
                    while let Some(block) = blocks.next()? {
                        put(&part(block))?;
                    }
                    Ok(())
                })
            };
            let sha256 = write(&shard, Items::Records, |block| block.records)?;
            let hints_sha256 = match self.index.hints {
                true => Some(write(&hints_path(&shard), Items::Hints, |block| block.hints)?),
                false => None,
            };
            self.index.shards.push(ShardEntry {
                file,
                records: self.written,
                groups: self.safe_groups,
                sha256,
                hints_sha256,
            });
            self.index.write(&self.folder)?;
        }
        self.journal = new_journal(&path, self.index.shards.len() as u64)
            .map_err(|error| DataError::write(&path, error))?;
        self.written = 0;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
