//! What a line changes in a position: typed statements about pawns, files, squares and the room that pieces have.
//!
//! Each compares the first position of a line with its last; most lines have a single move. *Ahead* is seen from the
//! player whose piece or pawn it is, and the ranks of a player are counted from its own back rank, 1 to 8.

use super::plain;
use super::theme::Theme;
use crate::board::{Color, PieceType, Square};
use serde::Serialize;

/// Which pawns stand on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FileState {
    /// None.
    Open,
    /// None of the player's, but some of the other's.
    HalfOpen,
    /// Some of the player's.
    Closed,
}

/// What is different at the end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum Change {
    /// A knight, bishop, rook or queen has at least three squares more or less to go to: squares that it attacks, that
    /// no piece of its own holds and no pawn of the other side attacks.
    Mobility {
        /// Whose piece it is.
        #[serde(serialize_with = "plain::color")]
        color: Color,
        /// Where it stands at the end.
        #[serde(serialize_with = "plain::square")]
        square: Square,
        /// Which.
        #[serde(serialize_with = "plain::kind")]
        piece: PieceType,
        /// How many squares it had.
        before: u32,
        /// How many it has.
        after: u32,
    },
    /// More or fewer of a player's pawns stand in front of its king: on its file or a neighbouring one, one or two
    /// ranks ahead.
    Shelter {
        /// Whose king.
        #[serde(serialize_with = "plain::color")]
        color: Color,
        /// Where it stands at the end.
        #[serde(serialize_with = "plain::square")]
        king: Square,
        /// Pawns in front before.
        before: u32,
        /// And after.
        after: u32,
    },
    /// A rook or queen came to a file on which its player has no pawn, or such a file was opened in front of it.
    TakesFile {
        /// Whose piece.
        #[serde(serialize_with = "plain::color")]
        color: Color,
        /// Where it stands at the end.
        #[serde(serialize_with = "plain::square")]
        square: Square,
        /// Which.
        #[serde(serialize_with = "plain::kind")]
        piece: PieceType,
        /// [`FileState::Open`] or [`FileState::HalfOpen`].
        state: FileState,
    },
    /// A knight or bishop came to a square of its player's ranks 4 to 6 that one of its pawns guards and that no pawn
    /// of the other side can attack: none stands on a neighbouring file farther ahead, unless a pawn blocks its way.
    Outpost {
        /// Whose piece.
        #[serde(serialize_with = "plain::color")]
        color: Color,
        /// The outpost.
        #[serde(serialize_with = "plain::square")]
        square: Square,
        /// Which piece.
        #[serde(serialize_with = "plain::kind")]
        piece: PieceType,
    },
    /// The player's pawns could have guarded this square of its ranks 3 and 4, or of its rank 5 on files d and e, and never
    /// can again. It is on files c to f or at most one file from the player's king, and the other side has a knight, or a
    /// bishop of its colour.
    WeakSquare {
        /// Whose pawns left it.
        #[serde(serialize_with = "plain::color")]
        color: Color,
        /// The square.
        #[serde(serialize_with = "plain::square")]
        square: Square,
    },
    /// A pawn has become a passed one: no pawn of the other side stands ahead on its file or a neighbouring one.
    PassedPawn {
        /// Whose pawn.
        #[serde(serialize_with = "plain::color")]
        color: Color,
        /// Where it stands at the end.
        #[serde(serialize_with = "plain::square")]
        pawn: Square,
    },
    /// A pawn has become an isolated one: its player has no pawn on a neighbouring file.
    IsolatedPawn {
        /// Whose pawn.
        #[serde(serialize_with = "plain::color")]
        color: Color,
        /// Where it stands at the end.
        #[serde(serialize_with = "plain::square")]
        pawn: Square,
    },
    /// A pawn stands on a file that holds another of its player's, and none did before.
    DoubledPawns {
        /// Whose pawns.
        #[serde(serialize_with = "plain::color")]
        color: Color,
        /// The foremost of them.
        #[serde(serialize_with = "plain::square")]
        pawn: Square,
    },
    /// A player had bishops on squares of both colours and has them no longer.
    LosesBishopPair {
        /// Who lost the pair.
        #[serde(serialize_with = "plain::color")]
        color: Color,
        /// Whether the other player has such a pair.
        other_has_it: bool,
    },
    /// What a trainer has a name for; see [`Theme`].
    Theme {
        /// Which.
        theme: Theme,
        /// Who is better off by it.
        #[serde(serialize_with = "plain::color")]
        color: Color,
        /// The piece that it is about, or the place, at the end of the line.
        #[serde(serialize_with = "plain::square")]
        square: Square,
        /// The other piece or place, where there is one.
        #[serde(serialize_with = "plain::optional_square")]
        other: Option<Square>,
    },
    /// A player's space grew or shrank by two squares or more: squares of the files c to f and its ranks 2 to 4 that
    /// hold none of its pawns and that no pawn of the other side attacks.
    Space {
        /// Whose space.
        #[serde(serialize_with = "plain::color")]
        color: Color,
        /// How many squares before.
        before: u32,
        /// And after.
        after: u32,
    },
}

impl Change {
    /// The name of the kind, the one in JSON and in message files with dashes for underscores.
    pub fn name(&self) -> &'static str {
        match self {
            Change::Mobility { .. } => "mobility",
            Change::Shelter { .. } => "shelter",
            Change::TakesFile { .. } => "takes_file",
            Change::Outpost { .. } => "outpost",
            Change::WeakSquare { .. } => "weak_square",
            Change::PassedPawn { .. } => "passed_pawn",
            Change::IsolatedPawn { .. } => "isolated_pawn",
            Change::DoubledPawns { .. } => "doubled_pawns",
            Change::LosesBishopPair { .. } => "loses_bishop_pair",
            Change::Space { .. } => "space",
            Change::Theme { theme, .. } => theme.name(),
        }
    }

    /// Who is better off by it.
    pub fn favours(&self) -> Color {
        let (color, good) = match *self {
            Change::Mobility {
                color, before, after, ..
            }
            | Change::Shelter {
                color, before, after, ..
            }
            | Change::Space { color, before, after } => (color, after > before),
            Change::Theme { color, .. }
            | Change::TakesFile { color, .. }
            | Change::Outpost { color, .. }
            | Change::PassedPawn { color, .. } => (color, true),
            Change::WeakSquare { color, .. }
            | Change::IsolatedPawn { color, .. }
            | Change::DoubledPawns { color, .. }
            | Change::LosesBishopPair { color, .. } => (color, false),
        };
        if good { color } else { !color }
    }
}
