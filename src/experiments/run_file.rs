//! What the files of runs have in common: a line of JSON that says what decides the run, then one for each result.

use serde::de::DeserializeOwned;
use std::io;
use std::io::ErrorKind;
use std::path::Path;

/// What is wrong with a line of a run's file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// There is no first line.
    #[error("it is empty")]
    Empty,
    /// It is not JSON, or lacks a field, or has one that is not known.
    #[error("{0}")]
    Json(String),
    /// A later version has written it.
    #[error("it has format {found}, known are formats up to {known}")]
    Format { found: u32, known: u32 },
}

/// The text of a run's file; `None` where there is none yet.
///
/// # Errors
/// If there is a file that cannot be read.
pub fn text(path: &Path) -> io::Result<Option<String>> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads a line.
///
/// # Errors
/// [`LineError::Json`]. The parser's line number is left out: it is always 1, because each line is parsed by itself.
pub fn parse<T: DeserializeOwned>(line: &str) -> Result<T, LineError> {
    serde_json::from_str(line).map_err(|error| {
        let text = error.to_string();
        LineError::Json(text.split(" at line ").next().unwrap_or_default().to_string())
    })
}

/// Refuses the format of a later version.
///
/// # Errors
/// [`LineError::Format`].
pub fn check_format(found: u32, known: u32) -> Result<(), LineError> {
    match found > known {
        true => Err(LineError::Format { found, known }),
        false => Ok(()),
    }
}
