//! What can be wrong with the text of a contestant.

use crate::engine::level::ELO;
use crate::nets::heuristics::HeuristicsError;
use std::path::PathBuf;
use thiserror::Error;

/// The deepest plain look-ahead, that of the UCI option `LookAhead`.
pub(super) const MOST_PLIES: u32 = 32;

/// Why a text is no contestant.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ContestantError {
    /// It has no `@`.
    #[error("it needs a look-ahead or a limit, such as mlp@2, mlp@2+q or stockfish@depth:2")]
    NoLimit,
    /// Nothing stands before its `@`.
    #[error("it has no name")]
    NoName,
    /// What follows the colon of a limit is no number above 0.
    #[error("'{0}' is no number above 0")]
    Number(String),
    /// The level is beyond those that the engine plays at.
    #[error("a level is from elo:{} to elo:{}", ELO.0, ELO.1)]
    Level,
    /// The word before a colon names no limit.
    #[error("'{0}' is no limit: depth:, nodes:, movetime: and elo: are")]
    Limit(String),
    /// What follows an `@` has no colon and is no look-ahead.
    #[error(
        "'{0}' is no look-ahead such as 2 or 2+q (at most {MOST_PLIES} plies) and no limit such as nodes:5000"
    )]
    LookAhead(String),
    /// It has two levels, limits or look-aheads.
    #[error("it has two {0}")]
    Two(&'static str),
    /// What chooses the moves cannot be given such a look-ahead, limit or level; it says why.
    #[error("{0}")]
    Budget(&'static str),
    /// It begins as the names of heuristics do, and is none.
    #[error(transparent)]
    Heuristics(#[from] HeuristicsError),
    /// The path of a net file leads to none.
    #[error("there is no such net file")]
    NoFile,
    /// More than one net of the nets' folder has the name.
    #[error("several nets have that name: {}", listed(.0))]
    Several(Vec<PathBuf>),
    /// A member of a group is no net.
    #[error("'{0}' is no net: a group holds nets of one recipe")]
    Member(String),
    /// It was taken for an engine, and there is no such program.
    #[error("there is neither a net '{0}' nor an engine of that name")]
    Unknown(String),
}

fn listed(paths: &[PathBuf]) -> String {
    let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    names.join(", ")
}
