//! Errors in commands.

use super::suggestion::hint;

/// Why a line cannot be parsed as a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// `setoption` without `name`.
    #[error("setoption needs 'name' and the name of an option")]
    OptionName,
    /// `position` with neither `startpos` nor `fen`.
    #[error("position needs 'startpos' or 'fen' and a FEN")]
    PositionKind,
    /// `position startpos` with something else than `moves` after it.
    #[error("position startpos is followed by 'moves', not by '{0}'")]
    MovesWord(String),
    /// `debug` with neither `on` nor `off`.
    #[error("debug needs 'on' or 'off'")]
    DebugMode,
    /// `bench` with an argument that is not a depth.
    #[error("'{0}' is not a depth")]
    Depth(String),
    /// `explain` without a move.
    #[error("explain needs a move of the position, such as 'explain e2e4', and perhaps a language")]
    ExplainMove,
    /// `go perft` without a depth.
    #[error("go perft needs a depth")]
    PerftDepth,
    /// No command at all.
    #[error("there is no command '{word}', 'help' lists them{}", hint(.word, *.known))]
    Unknown {
        /// The first word of the line.
        word: String,
        /// The commands.
        known: &'static [&'static str],
    },
}
