//! What a run has finished, so that it can be continued: a file beside the output with a game on each line.

use crate::support::whole_file;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A game that is finished.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its number in the input.
    pub number: usize,
    /// Its PGN.
    pub pgn: String,
    /// Its part of the page.
    pub page: String,
}

/// The journal of a run.
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Where the journal of an output lies.
    pub fn path(output: &Path) -> PathBuf {
        let mut name = output.file_name().unwrap_or_default().to_os_string();
        name.push(".part");
        output.with_file_name(name)
    }

    /// Opens the journal of an output with what an earlier run of the same `identity` has finished; `None` if it is of
    /// another run.
    ///
    /// # Errors
    /// Those of the system.
    pub fn open(output: &Path, identity: &str) -> io::Result<Option<(Journal, Vec<Entry>)>> {
        let path = Journal::path(output);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        let mut lines = text.lines();
        if lines.next().is_some_and(|first| first != identity) {
            return Ok(None);
        }
        // a line that was being written when the run was killed is no entry
        let entries: Vec<Entry> = lines.map_while(|line| serde_json::from_str(line).ok()).collect();
        let mut kept = format!("{identity}\n");
        for entry in &entries {
            kept.push_str(&line(entry)?);
        }
        whole_file::write_bytes(&path, kept.as_bytes())?;
        let file = OpenOptions::new().append(true).open(&path)?;
        Ok(Some((Journal { path, file }, entries)))
    }

    /// Adds a game.
    ///
    /// # Errors
    /// Those of the system.
    pub fn add(&mut self, entry: &Entry) -> io::Result<()> {
        self.file.write_all(line(entry)?.as_bytes())?;
        self.file.flush()
    }

    /// Removes the file: the output is written.
    pub fn discard(self) {
        // a leftover journal does no harm: the same run reads it, and any other refuses it
        let _ = fs::remove_file(self.path);
    }
}

fn line(entry: &Entry) -> io::Result<String> {
    Ok(serde_json::to_string(entry)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_killed_run_loses_one_game_at_most() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("out.pgn");
        let entry = |number| Entry {
            number,
            pgn: "1. e4 *\n".to_string(),
            page: String::new(),
        };
        let (mut journal, found) = Journal::open(&output, "one").unwrap().unwrap();
        assert!(found.is_empty());
        journal.add(&entry(2)).unwrap();
        journal.add(&entry(1)).unwrap();
        journal.file.write_all(b"{\"number\":3,\"pg").unwrap();
        drop(journal);
        assert!(Journal::open(&output, "another").unwrap().is_none());
        let (journal, found) = Journal::open(&output, "one").unwrap().unwrap();
        assert_eq!(found, [entry(2), entry(1)]);
        journal.discard();
        assert!(!Journal::path(&output).exists());
    }

    /// A run that goes on and is killed at once must not lose what the journal had.
    #[test]
    fn a_journal_is_replaced_and_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("out.pgn");
        let (journal, _) = Journal::open(&output, "one").unwrap().unwrap();
        drop(journal);
        let path = Journal::path(&output);
        let cut_off = format!("{}{{\"number\":3,\"pg", fs::read_to_string(&path).unwrap());
        fs::write(&path, &cut_off).unwrap();
        let link = folder.path().join("link");
        fs::hard_link(&path, &link).unwrap();
        assert!(Journal::open(&output, "one").unwrap().is_some());
        assert_eq!(fs::read_to_string(&link).unwrap(), cut_off);
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\n");
    }
}
