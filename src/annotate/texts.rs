//! The words in which games are annotated, handed in by whoever knows the language.

use crate::board::Color;
use crate::explain::{Explanation, Line};

/// A sentence by its name, with the values of its variables.
pub type Say<'a> = &'a (dyn Fn(&str, &[(&'static str, String)]) -> String + Sync);

/// Words in one language.
pub struct Texts<'a> {
    /// Its code, such as `ca`, for the page.
    pub language: &'a str,
    /// What is said of a move, in a few sentences.
    pub explain: &'a (dyn Fn(&Explanation) -> String + Sync),
    /// The moves of a line with their numbers, as the language writes them.
    pub moves: &'a (dyn Fn(&Line) -> String + Sync),
    /// A sentence about a game by its name, with its variables.
    pub say: Say<'a>,
    /// What a player is called.
    pub player: &'a (dyn Fn(Color) -> String + Sync),
    /// A word of the page by its name, such as `page-accuracy`.
    pub label: &'a (dyn Fn(&str) -> String + Sync),
}
