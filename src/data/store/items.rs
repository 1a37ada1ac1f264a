//! The files of a folder of shards: a header of 32 bytes, then items of 32 bytes, records or hints.
//!
//! The header is eight letters (`ENROCREC` for records, `ENROCHNT` for hints), the version 1, the 32 bytes of an item and
//! the number of items, each little-endian, 4, 4 and 8 bytes long, then 8 zero bytes.

use crate::data::DataError;
use crate::data::record::{HINT_BYTES, RECORD_BYTES};
use crate::support::hex::hex;
use crate::support::whole_file;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// The length of an item.
pub(super) const ITEM_BYTES: usize = 32;

const _: () = assert!(RECORD_BYTES == ITEM_BYTES && HINT_BYTES == ITEM_BYTES);

const HEADER_BYTES: usize = 32;

const VERSION: u32 = 1;

/// Items that are read at once.
pub(super) const AT_ONCE: usize = 1 << 14;

/// What the items of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Items {
    Records,
    Hints,
}

impl Items {
    fn magic(self) -> &'static [u8; 8] {
        match self {
            Items::Records => b"ENROCREC",
            Items::Hints => b"ENROCHNT",
        }
    }

    fn header(self, count: u64) -> [u8; HEADER_BYTES] {
        let mut header = [0; HEADER_BYTES];
        header[..8].copy_from_slice(self.magic());
        header[8..12].copy_from_slice(&VERSION.to_le_bytes());
        header[12..16].copy_from_slice(&(ITEM_BYTES as u32).to_le_bytes());
        header[16..24].copy_from_slice(&count.to_le_bytes());
        header
    }
}

/// Writes a file from the bytes of `count` items, no fewer and no more, and returns its SHA-256.
pub(super) fn write_items(
    path: &Path,
    kind: Items,
    count: u64,
    mut items: impl FnMut(&mut dyn FnMut(&[u8]) -> io::Result<()>) -> io::Result<()>,
) -> Result<String, DataError> {
    let mut hash = Sha256::new();
    whole_file::write(path, |file| {
        let mut written = 0;
        let mut put = |bytes: &[u8]| {
            written += bytes.len() as u64;
            hash.update(bytes);
            file.write_all(bytes)
        };
        put(&kind.header(count))?;
        items(&mut put)?;
        let found = (written - HEADER_BYTES as u64) / ITEM_BYTES as u64;
        if found != count {
            let fault = format!("{found} records where {count} were promised");
            return Err(io::Error::other(fault));
        }
        Ok(())
    })
    .map_err(|error| DataError::write(path, error))?;
    Ok(hex(&hash.finalize()))
}

/// The SHA-256 of a file, in hexadecimal digits.
pub(super) fn sha256(path: &Path) -> Result<String, DataError> {
    let mut hash = Sha256::new();
    File::open(path)
        .and_then(|mut file| io::copy(&mut file, &mut hash))
        .map_err(|error| DataError::read(path, error))?;
    Ok(hex(&hash.finalize()))
}

/// Reads one file from its beginning.
pub(super) struct ItemReader {
    path: PathBuf,
    input: BufReader<File>,
    left: u64,
    buffer: Vec<u8>,
}

impl ItemReader {
    /// Opens a file; its header and its length must agree.
    pub fn open(path: &Path, kind: Items) -> Result<ItemReader, DataError> {
        let failed = |error| DataError::read(path, error);
        let file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        let mut input = BufReader::with_capacity(1 << 18, file);
        let mut bytes = [0; HEADER_BYTES];
        if length >= HEADER_BYTES as u64 {
            input.read_exact(&mut bytes).map_err(failed)?;
        }
        let count = u64::from_le_bytes(std::array::from_fn(|i| bytes[16 + i]));
        if bytes != kind.header(count) {
            let what = match kind {
                Items::Records => "a shard",
                Items::Hints => "a file of hints",
            };
            let fault = format!("it does not begin as {what} of version {VERSION} does");
            return Err(DataError::damaged(path, &fault));
        }
        let there = (length - HEADER_BYTES as u64) / ITEM_BYTES as u64;
        if count.checked_mul(ITEM_BYTES as u64) != Some(length - HEADER_BYTES as u64) {
            let fault = format!("it should hold {count} records and has room for {there}");
            return Err(DataError::damaged(path, &fault));
        }
        Ok(ItemReader {
            path: path.to_path_buf(),
            input,
            left: count,
            buffer: Vec::new(),
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The items that are still to come.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// The next items, some ten thousands; none at the end.
    pub fn next(&mut self) -> Result<&[[u8; ITEM_BYTES]], DataError> {
        let count = self.left.min(AT_ONCE as u64) as usize;
        self.buffer.resize(count * ITEM_BYTES, 0);
        self.input
            .read_exact(&mut self.buffer)
            .map_err(|error| DataError::read(&self.path, error))?;
        self.left -= count as u64;
        Ok(self.buffer.as_chunks().0)
    }
}
