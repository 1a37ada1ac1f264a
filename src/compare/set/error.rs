//! What can be wrong with a line of a set.

use crate::board::{FenError, SanError, UciMoveError};
use thiserror::Error;

/// Why a line gives no position to compare on.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CaseError {
    /// The position is refused.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// There is nothing to choose in the position.
    #[error("the game is over, {how}: {fen}")]
    Over { how: &'static str, fen: String },
    /// A move in algebraic notation is refused.
    #[error(transparent)]
    San(#[from] SanError),
    /// A move in UCI's notation is refused.
    #[error(transparent)]
    Uci(#[from] UciMoveError),
    /// A row has too few columns.
    #[error("it needs id,result,fen,moves")]
    Columns,
    /// The result of the game is not written as in PGN.
    #[error("'{0}' is no result")]
    Result(String),
    /// The score is no number.
    #[error("'{0}' is no score")]
    Score(String),
    /// A word of the labels is not a move, a colon and a score.
    #[error("'{0}' is no move with a score such as e2e4:31")]
    Label(String),
    /// A move has two labels.
    #[error("'{0}' stands there twice")]
    Twice(String),
    /// Legal moves have no label.
    #[error("{labelled} moves have a score, {legal} are legal")]
    Unlabelled { labelled: usize, legal: usize },
}
