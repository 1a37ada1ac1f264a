//! Games in PGN, read as leniently as files are written and written as the standard's export format prescribes.
//!
//! There is one reader for everyone. [`Reader`] takes bytes and gives each game as it is written; the rules come after
//! that: [`WrittenGame::start`], then [`WrittenGame::play`] for the main line or [`WrittenGame::tree`] for all of it.

pub mod annotations;
pub mod drawings;
mod encoding;
pub mod engine_scores;
mod events;
mod lexer;
mod main_line;
mod moves;
mod places;
pub mod read;
mod results;
mod start;
mod tag_text;
pub mod text;
mod tree;
pub mod variants;
mod words;
pub mod write;
pub mod written;

pub use encoding::{Encoding, decode};
pub use events::Spot;
pub use main_line::Ply;
pub use moves::words;
pub use places::Place;
pub use read::read;
pub use start::Start;
pub use write::write;
pub use written::{Detail, Fault, Reader, WrittenGame};

use super::fen::FenError;
use super::moves::Move;
use super::position::Position;
use super::result::GameResult;
use super::san::SanError;
use thiserror::Error;

/// A game with its variations.
#[derive(Clone, Debug)]
pub struct PgnGame {
    /// The names and values of its tags, in their order.
    pub tags: Vec<(String, String)>,
    /// Where it starts.
    pub start: Position,
    /// Whether it is a game of Chess960.
    pub chess960: bool,
    /// The comment before the first move.
    pub comment: Option<String>,
    /// Its moves; every move comes after its parent. Of several moves with the same parent the first is the main line.
    pub nodes: Vec<Node>,
    /// How it ended.
    pub result: GameResult,
}

/// A move of a game.
#[derive(Clone, Debug)]
pub struct Node {
    /// The index of the move before it; `None` for a first move.
    pub parent: Option<usize>,
    /// The move; `None` for one that is passed, which only variations have.
    pub m: Option<Move>,
    /// The position after it.
    pub position: Position,
    /// The comment before it, at the beginning of a variation.
    pub before: Option<String>,
    /// The comment after it.
    pub comment: Option<String>,
    /// Its glyphs by their numbers: 1 is `!`, 4 is `??`, …
    pub nags: Vec<u8>,
}

/// Something that cannot be read, and where in the text it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong.
    pub fault: PgnFault,
    /// Where it begins.
    pub place: Place,
}

/// What can be wrong with a text in PGN.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PgnFault {
    /// The `FEN` tag is no legal position.
    #[error("the tag FEN is refused: {0}")]
    Fen(FenError),
    /// A part of the `FEN` tag that does not fit, and is left out.
    #[error("left out of the tag FEN: {0}")]
    FenPart(FenError),
    /// The `Variant` tag names another game than chess and Chess960.
    #[error("games of '{0}' are not understood, only chess and Chess960")]
    Variant(String),
    /// A tag without a name, a value in quotation marks, or an end.
    #[error("a tag is written [Name \"value\"]")]
    Tag,
    /// A move that is not legal, not unambiguous, or no move at all.
    #[error(transparent)]
    Move(#[from] SanError),
    /// A move of the main line that is passed.
    #[error("a move is passed here, and the game is read up to it: only variations may pass")]
    NullMove,
    /// A passed move in check.
    #[error("a move cannot be passed in check")]
    NullInCheck,
    /// A word between the moves that is none.
    #[error("'{0}' is no move and is passed over")]
    Word(String),
    /// A variation before the first move.
    #[error("a variation needs a move before it")]
    NoMove,
    /// A comment or variation without an end, or an end without a beginning.
    #[error("'{0}' has no counterpart")]
    Unclosed(char),
    /// A comment of which only the beginning is kept.
    #[error("the comment is too long: its beginning is kept")]
    LongComment,
    /// A game of which only the beginning is kept.
    #[error("the game is too long: its beginning is kept")]
    LongGame,
    /// Too many moves, or variations within variations.
    #[error("the text is too long: at most {0} moves are read, and {1} variations within each other")]
    TooLong(usize, usize),
}

/// What a fault costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The whole game.
    Game,
    /// The moves from there on, of the line in which it stands.
    Rest,
    /// No move.
    Part,
}

impl PgnFault {
    /// What this costs.
    #[must_use]
    pub fn loss(&self) -> Loss {
        match self {
            PgnFault::Fen(_) | PgnFault::Variant(_) => Loss::Game,
            PgnFault::Move(_)
            | PgnFault::NullMove
            | PgnFault::NullInCheck
            | PgnFault::NoMove
            | PgnFault::Unclosed('(' | '{')
            | PgnFault::LongGame
            | PgnFault::TooLong(..) => Loss::Rest,
            PgnFault::FenPart(_)
            | PgnFault::Tag
            | PgnFault::Word(_)
            | PgnFault::Unclosed(_)
            | PgnFault::LongComment => Loss::Part,
        }
    }

    /// What is counted together, in a few words.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            PgnFault::Fen(_) => "impossible start position",
            PgnFault::FenPart(_) => "castling right or square that cannot be",
            PgnFault::Variant(_) => "other variant",
            PgnFault::Tag => "damaged tag",
            PgnFault::Move(SanError::Illegal(_)) => "illegal move",
            PgnFault::Move(SanError::Ambiguous(_)) => "ambiguous move",
            PgnFault::Move(SanError::Malformed(_)) => "unreadable move",
            PgnFault::NullMove | PgnFault::NullInCheck => "passed move",
            PgnFault::Word(_) => "word between moves",
            PgnFault::NoMove => "variation of nothing",
            PgnFault::Unclosed('{') => "comment without an end",
            PgnFault::Unclosed('(') => "variation without an end",
            PgnFault::Unclosed(_) => "bracket without a beginning",
            PgnFault::LongComment => "endless comment",
            PgnFault::LongGame | PgnFault::TooLong(..) => "endless game",
        }
    }
}

impl PgnGame {
    /// A game without moves.
    pub fn new(start: Position) -> PgnGame {
        PgnGame {
            tags: Vec::new(),
            chess960: start.needs_chess960(),
            start,
            comment: None,
            nodes: Vec::new(),
            result: GameResult::Unknown,
        }
    }

    /// The position after a move of the game, or at its start.
    pub fn position(&self, node: Option<usize>) -> &Position {
        node.map_or(&self.start, |node| &self.nodes[node].position)
    }

    /// The moves that follow a move, or begin the game: the main line first.
    pub fn children(&self, parent: Option<usize>) -> impl Iterator<Item = usize> {
        let nodes = self.nodes.iter().enumerate();
        let nodes = nodes.skip(parent.map_or(0, |parent| parent + 1));
        nodes
            .filter(move |node| node.1.parent == parent)
            .map(|node| node.0)
    }

    /// Adds a legal move after another; returns its index. `None` passes, which must not be in check.
    pub fn add(&mut self, parent: Option<usize>, m: Option<Move>) -> usize {
        let mut position = *self.position(parent);
        match m {
            Some(m) => position.play(m),
            None => position.make_null(),
        }
        self.nodes.push(Node {
            parent,
            m,
            position,
            before: None,
            comment: None,
            nags: Vec::new(),
        });
        self.nodes.len() - 1
    }

    /// A move of the game in algebraic notation; `--` for one that is passed.
    pub fn san(&self, node: usize) -> String {
        let node = &self.nodes[node];
        let before = self.position(node.parent);
        node.m.map_or("--".to_string(), |m| before.to_san(m))
    }

    /// A move of the game in UCI's notation; `0000` for one that is passed.
    pub fn uci(&self, node: usize) -> String {
        let m = self.nodes[node].m;
        m.map_or("0000".to_string(), |m| m.to_uci(self.chess960))
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|tag| tag.0 == name)?;
        Some(&tag.1)
    }
}
