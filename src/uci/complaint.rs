//! Error messages to the client.

use crate::support::terminal::say;
use std::fmt::Display;

/// The longest message in characters; the input that it quotes may be of any length.
const LONGEST: usize = 200;

/// Prints an error as an `info string`, truncated and without control characters because it may quote any input.
pub(super) fn complain(error: impl Display) {
    let clean = |c: char| if c.is_control() { '?' } else { c };
    let text: String = error.to_string().chars().take(LONGEST).map(clean).collect();
    say(format!("info string {text}"));
}
