//! What `enroc compare` knows answers of another version by: the name changes with what decides an answer, and with
//! nothing else.

#[path = "sources/answers.rs"]
mod answers;
mod sources;

use answers::Question::{self, Full, Plain, Static};
use answers::{deciding, kinds, name};
use sources::{Source, read_all};
use std::path::Path;

const LOCK: &str = "[[package]]\nname = \"gemm\"\nversion = \"0.19.0\"\n";

/// A small engine: path and text of its files.
const ENGINE: &[(&str, &str)] = &[
    ("arch/mod.rs", "pub fn add() {}"),
    ("board/mod.rs", "mod moves; #[cfg(test)] mod tests;"),
    ("board/moves.rs", "/// A move.\npub struct Move;"),
    ("board/tests.rs", "fn a_test() {}"),
    (
        "compare/contestant/player.rs",
        "use crate::engine::searcher; const HASH: usize = 16;",
    ),
    ("compare/report.rs", "fn report() {}"),
    ("engine/bench.rs", "fn bench() {}"),
    ("engine/plan.rs", "pub struct Plan;"),
    (
        "engine/searcher.rs",
        "use super::plan::Plan; use crate::search::Pool;",
    ),
    ("nets/mlp/mod.rs", "pub fn product() { \"weights\" }"),
    ("nets/cnn/mod.rs", "pub fn convolution() {}"),
    (
        "nets/mod.rs",
        "pub mod cnn; pub mod mlp; pub mod registry; pub trait Evaluator {}",
    ),
    (
        "nets/registry.rs",
        "use super::{cnn, mlp}; const KINDS: [Kind; 2] = [cnn::KIND, mlp::KIND];",
    ),
    ("search/alphabeta/mod.rs", "fn search() {}"),
    ("search/look_ahead.rs", "fn plain() {}"),
    (
        "search/mod.rs",
        "pub struct Pool; #[cfg(test)] pub(crate) static A: &[B] = &[B { c: d() }]; fn e() {}",
    ),
    ("search/params/mod.rs", "const MARGIN: i32 = 80;"),
];

/// The names of an MLP's and a CNN's static, plain and full answers.
fn names(files: &[(&str, &str)]) -> Vec<String> {
    let sources: Vec<Source> = files.iter().map(|(path, text)| Source::new(path, text)).collect();
    let questions = |kind| [Static, Plain, Full].map(|question| name(&sources, LOCK, kind, question));
    ["mlp", "cnn"].into_iter().flat_map(questions).collect()
}

/// Which of the six names change when a file gets another text.
fn changed(path: &str, text: &str) -> Vec<bool> {
    let mut files = ENGINE.to_vec();
    files.retain(|&(other, _)| other != path);
    files.push((path, text));
    files.sort();
    names(&files)
        .iter()
        .zip(names(ENGINE))
        .map(|(new, old)| *new != old)
        .collect()
}

#[test]
fn what_decides_an_answer_changes_its_name() {
    let (yes, no) = (true, false);
    let cases: &[(&str, &str, [bool; 6])] = &[
        ("arch/mod.rs", "pub fn add() { 1 }", [yes; 6]),
        ("board/moves.rs", "pub struct Move(u8);", [yes; 6]),
        (
            "compare/contestant/player.rs",
            "use crate::engine::searcher; const HASH: usize = 32;",
            [yes; 6],
        ),
        ("engine/plan.rs", "pub struct Plan(u8);", [yes; 6]),
        (
            "nets/mlp/mod.rs",
            "pub fn product() { \"biases\" }",
            [yes, yes, yes, no, no, no],
        ),
        (
            "nets/cnn/mod.rs",
            "pub fn convolution() { 1 }",
            [no, no, no, yes, yes, yes],
        ),
        (
            "nets/mod.rs",
            "pub mod cnn; pub mod mlp; pub mod registry; trait Evaluator {}",
            [yes; 6],
        ),
        ("nets/score.rs", "const MATE: i32 = 1;", [yes; 6]),
        (
            "search/look_ahead.rs",
            "fn plain() { 1 }",
            [no, yes, yes, no, yes, yes],
        ),
        (
            "search/alphabeta/mod.rs",
            "fn search() { 1 }",
            [no, no, yes, no, no, yes],
        ),
        (
            "search/params/mod.rs",
            "const MARGIN: i32 = 81;",
            [no, no, yes, no, no, yes],
        ),
        (
            "search/mod.rs",
            "pub struct Pool; fn e() { 1 }",
            [no, yes, yes, no, yes, yes],
        ),
    ];
    for (path, text, expected) in cases {
        assert_eq!(changed(path, text), expected, "{path}");
    }
}

#[test]
fn what_decides_nothing_changes_no_name() {
    let cases = [
        ("board/moves.rs", "/// One move.\npub /* a */ struct Move ;"),
        ("board/tests.rs", "fn another_test() {}"),
        (
            "board/moves.rs",
            "pub struct Move; #[cfg(test)] mod tests { fn f() { { 1 } } }",
        ),
        ("compare/report.rs", "fn report() { 1 }"),
        ("engine/bench.rs", "fn bench() { 1 }"),
        (
            "nets/mod.rs",
            "pub mod cnn; pub mod mlp; pub mod registry; mod rnn; pub trait Evaluator {}",
        ),
        ("nets/registry.rs", "use super::{cnn, mlp, rnn};"),
        ("nets/rnn/mod.rs", "pub fn rnn() {}"),
        ("search/mod.rs", "pub struct Pool; fn e() {}"),
        (
            "search/mod.rs",
            "pub struct Pool; #[cfg(test)] use a::{b}; fn e() {}",
        ),
    ];
    for (path, text) in cases {
        assert_eq!(changed(path, text), [false; 6], "{path}");
    }
}

#[test]
fn another_version_of_a_library_that_multiplies_is_another_name() {
    let sources: Vec<Source> = ENGINE
        .iter()
        .map(|(path, text)| Source::new(path, text))
        .collect();
    let name = |lock: &str| name(&sources, lock, "mlp", Static);
    assert_ne!(name(&LOCK.replace("0.19", "0.20")), name(LOCK));
    assert_eq!(name(&LOCK.replace("gemm", "csv")), name(""));
}

#[test]
fn the_rooms_of_this_crate_are_where_the_rule_looks_for_them() {
    let sources = read_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(kinds(&sources).contains("mlp") && kinds(&sources).contains("cnn"));
    let paths = |question: Question| -> Vec<&str> {
        let files = deciding(&sources, "mlp", question);
        files.iter().map(|source| source.path.as_str()).collect()
    };
    let (still, plain, full) = (paths(Static), paths(Plain), paths(Full));
    for path in [
        "board/movegen.rs",
        "nets/mlp/integer/mod.rs",
        "nets/encoding.rs",
        "engine/searcher.rs",
    ] {
        assert!(still.contains(&path), "{path} decides nothing");
    }
    assert!(plain.contains(&"search/look_ahead.rs") && !still.contains(&"search/look_ahead.rs"));
    let only_full: Vec<&&str> = full.iter().filter(|path| !plain.contains(path)).collect();
    assert!(
        only_full.contains(&&"search/alphabeta/quiescence.rs")
            && only_full.contains(&&"search/params/mod.rs")
    );
    // of the files that all kinds share only the registry is left out
    let is_left_out =
        |path: &&str| path.starts_with("nets/") && path.matches('/').count() == 1 && !full.contains(path);
    let left_out: Vec<&str> = sources
        .iter()
        .map(|source| source.path.as_str())
        .filter(is_left_out)
        .collect();
    assert_eq!(left_out, ["nets/registry.rs"]);
}
