//! A log of what goes over standard input and output (the UCI option `Debug Log File`).

use std::fmt::Display;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Which way a line goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the client.
    In,
    /// To the client.
    Out,
}

/// An open log.
struct Log {
    file: File,
    since: Instant,
}

static LOG: Mutex<Option<Log>> = Mutex::new(None);

/// Writes every line from now on at the end of a file, instead of the file that was written to before.
///
/// # Errors
/// Those of the file, and for what is no file: a pipe that nobody reads would hold up every line. The log then stays as it
/// was.
pub fn open(path: &Path) -> io::Result<()> {
    if path.metadata().is_ok_and(|data| !data.is_file()) {
        return Err(io::Error::other("it is not a file"));
    }
    let file = OpenOptions::new().create(true).append(true).open(path)?;
    let since = Instant::now();
    *log() = Some(Log { file, since });
    Ok(())
}

/// Writes no more lines.
pub fn close() {
    *log() = None;
}

/// Writes a line, with the seconds since the log was opened, if there is a log. One that cannot be written (a full disk) is
/// closed: the game goes on.
pub fn note(direction: Direction, line: &dyn Display) {
    let mut log = log();
    if let Some(Log { file, since }) = &mut *log {
        let arrow = match direction {
            Direction::In => ">>",
            Direction::Out => "<<",
        };
        let text = format!("{:9.3} {arrow} {line}\n", since.elapsed().as_secs_f64());
        if file.write_all(text.as_bytes()).is_err() {
            *log = None;
        }
    }
}

fn log() -> MutexGuard<'static, Option<Log>> {
    LOG.lock().unwrap_or_else(PoisonError::into_inner)
}
