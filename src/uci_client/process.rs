//! Starting an engine's program and waiting for its end.

use super::command_line::words;
use super::error::ClientError;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Where Debian installs chess engines; not on every user's PATH.
const DEBIAN_GAMES: &str = "/usr/games";

/// Starts a program with its arguments, found on the PATH or where Debian installs chess engines.
pub(super) fn spawn(command_line: &str) -> Result<Child, ClientError> {
    let words = words(command_line)?;
    let program = words[0].as_str();
    let start = |path: &Path| {
        Command::new(path)
            .args(&words[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
    };
    let path = Path::new(program);
    let missing = |error: &std::io::Error| error.kind() == std::io::ErrorKind::NotFound;
    let plain_name = path.components().count() == 1;
    match start(path) {
        Err(error) if missing(&error) && plain_name => start(&Path::new(DEBIAN_GAMES).join(program)),
        other => other,
    }
    .map_err(|source| {
        let program = program.to_string();
        if missing(&source) {
            ClientError::Missing(program)
        } else {
            ClientError::Start { program, source }
        }
    })
}

/// Waits for a process to end; `None` if it has not within `patience`.
pub(super) fn wait(child: &mut Child, patience: Duration) -> Option<ExitStatus> {
    let deadline = Instant::now() + patience;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
            _ => return None,
        }
    }
}
