//! Labelling that is cut off or loses its engine comes to the same as if it had not.
#![cfg(unix)]

#[path = "common/groups.rs"]
mod groups;

use enroc::data::store::writer::{Opened, ShardWriter};
use enroc::labelling::{LabelReport, LabelSettings, Means, PlayoutSettings, label};
use enroc::uci_client::EngineSettings;
use groups::{groups, read};
use serde_json::json;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An engine that evaluates everything alike, and does something before.
const ENGINE: &str = r#"#!/bin/sh
n=0
while read -r line; do
    case "$line" in
        uci) echo uciok ;;
        isready) echo readyok ;;
        eval) n=$((n + 1)); BEHAVIOUR; echo "Final evaluation +0.40 (white side)" ;;
        quit) exit 0 ;;
    esac
done
"#;

const COUNT: usize = 60;

/// Held by each test: an engine that another one starts has that one's files open, and their locks, until it has begun.
static ALONE: Mutex<()> = Mutex::new(());

struct Room {
    folder: tempfile::TempDir,
    _alone: MutexGuard<'static, ()>,
}

impl Room {
    fn new(behaviour: &str) -> Room {
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().unwrap();
        let engine = folder.path().join("engine");
        fs::write(&engine, ENGINE.replace("BEHAVIOUR", behaviour)).unwrap();
        fs::set_permissions(&engine, fs::Permissions::from_mode(0o755)).unwrap();
        let lines: Vec<String> = (1..=COUNT)
            .map(|n| format!("k7/8/8/8/8/8/8/K6R w - - 0 {n}"))
            .collect();
        fs::write(folder.path().join("list.fen"), lines.join("\n")).unwrap();
        Room { folder, _alone }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn writer(&self, out: &str) -> Box<ShardWriter> {
        match ShardWriter::open(&self.path(out), &json!("job"), 1_000).unwrap() {
            Opened::Ready(writer) => writer,
            Opened::Complete(_) => panic!("complete already"),
        }
    }

    /// Labels what is not labelled yet.
    fn label(&self, out: &str, playout: PlayoutSettings) -> LabelReport {
        let settings = LabelSettings {
            engine: EngineSettings {
                program: self.path("engine").display().to_string(),
                ..EngineSettings::default()
            },
            means: Means::Static(1.0),
            workers: 1,
            ahead: 1,
            playout,
        };
        let mut writer = self.writer(out);
        let mut input = groups(&self.path("list.fen"));
        let report = label(&mut input, &settings, &mut writer, &mut |_| {}).unwrap();
        writer.finish(Vec::new()).unwrap();
        report
    }
}

#[test]
fn random_moves_are_the_same_after_a_run_was_cut_off() {
    let room = Room::new(":");
    let playout = PlayoutSettings {
        random_share: 0.8,
        ..PlayoutSettings::default()
    };
    room.label("whole", playout);
    let whole = read(&room.path("whole"));
    assert!(whole.len() > COUNT / 2, "{}", whole.len());
    let mut writer = room.writer("cut");
    for group in &whole[..7] {
        writer.append(group).unwrap();
    }
    writer.flush().unwrap();
    drop(writer);
    room.label("cut", playout);
    assert_eq!(read(&room.path("cut")), whole);
}

#[test]
fn an_engine_may_die_as_often_as_it_answers_something_in_between() {
    let room = Room::new("[ $n -gt 3 ] && exit 3");
    let report = room.label("out", PlayoutSettings::default());
    assert!(report.restarts > 15 && report.given_up == 0, "{report:?}");
    assert_eq!(read(&room.path("out")).len(), COUNT);
}
