//! What can go wrong with data.

use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A fault that ends a run over data; faults of single rows, games and records are counted instead.
#[derive(Debug, Error)]
pub enum DataError {
    /// A file or folder cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// What was to be read.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// What was to be written.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file is not what it should be.
    #[error("{} is damaged: {fault}; make it again, or see `enroc data check`", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        fault: String,
    },
    /// A file name without a known ending.
    #[error("{} is neither a folder of shards nor a file named .csv, .pgn, .vf, .jsonl, .fen, .epd or .txt (perhaps .xz, .gz, .bz2 or .zst)", .0.display())]
    Kind(PathBuf),
    /// The other kind of `.csv`.
    #[error("{} holds labels for `enroc compare`; rows to learn from are fen,score,bestmove,origin", .0.display())]
    Comparison(PathBuf),
    /// A folder whose shards are still being written.
    #[error("{} is not complete: repeat its command to continue it, or close it with `enroc data finish`", .0.display())]
    Unfinished(PathBuf),
    /// A folder that holds the shards of another job.
    #[error("{} holds the shards of another run (see its index.json): choose another folder, or replace them with --restart", .0.display())]
    OtherJob(PathBuf),
    /// A folder that another process is writing.
    #[error("another run is writing {}", .0.display())]
    Busy(PathBuf),
    /// A group longer than a shard.
    #[error("a group of {0} positions does not fit into a shard of {1}: allow longer shards")]
    LongGroup(u64, u64),
    /// A group longer than any shard; the marks of new groups are probably missing.
    #[error("{}: a group has more than {longest} positions, more than a shard holds: mark where each group begins", path.display())]
    EndlessGroup {
        /// The file.
        path: PathBuf,
        /// The most positions that a group may have.
        longest: usize,
    },
    /// More batches were asked for after an error.
    #[error("there is no more data after an error")]
    Ended,
    /// No usable position.
    #[error("{0} holds no usable position")]
    Empty(String),
}

impl DataError {
    /// A fault of reading this file or folder.
    pub fn read(path: &Path, source: io::Error) -> DataError {
        DataError::Read {
            path: path.to_path_buf(),
            source,
        }
    }

    pub(super) fn write(path: &Path, source: io::Error) -> DataError {
        DataError::Write {
            path: path.to_path_buf(),
            source,
        }
    }

    pub(super) fn damaged(path: &Path, fault: &str) -> DataError {
        DataError::Damaged {
            path: path.to_path_buf(),
            fault: fault.to_string(),
        }
    }
}
