//! The principal variation search: negamax with alpha-beta, in numbered steps.

use super::Bound;
use super::ordering::{Picked, Picker};
use super::params::*;
use super::pruning::{Checks, Singular, ends_quiet_moves, hindsight, is_pruned, reduction};
use super::tt::{Entry, short};
use super::worker::{Frame, Shared, Worker};
use crate::board::{Move, Position, Wanted};
use crate::nets::Evaluator;
use crate::nets::score::Score;
use crate::nets::score::{INFINITE, MATE_FOUND, MAX_PLY, is_mate, mate_in, mated_in};
use arrayvec::ArrayVec;
use std::ops::ControlFlow::{self, Break, Continue};

/// Quiet moves (and captures) whose failure a node remembers.
const REMEMBERED: usize = 32;
/// With a clock of this many plies the fifty-move rule may contradict what the table says.
const FIFTY_IS_NEAR: u8 = 90;

/// A node to be searched.
#[derive(Clone, Copy)]
pub(super) struct Node<'a> {
    pub position: &'a Position,
    pub ply: usize,
    pub depth: i32,
    pub alpha: Score,
    pub beta: Score,
    /// Whether the parent expects this node to fail high.
    pub cut_node: bool,
}

/// What is known of a node before its moves are tried.
pub(super) struct Facts {
    pub entry: Option<Entry>,
    /// The network's score; `None` in check.
    pub raw: Option<Score>,
    /// The corrected score; `None` in check.
    pub evaluation: Option<Score>,
    /// The corrected score or the table's, whichever says more.
    pub estimate: Score,
    /// The evaluation rose since the mover's last turn.
    pub improving: bool,
    /// The move left out by a singular test.
    pub excluded: Option<Move>,
    /// On the principal variation now or when the table's entry was written.
    pub was_pv: bool,
}

/// What the moves of a node have brought so far.
pub(super) struct Found {
    pub best: Score,
    pub best_move: Option<Move>,
    pub alpha: Score,
    /// Moves searched.
    pub tried: usize,
    pub quiets: ArrayVec<Move, REMEMBERED>,
    pub captures: ArrayVec<Move, REMEMBERED>,
}

impl<E: Evaluator> Worker<E> {
    /// The score of a node, fail-soft.
    pub(super) fn search<const PV: bool>(&mut self, shared: &Shared, mut node: Node) -> Score {
        let Node { position, ply, .. } = node;

        // 1. leaves
        if node.depth <= 0 {
            return self.quiescence::<PV>(shared, position, node.alpha, node.beta, ply);
        }
        if PV {
            self.frame(ply).line.clear();
            self.selective_depth = self.selective_depth.max(ply);
        }

        // 2. the end of the search or of the game
        if self.is_over(shared) {
            return 0;
        }
        if ply > 0 {
            if self.is_draw(position) {
                return self.draw_score();
            }
            if ply >= MAX_PLY - 1 {
                return self.evaluation_at_the_limit(position, ply);
            }
            // a shorter mate was found already
            node.alpha = node.alpha.max(mated_in(ply));
            node.beta = node.beta.min(mate_in(ply + 1));
            if node.alpha >= node.beta {
                return node.alpha;
            }
        }

        // 3. what the table and the network say
        let facts = self.gather(shared, &node, PV);
        if let Some(entry) = facts.entry.filter(|_| !PV)
            && entry.depth >= node.depth
            && entry.allows_cut(node.alpha, node.beta)
            && position.halfmove_clock() < FIFTY_IS_NEAR
        {
            return entry.score;
        }

        // a late move that was searched less deeply turns out better or worse than its place in the order
        let before = self.earlier(ply, 1);
        if let (Some(now), Some(last), None) = (facts.evaluation, before.evaluation, facts.excluded) {
            node.depth += hindsight(node.depth, before.reduction, now + last);
        }

        // 4. nodes that can be decided, or are worth less, before any move
        if !PV
            && facts.excluded.is_none()
            && let Some(evaluation) = facts.evaluation
            && let Some(score) = self.prune_node(shared, &node, &facts, evaluation)
        {
            return score;
        }
        // a singular test looks away from the table, and its depth is chosen already
        let no_table_move = facts.excluded.is_none() && facts.entry.is_none_or(|entry| entry.best == 0);
        if node.depth >= INTERNAL_REDUCTION_DEPTH && no_table_move && (PV || node.cut_node) {
            node.depth -= 1;
        }

        // 5. the moves
        let found = match self.search_moves::<PV>(shared, &node, &facts) {
            Continue(found) => found,
            Break(score) => return score,
        };
        if self.stopped {
            return 0;
        }
        if found.tried == 0 && found.best == -INFINITE {
            return match facts.excluded {
                Some(_) => node.alpha,
                None if position.in_check() => mated_in(ply),
                None => 0,
            };
        }

        // 6. remember
        self.remember(shared, &node, &facts, &found);
        found.best
    }

    fn gather(&mut self, shared: &Shared, node: &Node, pv: bool) -> Facts {
        let Node { position, ply, .. } = *node;
        let excluded = self.frame(ply).excluded;
        let entry = if excluded.is_some() {
            None
        } else {
            shared.table.probe(position.key(), ply)
        };
        // a singular test comes back to a node that was evaluated already
        let (raw, evaluation) = if excluded.is_some() {
            (None, self.frame(ply).evaluation)
        } else {
            let raw = self.raw_evaluation(shared, position, entry, ply);
            (raw, raw.map(|raw| self.corrected(position, raw, ply)))
        };
        self.frame(ply).evaluation = evaluation;
        self.frame(ply + 1).killer = None;
        self.frame(ply + 2).cutoffs = 0;
        let before = self
            .earlier(ply, 2)
            .evaluation
            .or(self.earlier(ply, 4).evaluation);
        let improving = matches!((evaluation, before), (Some(now), Some(before)) if now > before);
        let estimate = evaluation.map_or(0, |corrected| {
            entry.map_or(corrected, |entry| entry.improve(corrected))
        });
        let was_pv = pv || entry.is_some_and(|entry| entry.was_pv);
        Facts {
            entry,
            raw,
            evaluation,
            estimate,
            improving,
            excluded,
            was_pv,
        }
    }

    /// Tries the moves. Breaks off with a score where a shallower search shows that several fail high, which is nothing to
    /// remember at this depth.
    fn search_moves<const PV: bool>(
        &mut self,
        shared: &Shared,
        node: &Node,
        facts: &Facts,
    ) -> ControlFlow<Score, Found> {
        let Node { position, ply, .. } = *node;
        let context = self.context(position, ply);
        self.frame(ply).context = context;
        // the root has its own order: the table's move may be that of another line or thread
        let table_move = match ply == 0 && self.iteration > 1 {
            true => short(self.root_moves[self.first_root].first),
            false => facts.entry.map_or(0, |entry| entry.best),
        };
        let killer = self.frame(ply).killer;
        let moves = position.moves(Wanted::All);
        let mut picker = Picker::new(moves, table_move, killer, context);
        let mut found = Found {
            best: -INFINITE,
            best_move: None,
            alpha: node.alpha,
            tried: 0,
            quiets: ArrayVec::new(),
            captures: ArrayVec::new(),
        };
        let checks = Checks::default();
        let mut only_checks = false;
        while let Some(picked) = picker.next(position, &self.histories) {
            let m = picked.m;
            if Some(m) == facts.excluded || (ply == 0 && !self.is_root_choice(m)) {
                continue;
            }
            if ply > 0 && found.best > -MATE_FOUND {
                if !only_checks && m.is_quiet() && ends_quiet_moves(node, facts, &found) {
                    only_checks = true;
                    picker.retain_quiet(|m| checks.has(position, m));
                }
                if is_pruned(node, &found, &picked, only_checks, &checks) {
                    continue;
                }
            }
            let mut extension = 0;
            if ply > 0 && short(m) == table_move {
                match self.test_singular(shared, node, facts, m) {
                    Singular::Extend(plies) => extension = plies,
                    Singular::Cut(score) => return Break(score),
                }
                if self.stopped {
                    return Continue(found);
                }
            }
            let nodes_before = self.nodes;
            if PV {
                // a child that is searched with a null window alone leaves no line, nor must an earlier sibling's stay
                self.frame(ply + 1).line.clear();
            }
            let score = self.search_child::<PV>(shared, node, facts, &found, &picked, extension);
            if self.stopped {
                return Continue(found);
            }
            found.tried += 1;
            if ply == 0 {
                let bound = Bound::of(score, found.alpha, node.beta);
                self.note_root(m, score, bound, found.tried == 1, self.nodes - nodes_before);
            }
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
                }
            }
            let list = if m.is_quiet() {
                &mut found.quiets
            } else {
                &mut found.captures
            };
            let _ = list.try_push(m);
        }
        Continue(found)
    }

    /// Makes a move and searches what follows: late moves first with less depth and a null window, the full depth
    /// and window only when they turn out better than expected.
    fn search_child<const PV: bool>(
        &mut self,
        shared: &Shared,
        node: &Node,
        facts: &Facts,
        found: &Found,
        picked: &Picked,
        extension: i32,
    ) -> Score {
        let Node {
            position, ply, beta, ..
        } = *node;
        let alpha = found.alpha;
        let child = self.make(shared, position, picked.m, ply);
        let depth = node.depth - 1 + extension;
        let mut below = Node {
            position: &child,
            ply: ply + 1,
            depth,
            alpha: -alpha - 1,
            beta: -alpha,
            cut_node: true,
        };
        let mut score = -INFINITE;
        let reduce = node.depth >= REDUCTION_DEPTH && found.tried > (ply == 0) as usize + PV as usize;
        let mut full_depth = !PV || found.tried > 0;
        if reduce && (picked.m.is_quiet() || !picked.is_good) {
            let cutoffs = self.frame(ply + 1).cutoffs;
            let plies = reduction::<PV>(node, facts, found, picked, &child, cutoffs);
            let reduced = (depth - plies).clamp(1, depth.max(1));
            self.frame(ply).reduction = depth - reduced;
            score = -self.search::<false>(
                shared,
                Node {
                    depth: reduced,
                    ..below
                },
            );
            self.frame(ply).reduction = 0;
            full_depth = score > alpha && reduced < depth;
            if full_depth {
                below.depth += (score > found.best + DEEPER_MARGIN + 2 * depth) as i32;
                below.depth -= (score < found.best + SHALLOWER_MARGIN) as i32;
                full_depth = reduced < below.depth;
            }
        }
        if full_depth {
            let cut_node = if PV { true } else { !node.cut_node };
            score = -self.search::<false>(shared, Node { cut_node, ..below });
        }
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

    /// Writes the result to the table and the histories.
    fn remember(&mut self, shared: &Shared, node: &Node, facts: &Facts, found: &Found) {
        let Node {
            position,
            ply,
            depth,
            alpha,
            beta,
            ..
        } = *node;
        let bound = Bound::of(found.best, alpha, beta);
        if let Some(m) = found.best_move.filter(|_| bound == Bound::Lower) {
            self.reward(position, m, ply, depth, found);
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
        let quiet_best = found.best_move.is_none_or(|m| m.is_quiet());
        if let Some(evaluation) = facts.evaluation
            && quiet_best
            && !is_mate(found.best)
            && !(bound == Bound::Lower && found.best <= evaluation)
            && !(bound == Bound::Upper && found.best >= evaluation)
        {
            let last = self.move_before(ply, 1);
            self.corrections
                .learn(position, last, depth, found.best - evaluation);
        }
        // the best lines of MultiPV hide moves from the root's table entry
        if ply > 0 || self.first_root == 0 {
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

    /// Raises the history of the quiet move that led here: none of the answers was good enough.
    fn reward_before(&mut self, ply: usize, depth: i32) {
        let Frame { played, context, .. } = *self.earlier(ply, 1);
        if let Some(m) = played.filter(|m| m.is_quiet()) {
            self.histories.update_quiet(m, &context, history_bonus(depth) / 2);
        }
    }

    /// Raises the history of the move that refuted a node and lowers that of those tried before it.
    fn reward(&mut self, position: &Position, m: Move, ply: usize, depth: i32, found: &Found) {
        let bonus = history_bonus(depth);
        let context = self.frame(ply).context;
        if m.is_quiet() {
            self.histories.update_quiet(m, &context, bonus);
            for &quiet in &found.quiets {
                self.histories.update_quiet(quiet, &context, -bonus);
            }
        } else {
            self.histories.update_capture(position, m, bonus);
        }
        for &capture in &found.captures {
            self.histories.update_capture(position, capture, -bonus);
        }
    }
}
