//! Lists of positions as text: one FEN or EPD a line, or one labelled position as bullet's text format has it.
//!
//! Such a line is `FEN | score | result`: the score in centipawns for White, the result 1.0, 0.5 or 0.0 for White. A
//! number near ±32,000 is a mate, as in a [record](Label).

use super::text;
use crate::board::epd::{after_fields, position_fields};
use crate::board::{GameResult, Position};
use crate::data::DataError;
use crate::data::count::Counts;
use crate::data::record::label::Label;
use crate::data::record::{Origin, Record};
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

/// A longer line is no position.
const LONGEST_LINE: u64 = 1 << 12;

/// Records that are read at once.
const AT_ONCE: usize = 1 << 14;

/// The names of what can be wrong with a line.
pub const BROKEN_LINE: [&str; 3] = ["impossible position", "line too long", "not FEN | score | result"];

/// What each of the names stands for.
#[derive(Clone, Copy)]
enum Broken {
    Position,
    Length,
    Fields,
}

/// Streams the positions of one file, each a group of its own; broken lines are skipped and counted.
pub struct ListReader {
    path: PathBuf,
    input: Box<dyn BufRead + Send>,
    broken: Counts<3>,
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
    pub fn broken(&self) -> &Counts<3> {
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
            let line = text::trimmed(&line);
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match read_line(line) {
                Ok(record) => records.push(record),
                Err(kind) => self.broken.add(kind as usize),
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

fn read_line(line: &str) -> Result<Record, Broken> {
    if line.len() as u64 >= LONGEST_LINE {
        return Err(Broken::Length);
    }
    let read = |fen: &str| {
        let position = Position::from_epd(fen).map_err(|_| Broken::Position)?;
        let record = Record::new(&position).with_origin(Origin::List);
        Ok(record.with_group_start(true).with_result(read_result(fen)))
    };
    match line.split_once('|') {
        // an operation of an EPD may hold any sign
        Some((fen, _)) if fen.contains(['"', ';']) => read(line),
        Some((fen, rest)) => {
            let (label, result) = read_score_and_result(rest).ok_or(Broken::Fields)?;
            Ok(read(fen)?.with_label(label).with_result(result))
        }
        None => read(line),
    }
}

/// The result that stands behind a position, outside of quotation marks or in the comment `c9`, which others use for it.
fn read_result(line: &str) -> GameResult {
    let rest = after_fields(line, &position_fields(line));
    let result = |text: &str| {
        let words = text.split(|c: char| c.is_whitespace() || c == '"');
        let known = words.filter_map(|word| GameResult::from_pgn(word.as_bytes()));
        known.into_iter().find(|&result| result != GameResult::Unknown)
    };
    let mut operations = rest.split(';').map(str::trim);
    let found =
        operations.find_map(
            |operation| match operation.contains('"') && !operation.starts_with("c9 ") {
                true => None,
                false => result(operation),
            },
        );
    found.unwrap_or(GameResult::Unknown)
}

/// What stands behind the FEN in bullet's text format.
fn read_score_and_result(text: &str) -> Option<(Label, GameResult)> {
    let (score, result) = text.split_once('|')?;
    let score: i32 = score.trim().parse().ok()?;
    let number = i16::try_from(score).ok();
    let label = number.and_then(Label::decode).unwrap_or(Label::centipawns(score));
    let result = match result.trim() {
        "1.0" | "1" => GameResult::WhiteWins,
        "0.5" | "1/2" => GameResult::Draw,
        "0.0" | "0" => GameResult::BlackWins,
        _ => return None,
    };
    Some((label, result))
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
            "4k3/8/8/8/8/8/4P3/4K3 b - - \0\r\r",
            " \0\r",
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
        assert_eq!([0, 1, 2].map(|kind| reader.broken().of(kind)), [2, 1, 0]);
    }

    #[test]
    fn counts_and_results_behind_a_position_are_its_own() {
        for (rest, fen, result) in [
            (" 5 30; 1-0", " 5 30", GameResult::WhiteWins),
            (" 5 30;1/2-1/2", " 5 30", GameResult::Draw),
            (" c9 \"0-1\";", " 0 1", GameResult::BlackWins),
            (" bm e4; id \"1-0 in 3\";", " 0 1", GameResult::Unknown),
            (" hmvc 5; fmvn 30;", " 5 30", GameResult::Unknown),
        ] {
            let board = "4k3/8/8/8/8/8/4P3/4K3 w - -";
            let record = read_line(&format!("{board}{rest}")).unwrap_or_else(|_| panic!("{rest}"));
            assert_eq!(
                record.position().unwrap().to_fen(false),
                format!("{board}{fen}"),
                "{rest}"
            );
            assert_eq!(record.result(), result, "{rest}");
        }
    }

    #[test]
    fn lines_of_bullet_are_labelled_for_white() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 9";
        let read =
            |rest: &str| read_line(&format!("{fen}{rest}\r\n")).map_err(|kind| BROKEN_LINE[kind as usize]);
        for (rest, label, result) in [
            (" | 41 | 1.0", Label::Centipawns(41), GameResult::WhiteWins),
            ("|-7|0.5", Label::Centipawns(-7), GameResult::Draw),
            (" | 31998 | 0.0", Label::Mate(2), GameResult::BlackWins),
            (" | -99999 | 0", Label::Centipawns(-30_000), GameResult::BlackWins),
        ] {
            let record = read(rest).unwrap();
            assert_eq!(record.position().unwrap().to_fen(false), fen);
            assert_eq!((record.label(), record.result()), (Some(label), result), "{rest}");
            assert!(record.starts_group());
        }
        for rest in [
            " | 41",
            " | | 0.5",
            " | 4.1 | 0.5",
            " | 41 | 0.7",
            " | 41 | 0.5 | 3",
        ] {
            assert_eq!(read(rest), Err(BROKEN_LINE[2]), "{rest}");
        }
        assert!(matches!(read_line("4k3 w | 41 | 0.5"), Err(Broken::Position)));
        let operation = read_line("4k3/8/8/8/8/8/4P3/4K3 w - - id \"a | b\";");
        assert!(operation.is_ok_and(|record| record.score().is_none()));
    }
}
