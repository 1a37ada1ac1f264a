//! Games with comments and variations as PGN writes them: a tree of moves, read leniently and written as the standard's
//! export format prescribes.

pub mod annotations;
pub mod drawings;
pub mod read;
pub mod text;
mod tokens;
pub mod write;

pub use read::read;
pub use tokens::Place;
pub use write::write;

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
    /// The move.
    pub m: Move,
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
    /// The `Variant` tag names another game than chess and Chess960.
    #[error("games of '{0}' are not understood, only chess and Chess960")]
    Variant(String),
    /// A tag without a name, a value in quotation marks, or an end.
    #[error("a tag is written [Name \"value\"]")]
    Tag,
    /// A move that is not legal, not unambiguous, or no move at all.
    #[error(transparent)]
    Move(#[from] SanError),
    /// A variation before the first move.
    #[error("a variation needs a move before it")]
    NoMove,
    /// A comment or variation without an end, or an end without a beginning.
    #[error("'{0}' has no counterpart")]
    Unclosed(char),
    /// Too many moves, or variations within variations.
    #[error("the text is too long: at most {0} moves are read, and {1} variations within each other")]
    TooLong(usize, usize),
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

    /// Adds a legal move after another; returns its index.
    pub fn add(&mut self, parent: Option<usize>, m: Move) -> usize {
        self.nodes.push(Node {
            parent,
            m,
            position: self.position(parent).after(m),
            before: None,
            comment: None,
            nags: Vec::new(),
        });
        self.nodes.len() - 1
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|tag| tag.0 == name)?;
        Some(&tag.1)
    }
}
