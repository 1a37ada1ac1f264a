//! Lists of positions as text: one FEN or EPD a line.

use super::count::Counts;
use super::record::{Origin, Record};
use super::{DataError, text};
use crate::board::Position;
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

/// A longer line is no position.
const LONGEST_LINE: u64 = 1 << 12;

/// Records that are read at once.
const AT_ONCE: usize = 1 << 14;

/// The names of what can be wrong with a line.
pub const BROKEN_LINE: [&str; 2] = ["impossible position", "line too long"];

/// Streams the positions of one file, each a group of its own; broken lines are skipped and counted.
pub struct ListReader {
    path: PathBuf,
    input: Box<dyn BufRead + Send>,
    broken: Counts<2>,
}

impl ListReader {
    /// Opens a file.
    ///
    /// # Errors
    /// [`DataError::Read`] if that fails.
    pub fn open(path: &Path) -> Result<ListReader, DataError> {
        Ok(ListReader {
            path: path.to_path_buf(),
            input: text::open(path)?,
            broken: Counts::new(BROKEN_LINE),
        })
    }

    /// The lines skipped so far, by kind.
    pub fn broken(&self) -> &Counts<2> {
        &self.broken
    }

    /// Appends the next records; `false` if there are no more.
    ///
    /// # Errors
    /// [`DataError::Read`] when the file cannot be read on.
    pub fn read(&mut self, records: &mut Vec<Record>) -> Result<bool, DataError> {
        let (before, mut line) = (records.len(), Vec::new());
        for _ in 0..AT_ONCE {
            line.clear();
            let read = self.next_line(&mut line);
            if read.map_err(|error| DataError::read(&self.path, error))? == 0 {
                return Ok(records.len() > before);
            }
            let line = String::from_utf8_lossy(&line);
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            match Position::from_fen(&without_operations(&line)) {
                _ if line.len() as u64 >= LONGEST_LINE => self.broken.add(1),
                Ok(position) => records.push(
                    Record::new(&position)
                        .with_origin(Origin::List)
                        .with_group_start(true),
                ),
                Err(_) => self.broken.add(0),
            }
        }
        Ok(true)
    }

    /// Reads a line, of which only the beginning is kept if it is too long.
    fn next_line(&mut self, line: &mut Vec<u8>) -> std::io::Result<usize> {
        let read = (&mut self.input).take(LONGEST_LINE).read_until(b'\n', line)?;
        if read as u64 == LONGEST_LINE && !line.ends_with(b"\n") {
            self.input.skip_until(b'\n')?;
        }
        Ok(read)
    }
}

/// The FEN of a line: six fields if the last two are the counts, else the four that EPD has, without its operations.
fn without_operations(line: &str) -> String {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let counts = fields.get(4..6).is_some_and(|counts| {
        counts
            .iter()
            .all(|count| count.bytes().all(|byte| byte.is_ascii_digit()))
    });
    fields[..fields.len().min(if counts { 6 } else { 4 })].join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fen_and_epd_are_read_and_broken_lines_counted() {
        let lines = [
            "# a comment",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 17",
            "",
            "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"pawn\";",
            "4k3/8/8/8/8/8/4P3/4K3 b - -",
            "4k3/8/8/8/8/8/4P3/8 b - - 0 1",
            "what is this",
            &"x".repeat(10_000),
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        ];
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list.epd");
        std::fs::write(&path, lines.join("\n")).unwrap();
        let mut reader = ListReader::open(&path).unwrap();
        let mut records = Vec::new();
        while reader.read(&mut records).unwrap() {}
        let fens: Vec<String> = records
            .iter()
            .map(|r| r.position().unwrap().to_fen(false))
            .collect();
        assert_eq!(
            fens,
            [
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 17",
                "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
                "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
                "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
            ]
        );
        assert!(records.iter().all(|r| r.starts_group() && r.score().is_none()));
        assert_eq!((reader.broken().of(0), reader.broken().of(1)), (2, 1));
    }
}
