//! Printing to standard output and standard error.

use super::foreign::visible;
use super::log::{self, Direction};
use std::fmt::Display;
use std::io::{self, Write};
use std::sync::OnceLock;

/// Why the first line that could not be printed was not.
static LOST: OnceLock<io::Error> = OnceLock::new();

/// Prints a line, flushes it and notes it in the log if there is one. If that fails the computation goes on, for its result
/// may be a file; the program asks for [`failure`] at its end.
pub fn say(line: impl Display) {
    let line = line.to_string();
    let line = visible(&line);
    log::note(Direction::Out, &line);
    let mut output = io::stdout().lock();
    note_error(writeln!(output, "{line}").and_then(|()| output.flush()));
}

/// Prints a line to standard error.
pub fn complain(line: impl Display) {
    // there is nobody left to tell if this fails
    let _ = writeln!(io::stderr(), "{}", visible(&line.to_string()));
}

/// Remembers that something could not be printed to standard output.
pub fn note_error(done: io::Result<()>) {
    if let Err(error) = done {
        let _ = LOST.set(error);
    }
}

/// Whether a line could not be printed, so that nobody reads those that follow.
pub fn is_lost() -> bool {
    LOST.get().is_some()
}

/// Why lines could not be printed; `None` if the reader went away, as `head` does, which is no fault.
pub fn failure() -> Option<&'static io::Error> {
    LOST.get()
        .filter(|error| error.kind() != io::ErrorKind::BrokenPipe)
}
