//! Suites of positions with known counts: `FEN ;D1 20 ;D2 400`, one position per line, or in the form of `.perft` files.

use super::PerftCounter;
use crate::board::epd::{after_fields, position_fields};
use crate::board::{FenError, Position};
use thiserror::Error;

/// Why a text is not a perft suite.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum SuiteError {
    /// No line holds a position.
    #[error("the suite has no positions: expected lines such as 'FEN ;D1 20 ;D2 400'")]
    Empty,
    /// A line whose position cannot be read.
    #[error("line {line}: {source}")]
    Fen {
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        source: FenError,
    },
    /// A field that is not a depth with its count.
    #[error("line {line}: '{field}' is not a depth and its count such as 'D2 400'")]
    Count {
        /// Counted from 1.
        line: usize,
        /// The field, without the semicolon.
        field: String,
    },
    /// A position without counts.
    #[error("line {0}: no counts such as ';D1 20' after the FEN")]
    NoCounts(usize),
}

/// A position with its known counts.
#[derive(Clone, Debug)]
pub struct SuiteEntry {
    /// The line of the file, counted from 1.
    pub line: usize,
    /// The position's FEN as the file has it.
    pub fen: String,
    pub position: Position,
    /// Depths and their counts, in the order of the file.
    pub counts: Vec<(u32, u64)>,
}

/// A count that differs from the suite's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("depth {depth}: {found} instead of {expected}")]
pub struct Mismatch {
    /// In plies.
    pub depth: u32,
    /// The suite's count.
    pub expected: u64,
    /// Ours.
    pub found: u64,
}

impl SuiteEntry {
    /// The counts of this entry that are at most `max_nodes`.
    pub fn counts_up_to(&self, max_nodes: u64) -> impl Iterator<Item = (u32, u64)> {
        self.counts
            .iter()
            .copied()
            .filter(move |count| count.1 <= max_nodes)
    }

    /// Counts every depth whose known count is at most `max_nodes`; returns the sum of the counts if all agree.
    ///
    /// # Errors
    /// The first [`Mismatch`].
    pub fn verify(&self, counter: &PerftCounter, max_nodes: u64) -> Result<u64, Mismatch> {
        let mut total = 0;
        for (depth, expected) in self.counts_up_to(max_nodes) {
            let found = counter.count(&self.position, depth);
            if found != expected {
                return Err(Mismatch {
                    depth,
                    expected,
                    found,
                });
            }
            total += found;
        }
        Ok(total)
    }
}

/// Reads a suite; empty lines and lines that begin with `#` are skipped. Besides a position with its counts on one line
/// there is the form of `.perft` files: `epd` and a position on one line, `perft 3 8902` on each of the next.
///
/// # Errors
/// [`SuiteError`] names the first line that is wrong.
pub fn parse_suite(text: &str) -> Result<Vec<SuiteEntry>, SuiteError> {
    let is_around = |c: char| c.is_whitespace() || c == '\0' || c == '\u{feff}';
    let lines = (1..).zip(text.lines().map(|line| line.trim_matches(is_around)));
    let mut entries: Vec<SuiteEntry> = Vec::new();
    for (line, text) in lines.filter(|(_, text)| !text.is_empty() && !text.starts_with('#')) {
        match text.split_once([' ', '\t']) {
            Some(("id", _)) => {}
            Some(("epd" | "fen", rest)) => entries.push(parse_line(line, rest)?),
            Some(("perft", rest)) => {
                let count = parse_pair(rest.trim()).ok_or_else(|| count_error(line, text))?;
                let entry = entries.last_mut().ok_or_else(|| count_error(line, text))?;
                entry.counts.push(count);
            }
            _ => {
                let entry = parse_line(line, text)?;
                if entry.counts.is_empty() {
                    return Err(SuiteError::NoCounts(line));
                }
                entries.push(entry);
            }
        }
    }
    if let Some(entry) = entries.iter().find(|entry| entry.counts.is_empty()) {
        return Err(SuiteError::NoCounts(entry.line));
    }
    match entries.is_empty() {
        true => Err(SuiteError::Empty),
        false => Ok(entries),
    }
}

/// A position of a FEN or EPD and the counts behind it: `;D1 20 ;D2 400`, or `D1 20; D2 400;`.
fn parse_line(line: usize, text: &str) -> Result<SuiteEntry, SuiteError> {
    let fields = position_fields(text);
    let fen = fields.join(" ");
    let position = Position::from_fen(&fen).map_err(|source| SuiteError::Fen { line, source })?;
    let rest = after_fields(text, &fields).split(';').map(str::trim);
    let counts = rest
        .filter(|field| !field.is_empty())
        .map(|field| parse_count(field).ok_or_else(|| count_error(line, field)))
        .collect::<Result<Vec<(u32, u64)>, SuiteError>>()?;
    Ok(SuiteEntry {
        line,
        fen,
        position,
        counts,
    })
}

fn count_error(line: usize, field: &str) -> SuiteError {
    SuiteError::Count {
        line,
        field: field.to_string(),
    }
}

/// Reads `D3 8902`.
fn parse_count(field: &str) -> Option<(u32, u64)> {
    parse_pair(field.strip_prefix(['D', 'd'])?)
}

/// Reads `3 8902`.
fn parse_pair(text: &str) -> Option<(u32, u64)> {
    let (depth, nodes) = text.split_once([' ', '\t'])?;
    Some((depth.parse().ok()?, nodes.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn reads_and_verifies() {
        let text = format!(
            "\u{feff}# a comment\n \0\r\n{START} ;D1 20 ;D2\t400;D3  8902; \0\r\r\n {START} ;D2 401 ;D1 20\n"
        );
        let suite = parse_suite(&text).unwrap();
        let counter = PerftCounter::new(1, 0).unwrap();
        assert_eq!((suite[0].line, suite[1].line), (3, 4));
        assert_eq!(suite[0].fen, START);
        assert_eq!(suite[0].counts, [(1, 20), (2, 400), (3, 8902)]);
        assert_eq!(suite[0].verify(&counter, 10_000), Ok(9_322));
        assert_eq!(suite[0].verify(&counter, 8_901), Ok(420));
        let mismatch = suite[1].verify(&counter, 10_000).unwrap_err();
        assert_eq!(mismatch.to_string(), "depth 2: 400 instead of 401");
    }

    #[test]
    fn epd_and_perft_files_are_read_too() {
        let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let perft = format!(
            "# tricky\nid start\nepd {board} 0 1\nperft 1 20\nperft 2 400\n\nid two\nepd {board}\nperft 1 20\n"
        );
        for (text, counts) in [
            (format!("{board} ;D1 20 ;D2 400"), vec![(1, 20), (2, 400)]),
            (format!("{board} D1 20; D2 400;"), vec![(1, 20), (2, 400)]),
            (format!("{board};D1 20;D2 400"), vec![(1, 20), (2, 400)]),
            (format!("{board} 0 1; D1 20; D2 400;"), vec![(1, 20), (2, 400)]),
            (perft, vec![(1, 20), (2, 400)]),
        ] {
            assert_eq!(parse_suite(&text).unwrap()[0].counts, counts, "{text}");
        }
        for text in [
            "perft 1 20",
            "epd 8/8 w - -",
            &format!("epd {board}"),
            &format!("epd {board}\nperft 1"),
        ] {
            assert!(parse_suite(text).is_err(), "{text}");
        }
    }

    #[test]
    fn errors_name_the_line() {
        let message = |text: &str| parse_suite(text).unwrap_err().to_string();
        assert!(message("\n# nothing\n").starts_with("the suite has no positions"));
        assert_eq!(
            message(&format!("{START} ;D1 20\nrubbish ;D1 20")),
            "line 2: a FEN has four to six fields separated by spaces, this one has 1"
        );
        assert_eq!(message(START), "line 1: no counts such as ';D1 20' after the FEN");
        for field in ["D1", "1 20", "Dx 20", "D1 many", "D-1 20"] {
            assert_eq!(
                message(&format!("{START} ;{field}")),
                format!("line 1: '{field}' is not a depth and its count such as 'D2 400'")
            );
        }
    }
}
