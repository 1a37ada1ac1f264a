//! Runs that are cut off anywhere, and folders that do not fit.

use super::*;
use crate::board::Position;
use crate::data::Label;
use crate::data::formats::games::GameSettings;
use crate::data::formats::source::{GroupSource, Groups};
use crate::data::store::check::check;
use crate::data::store::folder::discard;
use serde_json::json;

/// The record that is number `n` of all.
fn record(n: u64) -> Record {
    Record::new(&Position::default()).with_label(Label::centipawns(n as i32))
}

/// Groups of 1, 2, 3, 1, 2, 3 … records, and every seventh empty.
fn group(n: u64, next: &mut u64) -> Vec<Record> {
    let length = if n % 7 == 6 { 0 } else { n % 3 + 1 };
    *next += length;
    (*next - length..*next).map(record).collect()
}

fn open(folder: &Path) -> Box<ShardWriter> {
    match ShardWriter::open(folder, &json!({"job": 1}), 50).unwrap() {
        Opened::Ready(writer) => writer,
        Opened::Complete(_) => panic!("not complete"),
    }
}

/// Appends the groups up to `end`, from where the writer stands.
fn append(writer: &mut ShardWriter, end: u64) {
    let mut next = 0;
    for n in 0..end {
        let group = group(n, &mut next);
        if n >= writer.groups() {
            writer.append(&group).unwrap();
        }
    }
}

fn read_back(folder: &Path) -> Vec<u64> {
    let mut groups = Groups::new(vec![folder.to_path_buf()], GameSettings::default());
    let (mut group, mut numbers) = (Vec::new(), Vec::new());
    while groups.next_group(&mut group).unwrap() {
        assert!(group.len() <= 3 && group[0].starts_group());
        numbers.extend(group.iter().map(|record| record.score().unwrap() as u64));
    }
    numbers
}

#[test]
fn groups_fill_shards_and_come_back_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = open(folder.path());
    append(&mut writer, 100);
    let index = writer.finish(vec!["done".to_string()]).unwrap();
    assert!(index.complete && index.shards.len() >= 3);
    assert!(
        index
            .shards
            .iter()
            .all(|shard| (40..=50).contains(&shard.records) || shard == index.shards.last().unwrap())
    );
    assert_eq!(
        read_back(folder.path()),
        (0..index.records()).collect::<Vec<u64>>()
    );
    assert!(!folder.path().join(JOURNAL).exists() && !folder.path().join(whole_file::LOCK).exists());
    let again = ShardWriter::open(folder.path(), &json!({"job": 1}), 50).unwrap();
    assert!(matches!(again, Opened::Complete(done) if done == index));
    let other = ShardWriter::open(folder.path(), &json!({"job": 2}), 50);
    assert!(matches!(other, Err(DataError::OtherJob(_))));
}

#[test]
fn a_run_cut_off_at_any_byte_goes_on_without_loss_or_double() {
    let whole = tempfile::tempdir().unwrap();
    let mut writer = open(whole.path());
    append(&mut writer, 60);
    let records = writer.finish(Vec::new()).unwrap().records();
    for cut in (0..).step_by(97) {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = open(folder.path());
        for stop in [20, 33, 45] {
            append(&mut writer, stop);
            writer.flush().unwrap();
        }
        // what the kill leaves: the journal up to some byte, and records that never reached it
        append(&mut writer, 47);
        drop(writer);
        let path = folder.path().join(JOURNAL);
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len().min(cut)]).unwrap();
        let mut writer = open(folder.path());
        append(&mut writer, 60);
        assert_eq!(writer.finish(Vec::new()).unwrap().records(), records);
        assert_eq!(read_back(folder.path()), (0..records).collect::<Vec<u64>>());
        if cut > bytes.len() {
            return;
        }
    }
}

#[test]
fn a_few_records_that_have_waited_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = open(folder.path());
    append(&mut writer, 5);
    writer.block_since -= BLOCK_AGE;
    writer.flush_if_old().unwrap();
    // a kill does not flush
    drop(writer);
    assert_eq!(open(folder.path()).groups(), 5);
}

/// Every record has a hint with its number.
fn append_hinted(writer: &mut ShardWriter, end: u64) {
    let mut next = 0;
    for n in 0..end {
        let first = next as i16;
        let group = group(n, &mut next);
        if n >= writer.groups() {
            let hints: Vec<Hint> = (first..next as i16).map(|n| [n; 16]).collect();
            writer.append_with_hints(&group, &hints).unwrap();
        }
    }
}

#[test]
fn hints_survive_a_run_cut_off_at_any_byte() {
    for cut in (0..7_000).step_by(353) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(JOURNAL);
        let open = |job: &str| ShardWriter::open_with_hints(folder.path(), &job, 50).unwrap();
        let Opened::Ready(mut writer) = open("hinted") else {
            panic!("complete already");
        };
        for stop in [20, 33, 45, 50] {
            append_hinted(&mut writer, stop);
            writer.flush().unwrap();
        }
        drop(writer);
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len().min(cut)]).unwrap();
        let reopened = ShardWriter::reopen(folder.path()).unwrap();
        assert!(matches!(&reopened, Opened::Ready(writer) if writer.has_hints()));
        drop(reopened);
        let Opened::Ready(mut writer) = open("hinted") else {
            panic!("complete already");
        };
        append_hinted(&mut writer, 80);
        let index = writer.finish(Vec::new()).unwrap();
        assert!(index.hints && index.shards.len() > 2);
        let mut groups = Groups::new(vec![folder.path().to_path_buf()], GameSettings::default());
        let (mut group, mut next) = (Vec::new(), 0);
        while groups.next_group(&mut group).unwrap() {
            assert_eq!(group.len(), groups.hints().len());
            for (record, hint) in group.iter().zip(groups.hints()) {
                assert_eq!((record.score(), *hint), (Some(next), [next; 16]));
                next += 1;
            }
        }
        assert_eq!(next as u64, index.records());
        let report = check(folder.path()).unwrap();
        assert_eq!((report.hints, report.faults), (index.records(), 0));
        // a run without hints may not go on here, and nothing stays behind
        let bare = ShardWriter::open(folder.path(), &"hinted", 50);
        assert!(matches!(bare, Err(DataError::OtherJob(_))));
        discard(folder.path()).unwrap();
        let left = fs::read_dir(folder.path()).unwrap();
        assert!(
            left.into_iter()
                .all(|file| file.unwrap().file_name() == whole_file::LOCK)
        );
    }
}

#[test]
fn damaged_hints_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let Opened::Ready(mut writer) = ShardWriter::open_with_hints(folder.path(), &1, 50).unwrap() else {
        panic!("complete already");
    };
    append_hinted(&mut writer, 10);
    writer.append(&[record(1)]).unwrap();
    let records = writer.finish(Vec::new()).unwrap().records();
    assert_eq!(check(folder.path()).unwrap().hints, records - 1);
    let path = folder.path().join("shard-00000.hints");
    let mut bytes = fs::read(&path).unwrap();
    bytes[40] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let report = check(folder.path()).unwrap();
    assert!(report.described[0].contains("hints"), "{:?}", report.described);
    fs::write(&path, &bytes[..bytes.len() - 32]).unwrap();
    assert_eq!(check(folder.path()).unwrap().faults, 1);
}

#[test]
fn a_kill_between_shard_index_and_journal_does_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(JOURNAL);
    let mut writer = open(folder.path());
    append(&mut writer, 20);
    writer.flush().unwrap();
    let (journal, index) = (fs::read(&path).unwrap(), Index::read(folder.path()).unwrap());
    writer.close_shard().unwrap();
    drop(writer);
    // the index has the shard, the journal is still the old one
    fs::write(&path, &journal).unwrap();
    assert_eq!(open(folder.path()).groups(), 20);
    // the shard is there, the index does not know it
    fs::write(&path, &journal).unwrap();
    index.write(folder.path()).unwrap();
    let mut writer = open(folder.path());
    assert_eq!(writer.groups(), 20);
    append(&mut writer, 60);
    let records = writer.finish(Vec::new()).unwrap().records();
    assert_eq!(read_back(folder.path()), (0..records).collect::<Vec<u64>>());
}

#[test]
fn two_runs_never_write_one_folder() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = open(folder.path());
    append(&mut writer, 20);
    let second = ShardWriter::open(folder.path(), &json!({"job": 1}), 50);
    let error = second.err().expect("the folder is taken").to_string();
    assert!(error.starts_with("another run is writing ") && !error.contains('\n'));
    assert!(matches!(
        ShardWriter::reopen(folder.path()),
        Err(DataError::Busy(_))
    ));
    drop(writer);
    let mut writer = open(folder.path());
    append(&mut writer, 40);
    let records = writer.finish(Vec::new()).unwrap().records();
    assert_eq!(read_back(folder.path()), (0..records).collect::<Vec<u64>>());
}

#[test]
fn a_journal_that_lost_records_becomes_no_shard() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(JOURNAL);
    let mut writer = open(folder.path());
    for stop in [10, 20] {
        append(&mut writer, stop);
        writer.flush().unwrap();
    }
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, bytes).unwrap();
    let error = writer.close_shard().unwrap_err().to_string();
    assert!(
        error.contains("shard-00000.bin") && error.contains("promised"),
        "{error}"
    );
    drop(writer);
    assert!(!folder.path().join("shard-00000.bin").exists());
    // what is whole is still there, and the rest is made again
    let mut writer = open(folder.path());
    assert_eq!(writer.groups(), 10);
    append(&mut writer, 60);
    let records = writer.finish(Vec::new()).unwrap().records();
    assert_eq!(read_back(folder.path()), (0..records).collect::<Vec<u64>>());
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let group: Vec<Record> = (0..51).map(record).collect();
    let error = open(folder.path()).append(&group).unwrap_err();
    assert!(matches!(error, DataError::LongGroup(51, 50)));
}

#[test]
fn a_discarded_run_leaves_room_for_another() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let open = |job: &str, shard_records| match ShardWriter::open(path, &job, shard_records).unwrap() {
        Opened::Ready(writer) => writer,
        Opened::Complete(_) => panic!("complete already"),
    };
    discard(path).unwrap();
    let mut writer = open("one", 2);
    for _ in 0..5 {
        writer.append(&[Record::new(&Position::default())]).unwrap();
    }
    assert!(path.join("shard-00000.bin").exists());
    assert!(matches!(discard(path), Err(DataError::Busy(_))));
    drop(writer);
    fs::write(path.join("notes.txt"), "mine").unwrap();
    discard(path).unwrap();
    let names = fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    assert!(
        names
            .into_iter()
            .all(|name| name == "notes.txt" || name == whole_file::LOCK)
    );
    assert!(path.join("notes.txt").exists());
    assert_eq!(open("two", SHARD_RECORDS).groups(), 0);
}
