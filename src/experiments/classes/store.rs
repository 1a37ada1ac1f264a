//! The file of a run: a line of JSON with what decides it, then one for each net.

use super::list::nets;
use super::{ClassesError, Settings, Trained};
use crate::experiments::run_file::{self, LineError};
use crate::support::whole_file;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The version of the file.
const FORMAT: u32 = 1;

/// The first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    format: u32,
    settings: Settings,
    /// Tells the rows from others.
    rows: String,
}

impl Header {
    /// Of a run with these rows.
    pub fn new(settings: &Settings, rows: &str) -> Header {
        Header {
            format: FORMAT,
            settings: settings.clone(),
            rows: rows.to_string(),
        }
    }

    /// The first in which another run differs, with both values; `None` if all is equal.
    fn difference(&self, other: &Header) -> Option<String> {
        let fields = |header: &Header| match serde_json::to_value(&header.settings) {
            Ok(serde_json::Value::Object(fields)) => fields,
            _ => serde_json::Map::new(),
        };
        let (ours, theirs) = (fields(self), fields(other));
        let setting = ours
            .iter()
            .find(|(name, value)| theirs.get(*name) != Some(value))
            .map(|(name, value)| (name.clone(), value.clone(), theirs.get(name).cloned()));
        match setting {
            Some((name, own, theirs)) => Some(format!("{name} {own}, now {}", theirs.unwrap_or_default())),
            None if self.rows != other.rows => Some(format!("rows {}, now {}", self.rows, other.rows)),
            None => None,
        }
    }
}

/// Reads the nets of a run; none where there is no file.
///
/// # Errors
/// [`ClassesError`]: the file is of another run or is damaged.
pub fn read(path: &Path, header: &Header) -> Result<Vec<Trained>, ClassesError> {
    let Some(text) = run_file::text(path).map_err(|error| ClassesError::file(path, error))? else {
        return Ok(Vec::new());
    };
    let mut lines = text.lines().zip(1..);
    let in_header = |error: LineError| ClassesError::damaged(path, 1, error);
    let (first, _) = lines.next().ok_or(LineError::Empty).map_err(in_header)?;
    let found: Header = run_file::parse(first).map_err(in_header)?;
    run_file::check_format(found.format, FORMAT).map_err(in_header)?;
    if let Some(difference) = found.difference(header) {
        return Err(ClassesError::OtherRun {
            path: path.into(),
            difference,
        });
    }
    let known = nets(&header.settings.tasks);
    let mut trained: Vec<Trained> = Vec::new();
    for (line, number) in lines {
        let next = run_file::parse(line);
        let next: Trained = next.map_err(|error| ClassesError::damaged(path, number, error))?;
        if !known.contains(&next.net) {
            return Err(ClassesError::damaged(path, number, "the run has no such net"));
        }
        if trained.iter().any(|other| other.net == next.net) {
            return Err(ClassesError::damaged(path, number, "the net stands there twice"));
        }
        trained.push(next);
    }
    Ok(trained)
}

/// Writes the nets of a run; the file is replaced in one step.
///
/// # Errors
/// [`ClassesError::File`]; the file is then as it was.
pub fn write(path: &Path, header: &Header, trained: &[Trained]) -> Result<(), ClassesError> {
    let fault = |error: serde_json::Error| ClassesError::file(path, error);
    let mut text = serde_json::to_string(header).map_err(fault)? + "\n";
    for trained in trained {
        text += &serde_json::to_string(trained).map_err(fault)?;
        text.push('\n');
    }
    whole_file::write_bytes(path, text.as_bytes()).map_err(|error| ClassesError::file(path, error))
}
