//! Anything that positions can be read from, as one stream of groups.

use super::evaluations::EvaluationReader;
use super::games::{GameReader, GameSettings};
use super::labelled::LabelledReader;
use super::list::ListReader;
use super::text;
use super::viriformat::ViriformatReader;
use crate::data::DataError;
use crate::data::record::{Hint, Record};
use crate::data::store::shard::{FolderReader, SHARD_RECORDS};
use std::path::{Path, PathBuf};

/// The most positions that a group may have: no more fit into a shard.
const LONGEST_GROUP: usize = SHARD_RECORDS as usize;

/// A file or folder of positions, told by its name.
pub enum SourceReader {
    /// A folder of shards.
    Shards(FolderReader),
    /// Labelled rows: `.csv`.
    Labelled(LabelledReader),
    /// Games: `.pgn`.
    Games(Box<GameReader>),
    /// Positions, one a line: `.fen`, `.epd`, `.txt`.
    List(ListReader),
    /// Whole games in binary: `.vf`.
    Viriformat(ViriformatReader),
    /// Lichess's evaluations: `.jsonl`.
    Evaluations(EvaluationReader),
}

impl SourceReader {
    /// Opens a folder of shards or a file of any kind, which may be compressed (`.xz`, `.gz`, `.bz2`, `.zst`).
    ///
    /// # Errors
    /// [`DataError::Kind`] for a name with an unknown ending, [`DataError::Read`] if it cannot be opened.
    pub fn open(path: &Path, games: GameSettings) -> Result<SourceReader, DataError> {
        if path.is_dir() {
            return Ok(SourceReader::Shards(FolderReader::open(path)?));
        }
        match text::kind(path).as_str() {
            "csv" => Ok(SourceReader::Labelled(LabelledReader::open(path)?)),
            "pgn" => Ok(SourceReader::Games(Box::new(GameReader::open(path, games)?))),
            "fen" | "epd" | "txt" => Ok(SourceReader::List(ListReader::open(path)?)),
            "jsonl" => Ok(SourceReader::Evaluations(EvaluationReader::open(path)?)),
            "vf" => Ok(SourceReader::Viriformat(ViriformatReader::open(path)?)),
            _ => Err(DataError::Kind(path.to_path_buf())),
        }
    }

    /// Appends the next records in their order; `false`, and no record, at the end.
    ///
    /// # Errors
    /// As the reader of this kind of source.
    pub fn read(&mut self, records: &mut Vec<Record>) -> Result<bool, DataError> {
        self.read_with_hints(records, &mut Vec::new())
    }

    /// The same as [`SourceReader::read`], with a hint for every record where the source has hints.
    ///
    /// # Errors
    /// As the reader of this kind of source.
    pub fn read_with_hints(
        &mut self,
        records: &mut Vec<Record>,
        hints: &mut Vec<Hint>,
    ) -> Result<bool, DataError> {
        match self {
            SourceReader::Shards(reader) if reader.has_hints() => reader.read(records, hints),
            SourceReader::Shards(reader) => reader.read(records, &mut Vec::new()),
            SourceReader::Labelled(reader) => reader.read(records),
            SourceReader::Games(reader) => reader.read(records),
            SourceReader::List(reader) => reader.read(records),
            SourceReader::Viriformat(reader) => reader.read(records),
            SourceReader::Evaluations(reader) => reader.read(records),
        }
    }

    /// What was skipped so far, a line each; nothing if nothing was.
    pub fn skipped(&self) -> Vec<String> {
        let skipped = match self {
            SourceReader::Shards(_) => None,
            SourceReader::Games(reader) => return reader.losses().lines(),
            SourceReader::Labelled(reader) => reader.broken().skipped("rows"),
            SourceReader::List(reader) => reader.broken().skipped("lines"),
            SourceReader::Evaluations(reader) => reader.broken().skipped("lines"),
            SourceReader::Viriformat(reader) => reader.broken().skipped("games"),
        };
        skipped.into_iter().collect()
    }
}

/// A stream of groups.
pub trait GroupSource {
    /// Replaces `group` by the next group; `false` at the end.
    ///
    /// # Errors
    /// [`DataError`] when there should be more but it cannot be read.
    fn next_group(&mut self, group: &mut Vec<Record>) -> Result<bool, DataError>;

    /// The hints of the last group, as many as it has records; empty if its source has none.
    fn hints(&self) -> &[Hint] {
        &[]
    }

    /// What was skipped in the files that are read to their ends, a line each.
    fn skipped(&self) -> &[String];
}

/// The groups of several sources, one after the other.
pub struct Groups {
    paths: std::vec::IntoIter<PathBuf>,
    games: GameSettings,
    current: Option<(PathBuf, SourceReader)>,
    buffer: Vec<Record>,
    /// The hints of the buffer's records, or nothing: a buffer is of one source.
    buffer_hints: Vec<Hint>,
    /// Where the next group begins in the buffer.
    next: usize,
    /// The hints of the last group.
    hints: Vec<Hint>,
    skipped: Vec<String>,
    /// The most records that a group may have.
    longest: usize,
}

impl Groups {
    /// Will open the sources one by one.
    pub fn new(paths: Vec<PathBuf>, games: GameSettings) -> Groups {
        Groups {
            paths: paths.into_iter(),
            games,
            current: None,
            buffer: Vec::new(),
            buffer_hints: Vec::new(),
            next: 0,
            hints: Vec::new(),
            skipped: Vec::new(),
            longest: LONGEST_GROUP,
        }
    }

    /// Reads more of the current source; `false` at its end.
    fn read_on(&mut self) -> Result<bool, DataError> {
        let Some((path, source)) = &mut self.current else {
            return Ok(false);
        };
        // the buffer holds the beginning of one group
        if self.buffer.len() > self.longest {
            let (path, longest) = (path.clone(), self.longest);
            return Err(DataError::EndlessGroup { path, longest });
        }
        if source.read_with_hints(&mut self.buffer, &mut self.buffer_hints)? {
            return Ok(true);
        }
        let lines = source.skipped().into_iter();
        self.skipped
            .extend(lines.map(|words| format!("{}: {words}", path.display())));
        self.current = None;
        Ok(false)
    }

    fn open_next(&mut self) -> Result<bool, DataError> {
        let Some(path) = self.paths.next() else {
            return Ok(false);
        };
        let source = SourceReader::open(&path, self.games)?;
        self.current = Some((path, source));
        Ok(true)
    }
}

impl GroupSource for Groups {
    fn next_group(&mut self, group: &mut Vec<Record>) -> Result<bool, DataError> {
        group.clear();
        self.hints.clear();
        loop {
            let rest = &self.buffer[self.next..];
            let length = rest
                .iter()
                .skip(1)
                .position(Record::starts_group)
                .map(|place| place + 1);
            if let Some(length) = length {
                group.extend_from_slice(&rest[..length]);
                if !self.buffer_hints.is_empty() {
                    self.hints
                        .extend_from_slice(&self.buffer_hints[self.next..][..length]);
                }
                self.next += length;
                return Ok(true);
            }
            self.buffer.drain(..self.next);
            self.buffer_hints.drain(..self.next.min(self.buffer_hints.len()));
            self.next = 0;
            if !self.read_on()? {
                group.append(&mut self.buffer);
                self.hints.append(&mut self.buffer_hints);
                if !group.is_empty() {
                    return Ok(true);
                }
                if !self.open_next()? {
                    return Ok(false);
                }
            }
        }
    }

    fn hints(&self) -> &[Hint] {
        &self.hints
    }

    fn skipped(&self) -> &[String] {
        &self.skipped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_without_end_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.csv");
        let rows: String = (0..30_000)
            .map(|n| format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1,1,e2e4,r{n}\n"))
            .collect();
        std::fs::write(&path, rows).unwrap();
        let mut groups = Groups::new(vec![path], GameSettings::default());
        groups.longest = 10_000;
        let error = groups.next_group(&mut Vec::new()).unwrap_err().to_string();
        assert!(error.contains("rows.csv") && error.contains("10000"), "{error}");
        assert!(!error.contains('\n') && groups.buffer.len() <= 30_000);
    }

    #[test]
    fn sources_of_every_kind_follow_one_another_group_by_group() {
        let folder = tempfile::tempdir().unwrap();
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let files = [
            ("a.fen", format!("{fen}\n{fen}\nbroken\n")),
            (
                "b.csv",
                format!("{fen},1,e2e4,r0\n{fen},1,e2e4,r1\n{fen},1,e2e4,r0\n"),
            ),
            ("empty.epd", String::new()),
            ("c.pgn", "1. e4 e5 2. Nf3 *\n1. d4 d5 *\n".to_string()),
        ];
        let mut paths = Vec::new();
        for (name, text) in &files {
            paths.push(folder.path().join(name));
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let games = GameSettings {
            skip_plies: 1,
            ..GameSettings::default()
        };
        let mut groups = Groups::new(paths, games);
        let (mut group, mut lengths) = (Vec::new(), Vec::new());
        while groups.next_group(&mut group).unwrap() {
            assert!(group[0].starts_group() && !group[1..].iter().any(Record::starts_group));
            lengths.push(group.len());
        }
        assert_eq!(lengths, [1, 1, 2, 1, 3, 2]);
        assert_eq!(groups.skipped().len(), 1);
        assert!(groups.skipped()[0].ends_with("a.fen: lines skipped: 1 (1 impossible position)"));
    }
}
