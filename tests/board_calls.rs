//! The calls of the board's page: rules, PGN, searches, networks, sessions.
#![cfg(feature = "board")]

mod served;

use serde_json::{Value, json};
use served::{HANGS, Served, endless};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// The legal move with this text.
fn legal<'a>(answer: &'a Value, san: &str) -> &'a Value {
    let moves = answer["legal"].as_array().expect("moves");
    moves
        .iter()
        .find(|m| m["san"] == san)
        .unwrap_or_else(|| panic!("no {san}: {moves:?}"))
}

fn state(start: &str, moves: &str) -> Value {
    let moves: Vec<&str> = moves.split_whitespace().collect();
    json!({ "state": { "start": start, "moves": moves } })
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn a_position_by_the_rules() {
    let served = Served::start();
    let ask = |start: &str, moves: &str| served.ask("/api/position", &state(start, moves));
    let game = ask(START, "e2e4 e7e5 g1f3");
    assert_eq!(
        (&game["turn"], &game["ply"], &game["result"]),
        (&json!("b"), &json!(3), &Value::Null)
    );
    assert_eq!(game["history"][2]["san"], "Nf3");
    assert_eq!(game["board"]["f3"], "N");
    assert_eq!(legal(&game, "Nc6")["uci"], "b8c6");
    let mate = ask(START, "f2f3 e7e5 g2g4 d8h4");
    assert_eq!(mate["result"], json!({ "score": "0-1", "reason": "checkmate" }));
    assert_eq!(mate["check"], "e1");
    let shuffle = "g1f3 g8f6 f3g1 f6g8 ";
    assert_eq!(ask(START, &shuffle.repeat(2))["claims"], json!(["repetition"]));
    assert_eq!(
        ask(START, &shuffle.repeat(4))["result"]["reason"],
        "fivefold_repetition"
    );
    let pawn = ask("8/P6k/8/8/8/8/8/K7 w - - 0 1", "");
    assert_eq!(legal(&pawn, "a8=N")["promotion"], "n");
    assert_eq!(pawn["mating"], json!({ "white": true, "black": false }));
    let castling = ask("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "");
    let castling = legal(&castling, "O-O");
    assert_eq!(
        (&castling["to"], &castling["alt_to"], &castling["uci"]),
        (&json!("g1"), &json!("h1"), &json!("e1g1"))
    );
    let chess960 = ask("4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1", "");
    assert_eq!(
        (&chess960["chess960"], &legal(&chess960, "O-O")["uci"]),
        (&json!(true), &json!("e1g1"))
    );
    let number = served.ask("/api/chess960", &json!({ "number": 518 }));
    assert_eq!(number["fen"], START.replace("KQkq", "HAha"));
    let typed = |text: &str| json!({ "state": {}, "text": text });
    assert_eq!(served.ask("/api/move", &typed("Ngf3"))["uci"], "g1f3");
    assert_eq!(served.ask("/api/move", &typed("e2e4"))["san"], "e4");
    assert_eq!(served.fault("/api/move", &typed("Nf4")).1["code"], "san_illegal");
    let in_catalan = |text: &str| json!({ "state": {}, "text": text, "lang": "ca" });
    assert_eq!(served.ask("/api/move", &in_catalan("Cf3"))["uci"], "g1f3");
    assert_eq!(served.ask("/api/move", &in_catalan("nf3"))["uci"], "g1f3");
    let unknown = json!({ "state": {}, "text": "e4", "lang": "xx" });
    assert_eq!(served.fault("/api/move", &unknown).1["field"], "lang");
}

#[test]
fn faults_have_their_places() {
    let served = Served::start();
    let fault = |question: &Value| served.fault("/api/position", question).1;
    let letter = fault(&state("4k3/8/9/8/8/8/8/4K3 w - - 0 1", ""));
    assert_eq!(
        (&letter["code"], &letter["field"], &letter["at"]),
        (&json!("fen_letter"), &json!("start"), &json!(6))
    );
    let illegal = fault(&state(START, "e2e4 e2e4"));
    assert_eq!(
        (&illegal["code"], &illegal["number"]),
        (&json!("move_illegal"), &json!(2))
    );
    let ignored = served.ask("/api/position", &state("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", ""));
    assert_eq!(ignored["ignored"][0]["code"], "fen_castling");
    let read = |text: &str| served.ask("/api/pgn/read", &json!({ "text": text }));
    let half = &read("[Event \"x\"]\n\n1. e4 e5 2. Ke3 *")["games"][0];
    assert_eq!(half["nodes"].as_array().map(Vec::len), Some(2));
    let problem = &half["problems"][0];
    assert_eq!(problem["code"], "san_illegal");
    assert_eq!(
        (&problem["at"], &problem["line"], &problem["column"]),
        (&json!(25), &json!(3), &json!(13))
    );
    let (status, nothing) = served.fault("/api/pgn/read", &json!({ "text": "hello" }));
    assert_eq!(
        (status, &nothing["code"], &nothing["at"]),
        (400, &json!("san_malformed"), &json!(0))
    );
    assert_eq!(
        served.fault("/api/pgn/read", &json!({ "text": " " })).1["code"],
        "pgn_empty"
    );
    assert_eq!(served.fault("/api/pgn/read", &json!({})).1["code"], "json");
}

#[test]
fn a_game_comes_back_from_pgn() {
    let served = Served::start();
    let text = "[White \"A \\\"B\\\"\"]\n\n{zero} 1. e4 $1 (1. d4 d5) 1... c5 {one} 2. Nf3 *";
    let read = served.ask("/api/pgn/read", &json!({ "text": text }));
    let written = served.ask("/api/pgn/write", &json!({ "game": read["games"][0] }));
    let again = served.ask("/api/pgn/read", &json!({ "text": written["text"] }));
    assert_eq!(again["games"][0]["nodes"], read["games"][0]["nodes"]);
    assert_eq!(again["games"][0]["comment"], "zero");
    let mut game = read["games"][0].clone();
    game["nodes"][1]["parent"] = json!(3);
    let (_, fault) = served.fault("/api/pgn/write", &json!({ "game": game }));
    assert_eq!(
        (&fault["code"], &fault["number"]),
        (&json!("pgn_parent"), &json!(2))
    );
}

#[test]
fn scores_and_clocks_of_a_game_are_read() {
    let served = Served::start();
    let text = "1. e4 {[%eval 0.30] [%clk 0:03:00] so} 1... e5 *";
    let read = served.ask("/api/pgn/read", &json!({ "text": text }));
    let node = &read["games"][0]["nodes"][0];
    assert_eq!(node["standing"]["score"], json!({ "cp": 30 }));
    assert!(node["standing"]["expected"].as_f64() > Some(0.5), "{node}");
    assert_eq!(node["clock_ms"], 180_000);
    assert_eq!(read["games"][0]["nodes"][1]["standing"], json!(null));
    let written = served.ask("/api/pgn/write", &json!({ "game": read["games"][0] }));
    // as engines' referees write them, for the side that moved
    let engines = "1. e4 {+0.31/12 0.5s} 1... e5 {+0.12/11 0.4s} 2. Nf3 {book} *";
    let nodes = &served.ask("/api/pgn/read", &json!({ "text": engines }))["games"][0]["nodes"];
    assert_eq!(nodes[0]["standing"]["score"], json!({ "cp": 31 }));
    assert_eq!(nodes[1]["standing"]["score"], json!({ "cp": -12 }));
    assert_eq!(nodes[2]["standing"], json!(null));
    assert!(
        written["text"].as_str().is_some_and(|pgn| pgn.contains(text)),
        "{written}"
    );
}

#[test]
fn the_text_of_a_file_is_read_in_pieces() {
    let served = Served::start();
    // "1. e4 {ü}\n1." in Windows-1252; the last line has no end yet
    let piece = json!({ "bytes": "MS4gZTQge/x9CjEu" });
    let read = served.ask("/api/text", &piece);
    assert_eq!(
        read,
        json!({ "text": "1. e4 {ü}\n", "used": 10, "encoding": "lines" })
    );
    let wide = json!({ "bytes": "W3gA", "encoding": "utf16_big", "last": true });
    assert_eq!(served.ask("/api/text", &wide)["text"], "學");
    let marked = json!({ "bytes": "77u/MQo=", "last": true });
    assert_eq!(served.ask("/api/text", &marked)["text"], "1\n");
    for (question, code) in [
        (json!({ "bytes": "?" }), "base64"),
        (json!({ "bytes": "MS4g" }), "too_large"),
        (json!({ "bytes": "", "encoding": "ebcdic" }), "json"),
    ] {
        let (status, fault) = served.fault("/api/text", &question);
        assert_eq!((status, &fault["code"]), (400, &json!(code)));
    }
}

#[test]
fn drawings_are_read_apart_from_the_words_and_written_back() {
    let served = Served::start();
    let text = "{[%csl Rd4]} 1. e4 {[%cal Ge4e5,Yg1f3] so} *";
    let read = served.ask("/api/pgn/read", &json!({ "text": text }));
    let game = &read["games"][0];
    assert_eq!(game["drawings"], json!([{ "kind": "bad", "from": "d4" }]));
    assert_eq!(game["comment"], json!(null));
    assert_eq!(game["nodes"][0]["comment"], "so");
    assert_eq!(
        game["nodes"][0]["drawings"],
        json!([
            { "kind": "good", "from": "e4", "to": "e5" },
            { "kind": "doubt", "from": "g1", "to": "f3" },
        ])
    );
    let written = served.ask("/api/pgn/write", &json!({ "game": game }));
    assert!(
        written["text"].as_str().is_some_and(|pgn| pgn.contains(text)),
        "{written}"
    );
    let mut game = game.clone();
    game["nodes"][0]["drawings"][0]["to"] = json!("e9");
    let (_, fault) = served.fault("/api/pgn/write", &json!({ "game": game }));
    assert_eq!(
        (&fault["code"], &fault["number"]),
        (&json!("pgn_drawing"), &json!(1))
    );
}

#[test]
fn a_search_tells_its_lines() {
    let served = Served::start();
    let back_rank = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    let mut question = state(back_rank, "");
    question["player"] = json!({ "net": "mlp", "mode": "search" });
    question["limit"] = json!({ "depth": 4 });
    question["multipv"] = json!(2);
    let mut events = served.stream(1, "/api/search", &question);
    // the first may be sent before the second line is known
    let info = loop {
        let info = events.until("info");
        if info["lines"].as_array().is_some_and(|lines| lines.len() == 2) {
            break info;
        }
    };
    let best = &info["lines"][0];
    assert_eq!(
        (&best["pv"][0]["san"], &best["score"]),
        (&json!("Ra8#"), &json!({ "mate": 1 }))
    );
    assert_eq!(best["expected"], 1.0);
    let done = events.until("done");
    assert_eq!(
        (&done["bestmove"]["uci"], &done["stopped"]),
        (&json!("a1a8"), &json!(false))
    );
    // Black sees the same for White
    question["state"] = json!({ "start": "r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1" });
    let info = served.stream(1, "/api/search", &question).until("info");
    assert_eq!(
        (&info["lines"][0]["score"], &info["lines"][0]["expected"]),
        (&json!({ "mate": -1 }), &json!(0.0))
    );
    question["state"] = json!({});
    question["player"] = json!({ "net": "cnn", "mode": "look_ahead", "plies": 1, "quiescence": true });
    question["limit"] = json!({});
    assert!(served.stream(1, "/api/search", &question).until("done")["bestmove"]["san"].is_string());
    question["player"] = json!({ "net": "mlp", "mode": "level", "elo": 1200 });
    assert!(served.stream(1, "/api/search", &question).until("done")["bestmove"]["san"].is_string());
    question["state"] = state(START, "f2f3 e7e5 g2g4 d8h4")["state"].clone();
    assert_eq!(
        served.stream(1, "/api/search", &question).until("done")["bestmove"],
        Value::Null
    );
}

#[test]
fn a_search_that_makes_no_sense_is_refused() {
    let served = Served::start();
    let refused = |change: fn(&mut Value)| {
        let mut question = endless();
        change(&mut question);
        served.fault("/api/search", &question).1["code"].clone()
    };
    assert_eq!(refused(|question| question["limit"] = json!({})), "limit");
    assert_eq!(
        refused(|question| question["limit"] = json!({ "nodes": 0 })),
        "limit"
    );
    assert_eq!(
        refused(|question| question["player"]["net"] = json!("/etc/passwd")),
        "net"
    );
    assert_eq!(
        refused(|question| question["player"]["mode"] = json!("look_ahead")),
        "range"
    );
    assert_eq!(
        refused(|question| question["player"] = json!({ "net": "mlp", "mode": "level", "elo": 100 })),
        "range"
    );
    assert_eq!(refused(|question| question["multipv"] = json!(6)), "range");
    assert_eq!(refused(|question| question["threads"] = json!(100_000)), "range");
    assert_eq!(
        refused(|question| question["only"] = json!(["e2e5"])),
        "move_illegal"
    );
    let mut question = endless();
    question["only"] = json!(["e2e4", "e2e5"]);
    assert_eq!(served.fault("/api/search", &question).1["number"], 2);
    assert_eq!(
        refused(|question| question["file"] = json!("/etc/passwd")),
        "json"
    );
}

#[test]
fn a_move_is_explained_in_words_and_marks() {
    let served = Served::start();
    let mut question = state("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "");
    question["move"] = json!("a1a8");
    question["nodes"] = json!(2_000);
    let texts = ["ca", "es", "en"].map(|language| {
        question["lang"] = json!(language);
        let answer = served.ask("/api/explain", &question);
        assert_eq!(answer["san"], "Ra8#");
        assert_eq!(
            answer["marks"][0],
            json!({ "from": "a1", "to": "a8", "kind": "good" })
        );
        answer["text"]["summary"][0]
            .as_str()
            .expect("a sentence")
            .to_string()
    });
    assert!(texts[0] != texts[1] && texts[1] != texts[2], "{texts:?}");
    question["lang"] = json!("la");
    assert_eq!(served.fault("/api/explain", &question).1["field"], "lang");
    question["move"] = json!("a1b8");
    assert_eq!(served.fault("/api/explain", &question).1["code"], "move_illegal");
}

/// The list of moves is graded by one call and "Why?" answered by another: both have the same record, and the words its grade.
#[test]
fn a_move_has_one_grade() {
    let served = Served::start();
    let moves = "e2e4 e7e5 d1h5 b8c6 g1f3 g7g6 h5e5 c6e5";
    let moves: Vec<&str> = moves.split(' ').collect();
    let mut grades = Vec::new();
    for (ply, m) in moves.iter().enumerate() {
        let mut question = json!({ "state": { "start": null, "chess960": false, "moves": moves[..ply] } });
        question["move"] = json!(m);
        question["nodes"] = json!(3_000);
        let graded = served.ask("/api/grade", &question);
        question["lang"] = json!("en");
        let explained = served.ask("/api/explain", &question);
        let judged = &graded["judged"];
        assert_eq!(judged, &explained["judged"], "{m}");
        assert_eq!(judged["grade"], explained["verdict"]["grade"], "{m}");
        assert_eq!(judged["nodes"], 3_000);
        let loss = judged["loss"].as_f64().expect("a loss");
        assert!((2.0 * loss - explained["verdict"]["drop"].as_f64().expect("a drop")).abs() < 1e-9);
        let accuracy = judged["accuracy"].as_f64().expect("an accuracy");
        assert!(
            (0.0..=100.0).contains(&accuracy) && (loss == 0.0) == (accuracy > 99.99),
            "{loss} {accuracy}"
        );
        let grade = judged["grade"].as_str().expect("a grade").to_string();
        let sentence = explained["text"]["summary"][0].as_str().expect("a sentence");
        let is_theory = explained["verdict"]["theory"] == true;
        let good = match explained["verdict"]["drop"].as_f64() {
            _ if is_theory => "is a move of opening theory",
            Some(drop) if drop >= 0.05 => "is playable",
            _ => "is a good move",
        };
        for (other, told) in [
            ("good", good),
            ("inaccuracy", "is inaccurate"),
            ("mistake", "is a mistake"),
            ("blunder", "is a blunder"),
        ] {
            assert_eq!(sentence.contains(told), grade == other, "{grade}: {sentence}");
        }
        if grade == "best" {
            assert_eq!(&judged["best"]["uci"], m);
        }
        grades.push(grade);
    }
    // the queen is given away, and taken
    assert_eq!(grades[6..], ["blunder", "best"]);
    let question = json!({ "state": { "start": null, "chess960": false, "moves": [] }, "move": "e2e5" });
    assert_eq!(served.fault("/api/grade", &question).1["code"], "move_illegal");
}

/// Threads of the server with this name.
#[cfg(target_os = "linux")]
fn threads(served: &Served, wanted: &str) -> usize {
    let tasks = std::fs::read_dir(format!("/proc/{}/task", served.id())).expect("its threads");
    let name =
        |task: std::fs::DirEntry| std::fs::read_to_string(task.path().join("comm")).unwrap_or_default();
    let names = tasks.filter_map(|task| Some(name(task.ok()?)));
    names.filter(|name| name.trim() == wanted).count()
}

#[cfg(target_os = "linux")]
fn wait_until(served: &Served, name: &str, expected: usize) {
    let deadline = Instant::now() + HANGS;
    while threads(served, name) != expected {
        assert!(
            Instant::now() < deadline,
            "{} threads '{name}'",
            threads(served, name)
        );
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_search_ends_with_its_connection() {
    let served = Served::start();
    let mut events = served.stream(1, "/api/search", &endless());
    events.until("info");
    assert_eq!(threads(&served, "board search"), 1);
    drop(events);
    wait_until(&served, "board search", 0);
    // a tab that is closed may not be able to close its connection
    let mut events = served.stream(1, "/api/search", &endless());
    events.until("info");
    served.ask("/api/leave", &json!({}));
    wait_until(&served, "board search", 0);
    drop(events);
    // threads that multiply matrices stay, under the name of the thread that needed them first
    let mut question = endless();
    question["player"] = json!({ "net": "cnn", "mode": "look_ahead", "plies": 1 });
    question["limit"] = json!({});
    served.stream(1, "/api/search", &question).until("done");
    let question = json!({ "state": {}, "plies": [4], "nets": ["cnn"], "seconds": 60 });
    let events = served.stream(1, "/api/networks", &question);
    wait_until(&served, "board networks", 1);
    drop(events);
    wait_until(&served, "board networks", 0);
}

#[test]
fn a_new_search_stops_the_old_of_its_tab_only() {
    let served = Served::start();
    let mut first = served.stream(1, "/api/search", &endless());
    let mut other = served.stream(2, "/api/search", &endless());
    first.until("info");
    other.until("info");
    let mut second = served.stream(1, "/api/search", &endless());
    assert_eq!(first.until("done")["stopped"], true);
    second.until("info");
    other.until("info");
}

#[test]
fn tabs_without_work_give_way() {
    let served = Served::start();
    let short = json!({ "state": {}, "player": { "net": "mlp", "mode": "search" }, "limit": { "depth": 1 } });
    let sessions = served_limit(&served, "sessions");
    for session in 0..=sessions {
        served.stream(session, "/api/search", &short).until("done");
    }
    let told = served.call(0, "/api/search", &short);
    assert_eq!((told.status, told.code().as_str()), (409, "session_dropped"));
    let mut searches: Vec<_> = (1..=sessions)
        .map(|session| {
            let mut events = served.stream(session, "/api/search", &endless());
            events.until("info");
            events
        })
        .collect();
    let refused = served.call(0, "/api/search", &short);
    assert_eq!((refused.status, refused.code().as_str()), (503, "busy"));
    searches.pop();
    // the server notices that in its own time
    let deadline = Instant::now() + HANGS;
    while served.call(0, "/api/search", &short).status != 200 {
        assert!(Instant::now() < deadline, "no place becomes free");
        thread::sleep(Duration::from_millis(5));
    }
}

fn served_limit(served: &Served, name: &str) -> u64 {
    let hello = served.send(&Served::request("GET", "/api/hello", &served.headers(1), ""));
    hello.json()["limits"][name].as_u64().expect("a limit")
}

#[test]
fn networks_side_by_side() {
    let served = Served::start();
    let hello = served
        .send(&Served::request("GET", "/api/hello", &served.headers(1), ""))
        .json();
    assert_eq!(
        (&hello["nets"][0]["id"], &hello["nets"][0]["slow"]),
        (&json!("mlp"), &json!(false))
    );
    assert_eq!(hello["stockfish"], Value::Null);
    let question = json!({ "state": {}, "plies": [1, 0], "nets": ["mlp", "cnn"], "shares": true });
    let events: Vec<(String, Value)> = served.stream(1, "/api/networks", &question).collect();
    let rows: Vec<_> = events
        .iter()
        .filter(|event| event.0 == "row")
        .map(|(_, row)| {
            (
                row["net"].as_str(),
                row["plies"].as_u64(),
                row["move"].is_null(),
                row["complete"].as_bool(),
            )
        })
        .collect();
    let (mlp, cnn) = (Some("mlp"), Some("cnn"));
    let expected = [
        (mlp, Some(0), true, Some(true)),
        (cnn, Some(0), true, Some(true)),
        (mlp, Some(1), false, Some(true)),
        (cnn, Some(1), false, Some(true)),
    ];
    assert_eq!(rows, expected);
    let shares: Vec<_> = events.iter().filter(|event| event.0 == "shares").collect();
    assert!(
        shares.len() == 2
            && shares[0].1["pieces"]
                .as_array()
                .is_some_and(|pieces| pieces.len() == 30)
    );
    assert_eq!(events.last().map(|event| event.0.as_str()), Some("done"));
    // nobody asked for shares
    let plain = json!({ "state": {}, "plies": [0], "nets": ["mlp"] });
    let names = served.stream(1, "/api/networks", &plain).map(|event| event.0);
    assert_eq!(names.collect::<Vec<_>>(), ["row", "done"]);
    let fault = served
        .fault("/api/networks", &json!({ "state": {}, "plies": [5], "nets": [] }))
        .1;
    assert_eq!(
        (&fault["code"], &fault["field"]),
        (&json!("range"), &json!("plies"))
    );
    let fault = served
        .fault(
            "/api/networks",
            &json!({ "state": {}, "plies": [], "nets": ["stockfish "] }),
        )
        .1;
    assert_eq!(fault["code"], "net");
}

#[test]
#[cfg(unix)]
fn an_interrupted_server_says_so_and_ends() {
    let served = Served::start();
    let mut events = served.stream(1, "/api/search", &endless());
    events.until("info");
    let status = served.interrupt();
    assert!(status.success(), "{status}");
    assert_eq!(events.last().map(|event| event.0).as_deref(), Some("closing"));
}

#[test]
fn a_taken_port_is_named_with_its_way_out() {
    let served = Served::start();
    let second = Command::new(env!("CARGO_BIN_EXE_enroc"))
        .args(["board", "--no-open", "--port", &served.port.to_string()])
        .output()
        .expect("the program runs");
    let error = String::from_utf8_lossy(&second.stderr);
    assert_eq!(second.status.code(), Some(2));
    assert!(
        error.contains(&served.port.to_string()) && error.contains("--port"),
        "{error}"
    );
}

#[test]
fn openings_have_names_and_without_tables_there_is_no_table() {
    let served = Served::start();
    let italian = json!({ "state": { "moves": ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4"] } });
    let opening = &served.ask("/api/position", &italian)["opening"];
    assert_eq!(
        (&opening["eco"], &opening["name"]),
        (&json!("C50"), &json!("Italian Game"))
    );
    assert_eq!(served.ask("/api/tablebase", &italian)["moves"], Value::Null);
}

#[test]
fn scores_and_clocks_are_written_into_a_game() {
    let served = Served::start();
    let game = json!({
        "result": "1-0",
        "nodes": [
            { "parent": null, "uci": "e2e4", "nags": [1], "score": { "cp": 31 }, "clock_ms": 59_400, "comment": "[%eval 9] so" },
            { "parent": 0, "uci": "e7e5", "score": { "mate": -3 } },
        ],
    });
    let text = served.ask("/api/pgn/write", &json!({ "game": game }))["text"].to_string();
    assert!(
        text.contains("1. e4 $1 {[%eval 0.31] [%clk 0:00:59.4] so} 1... e5 {[%eval #-3]} 1-0"),
        "{text}"
    );
}

/// A move is passed in a variation alone, and not in check.
#[test]
fn a_passed_move_is_written_in_variations_only() {
    let served = Served::start();
    let node = |parent: Value, uci: &str| json!({ "parent": parent, "uci": uci });
    let main = [node(json!(null), "e2e4"), node(json!(0), "e7e5")];
    let written = |more: &[Value]| {
        let nodes = [&main[..], more].concat();
        json!({ "game": { "result": "*", "nodes": nodes } })
    };
    for more in [
        &[node(json!(1), "0000")][..],
        &[
            node(json!(1), "f2f4"),
            node(json!(1), "d2d4"),
            node(json!(2), "d8h4"),
            node(json!(4), "0000"),
        ],
    ] {
        let fault = served.fault("/api/pgn/write", &written(more)).1;
        assert_eq!(fault["code"], "pgn_null_move", "{more:?}");
    }
    let aside = [
        node(json!(1), "g1f3"),
        node(json!(1), "f2f4"),
        node(json!(3), "0000"),
        node(json!(4), "f4e5"),
    ];
    let text = served.ask("/api/pgn/write", &written(&aside))["text"].to_string();
    assert!(text.contains("(2. f4 -- 3. fxe5)"), "{text}");
}

#[test]
#[cfg(feature = "syzygy")]
fn tables_tell_what_every_move_leads_to() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/syzygy");
    let served = Served::start_with(&["--stockfish", "no-such-engine-anywhere", "--syzygy", folder]);
    let rook = json!({ "state": { "start": "8/8/8/8/8/2k5/1R6/K7 w - - 0 1" } });
    let moves = served.ask("/api/tablebase", &rook)["moves"].clone();
    let results = |name: &str| -> Vec<&str> {
        let moves = moves.as_array().expect("moves").iter();
        moves
            .filter(|m| m["result"] == name)
            .filter_map(|m| m["san"].as_str())
            .collect()
    };
    assert!(results("win").contains(&"Rb8"), "{moves}");
    assert_eq!(moves[0]["result"], "win");
    assert_eq!(results("draw"), ["Rc2+", "Rd2", "Rb3+", "Rb4"], "{moves}");
    assert_eq!(
        served.ask("/api/tablebase", &json!({ "state": {} }))["moves"],
        Value::Null
    );
}
