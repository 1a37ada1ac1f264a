//! Late moves: which of them are pruned, and by how much the others are reduced.

use super::node::{Facts, Found, Node};
use crate::board::{Bitboard, Move, Position, attacks};
use crate::nets::score::Score;
use crate::search::ordering::{Picked, Picker};
use crate::search::params::*;
use crate::search::tt::{Entry, target};
use std::cell::OnceCell;

/// The pruning of one node's late moves.
#[derive(Default)]
pub struct LateMoves {
    checks: Checks,
    /// Of the quiet moves only those that give check are still searched.
    only_checks: bool,
}

impl LateMoves {
    /// Step 7a: whether a late, quiet or losing move of a shallow node is pruned.
    pub fn is_pruned(
        &mut self,
        node: &Node,
        facts: &Facts,
        found: &Found,
        picked: &Picked,
        picker: &mut Picker,
    ) -> bool {
        let Node { position, depth, .. } = *node;
        let m = picked.m;
        if !m.is_quiet() {
            let allowed = -see_capture_margin() * depth;
            return depth <= see_depth() && !picked.is_good && !position.see_at_least(m, allowed);
        }
        if !self.only_checks && ends_quiet_moves(node, facts, found) {
            self.only_checks = true;
            picker.retain_quiet(|m| self.checks.has(position, m));
        }
        let bad_history = depth <= history_depth() && picked.score < -history_margin() * depth;
        if (self.only_checks || bad_history) && !self.checks.has(position, m) {
            return true;
        }
        // static exchange evaluation takes longest and so comes last
        let reduced = reduced_depth(depth, found.tried);
        reduced <= see_depth() && !position.see_at_least(m, -see_quiet_margin() * reduced * reduced)
    }
}

/// The depth to which a late move would be searched, in whole plies.
fn reduced_depth(depth: i32, tried: usize) -> i32 {
    (depth - late_move_reduction(depth, tried) / PLY).max(0)
}

/// Late move pruning and futility pruning: whether the quiet moves of a shallow node that are left can be left out, for
/// there were many already, or the static evaluation is too far below alpha. Once true it stays so.
fn ends_quiet_moves(node: &Node, facts: &Facts, found: &Found) -> bool {
    let depth = node.depth;
    let too_late = depth <= late_move_depth() && found.tried >= late_move_count(depth, facts.improving);
    let reduced = reduced_depth(depth, found.tried);
    let margin = futility_base() + futility_margin() * reduced;
    let is_futile = |evaluation| reduced <= futility_depth() && evaluation + margin <= found.alpha;
    too_late || facts.evaluation.is_some_and(is_futile)
}

/// The squares from which each kind of piece of the side to move would attack the enemy king, found when first asked.
#[derive(Default)]
struct Checks(OnceCell<[Bitboard; 6]>);

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
pub fn is_reduced<const PV: bool>(node: &Node, found: &Found, picked: &Picked) -> bool {
    let first = (node.ply == 0) as usize + PV as usize;
    node.depth >= reduction_depth() && found.tried > first && (picked.m.is_quiet() || !picked.is_good)
}

/// Plies by which a late move is reduced. `cutoffs` is how many of the child's siblings failed high.
pub fn reduction<const PV: bool>(
    node: &Node,
    facts: &Facts,
    found: &Found,
    picked: &Picked,
    child: &Position,
    cutoffs: u32,
) -> i32 {
    let when = |condition: bool, parts: i32| if condition { parts } else { 0 };
    let mut parts = late_move_reduction(node.depth, found.tried);
    parts += when(!facts.improving, reduction_not_improving());
    parts += when(node.cut_node, reduction_cut_node());
    parts += when(cutoffs as i32 > cutoffs_often(), reduction_cutoffs());
    parts -= when(facts.was_pv, reduction_was_pv());
    parts -= when(PV, reduction_pv());
    parts -= when(child.in_check(), reduction_check());
    if picked.m.is_quiet() {
        let enemies = node.position.of_color(!node.position.side_to_move());
        let takes = |entry: Entry| entry.best != 0 && enemies.has(target(entry.best));
        parts += when(facts.entry.is_some_and(takes), reduction_table_capture());
        // the killer and a table's move have scores beyond any history
        let limit = reduction_history_limit();
        parts -= picked.score.clamp(-limit, limit) * PLY / reduction_history();
    } else {
        parts -= reduction_capture();
    }
    (parts / PLY).max(0)
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
        assert_eq!(hindsight(5, hindsight_reduction(), -10), 1);
        // the move gave something away
        assert_eq!(hindsight(5, hindsight_reduction(), hindsight_margin() + 1), -1);
        // a node of one ply keeps it, and so does one of full depth
        assert_eq!(hindsight(1, hindsight_reduction(), hindsight_margin() + 1), 0);
        assert_eq!(hindsight(5, 0, hindsight_margin() + 1), 0);
    }
}
