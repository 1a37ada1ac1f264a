//! Endgame tablebases in the engine: what they change in a search, and how that is told.

mod client;

use client::{Client, after};
use enroc::board::Position;

/// Five tables of three pieces.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/syzygy");

fn with_tables() -> Client {
    let mut client = Client::start();
    let told = client.answers(&format!("setoption name SyzygyPath value {FOLDER}"));
    assert_eq!(
        told,
        ["info string tablebases: 5 WDL and 5 DTZ tables of up to 3 pieces"]
    );
    client
}

fn number(line: &str, word: &str) -> i64 {
    after(line, word)
        .and_then(|number| number.parse().ok())
        .unwrap_or_default()
}

/// The last line of thought of a search, and its move.
fn search(client: &mut Client, position: &str, go: &str) -> (String, String) {
    client.send(&format!("position {position}"));
    client.send(go);
    let lines = client.until("bestmove");
    let thought = lines.iter().rfind(|line| line.starts_with("info depth"));
    let best = after(&lines[lines.len() - 1], "bestmove");
    (
        thought.expect("a line").clone(),
        best.expect("a move").to_string(),
    )
}

#[test]
fn a_won_and_a_drawn_root_are_known_at_once() {
    let mut client = with_tables();
    let (line, _) = search(&mut client, "fen 8/8/1k6/8/3K4/3P4/8/8 w - - 0 1", "go depth 1");
    assert!(
        number(&line, "cp") > 30_000 && number(&line, "tbhits") > 0,
        "{line}"
    );
    let (line, _) = search(&mut client, "fen k7/8/8/P7/8/8/8/K7 w - - 0 1", "go depth 4");
    assert_eq!(number(&line, "cp"), 0, "{line}");
    let (line, _) = search(&mut client, "fen 8/8/8/8/3k4/8/8/K6R b - - 0 1", "go depth 1");
    assert!(number(&line, "cp") < -30_000, "{line}");
    // a mate that the search sees is told as one
    let (line, best) = search(&mut client, "fen k7/8/1K6/8/8/8/8/7R w - - 0 1", "go depth 4");
    assert_eq!((after(&line, "mate"), best.as_str()), (Some("1"), "h1h8"));
    assert!(client.quit().0.success());
}

#[test]
fn results_are_asked_inside_the_search() {
    let mut client = with_tables();
    // taking the pawn leads to a won rook ending
    let root = "fen 8/8/8/3k4/8/8/p7/K6R w - - 0 1";
    let (line, _) = search(&mut client, root, "go depth 6");
    assert!(number(&line, "tbhits") > 0, "{line}");
    assert!(number(&line, "cp") > 30_000, "{line}");
    for (option, value) in [("SyzygyProbeLimit", "0"), ("SyzygyPath", "<empty>")] {
        let mut client = with_tables();
        client.send(&format!("setoption name {option} value {value}"));
        let (line, _) = search(&mut client, root, "go depth 6");
        assert_eq!(number(&line, "tbhits"), 0, "{line}");
        assert!(client.quit().0.success());
    }
    assert!(client.quit().0.success());
}

#[test]
fn a_won_ending_is_won_by_the_engine() {
    let mut client = with_tables();
    for start in ["8/8/8/3k4/8/8/8/K6R w - - 0 1", "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"] {
        let mut moves = String::new();
        let mut position = Position::from_fen(start).expect("a position");
        for _ in 0..150 {
            if !position.has_moves() {
                break;
            }
            let (_, best) = search(&mut client, &format!("fen {start} moves{moves}"), "go depth 1");
            moves.push_str(&format!(" {best}"));
            position.make(position.parse_uci(&best).expect("a legal move"));
        }
        assert!(
            position.in_check() && !position.has_moves(),
            "{start} moves{moves}"
        );
    }
    assert!(client.quit().0.success());
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let mut client = Client::start();
    let told = client.answers("setoption name SyzygyPath value /no/such/folder");
    assert!(told.len() == 2 && told[0].contains("/no/such/folder"), "{told:?}");
    client.send("go depth 2");
    client.until("bestmove");
    assert_eq!(
        client.answers("setoption name SyzygyPath value <empty>"),
        Vec::<String>::new()
    );
    assert!(client.quit().0.success());
}

/// Taking the pawn leads to a won rook ending.
const A_CAPTURE_AWAY: &str = "fen 8/8/8/3k4/8/8/p7/K6R w - - 0 1";
const WON: &str = "fen 8/8/8/3k4/8/8/8/K6R w - - 0 1";

/// The last line of thought with an option.
fn thought_with(option: &str, position: &str, go: &str) -> String {
    let mut client = with_tables();
    client.send(&format!("setoption name {option}"));
    let (line, _) = search(&mut client, position, go);
    assert!(client.quit().0.success());
    line
}

#[test]
fn tables_are_not_asked_where_an_option_forbids_it() {
    let level = "UCI_LimitStrength value true";
    for option in ["SyzygyProbeLimit value 2", "LookAhead value 2", level] {
        for position in [WON, A_CAPTURE_AWAY] {
            let line = thought_with(option, position, "go depth 2");
            assert_eq!(number(&line, "tbhits"), 0, "{option}: {line}");
        }
    }
    let line = thought_with("SyzygyProbeDepth value 100", A_CAPTURE_AWAY, "go depth 6");
    assert_eq!(number(&line, "tbhits"), 0, "{line}");
}

/// The mate takes more moves than the rule leaves.
#[test]
fn a_win_that_comes_too_late_counts_only_without_the_fifty_move_rule() {
    let late = "fen 8/8/8/3k4/8/8/8/K6R w - - 90 90";
    let line = thought_with("Syzygy50MoveRule value true", late, "go depth 2");
    assert!(number(&line, "cp").abs() < 10, "{line}");
    let line = thought_with("Syzygy50MoveRule value false", late, "go depth 2");
    assert!(number(&line, "cp") > 30_000, "{line}");
}
