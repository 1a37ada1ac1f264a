//! Writing positions for other programs: the rows that `enroc data import` reads, the text format of the trainer bullet,
//! or games in viriformat.

use super::export_report::{ExportReport, LeftOut};
use super::source::GroupSource;
use super::viriformat::write_games;
use crate::board::GameResult;
use crate::data::DataError;
use crate::data::record::{Origin, Record};
use crate::support::whole_file;
use rayon::prelude::*;
use std::io::{self, Write};
use std::path::Path;

/// The columns of the rows.
const COLUMNS: [&str; 5] = ["fen", "score", "bestmove", "origin", "result"];

/// Bytes that are enough for most rows.
const ROW_BYTES: usize = 256;

/// Records that are gathered, as whole groups, before they are written.
const AT_ONCE: usize = 1 << 14;

/// What is written of each record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `fen,score,bestmove,origin,result`, with everything that a record holds.
    Rows,
    /// `FEN | score | result`: the score in centipawns and the result 1.0, 0.5 or 0.0, both for White. Records of
    /// unknown result are written as draws with `unknown_as_draw`, and left out without it.
    Bullet {
        /// For trainings that go by the scores alone.
        unknown_as_draw: bool,
    },
    /// Games of which label, best move and result of every position are known; see [`write_games`].
    Viriformat,
}

/// Writes the groups of a source into a file, which appears under its name when it is whole. `progress` is called with
/// the number of records that are dealt with.
///
/// # Errors
/// As the source, and [`DataError::Write`] if the disk fails; an old file is then still there.
pub fn export(
    source: &mut dyn GroupSource,
    path: &Path,
    format: Format,
    progress: &mut dyn FnMut(u64),
) -> Result<ExportReport, DataError> {
    let mut report = ExportReport::default();
    let mut unread = None;
    let written = whole_file::write(path, |file| {
        if format == Format::Rows {
            let mut rows = csv::Writer::from_writer(&mut *file);
            rows.write_record(COLUMNS)?;
            rows.flush()?;
        }
        let (mut records, mut group) = (Vec::new(), Vec::new());
        loop {
            let more = source.next_group(&mut group).map_err(|error| {
                unread = Some(error);
                io::Error::from(io::ErrorKind::InvalidData)
            })?;
            records.extend(group.iter().copied().enumerate());
            if !more || records.len() >= AT_ONCE {
                write_records(&records, format, file, &mut report)?;
                progress(report.written + report.left_out.total());
                records.clear();
            }
            if !more {
                return Ok(());
            }
        }
    });
    match (unread, written) {
        (Some(error), _) => Err(error),
        (None, written) => written
            .map(|()| report)
            .map_err(|error| DataError::write(path, error)),
    }
}

/// Writes records, each with its place in its group.
fn write_records(
    records: &[(usize, Record)],
    format: Format,
    file: &mut dyn Write,
    report: &mut ExportReport,
) -> io::Result<()> {
    let groups = records
        .par_chunk_by(|_, (place, _)| *place > 0)
        .map(|group| encode(group, format))
        .collect::<io::Result<Vec<_>>>()?;
    for (bytes, part) in groups {
        file.write_all(&bytes)?;
        report.add(&part);
    }
    Ok(())
}

/// The bytes of a group, and what became of its records.
fn encode(group: &[(usize, Record)], format: Format) -> io::Result<(Vec<u8>, ExportReport)> {
    let (mut bytes, mut report) = (Vec::new(), ExportReport::default());
    match format {
        Format::Rows => {
            let mut rows = csv::WriterBuilder::new()
                .buffer_capacity(ROW_BYTES)
                .from_writer(&mut bytes);
            let write = |fields: [String; COLUMNS.len()]| Ok(rows.write_record(fields)?);
            write_each(group, row, write, &mut report)?;
            rows.flush()?;
        }
        Format::Bullet { unknown_as_draw } => {
            let line = |record: &Record, _| bullet(record, unknown_as_draw);
            let write = |line: String| bytes.write_all(line.as_bytes());
            write_each(group, line, write, &mut report)?;
        }
        Format::Viriformat => {
            write_games(group.iter().map(|(_, record)| record), &mut bytes, &mut report);
        }
    }
    Ok((bytes, report))
}

/// Writes the text of each record of a group that has one, and counts.
fn write_each<T>(
    group: &[(usize, Record)],
    to_text: impl Fn(&Record, usize) -> Result<T, LeftOut>,
    mut write: impl FnMut(T) -> io::Result<()>,
    report: &mut ExportReport,
) -> io::Result<()> {
    for (place, record) in group {
        match to_text(record, *place) {
            Ok(text) => {
                write(text)?;
                report.written += 1;
            }
            Err(reason) => report.left_out.add(reason as usize),
        }
    }
    Ok(())
}

/// The fields of a record under [`COLUMNS`].
fn row(record: &Record, place: usize) -> Result<[String; COLUMNS.len()], LeftOut> {
    let position = record.position().map_err(|_| LeftOut::Position)?;
    let chess960 = position.needs_chess960();
    let origin = match (record.origin(), place) {
        (Origin::Play, place) => format!("r{place}"),
        (origin, 0) => letter(origin).to_string(),
        (origin, place) => format!("{}{place}", letter(origin)),
    };
    let result = match record.result() {
        GameResult::Unknown => "",
        known => known.to_pgn(),
    };
    Ok([
        position.to_fen(chess960),
        record.label().map_or(String::new(), |label| label.to_string()),
        record.best().map_or(String::new(), |best| best.to_uci(chess960)),
        origin,
        result.to_string(),
    ])
}

fn letter(origin: Origin) -> char {
    match origin {
        Origin::List => 'l',
        Origin::Game => 'g',
        Origin::Play => 'r',
        Origin::Sample => 's',
    }
}

fn bullet(record: &Record, unknown_as_draw: bool) -> Result<String, LeftOut> {
    let score = record.score().ok_or(LeftOut::Unlabelled)?;
    let result = match record.result() {
        GameResult::WhiteWins => "1.0",
        GameResult::Draw => "0.5",
        GameResult::BlackWins => "0.0",
        GameResult::Unknown if unknown_as_draw => "0.5",
        GameResult::Unknown => return Err(LeftOut::Result),
    };
    let position = record.position().map_err(|_| LeftOut::Position)?;
    let fen = position.to_fen(position.needs_chess960());
    Ok(format!("{fen} | {score} | {result}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::data::Label;
    use crate::data::formats::games::GameSettings;
    use crate::data::formats::source::Groups;
    use std::fs;

    /// Groups of one to four records of every origin and result, in Chess960 too; some without label or move.
    fn records() -> Vec<Record> {
        let mut records = Vec::new();
        for (game, fen) in [
            Position::START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 7 12",
            "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 30",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        ]
        .into_iter()
        .enumerate()
        {
            let mut position = Position::from_fen(fen).unwrap();
            for n in 0..40 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let best = moves[(n * 7 + game) % moves.len()];
                let mut record = Record::new(&position)
                    .with_origin(Origin::ALL[(n + game) % 4])
                    .with_result(GameResult::ALL[n / 2 % 4])
                    .with_group_start(n == 0 || n % 4 == game % 4);
                if n % 5 != 4 {
                    let mate = Label::mate(n as i32 - 20).filter(|_| n % 9 == 0);
                    record = record.with_label(mate.unwrap_or(Label::centipawns(n as i32 * 60 - 900)));
                }
                if n % 7 != 6 {
                    record = record.with_best(best);
                }
                records.push(record);
                position.make(best);
            }
        }
        records
    }

    /// A source that gives records as they are.
    struct Given(Vec<Record>);

    impl GroupSource for Given {
        fn next_group(&mut self, group: &mut Vec<Record>) -> Result<bool, DataError> {
            group.clear();
            let length = self.0.iter().skip(1).position(Record::starts_group);
            let length = length.map_or(self.0.len(), |place| place + 1);
            group.extend(self.0.drain(..length));
            Ok(!group.is_empty())
        }

        fn skipped(&self) -> &[String] {
            &[]
        }
    }

    /// The records, exported under a name and read again.
    fn there_and_back(name: &str, format: Format) -> (ExportReport, Vec<Record>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        let mut seen = 0;
        let report = export(&mut Given(records()), &path, format, &mut |n| seen = n).unwrap();
        assert_eq!(seen, report.written + report.left_out.total());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let mut groups = Groups::new(vec![path], GameSettings::default());
        let (mut group, mut back) = (Vec::new(), Vec::new());
        while groups.next_group(&mut group).unwrap() {
            back.append(&mut group);
        }
        assert!(groups.skipped().is_empty(), "{:?}", groups.skipped());
        (report, back)
    }

    #[test]
    fn rows_give_the_same_records_back() {
        let (report, back) = there_and_back("rows.csv", Format::Rows);
        assert_eq!(report.left_out.total(), 0);
        assert_eq!(back, records());
        assert!(back.len() > 100 && back.iter().filter(|record| record.starts_group()).count() > 20);
    }

    #[test]
    fn bullet_keeps_position_score_and_result() {
        let known = |record: &Record, all: bool| {
            record.score().is_some() && (all || record.result() != GameResult::Unknown)
        };
        for all in [false, true] {
            let format = Format::Bullet { unknown_as_draw: all };
            let (report, back) = there_and_back("list.txt", format);
            let expected: Vec<_> = records()
                .into_iter()
                .filter(|record| known(record, all))
                .collect();
            assert_eq!(report.written as usize, expected.len());
            assert_eq!(report.left_out.total() as usize, records().len() - expected.len());
            assert_eq!(report.left_out.of(LeftOut::Result as usize) == 0, all);
            assert_eq!(back.len(), expected.len());
            for (found, wanted) in back.iter().zip(&expected) {
                assert_eq!(found.fen(), wanted.fen());
                assert_eq!(found.label(), wanted.label());
                match wanted.result() {
                    GameResult::Unknown => assert_eq!(found.result(), GameResult::Draw),
                    result => assert_eq!(found.result(), result),
                }
            }
        }
    }

    #[test]
    fn a_source_that_cannot_be_read_on_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.csv");
        fs::write(&path, "old").unwrap();
        let mut source = Groups::new(vec![folder.path().join("gone.csv")], GameSettings::default());
        let error = export(&mut source, &path, Format::Rows, &mut |_| {}).unwrap_err();
        assert!(error.to_string().contains("gone.csv"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
