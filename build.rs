//! Finds the nets that are built into the binary: those that `nets/built-in` names, the first replaced by the file in
//! the environment variable EVALFILE (as OpenBench sets it). It also gives the sources that decide what the engine
//! answers a name, by which `enroc compare` knows answers of another version.

use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// What decides a move: the rules, the instructions, the networks, the search, and what joins them.
const SEARCH_SOURCES: [&str; 6] = [
    "src/board",
    "src/arch",
    "src/nets",
    "src/search",
    "src/engine/searcher.rs",
    "src/compare/contestant/player.rs",
];

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    println!("cargo:rerun-if-env-changed=EVALFILE");
    println!("cargo:rerun-if-changed=build.rs");
    built_in(&root);
    let mut sources = Sha256::new();
    for source in SEARCH_SOURCES {
        println!("cargo:rerun-if-changed={source}");
        add(&mut sources, &root.join(source));
    }
    let digits: String = sources
        .finalize()
        .iter()
        .take(4)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    println!("cargo:rustc-env=ENROC_SEARCH_SOURCES={digits}");
}

/// Adds a file, or the files of a folder in the order of their names.
fn add(sources: &mut Sha256, path: &Path) {
    if !path.is_dir() {
        let text =
            std::fs::read(path).unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()));
        return sources.update(&text);
    }
    let entries =
        std::fs::read_dir(path).unwrap_or_else(|error| panic!("cannot list {}: {error}", path.display()));
    let mut inside: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    inside.sort();
    inside.iter().for_each(|path| add(sources, path));
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
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    std::fs::write(out.join("built_in.rs"), code).expect("OUT_DIR can be written");
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
