//! Sets with labels as CSV: the columns `id,result,fen,moves`, where `moves` holds every legal move with the reference's
//! score for the side to move.
//!
//! A line before the columns says whose scores these are: `# labels: ` and an engine's name and effort.

use super::case::{Case, Set, read_fen};
use super::reference::Reference;
use crate::board::GameResult;
use crate::compare::error::CompareError;
use crate::support::whole_file;
use std::path::Path;

/// How the line that names the reference begins.
const LABELS: &str = "# labels: ";

/// Lines that begin with this byte are comments.
const COMMENT: Option<u8> = Some(b'#');

const COLUMNS: [&str; 4] = ["id", "result", "fen", "moves"];

impl Set {
    /// Reads a set from the text of a CSV; `path` is for complaints.
    ///
    /// # Errors
    /// [`CompareError::Line`] names the first line that cannot be used.
    pub fn from_csv(path: &Path, text: &str) -> Result<Set, CompareError> {
        let labelled_by = text
            .lines()
            .find_map(|line| line.strip_prefix(LABELS))
            .ok_or_else(|| {
                CompareError::file(path, "it does not say whose labels these are ('# labels: …')")
            })?;
        let mut reader = csv::ReaderBuilder::new()
            .comment(COMMENT)
            .from_reader(text.as_bytes());
        let mut cases = Vec::new();
        for row in reader.records() {
            let row = row.map_err(|error| CompareError::file(path, error))?;
            let line = row.position().map_or(0, |position| position.line() as usize);
            let case = read_row(&row).map_err(|reason| CompareError::line(path, line, reason))?;
            cases.push(case);
        }
        Ok(Set {
            cases,
            labelled_by: labelled_by.trim().to_string(),
            recorded: Vec::new(),
        })
    }

    /// Writes the set as a CSV that [`Set::read`] reads.
    ///
    /// # Errors
    /// [`CompareError::Write`] when the file cannot be written; an old one is then still there.
    pub fn write_csv(&self, path: &Path) -> Result<(), CompareError> {
        whole_file::write(path, |file| {
            writeln!(file, "{LABELS}{}", self.labelled_by)?;
            let mut rows = csv::WriterBuilder::new().comment(COMMENT).from_writer(file);
            rows.write_record(COLUMNS)?;
            for case in &self.cases {
                let moves = case.reference.to_text(case.position.needs_chess960());
                rows.write_record([&case.id, case.result.to_pgn(), &case.fen(), &moves])?;
            }
            rows.flush()
        })
        .map_err(|error| CompareError::write(path, error))
    }
}

fn read_row(row: &csv::StringRecord) -> Result<Case, String> {
    let field = |place: usize| row.get(place).ok_or("it needs id,result,fen,moves");
    let position = read_fen(field(2)?)?;
    let result = field(1)?;
    Ok(Case {
        id: field(0)?.to_string(),
        result: GameResult::from_pgn(result.as_bytes()).ok_or_else(|| format!("'{result}' is no result"))?,
        reference: Reference::from_text(&position, field(3)?)?,
        position,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_survives_its_file() {
        let mut set = Set::built_in().unwrap().thinned(7);
        set.cases[0].id = "# a, \"b\"".to_string();
        assert_eq!(set.cases.len(), 7);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("set.csv");
        set.write_csv(&path).unwrap();
        let back = Set::read(&path).unwrap();
        assert_eq!(back.labelled_by, set.labelled_by);
        for (one, two) in set.cases.iter().zip(&back.cases) {
            assert_eq!(
                (&one.id, one.fen(), &one.reference),
                (&two.id, two.fen(), &two.reference)
            );
            assert_eq!(one.result, two.result);
        }
    }
}
