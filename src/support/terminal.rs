//! Printing to standard output.

use super::log::{self, Direction};
use std::fmt::Display;
use std::io::{self, Write};

/// Prints a line, flushes it and notes it in the log if there is one. Errors are ignored: a closed pipe, as after `head`,
/// must not end a computation.
pub fn say(line: impl Display) {
    log::note(Direction::Out, &line);
    let mut output = io::stdout().lock();
    let _ = writeln!(output, "{line}").and_then(|()| output.flush());
}
