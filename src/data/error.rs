//! What can go wrong with data.

use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A fault that ends a run over data; faults of single rows are counted instead.
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
    /// Nothing is left to work with.
    #[error("{0} holds no usable position")]
    Empty(String),
}

impl DataError {
    pub(super) fn read(path: &Path, source: io::Error) -> DataError {
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
}
