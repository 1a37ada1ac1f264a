//! The one way to print a line on standard output.

use std::fmt::Display;
use std::io::{self, Write};

/// Prints a line at once. A closed pipe, as `head` leaves it, is no error: the program carries on.
pub fn say(line: impl Display) {
    let mut output = io::stdout().lock();
    let _ = writeln!(output, "{line}").and_then(|()| output.flush());
}
