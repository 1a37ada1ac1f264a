//! The evaluations that Lichess publishes, `lichess_db_eval.jsonl.zst`: one position a line, as JSON.
//!
//! `fen` has four fields. Each of `evals` is what one search found: its `depth`, its thousands of nodes `knodes`, and
//! `pvs`, the best line first, with a score for White, `cp` or `mate`, and the moves of `line` (castling as king takes
//! rook). The deepest search counts, and of several the one with most nodes.

use super::chunks::Chunks;
use crate::board::Position;
use crate::data::count::Counts;
use crate::data::{DataError, Label, Origin, Record};
use rayon::prelude::*;
use serde::Deserialize;
use std::borrow::Cow;
use std::path::Path;

/// How far a line may reach beyond the size of a chunk; the lines have some hundred bytes, seldom many thousand.
const LONGEST_REST: u64 = 1 << 20;

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
    chunks: Chunks,
    broken: Counts<4>,
}

impl EvaluationReader {
    /// Opens a file, decompressing it on a thread of its own.
    ///
    /// # Errors
    /// [`DataError::Read`] if the file cannot be opened.
    pub fn open(path: &Path) -> Result<EvaluationReader, DataError> {
        Ok(EvaluationReader {
            chunks: Chunks::open(path, LONGEST_REST)?,
            broken: Counts::new(BrokenEvaluation::NAMES),
        })
    }

    /// The lines skipped so far, by kind.
    pub fn broken(&self) -> &Counts<4> {
        &self.broken
    }

    /// Appends the next records, some thousands; `false` at the end of the file.
    ///
    /// # Errors
    /// [`DataError::Read`] when the file cannot be read on, a damaged compressed stream included.
    pub fn read(&mut self, records: &mut Vec<Record>) -> Result<bool, DataError> {
        let chunks = self.chunks.next()?;
        let parsed: Vec<Vec<_>> = chunks.par_iter().map(|chunk| read_lines(chunk)).collect();
        for line in parsed.into_iter().flatten() {
            match line {
                Ok(record) => records.push(record),
                Err(kind) => self.broken.add(kind as usize),
            }
        }
        Ok(!chunks.is_empty())
    }
}

fn read_lines(chunk: &[u8]) -> Vec<Result<Record, BrokenEvaluation>> {
    chunk
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.trim_ascii().is_empty())
        .map(read_line)
        .collect()
}

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    fen: Cow<'a, str>,
    #[serde(borrow)]
    evals: Vec<Search<'a>>,
}

#[derive(Deserialize)]
struct Search<'a> {
    depth: u32,
    knodes: u64,
    #[serde(borrow)]
    pvs: Vec<Variation<'a>>,
}

#[derive(Deserialize)]
struct Variation<'a> {
    cp: Option<i32>,
    mate: Option<i32>,
    #[serde(borrow, default)]
    line: Cow<'a, str>,
}

impl Search<'_> {
    /// The score and the first move of the best line.
    fn best(&self) -> Option<(Label, &str)> {
        let best = self.pvs.first()?;
        let label = match (best.cp, best.mate) {
            (Some(cp), None) => Label::centipawns(cp),
            (None, Some(moves)) => Label::mate(moves)?,
            _ => return None,
        };
        Some((label, best.line.split(' ').next().unwrap_or_default()))
    }
}

fn read_line(line: &[u8]) -> Result<Record, BrokenEvaluation> {
    let line: Line = serde_json::from_slice(line).map_err(|_| BrokenEvaluation::Json)?;
    let position = Position::from_fen(&line.fen).map_err(|_| BrokenEvaluation::Position)?;
    let scored = line.evals.iter().filter(|search| search.best().is_some());
    let (label, best) = scored
        .max_by_key(|search| (search.depth, search.knodes))
        .and_then(Search::best)
        .ok_or(BrokenEvaluation::Score)?;
    let best = position.parse_uci(best).map_err(|_| BrokenEvaluation::Move)?;
    Ok(Record::new(&position)
        .with_label(label)
        .with_best(best)
        .with_origin(Origin::List)
        .with_group_start(true))
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
}
