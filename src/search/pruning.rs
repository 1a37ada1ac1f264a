//! What the search leaves out or looks at less closely: whole nodes by their evaluation, a null move or a capture, late
//! moves by their prospects; and what it looks at more closely: a move that is the only good one.

use super::Bound;
use super::alphabeta::{Facts, Found, Node};
use super::history::Context;
use super::ordering::{Picked, Picker};
use super::params::*;
use super::tt::{Entry, short, target};
use super::worker::{Shared, Worker};
use crate::board::{Bitboard, Move, Position, Wanted, attacks};
use crate::nets::Evaluator;
use crate::nets::score::Score;
use crate::nets::score::is_mate;
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

/// The depth to which a late move would be searched, in whole plies.
fn reduced_depth(depth: i32, tried: usize) -> i32 {
    (depth - late_move_reduction(depth, tried) / PLY).max(0)
}

/// Whether the quiet moves of a shallow node that are left can be left out: there were many already, or the evaluation
/// is too far below alpha. Once true it stays so.
pub(super) fn ends_quiet_moves(node: &Node, facts: &Facts, found: &Found) -> bool {
    let depth = node.depth;
    let too_late = depth <= LATE_MOVE_DEPTH && found.tried >= late_move_count(depth, facts.improving);
    let reduced = reduced_depth(depth, found.tried);
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
    let reduced = reduced_depth(depth, found.tried);
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

/// Plies to add to a node of a late move, now that its evaluation is known. `sum` is that evaluation plus the one of the
/// node before, each for its own mover: what is above 0 the last move gave away.
pub(super) fn hindsight(depth: i32, reduction: i32, sum: Score) -> i32 {
    if reduction >= HINDSIGHT_REDUCTION && sum <= 0 {
        1
    } else if reduction >= HINDSIGHT_REDUCTION - 1 && depth >= 2 && sum > HINDSIGHT_MARGIN {
        -1
    } else {
        0
    }
}

/// Plies by which a late move is searched less deeply.
pub(super) fn reduction<const PV: bool>(
    node: &Node,
    facts: &Facts,
    found: &Found,
    picked: &Picked,
    child: &Position,
    cutoffs: u32,
) -> i32 {
    let mut parts = late_move_reduction(node.depth, found.tried);
    let mut plies = !facts.improving as i32 + 2 * node.cut_node as i32;
    plies += (cutoffs > MANY_CUTOFFS) as i32;
    plies -= facts.was_pv as i32 + PV as i32;
    plies -= child.in_check() as i32;
    if picked.m.is_quiet() {
        let enemies = node.position.of_color(!node.position.side_to_move());
        let takes = |entry: Entry| entry.best != 0 && enemies.has(target(entry.best));
        plies += facts.entry.is_some_and(takes) as i32;
        // the killer and a table's move have scores beyond any history
        let history = picked
            .score
            .clamp(-REDUCTION_HISTORY_LIMIT, REDUCTION_HISTORY_LIMIT);
        parts -= history * PLY / REDUCTION_HISTORY;
    } else {
        plies -= 1;
    }
    ((parts + plies * PLY) / PLY).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_that_give_check_are_those_of_the_slow_way() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "4k3/8/8/8/1b6/8/3N4/R3K2R b - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let checks = Checks::default();
            for m in position.legal_moves() {
                let changed = m.is_castling() || m.promoted().is_some() || m.is_en_passant();
                let child = position.after(m);
                let gives_check = child.checkers().has(m.to());
                assert!(changed || checks.has(&position, m) == gives_check, "{fen} {m:?}");
            }
        }
    }

    #[test]
    fn a_late_move_is_looked_at_again_by_what_it_did() {
        // the opponent did not get better by a move that was thought little of
        assert_eq!(hindsight(5, HINDSIGHT_REDUCTION, -10), 1);
        // the move gave something away
        assert_eq!(hindsight(5, HINDSIGHT_REDUCTION, HINDSIGHT_MARGIN + 1), -1);
        // a node of one ply keeps it, and so does one of full depth
        assert_eq!(hindsight(1, HINDSIGHT_REDUCTION, HINDSIGHT_MARGIN + 1), 0);
        assert_eq!(hindsight(5, 0, HINDSIGHT_MARGIN + 1), 0);
    }
}
