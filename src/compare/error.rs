//! What can go wrong in a comparison.

use super::contestant::error::ContestantError;
use crate::data::DataError;
use crate::engine::searcher::SearcherError;
use crate::experiments::homework::HomeworkError;
use crate::uci_client::ClientError;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a comparison cannot begin or continue.
#[derive(Debug, Error)]
pub enum CompareError {
    /// A line of a file of positions cannot be used.
    #[error("{}: line {line}: {reason}", path.display())]
    Line {
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A file cannot be used.
    #[error("{}: {reason}", path.display())]
    File {
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Labels of another engine or effort.
    #[error(
        "{} holds labels by {found}, not by {wanted}: name another file with --labels, or remove it to label again",
        path.display()
    )]
    OtherLabels {
        path: PathBuf,
        /// Who made them.
        found: String,
        /// Who was asked for.
        wanted: String,
    },
    /// Positions without a reference.
    #[error("the positions have no reference: --engine stockfish --depth 16 labels them")]
    Unlabelled,
    /// A match cannot go on.
    #[error(
        "{name}: {error}; {kept} games are kept in {}: the same command continues from there",
        path.display()
    )]
    Match {
        /// The contestant whose engine broke down.
        name: String,
        error: Box<ClientError>,
        /// Games that are kept.
        kept: usize,
        path: PathBuf,
    },
    /// Fewer openings than a match needs.
    #[error("{openings} openings are enough for {} games, not for {games}: name a larger book with --openings", 2 * openings)]
    Openings {
        games: usize,
        /// Openings there are.
        openings: usize,
    },
    /// Another run writes there.
    #[error("another run is writing {}: wait for it, or choose another folder with --out", .0.display())]
    Busy(PathBuf),
    /// No position at all.
    #[error("there are no positions to compare on")]
    Empty,
    /// A contestant that is not understood.
    #[error("contestant '{text}': {reason}")]
    Contestant {
        /// As it was written.
        text: String,
        /// What is wrong with it.
        reason: ContestantError,
    },
    /// The reference broke down while it labelled.
    #[error("{error}; {kept} labelled positions are kept in {}: the same command continues from there", path.display())]
    Labelling {
        /// Where the labels are.
        path: PathBuf,
        /// How many are kept.
        kept: usize,
        error: Box<ClientError>,
    },
    /// A contestant broke down in the middle.
    #[error(
        "contestant {name}: {error}, on {fen}; {kept} of its answers are kept in {}: the same command continues from there",
        path.display()
    )]
    Broken {
        name: String,
        error: Box<ClientError>,
        /// On which position.
        fen: String,
        /// How many answers are kept.
        kept: usize,
        path: PathBuf,
    },
    /// A network cannot be used.
    #[error(transparent)]
    Searcher(#[from] SearcherError),
    /// An engine cannot be used.
    #[error(transparent)]
    Engine(#[from] ClientError),
    /// A file or folder cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// What was to be written.
        path: PathBuf,
        source: io::Error,
    },
    /// The games that positions are drawn from cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The games that the homework's regressor is fitted to cannot be read.
    #[error(transparent)]
    Homework(#[from] HomeworkError),
    /// A chart cannot be drawn.
    #[error("a chart cannot be drawn: {0}")]
    Chart(String),
}

impl CompareError {
    pub(super) fn line(path: &Path, line: usize, reason: impl std::fmt::Display) -> CompareError {
        CompareError::Line {
            path: path.to_path_buf(),
            line,
            reason: reason.to_string(),
        }
    }

    pub(crate) fn write(path: &Path, source: io::Error) -> CompareError {
        CompareError::Write {
            path: path.to_path_buf(),
            source,
        }
    }

    pub(super) fn file(path: &Path, reason: impl std::fmt::Display) -> CompareError {
        CompareError::File {
            path: path.to_path_buf(),
            reason: reason.to_string(),
        }
    }
}
