//! `enroc explain` and `enroc annotate` from outside.

mod client;

use client::run;
use enroc::board::pgn::PgnGame;
use enroc::support::whole_file;
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::iter::successors;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const FOOLS_MATE: &str = "[Event \"Club \\\"A\\\"\"]\n[White \"Fool\"]\n[Black \"Player\"]\n[Result \"0-1\"]\n\n\
    1. f3 {a comment} e5 2. g4 (2. e4 Nf6) Qh4# 0-1\n\n";
const BROKEN: &str = "[White \"Nobody\"]\n[Black \"No one\"]\n\n1. e4 e5 2. Ke3 *\n\n";
const SHORT: &str = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qd6 1/2-1/2\n";

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// The one line with which the program refuses.
fn refused(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let complaint = text(&output.stderr);
    assert_eq!(complaint.trim_end().lines().count(), 1, "{complaint}");
    complaint
}

fn objects(output: &Output) -> Vec<Value> {
    let lines = text(&output.stdout);
    let read = |line| serde_json::from_str(line).expect(line);
    lines.lines().map(read).collect()
}

#[test]
fn moves_are_explained_in_both_notations_and_the_answer_repeats() {
    let arguments = ["explain", "startpos", "Nf3", "e2e4", "--json", "--nodes", "2000"];
    let first = run(&arguments);
    assert!(first.status.success(), "{first:?}");
    let found = objects(&first);
    assert_eq!(found.len(), 2);
    assert_eq!(
        (&found[0]["san"], &found[1]["san"]),
        (&"Nf3".into(), &"e4".into())
    );
    assert_eq!(first.stdout, run(&arguments).stdout);
}

#[test]
fn a_line_is_named_without_a_search() {
    let output = run(&[
        "explain",
        "r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1",
        "--line",
        "b5c7 e8d7 c7a8",
        "--json",
    ]);
    let found = objects(&output);
    let claims = found[0]["claims"].as_array().expect("claims");
    let has = |motif: &str, ply: i32| {
        claims
            .iter()
            .any(|claim| claim["motif"] == motif && claim["ply"] == ply)
    };
    assert!(
        has("fork", 0) && has("takes_free", 2) && has("material", 2),
        "{claims:?}"
    );
    assert_eq!(found[0]["line"][2], "c7a8");
}

#[test]
fn what_cannot_be_explained_is_named() {
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    for (arguments, named) in [
        (&["explain", "startpos", "e5"][..], "'e5'"),
        (&["explain", "startpos", "hello"], "'hello'"),
        (&["explain", "8/8 w - -", "e4"], "8/8 w - -"),
        (&["explain", "startpos"], "no move"),
        (&["explain", mated, "e4"], "White is mated"),
        (&["explain", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "Kg8"], "stalemate"),
        (&["explain", "startpos", "--line", "e4 e4"], "move 2"),
        (&["explain", "startpos", "e4", "--nodes", "0"], "nodes"),
        (
            &["explain", "startpos", "e4", "--net", "/no/such/net"],
            "/no/such/net",
        ),
    ] {
        let complaint = refused(&run(arguments));
        assert!(complaint.contains(named), "{complaint}");
    }
}

#[test]
fn positions_are_read_from_standard_input_and_a_bad_one_is_passed_over() {
    let mut program = Command::new(env!("CARGO_BIN_EXE_enroc"))
        .args(["explain", "-", "--json", "--nodes", "500"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let lines = format!("{start}\te4 d4\n{start}\tKe2\n{start}\tc4\n");
    let mut input = program.stdin.take().expect("its input");
    input.write_all(lines.as_bytes()).expect("it reads");
    drop(input);
    let output = program.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(2));
    let moves: Vec<Value> = objects(&output)
        .iter()
        .map(|found| found["san"].clone())
        .collect();
    assert_eq!(moves, ["e4", "d4", "c4"]);
    let complaints = text(&output.stderr);
    assert!(
        complaints.contains("line 2") && complaints.contains("1 of 3"),
        "{complaints}"
    );
}

/// A game as the reader of games has it, which finds nothing wrong.
fn read_back(pgn: &str) -> PgnGame {
    let (game, problems) = enroc::board::pgn::read(pgn).remove(0);
    assert!(problems.is_empty(), "{problems:?}");
    game
}

/// The nodes of a game's main line.
fn main_line(game: &PgnGame) -> Vec<usize> {
    let after = |at: Option<usize>| game.nodes.iter().position(|node| node.parent == at);
    successors(after(None), |&at| after(Some(at))).collect()
}

/// A game with its annotations, from a folder that has them.
fn annotated_game(folder: &Path, game: &str) -> String {
    assert!(annotated(folder, game, &[]).status.success());
    fs::read_to_string(folder.join("out.pgn")).expect("the game")
}

fn annotated(folder: &Path, games: &str, more: &[&str]) -> Output {
    let (input, output) = (folder.join("in.pgn"), folder.join("out.pgn"));
    fs::write(&input, games).expect("a file");
    let input = input.display().to_string();
    let output = output.display().to_string();
    let arguments = [&["annotate", &input, "-o", &output, "--nodes", "1000"], more].concat();
    run(&arguments)
}

#[test]
fn games_are_annotated_and_a_broken_one_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = format!("{FOOLS_MATE}{BROKEN}{SHORT}");
    let output = annotated(folder.path(), &games, &[]);
    assert!(output.status.success(), "{output:?}");
    let complaint = text(&output.stderr);
    assert_eq!(complaint.trim_end().lines().count(), 1, "{complaint}");
    for named in ["game 2", "Nobody – No one", "2. Ke3"] {
        assert!(complaint.contains(named), "{complaint}");
    }
    let pgn = fs::read_to_string(folder.path().join("out.pgn")).expect("the games");
    assert!(
        pgn.contains("[Event \"Club \\\"A\\\"\"]") && pgn.contains("[Annotator \"Enroc\"]"),
        "{pgn}"
    );
    let joined: String = pgn.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["2. g4 $4", "[%eval #-1]", "2... Qh4#", "0-1", "3. Nc3", "1/2-1/2"] {
        assert!(joined.contains(part), "{part}: {pgn}");
    }
    assert!(joined.contains("Worth another try: 2.g4."), "{pgn}");
    // a variation says whose move it begins with, and after that only White's moves have numbers
    let (_, variation) = joined.split_once(" (2. ").expect("a better second move");
    let (variation, _) = variation.split_once(')').expect("its end");
    assert!(
        variation.contains(" 3. ") && !variation.contains("..."),
        "{variation}"
    );
    assert!(
        !pgn.contains("Ke3") && pgn.lines().all(|line| line.chars().count() < 80),
        "{pgn}"
    );
    let page = fs::read_to_string(folder.path().join("out.html")).expect("the page");
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(page.contains("Club &quot;A&quot;") && page.matches("<article").count() == 3);
    for outside in ["http:", "https:", "<script", "@import", "src="] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(!folder.path().join("out.pgn.part").exists());
    // what was written is read again, comments and variations included
    fs::copy(folder.path().join("out.pgn"), folder.path().join("again.pgn")).expect("a copy");
    let again = fs::read_to_string(folder.path().join("again.pgn")).expect("the copy");
    let output = annotated(folder.path(), &again, &[]);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    assert_eq!(
        fs::read_to_string(folder.path().join("out.pgn")).expect("the games"),
        pgn
    );
}

/// Long games are searched in pieces.
#[test]
fn a_long_game_is_annotated_as_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 \
        10. d4 Nbd7 11. c4 c6 12. cxb5 axb5 13. Nc3 Bb7 14. Bg5 b4 15. Nb1 h6 16. Bh4 c5 17. dxe5 Nxe4 18. Bxe7 Qxe7 \
        19. exd6 Qf6 20. Nbd2 Nxd6 21. Nc4 Nxc4 22. Bxc4 Nb6 *\n";
    assert!(
        annotated(folder.path(), game, &["--threads", "2"])
            .status
            .success()
    );
    let pgn = fs::read_to_string(folder.path().join("out.pgn")).expect("the game");
    assert_eq!(enroc::board::pgn::read(&pgn).len(), 1, "{pgn}");
    let game = read_back(&pgn);
    let main_line = main_line(&game);
    assert_eq!(main_line.len(), 44);
    for at in main_line {
        let comment = game.nodes[at].comment.as_deref();
        assert!(
            comment.is_some_and(|comment| comment.contains("[%eval ")),
            "{}: {pgn}",
            game.san(at)
        );
    }
    let page = fs::read_to_string(folder.path().join("out.html")).expect("the page");
    assert_eq!(page.matches("<article").count(), 1);
}

/// Whatever ends the lines, and whether comments hold some.
#[test]
fn what_cannot_be_read_is_named_by_its_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let lines = [
        "[White \"Nobody\"]",
        "",
        "{A comment",
        "of three",
        "lines} 1. e4 e5 2. Ke3 *",
        "",
    ];
    for end in ["\n", "\r\n", "\r"] {
        let complaint = text(&annotated(folder.path(), &lines.join(end), &["--restart"]).stderr);
        assert!(complaint.contains("(line 5)"), "{end:?}: {complaint}");
    }
}

/// The score after a move is what the next one starts from, and glyph, sign and words follow from the two scores as on
/// Lichess.
#[test]
fn what_is_known_of_a_move_is_handed_back_to_the_one_before() {
    let folder = tempfile::tempdir().expect("a folder");
    let game =
        "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Nf3 g6 4. Qxe5+ Nxe5 5. Nxe5 d5 6. exd5 *\n";
    let pgn = annotated_game(folder.path(), game);
    let page = fs::read_to_string(folder.path().join("out.html")).expect("the page");
    let game = read_back(&pgn);
    let main_line = main_line(&game);
    assert_eq!(main_line.len(), 11);
    // 4.Qxe5+ loses the queen, and both scores tell it
    let loses_the_queen = main_line[6];
    let mut bad = 0;
    for at in main_line {
        let node = &game.nodes[at];
        let comment = node.comment.as_deref().expect("a score");
        let given = node.nags.iter().copied().find(|&nag| nag != 1);
        for (glyph, sign, told) in [
            (6, "?!", "is inaccurate."),
            (2, "?", "is a mistake."),
            (4, "??", "is a blunder."),
        ] {
            assert_eq!(comment.contains(told), given == Some(glyph), "{comment}");
            if given == Some(glyph) {
                let san = game.san(at);
                assert!(page.contains(&format!(">{san}{sign}<small>")), "{san}{sign}");
            }
        }
        bad += usize::from(given.is_some());
    }
    assert!(bad > 0);
    assert_eq!(game.san(loses_the_queen), "Qxe5+");
    assert!(game.nodes[loses_the_queen].nags.contains(&4), "{pgn}");
}

/// The curve of the page lies as high over its middle as White's expected score by Lichess's formula is over a half.
#[test]
fn the_curve_of_the_page_follows_the_scores() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n";
    let pgn = annotated_game(folder.path(), game);
    let page = fs::read_to_string(folder.path().join("out.html")).expect("the page");
    let curve = page
        .split("class=\"curve\" d=\"M0 ")
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    let numbers = |point: &str| -> Vec<f64> {
        point
            .split(' ')
            .map(|number| number.parse().expect("a number"))
            .collect()
    };
    let points: Vec<Vec<f64>> = curve.expect("a curve").split('L').skip(1).map(numbers).collect();
    let scores = pgn
        .split("[%eval ")
        .skip(1)
        .map(|rest| rest.split(']').next().expect("a score"));
    let expected = |score: &str| match score.strip_prefix('#') {
        Some(mate) => {
            if mate.starts_with('-') {
                -1.0
            } else {
                1.0
            }
        }
        None => 2.0 / (1.0 + (-0.368208 * score.parse::<f64>().expect("pawns")).exp()) - 1.0,
    };
    let heights: Vec<f64> = scores.map(|score| 90.0 * (1.0 - expected(score))).collect();
    assert!(heights.len() >= 6 && points.len() == 7, "{pgn}\n{page}");
    for (ply, (point, height)) in points.iter().zip(&heights).enumerate() {
        let across = 800.0 / 7.0 * (ply + 1) as f64;
        assert!(
            (point[0] - across).abs() < 0.1 && (point[1] - height).abs() < 1.0,
            "{ply}: {point:?} {height}"
        );
    }
    assert!(points.last().is_some_and(|last| last[1] == 0.0), "{points:?}");
}

/// Réti's study: some moves are the only ones, and not easy to see. Those that others would have done as well have no sign.
#[test]
fn the_only_good_move_has_its_sign_where_it_is_hard_to_see() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = "[SetUp \"1\"]\n[FEN \"7K/8/k1P5/7p/8/8/8/8 w - - 0 1\"]\n\n1. Kg7 Kb6 2. Kf6 h4 3. Ke5 Kxc6 4. Kf4 *\n";
    let pgn = annotated_game(folder.path(), game);
    let game = read_back(&pgn);
    let signed = |san: &str| {
        let mut main_line = main_line(&game).into_iter();
        let at = main_line.find(|&at| game.san(at) == san).expect("a move");
        game.nodes[at].nags.contains(&1)
    };
    assert!(signed("Kf6") && signed("Ke5"), "{pgn}");
    assert!(!signed("Kb6") && !signed("h4"), "{pgn}");
}

#[test]
fn threads_change_nothing_and_the_journal_of_another_run_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = format!("{FOOLS_MATE}{SHORT}");
    assert!(
        annotated(folder.path(), &games, &["--threads", "1"])
            .status
            .success()
    );
    let whole = fs::read_to_string(folder.path().join("out.pgn")).expect("the games");
    assert!(
        annotated(folder.path(), &games, &["--threads", "3"])
            .status
            .success()
    );
    assert_eq!(
        fs::read_to_string(folder.path().join("out.pgn")).expect("the games"),
        whole
    );
    let journal = folder.path().join("out.pgn.part");
    fs::write(&journal, "another run\n").expect("a journal");
    let complaint = refused(&annotated(folder.path(), &games, &[]));
    assert!(complaint.contains("--restart"), "{complaint}");
    assert!(annotated(folder.path(), &games, &["--restart"]).status.success());
    assert!(!journal.exists());
}

#[test]
fn files_that_cannot_be_annotated_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(folder.path().join("broken.pgn"), BROKEN).expect("a file");
    fs::write(folder.path().join("empty.pgn"), "").expect("a file");
    let (missing, empty, out) = (path("missing.pgn"), path("empty.pgn"), path("out.pgn"));
    let broken = path("broken.pgn");
    for (input, output, named) in [
        (&missing, &out, "missing.pgn"),
        (&empty, &out, "empty.pgn"),
        (&empty, &empty, "files that are read"),
        (&broken, &path("out.html"), "-o"),
        (&broken, &path("out.pgn.gz"), "not compressed"),
        (&broken, &path("."), "folder"),
        (&broken, &"/dev/null".to_string(), "device"),
    ] {
        let complaint = refused(&run(&["annotate", input, "-o", output]));
        assert!(complaint.contains(named), "{complaint}");
    }
    // another name of the games' file is no other file
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&out, path("out.html")).expect("a link");
        let complaint = refused(&run(&["annotate", &broken, "-o", &out]));
        assert!(complaint.contains("where the page goes"), "{complaint}");
        fs::remove_file(path("out.html")).expect("the link");
    }
    fs::write(
        folder.path().join("broken.pgn"),
        "1. Ke3 e5 *\n\n[Event \"x\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n",
    )
    .expect("a file");
    let output = run(&["annotate", &broken, "-o", &out]);
    assert_eq!(output.status.code(), Some(2));
    let complaints = text(&output.stderr);
    assert!(
        complaints.contains("1. Ke3") && complaints.contains("Atomic"),
        "{complaints}"
    );
}

#[test]
fn a_second_run_does_not_touch_what_the_first_writes() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.pgn"), folder.path().join("out.pgn"));
    fs::write(&input, SHORT).unwrap();
    let journal = folder.path().join("out.pgn.part");
    fs::write(&journal, "of the first run\n").unwrap();
    let annotate = || {
        let [input, output] = [&input, &output].map(|path| path.to_str().unwrap());
        run(&["annotate", input, "-o", output, "--nodes", "50", "--restart"])
    };
    let held = whole_file::lock_name(&output).unwrap();
    assert!(refused(&annotate()).contains("another run"));
    assert_eq!(fs::read_to_string(&journal).unwrap(), "of the first run\n");
    drop(held);
    assert!(annotate().status.success());
    let mut left: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert_eq!(left, ["in.pgn", "out.html", "out.pgn"]);
}
