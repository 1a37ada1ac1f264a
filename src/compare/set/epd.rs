//! Positions as text, one a line: FEN, or EPD with the best moves (`bm`), moves to avoid (`am`) and an `id`.

use super::Tell;
use super::case::{Case, Set, read_fen};
use super::error::CaseError;
use crate::board::epd::{after_fields, fen, position_fields};
use crate::board::{Move, Position, SanError};
use crate::compare::error::CompareError;
use crate::data::formats::text::trimmed;
use std::path::Path;

/// Whose opinion `bm` and `am` are.
const LABELLED_BY: &str = "the file's bm and am";

/// Reads all lines; empty ones and those that begin with `#` are passed over, those that cannot be used are counted and
/// told together.
///
/// # Errors
/// [`CompareError::Line`] names the first line that cannot be used if none can, [`CompareError::Empty`] if there is none.
pub fn read(path: &Path, text: &str, tell: Tell) -> Result<Set, CompareError> {
    let mut set = Set::default();
    let mut faults = Vec::new();
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines().map(trimmed)) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match read_line(line, number) {
            Ok(case) => {
                if !case.reference.is_empty() {
                    set.labelled_by = LABELLED_BY.to_string();
                }
                set.cases.push(case);
            }
            Err(reason) => faults.push(CompareError::line(path, number, reason)),
        }
    }
    let count = faults.len();
    match faults.into_iter().next() {
        None if set.cases.is_empty() => return Err(CompareError::Empty),
        Some(first) if set.cases.is_empty() => return Err(first),
        Some(first) => tell(format!("{count} lines skipped, the first: {first}")),
        None => {}
    }
    Ok(set)
}

fn read_line(line: &str, number: usize) -> Result<Case, CaseError> {
    let fields = position_fields(line);
    let position = read_fen(&fen(line))?;
    let rest = after_fields(line, &fields);
    let mut case = Case::new(number.to_string(), position);
    for (name, operands) in operations(rest) {
        match name {
            "bm" => case.reference.best = moves(&position, operands)?,
            "am" => case.reference.avoid = moves(&position, operands)?,
            "id" => case.id = operands.trim_matches('"').to_string(),
            _ => {}
        }
    }
    Ok(case)
}

/// Names and operands; a semicolon inside quotes ends nothing.
fn operations(text: &str) -> Vec<(&str, &str)> {
    let mut quoted = false;
    let end = |c: char| {
        quoted ^= c == '"';
        c == ';' && !quoted
    };
    text.split(end)
        .filter_map(|operation| {
            let (name, operands) = operation.trim().split_once(char::is_whitespace)?;
            Some((name, operands.trim()))
        })
        .collect()
}

/// Moves in the notation of EPD, SAN, or in UCI's.
fn moves(position: &Position, text: &str) -> Result<Vec<Move>, SanError> {
    let read = |word: &str| {
        position
            .parse_san(word)
            .or_else(|error| position.parse_uci(word).map_err(|_| error))
    };
    text.split_whitespace().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_and_names_are_read() {
        let text = "# mates\n\n\
            6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id \"back; rank\"; c0 \"x\";\n\
            6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 3 17 am h4 g1h1; bm Rd8+ g3;\n\
            6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -\n";
        let set = read(Path::new("x.epd"), text, &mut |_| {}).unwrap();
        assert_eq!(set.labelled_by, LABELLED_BY);
        let first = &set.cases[0];
        assert_eq!(first.id, "back; rank");
        assert_eq!(first.reference.best[0].to_uci(false), "d1d8");
        assert_eq!(set.cases[1].reference.avoid.len(), 2);
        assert_eq!(set.cases[1].reference.best.len(), 2);
        assert_eq!(set.cases[1].position.fullmove_number(), 17);
        assert!(set.cases[2].reference.is_empty() && set.cases[2].id == "5");
    }

    #[test]
    fn bad_lines_are_named() {
        for (line, word) in [
            ("what is this", "line 1"),
            ("8/8/8/8/8/8/8/8 w - - 0 1", "line 1"),
            ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd9;", "Rd9"),
            ("3R2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", "checkmate"),
        ] {
            let error = read(Path::new("x.epd"), line, &mut |_| {});
            let error = error.err().unwrap().to_string();
            assert!(error.contains("x.epd") && error.contains(word), "{error}");
        }
        assert!(matches!(
            read(Path::new("x.epd"), "# nothing\n", &mut |_| {}),
            Err(CompareError::Empty)
        ));
    }

    #[test]
    fn bad_lines_among_good_ones_are_counted() {
        let good = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; \0\r\r\n";
        let text = format!("\u{feff}{good}what is this\n \0\r\n{good}8/8 w\n");
        let mut told = Vec::new();
        let set = read(Path::new("x.epd"), &text, &mut |line| told.push(line)).unwrap();
        assert_eq!((set.cases.len(), told.len()), (2, 1));
        assert!(
            told[0].starts_with("2 lines skipped, the first: x.epd: line 2: "),
            "{told:?}"
        );
    }
}
