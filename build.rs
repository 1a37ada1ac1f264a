//! Finds the nets that are built into the binary: those that `nets/built-in` names, the first replaced by the file in
//! the environment variable EVALFILE (as OpenBench sets it). It also names the commit that is built, and the sources that
//! decide what the engine answers, for `enroc compare`.

#[path = "build/answers.rs"]
mod answers;

use answers::Question::{Full, Plain, Static};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Digits of a commit in the program's name.
const COMMIT_DIGITS: usize = 9;

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    println!("cargo:rerun-if-env-changed=EVALFILE");
    println!("cargo:rerun-if-changed=build.rs");
    name_version(&root);
    let has_lab = std::env::var_os("CARGO_FEATURE_LAB").is_some();
    built_in(&root, has_lab);
    if has_lab {
        name_answer_sources(&root);
    }
}

/// Sets ENROC_VERSION: the version, and where it is known the commit that was built, unless a tag names the version.
fn name_version(root: &Path) {
    let version = std::env::var("CARGO_PKG_VERSION").expect("cargo sets CARGO_PKG_VERSION");
    let name = match packed_commit(root).or_else(|| checked_out_commit(root, &version)) {
        Some(commit) => format!("{version} ({commit})"),
        None => version,
    };
    println!("cargo:rustc-env=ENROC_VERSION={name}");
}

/// The commit that `cargo package` noted.
fn packed_commit(root: &Path) -> Option<String> {
    let text = std::fs::read_to_string(root.join(".cargo_vcs_info.json")).ok()?;
    let (_, rest) = text.split_once("\"sha1\"")?;
    let digits = rest.split('"').nth(1)?;
    Some(digits.get(..COMMIT_DIGITS)?.to_string())
}

/// The commit that is checked out; `None` without git, outside of a repository, or where a tag names this version.
fn checked_out_commit(root: &Path, version: &str) -> Option<String> {
    // without this a repository around an unpacked crate would be asked
    if !root.join(".git").exists() {
        return None;
    }
    let git = |arguments: &[&str]| {
        let output = Command::new("git").arg("-C").arg(root).args(arguments).output();
        let output = output.ok().filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_string())
    };
    // the log of HEAD grows with every commit and checkout
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]).map(|log| root.join(log))
        && log.exists()
    {
        println!("cargo:rerun-if-changed={}", log.display());
    }
    let tags = git(&["tag", "--points-at", "HEAD"]).unwrap_or_default();
    if tags.lines().any(|tag| tag.trim_start_matches('v') == version) {
        return None;
    }
    let commit = git(&["rev-parse", "HEAD"])?;
    Some(commit.get(..COMMIT_DIGITS)?.to_string())
}

/// Writes the table of [`answers::name`]: for each kind of network the names for a static evaluation, a plain look-ahead
/// and a full search.
fn name_answer_sources(root: &Path) {
    for watched in ["src", "build", "Cargo.lock"] {
        println!("cargo:rerun-if-changed={watched}");
    }
    let sources = answers::read(&root.join("src"));
    let lock = std::fs::read_to_string(root.join("Cargo.lock")).unwrap_or_default();
    let names = |&kind: &&str| {
        let names = [Static, Plain, Full].map(|question| answers::name(&sources, &lock, kind, question));
        format!("({kind:?}, {names:?})")
    };
    let rows: Vec<String> = answers::kinds(&sources).iter().map(names).collect();
    write("answer_sources.rs", &format!("&[{}]", rows.join(", ")));
}

/// Writes the list of the nets that are built in, from the lines `NAME FILE` of `nets/built-in`. EVALFILE replaces the
/// file of the first, which plays by default; without the feature `lab` it is the only one, for the others are of kinds that
/// need candle's libraries.
fn built_in(root: &Path, has_lab: bool) {
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
    if !has_lab {
        nets.truncate(1);
    }
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
