//! Names the sources that decide what our engine answers, by a hash of whole files. `enroc compare` keeps answers under
//! this name, since they can take hours: it changes with every file that may change an answer, and with no others.

use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// What decides every answer: the rules, the arithmetic, and what asks.
const ALWAYS: [&str; 4] = ["arch/", "board/", "compare/contestant/player.rs", "engine/"];
/// The full search and its numbers, on which the value of a plain look-ahead does not depend.
const FULL_SEARCH: [&str; 2] = ["search/alphabeta/", "search/params/"];
/// Libraries whose sums of floats may differ from version to version.
const LIBRARIES: [&str; 2] = ["candle-core", "gemm"];

/// Texts by their path from the root of the sources, with `/` between the parts.
pub type Files = BTreeMap<String, Vec<u8>>;

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

/// Reads all files under a folder.
pub fn read(root: &Path) -> Files {
    let mut files = Files::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let text = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let inside = path.strip_prefix(root).expect("a path under the root");
            let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
            files.insert(parts.join("/"), text);
        }
    }
    files
}

/// The kinds of network: the folders in `nets`.
pub fn kinds(files: &Files) -> Vec<&str> {
    let inside = files.keys().filter_map(|path| path.strip_prefix("nets/"));
    let mut kinds: Vec<&str> = inside.filter_map(|path| Some(path.split_once('/')?.0)).collect();
    kinds.dedup();
    kinds
}

/// Whether a file may change the answers of a kind of network: of the networks it is one of that kind, or one of all kinds.
pub fn decides(path: &str, kind: &str, question: Question) -> bool {
    let starts = |starts: &[&str]| starts.iter().any(|start| path.starts_with(start));
    if let Some(inside) = path.strip_prefix("nets/") {
        return inside.split_once('/').is_none_or(|(folder, _)| folder == kind);
    }
    starts(&ALWAYS)
        || path.starts_with("search/")
            && match question {
                Question::Static => false,
                Question::Plain => !starts(&FULL_SEARCH),
                Question::Full => true,
            }
}

/// The name of what decides the answers of a kind of network: the first digits of a SHA-256. `lock` is Cargo.lock.
pub fn name(files: &Files, lock: &str, kind: &str, question: Question) -> String {
    let mut hash = Sha256::new();
    for (_, text) in files.iter().filter(|(path, _)| decides(path, kind, question)) {
        hash.update(text);
        hash.update("\0");
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
