//! Sets with labels as CSV: the columns `id,result,fen,moves`, where `moves` holds every legal move with the reference's
//! score for the side to move.
//!
//! A line before the columns says whose scores these are: `# labels: ` and an engine's name and effort.

use super::case::{Case, Set, read_fen};
use super::error::CaseError;
use super::reference::Reference;
use crate::board::GameResult;
use crate::compare::error::CompareError;
use crate::data::formats::text::trimmed;
use crate::support::whole_file;
use std::path::Path;

/// How the line that names the reference begins.
const LABELS: &str = "# labels: ";

/// Lines that begin with this byte are comments.
const COMMENT: Option<u8> = Some(b'#');

const COLUMNS: [&str; 4] = ["id", "result", "fen", "moves"];

impl Set {
    /// Reads a set from the text of a CSV, a row a line; `path` is for complaints.
    ///
    /// # Errors
    /// [`CompareError::Line`] names the first line that cannot be used.
    pub fn from_csv(path: &Path, text: &str) -> Result<Set, CompareError> {
        let labelled_by = text
            .lines()
            .find_map(|line| line.strip_prefix(LABELS))
            .ok_or_else(|| CompareError::file(path, missing_labels(text)))?;
        let rows = (1..).zip(text.lines().map(trimmed));
        let mut rows = rows.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        // the first row names the columns
        rows.next();
        let mut cases = Vec::new();
        for (number, line) in rows {
            let case = read_row(line).map_err(|reason| CompareError::line(path, number, reason))?;
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
                // a row is a line
                let id = case.id.replace(['\n', '\r'], " ");
                rows.write_record([&id, case.result.to_pgn(), &case.fen(), &moves])?;
            }
            rows.flush()
        })
        .map_err(|error| CompareError::write(path, error))
    }
}

/// What is wrong with a text that does not say whose labels it holds.
fn missing_labels(text: &str) -> &'static str {
    let first = text.lines().next().unwrap_or_default();
    match first.starts_with("fen,") || first.matches(',').count() == 3 {
        true => {
            "these are rows to learn from (fen,score,bestmove,origin), which `enroc data` reads; positions to compare on \
             are a list (.fen, .epd) or labels (id,result,fen,moves)"
        }
        false => "it does not say whose labels these are ('# labels: …')",
    }
}

/// Reads one line on its own, so that a stray quote spoils no other.
fn read_row(line: &str) -> Result<Case, CaseError> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(line.as_bytes());
    let row = reader.records().next().and_then(Result::ok).unwrap_or_default();
    let field = |place: usize| row.get(place).ok_or(CaseError::Columns);
    let position = read_fen(field(2)?)?;
    let result = field(1)?;
    Ok(Case {
        id: field(0)?.to_string(),
        result: GameResult::from_pgn(result.as_bytes())
            .ok_or_else(|| CaseError::Result(result.to_string()))?,
        reference: Reference::from_text(&position, field(3)?)?,
        position,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_to_learn_from_and_stray_quotes_are_named() {
        let error = |text: &str| {
            let set = Set::from_csv(Path::new("x.csv"), text);
            set.err().unwrap().to_string()
        };
        assert!(error("fen,score,bestmove,origin\n").contains("`enroc data` reads"));
        assert!(error("nothing of the kind").contains("# labels"));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("set.csv");
        Set::built_in().unwrap().thinned(3).write_csv(&path).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
        lines[3].insert(0, '"');
        let error = error(&lines.join("\n"));
        assert!(error.starts_with("x.csv: line 4: "), "{error}");
    }

    #[test]
    fn a_set_survives_its_file() {
        let mut set = Set::built_in().unwrap().thinned(7);
        set.cases[0].id = "# a, \"b\"".to_string();
        assert_eq!(set.cases.len(), 7);
        set.cases[1].id = "two\nlines".to_string();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("set.csv");
        set.write_csv(&path).unwrap();
        let back = Set::read(&path, &mut |_| {}).unwrap();
        assert_eq!(back.labelled_by, set.labelled_by);
        for (one, two) in set.cases.iter().zip(&back.cases) {
            let id = one.id.replace('\n', " ");
            assert_eq!(
                (&id, one.fen(), &one.reference),
                (&two.id, two.fen(), &two.reference)
            );
            assert_eq!(one.result, two.result);
        }
    }
}
