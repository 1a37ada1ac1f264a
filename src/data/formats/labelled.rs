//! Labelled positions as text: CSV rows `fen,score,bestmove,origin`, perhaps with a fifth field for the result, plain or
//! compressed.
//!
//! The score is in centipawns for White, or `#n` for a mate in n moves (negative: Black mates); the best move is written
//! as in UCI; either may be empty. The origin is `g` for a position of a game, `s` for a single one, `l` for one of a
//! list, and `r0`, `r1` … for self-play from one start position. Rows of one start position stand together; a group
//! begins at each `g`, `s`, `l` and `r0`, and continues with `g1`, `s1`, `l1` and `r1` or any other number.

use super::chunks::Chunks;
use super::text::trimmed;
use crate::board::{GameResult, Position};
use crate::data::DataError;
use crate::data::count::Counts;
use crate::data::record::{Origin, Record};
use std::path::{Path, PathBuf};

/// How far a row may reach beyond the size of a chunk; a row takes some hundred bytes.
const LONGEST_REST: u64 = 1 << 12;

/// How the other kind of `.csv` begins, the labels of `enroc compare`.
const COMPARISON: &str = "# labels:";

/// What is wrong with a row that is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrokenRow {
    /// Not four or five fields, far too long, or not text.
    Fields,
    /// The FEN is no legal position.
    Position,
    /// The score cannot be read.
    Score,
    /// The best move is not legal.
    Move,
    /// An unknown origin.
    Origin,
    /// The result of a game cannot be read.
    Result,
}

impl BrokenRow {
    /// Every kind and its name, in the order of the counts.
    pub const NAMES: [&'static str; 6] = [
        "not four or five fields",
        "impossible position",
        "unreadable score",
        "illegal best move",
        "unknown origin",
        "unknown result",
    ];
}

/// Streams the records of one file in their order; broken rows are skipped and counted.
pub struct LabelledReader {
    path: PathBuf,
    chunks: Chunks<Rows>,
    broken: Counts<6>,
    /// The first row of a group was broken, so the next one takes its place.
    start_lost: bool,
}

impl LabelledReader {
    /// Opens a file, decompressing it on a thread of its own.
    ///
    /// # Errors
    /// [`DataError::Read`] if the file cannot be opened.
    pub fn open(path: &Path) -> Result<LabelledReader, DataError> {
        Ok(LabelledReader {
            path: path.to_path_buf(),
            chunks: Chunks::open(path, LONGEST_REST, read_chunk)?,
            broken: Counts::new(BrokenRow::NAMES),
            start_lost: false,
        })
    }

    /// The rows skipped so far, by kind.
    pub fn broken(&self) -> &Counts<6> {
        &self.broken
    }

    /// Appends the next records, some thousands; `false` at the end of the file.
    ///
    /// # Errors
    /// [`DataError::Read`] when the file cannot be read on, a damaged compressed stream included.
    pub fn read(&mut self, records: &mut Vec<Record>) -> Result<bool, DataError> {
        let rows = match self.chunks.next()? {
            Some(Rows::Labelled(rows)) => rows,
            Some(Rows::Comparison) => return Err(DataError::Comparison(self.path.clone())),
            None => return Ok(false),
        };
        for row in rows {
            match row {
                Row::Good(record) => {
                    let start = record.starts_group() || std::mem::take(&mut self.start_lost);
                    records.push(record.with_group_start(start));
                }
                Row::Broken { kind, start } => {
                    self.broken.add(kind as usize);
                    self.start_lost |= start;
                }
            }
        }
        Ok(true)
    }
}

/// What a chunk holds.
enum Rows {
    Labelled(Vec<Row>),
    /// It begins as a file of `enroc compare` does.
    Comparison,
}

fn read_chunk(chunk: &[u8]) -> Rows {
    if chunk.starts_with(COMPARISON.as_bytes()) {
        return Rows::Comparison;
    }
    Rows::Labelled(read_rows(chunk))
}

enum Row {
    Good(Record),
    Broken { kind: BrokenRow, start: bool },
}

fn read_rows(chunk: &[u8]) -> Vec<Row> {
    // no field needs quotes, and one stray quote would swallow every row up to the next
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .quoting(false)
        .from_reader(chunk);
    let mut row = csv::StringRecord::new();
    let mut rows = Vec::with_capacity(chunk.len() / 64);
    loop {
        match reader.read_record(&mut row) {
            Ok(false) => return rows,
            Ok(true) if row.get(0).map(unquoted) == Some("fen") => {}
            Ok(true) => rows.push(read_row(&row)),
            Err(_) => rows.push(Row::Broken {
                kind: BrokenRow::Fields,
                start: true,
            }),
        }
    }
}

fn read_row(row: &csv::StringRecord) -> Row {
    let start = !row.get(3).map(unquoted).is_some_and(goes_on);
    match read_record(row) {
        Ok(record) => Row::Good(record.with_group_start(start)),
        Err(kind) => Row::Broken { kind, start },
    }
}

/// A field without the quotes that some programs put around every one.
fn unquoted(field: &str) -> &str {
    let field = trimmed(field);
    field
        .strip_prefix('"')
        .and_then(|field| field.strip_suffix('"'))
        .unwrap_or(field)
}

/// Whether an origin is that of a row within a group.
fn goes_on(origin: &str) -> bool {
    let number = origin.strip_prefix(['g', 's', 'l', 'r']);
    number.is_some_and(|number| is_number(number) && number != "0")
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn read_record(row: &csv::StringRecord) -> Result<Record, BrokenRow> {
    let fields: Vec<&str> = row.iter().map(unquoted).collect();
    let (fen, score, best, origin, result) = match fields[..] {
        [fen, score, best, origin] => (fen, score, best, origin, ""),
        [fen, score, best, origin, result] => (fen, score, best, origin, result),
        _ => return Err(BrokenRow::Fields),
    };
    let position = Position::from_fen(fen).map_err(|_| BrokenRow::Position)?;
    let mut record = Record::new(&position)
        .with_origin(read_origin(origin).ok_or(BrokenRow::Origin)?)
        .with_result(read_result(result).ok_or(BrokenRow::Result)?);
    if !score.is_empty() {
        record = record.with_label(score.parse().map_err(|_| BrokenRow::Score)?);
    }
    if !best.is_empty() {
        record = record.with_best(position.parse_uci(best).map_err(|_| BrokenRow::Move)?);
    }
    Ok(record)
}

fn read_origin(text: &str) -> Option<Origin> {
    let origin = match text.as_bytes().first()? {
        b'l' => Origin::List,
        b'g' => Origin::Game,
        b's' => Origin::Sample,
        // self-play has always counted from 0
        b'r' if text.len() > 1 => Origin::Play,
        _ => return None,
    };
    (text.len() == 1 || is_number(&text[1..])).then_some(origin)
}

/// Without a result the field may also be empty.
fn read_result(text: &str) -> Option<GameResult> {
    match text {
        "" => Some(GameResult::Unknown),
        text => GameResult::from_pgn(text.as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Label;
    use lzma_rust2::{XzOptions, XzWriter};
    use std::io::Write;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const ITALIAN: &str = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";

    fn read(name: &str, bytes: &[u8]) -> (Vec<Record>, Counts<6>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let mut reader = LabelledReader::open(&path).unwrap();
        let mut records = Vec::new();
        while reader.read(&mut records).unwrap() {}
        (records, reader.broken().clone())
    }

    #[test]
    fn rows_become_records() {
        let text = format!("fen,score,bestmove,origin\n{START},30,e2e4,g\n{ITALIAN},#-2,e1g1,r3\n");
        let (records, broken) = read("rows.csv", text.as_bytes());
        assert_eq!(broken.total(), 0);
        let [start, italian] = records[..] else {
            panic!("two rows, {} records", records.len())
        };
        assert_eq!(start.position().unwrap(), Position::default());
        assert_eq!(start.label(), Some(Label::Centipawns(30)));
        assert_eq!(
            (start.origin(), start.result()),
            (Origin::Game, GameResult::Unknown)
        );
        assert!(start.starts_group() && !italian.starts_group());
        assert_eq!(italian.label(), Some(Label::Mate(-2)));
        assert!(italian.best().unwrap().is_castling());
    }

    #[test]
    fn broken_rows_are_counted_by_kind_and_skipped() {
        let rows = [
            format!("{START},30,e2e4,r0"),
            format!("{START},30,e2e5,r1"),
            "8/8/8/8/8/8/8/8 w - - 0 1,30,e2e4,g".to_string(),
            format!("{START},high,e2e4,g"),
            format!("{START},30,e2e4"),
            format!("{START},30,e2e4,q"),
            String::from_utf8_lossy(&[b'x'; 300]).into_owned(),
        ];
        let (records, broken) = read("rows.csv", rows.join("\n").as_bytes());
        assert_eq!(records.len(), 1);
        let counts = [0, 1, 2, 3, 4].map(|kind| broken.of(kind));
        assert_eq!(counts, [2, 1, 1, 1, 1]);
        assert_eq!(
            broken.to_string(),
            "6 (2 not four or five fields, 1 impossible position, 1 unreadable score, 1 illegal best move, 1 unknown origin)"
        );
    }

    #[test]
    fn fields_may_be_empty_and_a_result_may_follow() {
        let rows = [
            format!("{START},,,g,1-0"),
            format!("{START},5,,g1,"),
            format!("{START},,e2e4,l,1/2-1/2"),
            format!("{START},7,e2e4,s12,0-1"),
            format!("{START},7,e2e4,g,2-0"),
            format!("{START},7,e2e4,r"),
            format!("{START},7,e2e4,g,,"),
        ];
        let (records, broken) = read("rows.csv", rows.join("\n").as_bytes());
        let found: Vec<_> = records
            .iter()
            .map(|record| (record.score(), record.best().is_some(), record.starts_group()))
            .collect();
        assert_eq!(
            found,
            [
                (None, false, true),
                (Some(5), false, false),
                (None, true, true),
                (Some(7), true, false)
            ]
        );
        let results: Vec<_> = records.iter().map(Record::result).collect();
        assert_eq!(
            results,
            [
                GameResult::WhiteWins,
                GameResult::Unknown,
                GameResult::Draw,
                GameResult::BlackWins
            ]
        );
        assert_eq!([0, 4, 5].map(|kind| broken.of(kind)), [1, 1, 1]);
    }

    #[test]
    fn a_stray_quote_spoils_its_own_row_only() {
        let row = format!("{START},30,e2e4,s\n");
        let stray = format!("\"{START},30,e2e4,s\n");
        let quoted = format!("\"{START}\",\"30\",\"e2e4\",\"s\"\r\n");
        let blanks = format!("{START} , 30,e2e4 ,s \0\r\r\n");
        let text = format!("{row}{stray}{}{quoted}{blanks}", row.repeat(5_000));
        let (records, broken) = read("rows.csv", text.as_bytes());
        assert_eq!((records.len(), broken.total()), (5_003, 1));
    }

    #[test]
    fn labels_of_a_comparison_are_told_from_rows() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("labels.csv");
        std::fs::write(&path, "# labels: Stockfish at depth 9\nid,result,fen,moves\n").unwrap();
        let mut reader = LabelledReader::open(&path).unwrap();
        let error = reader.read(&mut Vec::new()).unwrap_err().to_string();
        assert!(error.contains("enroc compare"), "{error}");
    }

    #[test]
    fn rows_without_end_are_passed_over() {
        let row = format!("{START},30,e2e4,s\n");
        let endless = "x".repeat(1_000_000);
        let text = format!("{row}{endless}\n{row}{endless}");
        let (records, broken) = read("rows.csv", text.as_bytes());
        assert_eq!((records.len(), broken.of(0), broken.total()), (2, 2, 2));
    }

    #[test]
    fn a_broken_first_row_hands_its_place_to_the_next() {
        let rows =
            format!("{START},30,e2e4,r0\nnonsense,30,e2e4,r0\n{ITALIAN},1,d2d3,r1\n{ITALIAN},2,d2d3,r2\n");
        let (records, _) = read("rows.csv", rows.as_bytes());
        let starts: Vec<bool> = records.iter().map(Record::starts_group).collect();
        assert_eq!(starts, [true, true, false]);
    }

    #[test]
    fn compressed_files_keep_their_order_over_many_chunks() {
        let rows: String = (0..20_000)
            .map(|n| format!("{START},{},e2e4,s\n", n % 30_000))
            .collect();
        assert!(rows.len() > 1_000_000);
        let mut writer = XzWriter::new(Vec::new(), XzOptions::with_preset(1)).unwrap();
        writer.write_all(rows.as_bytes()).unwrap();
        let packed = writer.finish().unwrap();
        let (records, broken) = read("rows.csv.xz", &packed);
        let scores: Vec<i32> = records.iter().filter_map(|r| r.score().map(i32::from)).collect();
        assert_eq!(scores, (0..20_000).collect::<Vec<i32>>());
        assert_eq!(broken.total(), 0);

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cut.csv.xz");
        std::fs::write(&path, &packed[..packed.len() / 2]).unwrap();
        let read_all = || -> Result<(), DataError> {
            let (mut reader, mut records) = (LabelledReader::open(&path)?, Vec::new());
            while reader.read(&mut records)? {}
            Ok(())
        };
        let error = read_all().expect_err("a cut stream must not look complete");
        assert!(error.to_string().starts_with("cannot read"), "{error}");
    }
}
