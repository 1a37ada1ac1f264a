//! Folders of shards: index, shards, and the journal of a run that was cut off.

use crate::board::FENS;
use crate::data::{check_records, game_from, read};
use crate::mutation::{Input, Mutations};
use crate::target::fuzz;
use enroc::board::Position;
use enroc::data::store::check::check as check_folder;
use enroc::data::store::folder::discard;
use enroc::data::store::shard::INDEX;
use enroc::data::store::writer::{Opened, ShardWriter};
use enroc::data::{DataError, Filter, FilterSettings, Hint, Record};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The files of a folder: their names and contents.
type Files = Vec<(String, Vec<u8>)>;

/// A file outside the folder, which no index may lead to.
const OUTSIDE: &str = "outside.shard";

/// A folder whose run has ended, or was cut off with a journal behind it, with hints or without.
fn files(finished: bool, hinted: bool) -> Files {
    let folder = tempfile::tempdir().expect("a folder");
    let opened = match hinted {
        true => ShardWriter::open_with_hints(folder.path(), &"a job", 40),
        false => ShardWriter::open(folder.path(), &"a job", 40),
    };
    let Opened::Ready(mut writer) = opened.expect("a folder") else {
        panic!("the folder is new");
    };
    for fen in &FENS[..3] {
        let group = game_from(Position::from_fen(fen).expect("a position"));
        let hints: Vec<Hint> = (0..group.len()).map(|n| [n as i16; 16]).collect();
        writer
            .append_with_hints(&group, &hints)
            .expect("room on the disk");
        writer.flush().expect("room on the disk");
    }
    match finished {
        true => drop(writer.finish(vec!["a note".to_string()])),
        false => drop(writer),
    }
    let mut files: Files = Vec::new();
    for entry in fs::read_dir(folder.path()).expect("the folder") {
        let path = entry.expect("a file").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        files.push((name, fs::read(&path).expect("the file")));
    }
    files.retain(|file| !file.1.is_empty());
    files.sort();
    files
}

/// Either folder gives records or one line that says what is wrong; it is checked, continued and discarded, and whatever
/// lies outside of it stays as it is.
#[test]
fn shards() {
    let folders = [(true, false), (false, false), (true, true), (false, true)]
        .map(|(finished, hinted)| files(finished, hinted));
    let (mut seeds, mut places) = (Vec::new(), Vec::new());
    for (number, files) in folders.iter().enumerate() {
        for (place, file) in files.iter().enumerate() {
            seeds.push(file.1.clone());
            places.push((number, place));
        }
    }
    let words = &[
        "\"../outside.shard\"",
        "/",
        "../",
        "\"file\":",
        "null",
        "[",
        "{",
        "true",
        "\"records\":",
        "\"hints\":",
    ];
    fuzz("shards", 500, Mutations::of_files(seeds, words), |input| {
        let (number, place) = places[input.seed];
        Room::new(&folders[number], place, input).check()
    });
}

/// A folder with one damaged file.
struct Room {
    parent: TempDir,
    /// Whether it is the index that was damaged.
    index: bool,
    journal: bool,
}

impl Room {
    fn new(files: &Files, damaged: usize, input: &Input) -> Room {
        let parent = tempfile::tempdir().expect("a folder");
        let folder = parent.path().join("shards");
        fs::create_dir(&folder).expect("a folder");
        for (place, (name, bytes)) in files.iter().enumerate() {
            let bytes = if place == damaged { &input.bytes } else { bytes };
            fs::write(folder.join(name), bytes).expect("a file");
        }
        fs::write(parent.path().join(OUTSIDE), b"mine").expect("a file");
        let name = &files[damaged].0;
        Room {
            parent,
            index: name == INDEX,
            journal: name.ends_with(".part"),
        }
    }

    fn folder(&self) -> PathBuf {
        self.parent.path().join("shards")
    }

    /// Whether it gives records.
    fn check(&self) -> bool {
        let folder = self.folder();
        let report = clean(check_folder(&folder));
        let records = clean(read(&folder));
        if let Some(records) = &records {
            look_at(records);
            if report.is_some_and(|report| report.faults == 0) {
                check_records(records);
            }
        }
        self.go_on(&folder);
        clean(discard(&folder));
        let outside = fs::read(self.parent.path().join(OUTSIDE)).expect("the file outside");
        assert_eq!(outside, b"mine");
        records.is_some()
    }

    /// Continues the run and ends it. What is left of a damaged journal is whole.
    fn go_on(&self, folder: &Path) {
        let Some(Opened::Ready(mut writer)) = clean(ShardWriter::reopen(folder)) else {
            return;
        };
        let group = game_from(Position::default());
        let ended = writer.append(&group).and_then(|()| writer.finish(Vec::new()));
        if clean(ended).is_some() && self.journal && !self.index {
            let report = clean(check_folder(folder)).expect("an index");
            assert_eq!(report.described, Vec::<String>::new());
            check_records(&read(folder).expect("records"));
        }
    }
}

/// The value, or nothing after an error of one line.
fn clean<T>(result: Result<T, DataError>) -> Option<T> {
    result
        .map_err(|error| {
            let line = error.to_string();
            assert!(!line.contains('\n'), "{line}");
        })
        .ok()
}

/// Everything that is asked of a record before anybody has checked it.
fn look_at(records: &[Record]) {
    let mut filter = Filter::new(FilterSettings::default());
    for record in records {
        filter.keep(record);
        let _ = (
            record.check(),
            record.best(),
            record.castling(),
            record.en_passant(),
        );
        let _ = (record.label(), record.result(), record.origin(), record.hash());
        let _ = record.mirrored().map(|mirrored| mirrored.flipped().fen());
        let _ = record.flipped().fen();
    }
}
