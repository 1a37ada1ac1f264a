//! Holds the layers: which room may use which, what a room may touch of the world outside, and that no files use each
//! other in a circle.

mod sources;

use sources::{Source, read_all, uses};
use std::collections::{BTreeSet, VecDeque};
use std::path::Path;

/// The rooms from the lowest to the highest, each with those above it in this list that it may use.
const ROOMS: &[(&str, &str)] = &[
    ("support", ""),
    ("board", ""),
    ("pictures", "board"),
    ("arch", ""),
    ("nets", "support board arch"),
    ("tablebases", "board"),
    ("search", "board arch nets tablebases"),
    ("explain", "board nets"),
    ("engine", "board arch nets search explain tablebases"),
    ("uci", "support board nets search engine explain tablebases"),
    ("uci_client", "board"),
    ("data", "support board"),
    ("labelling", "support board nets uci_client data"),
    ("visits", "support board nets search engine data labelling"),
    ("training", "support board arch nets data"),
    (
        "annotate",
        "support board pictures nets search explain engine data",
    ),
    ("experiments", "support board nets search engine data"),
    (
        "compare",
        "support board pictures nets search engine uci_client data experiments",
    ),
    (
        "web",
        "support board nets tablebases search engine explain uci_client",
    ),
    (
        "cli",
        "support board nets tablebases search explain engine uci uci_client data labelling visits training annotate compare experiments web",
    ),
    ("main", "cli"),
    ("lib", ""),
];

/// Words that have their place in some rooms alone: unsafe code, other processes, candle, the terminal, the network.
const ONLY: &[(&str, &str)] = &[
    ("unsafe", "arch"),
    ("process", "uci_client cli main"),
    ("candle_core candle_nn", "nets training experiments"),
    ("shakmaty shakmaty_syzygy", "tablebases"),
    ("print println", "support cli"),
    ("eprint eprintln", "cli"),
    ("stdout", "support uci_client"),
    ("stdin", "uci uci_client cli"),
    ("tokio hyper hyper_util", "web"),
];

/// Words that have no place in a room: the rules are pure, the search knows of networks only that they evaluate, and a
/// training shows nothing itself, and no wish of a page in the browser reaches a file.
const NEVER: &[(&str, &str)] = &[
    ("board", "thread fs File f32 f64 rand rayon serde"),
    ("search", "fs File mlp cnn Net"),
    ("training", "terminal indicatif"),
    ("web", "fs OpenOptions whole_file"),
];

fn has(words: &str, word: &str) -> bool {
    words.split(' ').any(|other| other == word)
}

#[test]
fn the_layers_hold() {
    let sources = read_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(sources.len() > 100, "only {} sources were found", sources.len());
    let faults: Vec<String> = sources.iter().flat_map(faults).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    let sources = read_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let circles = circles(&sources);
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}

/// What is wrong with one source, a line each.
fn faults(source: &Source) -> Vec<String> {
    let name = source.room();
    let Some(place) = ROOMS.iter().position(|&(room, _)| room == name) else {
        return vec![format!("src/{}: no layer has a room '{name}'", source.path)];
    };
    let used: BTreeSet<&str> = source
        .paths
        .iter()
        .filter_map(|path| path.first())
        .map(String::as_str)
        .collect();
    let arrows = used.into_iter().filter(|&other| {
        let above = ROOMS.iter().position(|&(room, _)| room == other);
        let allowed = above.is_none_or(|above| above < place && has(ROOMS[place].1, other));
        other != name && !allowed
    });
    let mut faults: Vec<String> = arrows
        .map(|other| format!("uses {other}, which {name} may not"))
        .collect();
    for token in &source.tokens {
        let elsewhere = |&(words, rooms): &(&str, &str)| has(words, token) && !has(rooms, name);
        let never = |&(room, words): &(&str, &str)| room == name && has(words, token);
        if ONLY.iter().any(elsewhere) || NEVER.iter().any(never) {
            faults.push(format!("says '{token}', which has no place in {name}"));
        }
    }
    if source.tokens.windows(2).any(|pair| pair == ["static", "mut"]) {
        faults.push("has a mutable static".to_string());
    }
    faults
        .iter()
        .map(|fault| format!("src/{}: {fault}", source.path))
        .collect()
}

/// Circles of files that use each other, a line each; a file and its children may.
fn circles(sources: &[Source]) -> Vec<String> {
    let is_child = |a: &Source, b: &Source| {
        b.module
            .split_last()
            .is_some_and(|(_, parent)| parent == a.module)
    };
    let mut uses = uses(sources);
    for (file, used) in sources.iter().zip(&mut uses) {
        used.retain(|&other| !is_child(file, &sources[other]) && !is_child(&sources[other], file));
    }
    let circles = (0..sources.len()).filter_map(|file| way_back(&uses, file));
    // each once, from the first of its files
    let once = circles.filter(|circle| circle.iter().min() == circle.first());
    let name = |&file: &usize| sources[file].path.as_str();
    once.map(|circle| circle.iter().map(name).collect::<Vec<_>>().join(" > "))
        .collect()
}

/// The shortest way from a file along what each uses back to itself.
fn way_back(uses: &[BTreeSet<usize>], file: usize) -> Option<Vec<usize>> {
    let mut seen = BTreeSet::new();
    let mut ways = VecDeque::from([vec![file]]);
    while let Some(way) = ways.pop_front() {
        for &next in &uses[way[way.len() - 1]] {
            let longer = [&way[..], &[next]].concat();
            if next == file {
                return Some(longer);
            }
            if seen.insert(next) {
                ways.push_back(longer);
            }
        }
    }
    None
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
        ("board/mod.rs", "mod tests { use super::super::data; }"),
        ("board/types.rs", "pub fn f(x: f32) {}"),
        ("board/types.rs", "use rayon::prelude::*;"),
        ("board/types.rs", "use super::super::search;"),
        (
            "board/types.rs",
            "mod tests { fn f() { super::super::super::search::f() } }",
        ),
        ("support.rs", "use super::search::Limits;"),
        ("search/tt.rs", "fn f() { println!(\"{}\", 1); }"),
        ("search/tt.rs", "use crate::nets::mlp::reference::Mlp;"),
        ("search/tt.rs", "fn f() { unsafe { g() } }"),
        ("nets/mlp.rs", "pub unsafe fn f() {}"),
        ("nets/mlp.rs", "use std::process;"),
        ("engine/searcher.rs", "use candle_core::Tensor;"),
        ("data/pgn.rs", "use crate::training::recipe;"),
        (
            "data/pgn.rs",
            "use crate::{self as all, cli as c}; fn f() { c::run() }",
        ),
        ("uci/mod.rs", "static mut COUNT: u32 = 0;"),
        ("uci/mod.rs", "use crate::training;"),
        (
            "uci/mod.rs",
            "fn f() -> impl Iterator + use<> { crate::training::f() }",
        ),
        ("main.rs", "use enroc::board;"),
        ("helpers.rs", "fn f() {}"),
    ];
    for (path, text) in cases {
        assert!(
            !faults(&Source::new(path, text)).is_empty(),
            "{path}: {text} passes"
        );
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
        (
            "board/see.rs",
            "const S: &str = r#\"unsafe \" crate::uci\"#; const B: &[u8] = br\"unsafe\";",
        ),
        (
            "search/tt.rs",
            "use crate::{board::{Move, Square}, nets::{Evaluator, Score}};",
        ),
        (
            "search/tt.rs",
            "pub(in crate::search) fn f() { let c = ('\\'', b'\"', 'x'); }",
        ),
        ("arch/mod.rs", "pub unsafe fn f() {}"),
        (
            "uci/mod.rs",
            "#![forbid(unsafe_code)] use crate::{search, board};",
        ),
        ("main.rs", "fn main() { enroc::cli::run() }"),
    ];
    for (path, text) in cases {
        assert_eq!(faults(&Source::new(path, text)), Vec::<String>::new(), "{text}");
    }
}

/// Paths and texts of a tree of sources.
type Files = &'static [(&'static str, &'static str)];

#[test]
fn circles_are_found_however_they_are_written() {
    let cases: &[(Files, &[&str])] = &[
        (
            &[
                ("a/mod.rs", "mod b; mod c;"),
                ("a/b.rs", "use super::c;"),
                ("a/c.rs", "fn f() { crate::a::b::f() }"),
            ],
            &["a/b.rs > a/c.rs > a/b.rs"],
        ),
        (
            &[
                ("a.rs", "use crate::{b::{x, y}, d};"),
                ("b.rs", "use crate::c::*;"),
                ("c.rs", "use enroc::a as z;"),
            ],
            &["a.rs > b.rs > c.rs > a.rs"],
        ),
        // through a name that the parent passes on, from code and from a test
        (
            &[
                ("a/mod.rs", "mod b; pub use b::Thing;"),
                ("a/b.rs", "mod tests { use crate::c::d; use super::*; }"),
                ("c/d.rs", "use crate::a; fn f(x: a::Thing) {}"),
                ("c/e.rs", "use super::d; use crate::a::Thing;"),
            ],
            &["a/b.rs > c/d.rs > a/b.rs"],
        ),
        // a grandparent and its grandchild
        (
            &[
                ("a/mod.rs", "use self::b::c::f;"),
                ("a/b/mod.rs", "mod c;"),
                ("a/b/c.rs", "use crate::a::g;"),
            ],
            &["a/mod.rs > a/b/c.rs > a/mod.rs"],
        ),
        // a parent and its child may use each other
        (
            &[("a/mod.rs", "mod b; use b::f;"), ("a/b.rs", "use super::g;")],
            &[],
        ),
        // the parent passes on a name of the one child, and the other uses it
        (
            &[
                ("a/mod.rs", "mod b; mod c; pub use b::f;"),
                ("a/b.rs", ""),
                ("a/c.rs", "use super::f;"),
            ],
            &[],
        ),
    ];
    for (files, expected) in cases {
        let sources: Vec<Source> = files.iter().map(|(path, text)| Source::new(path, text)).collect();
        assert_eq!(circles(&sources), *expected, "{files:?}");
    }
}
