//! Error messages to the client.

use crate::support::foreign::one_line;
use crate::support::terminal::say;
use std::fmt::Display;

/// The longest message in characters; the input that it quotes may be of any length.
const LONGEST: usize = 200;

/// Prints an error as an `info string` on one line, truncated because it may quote any input.
pub(super) fn complain(error: impl Display) {
    let text: String = error.to_string().chars().take(LONGEST).collect();
    say(format!("info string {}", one_line(&text)));
}
