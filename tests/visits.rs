//! Positions from inside searches: the same whatever the number of threads, and after a run that was cut off.

#[path = "common/groups.rs"]
mod groups;

use enroc::data::Record;
use enroc::data::store::writer::{Opened, ShardWriter};
use enroc::visits::{Drawing, VisitSettings, visit};
use groups::{groups, read};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

const SETTINGS: VisitSettings = VisitSettings {
    share: 0.5,
    most_start: Some(900),
    nodes: 300,
    drawing: Drawing {
        one_in: 4,
        thin: None,
    },
    part: None,
    seed: 3,
};

/// Starts that differ by a pawn's square and who is to move.
fn write_starts(path: &Path, count: usize) {
    let rows = (0..count).map(|number| {
        let rank = match number % 6 {
            0 => "P7",
            1 => "1P6",
            2 => "2P5",
            3 => "3P4",
            4 => "4P3",
            _ => "5P2",
        };
        let side = if number % 4 < 2 { "w" } else { "b" };
        let score = if number % 10 == 0 { 5_000 } else { 20 };
        format!(
            "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/{rank}/PPPP1PP1/RNBQKBNR {side} KQkq - 0 {},{score},,l",
            4 + number
        )
    });
    fs::write(path, rows.collect::<Vec<_>>().join("\n")).unwrap();
}

/// Visits into a folder and returns what stands in it then.
fn run(starts: &Path, out: &Path, settings: &VisitSettings, threads: usize) -> Vec<Vec<Record>> {
    let Opened::Ready(mut writer) = ShardWriter::open(out, &json!("job"), 100_000).unwrap() else {
        panic!("complete already");
    };
    let before = writer.records();
    let report = visit(
        &mut groups(starts),
        settings,
        None,
        threads,
        &mut writer,
        &mut |_| {},
    )
    .unwrap();
    assert_eq!(writer.records(), before + report.kept);
    writer.finish(Vec::new()).unwrap();
    read(out)
}

fn room() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let starts = folder.path().join("starts.csv");
    write_starts(&starts, 150);
    (folder, starts)
}

#[test]
fn what_is_kept_was_evaluated_and_has_no_label() {
    let (folder, starts) = room();
    let found = run(&starts, &folder.path().join("one"), &SETTINGS, 1);
    // half of the starts that are not decided
    assert!((45..90).contains(&found.len()), "{}", found.len());
    let kept: usize = found.iter().map(Vec::len).sum();
    assert!(kept > 5 * found.len(), "{kept}");
    for record in found.iter().flatten() {
        let position = record.check().unwrap();
        assert!(!position.in_check());
        assert_eq!((record.label(), record.best()), (None, None));
    }
    let distinct: std::collections::HashSet<_> = found.iter().flatten().map(Record::hash).collect();
    assert!(distinct.len() * 2 > kept, "{} of {kept}", distinct.len());
    // another seed draws other starts
    let other = VisitSettings { seed: 4, ..SETTINGS };
    assert_ne!(found, run(&starts, &folder.path().join("other"), &other, 1));
}

#[test]
fn the_number_of_threads_decides_nothing() {
    let (folder, starts) = room();
    let all = VisitSettings {
        share: 1.0,
        ..SETTINGS
    };
    let alone = run(&starts, &folder.path().join("one"), &all, 1);
    assert!(alone.len() > 128, "several parts: {}", alone.len());
    assert_eq!(alone, run(&starts, &folder.path().join("three"), &all, 3));
}

#[test]
fn a_run_that_was_cut_off_goes_on_where_it_stopped() {
    let (folder, starts) = room();
    let whole = run(&starts, &folder.path().join("whole"), &SETTINGS, 2);
    let out = folder.path().join("cut");
    let Opened::Ready(mut writer) = ShardWriter::open(&out, &json!("job"), 100_000).unwrap() else {
        panic!("complete already");
    };
    for group in &whole[..17] {
        writer.append(group).unwrap();
    }
    writer.flush().unwrap();
    drop(writer);
    assert_eq!(run(&starts, &out, &SETTINGS, 2), whole);
}

#[test]
fn a_long_run_that_was_cut_off_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let starts = folder.path().join("starts.csv");
    // more than are searched before results are written
    write_starts(&starts, 1_100);
    let short = VisitSettings {
        share: 1.0,
        most_start: None,
        nodes: 20,
        ..SETTINGS
    };
    let whole = run(&starts, &folder.path().join("whole"), &short, 2);
    let out = folder.path().join("cut");
    let Opened::Ready(mut writer) = ShardWriter::open(&out, &json!("job"), 100_000).unwrap() else {
        panic!("complete already");
    };
    // nothing was kept of the first starts
    for _ in 0..17 {
        writer.append(&[]).unwrap();
    }
    writer.flush().unwrap();
    drop(writer);
    let rest = run(&starts, &out, &short, 2);
    assert!(
        rest.len() < whole.len() && whole.ends_with(&rest),
        "{} of {}",
        rest.len(),
        whole.len()
    );
    assert!(whole.len() - rest.len() <= 17);
}

#[test]
fn no_search_begins_where_one_side_is_ahead_by_more_than_the_bound() {
    let folder = tempfile::tempdir().unwrap();
    let starts = folder.path().join("starts.csv");
    let rows =
        [900, 901, -900, -901, 0].map(|score| format!("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1,{score},,l\n"));
    fs::write(&starts, rows.concat()).unwrap();
    let all = VisitSettings {
        share: 1.0,
        ..SETTINGS
    };
    // the table of one thread has seen it all, so that each search keeps something of its own
    let searches =
        |settings: &VisitSettings, name: &str| run(&starts, &folder.path().join(name), settings, 1).len();
    assert_eq!(searches(&all, "bounded"), 3);
    let unbounded = VisitSettings {
        most_start: None,
        ..all
    };
    assert_eq!(searches(&unbounded, "unbounded"), 5);
}
