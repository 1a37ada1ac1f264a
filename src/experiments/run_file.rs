//! What the files of runs have in common: a line of JSON that says what decides the run, then one for each result.

use serde::de::DeserializeOwned;
use std::io;
use std::io::ErrorKind;
use std::path::Path;

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
/// What is wrong with it. The parser's line number is left out: it is always 1, because each line is parsed by itself.
pub fn parse<T: DeserializeOwned>(line: &str) -> Result<T, String> {
    serde_json::from_str(line).map_err(|error| {
        let text = error.to_string();
        text.split(" at line ").next().unwrap_or_default().to_string()
    })
}

/// Refuses the format of a later version.
///
/// # Errors
/// Says which format is found and which are known.
pub fn check_format(found: u32, known: u32) -> Result<(), String> {
    match found > known {
        true => Err(format!("it has format {found}, known are formats up to {known}")),
        false => Ok(()),
    }
}
