//! Holds the layers: which room may use which, and what a room may touch of the world outside.
//!
//! Rooms are the files and directories right under `src`. The test reads their sources as text, without comments and
//! strings, so that an arrow is seen wherever it is written: in a `use` line, in a path in the code, in a test.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A room, the rooms it may use, and words that have no place in it.
struct Room {
    name: &'static str,
    uses: &'static [&'static str],
    never: &'static [&'static str],
}

/// Words that have their place in these rooms alone: other processes and candle.
const ONLY: &[(&str, &[&str])] = &[
    ("process", &["uci_client", "cli", "main"]),
    ("candle_core", &["nets", "training"]),
    ("candle_nn", &["nets", "training"]),
];

/// Words for what some rooms may not touch: the terminal, threads and files.
const TERMINAL: &[&str] = &["println", "print", "stdout", "stdin"];
const PURE: &[&str] = &[
    "println", "print", "stdout", "stdin", "eprintln", "thread", "fs", "File", "f32", "f64", "rand", "rayon",
    "serde",
];
const SEARCH: &[&str] = &[
    "println",
    "print",
    "stdout",
    "stdin",
    "fs",
    "File",
    "Mlp",
    "Cnn",
    "Net",
    "Incremental",
];

const ROOMS: &[Room] = &[
    Room {
        name: "support",
        uses: &[],
        never: &["stdin"],
    },
    Room {
        name: "board",
        uses: &[],
        never: PURE,
    },
    Room {
        name: "arch",
        uses: &[],
        never: TERMINAL,
    },
    Room {
        name: "nets",
        uses: &["support", "board", "arch"],
        never: TERMINAL,
    },
    Room {
        name: "search",
        uses: &["board", "arch", "nets"],
        never: SEARCH,
    },
    Room {
        name: "engine",
        uses: &["board", "nets", "search"],
        never: TERMINAL,
    },
    Room {
        name: "uci",
        uses: &["support", "board", "nets", "search", "engine"],
        never: &["println", "print", "stdout"],
    },
    Room {
        name: "uci_client",
        uses: &["board"],
        never: &["println", "print"],
    },
    Room {
        name: "data",
        uses: &["support", "board", "uci_client"],
        never: &[],
    },
    Room {
        name: "labelling",
        uses: &["board", "uci_client", "data"],
        never: &[],
    },
    Room {
        name: "training",
        uses: &["support", "board", "arch", "nets", "data"],
        never: &["println", "print", "stdout"],
    },
    Room {
        name: "compare",
        uses: &[
            "support",
            "board",
            "nets",
            "search",
            "engine",
            "uci_client",
            "data",
        ],
        never: &["println", "print"],
    },
    Room {
        name: "cli",
        uses: &[
            "support",
            "board",
            "nets",
            "search",
            "engine",
            "uci",
            "uci_client",
            "data",
            "labelling",
            "training",
            "compare",
        ],
        never: &["println", "stdout"],
    },
    Room {
        name: "main",
        uses: &["cli"],
        never: &[],
    },
    Room {
        name: "lib",
        uses: &[],
        never: &[],
    },
];

#[test]
fn the_layers_hold() {
    let sources = sources(Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(sources.len() > 10, "only {} sources were found", sources.len());
    let faults: Vec<String> = sources
        .iter()
        .flat_map(|(path, text)| faults(path, text))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn forbidden_arrows_are_found_however_they_are_written() {
    let cases: &[(&str, &str)] = &[
        ("board/see.rs", "use crate::search::Limits;"),
        ("board/see.rs", "fn f() { let x = crate :: nets::score::DRAW; }"),
        ("board/mod.rs", "use crate::{board::Move, uci};"),
        (
            "board/mod.rs",
            "use crate::{\n    board::{Move, Square},\n    data::{shard, label}\n};",
        ),
        ("board/types.rs", "pub fn f(x: f32) {}"),
        ("board/types.rs", "use rayon::prelude::*;"),
        ("board/types.rs", "use super::super::search;"),
        ("perft.rs", "use super::search::Limits;"),
        ("search/tt.rs", "fn f() { println!(\"{}\", 1); }"),
        ("search/tt.rs", "use crate::nets::mlp::reference::Mlp;"),
        ("search/tt.rs", "fn f() { unsafe { g() } }"),
        ("nets/mlp.rs", "pub unsafe fn f() {}"),
        ("nets/mlp.rs", "use std::process;"),
        ("engine/searcher.rs", "use candle_core::Tensor;"),
        ("data/pgn.rs", "use crate::training::recipe;"),
        ("uci/mod.rs", "static mut COUNT: u32 = 0;"),
        ("uci/mod.rs", "use crate::training;"),
        ("main.rs", "use enroc::board;"),
        ("helpers.rs", "fn f() {}"),
    ];
    for (path, text) in cases {
        assert!(!faults(Path::new(path), text).is_empty(), "{path}: {text} passes");
    }
}

#[test]
fn what_is_allowed_passes() {
    let cases: &[(&str, &str)] = &[
        (
            "board/see.rs",
            "// use crate::search;\nuse crate::board::Move; /* unsafe /* f32 */ */ use super::moves;",
        ),
        (
            "board/see.rs",
            "const S: &str = \"crate::search \\\" unsafe\"; const C: char = '\"'; fn f<'a>(x: &'a u8) {}",
        ),
        ("board/attacks.rs", "use super::super::magics::walk_rays;"),
        ("board/see.rs", "const S: &str = r#\"unsafe \" crate::uci\"#;"),
        (
            "search/tt.rs",
            "use crate::{board::{Move, Square}, nets::{Evaluator, Score}};",
        ),
        ("arch/mod.rs", "pub unsafe fn f() {}"),
        (
            "uci/mod.rs",
            "#![forbid(unsafe_code)] use crate::{search, board};",
        ),
        ("main.rs", "fn main() { enroc::cli::run() }"),
    ];
    for (path, text) in cases {
        assert_eq!(faults(Path::new(path), text), Vec::<String>::new(), "{text}");
    }
}

/// Every Rust source under a directory: its path from there, and its text.
fn sources(root: PathBuf) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut open = vec![root.clone()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).expect("a directory of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("a source in UTF-8");
                let inside = path.strip_prefix(&root).expect("a path under the root");
                found.push((inside.to_path_buf(), text));
            }
        }
    }
    found
}

/// What is wrong with one source, a line each.
fn faults(path: &Path, text: &str) -> Vec<String> {
    let mut parts = path.iter().map(|part| part.to_string_lossy().into_owned());
    let first = parts.next().unwrap_or_default();
    let name = first.trim_end_matches(".rs");
    let alone = parts.next().is_none();
    let Some(room) = ROOMS.iter().find(|room| room.name == name) else {
        return vec![format!("{}: no layer has a room '{name}'", path.display())];
    };
    let tokens = tokens(&without_comments_and_strings(text));
    let mut faults = Vec::new();
    for used in rooms_used(&tokens, alone) {
        if used != name && is_room(&used) && !room.uses.contains(&used.as_str()) {
            faults.push(format!("uses {used}, which {name} may not"));
        }
    }
    for token in &tokens {
        let elsewhere = ONLY
            .iter()
            .any(|(word, rooms)| token == word && !rooms.contains(&name));
        if elsewhere || room.never.contains(&token.as_str()) {
            faults.push(format!("says '{token}', which has no place in {name}"));
        }
    }
    if tokens.iter().any(|token| token == "unsafe") && name != "arch" {
        faults.push("has unsafe code, which belongs in arch alone".to_string());
    }
    if tokens.windows(2).any(|pair| pair == ["static", "mut"]) {
        faults.push("has a mutable static".to_string());
    }
    faults
        .into_iter()
        .map(|fault| format!("src/{}: {fault}", path.display()))
        .collect()
}

fn is_room(name: &str) -> bool {
    ROOMS.iter().any(|room| room.name == name)
}

/// The names that follow `crate::`, `enroc::` or what reaches the crate by `super::`, also inside braces.
fn rooms_used(tokens: &[String], alone: bool) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    let at = |i: usize| tokens.get(i).map_or("", String::as_str);
    for i in 0..tokens.len() {
        // a file in a room leaves it by two steps, a room of one file by one
        let out = at(i) == "super" && (alone || (i > 1 && at(i - 2) == "super"));
        if !(at(i) == "crate" || at(i) == "enroc" || out) || at(i + 1) != "::" {
            continue;
        }
        if at(i + 2) != "{" {
            used.insert(at(i + 2).to_string());
            continue;
        }
        let (mut depth, mut j) = (1, i + 3);
        while depth > 0 && j < tokens.len() {
            match at(j) {
                "{" => depth += 1,
                "}" => depth -= 1,
                name if depth == 1 && matches!(at(j - 1), "{" | ",") => {
                    used.insert(name.to_string());
                }
                _ => {}
            }
            j += 1;
        }
    }
    used
}

/// Names, `::`, and every other character that is no space by itself.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut in_name = false;
    for c in text.chars() {
        let name = c.is_alphanumeric() || c == '_';
        match tokens.last_mut() {
            Some(last) if name && in_name => last.push(c),
            Some(last) if c == ':' && last == ":" => last.push(c),
            _ if !c.is_whitespace() => tokens.push(c.to_string()),
            _ => {}
        }
        in_name = name;
    }
    tokens
}

/// The text with a space in the place of every comment and every string or character literal.
fn without_comments_and_strings(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            block_comment(rest)
        } else if let Some(length) = raw_string(rest, code.chars().last()) {
            length
        } else if first == '"' {
            quoted(rest, '"')
        } else if first == '\'' && is_char_literal(rest) {
            quoted(rest, '\'')
        } else {
            0
        };
        if skipped == 0 {
            code.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            code.push(' ');
            rest = &rest[skipped..];
        }
    }
    code
}

fn block_comment(text: &str) -> usize {
    let (mut depth, mut i) = (0, 0);
    let bytes = text.as_bytes();
    while i < bytes.len() {
        match &bytes[i..bytes.len().min(i + 2)] {
            b"/*" => (depth, i) = (depth + 1, i + 2),
            b"*/" => (depth, i) = (depth - 1, i + 2),
            _ => i += 1,
        }
        if depth == 0 {
            break;
        }
    }
    i
}

/// The length of `r"…"` or `r#"…"#` at the start of the text, if one stands there and not the end of a name.
fn raw_string(text: &str, before: Option<char>) -> Option<usize> {
    if before.is_some_and(|c| c == '_' || (c.is_alphanumeric() && c != 'b')) {
        return None;
    }
    let hashes = text.strip_prefix('r')?.chars().take_while(|&c| c == '#').count();
    let body = text[1 + hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    Some(2 + hashes + body.find(&end).map_or(body.len(), |at| at + end.len()))
}

/// The length of a literal that ends with an unescaped quote.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        if c == quote && !escaped {
            return i + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

/// Whether a `'` opens a character, not a lifetime.
fn is_char_literal(text: &str) -> bool {
    let mut inside = text.chars().skip(1);
    inside.next() == Some('\\') || inside.next() == Some('\'')
}
