//! Labelling with engines that behave and engines that do not, and runs that are killed.
#![cfg(unix)]

#[path = "common/groups.rs"]
mod groups;

use enroc::data::Label;
use enroc::data::store::shard::Index;
use enroc::data::store::writer::{Opened, ShardWriter};
use enroc::labelling::{LabelReport, LabelSettings, LabellingError, Means, PlayoutSettings, label};
use enroc::uci_client::{ClientError, Effort, EngineSettings};
use groups::{groups, read};
use serde_json::json;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A UCI engine in a few lines of shell. `$score` is the move number of the position and `$n` counts the questions.
/// `answer` says what a good engine would, with the move number as the score.
const ENGINE: &str = r#"#!/bin/sh
n=0
answer() {
    echo "info depth 1 seldepth 1 score cp 9999 lowerbound nodes 1 pv h1h2"
    echo "info depth 1 score cp $score nodes 7 pv h1h2"
    echo "bestmove h1h2 ponder a8b8"
}
while read -r line; do
    case "$line" in
        uci) echo "id name Fake 1"; echo "uciok" ;;
        isready) echo "readyok" ;;
        quit) exit 0 ;;
        position*) set -- $line; score=$8 ;;
        go*) n=$((n + 1))
BEHAVIOUR
        ;;
        eval)
            echo "| a table |"
            echo "NNUE evaluation        +0.$score (white side)"
            echo "Final evaluation       +9.99 (white side) [with scaled NNUE]"
        ;;
    esac
done
"#;

struct Room {
    folder: tempfile::TempDir,
}

impl Room {
    /// A folder with an engine that does `behaviour` when asked, and `count` positions numbered by their moves.
    fn new(behaviour: &str, count: usize) -> Room {
        let room = Room {
            folder: tempfile::tempdir().unwrap(),
        };
        room.behave(behaviour);
        let lines: Vec<String> = (1..=count)
            .map(|n| format!("k7/8/8/8/8/8/8/K6R w - - 0 {n}"))
            .collect();
        fs::write(room.path("list.fen"), lines.join("\n")).unwrap();
        room
    }

    fn behave(&self, behaviour: &str) {
        let path = self.path("engine.new");
        fs::write(&path, ENGINE.replace("BEHAVIOUR", behaviour)).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        fs::rename(&path, self.path("engine")).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn settings(&self) -> LabelSettings {
        LabelSettings {
            engine: EngineSettings {
                program: self.path("engine").display().to_string(),
                patience: Duration::from_secs(20),
                ..EngineSettings::default()
            },
            means: Means::Search(Effort::Depth(3)),
            workers: 3,
            ahead: 8,
            playout: PlayoutSettings::default(),
        }
    }

    fn label(&self, settings: &LabelSettings) -> Result<LabelReport, LabellingError> {
        let Opened::Ready(mut writer) = ShardWriter::open(&self.path("out"), &json!("job"), 1_000)? else {
            panic!("complete already");
        };
        let mut list = groups(&self.path("list.fen"));
        let report = label(&mut list, settings, &mut writer, &mut |_| {})?;
        writer.finish(Vec::new())?;
        Ok(report)
    }

    /// The scores of the labelled positions, each proved to belong to its position.
    fn scores(&self) -> Vec<usize> {
        scores(&self.path("out"))
    }
}

fn scores(folder: &Path) -> Vec<usize> {
    let mut scores = Vec::new();
    for group in read(folder) {
        assert_eq!(group.len(), 1);
        let position = group[0].check().unwrap();
        let number = position.fullmove_number() as i32;
        assert_eq!(group[0].label(), Some(Label::centipawns(number)));
        assert_eq!(group[0].best().unwrap().to_uci(false), "h1h2");
        scores.push(number as usize);
    }
    scores
}

fn all(count: usize) -> Vec<usize> {
    (1..=count).collect()
}

#[test]
fn labels_come_in_the_order_of_the_input() {
    let room = Room::new("answer", 300);
    let report = room.label(&room.settings()).unwrap();
    assert_eq!((report.labelled, report.restarts), (300, 0));
    assert_eq!(room.scores(), all(300));
}

#[test]
fn static_evaluations_become_labels_without_moves() {
    // the engine of the test writes the number behind the point: 0.7 is seventy hundredths
    let room = Room::new("exit 3", 99);
    let settings = LabelSettings {
        means: Means::Static(2.0),
        ..room.settings()
    };
    let report = room.label(&settings).unwrap();
    assert_eq!((report.labelled, report.restarts), (99, 0));
    let found = read(&room.path("out"));
    assert!(found.len() >= 99);
    for (number, group) in (1..=99).zip(&found) {
        let hundredths = if number < 10 { 10 * number } else { number };
        assert_eq!(group[0].label(), Some(Label::centipawns(2 * hundredths)));
        assert_eq!(group[0].best(), None);
    }
}

#[test]
fn an_engine_that_dies_is_started_again_and_nothing_is_lost() {
    let room = Room::new("[ $n -gt 20 ] && exit 3; answer", 150);
    let report = room.label(&room.settings()).unwrap();
    assert!(report.restarts > 0 && report.given_up == 0, "{report:?}");
    assert_eq!(room.scores(), all(150));
}

#[test]
fn a_position_that_kills_every_engine_is_given_up() {
    let room = Room::new("[ $score -eq 17 ] && exit 3; answer", 40);
    let report = room.label(&room.settings()).unwrap();
    assert_eq!(report.given_up, 1);
    let expected: Vec<usize> = all(40).into_iter().filter(|&n| n != 17).collect();
    assert_eq!(room.scores(), expected);
}

#[test]
fn a_group_keeps_its_first_position_when_that_gets_no_label() {
    let room = Room::new("[ $score -eq 17 ] && exit 3; answer", 1);
    let quiet = |number: u32| format!("k7/8/8/8/8/8/8/K6R w - - 0 {number},,,");
    let check = |number: u32| format!("k7/8/8/8/8/8/8/K5rR w - - 0 {number},,,");
    let rows = [
        check(1) + "g",
        quiet(2) + "g1",
        check(3) + "g2",
        quiet(17) + "g",
        quiet(5) + "g1",
        check(6) + "g",
        quiet(7) + "g",
    ];
    fs::write(room.path("rows.csv"), rows.join("\n")).unwrap();
    let arguments = [
        "label",
        "rows.csv",
        "--out",
        "out",
        "--engine",
        "./engine",
        "--drop-check",
        "--workers",
        "1",
        "--ahead",
        "1",
    ];
    assert!(enroc(&room, &arguments).status().unwrap().success());
    let mut found = Vec::new();
    for group in read(&room.path("out")) {
        let numbers = group.iter().map(|record| {
            let number = record.check().unwrap().fullmove_number();
            (number, record.score().is_some())
        });
        found.push(numbers.collect::<Vec<_>>());
    }
    let expected = [
        vec![(1, false), (2, true)],
        vec![(17, false), (5, true)],
        vec![(7, true)],
    ];
    assert_eq!(found, expected);
}

#[test]
fn an_engine_that_only_talks_nonsense_ends_the_run_with_a_line() {
    for nonsense in [
        "echo bestmove e2e4",
        "echo info score cp 3; echo bestmove h1a9",
        "echo info score cp much; echo bestmove h1h2",
    ] {
        let room = Room::new(nonsense, 20);
        let error = room.label(&room.settings()).unwrap_err();
        assert!(
            matches!(error, LabellingError::Engine(ClientError::Nonsense { .. })),
            "{error}"
        );
        assert!(!error.to_string().contains('\n'));
    }
}

#[test]
fn a_silent_or_endlessly_talking_engine_runs_out_of_time() {
    for behaviour in [":", "while :; do echo hello; done"] {
        let room = Room::new(behaviour, 5);
        let mut settings = room.settings();
        settings.engine.patience = Duration::from_millis(200);
        settings.workers = 1;
        let error = room.label(&settings).unwrap_err();
        assert!(
            matches!(error, LabellingError::Engine(ClientError::Silent { .. })),
            "{error}"
        );
    }
}

#[test]
fn what_was_written_before_a_failure_stays_and_the_run_goes_on() {
    let room = Room::new("[ $score -ge 30 ] && exit 1; answer", 60);
    let mut settings = room.settings();
    settings.workers = 1;
    assert!(room.label(&settings).is_err());
    room.behave("answer");
    room.label(&settings).unwrap();
    let scores = room.scores();
    // what the dying engine had made given up is missing, nothing is there twice
    assert!(
        scores.is_sorted_by(|a, b| a < b) && scores.len() >= 55,
        "{scores:?}"
    );
}

/// The records that a run which starts now would go on after.
fn safe_records(room: &Room) -> u64 {
    match ShardWriter::open(&room.path("out"), &json!("job"), 1_000).unwrap() {
        Opened::Ready(writer) => writer.records(),
        Opened::Complete(_) => panic!("complete already"),
    }
}

#[test]
fn a_failure_leaves_nothing_behind_that_was_finished() {
    let room = Room::new("[ $score -ge 30 ] && exit 1; answer", 60);
    let mut settings = room.settings();
    settings.workers = 1;
    settings.ahead = 1;
    assert!(room.label(&settings).is_err());
    assert!(safe_records(&room) >= 29);
}

#[test]
fn what_is_finished_is_safe_while_an_engine_thinks() {
    let room = Room::new("[ $score -eq 30 ] && exec sleep 60; answer", 60);
    let arguments = [
        "label",
        "list.fen",
        "--out",
        "out",
        "--engine",
        "./engine",
        "--workers",
        "1",
        "--ahead",
        "1",
    ];
    let mut run = enroc(&room, &arguments).spawn().unwrap();
    let journal = room.path("out/journal.part");
    let started = Instant::now();
    let safe = || fs::metadata(&journal).map_or(0, |data| data.len()) >= 29 * 32;
    // the engine has thirty seconds for its answer
    while !safe() && started.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let found = safe();
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(found, "29 labels were not written in {:?}", started.elapsed());
}

fn enroc(room: &Room, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_enroc"));
    command
        .arg("data")
        .args(arguments)
        .current_dir(room.folder.path());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[test]
fn a_run_killed_at_any_moment_goes_on_without_loss_or_double() {
    const COUNT: usize = 1_500;
    let room = Room::new("sleep 0.002; answer", COUNT);
    let arguments = [
        "label",
        "list.fen",
        "--out",
        "out",
        "--engine",
        "./engine",
        "--shard-records",
        "400",
        "--workers",
        "2",
    ];
    let progress = || {
        let files = fs::read_dir(room.path("out")).into_iter().flatten().flatten();
        files
            .filter_map(|file| file.metadata().ok())
            .map(|data| data.len())
            .sum::<u64>()
    };
    for pause in [0, 130, 310] {
        let before = progress();
        let mut run = enroc(&room, &arguments).spawn().unwrap();
        // until something more is safe, and then a little longer
        while progress() < before + 2_000 && run.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(pause));
        run.kill().unwrap();
        run.wait().unwrap();
    }
    assert!(enroc(&room, &arguments).status().unwrap().success());
    assert_eq!(scores(&room.path("out")), all(COUNT));
    assert!(enroc(&room, &["check", "out"]).status().unwrap().success());
}

#[test]
fn a_run_that_was_cut_off_can_be_ended_as_it_is() {
    const COUNT: usize = 1_500;
    // an engine that falls silent long before the end: however busy the machine is, the run is cut off in the middle
    let room = Room::new("[ $n -le 200 ] && answer", COUNT);
    let arguments = [
        "label",
        "list.fen",
        "--out",
        "out",
        "--engine",
        "./engine",
        "--workers",
        "1",
        "--timeout",
        "3600",
    ];
    let mut run = enroc(&room, &arguments).spawn().unwrap();
    let journal = room.path("out/journal.part");
    while fs::metadata(&journal).map_or(0, |data| data.len()) < 2_000 {
        assert!(run.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::sleep(Duration::from_millis(5));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    let unfinished = enroc(&room, &["stats", "out"]).status().unwrap();
    assert_eq!(unfinished.code(), Some(2));
    for command in [
        &["finish", "out"][..],
        &["check", "out"],
        &["stats", "out"],
        &arguments,
    ] {
        assert!(enroc(&room, command).status().unwrap().success(), "{command:?}");
    }
    let found = scores(&room.path("out"));
    assert!(!found.is_empty() && found.len() < COUNT);
    assert_eq!(found, all(COUNT)[..found.len()]);
}

#[test]
fn broken_openings_are_counted_told_and_kept_in_the_index() {
    let room = Room::new("answer", 3);
    let mut list = fs::read_to_string(room.path("list.fen")).unwrap();
    list += "\nk7/8/8/8/8/8/8/8 w - - 0 9\nnonsense\n";
    fs::write(room.path("list.fen"), list).unwrap();
    for command in [
        &["label"][..],
        &["selfplay", "--games", "3", "--plies", "1", "--random-share", "0"],
    ] {
        let arguments = [
            command,
            &["list.fen", "--out", command[0], "--engine", "./engine"],
        ]
        .concat();
        let output = enroc(&room, &arguments).stdout(Stdio::piped()).output().unwrap();
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        let kept = fs::read_to_string(room.path(command[0]).join("index.json")).unwrap();
        for text in [told, kept] {
            let words = "list.fen: lines skipped: 2 (2 impossible position)";
            assert!(text.contains(words), "{command:?}: {text}");
        }
    }
}

#[test]
fn restart_discards_what_another_run_has_left_but_never_an_input() {
    let room = Room::new("answer", 3);
    let import = |input: &str, options: &[&str]| {
        let arguments = [&["import", input, "--out", "out"], options].concat();
        let output = enroc(&room, &arguments).stderr(Stdio::piped()).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), error)
    };
    assert_eq!(import("list.fen", &[]).0, Some(0));
    fs::write(room.path("other.fen"), "k7/8/8/8/8/8/8/K6R w - - 0 9\n").unwrap();
    for options in [&[][..], &["--resume"]] {
        let (code, error) = import("other.fen", options);
        assert!(code == Some(2) && error.contains("--restart"), "{error}");
    }
    let (code, error) = import("out", &["--restart"]);
    assert!(code == Some(2) && error.contains("an input too"), "{error}");
    assert_eq!(records(&room.path("out")), 3);
    assert_eq!(import("other.fen", &["--restart"]).0, Some(0));
    assert_eq!(records(&room.path("out")), 1);
    assert_eq!(import("other.fen", &["--resume"]).0, Some(0));
    assert_eq!(import("other.fen", &["--resume", "--restart"]).0, Some(2));
}

/// How many records a folder of shards holds.
fn records(folder: &Path) -> u64 {
    Index::read(folder).unwrap().records()
}

#[test]
fn the_commands_refuse_with_one_line_and_exit_code_2() {
    let room = Room::new("answer", 3);
    fs::write(room.path("what.doc"), "?").unwrap();
    fs::create_dir(room.path("empty")).unwrap();
    let import = |input: &'static str| vec!["import", input, "--out", "x"];
    let cases = [
        (import("nothing.pgn"), "nothing.pgn"),
        (import("what.doc"), "neither"),
        (import("empty"), "index.json"),
        (
            vec!["label", "list.fen", "--out", "x", "--engine", "no-such-engine"],
            "install Stockfish",
        ),
        (
            vec!["label", "list.fen", "--out", "x", "--random", "5-1"],
            "range",
        ),
        (vec!["check", "empty"], "index.json"),
        (vec!["import", "list.fen", "--out", "list.fen"], "list.fen"),
    ];
    for (arguments, words) in cases {
        let output = enroc(&room, &arguments).stderr(Stdio::piped()).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            stderr.trim().lines().count() == 1 && stderr.contains(words),
            "{arguments:?}: {stderr}"
        );
    }
}

#[test]
fn what_is_exported_is_imported_as_it_was() {
    let room = Room::new("answer", 200);
    let answer = |arguments: &[&str]| {
        let output = enroc(&room, arguments).stdout(Stdio::piped()).output().unwrap();
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
        )
    };
    let shard = |folder: &str| fs::read(room.path(folder).join("shard-00000.bin")).unwrap();
    let play = [
        "selfplay",
        "list.fen",
        "--games",
        "200",
        "--plies",
        "1",
        "--random-share",
        "0",
    ];
    for arguments in [
        &[&play[..], &["--out", "out", "--engine", "./engine"]].concat()[..],
        &["export", "out", "--out", "rows.csv"],
        &["import", "rows.csv", "--out", "again"],
    ] {
        assert_eq!(answer(arguments).0, Some(0), "{arguments:?}");
    }
    assert_eq!(shard("out"), shard("again"));
    let bullet = ["export", "out", "--out", "list.txt", "--format", "bullet"];
    let (_, words) = answer(&bullet);
    assert!(words.contains("left out: 200 (200 of unknown result)"), "{words}");
    let (_, words) = answer(&[&bullet[..], &["--unknown-as-draw"]].concat());
    assert!(words.contains("list.txt: 200 positions"), "{words}");
    let first = fs::read_to_string(room.path("list.txt")).unwrap();
    assert!(first.starts_with("k7/8/8/8/8/8/8/K6R w - - 0 1 | 1 | 0.5\n"));
    for name in ["rows.csv.xz", "list.txt", "rows"] {
        assert_eq!(answer(&["export", "out", "--out", name]).0, Some(2), "{name}");
    }
}

#[test]
fn check_finds_damage_in_shards() {
    let room = Room::new("answer", 100);
    assert!(
        enroc(&room, &["import", "list.fen", "--out", "out"])
            .status()
            .unwrap()
            .success()
    );
    let check = || {
        enroc(&room, &["check", "out"])
            .stdout(Stdio::piped())
            .output()
            .unwrap()
    };
    assert!(check().status.success());
    let shard = room.path("out/shard-00000.bin");
    let whole = fs::read(&shard).unwrap();
    let mut damaged = whole.clone();
    damaged[32 + 32 * 7 + 8] ^= 0x0f;
    fs::write(&shard, damaged).unwrap();
    let output = check();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text.contains("SHA-256") && text.contains("record 7:") && text.contains("2 faults"),
        "{text}"
    );
    fs::write(&shard, &whole[..whole.len() - 1]).unwrap();
    let text = String::from_utf8_lossy(&check().stdout).into_owned();
    assert!(
        text.contains("is damaged") && text.contains("room for 99"),
        "{text}"
    );
}
