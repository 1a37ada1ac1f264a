//! What a finished node leaves behind for later ones: its table entry, the histories of its moves, and how far the
//! static evaluation was off.

use super::node::{Facts, Found, Node};
use crate::board::{Move, PieceType, Position};
use crate::nets::Evaluator;
use crate::nets::score::{Score, is_decisive};
use crate::search::Bound;
use crate::search::params::*;
use crate::search::shared::Shared;
use crate::search::tt::{Entry, origin, short, target};
use crate::search::worker::{Frame, Worker};

impl<E: Evaluator> Worker<E> {
    /// Writes what a node found to the table, the histories and the corrections.
    pub(super) fn remember(&mut self, shared: &Shared, node: &Node, facts: &Facts, found: &Found) {
        let Node {
            position, ply, depth, ..
        } = *node;
        let bound = Bound::of(found.best, node.alpha, node.beta);
        if let Some(m) = found.best_move.filter(|_| bound == Bound::Lower) {
            let far = found.best > node.beta + beyond_margin();
            self.reward(position, m, ply, depth + far as i32, found);
            if facts.excluded.is_none() {
                self.punish_before(ply, depth);
            }
            if m.is_quiet() {
                self.frame(ply).killer = Some(m);
            }
        }
        if facts.excluded.is_some() {
            return;
        }
        if bound == Bound::Upper {
            self.reward_before(ply, depth);
        }
        if let Some(evaluation) = facts.evaluation
            && tells_error(found, bound, evaluation)
        {
            let last = self.move_before(ply, 1);
            let error = found.best - evaluation;
            self.corrections.learn(position, last, depth, error);
        }
        // a later line of MultiPV leaves out the moves of the better ones: its result is not the root's
        if ply > 0 || self.root.line() == 0 {
            let best = found.best_move.map_or(0, short);
            let entry = Entry {
                best,
                score: found.best,
                evaluation: facts.raw,
                depth,
                bound: Some(bound),
                was_pv: facts.was_pv,
            };
            shared.table.store(position.key(), ply, entry);
        }
    }

    /// Raises the history of the quiet move that led to a fail low.
    fn reward_before(&mut self, ply: usize, depth: i32) {
        let Frame { played, context, .. } = *self.earlier(ply, 1);
        if let Some(m) = played.filter(|m| m.is_quiet()) {
            let bonus = history_bonus(depth) * fail_low_bonus() / 100;
            self.histories.update_quiet(m, &context, bonus);
        }
    }

    /// Lowers the history of the quiet move that led to a fail high though it stood among the first.
    fn punish_before(&mut self, ply: usize, depth: i32) {
        let before = self.earlier(ply, 1);
        let (played, context) = (before.played, before.context);
        if let Some(m) = played.filter(|m| m.is_quiet() && before.tried <= 1) {
            let malus = history_malus(depth) * refuted_malus() / 100;
            self.histories.update_continuation(m, &context, -malus);
        }
    }

    /// Raises the history of the table's move if it is quiet and its score cuts the node off without a search.
    pub(super) fn reward_table_move(&mut self, node: &Node, entry: Entry) {
        let Node {
            position, ply, depth, ..
        } = *node;
        if entry.best == 0 || entry.score < node.beta {
            return;
        }
        let Some(piece) = position.piece_on(origin(entry.best)) else {
            return;
        };
        // pawns are passed over: whether they promote or capture en passant the squares do not tell
        let is_quiet = position.piece_on(target(entry.best)).is_none() && piece.kind() != PieceType::Pawn;
        if is_quiet {
            let m = Move::new(origin(entry.best), target(entry.best), piece, 0);
            let context = self.context(position, ply);
            let bonus = history_bonus(depth) * table_cut_bonus() / 100;
            self.histories.update_quiet(m, &context, bonus);
        }
    }

    /// Raises the history of the quiet move that led to a node if the static evaluation got better by it for the player who
    /// made it, and lowers it if worse. `sum` is the evaluation now plus the one before, each for its own mover.
    pub(super) fn reward_evaluation(&mut self, ply: usize, sum: Score) {
        let Frame { played, context, .. } = *self.earlier(ply, 1);
        if let Some(m) = played.filter(|m| m.is_quiet()) {
            let most = evaluation_bonus_max();
            let bonus = (-evaluation_bonus() * sum).clamp(-most, most);
            self.histories.update_here(m, &context, bonus);
        }
    }

    /// Raises or lowers the history of a quiet late move by what its search without a reduction brought.
    pub(super) fn reward_repeated(&mut self, node: &Node, m: Move, depth: i32, score: Score, alpha: Score) {
        let bonus = match m.is_quiet() {
            true if score <= alpha => -history_malus(depth),
            true if score >= node.beta => history_bonus(depth),
            _ => return,
        };
        let context = self.frame(node.ply).context;
        let bonus = bonus * repeat_bonus() / 100;
        self.histories.update_continuation(m, &context, bonus);
    }

    /// Raises the history of the move that failed high and lowers that of those tried before it.
    fn reward(&mut self, position: &Position, m: Move, ply: usize, depth: i32, found: &Found) {
        let bonus = history_bonus(depth);
        let context = self.frame(ply).context;
        let malus = history_malus(depth);
        if m.is_quiet() {
            self.histories.update_quiet(m, &context, bonus);
            for &quiet in &found.quiets {
                self.histories.update_quiet(quiet, &context, -malus);
            }
        } else {
            self.histories.update_capture(position, m, bonus);
        }
        for &capture in &found.captures {
            self.histories.update_capture(position, capture, -malus);
        }
    }
}

/// Whether a result shows by how much the static evaluation was off: not after a capture, whose gain no evaluation can
/// foresee, and not where only a bound on the far side of the evaluation is known.
fn tells_error(found: &Found, bound: Bound, evaluation: Score) -> bool {
    let says_nothing = match bound {
        Bound::Exact => false,
        Bound::Lower => found.best <= evaluation,
        Bound::Upper => found.best >= evaluation,
    };
    found.best_move.is_none_or(|m| m.is_quiet()) && !is_decisive(found.best) && !says_nothing
}
