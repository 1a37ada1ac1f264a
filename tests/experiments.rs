//! `enroc experiment`: what it prints, that it goes on where it stopped, and what it says of a damaged file.

mod client;

use client::{Client, run};
use std::path::Path;

#[test]
fn the_homework_is_played_and_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().display().to_string();
    let play = |games: &str| {
        let arguments = [
            "experiment",
            "homework",
            "--plies",
            "1",
            "--self-play",
            "1",
            "--games",
            games,
        ];
        run(&[&arguments[..], &["--out", &out]].concat())
    };
    let lines = |games: &str| -> Vec<String> {
        let output = play(games);
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8(output.stdout).expect("text");
        text.lines().map(str::to_string).collect()
    };
    let first = lines("1");
    assert!(
        first[0].starts_with("game 1: minimax at 1 plies - minimax at 1 plies "),
        "{}",
        first[0]
    );
    assert!(
        first[1].starts_with("game 2: regressor - minimax at 1 plies "),
        "{}",
        first[1]
    );
    assert!(
        first[1].contains("moves of data, error ") && first[1].contains(" of 1"),
        "{}",
        first[1]
    );
    // only what is new is told, and the table counts all
    let second = lines("2");
    assert!(second[0].starts_with("game 3: regressor"), "{}", second[0]);
    let table = second
        .iter()
        .position(|line| line.starts_with("plies"))
        .expect("a table");
    assert_eq!(
        second[table + 1].split_whitespace().take(2).collect::<Vec<_>>(),
        ["1", "2"]
    );
    assert!(second.iter().any(|line| line.contains("predicted, held out: ")));
    let named = |name: &str| folder.path().join(name);
    let players = second.last().expect("a line");
    assert!(
        players.contains(&named("regressor.safetensors").display().to_string()),
        "{players}"
    );
    plays_by_uci(&named("minimax.safetensors"), &named("regressor.safetensors"));
    let file = folder.path().join("games.jsonl");
    let text = std::fs::read_to_string(&file).expect("the games");
    let damaged = &text[..text.len() / 2];
    std::fs::write(&file, damaged).expect("a damaged file");
    let refused = play("2");
    let complaint = String::from_utf8(refused.stderr).expect("text");
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(complaint.lines().count(), 1, "{complaint}");
    assert!(
        complaint.contains("games.jsonl, line ") && complaint.contains("--restart"),
        "{complaint}"
    );
    assert_eq!(std::fs::read_to_string(&file).expect("the file"), damaged);
}

/// Minimax takes the queen that hangs, the regressor the same whatever stands on the board, and both only what they may.
fn plays_by_uci(minimax: &Path, regressor: &Path) {
    let mut client = Client::start();
    client.answers("setoption name LookAhead value 1");
    let mut best = |net: &Path, go: &str| {
        let told = client.answers(&format!("setoption name EvalFile value {}", net.display()));
        // nothing is told of a net that is there already
        let is_known = |line: &String| line.ends_with("(homework), computed by: hand-written rules");
        assert!(told.iter().all(is_known), "{told:?}");
        client.send("position fen q3k3/8/8/8/8/8/8/R3K3 w - - 0 1");
        client.send(go);
        client.until("bestmove").pop().expect("a move")
    };
    assert!(best(minimax, "go movetime 50").starts_with("bestmove a1a8"));
    assert!(best(minimax, "go depth 9 searchmoves e1e2").starts_with("bestmove e1e2"));
    let chosen = best(regressor, "go movetime 50");
    assert_eq!(best(regressor, "go depth 9"), chosen);
    for only in ["e1d1", "a1b1"] {
        let played = best(regressor, &format!("go depth 9 searchmoves {only}"));
        assert!(played.starts_with(&format!("bestmove {only}")), "{played}");
    }
    assert!(client.quit().0.success());
}

/// A few hundred moves of made-up games, in rows as `enroc data` reads them.
fn rows() -> String {
    let mut text = String::new();
    for game in 0..60usize {
        let mut position = enroc::board::Position::default();
        for ply in 0..14usize {
            let moves = position.legal_moves();
            let m = moves[(game * 7 + ply * 11 + game * ply) % moves.len()];
            if ply >= 4 {
                let (fen, origin) = (position.to_fen(false), ply - 4);
                let score = (game * 97 + ply * 31) % 2_000;
                text += &format!("{fen},{},{},r{origin}\n", score as i32 - 1_000, m.to_uci(false));
            }
            position.play(m);
        }
    }
    text
}

/// A short training of nets of classes, before the number of positions.
const TRAIN: [&str; 9] = [
    "experiment",
    "classes",
    "--only",
    "moves",
    "--test",
    "20",
    "--epochs",
    "1",
    "--positions",
];

#[test]
fn classes_are_trained_and_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("rows.csv");
    std::fs::write(&data, rows()).expect("rows");
    let out = folder.path().join("out");
    let [data, out_name] = [&data, &out].map(|path| path.display().to_string());
    let train = |positions: &str, more: &[&str]| {
        run(&[
            &TRAIN[..],
            &[positions, "--threads", "2", "--out", &out_name],
            more,
        ]
        .concat())
    };
    let output = train("100", &["--data", &data]);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("text");
    let lines: Vec<&str> = text.lines().collect();
    // a head of two lines; for each of three tasks the constant and four manners
    assert_eq!(lines.len(), 2 + 3 * 5, "{text}");
    assert!(lines[2].starts_with("| change of a move | nothing: the constant | "));
    assert!(lines[16].starts_with("| free file | bits, softmax | ") && lines[16].ends_with(" of 9 |"));
    let table = std::fs::read_to_string(out.join("table.md")).expect("the table");
    assert_eq!(table.trim_end(), text.trim_end());
    let picture = std::fs::read_to_string(out.join("classes.svg")).expect("the picture");
    assert!(picture.starts_with("<svg") && picture.contains("explanation"));
    let results = std::fs::read_to_string(out.join("results.jsonl")).expect("the results");
    assert_eq!(results.lines().count(), 1 + 4 * 23);
    // what is there is not trained again
    let again = train("100", &["--data", &data]);
    assert_eq!(String::from_utf8(again.stdout).expect("text"), text);
    for (positions, more, words) in [
        (
            "100",
            &["--data", &data, "--unit", "100"][..],
            "unit 1000, now 100",
        ),
        ("100", &["--data", "nowhere.csv"], "nowhere.csv"),
        ("100", &["--data", "Cargo.toml"], "Cargo.toml is neither"),
        ("100000", &["--data", &data], "too few moves"),
        ("0", &["--data", &data], "from 1 to"),
        ("100", &[], "--data"),
    ] {
        let refused = train(positions, more);
        let complaint = String::from_utf8(refused.stderr).expect("text");
        assert_eq!(refused.status.code(), Some(2), "{more:?}: {complaint}");
        assert!(complaint.contains(words), "{more:?}: {complaint}");
    }
    let kept = std::fs::read_to_string(out.join("results.jsonl")).expect("the results");
    assert_eq!(kept, results);
}

/// The nets are saved by the command and say what they think of a move; what is no such net is named.
#[test]
fn saved_nets_of_classes_explain_moves() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("rows.csv");
    std::fs::write(&data, rows()).expect("rows");
    let [data, out, nets] =
        ["rows.csv", "out", "out/nets"].map(|name| folder.path().join(name).display().to_string());
    let trained = run(&[&TRAIN[..], &["100", "--save", "--data", &data, "--out", &out]].concat());
    assert!(trained.status.success(), "{trained:?}");
    let explain = |nets: &str| {
        let output = run(&[
            "explain",
            "4k3/8/8/8/4r3/3P4/3PK3/8 w - - 0 1",
            "d3e4",
            "--nodes",
            "500",
            "--classes",
            nets,
        ]);
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (code, told, _) = explain(&nets);
    assert_eq!(code, Some(0));
    let of_nets: Vec<&str> = told.lines().filter(|line| line.contains(", layout ")).collect();
    assert_eq!(of_nets.len(), 4 * 23, "{told}");
    // what a net says wrongly of facts that rules decide is put right
    let facts = of_nets
        .iter()
        .filter(|line| line.starts_with("explanation (squares, softmax"));
    for line in facts {
        assert!(
            line.contains("it captures; ") || line.contains("it captures nothing (wrong: it captures)"),
            "{line}"
        );
    }
    let author = told.lines().last().expect("the author's text");
    assert!(
        author.contains("You have stopped the check and captured a piece"),
        "{author}"
    );
    let (code, _, complaint) = explain("nets/control-f344bada9d21.safetensors");
    assert_eq!(code, Some(2));
    assert!(complaint.contains("it is no net of classes"), "{complaint}");
}
