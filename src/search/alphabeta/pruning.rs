//! Nodes that are decided before any move is searched: by their static evaluation, by a null move or by a capture.

use super::node::{Facts, Node};
use crate::board::{Move, Position, Wanted};
use crate::nets::Evaluator;
use crate::nets::score::{Score, is_decisive};
use crate::search::Bound;
use crate::search::history::{Context, victim};
use crate::search::ordering::{MoveOrder, Picked, Picker};
use crate::search::params::*;
use crate::search::shared::Shared;
use crate::search::tt::{Entry, short};
use crate::search::worker::{Verification, Worker};

impl<E: Evaluator> Worker<E> {
    /// Step 5: the score of a node that is far above beta, far below alpha, or good enough even after passing the turn or
    /// with one capture.
    pub(super) fn prune_node(
        &mut self,
        shared: &Shared,
        node: &Node,
        facts: &Facts,
        evaluation: Score,
    ) -> Option<Score> {
        let Node {
            position,
            ply,
            depth,
            alpha,
            beta,
            ..
        } = *node;
        let estimate = facts.estimate;

        // 5a. Reverse futility: nothing that the opponent does brings the score back below beta.
        let before = self.earlier(ply, 1).evaluation;
        let was_blunder = before.is_some_and(|before| evaluation + before > 0);
        let margin = reverse_futility_margin() * (depth - facts.improving as i32)
            - when(was_blunder, reverse_futility_worsening())
            + facts.correction * reverse_futility_correction() / 16;
        if depth <= reverse_futility_depth()
            && estimate - margin >= beta
            && !is_decisive(beta)
            && !is_decisive(estimate)
        {
            return Some((estimate + beta) / 2);
        }

        // 5b. Razoring: only captures could bring the score back to alpha.
        if depth <= razor_depth() && estimate + razor_margin() * depth <= alpha && !is_decisive(alpha) {
            let score = self.quiescence::<false>(shared, position, alpha, alpha + 1, ply);
            if score <= alpha {
                return Some(score);
            }
        }

        // 5c. Null move: even a free move for the opponent leaves the score above beta.
        if estimate >= beta && self.may_pass(node, evaluation) {
            let score = self.try_null_move(shared, node, estimate);
            if self.stopped {
                return Some(0);
            }
            if score >= beta {
                return Some(if is_decisive(score) { beta } else { score });
            }
        }

        // 5d. ProbCut: a good capture far above beta, unless the table speaks against it.
        let is_refuted = |entry: Entry| {
            entry.bound.is_some()
                && entry.depth >= depth - probcut_entry_margin()
                && entry.score < beta + probcut_margin()
        };
        if depth >= probcut_depth() && !is_decisive(beta) && !facts.entry.is_some_and(is_refuted) {
            return self.try_captures(shared, node, facts, evaluation);
        }
        None
    }

    /// Whether a null move is worth a try: where a fail high is expected, not twice in a row, not where zugzwang is likely.
    fn may_pass(&self, node: &Node, evaluation: Score) -> bool {
        let Node { position, ply, .. } = *node;
        let least = node.beta + null_move_margin() - null_move_margin_per_ply() * node.depth;
        node.cut_node
            && node.depth >= null_move_depth()
            && evaluation >= least
            && !is_decisive(node.beta)
            && self.earlier(ply, 1).played.is_some()
            && position.has_pieces(position.side_to_move())
            && ply >= self.verification.end
    }

    /// The score after a null move, from a search of reduced depth.
    fn try_null_move(&mut self, shared: &Shared, node: &Node, estimate: Score) -> Score {
        let Node {
            position,
            ply,
            depth,
            beta,
            ..
        } = *node;
        let reduction = null_move_reduction()
            + depth / null_move_depth_divisor()
            + ((estimate - beta) / null_move_score_divisor()).min(null_move_score_plies());
        let child = self.make_null(shared, position, ply);
        let below = Node {
            position: &child,
            ply: ply + 1,
            depth: depth - reduction,
            alpha: -beta,
            beta: -beta + 1,
            cut_node: !node.cut_node,
        };
        // after a null move no earlier position counts as repeated
        let oldest_key = self.repeat_nothing_before();
        let score = -self.search::<false>(shared, below);
        self.oldest_key = oldest_key;
        self.unmake();
        if score < beta || depth < null_move_verified_depth() || self.stopped {
            return score;
        }
        // near the leaves a zugzwang costs little; here make sure that a real move reaches beta too
        let verified = Node {
            depth: (depth - reduction).max(1),
            alpha: beta - 1,
            cut_node: false,
            ..*node
        };
        let barred = verified.depth * null_move_verified_quarters() / 4;
        let verification = Verification {
            root: Some(ply),
            end: ply + barred as usize,
        };
        let before = std::mem::replace(&mut self.verification, verification);
        let confirmed = self.search::<false>(shared, verified);
        self.verification = before;
        if confirmed >= beta { score } else { confirmed }
    }

    /// The score of a capture that ProbCut confirms, kept in the table.
    fn try_captures(
        &mut self,
        shared: &Shared,
        node: &Node,
        facts: &Facts,
        evaluation: Score,
    ) -> Option<Score> {
        let margin = probcut_margin() - when(facts.improving, probcut_improving());
        let bound = node.beta + margin;
        let table_move = facts.entry.map_or(0, |entry| entry.best);
        let threshold = bound - evaluation;
        let order = MoveOrder {
            table_move,
            threshold,
            ..MoveOrder::of(Wanted::Noisy)
        };
        let mut picker = Picker::new(order, Context::default());
        while let Some(picked) = picker.next(node.position, &self.histories) {
            if !picked.is_good {
                break;
            }
            // the table's move comes first whatever it wins
            if short(picked.m) == table_move && !node.position.see_at_least(picked.m, threshold) {
                continue;
            }
            let score = self.confirm_capture(shared, node, &picked, bound);
            if self.stopped {
                return Some(0);
            }
            if score >= bound {
                let entry = Entry {
                    best: short(picked.m),
                    score,
                    evaluation: facts.raw,
                    depth: node.depth - probcut_reduction() + 1,
                    bound: Some(Bound::Lower),
                    was_pv: facts.was_pv,
                };
                shared.table.store(node.position.key(), node.ply, entry);
                return Some(if is_decisive(score) { score } else { score - margin });
            }
        }
        None
    }

    /// The score of a capture: of quiescence, and of a search of reduced depth if that reaches the bound.
    fn confirm_capture(&mut self, shared: &Shared, node: &Node, picked: &Picked, bound: Score) -> Score {
        let ply = node.ply + 1;
        let mut child = *node.position;
        self.make(shared, &mut child, picked.m, node.ply);
        let mut score = -self.quiescence::<false>(shared, &child, -bound, -bound + 1, ply);
        if score >= bound {
            let below = Node {
                position: &child,
                ply,
                depth: node.depth - probcut_reduction(),
                alpha: -bound,
                beta: -bound + 1,
                cut_node: !node.cut_node,
            };
            score = -self.search::<false>(shared, below);
        }
        self.unmake();
        score
    }
}

/// Whether a score of the table may cut a node off: not where the fifty-move rule, which it knows nothing of, is near.
#[inline]
pub(super) fn table_may_cut(position: &Position) -> bool {
    i32::from(position.halfmove_clock()) < table_cut_clock()
}

/// Step 5e: a score of the table so far above beta that one of a somewhat shallower search is believed; in check too.
pub(super) fn table_cut(node: &Node, facts: &Facts) -> Option<Score> {
    let bound = node.beta + table_margin();
    let entry = facts.entry?;
    let is_believed = entry.bound == Some(Bound::Lower)
        && entry.depth >= node.depth - table_margin_plies()
        && entry.score >= bound
        && table_may_cut(node.position)
        && !is_decisive(entry.score)
        && !is_decisive(node.beta);
    is_believed.then_some(bound)
}

/// Whether what a capture takes leaves the score at or below alpha, counted from `reach`: the static evaluation with a
/// margin. A promotion may gain more than it takes.
#[inline]
pub(super) fn takes_too_little(position: &Position, m: Move, reach: Score, alpha: Score) -> bool {
    m.promoted().is_none() && reach + delta_gain(victim(position, m).index()) <= alpha
}
