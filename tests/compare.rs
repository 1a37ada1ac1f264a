//! The comparison: the seed's own table, and the command with engines that behave and engines that do not.
#![cfg(unix)]

mod client;

use client::run;
use enroc::compare::Set;
use enroc::compare::measure::entrant::entrants;
use enroc::compare::measure::judge::Measure;
use enroc::compare::measure::summary::{Subset, summarize};
use enroc::compare::set::thesis_table;
use enroc::support::whole_file;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};

const THESIS_TABLE: &str = include_str!("thesis_table1.tsv");
const WHOLE_THESIS_TABLE: &str = include_str!("../docs/figures/thesis-table1.csv");

/// Four quiet positions with few moves.
const LIST: &str = "7k/p7/8/8/8/8/P7/K7 w - - 0 1\n7k/p7/8/8/8/8/P7/K7 b - - 0 1\n\
    6k1/p7/8/8/8/8/P7/K7 w - - 0 1\n6k1/p7/8/8/8/8/P7/1K6 b - - 0 1\n";

/// A UCI engine in a few lines of shell that knows one move of White and one of Black; `BEHAVIOUR` comes before each
/// answer, with the number of the question in `$n`.
const ENGINE: &str = r#"#!/bin/sh
n=0
while read -r line; do
    case "$line" in
        uci) echo "id name Fake 1"; echo "uciok" ;;
        isready) echo "readyok" ;;
        quit) exit 0 ;;
        position*" w "*) move=a2a3 ;;
        position*) move=a7a6 ;;
        go*) n=$((n + 1))
            BEHAVIOUR
            echo "info depth 1 multipv 1 score cp 7 nodes 3 pv $move"
            echo "bestmove $move" ;;
    esac
done
"#;

struct Room {
    folder: tempfile::TempDir,
}

impl Room {
    fn new() -> Room {
        let room = Room {
            folder: tempfile::tempdir().unwrap(),
        };
        room.write("list.fen", LIST);
        room
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    /// An engine that does this before each answer.
    fn engine(&self, behaviour: &str) {
        let path = self.path("new");
        fs::write(&path, ENGINE.replace("BEHAVIOUR", behaviour)).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        fs::rename(&path, self.path("fake")).unwrap();
    }

    /// Runs `enroc compare` in the folder.
    fn compare(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_enroc"))
            .arg("compare")
            .args(arguments)
            .current_dir(self.folder.path())
            .output()
            .unwrap()
    }

    fn succeed(&self, arguments: &[&str]) -> String {
        let output = self.compare(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The one line of complaint.
    fn fail(&self, arguments: &[&str]) -> String {
        let output = self.compare(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(complaint.trim_end().lines().count(), 1, "{complaint}");
        assert!(complaint.starts_with("error: "), "{complaint}");
        complaint
    }
}

/// The main comparison is checked before the engine is asked anything, and in the words of the command.
#[test]
fn a_wrong_main_comparison_is_told_before_any_work() {
    let room = Room::new();
    let set = [&labels("1")[..], &["--labels", "labels.csv"]].concat();
    let wrong = [
        &["heuristics@1", "chance@1", "--main", "heuristics@1", "nobody@1"][..],
        &set,
    ]
    .concat();
    let complaint = room.fail(&wrong);
    assert!(
        complaint.contains("'nobody@1'") && complaint.contains("heuristics@1, chance@1"),
        "{complaint}"
    );
    assert!(!room.path("labels.csv").exists());
    let long = "heuristics:mobility@1";
    let right = [
        &[long, "chance@1", "--main", long, "chance@1", "--out", "report"][..],
        &set,
    ]
    .concat();
    room.succeed(&right);
    assert!(room.path("labels.csv").exists());
}

/// Labels by our own program, which speaks UCI too.
fn labels(depth: &str) -> Vec<&str> {
    vec![
        "--positions",
        "list.fen",
        "--engine",
        env!("CARGO_BIN_EXE_enroc"),
        "--depth",
        depth,
    ]
}

#[test]
fn the_seeds_table_gives_the_seeds_figures() {
    let set = thesis_table::read(std::path::Path::new("thesis_table1.tsv"), THESIS_TABLE).unwrap();
    assert_eq!(set.cases.len(), 52);
    let summaries = summarize(&set, &set.recorded, &entrants(&[None, None], &set.recorded));
    let names: Vec<&str> = summaries.iter().map(|summary| summary.name.as_str()).collect();
    assert_eq!(names, ["mlp (table)", "cnn (table)"]);
    let agreements = summaries.iter().map(|summary| {
        let same = summary.get(Subset::All, Measure::Same).unwrap();
        (same.value * same.count as f64).round() as u32
    });
    assert_eq!(agreements.collect::<Vec<_>>(), [20, 18]);
    // only the moves and scores of the table are known
    assert!(summaries[0].get(Subset::All, Measure::Loss).is_none());
    assert!(summaries[0].get(Subset::All, Measure::Error).is_some());
}

/// The moves of the whole table are legible, also where its position is not.
#[test]
fn the_seeds_table_is_all_there() {
    let mut reader = csv::Reader::from_reader(WHOLE_THESIS_TABLE.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 100);
    let [stockfish, mlp, cnn] = [4, 6, 8];
    let same = |column: usize| rows.iter().filter(|row| row[column] == row[stockfish]).count();
    assert_eq!([same(mlp), same(cnn)], [28, 28]);
    let readable = rows.iter().map(|row| &row[2]).filter(|fen| !fen.is_empty());
    let set = thesis_table::read(std::path::Path::new("thesis_table1.tsv"), THESIS_TABLE).unwrap();
    let positions = set.cases.iter().map(|case| case.position.to_fen(false));
    assert!(readable.map(str::to_string).eq(positions));
}

#[test]
fn the_built_in_set_works_at_once() {
    let room = Room::new();
    let printed = room.succeed(&["mlp@0", "mlp@1", "mlp@1+q", "--limit", "20", "--table"]);
    assert!(printed.contains("20 positions, reference Stockfish 15.1") && printed.contains("\nmlp@1+q "));
    assert!(printed.contains("fen\treference_eval\treference_move\tmlp@0_eval"));
    let table = thesis_table::read(&room.path("table.tsv"), &room.text("comparison/table.tsv")).unwrap();
    assert_eq!((table.cases.len(), table.recorded.len()), (20, 3));
    let rows = room.text("comparison/rows.csv");
    assert_eq!(rows.lines().count(), 61);
    let report = room.text("comparison/report.html");
    assert!(report.contains("class=\"board\"") && report.contains("class=\"chart\""));
    // only entrants that share a limit are ranked
    assert!(report.contains("<li>1 ply: <b>mlp@1") && !report.contains("<li>0 plies: "));
    assert!(
        room.text("comparison/results.json")
            .contains("\"equal_strength\"")
    );
    // the same command finds everything answered, and says the same
    let before = fs::read(room.path("comparison/rows.csv")).unwrap();
    room.succeed(&["mlp@0", "mlp@1", "mlp@1+q", "--limit", "20", "--jobs", "2"]);
    assert_eq!(fs::read(room.path("comparison/rows.csv")).unwrap(), before);
}

#[test]
fn labels_are_kept_and_those_of_others_are_refused() {
    let room = Room::new();
    let with = |more: &[&'static str], depth: &'static str| {
        let mut arguments = labels(depth);
        arguments.extend(more);
        room.compare(&arguments)
    };
    assert!(
        with(&["--labels", "l.csv", "--labels-only", "--jobs", "2"], "3")
            .status
            .success()
    );
    let text = room.text("l.csv");
    assert!(text.starts_with("# labels: Enroc") && text.contains(" at depth 3\n"));
    assert_eq!(text.lines().count(), 6);
    let set = Set::from_csv(&room.path("l.csv"), &text).unwrap();
    assert!(set.cases.iter().all(|case| case.reference.is_complete()));
    // half of it is labelled again, the rest is taken as it is
    let half: Vec<&str> = text.lines().take(4).collect();
    room.write("l.csv", &half.join("\n"));
    assert!(with(&["--labels", "l.csv", "mlp@1"], "3").status.success());
    assert_eq!(room.text("l.csv"), text);
    // a few of them leave the others where they are
    assert!(
        with(&["--labels", "l.csv", "mlp@1", "--limit", "1"], "3")
            .status
            .success()
    );
    assert_eq!(room.text("l.csv"), text);
    // a labelled file needs no engine
    assert!(
        room.succeed(&["-p", "l.csv", "mlp@1", "-o", "again"])
            .contains("4 positions, reference Enroc")
    );
    let other = with(&["--labels", "l.csv"], "4");
    let complaint = String::from_utf8(other.stderr).unwrap();
    assert!(other.status.code() == Some(2), "{complaint}");
    for word in ["l.csv", "at depth 3", "at depth 4", "--labels"] {
        assert!(complaint.contains(word), "{complaint}");
    }
    room.engine("");
    let complaint = room.fail(&[
        "-p", "list.fen", "--engine", "./fake", "--depth", "3", "--labels", "l.csv",
    ]);
    assert!(complaint.contains("Fake 1 at depth 3"), "{complaint}");
}

#[test]
fn a_dying_engine_keeps_what_it_said_and_the_run_goes_on() {
    let room = Room::new();
    let mut label = labels("2");
    label.extend(["--labels-only", "--labels", "l.csv"]);
    room.succeed(&label);
    room.engine("[ $n -lt 3 ] || exit 7");
    let run = ["-p", "l.csv", "./fake@depth:1", "-o", "out"];
    let complaint = room.fail(&run);
    for word in [
        "fake@depth:1",
        "ended by itself",
        "7",
        "2 of its answers are kept",
        "continues from there",
    ] {
        assert!(complaint.contains(word), "{complaint}");
    }
    let kept = room.text("out/answers/Fake_1_@depth_1.csv");
    assert_eq!(kept.lines().count(), 4);
    room.engine("");
    assert!(room.succeed(&run).contains("fake@depth:1"));
    let all = room.text("out/answers/Fake_1_@depth_1.csv");
    assert!(all.lines().count() == 6 && all.starts_with(&kept));
    // another list in the same folder leaves them where they are
    room.write(
        "few.csv",
        &room.text("l.csv").lines().take(3).collect::<Vec<_>>().join("\n"),
    );
    room.succeed(&["-p", "few.csv", "./fake@depth:1", "-o", "out", "--restart"]);
    room.succeed(&["-p", "few.csv", "./fake@depth:1", "-o", "out"]);
    // other options make another contestant
    room.succeed(&[
        "-p",
        "few.csv",
        "./fake@depth:1",
        "-o",
        "out",
        "--option",
        "Style=9",
    ]);
    assert_eq!(
        room.text("out/answers/Fake_1_Style_9_@depth_1.csv")
            .lines()
            .count(),
        3
    );
    // while it labels, too
    room.engine("[ $n -lt 3 ] || exit 7");
    let complaint = room.fail(&[
        "-p", "list.fen", "--engine", "./fake", "--nodes", "10", "-o", "other",
    ]);
    assert!(
        complaint.contains("1 of 4 legal moves") && complaint.contains("such as nodes 80"),
        "{complaint}"
    );
}

#[test]
fn an_engine_may_have_arguments_and_a_path_with_blanks() {
    let room = Room::new();
    room.engine("[ \"$STYLE\" = \"a b\" ] || exit 3");
    fs::create_dir(room.path("my engines")).unwrap();
    fs::rename(room.path("fake"), room.path("my engines/fake")).unwrap();
    let mut label = labels("2");
    label.extend(["--labels-only", "--labels", "l.csv"]);
    room.succeed(&label);
    let engine = "env 'STYLE=a b' \"my engines/fake\"@depth:1";
    let printed = room.succeed(&["-p", "l.csv", engine]);
    assert!(printed.contains("\nenv STYLE=a b fake@depth:1 "), "{printed}");
    let complaint = room.fail(&["-p", "l.csv", "sh 'my engines/fake@depth:1"]);
    assert!(complaint.contains("a quotation does not end"), "{complaint}");
}

#[test]
fn bad_input_is_one_clear_line() {
    let room = Room::new();
    room.write(
        "over.fen",
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3\n",
    );
    room.write("illegal.fen", "# kings\n7k/8/8/8/8/8/8/K6k w - - 0 1\n");
    room.write(
        "short.csv",
        "# labels: x\nid,result,fen,moves\n1,*,7k/p7/8/8/8/8/P7/K7 w - - 0 1,a1b1:3\n",
    );
    room.write("broken.csv", "id,result,fen,moves\n");
    room.write("empty.fen", "\n");
    room.write("x.doc", "");
    fs::create_dir(room.path("folder")).unwrap();
    for (arguments, words) in [
        (&["-p", "over.fen"][..], &["over.fen", "line 1", "checkmate"][..]),
        (&["-p", "illegal.fen"], &["illegal.fen", "line 2"]),
        (&["-p", "short.csv"], &["short.csv", "line 3", "4 are legal"]),
        (&["-p", "broken.csv"], &["broken.csv", "labels"]),
        (&["-p", "empty.fen"], &["no positions"]),
        (&["-p", "missing.fen"], &["missing.fen"]),
        (&["-p", "x.doc"], &["x.doc", ".csv"]),
        (&["-p", "folder"], &["folder", ".pgn"]),
        (&["-p", "list.fen"], &["--engine stockfish --depth 16"]),
        (&["mlp"], &["'mlp'", "mlp@2"]),
        (&["mlp@2+x"], &["2+x"]),
        (&["nobody@depth:2"], &["nobody", "neither a net"]),
        (&["no.safetensors@2"], &["no.safetensors"]),
        (&["--engine", "stockfish"], &["--depth"]),
        (
            &["-p", "list.fen", "--engine", "no-such-engine", "--depth", "2"],
            &["no-such-engine"],
        ),
        (&["--limit", "0"], &["limit"]),
    ] {
        let complaint = room.fail(arguments);
        for word in words {
            assert!(complaint.contains(word), "{arguments:?}: {complaint}");
        }
    }
    assert_eq!(run(&["compare", "--help"]).status.code(), Some(0));
}

#[test]
fn the_report_opens_in_a_browser_and_asks_for_nothing() {
    let Some(browser) = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok())
    else {
        println!("skipped: there is no Chromium here to open the report with");
        return;
    };
    let room = Room::new();
    room.succeed(&["mlp@1", "mlp@1+q", "--limit", "12"]);
    let log = room.path("net.json");
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--enable-logging=stderr",
            "--dump-dom",
        ])
        .args([
            "--disable-background-networking",
            "--disable-component-update",
            "--no-first-run",
        ])
        .arg(format!("--user-data-dir={}", room.path("profile").display()))
        .arg(format!("--log-net-log={}", log.display()))
        .arg(format!(
            "file://{}",
            room.path("comparison/report.html").display()
        ))
        .env("HOME", room.folder.path())
        .output()
        .unwrap();
    let [page, said] =
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(output.status.success(), "{said}");
    assert!(page.contains("Whose moves are the reference's?") && page.trim_end().ends_with("</html>"));
    assert!(!said.contains("CONSOLE"), "{said}");
    // a request of the page names the page's origin, which a file has as null
    let log = fs::read_to_string(&log).unwrap();
    assert!(!log.is_empty());
    assert!(!log.contains("\"initiator\":\"null\"") && !log.contains("\"initiator\":\"file://\""));
}

#[test]
fn a_second_run_does_not_touch_what_the_first_writes() {
    let room = Room::new();
    let folder = room.path("comparison");
    fs::create_dir(&folder).unwrap();
    let held = whole_file::lock(&folder).unwrap();
    let arguments = ["mlp@0", "--limit", "5"];
    assert!(room.fail(&arguments).contains("another run"));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    drop(held);
    room.succeed(&arguments);
}

/// Whichever colour it has.
#[test]
fn the_engine_that_breaks_a_match_off_is_named() {
    let room = Room::new();
    room.engine("exit 7");
    for [one, two, out] in [["./fake@depth:1", "mlp@1", "a"], ["mlp@1", "./fake@depth:1", "b"]] {
        let games = ["--games", "2", "--games-only", "--openings", "list.fen"];
        let complaint = room.fail(&[&[one, two, "-o", out][..], &games].concat());
        let (before, _) = complaint.split_once("ended by itself").expect(&complaint);
        assert!(
            before.contains("fake@depth:1") && !before.contains("mlp@1"),
            "{complaint}"
        );
    }
}
