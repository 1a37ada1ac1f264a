//! Tables like Table 1 of the thesis: the position, then a score and a move of the reference and of each contestant.
//!
//! The columns are `fen`, `NAME_eval`, `NAME_move`, …, separated by tabs; the first name is the reference's. Scores
//! are in the thesis's unit (ten pawns are 1) for the side to move, moves in UCI's notation; both may be missing.

use super::case::{Case, Set, read_fen};
use super::error::CaseError;
use super::reference::Reference;
use crate::board::{Move, Position};
use crate::compare::answer::{Answer, Answers};
use crate::compare::error::CompareError;
use crate::compare::score::from_thesis_unit;
use crate::nets::curve::thesis_unit;
use std::io::{self, Write};
use std::path::Path;

/// Reads a table; the answers of its contestants become [`Set::recorded`].
///
/// # Errors
/// [`CompareError`] names the line that cannot be used.
pub fn read(path: &Path, text: &str) -> Result<Set, CompareError> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(b'\t')
        .quoting(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let header = reader
        .headers()
        .map_err(|error| CompareError::file(path, error))?;
    let names = names(header).ok_or_else(|| {
        CompareError::file(
            path,
            "its first line is not fen, NAME_eval, NAME_move … between tabs",
        )
    })?;
    let mut set = Set {
        labelled_by: format!("the table's {}", names[0]),
        ..Set::default()
    };
    set.recorded = names[1..]
        .iter()
        .map(|name| Answers {
            name: format!("{name} (table)"),
            identity: format!("table {name}"),
            rows: Vec::new(),
        })
        .collect();
    for row in reader.records() {
        let row = row.map_err(|error| CompareError::file(path, error))?;
        if row.iter().all(|field| field.trim().is_empty()) {
            continue;
        }
        let line = row.position().map_or(0, |position| position.line() as usize);
        let fault = |reason: CaseError| CompareError::line(path, line, reason);
        let position = read_fen(&row[0]).map_err(fault)?;
        let mut opinions = (0..names.len()).map(|place| {
            let field = |offset: usize| row.get(1 + 2 * place + offset).unwrap_or_default();
            opinion(&position, field(0), field(1))
        });
        let reference = opinions.next().unwrap_or(Ok(Answer::default())).map_err(fault)?;
        for (answers, answer) in set.recorded.iter_mut().zip(opinions) {
            answers.rows.push(Some(answer.map_err(fault)?));
        }
        let mut case = Case::new((set.cases.len() + 1).to_string(), position);
        case.reference = Reference {
            best: reference.best.into_iter().collect(),
            score: reference.score,
            ..Reference::default()
        };
        set.cases.push(case);
    }
    match set.cases.is_empty() {
        true => Err(CompareError::Empty),
        false => Ok(set),
    }
}

/// The names in the first line.
fn names(header: &csv::StringRecord) -> Option<Vec<String>> {
    let columns: Vec<&str> = header.iter().map(str::trim).collect();
    let (first, rest) = columns.split_first()?;
    if *first != "fen" || rest.is_empty() || rest.len() % 2 != 0 {
        return None;
    }
    rest.chunks(2)
        .map(|pair| {
            let name = pair[0].strip_suffix("_eval")?;
            (pair[1].strip_suffix("_move")? == name).then(|| name.to_string())
        })
        .collect()
}

/// A score and a move, either of which may be missing.
fn opinion(position: &Position, score: &str, best: &str) -> Result<Answer, CaseError> {
    let (score, best) = (score.trim(), best.trim());
    let mut answer = Answer::default();
    if !score.is_empty() {
        let value = score.parse::<f64>();
        let value = value.map_err(|_| CaseError::Score(score.to_string()))?;
        answer.score = Some(from_thesis_unit(value));
    }
    if !best.is_empty() {
        answer.best = Some(position.parse_uci(best)?);
    }
    Ok(answer)
}

/// Writes the table of a comparison as [`read`] reads it.
///
/// # Errors
/// Those of the file.
pub fn write(set: &Set, answers: &[Answers], file: &mut dyn Write) -> io::Result<()> {
    let mut rows = csv::WriterBuilder::new()
        .delimiter(b'\t')
        .quote_style(csv::QuoteStyle::Never)
        .from_writer(file);
    let mut columns = ["fen", "reference_eval", "reference_move"]
        .map(str::to_string)
        .to_vec();
    for contestant in answers {
        let name = contestant.name.replace(['\t', '\n', '\r'], " ");
        columns.extend([format!("{name}_eval"), format!("{name}_move")]);
    }
    rows.write_record(&columns)?;
    for (place, case) in set.cases.iter().enumerate() {
        let chess960 = case.position.needs_chess960();
        let pair = |score: Option<i32>, best: Option<Move>| {
            let score = score.map_or(String::new(), |score| format!("{:.3}", thesis_unit(score)));
            let best = best.map_or(String::new(), |best| best.to_uci(chess960));
            [score, best]
        };
        let mut fields = vec![case.fen()];
        fields.extend(pair(case.reference.score, case.reference.best.first().copied()));
        for contestant in answers {
            let answer = contestant.rows[place].as_ref();
            fields.extend(pair(
                answer.and_then(|answer| answer.score.or(answer.static_score)),
                answer.and_then(|answer| answer.best),
            ));
        }
        rows.write_record(&fields)?;
    }
    rows.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "fen\tstockfish_eval\tstockfish_move\tmlp_eval\tmlp_move\n\
        6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\t1.0\td1d8\t9.898\td1d8\n\
        6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\t-0.287\td1d8\t\tg2g3\n";

    #[test]
    fn a_table_is_read_and_written_again() {
        let set = read(Path::new("t.tsv"), TABLE).unwrap();
        assert_eq!(set.labelled_by, "the table's stockfish");
        assert_eq!(set.cases[1].reference.score, Some(-287));
        let mlp = &set.recorded[0];
        assert_eq!(mlp.name, "mlp (table)");
        let rows: Vec<&Answer> = mlp.rows.iter().flatten().collect();
        assert_eq!((rows[0].score, rows[1].score), (Some(1_000), None));
        assert_eq!(rows[1].best.unwrap().to_uci(false), "g2g3");
        let mut written = Vec::new();
        write(&set, &set.recorded, &mut written).unwrap();
        let again = read(Path::new("t.tsv"), std::str::from_utf8(&written).unwrap()).unwrap();
        assert_eq!(again.recorded[0].rows, mlp.rows);
        assert_eq!(again.cases[0].reference, set.cases[0].reference);
    }

    #[test]
    fn bad_tables_are_named() {
        for (text, word) in [
            ("", "first line"),
            ("fen\ta_eval\tb_move\n", "first line"),
            ("fen\ta_eval\ta_move\n8/8 w\t1\te2e4\n", "line 2"),
            (
                "fen\ta_eval\ta_move\n6k1/8/8/8/8/8/8/3R2K1 w - - 0 1\t1\te2e4\n",
                "e2e4",
            ),
            (
                "fen\ta_eval\ta_move\n6k1/8/8/8/8/8/8/3R2K1 w - - 0 1\thigh\td1d2\n",
                "high",
            ),
        ] {
            let error = read(Path::new("t.tsv"), text).err().unwrap().to_string();
            assert!(error.contains("t.tsv") && error.contains(word), "{error}");
        }
    }
}
