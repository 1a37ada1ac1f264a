//! `enroc experiment`: what it prints, that it goes on where it stopped, and what it says of a damaged file.

mod client;

use client::run;

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
