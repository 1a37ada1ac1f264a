//! A game searched move by move, in pieces that do not depend on each other, so that two cores share a single game and
//! the result is the same on any number of them.

use super::input::Game;
use crate::engine::Engine;
use crate::explain::{Explanation, Options, Played, Subject, explain};
use crate::search::Control;

/// Plies of a piece.
const PLIES: usize = 40;

/// Consecutive moves of a game.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// The game.
    pub game: &'a Game,
    /// Its first ply, counted from 0.
    pub first: usize,
    /// The ply after its last.
    pub end: usize,
}

impl<'a> Piece<'a> {
    /// The pieces of a game in their order.
    pub fn all(game: &'a Game) -> impl Iterator<Item = Piece<'a>> {
        let plies = game.moves.len();
        (0..plies).step_by(PLIES).map(move |first| Piece {
            game,
            first,
            end: plies.min(first + PLIES),
        })
    }

    /// Explains the moves of this piece, each as it would be explained by itself; `tell` is called after each.
    pub fn explain(&self, engine: &mut Engine, nodes: u64, tell: &dyn Fn()) -> Vec<Explanation> {
        let control = Control::default();
        let mut judge = engine.judge(&control);
        let positions = self.game.positions();
        let keys: Vec<u64> = positions.iter().map(|position| position.key()).collect();
        // the words of an annotated game say nothing of single pieces
        let options = Options {
            nodes,
            net_view: false,
        };
        let explain_ply = |ply: usize| {
            let played = |ply: usize| Played {
                position: positions[ply],
                m: self.game.moves[ply],
            };
            let subject = Subject {
                position: &positions[ply],
                history: &keys[..ply],
                m: self.game.moves[ply],
                previous: ply.checked_sub(1).map(played),
            };
            let explanation = explain(&subject, &mut judge, &options);
            tell();
            explanation
        };
        (self.first..self.end).map(explain_ply).collect()
    }
}
