//! Tables like the seed's Table 1: the position, then a score and a move of the reference and of each contestant.
//!
//! The columns are `fen`, `NAME_eval`, `NAME_move`, …, separated by tabs; the first name is the reference's. Scores
//! are in the seed's unit (ten pawns are 1) for the side to move, moves in UCI's notation; both may be missing.

use super::{Case, read_fen};
use crate::board::Position;
use crate::compare::measure::score::from_seed_unit;
use crate::compare::{Answer, Answers, CompareError, Reference, Set};
use crate::nets::curve::seed_unit;
use std::path::Path;

/// Reads a table; the answers of its contestants become [`Set::recorded`].
///
/// # Errors
/// [`CompareError`] names the line that is of no use.
pub fn read(path: &Path, text: &str) -> Result<Set, CompareError> {
    let mut lines = text.lines().enumerate();
    let header = lines.next().map_or("", |(_, header)| header);
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
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let fault = |reason: String| CompareError::line(path, number + 1, reason);
        let fields: Vec<&str> = line.split('\t').collect();
        let position = read_fen(fields[0]).map_err(fault)?;
        let mut opinions = (0..names.len()).map(|place| {
            let field = |offset: usize| fields.get(1 + 2 * place + offset).copied().unwrap_or_default();
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
fn names(header: &str) -> Option<Vec<String>> {
    let columns: Vec<&str> = header.split('\t').map(str::trim).collect();
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
fn opinion(position: &Position, score: &str, best: &str) -> Result<Answer, String> {
    let (score, best) = (score.trim(), best.trim());
    let mut answer = Answer::default();
    if !score.is_empty() {
        let value: f64 = score.parse().map_err(|_| format!("'{score}' is no score"))?;
        answer.score = Some(from_seed_unit(value));
    }
    if !best.is_empty() {
        answer.best = Some(position.parse_uci(best).map_err(|error| error.to_string())?);
    }
    Ok(answer)
}

/// The table of a comparison, as [`read`] reads it.
pub fn write(set: &Set, answers: &[Answers]) -> String {
    let mut text = "fen\treference_eval\treference_move".to_string();
    for contestant in answers {
        let name = contestant.name.replace(['\t', '\n', '\r'], " ");
        text.push_str(&format!("\t{name}_eval\t{name}_move"));
    }
    text.push('\n');
    for (place, case) in set.cases.iter().enumerate() {
        let chess960 = case.position.needs_chess960();
        let pair = |score: Option<i32>, best: Option<crate::board::Move>| {
            let score = score.map_or(String::new(), |score| format!("{:.3}", seed_unit(score)));
            let best = best.map_or(String::new(), |best| best.to_uci(chess960));
            format!("\t{score}\t{best}")
        };
        text.push_str(&case.fen());
        text.push_str(&pair(case.reference.score, case.reference.best.first().copied()));
        for contestant in answers {
            let answer = contestant.rows[place].as_ref();
            text.push_str(&pair(
                answer.and_then(|answer| answer.score.or(answer.static_score)),
                answer.and_then(|answer| answer.best),
            ));
        }
        text.push('\n');
    }
    text
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
        let written = write(&set, &set.recorded);
        let again = read(Path::new("t.tsv"), &written).unwrap();
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
