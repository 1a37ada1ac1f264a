//! Iterative deepening at the root: aspiration windows, several best lines, when to stop.

use super::node::Node;
use crate::board::Move;
use crate::nets::Evaluator;
use crate::nets::score::{INFINITE, MATE_FOUND, MAX_PLY, mate_in};
use crate::search::mate::MateProof;
use crate::search::params::*;
use crate::search::root::RootMove;
use crate::search::shared::Shared;
use crate::search::worker::Worker;
use crate::search::{Bound, Reporter};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Bounds (scores outside the aspiration window) are reported only in searches longer than this.
const QUIET_TIME: Duration = Duration::from_secs(3);

impl<E: Evaluator> Worker<E> {
    /// Searches deeper and deeper until a limit is met; the main thread hands in a reporter.
    pub fn iterate(&mut self, shared: &Shared, mut reporter: Option<Reporter>) {
        let deepest = shared.limits.depth.map_or(MAX_PLY as i32 - 1, |depth| {
            depth.clamp(1, MAX_PLY as u32 - 1) as i32
        });
        let lines = self.lines(shared);
        let mut steady = Steadiness::default();
        let mut proof = shared.limits.mate.map(MateProof::new);
        for depth in 1..=deepest {
            self.iteration = depth;
            self.root.begin_iteration();
            for line in 0..lines {
                self.root.begin_line(line);
                self.selective_depth = 0;
                self.aspire(shared, depth, &mut reporter);
                self.root.sort_choices();
                self.root.sort_lines();
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
                if let Some(proof) = &mut proof
                    && self.prove_mate(shared, proof)
                {
                    break;
                }
            }
        }
        self.root.begin_line(0);
        if self.stopped && lines > 1 {
            self.root.sort_by_last();
        }
    }

    /// One iteration of one line, first in a window around the last score, widened until the score lies inside.
    fn aspire(&mut self, shared: &Shared, depth: i32, reporter: &mut Option<Reporter>) {
        let last = self.root.current().previous;
        let mut width = aspiration_window() + (last / aspiration_score_divisor()).abs();
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= aspiration_depth() && last.abs() < MATE_FOUND {
            (alpha, beta) = (alpha.max(last - width), beta.min(last + width));
        }
        let mut reduced = 0;
        loop {
            let root = Node {
                position: &shared.game.position,
                ply: 0,
                depth: (depth - reduced).max(1),
                alpha,
                beta,
                cut_node: false,
            };
            self.root_window = beta - alpha;
            let score = self.search::<true>(shared, root);
            if self.stopped {
                return;
            }
            self.root.sort_choices();
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
                    reduced = (reduced + 1).min(aspiration_reductions());
                }
                _ => return,
            }
            if let Some(reporter) = reporter
                && shared.clock.elapsed() > QUIET_TIME
            {
                reporter(&self.report(shared, self.root.line(), bound));
            }
            width *= 2;
            if width > aspiration_widest() {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// Whether the main thread should stop after this iteration.
    fn is_enough(&self, shared: &Shared, depth: i32, steady: &mut Steadiness) -> bool {
        let best = self.root.best();
        if let Some(moves) = shared.limits.mate
            && best.score >= mate_in(2 * moves as usize)
        {
            return true;
        }
        steady.note(best, depth);
        if shared.limits.infinite || !shared.clock.is_flexible() {
            return false;
        }
        let forced = self.root.len() == 1 && depth >= forced_move_depth();
        // a mate this short cannot be improved by looking deeper
        let mated = best.score.abs() >= MATE_FOUND && depth > 2 * (mate_in(0) - best.score.abs());
        let enough = forced || mated || shared.clock.is_enough(steady.factor(best, self.nodes));
        shared.is_enough.store(enough, Relaxed);
        enough && !shared.control.pondering.load(Relaxed)
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
        let share = percent(score_mean_share());
        self.mean = Some(match self.mean {
            Some(mean) if depth >= score_mean_depth() => (1.0 - share) * mean + share * score,
            _ => score,
        });
    }

    /// What to multiply the planned time by.
    fn factor(&self, best: &RootMove, nodes: u64) -> f64 {
        let stability = match self.iterations {
            0 => best_move_changed(),
            1 => best_move_stayed_1(),
            2 => best_move_stayed_2(),
            3 => best_move_stayed_3(),
            _ => best_move_stayed_4(),
        };
        let share = best.nodes as f64 / nodes.max(1) as f64;
        let effort = (percent(effort_base()) - share).clamp(percent(effort_min()), percent(effort_max()));
        let fall = self.mean.map_or(0.0, |mean| mean - f64::from(best.score));
        let trend = 1.0 + fall / f64::from(fall_divisor());
        percent(stability) * effort * trend.clamp(percent(fall_min()), percent(fall_max()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::search::Line;

    #[test]
    fn the_mean_of_the_scores_begins_with_the_score_of_a_set_iteration() {
        let first = Position::default().legal_moves()[0];
        let mut steady = Steadiness::default();
        let mut note = |score, depth| {
            let best = RootMove {
                first,
                rank: 0,
                score,
                bound: Bound::Exact,
                previous: score,
                line: Line::from_iter([first]),
                nodes: 0,
                selective_depth: 0,
            };
            steady.note(&best, depth);
            steady.mean.unwrap()
        };
        // what shallow iterations believe does not count
        for (depth, score) in (1..score_mean_depth()).zip([900, -900].into_iter().cycle()) {
            assert_eq!(note(score, depth), f64::from(score));
        }
        let before = note(0, score_mean_depth() - 1);
        let mean = note(100, score_mean_depth());
        assert!(before < mean && mean < 100.0, "{mean}");
    }
}
