//! Everything that is said of a move, as values; words are made from them last.

use super::change::Change;
use super::claim::{Claim, Motif};
use super::facts::Facts;
use super::line::Line;
use super::net_view::NetView;
use super::theme::Theme;
use crate::board::{Move, PieceType, Position, Square};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

/// Why a move is good or bad.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    /// The move, and the position in which it is played.
    #[serde(flatten)]
    pub played: Played,
    /// What the search expects, the move first.
    pub course: Line,
    /// How good it is.
    pub verdict: Verdict,
    /// Why, the most important reason first; perhaps none. Every one is proved by its line.
    pub reasons: Vec<Reason>,
    /// The places in `reasons` of those that the summary gives.
    pub summary: Vec<usize>,
    /// A better move, where the move is not the best one.
    pub better: Option<Better>,
    /// The opening that the move leads to, where it has a name.
    pub opening: Option<OpeningName>,
    /// What anybody can see on the board.
    pub facts: Facts,
    /// What a network thinks of the pieces, where one was asked.
    pub net_view: Option<NetView>,
}

/// The name of an opening, from [`crate::board::openings`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct OpeningName {
    /// Its code in the encyclopaedia.
    pub eco: &'static str,
    /// Its English name.
    pub name: &'static str,
}

/// A legal move in its position. In JSON `fen`, `move` in UCI's notation, and `san`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// Before the move.
    pub position: Position,
    /// The move.
    pub m: Move,
}

impl Serialize for Played {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("fen", &self.position.to_fen(false))?;
        map.serialize_entry("move", &self.m.to_uci(self.position.needs_chess960()))?;
        map.serialize_entry("san", &self.position.to_san(self.m))?;
        map.end()
    }
}

/// How good a move is, by searches of fixed length.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    /// With the best move of the position; never below `after`.
    pub before: Assessment,
    /// With the move that is explained.
    pub after: Assessment,
    /// How much expected score the move gives away, from 0 to 2, where a win is 1 and a loss -1.
    pub drop: f64,
    /// The drop in one word.
    pub grade: Grade,
    /// Whether the move is one of opening theory: it is then no inaccuracy, but a mistake
    /// or a blunder all the same.
    pub theory: bool,
    /// Whether the move gives away a piece in a game that was decided already, which by the drop alone would be nothing:
    /// it is then graded an inaccuracy.
    pub howler: bool,
    /// Set if no other move would do.
    pub only: Option<OnlyMove>,
    /// What the move does about forced mates.
    pub mates: Vec<MateNews>,
    /// Positions searched.
    pub nodes: u64,
}

/// A score and what it is worth, both for the player who moves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Assessment {
    /// What the search found.
    #[serde(flatten)]
    pub value: Value,
    /// The expected score, from -1 (lost) through 0 (even) to 1 (won): [`crate::nets::wdl::winning_chances`].
    pub expected: f64,
}

impl Assessment {
    /// The expected score from which on a player is slightly better; as far below zero slightly worse. This bound and the
    /// other two are our own choice.
    pub const SLIGHTLY_BETTER: f64 = 0.06;
    /// The bound of clearly better and clearly worse: 82 centipawns.
    pub const BETTER: f64 = 0.15;
    /// The bound of winning and lost: 270 centipawns.
    pub const WINNING: f64 = 0.46;

    /// Whether the game is lost.
    pub fn is_lost(self) -> bool {
        self.expected <= -Assessment::WINNING
    }
}

/// A score for the player who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// The player mates in so many moves, the one that is explained included; negative: is mated in so many, 0 if there
    /// is no move left.
    Mate(i32),
}

/// What a move costs, on the scale of [`Verdict::drop`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// The search finds no better move.
    Best,
    /// Less than 0.1.
    Good,
    /// From 0.1.
    Inaccuracy,
    /// From 0.2.
    Mistake,
    /// From 0.3.
    Blunder,
}

/// Why no other move would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OnlyMove {
    /// There is no other legal move.
    Legal,
    /// Every other move is a mistake or worse.
    Good,
}

/// What a move does about a forced mate. The lengths are counted in moves of the side that mates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "news", rename_all = "snake_case")]
pub enum MateNews {
    /// The player mates by force, in so many moves with this one.
    Mates {
        /// 1 if the move itself mates.
        moves: u32,
        /// Whether every answer was tried; otherwise it is the word of the search.
        proved: bool,
    },
    /// A mate in `best` moves was there; it is still forced, but takes longer.
    Delayed {
        /// With the best move.
        best: u32,
        /// With this move.
        moves: u32,
        /// As in [`MateNews::Mates`], for `best`.
        proved: bool,
    },
    /// A mate in so many moves was there, and now none is in sight.
    Missed {
        /// With the best move.
        moves: u32,
        /// As in [`MateNews::Mates`].
        proved: bool,
    },
    /// The opponent now mates by force in so many moves, which another move would have avoided.
    Allowed {
        /// Of the opponent, after this move.
        moves: u32,
        /// As in [`MateNews::Mates`].
        proved: bool,
    },
    /// The opponent mates by force whatever is played.
    Suffered {
        /// Of the opponent, after this move.
        moves: u32,
        /// Of the opponent, after the move that resists longest; not less than `moves`.
        best: u32,
        /// As in [`MateNews::Mates`].
        proved: bool,
    },
}

/// What a reason tells about the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// What speaks for the move at its beginning: what it does or leads to.
    Achieves,
    /// What speaks against the move at its beginning: what it gives up, overlooks or lets the opponent do.
    Allows,
    /// What the opponent would have done after another move, with which the line begins: the second-best, or one of the same
    /// piece.
    Avoids,
    /// What the opponent would have done had the move been passed; the line begins after the pass.
    Prevents,
    /// What the player does next if the opponent passes; the line begins after the pass.
    Threatens,
    /// The same of a move that wins nothing and would have been worse at once.
    Prepares,
    /// What the opponent does next if the player passes after the answer; the line begins after the pass.
    AllowsThreat,
    /// What the answer does for the opponent; the line begins with it.
    Answers,
    /// What the player would do next if the opponent passed instead of the answer, which meets it; the line begins after the
    /// pass.
    AnswersThreat,
}

/// Something that is true of a move and of the game after it.
#[derive(Clone, Debug, Serialize)]
pub struct Reason {
    /// For or against the first move of the line.
    pub role: Role,
    /// What is said.
    #[serde(flatten)]
    pub said: Said,
    /// What proves it: the move and what follows. In JSON `fen` and `line`, in UCI's notation.
    #[serde(flatten)]
    pub line: Line,
    /// Of material that the move loses in the expected line: another move of the player, where that loss is not forced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub way_out: Option<WayOut>,
    /// Of what the answer does or threatens: the move and that answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made_by: Option<Line>,
}

impl Role {
    /// Whether the line of such a reason begins after a pass.
    pub fn is_threat(self) -> bool {
        matches!(
            self,
            Role::Prevents | Role::Threatens | Role::Prepares | Role::AllowsThreat | Role::AnswersThreat
        )
    }
}

impl Reason {
    /// Whether it is a mate, in the line or as a threat.
    pub fn is_mate(&self) -> bool {
        self.motif().is_some_and(Motif::is_mate)
    }

    /// The ply of the line whose move it is about; 0 for the line as a whole.
    pub fn subject(&self) -> usize {
        match &self.said {
            Said::Claim(claim) if !self.role.is_threat() => claim.subject(),
            _ => 0,
        }
    }

    /// Whether it is the material that the line wins in the end.
    pub fn is_outcome(&self) -> bool {
        !self.role.is_threat() && matches!(self.motif(), Some(Motif::Material { .. }))
    }

    /// Whether it tells what material the move loses.
    pub fn is_loss(&self) -> bool {
        self.is_outcome() && self.role == Role::Allows
    }

    /// The square on which it says that something cannot be taken.
    pub fn offered(&self) -> Option<Square> {
        match self.motif() {
            Some(Motif::CannotTake { square } | Motif::TakingCosts { square, .. }) => Some(*square),
            _ => None,
        }
    }

    /// Whether it is that something cannot be taken.
    pub fn is_offer(&self) -> bool {
        self.offered().is_some()
    }

    /// The motif of its claim, if it is one.
    pub fn motif(&self) -> Option<&Motif> {
        match &self.said {
            Said::Claim(claim) => Some(&claim.motif),
            Said::Change(_) => None,
        }
    }

    /// Its theme, if it is one, with the theme's other square.
    pub fn theme(&self) -> Option<(Theme, Option<Square>)> {
        match self.said {
            Said::Change(Change::Theme { theme, other, .. }) => Some((theme, other)),
            _ => None,
        }
    }

    /// Whether it is a theme about a queen.
    pub fn is_about_queen(&self) -> bool {
        let piece = self
            .theme()
            .and_then(|(_, other)| self.line.end().piece_on(other?));
        piece.is_some_and(|piece| piece.kind() == PieceType::Queen)
    }

    /// Whether it is about this theme.
    pub fn has_theme(&self, wanted: Theme) -> bool {
        self.theme().is_some_and(|(theme, _)| theme == wanted)
    }

    /// Whether it is that the first move gives material.
    pub fn is_sacrifice(&self) -> bool {
        let gives = |claim: &Claim| claim.ply == 0 && matches!(claim.motif, Motif::Sacrifice { .. });
        matches!(&self.said, Said::Claim(claim) if gives(claim))
    }

    /// Whether it is that the first move gives material for too little.
    pub fn is_unsound(&self) -> bool {
        self.is_sacrifice() && self.role == Role::Allows
    }
}

/// A line that leaves the one of a reason and loses at most half as much material, without being a mistake there.
#[derive(Clone, Debug, Serialize)]
pub struct WayOut {
    /// Where it leaves the other, counted from 0.
    pub ply: usize,
    /// Whether it is an inaccuracy all the same.
    pub worse: bool,
    /// The same moves as far as `ply`, the other move, and what follows until the material is kept.
    #[serde(flatten)]
    pub line: Line,
}

/// What can be said, each with a checker of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Said {
    /// What a move of the line does; `ply` and `motif` in JSON.
    Claim(Claim),
    /// How the last position of the line differs from the first; `change` in JSON.
    Change(Change),
}

/// The move that should have been played.
#[derive(Clone, Debug, Serialize)]
pub struct Better {
    /// What the search expects, the better move first.
    #[serde(flatten)]
    pub line: Line,
    /// With this move.
    pub assessment: Assessment,
    /// What it would have achieved; the lines may go on a little farther than `line`.
    pub reasons: Vec<Reason>,
    /// The place in `reasons` of the one that the summary gives.
    pub summary: Option<usize>,
}
