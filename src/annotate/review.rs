//! A game searched move by move, in pieces that do not depend on each other, so that two cores share a single game and
//! the result is the same on any number of them.

use super::input::Game;
use crate::board::Move;
use crate::engine::Engine;
use crate::explain::explanation::Value;
use crate::explain::judge::Finding;
use crate::explain::{Explanation, Options, Played, Subject, explain};
use crate::nets::score::{mate_in, mated_in};
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

    /// Explains the moves of this piece; `tell` is called after each. The last comes first, so that every move is judged
    /// by what the search saw after it: the score after a move is the one before the next.
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
        let mut explained: Vec<Explanation> = Vec::new();
        for ply in (self.first..self.end).rev() {
            let played = |ply: usize| Played {
                position: positions[ply],
                m: self.game.moves[ply],
            };
            let known = explained
                .last()
                .map(|next| handed_back(next, self.game.moves[ply]));
            let subject = Subject {
                position: &positions[ply],
                history: &keys[..ply],
                m: self.game.moves[ply],
                previous: ply.checked_sub(1).map(played),
                known: known.as_ref(),
            };
            explained.push(explain(&subject, &mut judge, &options));
            tell();
        }
        explained.reverse();
        explained
    }
}

/// What the explanation of the next move says of a move: the score with its best answer.
fn handed_back(next: &Explanation, m: Move) -> Finding {
    let best = next.better.as_ref().map_or(&next.course, |better| &better.line);
    Finding {
        score: match next.verdict.before.value {
            Value::Centipawns(score) => -score,
            // one ply farther from here
            Value::Mate(moves) if moves > 0 => mated_in(2 * moves.unsigned_abs() as usize),
            Value::Mate(moves) => mate_in(2 * moves.unsigned_abs() as usize + 1),
        },
        line: [&[m][..], best.moves()].concat(),
        nodes: 0,
    }
}
