//! The files of the tables: small ones are read whole when they are first probed, because every probe takes several
//! reads, and a system call for each would cost more than the probe saves the search.

use shakmaty_syzygy::filesystem::{Filesystem, OsFilesystem, RandomAccessFile, ReadHint};
use std::io;
use std::path::{Path, PathBuf};

/// The size in bytes up to which a file is read whole: all tables of four pieces, most results of five.
const LARGEST_IN_MEMORY: u64 = 4 << 20;

/// The system's files, small ones in memory.
pub struct Files(OsFilesystem);

impl Default for Files {
    fn default() -> Files {
        Files(OsFilesystem::new().with_advise_random(true))
    }
}

impl Filesystem for Files {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        self.0.regular_file_size(path)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.0.read_dir(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        match self.regular_file_size(path)? {
            0..=LARGEST_IN_MEMORY => Ok(Box::new(InMemory(std::fs::read(path)?))),
            _ => self.0.open(path),
        }
    }
}

/// The contents of a file.
struct InMemory(Vec<u8>);

impl RandomAccessFile for InMemory {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _: ReadHint) -> io::Result<usize> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(self.0.len());
        let rest = &self.0[start..];
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    }
}
