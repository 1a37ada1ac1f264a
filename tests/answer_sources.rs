//! What `enroc compare` knows answers of another version by: the name changes with every file that decides an answer.

#[path = "../build/answers.rs"]
mod answers;

use answers::Question::{self, Full, Plain, Static};
use answers::{Files, decides, kinds, name, read};
use std::path::Path;

const LOCK: &str = "[[package]]\nname = \"gemm\"\nversion = \"0.19.0\"\n";

fn sources() -> Files {
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
}

/// The names of an MLP's and a CNN's static, plain and full answers.
fn names(files: &Files) -> Vec<String> {
    let questions = |kind| [Static, Plain, Full].map(|question| name(files, LOCK, kind, question));
    ["mlp", "cnn"].into_iter().flat_map(questions).collect()
}

#[test]
fn what_decides_an_answer_changes_its_name() {
    let (yes, no) = (true, false);
    let sources = sources();
    let before = names(&sources);
    for (path, expected) in [
        ("arch/dense.rs", [yes; 6]),
        ("board/movegen.rs", [yes; 6]),
        ("compare/contestant/player.rs", [yes; 6]),
        ("engine/searcher.rs", [yes; 6]),
        ("nets/encoding.rs", [yes; 6]),
        ("nets/mlp/integer/mod.rs", [yes, yes, yes, no, no, no]),
        ("nets/cnn/mod.rs", [no, no, no, yes, yes, yes]),
        ("search/look_ahead.rs", [no, yes, yes, no, yes, yes]),
        ("search/alphabeta/quiescence.rs", [no, no, yes, no, no, yes]),
        ("search/params/mod.rs", [no, no, yes, no, no, yes]),
        ("compare/report/mod.rs", [no; 6]),
        ("explain/rank.rs", [no; 6]),
        ("training/run.rs", [no; 6]),
    ] {
        let mut changed = sources.clone();
        let text = changed.get_mut(path).unwrap_or_else(|| panic!("{path} is gone"));
        text.push(b'\n');
        let names = names(&changed);
        let differ: Vec<bool> = names.iter().zip(&before).map(|(new, old)| new != old).collect();
        assert_eq!(differ, expected, "{path}");
    }
}

#[test]
fn another_version_of_a_library_that_multiplies_is_another_name() {
    let sources = sources();
    let name = |lock: &str| name(&sources, lock, "mlp", Static);
    assert_ne!(name(&LOCK.replace("0.19", "0.20")), name(LOCK));
    assert_eq!(name(&LOCK.replace("gemm", "csv")), name(""));
}

#[test]
fn every_folder_of_nets_is_a_kind() {
    let sources = sources();
    let kinds = kinds(&sources);
    assert!(kinds.contains(&"mlp") && kinds.contains(&"cnn"), "{kinds:?}");
    let of_another = |question: Question| decides("nets/cnn/mod.rs", "mlp", question);
    assert!(![Static, Plain, Full].into_iter().any(of_another));
}
