//! The commands from outside: what is lost is told, and a command that read nothing fails.

#[path = "../client/mod.rs"]
mod client;

use client::run;
use enroc::compare::set::Set;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Output;

const GAMES: &str = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 {[%eval 0.3]} e5 {+0.31/12 0.5s} 2. Ke3 *\n\n\
    [Variant \"Atomic\"]\n\n1. e4 *\n\n1. d4 d5 resigns 2. c4 -- *\n";

fn import(folder: &Path, file: &str) -> Output {
    let (input, out) = (folder.join(file), folder.join("out"));
    let paths = [input, out].map(|path| path.display().to_string());
    run(&[
        "data",
        "import",
        &paths[0],
        "--out",
        &paths[1],
        "--skip-plies",
        "1",
        "--restart",
    ])
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn an_import_counts_what_it_lost_and_the_labels_it_found() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("games.PGN"), GAMES).unwrap();
    let output = import(folder.path(), "games.PGN");
    assert!(output.status.success(), "{output:?}");
    let told = told(&output);
    for words in [
        "games read: 2; cut short: 2 (1 illegal move, 1 passed move); left out: 1 (1 other variant); passed over in them: 1 (1 word between moves)",
        "line 4: game 1 (A – B) is cut short before move 2. Ke3 is not a legal move here",
        "line 6: game 2 (? – ?) is left out: games of 'Atomic'",
        "5 positions in 2 groups read, 1 of them with a label",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
}

#[test]
fn a_command_that_read_nothing_fails() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("empty.pgn", ""),
        ("words.pgn", "this is no game\n"),
        ("atomic.pgn", "[Variant \"Atomic\"]\n\n1. e4 *\n"),
        ("list.epd", "nothing here\n"),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
        let output = import(folder.path(), name);
        assert_eq!(output.status.code(), Some(2), "{name}: {output:?}");
        assert!(told(&output).contains("no usable position"), "{output:?}");
        let path = folder.path().join(name).display().to_string();
        assert_eq!(run(&["data", "stats", &path]).status.code(), Some(2), "{name}");
    }
}

#[test]
fn a_shard_that_check_refuses_is_refused_by_all() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("games.pgn"), GAMES).unwrap();
    assert!(import(folder.path(), "games.pgn").status.success());
    let shards = folder.path().join("out");
    let path = shards.display().to_string();
    assert!(run(&["data", "stats", &path]).status.success());
    let shard = fs::read_dir(&shards).unwrap().map(|entry| entry.unwrap().path());
    let shard = shard
        .into_iter()
        .find(|path| path.extension().is_some_and(|ending| ending != "json"))
        .unwrap();
    let mut bytes = fs::read(&shard).unwrap();
    // the number of a move: the record stays a possible one
    let last = bytes.len() - 4;
    bytes[last] ^= 1;
    fs::write(&shard, bytes).unwrap();
    let again = folder.path().join("again").display().to_string();
    for arguments in [
        &["data", "check", &path][..],
        &["data", "stats", &path],
        &["data", "import", &path, "--out", &again],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
    }
}

#[test]
fn lines_of_moves_may_have_numbers() {
    let output = run(&["explain", "startpos", "--line", "1. e4 e5 2. Nf3", "--json"]);
    assert!(
        output.status.success() && told(&output).contains("\"g1f3\""),
        "{output:?}"
    );
}

#[test]
fn positions_may_be_compressed_and_in_latin_1() {
    let folder = tempfile::tempdir().unwrap();
    let text = b"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id \"M\xfcller\";\n";
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text).unwrap();
    let gzip = gzip.finish().unwrap();
    for (name, bytes) in [("a.epd", &text[..]), ("b.EPD.GZ", &gzip), ("c.epd", &gzip)] {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let set = Set::read(&path, &mut |_| {}).unwrap();
        assert_eq!(set.cases[0].id, "Müller", "{name}");
    }
}
