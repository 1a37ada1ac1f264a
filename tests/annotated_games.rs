//! What an annotated game tells, checked against its moves.

mod client;

use client::run;
use std::fs;
use std::path::Path;

/// The games and the page that `enroc annotate` writes, and the words of the games in one line.
fn annotated(folder: &Path, game: &str) -> (String, String) {
    let [input, output] = ["in.pgn", "out.pgn"].map(|name| folder.join(name));
    fs::write(&input, game).expect("a file");
    let words = [&input, &output].map(|path| path.display().to_string());
    let done = run(&["annotate", &words[0], "-o", &words[1], "--nodes", "2000"]);
    assert!(done.status.success(), "{done:?}");
    let pgn = fs::read_to_string(output).expect("the game");
    let page = fs::read_to_string(folder.join("out.html")).expect("the page");
    (pgn.split_whitespace().collect::<Vec<_>>().join(" "), page)
}

/// The scores after the moves, one for each that has any.
fn scores(pgn: &str) -> Vec<&str> {
    let after = pgn.split("[%eval ").skip(1);
    after.filter_map(|rest| rest.split(']').next()).collect()
}

#[test]
fn the_side_that_blunders_has_the_lower_accuracy_and_the_blunder() {
    let folder = tempfile::tempdir().expect("a folder");
    let header = "[SetUp \"1\"]\n[FEN \"4k3/pppp4/8/8/8/8/PPPP4/3QK3 w - - 0 1\"]\n\n";
    // White leaves the queen where a pawn takes it
    let (pgn, page) = annotated(
        folder.path(),
        &format!("{header}1. Qh5+ Kd8 2. Qc5 d6 3. Qxc7+ Kxc7 *\n"),
    );
    let accuracy = |side: &str| -> f64 {
        let (_, rest) = pgn.split_once(&format!("{side} ")).expect("a side");
        rest.split(' ')
            .next()
            .expect("a number")
            .parse()
            .expect("a number")
    };
    let words = pgn.split_once("Accuracy: ").expect("accuracies").1;
    assert!(words.starts_with("White "), "{words}");
    assert!(
        accuracy("Accuracy: White") + 10.0 < accuracy("; Black"),
        "{words}"
    );
    let row = page
        .split("Blunders</th>")
        .nth(1)
        .and_then(|rest| rest.split("</tr>").next());
    let cells: Vec<&str> = row.expect("a row").split("<td>").skip(1).collect();
    assert!(
        cells[0].starts_with('1') || cells[0].starts_with('2'),
        "{cells:?}"
    );
    assert!(cells[1].starts_with('0'), "{cells:?}");
}

#[test]
fn a_mate_is_counted_from_the_position_after_the_move() {
    let folder = tempfile::tempdir().expect("a folder");
    for (fen, moves, expected) in [
        (
            "7k/8/5K2/8/8/8/8/R7 w - - 0 1",
            "1. Kf7 Kh7 2. Rh1#",
            ["#1", "#1"],
        ),
        (
            "r7/8/8/8/8/5k2/8/7K b - - 0 1",
            "1... Kf2 2. Kh2 Rh8#",
            ["#-1", "#-1"],
        ),
    ] {
        let game = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{moves} *\n");
        assert_eq!(scores(&annotated(folder.path(), &game).0), expected, "{fen}");
    }
}

#[test]
fn the_third_time_a_position_comes_it_is_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = "[SetUp \"1\"]\n[FEN \"6k1/5pp1/7p/8/8/7P/5PP1/Q5K1 w - - 0 1\"]\n\n\
        1. Kf1 Kh7 2. Kg1 Kg8 3. Kf1 Kh7 4. Kg1 Kg8 *\n";
    let (pgn, _) = annotated(folder.path(), game);
    let scores = scores(&pgn);
    assert_eq!(scores.last(), Some(&"0.00"), "{pgn}");
    let first: f64 = scores[0].parse().expect("pawns");
    assert!(first > 3.0, "{pgn}");
}

#[test]
fn what_is_not_known_of_a_game_is_not_shown_and_its_result_is_that_of_its_moves() {
    let folder = tempfile::tempdir().expect("a folder");
    let tags = "[Event \"?\"]\n[Site \"Vienna\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"A\"]\n\
        [Black \"B\"]\n[Result \"1-0 \"]\n\n";
    let (pgn, page) = annotated(folder.path(), &format!("{tags}1. e4 e5 0-1\n"));
    let header = page
        .split("<header>")
        .nth(1)
        .and_then(|rest| rest.split("</header>").next());
    let header = header.expect("a header");
    assert!(header.contains("<p>Vienna</p>"), "{header}");
    let ending = pgn.rsplit(' ').next().expect("a result");
    assert!(pgn.contains(&format!("[Result \"{ending}\"]")), "{pgn}");
    assert!(header.contains(ending), "{header}");
}

#[test]
fn games_are_annotated_with_the_net_that_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let [input, output] = ["in.pgn", "out.pgn"].map(|name| folder.path().join(name).display().to_string());
    fs::write(&input, "1. e4 *\n").expect("a file");
    let done = run(&[
        "annotate",
        &input,
        "-o",
        &output,
        "--net",
        "no-such-net.safetensors",
    ]);
    assert_eq!(done.status.code(), Some(2), "{done:?}");
    assert!(
        String::from_utf8_lossy(&done.stderr).contains("no-such-net.safetensors"),
        "{done:?}"
    );
}
