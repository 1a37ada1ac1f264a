//! Singular extensions: the table's move is searched deeper if it is the only good one, and the node is cut off if several
//! moves fail high (multi-cut).

use super::node::{Facts, Node};
use crate::board::Move;
use crate::nets::Evaluator;
use crate::nets::score::{Score, is_decisive};
use crate::search::Bound;
use crate::search::params::*;
use crate::search::shared::Shared;
use crate::search::worker::Worker;

/// What a singular test says of the table's move.
pub enum Singular {
    /// Search it with so many plies more or less.
    Extend(i32),
    /// Another move fails high too, and so does the node: a score at or above beta.
    MultiCut(Score),
}

impl<E: Evaluator> Worker<E> {
    /// Tests the table's move by a search of half the depth without it: whether every other move fails well below the table's
    /// score.
    pub(super) fn test_singular(&mut self, shared: &Shared, node: &Node, facts: &Facts, m: Move) -> Singular {
        let Node { ply, depth, beta, .. } = *node;
        let Some(entry) = facts.entry else {
            return Singular::Extend(0);
        };
        let is_reliable = matches!(entry.bound, Some(Bound::Lower | Bound::Exact))
            && entry.depth >= depth - singular_entry_margin()
            && !is_decisive(entry.score);
        // a line of nothing but extensions must end
        let is_long = ply >= (extension_limit() * self.iteration.max(1)) as usize;
        if depth < singular_depth() || facts.excluded.is_some() || !is_reliable || is_long {
            return Singular::Extend(0);
        }
        let pv = node.beta - node.alpha > 1;
        let bound = entry.score - singular_margin() * depth / SINGULAR_UNIT;
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
            let double = double_extension_margin() + when(pv, extension_reserve());
            let triple = triple_extension_margin() + when(pv || !m.is_quiet(), extension_reserve());
            Singular::Extend(1 + (score < bound - double) as i32 + (score < bound - triple) as i32)
        } else if score >= beta && !is_decisive(score) {
            Singular::MultiCut(score)
        } else if entry.score >= beta {
            Singular::Extend(-negative_extension())
        } else {
            Singular::Extend(0)
        }
    }
}
