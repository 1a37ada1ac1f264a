//! Errors in commands.

/// Why a known command cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// `setoption` without `name`.
    #[error("setoption needs 'name' and the name of an option")]
    OptionName,
    /// `position` with neither `startpos` nor `fen`.
    #[error("position needs 'startpos' or 'fen' and a FEN")]
    PositionKind,
    /// `debug` with neither `on` nor `off`.
    #[error("debug needs 'on' or 'off'")]
    DebugMode,
    /// `bench` with an argument that is not a depth.
    #[error("'{0}' is not a depth")]
    Depth(String),
    /// `go perft` without a depth.
    #[error("go perft needs a depth")]
    PerftDepth,
}
