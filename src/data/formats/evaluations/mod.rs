//! The evaluations that Lichess publishes, `lichess_db_eval.jsonl.zst`: one position a line, as JSON.
//!
//! `fen` has four fields. Each of `evals` is what one search found: its `depth`, its thousands of nodes `knodes`, and
//! `pvs`, the best line first, with a score for White, `cp` or `mate`, and the moves of `line` (castling as king takes
//! rook). The deepest search counts, and of several the one with most nodes.

mod json;
mod plain;

use super::chunks::Chunks;
use crate::board::Position;
use crate::data::count::Counts;
use crate::data::{DataError, Label, Origin, Record};
use memchr::memchr_iter;
use std::path::Path;

/// How far a line may reach beyond the size of a chunk; the lines have some hundred bytes, seldom many thousand.
const LONGEST_REST: u64 = 1 << 20;

/// Few lines are shorter.
const SHORT_LINE: usize = 160;

/// What is wrong with a line that is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrokenEvaluation {
    /// It is no JSON, or has not the fields of this file.
    Json,
    /// The FEN is no legal position.
    Position,
    /// No search has a score.
    Score,
    /// The first move of the best line is missing or not legal.
    Move,
}

impl BrokenEvaluation {
    /// Every kind and its name, in the order of the counts.
    pub const NAMES: [&'static str; 4] = [
        "cut off or of another kind",
        "impossible position",
        "without a score",
        "illegal or missing best move",
    ];
}

/// Streams the positions of one file in their order, each a group of its own; broken lines are skipped and counted.
pub struct EvaluationReader {
    chunks: Chunks<Parsed>,
    broken: Counts<4>,
}

impl EvaluationReader {
    /// Opens a file. It is decompressed on a thread of its own, and its lines are read on all others.
    ///
    /// # Errors
    /// [`DataError::Read`] if the file cannot be opened.
    pub fn open(path: &Path) -> Result<EvaluationReader, DataError> {
        Ok(EvaluationReader {
            chunks: Chunks::open(path, LONGEST_REST, Parsed::of)?,
            broken: Counts::new(BrokenEvaluation::NAMES),
        })
    }

    /// The lines skipped so far, by kind.
    pub fn broken(&self) -> &Counts<4> {
        &self.broken
    }

    /// Appends the next records, about a thousand; `false` at the end of the file.
    ///
    /// # Errors
    /// [`DataError::Read`] when the file cannot be read on, a damaged compressed stream included.
    pub fn read(&mut self, records: &mut Vec<Record>) -> Result<bool, DataError> {
        let Some(mut parsed) = self.chunks.next()? else {
            return Ok(false);
        };
        records.append(&mut parsed.records);
        self.broken.add_all(&parsed.broken);
        Ok(true)
    }
}

/// What a chunk of lines holds.
struct Parsed {
    records: Vec<Record>,
    broken: Counts<4>,
}

impl Parsed {
    fn of(chunk: &[u8]) -> Parsed {
        let mut parsed = Parsed {
            records: Vec::with_capacity(chunk.len() / SHORT_LINE),
            broken: Counts::new(BrokenEvaluation::NAMES),
        };
        for line in lines(chunk).filter(|line| !line.trim_ascii().is_empty()) {
            match read_line(line) {
                Ok(record) => parsed.records.push(record),
                Err(kind) => parsed.broken.add(kind as usize),
            }
        }
        parsed
    }
}

/// The lines of a text, without their ends.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut start = 0;
    memchr_iter(b'\n', text).chain([text.len()]).map(move |end| {
        let line = &text[start..end];
        start = end + 1;
        line
    })
}

/// What counts of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Evaluation<'a> {
    fen: &'a str,
    /// The score and the best line of the deepest search that has a score.
    best: Option<(Label, &'a str)>,
}

impl Evaluation<'_> {
    fn record(&self) -> Result<Record, BrokenEvaluation> {
        let position = Position::from_fen(self.fen).map_err(|_| BrokenEvaluation::Position)?;
        let (label, line) = self.best.ok_or(BrokenEvaluation::Score)?;
        let best = line.split(' ').next().unwrap_or_default();
        let best = position.parse_uci(best).map_err(|_| BrokenEvaluation::Move)?;
        Ok(Record::new(&position)
            .with_label(label)
            .with_best(best)
            .with_origin(Origin::List)
            .with_group_start(true))
    }
}

/// Reads a line in the shape that Lichess writes, or as JSON in any other.
fn read_line(line: &[u8]) -> Result<Record, BrokenEvaluation> {
    match plain::read(line) {
        Some(evaluation) => evaluation.record(),
        None => json::read(line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::GameResult;

    fn read(bytes: &[u8]) -> (Vec<Record>, Counts<4>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("evaluations.jsonl");
        std::fs::write(&path, bytes).unwrap();
        let mut reader = EvaluationReader::open(&path).unwrap();
        let mut records = Vec::new();
        while reader.read(&mut records).unwrap() {}
        (records, reader.broken().clone())
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq -";

    #[test]
    fn the_deepest_search_with_most_nodes_counts() {
        let line = format!(
            r#"{{"fen":"{START}","evals":[
                {{"pvs":[{{"cp":1,"line":"a2a3 a7a6"}},{{"cp":9,"line":"b2b4"}}],"knodes":99999,"depth":30}},
                {{"pvs":[{{"cp":2,"line":"a2a4"}}],"knodes":50,"depth":31}},
                {{"pvs":[{{"cp":-3,"line":"e2e4 e7e5 g1f3"}},{{"cp":9,"line":"b2b4"}}],"knodes":60,"depth":31}},
                {{"pvs":[{{"cp":4,"line":"d2d4"}}],"knodes":40,"depth":31}},
                {{"pvs":[],"knodes":999,"depth":99}}]}}"#
        );
        let (records, broken) = read(line.replace('\n', " ").as_bytes());
        assert_eq!((records.len(), broken.total()), (1, 0));
        let record = records[0];
        let position = record.check().unwrap();
        assert_eq!(position.to_fen(false), format!("{START} 0 1"));
        assert_eq!(record.label(), Some(Label::Centipawns(-3)));
        assert_eq!(record.best(), position.parse_uci("e2e4").ok());
        assert_eq!(
            (record.origin(), record.result()),
            (Origin::List, GameResult::Unknown)
        );
        assert!(record.starts_group());
    }

    #[test]
    fn mates_are_for_white_and_castling_takes_the_rook() {
        let line = |mate, best| {
            format!(
                r#"{{"evals":[{{"depth":9,"x":[{{}}],"knodes":1,"pvs":[{{"mate":{mate},"line":"{best}"}}]}}],"fen":"{CASTLING}"}}"#
            )
        };
        let text = [line(-4, "e8h8 e1a1"), line(7, "e8a8"), line(2000, "e8c8")].join("\n");
        let (records, broken) = read(text.as_bytes());
        assert_eq!(broken.total(), 0);
        let labels: Vec<_> = records.iter().filter_map(Record::label).collect();
        assert_eq!(labels, [Label::Mate(-4), Label::Mate(7), Label::Mate(1000)]);
        let moves: Vec<_> = records.iter().filter_map(Record::best).collect();
        assert!(moves.iter().all(|best| best.is_castling()));
        let targets: Vec<_> = moves.iter().map(|best| best.to().to_string()).collect();
        assert_eq!(targets, ["h8", "a8", "a8"]);
    }

    #[test]
    fn broken_lines_are_counted_by_kind_and_skipped() {
        let line = |fen: &str, pvs: &str| {
            format!(r#"{{"fen":"{fen}","evals":[{{"pvs":[{pvs}],"knodes":5,"depth":20}}]}}"#)
        };
        let good = line(START, r#"{"cp":20,"line":"e2e4"}"#);
        let lines = [
            good.clone(),
            // of another kind
            r#"{"id":"abcde","moves":"e4 e5"}"#.to_string(),
            "[]".to_string(),
            line(START, r#"{"cp":"high","line":"e2e4"}"#),
            format!("{good}}}"),
            line("8/8/8/8/8/8/8/8 w - -", r#"{"cp":20,"line":"e2e4"}"#),
            // without a score
            format!(r#"{{"fen":"{START}","evals":[]}}"#),
            line(START, ""),
            line(START, r#"{"line":"e2e4"}"#),
            line(START, r#"{"mate":0,"line":"e2e4"}"#),
            line(START, r#"{"cp":20,"line":"e2e5 e7e5"}"#),
            line(START, r#"{"cp":20}"#),
            "  ".to_string(),
            good.clone(),
            good[..good.len() / 2].to_string(),
        ];
        let (records, broken) = read(lines.join("\n").as_bytes());
        assert_eq!(records.len(), 2);
        assert_eq!([0, 1, 2, 3].map(|kind| broken.of(kind)), [5, 1, 4, 2]);
    }

    /// A line in Lichess's shape, from which others are made.
    const PLAIN: &str = concat!(
        r#"{"fen":"r3k2r/8/8/8/8/8/8/R3K2R b KQkq -","evals":[{"pvs":[{"cp":-12,"line":"e8h8 e1a1"},"#,
        r#"{"mate":0,"line":"a8a1 e1d2"}],"knodes":4021,"depth":31},"#,
        r#"{"pvs":[{"mate":-7,"line":"e8a8"}],"knodes":977,"depth":40},"#,
        r#"{"pvs":[{"cp":0,"line":"e8d7"},{"cp":310,"line":"h8h1"}],"knodes":977,"depth":40}]}"#
    );

    /// Reads a line both ways. If the quick one answers, the answers are the same.
    fn quick_answer(line: &[u8]) -> Option<Result<Record, BrokenEvaluation>> {
        let quick = plain::read(line)?.record();
        assert_eq!(quick, json::read(line), "{}", String::from_utf8_lossy(line));
        Some(quick)
    }

    #[test]
    fn lines_in_the_usual_shape_are_read_quickly_and_as_any_json() {
        let record = quick_answer(PLAIN.as_bytes()).unwrap().unwrap();
        // of two searches as deep and as long the later one counts
        assert_eq!(record.label(), Some(Label::Centipawns(0)));
        assert_eq!(record.best().unwrap().to_uci(false), "e8d7");
        for (from, to) in [
            ("40}]", "41}]"),
            ("977", "0"),
            ("310", "999999999"),
            ("977", "123456789012345678"),
        ] {
            let line = PLAIN.replace(from, to);
            assert!(quick_answer(line.as_bytes()).is_some(), "{line}");
        }
    }

    #[test]
    fn what_deviates_from_the_usual_shape_is_left_to_the_reader_of_json() {
        for (from, to) in [
            ("\"fen\":", "\"fen\": "),
            ("\"cp\":0", "\"cp\":-0"),
            ("\"cp\":0", "\"cp\":007"),
            ("\"cp\":0", "\"cp\":0.5"),
            ("\"cp\":0", "\"cp\":null"),
            ("\"cp\":0", "\"cp\":9999999999"),
            ("977", "99999999999999999999"),
            ("977", "-977"),
            ("e8a8", "e8\\u00618"),
            ("e8a8", "e8\u{e4}8"),
            ("h8h1", "h8\th1"),
            ("40}]}", "40}]} "),
            ("}]}", "}],\"more\":1}"),
            (",\"line\":\"h8h1\"", ""),
        ] {
            let line = PLAIN.replace(from, to);
            assert!(line != PLAIN && quick_answer(line.as_bytes()).is_none(), "{line}");
        }
    }

    #[test]
    fn no_change_of_a_byte_makes_the_two_ways_differ() {
        let line = PLAIN.as_bytes();
        for place in 0..line.len() {
            quick_answer(&line[..place]);
            quick_answer(&[&line[..place], &line[place + 1..]].concat());
            for byte in *b"\0\n\x0c\r \"\\/{}[],:-+.0189aekKw\x7f\x80\xff" {
                let mut changed = line.to_vec();
                changed[place] = byte;
                quick_answer(&changed);
                changed.insert(place, line[place]);
                quick_answer(&changed);
            }
        }
    }
}
