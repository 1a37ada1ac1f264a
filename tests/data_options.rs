//! Each option of `enroc data` does what its help says, and a run goes on with the same options alone.
#![cfg(unix)]

#[path = "common/groups.rs"]
#[allow(dead_code, reason = "other tests read group by group")]
mod groups;

use enroc::board::{Color, Position};
use enroc::data::Record;
use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// An engine that writes down what it is told, and otherwise is Enroc.
const LISTENER: &str = concat!("#!/bin/sh\ntee -a told | ", env!("CARGO_BIN_EXE_enroc"), "\n");

/// An engine with nothing but a static evaluation, of 40 centipawns for White.
const STATIC: &str = r#"#!/bin/sh
while read -r line; do
    case "$line" in
        uci) echo uciok ;;
        isready) echo readyok ;;
        eval) echo "Final evaluation +0.40 (white side)" ;;
        quit) exit 0 ;;
    esac
done
"#;

/// Rows that differ in what filters look at; the last one is the first again, with another score.
const ROWS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1,11,e2e4,l
4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1,12,e4d5,l
4k3/P7/8/8/8/8/8/4K3 w - - 0 1,13,a7a8q,l
4k3/8/8/8/8/8/8/K3R3 b - - 0 1,14,e8d7,l
4k3/8/8/8/8/8/4P3/4K3 w - - 0 1,,,l
4k3/8/8/8/8/8/8/Q3K3 w - - 0 1,900,a1a2,l
q3k3/8/8/8/8/8/8/4K3 b - - 0 1,-901,a8a7,l
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1,16,e2e4,l
";

/// Twenty plies.
const GAME: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 \
    10. d4 Nbd7 *\n\n";

struct Room {
    folder: tempfile::TempDir,
}

impl Room {
    /// A folder with these files; `engine` is one that can be run.
    fn new(files: &[(&str, &str)]) -> Room {
        let room = Room {
            folder: tempfile::tempdir().unwrap(),
        };
        for (name, text) in files {
            fs::write(room.path(name), text).unwrap();
            if *name == "engine" {
                fs::set_permissions(room.path(name), fs::Permissions::from_mode(0o755)).unwrap();
            }
        }
        room
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn output(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_enroc"))
            .current_dir(self.folder.path())
            .arg("data")
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    /// The complaint of a command that is refused.
    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.output(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        String::from_utf8(output.stderr).unwrap()
    }

    /// The records that a command with `--out out` makes anew with these options.
    fn made(&self, command: &[&str], options: &[&str]) -> Vec<Record> {
        let arguments = [command, &["--out", "out", "--restart"], options].concat();
        let output = self.output(&arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        self.records("out")
    }

    fn records(&self, name: &str) -> Vec<Record> {
        groups::read(&self.path(name)).concat()
    }
}

fn scores(records: &[Record]) -> Vec<Option<i16>> {
    records.iter().map(Record::score).collect()
}

/// How many plies were played before a position of a game from the start.
fn plies(record: &Record) -> u32 {
    let position = record.position().unwrap();
    2 * u32::from(position.fullmove_number() - 1) + u32::from(position.side_to_move() == Color::Black)
}

#[test]
fn an_import_leaves_out_what_it_is_told_to() {
    let room = Room::new(&[("rows.csv", ROWS)]);
    let all = [11, 12, 13, 14, 0, 900, -901, 16];
    let without = |left_out: &[i16]| -> Vec<Option<i16>> {
        let kept = all.into_iter().filter(|score| !left_out.contains(score));
        kept.map(|score| Some(score).filter(|&score| score != 0))
            .collect()
    };
    for (options, left_out) in [
        (&[][..], &[][..]),
        (&["--drop-noisy"], &[12, 13]),
        (&["--drop-check"], &[14]),
        (&["--drop-unlabelled"], &[0]),
        (&["--max-score", "900"], &[-901]),
        (&["--unique", "1"], &[16]),
    ] {
        let kept = room.made(&["import", "rows.csv"], options);
        assert_eq!(scores(&kept), without(left_out), "{options:?}");
    }
}

#[test]
fn of_a_game_those_plies_are_taken_that_are_asked_for() {
    let room = Room::new(&[("games.pgn", &GAME.repeat(8))]);
    let taken = |options: &[&str]| -> Vec<u32> {
        let records = room.made(&["import", "games.pgn"], options);
        records.iter().map(plies).collect()
    };
    let whole = |first: u32| (first..=20).collect::<Vec<u32>>().repeat(8);
    assert_eq!(taken(&[]), whole(16));
    assert_eq!(taken(&["--skip-plies", "4"]), whole(4));
    let drawn = taken(&["--skip-plies", "4", "--per-game", "3"]);
    assert_eq!(drawn.len(), 3 * 8);
    let games: HashSet<&[u32]> = drawn.chunks(3).collect();
    assert!(games.len() > 1, "the same plies of every game: {drawn:?}");
    assert_ne!(
        drawn,
        taken(&["--skip-plies", "4", "--per-game", "3", "--seed", "1"])
    );
}

#[test]
fn an_engine_is_told_what_it_is_to_do() {
    let room = Room::new(&[("engine", LISTENER), ("rows.csv", ROWS)]);
    let told = |options: &[&str]| {
        let _ = fs::remove_file(room.path("told"));
        let command = ["label", "rows.csv", "--engine", "./engine", "--workers", "1"];
        let made = room.made(&command, options);
        (made, fs::read_to_string(room.path("told")).unwrap())
    };
    let (kept, asked) = told(&["--nodes", "123", "--option", "Move Overhead=77"]);
    assert!(
        asked.contains("setoption name Move Overhead value 77\n"),
        "{asked}"
    );
    assert_eq!(
        asked.matches("\ngo ").count(),
        asked.matches("\ngo nodes 123\n").count()
    );
    assert_eq!(
        scores(&kept)[..4],
        [11, 12, 13, 14].map(Some),
        "what has a label keeps it"
    );
    // the one without a label alone
    assert_eq!((kept.len(), asked.matches("\ngo ").count()), (8, 1));
    let (again, asked) = told(&["--depth", "2", "--again"]);
    assert_eq!(asked.matches("\ngo depth 2\n").count(), 8);
    assert_ne!(scores(&again)[..4], scores(&kept)[..4]);
    let (moved, _) = told(&[
        "--depth",
        "1",
        "--again",
        "--random-share",
        "1",
        "--random",
        "3-5",
    ]);
    let start = Position::default().occupied();
    assert!(
        moved
            .iter()
            .all(|record| record.position().unwrap().occupied() != start)
    );
}

#[test]
fn random_moves_are_as_many_as_asked_for() {
    let room = Room::new(&[("engine", LISTENER)]);
    let command = [
        "selfplay",
        "--games",
        "60",
        "--plies",
        "1",
        "--engine",
        "./engine",
        "--depth",
        "1",
        "--workers",
        "1",
    ];
    let begun = |options: &[&str]| -> Vec<u32> { room.made(&command, options).iter().map(plies).collect() };
    let found: HashSet<u32> = begun(&["--random", "3-5"]).into_iter().collect();
    assert_eq!(found, HashSet::from([3, 4, 5]));
    assert_eq!(begun(&["--random-share", "0"]), [0; 60]);
    let moved = begun(&["--random", "2", "--random-share", "0.5"]);
    let count = moved.iter().filter(|&&plies| plies == 2).count();
    assert!((15..=45).contains(&count), "{count} of 60");
}

/// Positions in check have no static evaluation.
#[test]
fn static_evaluations_are_scaled_and_pass_over_checks() {
    let room = Room::new(&[("engine", STATIC), ("rows.csv", ROWS)]);
    let command = ["label", "rows.csv", "--engine", "./engine", "--static", "--again"];
    assert_eq!(scores(&room.made(&command, &[])), [Some(40); 7]);
    assert_eq!(scores(&room.made(&command, &["--scale", "0.5"])), [Some(20); 7]);
}

#[test]
fn a_silent_engine_is_waited_for_as_long_as_asked_for() {
    let silent = STATIC.replace("eval)", "nothing)");
    let room = Room::new(&[("engine", &silent), ("rows.csv", ROWS)]);
    let complaint = room.refused(&[
        "label",
        "rows.csv",
        "--out",
        "out",
        "--engine",
        "./engine",
        "--static",
        "--again",
        "--workers",
        "1",
        "--timeout",
        "0.25",
    ]);
    assert!(complaint.contains("within 0.25 s"), "{complaint}");
}

/// Labels of different kinds must not be mixed in one folder.
#[test]
fn a_run_with_other_options_is_not_the_same_run() {
    let room = Room::new(&[("engine", LISTENER), ("rows.csv", ROWS), ("games.pgn", GAME)]);
    let selfplay = [
        "selfplay", "--out", "played", "--engine", "./engine", "--games", "2", "--plies", "2", "--depth", "1",
    ];
    let label = [
        "label", "rows.csv", "--out", "labelled", "--engine", "./engine", "--depth", "1",
    ];
    let import = ["import", "rows.csv", "--out", "imported"];
    let of_playing = [
        &["--games", "3"][..],
        &["--plies", "3"],
        &["--depth", "2"],
        &["--random", "1-4"],
        &["--random-share", "0.5"],
        &["--most-start", "5000"],
        &["--resign", "5000"],
        &["--option", "Hash=2"],
        &["--seed", "1"],
    ];
    let of_labels = [
        &["--again"][..],
        &["--drop-check"],
        &["--depth", "2"],
        &["--random-share", "0.5"],
        &["--option", "Hash=2"],
    ];
    let of_imports = [
        &["--drop-check"][..],
        &["--drop-noisy"],
        &["--drop-unlabelled"],
        &["--max-score", "900"],
        &["--unique", "1"],
        &["--skip-plies", "3"],
        &["--per-game", "3"],
        &["--seed", "1"],
    ];
    for (command, others) in [
        (&selfplay[..], &of_playing[..]),
        (&label, &of_labels),
        (&import, &of_imports),
    ] {
        // what was asked for twice counts as it was asked for last
        let with = |options: &[&str]| -> Vec<String> {
            let replaced = options.first().copied().unwrap_or_default();
            let place = command.iter().position(|&word| word == replaced);
            let mut words: Vec<String> = command.iter().map(|word| word.to_string()).collect();
            if let Some(place) = place {
                words.drain(place..place + 2);
            }
            words.extend(options.iter().map(|word| word.to_string()));
            words
        };
        assert!(room.output(command).status.success(), "{command:?}");
        for options in others {
            let words = with(options);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let complaint = room.refused(&words);
            assert!(complaint.contains("--restart"), "{words:?}: {complaint}");
        }
        let output = room.output(command);
        assert!(
            String::from_utf8_lossy(&output.stdout).contains("complete already"),
            "{output:?}"
        );
    }
}

#[test]
fn parts_are_exported_by_their_shares_and_seed() {
    let mut rows = String::new();
    for &first in &Position::default().legal_moves() {
        let after = Position::default().after(first);
        for &second in &after.legal_moves() {
            rows += &format!("{},7,,l\n", after.after(second).to_fen(false));
        }
    }
    let room = Room::new(&[("rows.csv", &rows)]);
    let all = room.made(&["import", "rows.csv"], &["--unique", "1"]).len();
    let part = |name: &str, seed: &str| -> HashSet<u64> {
        let arguments = [
            "export",
            "out",
            "--out",
            "part.csv",
            "--part",
            name,
            "--validation",
            "0.3",
            "--test",
            "0.2",
            "--split-seed",
            seed,
        ];
        let output = room.output(&arguments);
        assert!(output.status.success(), "{output:?}");
        room.records("part.csv").iter().map(Record::hash).collect()
    };
    let parts = ["training", "validation", "test"].map(|name| part(name, "0"));
    assert_eq!(parts.iter().map(HashSet::len).sum::<usize>(), all);
    for (part, share) in parts.iter().zip([0.5, 0.3, 0.2]) {
        let expected = share * all as f64;
        assert!(
            (part.len() as f64 - expected).abs() < 60.0,
            "{} of {all}",
            part.len()
        );
    }
    assert_ne!(part("validation", "1"), parts[1]);
}

#[test]
fn openings_are_made_to_order() {
    let room = Room::new(&[]);
    let made = |options: &[&str]| -> Vec<String> {
        let arguments = [
            &["openings", "book.epd", "--count", "6", "--nodes", "300"],
            options,
        ]
        .concat();
        let output = room.output(&arguments);
        assert!(output.status.success(), "{output:?}");
        let text = fs::read_to_string(room.path("book.epd")).unwrap();
        text.lines().map(str::to_string).collect()
    };
    let level = made(&["--ahead", "0-60", "--plies", "4"]);
    assert_eq!(level.len(), 6);
    for fen in &level {
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(
            (position.fullmove_number(), position.side_to_move()),
            (3, Color::White)
        );
    }
    assert_eq!(level, made(&["--ahead", "0-60", "--plies", "4", "--seed", "1"]));
    assert_ne!(level, made(&["--ahead", "0-60", "--plies", "4", "--seed", "2"]));
    let ahead = made(&["--ahead", "61-1000", "--plies", "4"]);
    assert!(
        ahead.iter().all(|fen| !level.contains(fen)),
        "{level:?} {ahead:?}"
    );
}

/// What a game from Fischer's chess is told by, is read again.
#[test]
fn castling_of_chess960_survives_a_table() {
    let row = "1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 0 1,30,c1b1,l\n";
    let room = Room::new(&[("rows.csv", row)]);
    let records = room.made(&["import", "rows.csv"], &[]);
    assert_eq!(
        records[0].best().map(|best| best.to_uci(true)).as_deref(),
        Some("c1b1")
    );
    assert!(
        room.output(&["export", "out", "--out", "again.csv"])
            .status
            .success()
    );
    let text = fs::read_to_string(room.path("again.csv")).unwrap();
    assert!(text.contains(",c1b1,"), "{text}");
    assert_eq!(room.records("again.csv"), records);
}

#[test]
fn self_play_judges_its_openings_by_itself() {
    let room = Room::new(&[("engine", LISTENER), ("rows.csv", ROWS)]);
    let command = [
        "selfplay",
        "rows.csv",
        "--games",
        "8",
        "--plies",
        "1",
        "--random-share",
        "0",
        "--engine",
        "./engine",
        "--depth",
        "1",
    ];
    let played = scores(&room.made(&command, &[]));
    assert_eq!(played.len(), 8);
    let given = scores(&room.records("rows.csv"));
    assert!(
        played
            .iter()
            .zip(&given)
            .filter(|(played, given)| played != given)
            .count()
            >= 5,
        "{played:?}"
    );
}
