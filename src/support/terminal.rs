//! Printing to standard output.

use std::fmt::Display;
use std::io::{self, Write};

/// Prints a line and flushes it. Errors are ignored: a closed pipe, as after `head`, must not end a computation.
pub fn say(line: impl Display) {
    let mut output = io::stdout().lock();
    let _ = writeln!(output, "{line}").and_then(|()| output.flush());
}
