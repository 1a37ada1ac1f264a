//! Iterative deepening at the root: aspiration windows, several best lines, when to stop, what to report.

use super::alphabeta::Node;
use super::params::{ASPIRATION, ASPIRATION_DEPTH};
use super::worker::{RootMove, Shared, Worker};
use super::{Bound, Report};
use crate::board::Move;
use crate::nets::Evaluator;
use crate::nets::score::Score;
use crate::nets::score::{INFINITE, MATE_FOUND, MAX_PLY, mate_in};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Bounds (scores outside the aspiration window) are reported only in searches longer than this.
const QUIET_TIME: Duration = Duration::from_secs(3);
/// With a single legal move there is nothing to decide: a few plies give a score and an expected answer.
const FORCED_MOVE_DEPTH: i32 = 6;

/// Receives the reports of the main thread.
pub type Reporter<'a> = &'a mut dyn FnMut(&Report);

impl<E: Evaluator> Worker<E> {
    /// Searches in the way that the settings ask for; the main thread hands in a reporter.
    pub(super) fn think(&mut self, shared: &Shared, reporter: Option<Reporter>) {
        match shared.settings.look_ahead {
            0 => self.iterate(shared, reporter),
            plies => self.look_ahead(shared, plies as i32, reporter),
        }
    }

    /// Searches deeper and deeper until a limit is met.
    fn iterate(&mut self, shared: &Shared, mut reporter: Option<Reporter>) {
        let deepest = shared.limits.depth.map_or(MAX_PLY as i32 - 1, |depth| {
            depth.clamp(1, MAX_PLY as u32 - 1) as i32
        });
        let lines = shared.settings.multi_pv.clamp(1, self.root_moves.len());
        let mut steady = Steadiness::default();
        for depth in 1..=deepest {
            self.iteration = depth;
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.score;
            }
            for line in 0..lines {
                self.first_root = line;
                self.selective_depth = 0;
                self.aspire(shared, depth, &mut reporter);
                self.root_moves[line..].sort_by_key(|root_move| std::cmp::Reverse(root_move.score));
                self.root_moves[..=line].sort_by_key(|root_move| std::cmp::Reverse(root_move.score));
                if self.stopped {
                    break;
                }
            }
            if self.stopped {
                break;
            }
            self.completed = depth;
            if let Some(reporter) = &mut reporter {
                self.report_lines(shared, lines, *reporter);
                if self.is_enough(shared, depth, &mut steady) {
                    break;
                }
            }
        }
        self.first_root = 0;
    }

    /// One iteration of one line, first in a window around the last score, widened until the score lies inside.
    fn aspire(&mut self, shared: &Shared, depth: i32, reporter: &mut Option<Reporter>) {
        let last = self.root_moves[self.first_root].previous;
        let narrow = depth >= ASPIRATION_DEPTH && last.abs() < MATE_FOUND;
        let mut width = ASPIRATION + (last / 128).abs();
        let (mut alpha, mut beta) = if narrow {
            ((last - width).max(-INFINITE), (last + width).min(INFINITE))
        } else {
            (-INFINITE, INFINITE)
        };
        let mut reduced = 0;
        loop {
            let position = shared.game.position;
            let depth = (depth - reduced).max(1);
            let root = Node {
                position: &position,
                ply: 0,
                depth,
                alpha,
                beta,
                cut_node: false,
            };
            let score = self.search::<true>(shared, root);
            if self.stopped {
                return;
            }
            let first = self.first_root;
            self.root_moves[first..].sort_by_key(|root_move| std::cmp::Reverse(root_move.score));
            let bound = Bound::of(score, alpha, beta);
            match bound {
                Bound::Upper if alpha > -INFINITE => {
                    beta = (alpha + beta) / 2;
                    alpha = (score - width).max(-INFINITE);
                    reduced = 0;
                }
                Bound::Lower if beta < INFINITE => {
                    beta = (score + width).min(INFINITE);
                    // the move is good enough: confirm it with a little less work
                    reduced = (reduced + 1).min(3);
                }
                _ => return,
            }
            if let Some(reporter) = reporter
                && shared.clock.elapsed() > QUIET_TIME
            {
                reporter(&self.report(shared, self.first_root, bound));
            }
            width *= 2;
            if width > 1_000 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// Whether the root may choose this move: it was asked for and is not the first of a better line.
    pub(super) fn is_root_choice(&self, m: Move) -> bool {
        self.root_moves[self.first_root..]
            .iter()
            .any(|root_move| root_move.first == m)
    }

    /// Notes the score of a root move. One that did not beat the best has only an upper bound, which says nothing that
    /// could order it, unless it is the first.
    pub(super) fn note_root(&mut self, m: Move, score: Score, bound: Bound, is_first: bool, nodes: u64) {
        let selective_depth = self.selective_depth;
        let below = self.frame(1).line.clone();
        let Some(root_move) = self.root_moves.iter_mut().find(|root_move| root_move.first == m) else {
            return;
        };
        root_move.nodes += nodes;
        if is_first || bound != Bound::Upper {
            root_move.score = score;
            root_move.bound = bound;
            root_move.selective_depth = selective_depth;
            root_move.line.clear();
            root_move.line.push(m);
            root_move.line.extend(below.into_iter().take(MAX_PLY - 1));
        } else {
            root_move.score = -INFINITE;
        }
    }

    /// Whether the main thread should stop after this iteration.
    fn is_enough(&self, shared: &Shared, depth: i32, steady: &mut Steadiness) -> bool {
        let best = &self.root_moves[0];
        if let Some(moves) = shared.limits.mate
            && best.score >= mate_in(2 * moves as usize)
        {
            return true;
        }
        steady.note(best, depth);
        if shared.limits.infinite || shared.control.pondering.load(Relaxed) || !shared.clock.is_flexible() {
            return false;
        }
        let forced = self.root_moves.len() == 1 && depth >= FORCED_MOVE_DEPTH;
        // a mate this short cannot be improved by looking deeper
        let mated = best.score.abs() >= MATE_FOUND && depth > 2 * (mate_in(0) - best.score.abs());
        forced || mated || shared.clock.is_enough(steady.factor(best, self.nodes))
    }

    pub(super) fn report_lines(&self, shared: &Shared, lines: usize, reporter: Reporter) {
        for line in 0..lines {
            reporter(&self.report(shared, line, Bound::Exact));
        }
    }

    /// The report of one of the best lines.
    pub(super) fn report(&self, shared: &Shared, index: usize, bound: Bound) -> Report {
        let root_move = &self.root_moves[index];
        Report {
            depth: self.iteration.max(1) as u32,
            selective_depth: (root_move.selective_depth + 1) as u32,
            multi_pv: index + 1,
            score: root_move.last_score(),
            bound,
            nodes: shared.all_nodes(),
            hash_full: shared.table.permille(),
            time: shared.clock.elapsed(),
            line: root_move.line.to_vec(),
        }
    }
}

/// How settled the choice is: a best move that stays, takes most of the nodes and keeps its score needs less time.
#[derive(Default)]
struct Steadiness {
    best: Option<Move>,
    /// Iterations for which the best move has stayed.
    iterations: i32,
    /// Running mean of the score.
    mean: Option<f64>,
}

impl Steadiness {
    fn note(&mut self, best: &RootMove, depth: i32) {
        self.iterations = if self.best == Some(best.first) {
            self.iterations + 1
        } else {
            0
        };
        self.best = Some(best.first);
        let score = f64::from(best.score);
        self.mean = Some(if depth < 4 {
            score
        } else {
            self.mean.map_or(score, |mean| 0.7 * mean + 0.3 * score)
        });
    }

    /// What to multiply the planned time by.
    fn factor(&self, best: &RootMove, nodes: u64) -> f64 {
        let stability = [1.6, 1.2, 1.0, 0.9, 0.8][self.iterations.min(4) as usize];
        let share = best.nodes as f64 / nodes.max(1) as f64;
        let effort = (1.6 - share).clamp(0.6, 1.4);
        let fall = self.mean.map_or(0.0, |mean| mean - f64::from(best.score));
        let trend = (1.0 + fall / 100.0).clamp(0.8, 1.6);
        stability * effort * trend
    }
}
