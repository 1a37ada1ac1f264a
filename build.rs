//! Finds the nets that are built into the binary: as default the file in the environment variable EVALFILE (as OpenBench
//! sets it), or the one that `nets/default` names; and the CNN that `nets/default-cnn` names. It only checks that the
//! files are there and says where. It also gives the sources that decide what the engine answers a name, by which
//! `enroc compare` knows answers of another version.

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
    let net = match std::env::var_os("EVALFILE").filter(|value| !value.is_empty()) {
        Some(file) => root.join(file),
        None => named_net(&root, "nets/default"),
    };
    embed("ENROC_NET", &net);
    embed("ENROC_CNN", &named_net(&root, "nets/default-cnn"));
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

/// Tells the compiler where a net is.
fn embed(variable: &str, net: &Path) {
    if !net.is_file() {
        panic!(
            "the net file {} does not exist: set EVALFILE to a net, or name one of nets/ in nets/default",
            net.display()
        );
    }
    println!("cargo:rerun-if-changed={}", net.display());
    println!("cargo:rustc-env={variable}={}", net.display());
}

/// The file that the one line of a file names.
fn named_net(root: &Path, pointer: &str) -> PathBuf {
    let pointer = root.join(pointer);
    println!("cargo:rerun-if-changed={}", pointer.display());
    let name = std::fs::read_to_string(&pointer)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", pointer.display()));
    root.join("nets").join(name.trim())
}
