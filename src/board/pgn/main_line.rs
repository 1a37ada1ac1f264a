//! The main line of a game by the rules, without variations and glyphs: what those need who read many games.

use super::super::moves::Move;
use super::super::position::Position;
use super::written::{Fault, Item, WrittenGame};
use super::{Loss, PgnFault};

/// A move of the main line.
pub struct Ply<'a> {
    /// The position before the move.
    pub before: &'a Position,
    /// The move.
    pub m: Move,
    /// The position after it.
    pub after: &'a Position,
    /// The comments behind it.
    pub comments: &'a [&'a str],
}

impl WrittenGame {
    /// Plays the main line from its start, move after move. Returns where and why the game is cut short, if it is.
    pub fn play(&self, start: &Position, mut played: impl FnMut(Ply)) -> Option<Fault> {
        let (mut position, mut depth, mut cut) = (*start, 0usize, None);
        // the last move and the position before it: its comments go on until the next
        let (mut before, mut last): (Position, Option<Move>) = (*start, None);
        let mut comments: Vec<&str> = Vec::new();
        let mut tell = |before: &Position, last: Option<Move>, after: &Position, comments: &[&str]| {
            if let Some(m) = last {
                played(Ply {
                    before,
                    m,
                    after,
                    comments,
                });
            }
        };
        for (item, spot) in self.items() {
            match item {
                Item::Open => depth += 1,
                Item::Close => depth = depth.saturating_sub(1),
                Item::Comment(text) if depth == 0 && last.is_some() => comments.push(text),
                Item::Word(word) if depth == 0 => match position.parse_written(word) {
                    Ok(Some(m)) => {
                        tell(&before, last, &position, &comments);
                        comments.clear();
                        before = position;
                        last = Some(m);
                        position.play(m);
                    }
                    refused => {
                        let fault = refused.err().map_or(PgnFault::NullMove, PgnFault::Move);
                        cut = Some(Fault { fault, spot });
                        break;
                    }
                },
                _ => {}
            }
        }
        tell(&before, last, &position, &comments);
        cut.or_else(|| {
            self.faults
                .iter()
                .find(|fault| fault.fault.loss() == Loss::Rest)
                .cloned()
        })
    }
}
