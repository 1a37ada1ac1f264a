//! Names the sources that decide what our engine answers. `enroc compare` knows answers of another version by this name, so
//! it must change with whatever may change an answer, and with little else: answers can take hours.
//!
//! What decides an answer:
//! - the file that asks, and the files of the room `engine` that it uses, directly or not;
//! - the rooms `board` and `arch`: the rules and the arithmetic;
//! - the network: the files right in `nets`, the folder of its kind, and the versions of the libraries that multiply. A file
//!   right in `nets` that names the folder of a kind, as the registry does, is left out: it only finds the kind, and one
//!   more kind there changes no answer of the others;
//! - the room `search`, but for a static evaluation; of a plain look-ahead not the full search and its numbers, for the
//!   value of a plain search depends on neither.
//!
//! Their tokens count, without comments, tests (`#[cfg(test)]`) and declarations of modules.

use super::sources::{Source, uses};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// The file that asks.
const ASKS: &str = "compare/contestant/player.rs";
/// Where the full search and its numbers are.
const FULL_SEARCH: [&str; 2] = ["search/alphabeta/", "search/params/"];
/// Libraries whose sums of floats may differ from version to version.
const LIBRARIES: [&str; 2] = ["candle-core", "gemm"];

/// What our engine is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// A static evaluation.
    Static,
    /// A plain look-ahead.
    Plain,
    /// A full search.
    Full,
}

/// The kinds of network: the folders of the room `nets`.
pub fn kinds(sources: &[Source]) -> BTreeSet<&str> {
    let inside = sources
        .iter()
        .filter_map(|source| source.path.strip_prefix("nets/"));
    inside.filter_map(|path| Some(path.split_once('/')?.0)).collect()
}

/// The name of what decides the answers of one kind of network: the first digits of a SHA-256. `lock` is Cargo.lock.
pub fn name(sources: &[Source], lock: &str, kind: &str, question: Question) -> String {
    let mut hash = Sha256::new();
    let tests = test_files(sources);
    for source in deciding(sources, kind, question) {
        if !tests.contains(&source.module) {
            hash.update(without_tests(source).0.join("\0"));
            hash.update("\0\0");
        }
    }
    for package in lock.split("[[package]]") {
        let is_library = |library| package.contains(&format!("name = \"{library}\"\n"));
        if LIBRARIES.into_iter().any(is_library) {
            hash.update(package.lines().nth(2).unwrap_or_default());
        }
    }
    let digits = hash.finalize();
    digits.iter().take(4).map(|byte| format!("{byte:02x}")).collect()
}

/// The sources that decide, tests among them.
pub fn deciding<'a>(sources: &'a [Source], kind: &str, question: Question) -> Vec<&'a Source> {
    let asking = asking(sources);
    let folder = format!("nets/{kind}/");
    let decides = |source: &Source| match source.room() {
        "board" | "arch" => true,
        "nets" if source.path.matches('/').count() > 1 => source.path.starts_with(&folder),
        "nets" => !names_a_kind(sources, source),
        "search" => match question {
            Question::Static => false,
            Question::Plain => !FULL_SEARCH.iter().any(|full| source.path.starts_with(full)),
            Question::Full => true,
        },
        _ => asking.contains(source.path.as_str()),
    };
    sources.iter().filter(|source| decides(source)).collect()
}

/// The file that asks, and what it uses of the engine.
fn asking(sources: &[Source]) -> BTreeSet<&str> {
    let uses = uses(sources);
    let first = sources.iter().position(|source| source.path == ASKS);
    let mut open = vec![first.unwrap_or_else(|| panic!("src/{ASKS} is gone: name the file that asks"))];
    let mut found = BTreeSet::new();
    while let Some(place) = open.pop() {
        if found.insert(sources[place].path.as_str()) {
            open.extend(
                uses[place]
                    .iter()
                    .filter(|&&used| sources[used].room() == "engine"),
            );
        }
    }
    found
}

/// Whether a source uses something of a kind of network.
fn names_a_kind(sources: &[Source], source: &Source) -> bool {
    let kinds = kinds(sources);
    let is_of_kind =
        |path: &Vec<String>| path.len() > 1 && path[0] == "nets" && kinds.contains(path[1].as_str());
    source.paths.iter().any(is_of_kind)
}

/// The modules that are compiled for tests alone.
fn test_files(sources: &[Source]) -> BTreeSet<Vec<String>> {
    let of = |source| without_tests(source).1;
    sources.iter().flat_map(of).collect()
}

/// The tokens of a source without what is compiled for tests alone and without declarations of modules; and the modules
/// that it declares for tests.
fn without_tests(source: &Source) -> (Vec<&str>, Vec<Vec<String>>) {
    const FOR_TESTS: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let tokens: Vec<&str> = source.tokens.iter().map(String::as_str).collect();
    let (mut kept, mut modules) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < tokens.len() {
        let rest = &tokens[at..];
        if rest.starts_with(&FOR_TESTS) {
            let item = &rest[FOR_TESTS.len()..];
            let item = &item[..item_length(item)];
            if let [.., "mod", name, ";"] = item {
                modules.push([&source.module[..], &[name.to_string()]].concat());
            }
            at += FOR_TESTS.len() + item.len();
        } else if let ["mod", _, ";", ..] | ["pub", "mod", _, ";", ..] = rest {
            at += if rest[0] == "pub" { 4 } else { 3 };
        } else {
            kept.push(tokens[at]);
            at += 1;
        }
    }
    (kept, modules)
}

/// How many tokens an item has: up to its `;`, or to the brace that ends it.
fn item_length(tokens: &[&str]) -> usize {
    let mut depth = 0;
    for (place, &token) in tokens.iter().enumerate() {
        match token {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            _ => {}
        }
        let ends = token == ";" || (token == "}" && tokens.get(place + 1) != Some(&";"));
        if depth == 0 && ends {
            return place + 1;
        }
    }
    tokens.len()
}
