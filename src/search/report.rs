//! What a search tells about itself while it runs.

use super::shared::Shared;
use super::worker::Worker;
use super::{Bound, Progress, Report, Reporter};
use crate::nets::Evaluator;
use crate::nets::score::{DRAW, INFINITE, Score, is_mate};
use std::sync::atomic::Ordering::Relaxed;

/// Inside the search a draw's score wavers by so much, which would look odd where nothing else can happen.
const WAVERING: Score = 1;

impl<E> Worker<E> {
    /// How many lines are asked for.
    pub fn lines(&self, shared: &Shared) -> usize {
        shared.settings.multi_pv.clamp(1, self.root.len())
    }

    /// The score of one of the best lines as it is told. Tables rank by the next capture or pawn move and the search by the
    /// mate, so that a worse line may have the nearer mate: then what the tables say is told instead, for scores never
    /// contradict the order.
    pub fn told_score(&self, shared: &Shared, line: usize) -> Score {
        if shared.game.position.insufficient_material() {
            return DRAW;
        }
        let told = |line| {
            let root_move = self.root.at(line);
            let score = shared.probing.told(root_move);
            let known = shared.probing.known(root_move.first);
            if known.is_none() && score.abs() <= WAVERING {
                DRAW
            } else {
                score
            }
        };
        let score = told(line);
        let contradicts = is_mate(score)
            && match score > 0 {
                true => (0..line).any(|better| told(better) < score),
                false => (line + 1..self.lines(shared)).any(|worse| told(worse) > score),
            };
        let known = shared.probing.known(self.root.at(line).first);
        known.filter(|_| contradicts).unwrap_or(score)
    }
}

impl<E: Evaluator> Worker<E> {
    /// Reports the best lines of a finished iteration.
    pub fn report_lines(&self, shared: &Shared, lines: usize, reporter: Reporter) {
        for line in 0..lines {
            reporter(&self.report(shared, line, Bound::Exact));
        }
    }

    /// Reports the best lines as they are when the search ends: of a line that the last iteration did not come to, what the
    /// one before found. Lines of which nothing is known are left out.
    pub fn report_end(&self, shared: &Shared, lines: usize, reporter: Reporter) {
        for line in 0..lines {
            let root_move = self.root.at(line);
            let is_known =
                root_move.last_score() != -INFINITE || shared.probing.known(root_move.first).is_some();
            if !is_known {
                return;
            }
            let is_new = root_move.score != -INFINITE;
            let bound = if is_new { root_move.bound } else { Bound::Exact };
            let depth = if is_new { self.iteration } else { self.completed };
            reporter(&Report {
                depth: depth.max(1) as u32,
                ..self.report(shared, line, bound)
            });
        }
    }

    /// Tells how far the search is, if somebody listens.
    pub fn tell_progress(&self, shared: &Shared) {
        let Some(listener) = &shared.control.listener else {
            return;
        };
        let goes_on = listener(&Progress {
            nodes: shared.all_nodes(),
            tablebase_hits: shared.tablebase_hits.load(Relaxed),
            hash_full: shared.table.permille(),
            time: shared.clock.elapsed(),
        });
        if !goes_on {
            shared.control.stop.store(true, Relaxed);
        }
    }

    /// The report of one of the best lines.
    pub fn report(&self, shared: &Shared, line: usize, bound: Bound) -> Report {
        let root_move = self.root.at(line);
        Report {
            depth: self.iteration.max(1) as u32,
            selective_depth: (root_move.selective_depth + 1) as u32,
            multi_pv: line + 1,
            score: self.told_score(shared, line),
            bound,
            is_drawn: shared.game.position.insufficient_material()
                || shared.probing.is_drawn(root_move.first),
            nodes: shared.all_nodes(),
            tablebase_hits: shared.tablebase_hits.load(Relaxed),
            hash_full: shared.table.permille(),
            time: shared.clock.elapsed(),
            line: root_move.line.to_vec(),
        }
    }
}
