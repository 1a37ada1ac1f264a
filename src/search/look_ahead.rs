//! Limited look-ahead, for the thesis's question how much strategy a network holds: plain negamax with alpha-beta to a
//! fixed number of plies, without extensions, reductions or forward pruning, so that the score is the minimax value of
//! the network's own scores. Quiescence may be added at the leaves.
//!
//! Where the evaluator gains from batches, the children of a frontier node are scored together, and cut-offs happen
//! between batches. The result is the same, for a minimax value does not depend on the order of the moves.

use super::history::Context;
use super::ordering::{MoveOrder, Picker};
use super::shared::Shared;
use super::tt::Entry;
use super::worker::Worker;
use super::{Bound, Reporter};
use crate::board::{Move, MoveList, Position, Wanted};
use crate::nets::Evaluator;
use crate::nets::score::{DRAW, INFINITE, MATE_FOUND, MAX_PLY, Score, mated_in};
use std::sync::atomic::Ordering::Relaxed;

impl<E: Evaluator> Worker<E> {
    /// Searches 1, 2 … `plies` plies; the shorter searches order the root for the last. Only the main thread works.
    pub fn look_ahead(&mut self, shared: &Shared, plies: i32, reporter: Option<Reporter>) {
        let Some(reporter) = reporter else {
            return;
        };
        let plies = plies.min(MAX_PLY as i32 - 1);
        let deepest = shared
            .limits
            .depth
            .map_or(plies, |limit| plies.min(limit.max(1) as i32));
        let lines = self.lines(shared);
        for depth in 1..=deepest {
            self.iteration = depth;
            self.root.begin_iteration();
            for line in 0..lines {
                self.root.begin_line(line);
                self.selective_depth = 0;
                self.plain_root(shared, depth);
                self.root.sort_choices();
                if self.stopped {
                    self.root.begin_line(0);
                    return;
                }
            }
            self.completed = depth;
            self.report_lines(shared, lines, reporter);
            let patient = shared.limits.infinite || shared.control.pondering.load(Relaxed);
            if !patient && shared.clock.is_enough(1.0) {
                break;
            }
        }
        self.root.begin_line(0);
    }

    /// The root: its moves in the order of the iteration before; among equals the first is chosen.
    fn plain_root(&mut self, shared: &Shared, depth: i32) {
        let choices = self.root.choices().iter();
        let choices: MoveList = choices.map(|root_move| root_move.first).collect();
        let mut alpha = -INFINITE;
        for (tried, &m) in choices.iter().enumerate() {
            let before = self.nodes;
            let mut child = shared.game.position;
            self.make(shared, &mut child, m, 0);
            let score = -self.plain(shared, &child, depth - 1, -INFINITE, -alpha, 1);
            self.unmake();
            if self.stopped {
                return;
            }
            let bound = Bound::of(score, alpha, INFINITE);
            self.note_root(m, score, bound, tried == 0, self.nodes - before);
            alpha = alpha.max(score);
        }
    }

    /// The minimax value of a node `depth` plies above the leaves, fail-soft.
    fn plain(
        &mut self,
        shared: &Shared,
        position: &Position,
        depth: i32,
        mut alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        if let Some(score) = self.enter_plain(shared, position, ply) {
            return score;
        }
        if !position.has_moves() {
            return if position.in_check() { mated_in(ply) } else { DRAW };
        }
        if depth == 0 || ply >= MAX_PLY - 1 {
            return match shared.settings.quiescence {
                true => self.plain_quiescence(shared, position, alpha, beta, ply),
                false => self.network_score(shared, position, ply),
            };
        }
        if depth == 1 && !shared.settings.quiescence && self.evaluator.batch_size() > 1 {
            return self.frontier(shared, position, alpha, beta, ply);
        }
        let context = self.context(position, ply);
        let mut picker = Picker::new(MoveOrder::of(Wanted::All), context);
        let mut best = -INFINITE;
        while let Some(picked) = picker.next(position, &self.histories) {
            let mut child = *position;
            self.make(shared, &mut child, picked.m, ply);
            let score = -self.plain(shared, &child, depth - 1, -beta, -alpha, ply + 1);
            self.unmake();
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    self.extend_line(ply, picked.m);
                }
                if score >= beta {
                    self.learn_cut(position, picked.m, depth, &context);
                    break;
                }
            }
        }
        best
    }

    /// Begins a node with an empty line; gives its score if the search or the game is over.
    fn enter_plain(&mut self, shared: &Shared, position: &Position, ply: usize) -> Option<Score> {
        self.begin_line(ply);
        if self.is_over(shared) {
            Some(0)
        } else {
            self.is_draw(position).then_some(DRAW)
        }
    }

    /// A node whose children are leaves: those that need the network's score get it in batches.
    fn frontier(
        &mut self,
        shared: &Shared,
        position: &Position,
        mut alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        let context = self.context(position, ply);
        let mut picker = Picker::new(MoveOrder::of(Wanted::All), context);
        let full = self.batch_size(shared);
        // most cut-offs come early: a first batch of half the size gave the same moves in two thirds of the time
        let mut size = (full / 2).max(1);
        let mut best = -INFINITE;
        let mut waiting: Vec<(Move, Position)> = Vec::with_capacity(full);
        let mut scores = Vec::with_capacity(full);
        loop {
            let picked = picker.next(position, &self.histories);
            let mut known = None;
            if let Some(picked) = &picked {
                let mut child = *position;
                self.make(shared, &mut child, picked.m, ply);
                known = self.score_without_network(shared, &child, ply + 1);
                self.unmake();
                if known.is_none() {
                    waiting.push((picked.m, child));
                }
            }
            scores.clear();
            if waiting.len() == size || (picked.is_none() && !waiting.is_empty()) {
                self.score_batch(shared, &waiting, &mut scores, ply + 1);
                size = full;
            }
            let scored = if scores.is_empty() {
                Vec::new()
            } else {
                std::mem::take(&mut waiting)
            };
            let batch = scored.iter().map(|(m, _)| *m).zip(scores.iter().copied());
            let single = picked
                .as_ref()
                .zip(known)
                .map(|(picked, score)| (picked.m, score));
            self.frame(ply + 1).line.clear();
            for (m, score) in single.into_iter().chain(batch) {
                if -score > best {
                    best = -score;
                    if best > alpha {
                        alpha = best;
                        self.extend_line(ply, m);
                    }
                }
            }
            if picked.is_none() || best >= beta || self.is_over(shared) {
                return best;
            }
        }
    }

    /// The score of a leaf that is a draw, mate or stalemate, or that the table holds.
    fn score_without_network(&mut self, shared: &Shared, leaf: &Position, ply: usize) -> Option<Score> {
        if self.is_draw(leaf) {
            return Some(DRAW);
        }
        if !leaf.has_moves() {
            return Some(if leaf.in_check() { mated_in(ply) } else { DRAW });
        }
        shared
            .table
            .probe(leaf.key(), ply)
            .and_then(|entry| entry.evaluation)
    }

    /// Scores leaves with the network and keeps the scores in the table.
    fn score_batch(
        &mut self,
        shared: &Shared,
        leaves: &[(Move, Position)],
        scores: &mut Vec<Score>,
        ply: usize,
    ) {
        let positions: Vec<Position> = leaves.iter().map(|(_, leaf)| *leaf).collect();
        self.ask_all(&positions, scores);
        for (leaf, &score) in positions.iter().zip(scores.iter()) {
            shared.table.store(leaf.key(), ply, Entry::of_evaluation(score));
        }
    }

    /// The network's own score, from the table if it was evaluated before.
    fn network_score(&mut self, shared: &Shared, position: &Position, ply: usize) -> Score {
        let known = shared
            .table
            .probe(position.key(), ply)
            .and_then(|entry| entry.evaluation);
        known.unwrap_or_else(|| {
            let score = self.ask(position);
            shared
                .table
                .store(position.key(), ply, Entry::of_evaluation(score));
            score
        })
    }

    /// Captures and promotions that do not lose material, in check every move; no table scores, no other pruning.
    fn plain_quiescence(
        &mut self,
        shared: &Shared,
        position: &Position,
        mut alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        if let Some(score) = self.enter_plain(shared, position, ply) {
            return score;
        }
        let in_check = position.in_check();
        let mut best = if in_check {
            mated_in(ply)
        } else {
            self.network_score(shared, position, ply)
        };
        if best >= beta {
            return best;
        }
        if ply >= MAX_PLY - 1 {
            return self.network_score(shared, position, ply);
        }
        alpha = alpha.max(best);
        let wanted = if in_check { Wanted::All } else { Wanted::Noisy };
        let context = self.context_of_leaf(position, ply);
        let mut picker = Picker::new(MoveOrder::of(wanted), context);
        while let Some(picked) = picker.next(position, &self.histories) {
            if !picked.is_good && best > -MATE_FOUND {
                continue;
            }
            let mut child = *position;
            self.make(shared, &mut child, picked.m, ply);
            let score = -self.plain_quiescence(shared, &child, -beta, -alpha, ply + 1);
            self.unmake();
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    self.extend_line(ply, picked.m);
                }
                if score >= beta {
                    break;
                }
            }
        }
        best
    }

    /// Raises the history of a move that failed high; by no number of the full search, so that tuning that one leaves the
    /// node counts here as they were.
    fn learn_cut(&mut self, position: &Position, m: Move, depth: i32, context: &Context) {
        let bonus = depth * depth;
        if m.is_quiet() {
            self.histories.update_quiet(m, context, bonus);
        } else {
            self.histories.update_capture(position, m, bonus);
        }
    }
}
