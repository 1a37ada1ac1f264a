//! What the search leaves out or looks at less closely: whole nodes by their evaluation, a null move or a capture, late
//! moves by their prospects; and what it looks at more closely: a move that is the only good one.

use super::Bound;
use super::alphabeta::{Facts, Found, Node};
use super::history::Context;
use super::ordering::{Picked, Picker};
use super::params::*;
use super::tt::{Entry, short};
use super::worker::{Shared, Worker};
use crate::board::{Bitboard, Move, Position, Wanted, attacks};
use crate::evaluation::score::is_mate;
use crate::evaluation::{Evaluator, Score};
use std::cell::OnceCell;

/// What a singular test says of the table's move.
pub(super) enum Singular {
    /// Search it with so many plies more or less.
    Extend(i32),
    /// Another move fails high too: so does the node.
    Cut(Score),
}

impl<E: Evaluator> Worker<E> {
    /// Scores for nodes that need no move of their own: far above beta, far below alpha, or good enough even after
    /// passing the turn or with one capture.
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

        // 4a. reverse futility: nothing the opponent does brings it back below beta
        let margin = REVERSE_FUTILITY_MARGIN * (depth - facts.improving as i32);
        if depth <= REVERSE_FUTILITY_DEPTH
            && estimate - margin >= beta
            && !is_mate(beta)
            && !is_mate(estimate)
        {
            return Some((estimate + beta) / 2);
        }

        // 4b. razoring: only captures could bring it back to alpha
        if depth <= RAZOR_DEPTH && estimate + RAZOR_MARGIN * depth <= alpha && !is_mate(alpha) {
            let score = self.quiescence::<false>(shared, position, alpha, alpha + 1, ply);
            if score <= alpha {
                return Some(score);
            }
        }

        // 4c. null move: even a free move for the opponent leaves it above beta; not where zugzwang is likely
        if depth >= NULL_MOVE_DEPTH
            && estimate >= beta
            && evaluation >= beta - 20 * depth + 160
            && !is_mate(beta)
            && self.earlier(ply, 1).played.is_some()
            && position.has_pieces(position.side_to_move())
            && ply >= self.null_move_from
        {
            let score = self.try_null_move(shared, node, estimate);
            if self.stopped {
                return Some(0);
            }
            if score >= beta {
                return Some(if is_mate(score) { beta } else { score });
            }
        }

        // 4d. ProbCut: a good capture far above beta
        let refuted = facts.entry.is_some_and(|entry| {
            entry.bound.is_some() && entry.depth >= depth - 3 && entry.score < beta + PROBCUT_MARGIN
        });
        if depth >= PROBCUT_DEPTH && !is_mate(beta) && !refuted {
            return self.try_captures(shared, node, facts, evaluation);
        }
        None
    }

    fn try_null_move(&mut self, shared: &Shared, node: &Node, estimate: Score) -> Score {
        let Node {
            position,
            ply,
            depth,
            beta,
            ..
        } = *node;
        let reduction = NULL_MOVE_REDUCTION
            + depth / NULL_MOVE_DEPTH_DIVISOR
            + ((estimate - beta) / NULL_MOVE_MARGIN).min(3);
        let child = self.make_null(shared, position, ply);
        let below = Node {
            position: &child,
            ply: ply + 1,
            depth: depth - reduction,
            alpha: -beta,
            beta: -beta + 1,
            cut_node: !node.cut_node,
        };
        // who passed cannot repeat what was before
        let oldest_key = self.repeat_nothing_before();
        let score = -self.search::<false>(shared, below);
        self.oldest_key = oldest_key;
        self.unmake();
        if score < beta || depth < NULL_MOVE_VERIFIED_DEPTH || self.stopped {
            return score;
        }
        // near the leaves a zugzwang costs little; here make sure that a real move reaches beta too
        let before = std::mem::replace(
            &mut self.null_move_from,
            ply + (depth - reduction) as usize * 3 / 4,
        );
        let verified = Node {
            depth: depth - reduction,
            alpha: beta - 1,
            ..*node
        };
        let confirmed = self.search::<false>(shared, verified);
        self.null_move_from = before;
        if confirmed >= beta { score } else { confirmed }
    }

    fn try_captures(
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
            beta,
            ..
        } = *node;
        let bound = beta + PROBCUT_MARGIN;
        let table_move = facts.entry.map_or(0, |entry| entry.best);
        let moves = position.moves(Wanted::Noisy);
        let mut picker =
            Picker::new(moves, table_move, None, Context::default()).with_threshold(bound - evaluation);
        while let Some(picked) = picker.next(position, &self.histories) {
            if !picked.is_good {
                break;
            }
            let child = self.make(shared, position, picked.m, ply);
            let mut score = -self.quiescence::<false>(shared, &child, -bound, -bound + 1, ply + 1);
            if score >= bound {
                let below = Node {
                    position: &child,
                    ply: ply + 1,
                    depth: depth - PROBCUT_REDUCTION,
                    alpha: -bound,
                    beta: -bound + 1,
                    cut_node: !node.cut_node,
                };
                score = -self.search::<false>(shared, below);
            }
            self.unmake();
            if self.stopped {
                return Some(0);
            }
            if score >= bound {
                let entry = Entry {
                    best: short(picked.m),
                    score,
                    evaluation: facts.raw,
                    depth: depth - PROBCUT_REDUCTION + 1,
                    bound: Some(Bound::Lower),
                    was_pv: facts.was_pv,
                };
                shared.table.store(position.key(), ply, entry);
                return Some(if is_mate(score) {
                    score
                } else {
                    score - PROBCUT_MARGIN
                });
            }
        }
        None
    }

    /// Tests whether every other move fails well below the table's score (singular extension); if another one
    /// reaches beta as well, the node is cut.
    pub(super) fn test_singular(&mut self, shared: &Shared, node: &Node, facts: &Facts, m: Move) -> Singular {
        let Node { ply, depth, beta, .. } = *node;
        let Some(entry) = facts.entry else {
            return Singular::Extend(0);
        };
        let reliable = matches!(entry.bound, Some(Bound::Lower | Bound::Exact)) && entry.depth >= depth - 3;
        if depth < SINGULAR_DEPTH || facts.excluded.is_some() || !reliable || is_mate(entry.score) {
            return Singular::Extend(0);
        }
        // a line of nothing but extensions must end
        if ply >= 2 * self.iteration.max(1) as usize {
            return Singular::Extend(0);
        }
        let bound = entry.score - SINGULAR_MARGIN * depth;
        self.frame(ply).excluded = Some(m);
        let others = Node {
            depth: (depth - 1) / 2,
            alpha: bound - 1,
            beta: bound,
            ..*node
        };
        let score = self.search::<false>(shared, others);
        self.frame(ply).excluded = None;
        if score < bound {
            let far = !facts.was_pv && score < bound - DOUBLE_EXTENSION_MARGIN;
            Singular::Extend(if far { 2 } else { 1 })
        } else if score >= beta && !is_mate(score) {
            Singular::Cut(score)
        } else if entry.score >= beta {
            Singular::Extend(-1)
        } else {
            Singular::Extend(0)
        }
    }
}

/// Whether the quiet moves of a shallow node that are left can be left out: there were many already, or the evaluation
/// is too far below alpha. Once true it stays so.
pub(super) fn ends_quiet_moves(node: &Node, facts: &Facts, found: &Found) -> bool {
    let depth = node.depth;
    let too_late = depth <= LATE_MOVE_DEPTH && found.tried >= late_move_count(depth, facts.improving);
    let reduced = (depth - late_move_reduction(depth, found.tried)).max(0);
    too_late
        || facts.evaluation.is_some_and(|evaluation| {
            reduced <= FUTILITY_DEPTH && evaluation + FUTILITY_BASE + FUTILITY_MARGIN * reduced <= found.alpha
        })
}

/// Whether a late, quiet or losing move of a shallow node can be left out. The exchange, the dearest question, comes
/// last.
pub(super) fn is_pruned(
    node: &Node,
    found: &Found,
    picked: &Picked,
    only_checks: bool,
    checks: &Checks,
) -> bool {
    let Node { position, depth, .. } = *node;
    let m = picked.m;
    if !m.is_quiet() {
        let allowed = -SEE_CAPTURE_MARGIN * depth;
        return depth <= SEE_DEPTH && !picked.is_good && !position.see_at_least(m, allowed);
    }
    let too_often_refuted = depth <= HISTORY_DEPTH && picked.score < -HISTORY_MARGIN * depth;
    if (only_checks || too_often_refuted) && !checks.has(position, m) {
        return true;
    }
    let reduced = (depth - late_move_reduction(depth, found.tried)).max(0);
    reduced <= SEE_DEPTH && !position.see_at_least(m, -SEE_QUIET_MARGIN * reduced * reduced)
}

/// The squares from which each kind of piece of the side to move would attack the enemy king, found when first asked.
#[derive(Default)]
pub(super) struct Checks(OnceCell<[Bitboard; 6]>);

impl Checks {
    /// Whether the moved piece itself will attack the enemy king. It does not stand in its own way: else it would attack
    /// the king already.
    #[inline]
    pub fn has(&self, position: &Position, m: Move) -> bool {
        let squares = self.0.get_or_init(|| {
            let (side, occupied) = (position.side_to_move(), position.occupied());
            let king = position.king(!side);
            let (diagonal, straight) = (attacks::bishop(king, occupied), attacks::rook(king, occupied));
            [
                attacks::pawn(!side, king),
                attacks::knight(king),
                diagonal,
                straight,
                diagonal | straight,
                Bitboard::EMPTY,
            ]
        });
        squares[m.piece().kind().index()].has(m.to())
    }
}

/// Plies by which a late move is searched less deeply.
pub(super) fn reduction<const PV: bool>(
    node: &Node,
    facts: &Facts,
    found: &Found,
    picked: &Picked,
    child: &Position,
) -> i32 {
    let mut plies = late_move_reduction(node.depth, found.tried);
    plies += !facts.improving as i32;
    plies += 2 * node.cut_node as i32;
    plies -= facts.was_pv as i32 + PV as i32;
    plies -= child.in_check() as i32;
    if picked.m.is_quiet() {
        plies -= (picked.score / REDUCTION_HISTORY).clamp(-2, 2);
    } else {
        plies -= 1;
    }
    plies.max(0)
}
