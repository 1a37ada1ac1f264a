//! Whole games in *viriformat*, the self-play format of the engine Viridithas, which bullet and other trainers read.
//!
//! A file is games one after the other. A game is its start in 32 bytes ([`start`]), then four bytes for each ply
//! ([`moves`]), the move and the score of the position in which it was played, then four zero bytes. Numbers are
//! little-endian. The crate `viriformat` describes the format, and is what the tests compare with.

mod game;
pub mod moves;
mod reader;
pub mod start;
mod writer;

pub use reader::ViriformatReader;
pub use writer::write_games;

/// What is wrong with a game that is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrokenGame {
    /// Its first 32 bytes are no legal position.
    Start,
    /// Its result is none of the four.
    Result,
    /// A move is not legal.
    Move,
    /// The file ends before the game does.
    CutOff,
    /// It is longer than the rules allow, so its end is missing or it is no game.
    TooLong,
}

impl BrokenGame {
    /// Every kind and its name, in the order of the counts.
    pub const NAMES: [&'static str; 5] = [
        "damaged start position",
        "unknown result",
        "illegal move",
        "cut off by the end of the file",
        "longer than any game",
    ];
}
