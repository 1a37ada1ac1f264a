//! What a search tells about itself while it runs.

use super::root::RootMove;
use super::worker::{Shared, Worker};
use super::{Bound, Report, Reporter};
use crate::nets::Evaluator;
use crate::nets::score::{DRAW, Score};
use std::sync::atomic::Ordering::Relaxed;

/// The score of a root move as it is told. Inside the search a draw's score wavers, which would look odd where nothing
/// else can happen.
pub fn told_score(shared: &Shared, root_move: &RootMove) -> Score {
    match shared.game.position.insufficient_material() {
        true => DRAW,
        false => shared.probing.told(root_move),
    }
}

impl<E: Evaluator> Worker<E> {
    /// Reports the best lines of a finished iteration.
    pub fn report_lines(&self, shared: &Shared, lines: usize, reporter: Reporter) {
        for line in 0..lines {
            reporter(&self.report(shared, line, Bound::Exact));
        }
    }

    /// The report of one of the best lines.
    pub fn report(&self, shared: &Shared, line: usize, bound: Bound) -> Report {
        let root_move = self.root.at(line);
        Report {
            depth: self.iteration.max(1) as u32,
            selective_depth: (root_move.selective_depth + 1) as u32,
            multi_pv: line + 1,
            score: told_score(shared, root_move),
            bound,
            nodes: shared.all_nodes(),
            tablebase_hits: shared.tablebase_hits.load(Relaxed),
            hash_full: shared.table.permille(),
            time: shared.clock.elapsed(),
            line: root_move.line.to_vec(),
        }
    }
}
