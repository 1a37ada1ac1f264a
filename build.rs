//! Finds the nets that are built into the binary: those that `nets/built-in` names, the first replaced by the file in
//! the environment variable EVALFILE (as OpenBench sets it). It also names the sources that decide what the engine
//! answers, for `enroc compare`.

#[path = "tests/sources/answers.rs"]
mod answers;
#[path = "tests/sources/mod.rs"]
mod sources;

use answers::Question::{Full, Plain, Static};
use std::path::{Path, PathBuf};

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    println!("cargo:rerun-if-env-changed=EVALFILE");
    println!("cargo:rerun-if-changed=build.rs");
    built_in(&root);
    name_answer_sources(&root);
}

/// Writes the table of [`answers::name`]: for each kind of network the names for a static evaluation, a plain look-ahead
/// and a full search.
fn name_answer_sources(root: &Path) {
    for watched in ["src", "tests/sources", "Cargo.lock"] {
        println!("cargo:rerun-if-changed={watched}");
    }
    let sources = sources::read_all(&root.join("src"));
    let lock = std::fs::read_to_string(root.join("Cargo.lock")).unwrap_or_default();
    let names = |&kind: &&str| {
        let names = [Static, Plain, Full].map(|question| answers::name(&sources, &lock, kind, question));
        format!("({kind:?}, {names:?})")
    };
    let rows: Vec<String> = answers::kinds(&sources).iter().map(names).collect();
    write("answer_sources.rs", &format!("&[{}]", rows.join(", ")));
}

/// Writes the list of the nets that are built in, from the lines `NAME FILE` of `nets/built-in`. EVALFILE replaces the
/// file of the first, which plays by default.
fn built_in(root: &Path) {
    let list = root.join("nets/built-in");
    println!("cargo:rerun-if-changed={}", list.display());
    let text = std::fs::read_to_string(&list)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", list.display()));
    let mut nets: Vec<(&str, PathBuf)> = text
        .lines()
        .map(|line| {
            let (name, file) = line
                .split_once(' ')
                .unwrap_or_else(|| panic!("nets/built-in has `{line}` where NAME FILE was expected"));
            (name, root.join("nets").join(file.trim()))
        })
        .collect();
    if let Some(file) = std::env::var_os("EVALFILE").filter(|value| !value.is_empty()) {
        nets[0].1 = root.join(file);
    }
    let mut code = String::from("/// The nets that are built in; the first plays by default.\n");
    code += "pub const BUILT_IN: &[BuiltIn] = &[\n";
    for (name, net) in &nets {
        check(net);
        code += &format!("    BuiltIn {{ name: {name:?}, bytes: include_bytes!({net:?}) }},\n");
    }
    code += "];\n\n/// Their names.\npub const NAMES: &[&str] = &[";
    code += &nets
        .iter()
        .map(|(name, _)| format!("{name:?}, "))
        .collect::<String>();
    code += "];\n";
    write("built_in.rs", &code);
}

/// Writes a file for the sources to include.
fn write(name: &str, code: &str) {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    std::fs::write(out.join(name), code).expect("OUT_DIR can be written");
}

/// Stops the build where a net is missing.
fn check(net: &Path) {
    if !net.is_file() {
        panic!(
            "the net file {} does not exist: set EVALFILE to a net, or name one of nets/ in nets/built-in",
            net.display()
        );
    }
    println!("cargo:rerun-if-changed={}", net.display());
}
