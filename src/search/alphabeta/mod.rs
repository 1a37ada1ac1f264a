//! The full search: principal variation search (negamax, alpha-beta, null windows) in numbered steps, with a selective
//! depth: what decides whole nodes is in [`pruning`], what decides single moves in [`late_moves`] and [`singular`].

mod evaluation;
mod iterate;
mod late_moves;
mod learn;
mod node;
mod pruning;
mod quiescence;
mod singular;
mod tablebase;

use super::Bound;
use super::correction::corrected;
use super::ordering::{MoveOrder, Picked, Picker};
use super::params::*;
use super::shared::Shared;
use super::tt::{Entry, short};
use super::worker::Worker;
use crate::board::Wanted;
use crate::nets::Evaluator;
use crate::nets::score::{DRAW, INFINITE, MATE_FOUND, Score, is_decisive, mate_in, mated_in};
use late_moves::{Late, LateMoves, hindsight, is_reduced, reduction};
use node::{Facts, Found, Node};
use pruning::{table_cut, table_may_cut};
use singular::Singular;
use std::ops::ControlFlow::{self, Break, Continue};

impl<E: Evaluator> Worker<E> {
    /// The score of a node, fail-soft.
    fn search<const PV: bool>(&mut self, shared: &Shared, mut node: Node) -> Score {
        let Node { position, ply, .. } = node;

        // 1. Leaves.
        if node.depth <= 0 {
            return self.quiescence::<PV>(shared, position, node.alpha, node.beta, ply);
        }
        if PV {
            self.begin_line(ply);
        }

        // 2. The end of the search or of the game; draws and mates that are known narrow the window.
        if let Some(score) = self.narrow(shared, &mut node) {
            return score;
        }

        // 3. What the table and the network say, and endgame tablebases.
        let facts = self.gather(shared, &node, PV);
        let limits = match self.look_up::<PV>(shared, &mut node, &facts) {
            Continue(limits) => limits,
            Break(score) => return score,
        };

        // 4, 5. What follows from the static evaluation. A singular test and the verification of a null move come back to a
        // node where all this was done.
        let is_visited_again = facts.excluded.is_some() || self.verification.root == Some(ply);
        if !is_visited_again && let Some(score) = self.prune_by_static_eval::<PV>(shared, &mut node, &facts) {
            return score;
        }

        // 6. Internal iterative reduction; not in a singular test, which looks away from the table and has its own depth.
        let no_table_move = facts.excluded.is_none() && facts.entry.is_none_or(|entry| entry.best == 0);
        if node.depth >= internal_reduction_depth() && no_table_move && (PV || node.cut_node) {
            node.depth -= if PV { internal_reduction_pv() } else { 1 };
        }

        // 7. The moves.
        let mut found = match self.search_moves::<PV>(shared, &node, &facts) {
            Continue(found) => found,
            Break(score) => return score,
        };
        if self.stopped {
            return 0;
        }

        // 8. Checkmate and stalemate.
        if found.tried == 0 {
            return match facts.excluded {
                Some(_) => node.alpha,
                None if position.in_check() => mated_in(ply),
                None => 0,
            };
        }

        if !PV {
            found.best = moderated(found.best, &node);
        }
        found.best = found.best.clamp(limits.0, limits.1);

        // 9. The table, histories and corrections.
        self.remember(shared, &node, &facts, &found);
        found.best
    }

    /// Step 2: the score where the search or the game has ended, or where a draw by repetition or a mate elsewhere is as good
    /// as anything that the node may bring (mate distance pruning).
    fn narrow(&mut self, shared: &Shared, node: &mut Node) -> Option<Score> {
        let Node { position, ply, .. } = *node;
        if ply == 0 {
            return self.is_over(shared).then_some(0);
        }
        if let Some(score) = self.ended(shared, position, ply) {
            return Some(score);
        }
        if node.alpha < DRAW && self.can_repeat(position) {
            node.alpha = self.draw_score();
        }
        node.alpha = node.alpha.max(mated_in(ply));
        node.beta = node.beta.min(mate_in(ply + 1));
        (node.alpha >= node.beta).then_some(node.alpha)
    }

    /// Step 3: what the table and the network say of a node.
    fn gather(&mut self, shared: &Shared, node: &Node, pv: bool) -> Facts {
        let Node { position, ply, .. } = *node;
        let excluded = self.frame(ply).excluded;
        let entry = if excluded.is_some() {
            None
        } else {
            shared.table.probe(position.key(), ply)
        };
        // a singular test comes back to a node that was evaluated already
        let (raw, evaluation, correction) = if excluded.is_some() {
            (None, self.frame(ply).evaluation, 0)
        } else {
            let raw = self.raw_evaluation(shared, position, entry, ply);
            let error = raw.map_or(0, |_| self.error(position, ply));
            (raw, raw.map(|raw| corrected(position, raw, error)), error.abs())
        };
        let was_pv = match excluded {
            // a singular test belongs to the node that makes it
            Some(_) => self.frame(ply).was_pv,
            None => pv || entry.is_some_and(|entry| entry.was_pv),
        };
        self.frame(ply).was_pv = was_pv;
        self.frame(ply).evaluation = evaluation;
        self.frame(ply + 1).killer = None;
        self.frame(ply + 2).cutoffs = 0;
        // a mover that was in check two plies ago is compared with four plies ago
        let before = self
            .earlier(ply, 2)
            .evaluation
            .or(self.earlier(ply, 4).evaluation);
        Facts {
            entry,
            raw,
            evaluation,
            correction,
            estimate: evaluation.map_or(0, |corrected| {
                entry.map_or(corrected, |entry| entry.improve(corrected))
            }),
            improving: matches!((evaluation, before), (Some(now), Some(before)) if now > before),
            excluded,
            was_pv,
        }
    }

    /// Step 3: a score that the table or endgame tablebases know already, or the least and the greatest that tablebases allow.
    fn look_up<const PV: bool>(
        &mut self,
        shared: &Shared,
        node: &mut Node,
        facts: &Facts,
    ) -> ControlFlow<Score, (Score, Score)> {
        if let Some(entry) = facts.entry.filter(|_| !PV)
            && entry.depth >= node.depth
            && entry.allows_cut(node.alpha, node.beta)
            && table_may_cut(node.position)
        {
            self.reward_table_move(node, entry);
            return Break(entry.score);
        }
        let mut limits = (-INFINITE, INFINITE);
        if facts.excluded.is_none()
            && let Some(proof) = self.ask_tablebases(shared, node)
        {
            if proof.decides(node.alpha, node.beta) {
                self.remember_proof(shared, node, proof);
                return Break(proof.score);
            }
            // a mate is still to be found
            if PV {
                limits = proof.limits();
                node.alpha = node.alpha.max(limits.0);
            }
        }
        Continue(limits)
    }

    /// Steps 4 and 5: changes a node's depth by what its static evaluation says of the move before, or decides the node.
    fn prune_by_static_eval<const PV: bool>(
        &mut self,
        shared: &Shared,
        node: &mut Node,
        facts: &Facts,
    ) -> Option<Score> {
        // 4. Hindsight: the last move turns out better or worse than its place in the order, and its history learns from it.
        let before = self.earlier(node.ply, 1);
        if let (Some(now), Some(last)) = (facts.evaluation, before.evaluation) {
            node.depth += hindsight(node.depth, before.reduction, now + last);
            self.reward_evaluation(node.ply, now + last);
        }
        if PV {
            return None;
        }
        // 5. Reverse futility, razoring, null move, ProbCut, a table score far above beta.
        facts
            .evaluation
            .and_then(|evaluation| self.prune_node(shared, node, facts, evaluation))
            .or_else(|| table_cut(node, facts))
    }

    /// Step 7: tries the moves. Breaks off with a score at a multi-cut, which is nothing to remember at this depth.
    fn search_moves<const PV: bool>(
        &mut self,
        shared: &Shared,
        node: &Node,
        facts: &Facts,
    ) -> ControlFlow<Score, Found> {
        let mut node = *node;
        let Node { position, ply, .. } = node;
        let mut picker = self.order_moves(&node, facts.entry);
        let mut found = Found::nothing(node.alpha);
        let mut late = LateMoves::new(self.root_window);
        while let Some(picked) = picker.next(position, &self.histories) {
            let m = picked.m;
            if Some(m) == facts.excluded || (ply == 0 && !self.root.is_choice(m)) {
                continue;
            }

            // 7a. Late move pruning, futility, history and exchange pruning; not while only being mated was found, nor where
            // zugzwang is likely.
            if ply > 0
                && found.best > -MATE_FOUND
                && position.has_pieces(position.side_to_move())
                && late.is_pruned(&node, facts, &found, &picked, &mut picker, &self.histories)
            {
                continue;
            }

            // 7b. Singular extension of the table's move, or a multi-cut.
            let mut extension = 0;
            if ply > 0 && short(m) == picker.table_move() {
                match self.test_singular(shared, &node, facts, m) {
                    Singular::Extend(plies) => extension = plies,
                    Singular::MultiCut(score) => return Break(score),
                }
                if self.stopped {
                    return Continue(found);
                }
            }

            // 7c. What follows the move.
            let nodes_before = self.nodes;
            let score = self.search_child::<PV>(shared, &node, facts, &found, &picked, extension);
            if self.stopped {
                return Continue(found);
            }
            found.tried += 1;
            if ply == 0 {
                let bound = Bound::of(score, found.alpha, node.beta);
                self.note_root(m, score, bound, found.tried == 1, self.nodes - nodes_before);
            }

            // 7d. A better score, a new best move, a fail high.
            if score > found.best {
                found.best = score;
                if score > found.alpha {
                    found.alpha = score;
                    found.best_move = Some(m);
                    if PV {
                        self.extend_line(ply, m);
                    }
                    if score >= node.beta {
                        self.frame(ply).cutoffs += 1;
                        break;
                    }
                    // the moves after one that raised alpha seldom raise it again
                    if (raised_shallowest()..=raised_deepest()).contains(&node.depth) && !is_decisive(score) {
                        node.depth -= 1;
                    }
                }
            }
            found.note_failure(m);
        }
        Continue(found)
    }

    /// The moves of a node in their order.
    fn order_moves(&mut self, node: &Node, entry: Option<Entry>) -> Picker {
        let Node { position, ply, .. } = *node;
        let context = self.context(position, ply);
        self.frame(ply).context = context;
        // the root has its own order: the table's move may be that of another line or thread
        let table_move = match ply == 0 && self.iteration > 1 {
            true => short(self.root.current().first),
            false => entry.map_or(0, |entry| entry.best),
        };
        let order = MoveOrder {
            table_move,
            killer: self.frame(ply).killer,
            lenient: true,
            ..MoveOrder::of(Wanted::All)
        };
        Picker::new(order, context)
    }

    /// Step 7c: makes a move and searches what follows: late moves first with reduced depth and a null window, the full
    /// depth and window only when they turn out better than expected.
    fn search_child<const PV: bool>(
        &mut self,
        shared: &Shared,
        node: &Node,
        facts: &Facts,
        found: &Found,
        picked: &Picked,
        extension: i32,
    ) -> Score {
        let Node { ply, beta, .. } = *node;
        let alpha = found.alpha;
        if PV {
            // a child that is searched with a null window alone leaves no line, nor must an earlier sibling's stay
            self.frame(ply + 1).line.clear();
        }
        let mut child = *node.position;
        self.make(shared, &mut child, picked.m, ply);
        self.frame(ply).tried = found.tried;
        let mut below = Node {
            position: &child,
            ply: ply + 1,
            depth: node.depth - 1 + extension,
            alpha: -alpha - 1,
            beta: -alpha,
            cut_node: true,
        };
        let mut score = -INFINITE;
        let mut full_depth = !PV || found.tried > 0;

        // late move reduction
        if is_reduced::<PV>(node, found) {
            let late = Late {
                m: picked.m,
                history: self
                    .histories
                    .of(node.position, picked.m, &self.earlier(ply, 0).context),
                gives_check: child.in_check(),
                cutoffs: self.frame(ply + 1).cutoffs,
                root_window: self.root_window,
            };
            let plies = reduction::<PV>(node, facts, found, &late);
            let reduced = (below.depth - plies).clamp(1, below.depth.max(1) + 1);
            score = self.search_reduced(shared, below, reduced);
            full_depth = score > alpha && reduced < below.depth;
            if full_depth {
                below.depth += repeated_depth(score, found.best, below.depth);
                full_depth = reduced < below.depth;
            }
        }
        let repeated = full_depth && score > -INFINITE;
        // full depth, null window
        if full_depth {
            let cut_node = PV || !node.cut_node;
            score = -self.search::<false>(shared, Node { cut_node, ..below });
        }
        if repeated && !self.stopped {
            self.reward_repeated(node, picked.m, below.depth, score, alpha);
        }
        // full window
        if PV && (found.tried == 0 || (score > alpha && (ply == 0 || score < beta))) {
            let whole = Node {
                alpha: -beta,
                beta: -alpha,
                cut_node: false,
                ..below
            };
            score = -self.search::<true>(shared, whole);
        }
        self.unmake();
        score
    }

    /// Searches a late move with reduced depth; the child knows from the frame by how much.
    fn search_reduced(&mut self, shared: &Shared, child: Node, depth: i32) -> Score {
        let ply = child.ply - 1;
        self.frame(ply).reduction = child.depth - depth;
        let score = -self.search::<false>(shared, Node { depth, ..child });
        self.frame(ply).reduction = 0;
        score
    }
}

/// The score of a fail high, nearer to beta the shallower the search was that found it.
fn moderated(score: Score, node: &Node) -> Score {
    if score < node.beta || is_decisive(score) || is_decisive(node.beta) {
        return score;
    }
    (score * node.depth + node.beta) / (node.depth + 1)
}

/// Plies to add where a late move is repeated without its reduction: one if it was much better than the best move so far,
/// one less if it was hardly better.
fn repeated_depth(score: Score, best: Score, depth: i32) -> i32 {
    let much = best + deeper_margin() + deeper_margin_per_ply() * depth;
    let hardly = best + shallower_margin();
    (score > much) as i32 - (score < hardly) as i32
}
