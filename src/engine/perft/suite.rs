//! Suites of positions with known counts: `FEN ;D1 20 ;D2 400`, one position per line.

use super::PerftCounter;
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
    /// The position.
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

/// Reads a suite; empty lines and lines that begin with `#` are skipped.
///
/// # Errors
/// [`SuiteError`] names the first line that is wrong.
pub fn parse_suite(text: &str) -> Result<Vec<SuiteEntry>, SuiteError> {
    let is_around = |c: char| c.is_whitespace() || c == '\0' || c == '\u{feff}';
    let entries = (1..)
        .zip(text.lines().map(|line| line.trim_matches(is_around)))
        .filter(|(_, text)| !text.is_empty() && !text.starts_with('#'))
        .map(|(line, text)| parse_line(line, text))
        .collect::<Result<Vec<SuiteEntry>, SuiteError>>()?;
    if entries.is_empty() {
        return Err(SuiteError::Empty);
    }
    Ok(entries)
}

fn parse_line(line: usize, text: &str) -> Result<SuiteEntry, SuiteError> {
    let mut fields = text.trim_end_matches([';', ' ', '\t']).split(';').map(str::trim);
    let fen = fields.next().unwrap_or_default();
    let position = Position::from_fen(fen).map_err(|source| SuiteError::Fen { line, source })?;
    let counts = fields
        .map(|field| {
            parse_count(field).ok_or_else(|| SuiteError::Count {
                line,
                field: field.to_string(),
            })
        })
        .collect::<Result<Vec<(u32, u64)>, SuiteError>>()?;
    if counts.is_empty() {
        return Err(SuiteError::NoCounts(line));
    }
    Ok(SuiteEntry {
        line,
        fen: fen.to_string(),
        position,
        counts,
    })
}

/// Reads `D3 8902`.
fn parse_count(field: &str) -> Option<(u32, u64)> {
    let (depth, nodes) = field.strip_prefix('D')?.split_once([' ', '\t'])?;
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
