//! Corners of the protocol that other engines and their clients have reported: foreign text, odd files, numbers and FENs,
//! threads and memory that the system refuses, readers that leave.
#![cfg(unix)]

mod client;

use client::{Client, after};
use enroc::nets::built_in::BUILT_IN;
use enroc::nets::net::{Net, Precision};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

fn set(option: &str, value: impl std::fmt::Display) -> String {
    format!("setoption name {option} value {value}")
}

/// Every line is an `info string`, and nothing in it steers a terminal.
fn is_plain(lines: &[String]) {
    assert!(!lines.is_empty());
    for line in lines {
        assert!(line.starts_with("info string "), "{lines:?}");
        assert!(!line.chars().any(char::is_control), "{lines:?}");
    }
}

#[test]
fn names_in_files_and_of_files_forge_no_lines() {
    let folder = tempfile::tempdir().unwrap();
    let mut net = Net::from_bytes(BUILT_IN[0].bytes).unwrap();
    net.info.name = "evil\nbestmove e2e4\u{1b}[2J\u{202e}".to_string();
    net.info.data = "a\rb\u{2028}c".to_string();
    net.info.recipe = Some("name = 1\n\u{1b}[31m".to_string());
    let file = folder.path().join("evil.safetensors");
    fs::write(&file, net.to_bytes(Precision::F16).unwrap()).unwrap();
    let mut client = Client::start();
    is_plain(&client.answers(&set("EvalFile", file.display())));
    client.send("uci");
    let greeting = client.until("uciok");
    assert!(
        !greeting.iter().any(|line| line.starts_with("bestmove")),
        "{greeting:?}"
    );
    // tables whose files are no tables are named
    let tables = folder.path().join("tables");
    fs::create_dir(&tables).unwrap();
    fs::write(tables.join("KQvK\nbestmove a2a3\u{1b}[2J.rtbw"), "no table").unwrap();
    fs::write(tables.join("KRvK.rtbw"), "no table").unwrap();
    is_plain(&client.answers(&set("SyzygyPath", tables.display())));
    for line in [
        "\u{1b}[2J",
        "position fen \u{1b}[2J w",
        "go depth 1 searchmoves \u{1b}[2J",
        "explain \u{1b}x",
    ] {
        let lines = client.answers(line);
        assert!(!lines.iter().any(|line| line.contains('\u{1b}')), "{lines:?}");
    }
    assert!(client.quit().0.success());
    let info = client::run(&["net", "info", file.to_str().unwrap()]);
    let text = String::from_utf8(info.stdout).unwrap();
    assert!(
        info.status.success() && !text.contains(['\u{1b}', '\u{202e}', '\r']),
        "{text}"
    );
}

#[test]
fn blanks_in_a_path_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two  blanks\tand value  3");
    let mut client = Client::start();
    client.answers(&set("Debug Log File", path.display()));
    assert!(client.quit().0.success());
    assert!(path.is_file());
}

#[test]
fn pipes_and_devices_hold_nothing_up() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe.safetensors");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut client = Client::start();
    for option in ["Debug Log File", "EvalFile"] {
        for path in [pipe.as_path(), Path::new("/dev/zero"), folder.path()] {
            let lines = client.answers(&set(option, path.display()));
            is_plain(&lines);
            assert_eq!(lines.len(), 1, "{lines:?}");
        }
    }
    // a table that is a pipe
    let table = folder.path().join("KRvK.rtbw");
    assert!(Command::new("mkfifo").arg(&table).status().unwrap().success());
    is_plain(&client.answers(&set("SyzygyPath", folder.path().display())));
    client.send("position fen 8/8/8/3k4/8/8/8/K6R w - - 0 1");
    client.send("go depth 4");
    client.until("bestmove");
    assert!(client.quit().0.success());
}

#[test]
fn fractions_and_short_fens_are_read() {
    let mut client = Client::start();
    for go in [
        "go movetime 50.7",
        "go wtime 1.5 btime 1.5",
        "go wtime 900.5 winc 10.25",
    ] {
        client.send(go);
        let lines = client.until("bestmove");
        assert!(!lines.contains(&"bestmove 0000".to_string()), "{go}: {lines:?}");
    }
    for (fen, told) in [
        ("4k3/8/8/8/8/8/4P3/4K3 w", "four to six fields"),
        ("4k3/8/8/8/8/8/4P3/4K3 w -", "four to six fields"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - - -", "'-' is not a move count"),
    ] {
        let lines = client.answers(&format!("position fen {fen} moves e2e4"));
        assert!(
            lines
                .iter()
                .all(|line| line.contains(told) && line.contains("ignored")),
            "{lines:?}"
        );
        let board = client.answers("d");
        assert!(
            board.contains(&"Fen: 4k3/8/8/8/4P3/8/8/4K3 b - - 0 1".to_string()),
            "{board:?}"
        );
    }
    assert!(client.quit().0.success());
}

#[test]
#[cfg(target_os = "linux")]
fn a_small_table_is_cleared_without_more_threads() {
    let mut client = Client::start();
    for line in [
        "ucinewgame",
        "setoption name Clear Hash",
        "setoption name Hash value 64",
        "ucinewgame",
    ] {
        client.answers(line);
        // one that reads, one that searches, one between them, one that waits for the reader of the answers to go
        assert_eq!(client.threads(), 4, "{line}");
    }
    assert!(client.quit().0.success());
}

/// Starts the program with so many KiB of address space beyond what it needs, and a number of threads for parallel loops.
#[cfg(target_os = "linux")]
fn in_little_memory(spare: u64, threads: &str) -> Client {
    let mut client = Client::start();
    client.ready();
    let kib = client.address_space() + spare;
    assert!(client.quit().0.success());
    let script = format!("ulimit -v {kib}; exec \"$0\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_enroc")]);
    Client::of(shell.env("RAYON_NUM_THREADS", threads))
}

#[test]
#[cfg(target_os = "linux")]
fn memory_that_is_refused_is_told_and_nothing_ends() {
    let mut client = in_little_memory(300_000, "1");
    let lines = client.answers("setoption name Threads value 256");
    assert!(
        lines.len() == 1 && lines[0].contains("not enough memory for 256 threads"),
        "{lines:?}"
    );
    let lines = client.answers("setoption name Hash value 4096");
    assert!(
        lines.len() == 1 && lines[0].contains("hash table of 4096 MB"),
        "{lines:?}"
    );
    // a net whose header is sound
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("large.safetensors");
    let mut net = Net::from_bytes(BUILT_IN[0].bytes).unwrap();
    let spare = enroc::nets::net::NetTensor {
        shape: vec![40 << 20],
        values: vec![0.0; 40 << 20],
    };
    net.tensors.insert("spare".to_string(), spare);
    fs::write(&file, net.to_bytes(Precision::F16).unwrap()).unwrap();
    // and one that takes 24 times its file: a CNN in the form that is quick to compute
    let cnn = Path::new(env!("CARGO_MANIFEST_DIR")).join("nets/cnn-b2bebd10d1f9.safetensors");
    let large = [Some(file), cfg!(feature = "lab").then_some(cnn)];
    for net in large.into_iter().flatten() {
        let lines = client.answers(&set("EvalFile", net.display()));
        assert!(lines.len() == 1 && lines[0].contains("memory"), "{lines:?}");
    }
    client.send("go depth 3");
    client.until("bestmove");
    assert!(client.quit().0.success());
}

/// The small CNN shares its batches among threads, far more here than there is room for.
#[test]
#[cfg(all(target_os = "linux", feature = "lab"))]
fn threads_that_are_refused_are_told_and_nothing_ends() {
    let mut client = in_little_memory(500_000, "2000");
    for _ in 0..2 {
        let lines = client.answers("setoption name Net value cnn");
        assert!(
            lines.len() == 1 && lines[0].contains("too few threads"),
            "{lines:?}"
        );
        client.send("go depth 3");
        client.until("bestmove");
    }
    assert!(client.quit().0.success());
}

#[test]
#[cfg(target_os = "linux")]
fn what_is_no_net_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let zeros = folder.path().join("zeros.safetensors");
    File::create(&zeros).unwrap().set_len(3 << 30).unwrap();
    // a sound header that promises less, and one that promises as much
    let short = folder.path().join("short.safetensors");
    fs::write(&short, BUILT_IN[0].bytes).unwrap();
    File::options()
        .write(true)
        .open(&short)
        .unwrap()
        .set_len(3 << 30)
        .unwrap();
    let long = folder.path().join("long.safetensors");
    let header = format!(
        "{{\"__metadata__\":{{}},\"a\":{{\"dtype\":\"F32\",\"shape\":[{}],\"data_offsets\":[0,{}]}}}}",
        3u64 << 28,
        3u64 << 30
    );
    let mut file = File::create(&long).unwrap();
    file.write_all(&(header.len() as u64).to_le_bytes()).unwrap();
    file.write_all(header.as_bytes()).unwrap();
    file.set_len(8 + header.len() as u64 + (3 << 30)).unwrap();
    let mut client = Client::start();
    client.ready();
    // to read the built-in net took more than it keeps
    let before = client.most_resident();
    for file in [&zeros, &short, &long] {
        let lines = client.answers(&set("EvalFile", file.display()));
        assert!(lines.len() == 1 && lines[0].contains("safetensors"), "{lines:?}");
    }
    assert!(
        client.most_resident() < before + 100,
        "{before}, {} MiB",
        client.most_resident()
    );
    assert!(client.quit().0.success());
}

#[test]
fn a_reader_that_leaves_ends_a_search_and_the_program() {
    for task in [
        "go infinite",
        "go mate 9",
        "go depth 100",
        "go ponder wtime 1000 btime 1000",
        #[cfg(target_os = "linux")]
        "go perft 30",
        #[cfg(target_os = "linux")]
        "bench 64",
    ] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_enroc"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = program.stdin.take().unwrap();
        writeln!(input, "{task}\nisready").unwrap();
        let mut lines = BufReader::new(program.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap() == "readyok"));
        drop(lines);
        // the input stays open
        assert!(program.wait().unwrap().success(), "{task}");
        drop(input);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_reader_that_leaves_ends_what_prints_seldom() {
    for arguments in [&["perft", "30"][..], &["bench", "64"]] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_enroc"))
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        drop(program.stdout.take());
        assert!(program.wait().unwrap().success(), "{arguments:?}");
    }
}

#[test]
fn nodes_and_speed_are_told_while_a_search_goes_on() {
    let mut client = Client::start();
    client.send("go infinite");
    let line = loop {
        let line = client.until("info").pop().unwrap();
        if line.starts_with("info nodes ") {
            break line;
        }
    };
    for word in ["nodes", "nps", "hashfull", "tbhits", "time"] {
        assert!(
            after(&line, word).is_some_and(|number| number.parse::<u64>().is_ok()),
            "{line}"
        );
    }
    client.send("stop");
    let lines = client.until("bestmove");
    assert!(lines[lines.len() - 2].contains(" score "), "{lines:?}");
    assert!(client.quit().0.success());
}
