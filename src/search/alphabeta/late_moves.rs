//! Late moves: which of them are pruned, and by how much the others are reduced.

use super::node::{Facts, Found, Node};
use super::pruning::takes_too_little;
use crate::board::Move;
use crate::nets::score::Score;
use crate::search::history::Histories;
use crate::search::ordering::{Picked, Picker};
use crate::search::params::*;
use crate::search::tt::target;

/// The pruning of one node's late moves.
pub struct LateMoves {
    /// Of the quiet moves only those that give check are still searched.
    only_checks: bool,
    /// The width of the root's window.
    root_window: Score,
}

impl LateMoves {
    /// Of a node none of whose moves was tried yet.
    pub fn new(root_window: Score) -> LateMoves {
        LateMoves {
            only_checks: false,
            root_window,
        }
    }

    /// Step 7a: whether a late, quiet or losing move of a shallow node is pruned.
    pub fn is_pruned(
        &mut self,
        node: &Node,
        facts: &Facts,
        found: &Found,
        picked: &Picked,
        picker: &mut Picker,
        histories: &Histories,
    ) -> bool {
        let Node { position, depth, .. } = *node;
        let m = picked.m;
        let usual = usual_reduction(node, facts, found, self.root_window);
        if !m.is_quiet() {
            let allowed = -see_capture_margin() * depth;
            let history = || picker.history(position, m, histories);
            let reduced = late_depth(depth, usual);
            return is_futile_capture(node, facts, found, m, reduced, history)
                && !picker.gives_check(position, m)
                || depth <= see_depth() && !picked.is_good && !position.see_at_least(m, allowed);
        }
        // an evasion has no static evaluation behind it, and there are few of them
        if !self.only_checks && !position.in_check() && are_enough(node, facts, found) {
            self.only_checks = true;
            picker.retain_checks(position);
        }
        let history = picker.history(position, m, histories);
        let reduced = late_depth(depth, usual - history * PLY / late_depth_history());
        let bad_history = depth <= history_depth() && history < -history_margin() * depth;
        let is_hopeless = self.only_checks || bad_history || is_futile(facts, found, reduced);
        if is_hopeless && !picker.gives_check(position, m) {
            return true;
        }
        // static exchange evaluation takes longest and so comes last
        let allowed = -(see_quiet_margin() * reduced + see_quiet_base()) * reduced;
        reduced <= see_depth() && !position.see_at_least(m, allowed)
    }
}

/// The reduction of a late move in parts of a ply before anything is known of the move itself.
fn usual_reduction(node: &Node, facts: &Facts, found: &Found, root_window: Score) -> i32 {
    late_move_reduction(node.depth, found.tried) + when(!facts.improving, reduction_not_improving())
        - reduction_window() * (node.beta - found.alpha).min(root_window) / root_window
}

/// The depth to which a late move would be searched with this reduction in parts of a ply, in whole plies.
fn late_depth(depth: i32, reduction: i32) -> i32 {
    (depth - 1 - reduction / PLY).max(0)
}

/// Futility pruning of captures: whether what one takes leaves the score too far below alpha.
fn is_futile_capture(
    node: &Node,
    facts: &Facts,
    found: &Found,
    m: Move,
    reduced: i32,
    history: impl FnOnce() -> i32,
) -> bool {
    reduced <= capture_futility_depth()
        && facts.evaluation.is_some_and(|evaluation| {
            let margin = capture_futility_base() + capture_futility_margin() * reduced;
            let reach = evaluation + margin + history() / capture_futility_history();
            takes_too_little(node.position, m, reach, found.alpha)
        })
}

/// Late move pruning: whether the quiet moves of a shallow node that are left can be left out, for there were many already.
/// Once true it stays so.
fn are_enough(node: &Node, facts: &Facts, found: &Found) -> bool {
    node.depth <= late_move_depth() && found.tried >= late_move_count(node.depth, facts.improving)
}

/// Futility pruning: whether the static evaluation is too far below alpha for a quiet move with this reduced depth.
fn is_futile(facts: &Facts, found: &Found, reduced: i32) -> bool {
    let margin = futility_base() + futility_margin() * reduced;
    let is_below = |evaluation| evaluation + margin <= found.alpha;
    reduced <= futility_depth() && facts.evaluation.is_some_and(is_below)
}

/// Step 4: plies to add to a node that was reduced as a late move, now that its static evaluation is known. `sum` is that
/// evaluation plus the one of the node before, each for its own mover: what is above 0 the last move gave away.
pub fn hindsight(depth: i32, reduction: i32, sum: Score) -> i32 {
    if reduction >= hindsight_reduction() && sum <= 0 {
        1
    } else if reduction >= hindsight_reduction() - 1 && depth >= 2 && sum > hindsight_margin() {
        -1
    } else {
        0
    }
}

/// Whether a move is late enough for a reduction.
pub fn is_reduced<const PV: bool>(node: &Node, found: &Found) -> bool {
    let first = (PV && node.ply <= 1) as usize;
    node.depth >= reduction_depth() && found.tried > first
}

/// What the reduction of a late move depends on beside its node.
pub struct Late {
    pub m: Move,
    pub history: i32,
    pub gives_check: bool,
    /// Fail highs at the child's ply since the parent of this node began.
    pub cutoffs: u32,
    /// The width of the root's window.
    pub root_window: Score,
}

/// Plies by which a late move is reduced.
pub fn reduction<const PV: bool>(node: &Node, facts: &Facts, found: &Found, late: &Late) -> i32 {
    let mut parts = usual_reduction(node, facts, found, late.root_window);
    let table_move = facts.entry.map_or(0, |entry| entry.best);
    if node.cut_node {
        parts += reduction_cut_node() + when(table_move == 0, reduction_no_table_move());
    }
    parts += when(late.cutoffs as i32 > cutoffs_often(), reduction_cutoffs());
    if facts.was_pv {
        let entry = facts.entry.filter(|entry| entry.bound.is_some());
        parts -= reduction_was_pv() + when(PV, reduction_pv());
        parts -= when(
            entry.is_some_and(|entry| entry.score > found.alpha),
            reduction_was_pv_above(),
        );
        parts -= when(
            entry.is_some_and(|entry| entry.depth >= node.depth),
            reduction_was_pv_deep(),
        );
    }
    parts -= when(late.gives_check, reduction_check());
    parts -= facts.correction * reduction_correction();
    if late.m.is_quiet() {
        let enemies = node.position.of_color(!node.position.side_to_move());
        let takes = table_move != 0 && enemies.has(target(table_move));
        parts += when(takes, reduction_table_capture());
        let limit = reduction_history_limit();
        parts -= late.history.clamp(-limit, limit) * PLY / reduction_history();
    } else {
        parts -= reduction_capture();
        parts -= late.history * PLY / reduction_capture_history();
    }
    // a move that deserves it is searched a ply deeper
    (parts / PLY).max(if PV { -1 } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_move_is_looked_at_again_by_what_it_did() {
        // the opponent did not get better by a move that was thought little of
        assert_eq!(hindsight(5, hindsight_reduction(), -10), 1);
        // the move gave something away
        assert_eq!(hindsight(5, hindsight_reduction(), hindsight_margin() + 1), -1);
        // a node of one ply keeps it, and so does one of full depth
        assert_eq!(hindsight(1, hindsight_reduction(), hindsight_margin() + 1), 0);
        assert_eq!(hindsight(5, 0, hindsight_margin() + 1), 0);
    }
}
