//! Finds the net that is built into the binary: the file in the environment variable EVALFILE (as OpenBench sets it),
//! or the one that `nets/default` names. It only checks that the file is there and says where.

use std::path::{Path, PathBuf};

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    println!("cargo:rerun-if-env-changed=EVALFILE");
    println!("cargo:rerun-if-changed=build.rs");
    let net = match std::env::var_os("EVALFILE").filter(|value| !value.is_empty()) {
        Some(file) => root.join(file),
        None => default_net(&root),
    };
    if !net.is_file() {
        panic!(
            "the net file {} does not exist: set EVALFILE to a net, or name one of nets/ in nets/default",
            net.display()
        );
    }
    println!("cargo:rerun-if-changed={}", net.display());
    println!("cargo:rustc-env=ENROC_NET={}", net.display());
}

/// The file that the one line of `nets/default` names.
fn default_net(root: &Path) -> PathBuf {
    let pointer = root.join("nets/default");
    println!("cargo:rerun-if-changed={}", pointer.display());
    let name = std::fs::read_to_string(&pointer)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", pointer.display()));
    root.join("nets").join(name.trim())
}
