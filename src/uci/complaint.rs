//! Telling the client what is wrong.

use crate::support::terminal::say;
use std::fmt::Display;

/// The longest complaint, in characters: what it quotes may be of any length.
const LONGEST: usize = 200;

/// One `info string` that names what is wrong. It may quote anything the client sent, so it is cut and cleaned.
pub(super) fn complain(error: impl Display) {
    let clean = |c: char| if c.is_control() { '?' } else { c };
    let text: String = error.to_string().chars().take(LONGEST).map(clean).collect();
    say(format!("info string {text}"));
}
