//! Names of files, and names in files, as `EvalFile` and `SyzygyPath` meet them.

use crate::mutation::Mutations;
use crate::nets::small_net;
use crate::target::fuzz;
use enroc::nets::net::Precision;
use enroc::uci::UciEngine;
use std::fs;
use std::sync::{Mutex, PoisonError};

const NAMES: &[&str] = &[
    "mlp-default.safetensors",
    "KQvK.rtbw",
    "KRvK.rtbz",
    "two  blanks",
    "evil\nbestmove e2e4",
    "\u{1b}[2J\u{1b}]0;x\u{7}",
    "-",
];

const WORDS: &[&str] = &[
    "\n",
    "\r",
    "\t",
    "\0",
    "\u{1b}[31m",
    "\u{9b}",
    "\u{85}",
    "\u{2028}",
    "\u{202e}",
    "info string ",
    "bestmove ",
    ":",
    ";",
    "..",
    "~",
    "%s",
    "<empty>",
    "value",
    ".rtbw",
    ".rtbz",
    "KQvK",
    "é",
];

/// Whatever a file is called, or calls itself: what is told is one `info string` for each line, without characters that
/// steer a terminal, and the engine goes on with the net that it had or the one that was asked for.
#[test]
fn names() {
    let engine = Mutex::new(UciEngine::new().expect("an engine"));
    fuzz("names", 300, Mutations::of_texts(NAMES, WORDS), |input| {
        let mut engine = engine.lock().unwrap_or_else(PoisonError::into_inner);
        check_name(&mut engine, &input.text())
    });
}

fn check_name(engine: &mut UciEngine, name: &str) -> bool {
    let folder = tempfile::tempdir().expect("a folder");
    let mut net = small_net();
    net.info.name = name.to_string();
    net.info.data = name.to_string();
    let file_name: String = name
        .chars()
        .filter(|c| !matches!(c, '/' | '\0'))
        .take(50)
        .collect();
    let path = folder.path().join(format!("x{file_name}"));
    let bytes = net.to_bytes(Precision::F32).expect("a file");
    if fs::write(&path, bytes).is_err() {
        return false;
    }
    let mut told = Vec::new();
    for (option, value) in [
        ("EvalFile", path.to_string_lossy()),
        ("EvalFile", name.into()),
        ("SyzygyPath", folder.path().to_string_lossy()),
        ("SyzygyPath", name.into()),
        ("SyzygyPath", "<empty>".into()),
        ("EvalFile", "<empty>".into()),
    ] {
        match engine.set_option(option, &value) {
            Ok(lines) => told.extend(lines),
            // the session prints an error through the same door
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    for line in told.iter().flat_map(|lines| lines.split('\n')) {
        assert!(line.starts_with("info string "), "{line:?}");
        assert!(
            !line.chars().any(|c| c.is_control() || c == '\u{202e}'),
            "{line:?}"
        );
    }
    true
}
