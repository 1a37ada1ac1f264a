//! The journal of a run: blocks of records, each with a checksum and the number of groups that are dealt with after it. In
//! a folder with hints, as many of those follow the records of a block.

use super::items::ITEM_BYTES;
use crate::data::DataError;
use crate::support::whole_file;
use sha2::{Digest, Sha256};
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read};
use std::path::Path;

/// The name of the journal in its folder.
pub(super) const JOURNAL: &str = "journal.part";

/// Before the records of a block: their number (4 bytes), the groups dealt with after it (8), and the first 8 bytes
/// of the SHA-256 of these 12 bytes, the records and the hints.
const BLOCK_HEADER: usize = 20;

/// A journal begins with the number of the shard that it will become.
pub(super) const JOURNAL_HEADER: usize = 8;

/// Begins an empty journal for the shard of this number.
pub(super) fn new_journal(path: &Path, shard: u64) -> io::Result<File> {
    whole_file::write(path, |file| file.write_all(&shard.to_le_bytes()))?;
    OpenOptions::new().append(true).open(path)
}

/// The bytes of a block; `hints` is empty where there are none.
pub(super) fn block(records: &[u8], hints: &[u8], groups: u64) -> Vec<u8> {
    let count = (records.len() / ITEM_BYTES) as u32;
    let mut bytes = Vec::with_capacity(BLOCK_HEADER + records.len() + hints.len());
    bytes.extend_from_slice(&count.to_le_bytes());
    bytes.extend_from_slice(&groups.to_le_bytes());
    let sum = checksum(&bytes, records, hints);
    bytes.extend_from_slice(&sum);
    bytes.extend_from_slice(records);
    bytes.extend_from_slice(hints);
    bytes
}

fn checksum(header: &[u8], records: &[u8], hints: &[u8]) -> [u8; 8] {
    let hash = Sha256::new()
        .chain_update(header)
        .chain_update(records)
        .chain_update(hints)
        .finalize();
    std::array::from_fn(|i| hash[i])
}

/// The intact beginning of a journal.
pub(super) struct Kept {
    pub bytes: u64,
    pub records: u64,
    pub groups: u64,
}

/// Finds the whole blocks of a journal, with hints or without; `None` if there is none for this shard.
pub(super) fn recover(path: &Path, shard: u64, hints: bool) -> Result<Option<Kept>, DataError> {
    let read = || -> io::Result<Option<Kept>> {
        let mut blocks = match JournalReader::open(path, hints) {
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
            kept.bytes += (BLOCK_HEADER + block.records.len() + block.hints.len()) as u64;
            kept.records += (block.records.len() / ITEM_BYTES) as u64;
            kept.groups = block.groups;
        }
        Ok(Some(kept))
    };
    read().map_err(|error| DataError::read(path, error))
}

pub(super) struct JournalBlock {
    pub records: Vec<u8>,
    /// As many as records, or empty.
    pub hints: Vec<u8>,
    groups: u64,
}

/// Reads a journal block by block, up to the first that is not whole.
pub(super) struct JournalReader {
    input: BufReader<File>,
    shard: u64,
    has_hints: bool,
}

impl JournalReader {
    pub fn open(path: &Path, has_hints: bool) -> io::Result<JournalReader> {
        let mut input = BufReader::with_capacity(1 << 18, File::open(path)?);
        let mut shard = [0; JOURNAL_HEADER];
        input.read_exact(&mut shard)?;
        Ok(JournalReader {
            input,
            shard: u64::from_le_bytes(shard),
            has_hints,
        })
    }

    pub fn next(&mut self) -> io::Result<Option<JournalBlock>> {
        let mut header = [0; BLOCK_HEADER];
        if !fill(&mut self.input, &mut header)? {
            return Ok(None);
        }
        let length = u64::from(u32::from_le_bytes(std::array::from_fn(|i| header[i]))) * ITEM_BYTES as u64;
        let (mut records, mut hints) = (Vec::new(), Vec::new());
        (&mut self.input).take(length).read_to_end(&mut records)?;
        let length_of_hints = if self.has_hints { length } else { 0 };
        (&mut self.input).take(length_of_hints).read_to_end(&mut hints)?;
        let whole = (records.len() as u64, hints.len() as u64) == (length, length_of_hints)
            && checksum(&header[..12], &records, &hints) == header[12..];
        Ok(whole.then(|| JournalBlock {
            records,
            hints,
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
