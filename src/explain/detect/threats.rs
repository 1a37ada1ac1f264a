//! Threats made by a move, and threats that it did not see.

use super::{Found, View, swap};
use crate::board::{Move, Position};
use crate::explain::claim::Motif;

/// Who has more moves is hardly in zugzwang.
const FEW_MOVES: u32 = 20;

pub(super) fn find(view: &View, found: &mut Found) {
    if let Some(passed) = &view.passed {
        created(view, passed, found);
    }
    if let Some(square) = view
        .line
        .at(view.ply + 1)
        .filter(|answer| answer.is_capture())
        .map(|answer| answer.to())
    {
        found.push(Motif::CannotTake { square });
    }
    if view.ply < 2 && !view.after.in_check() && view.after.count_moves() <= FEW_MOVES {
        let king = view.after.king(!view.us);
        found.push(Motif::Zugzwang { king, proved: true });
    }
    if let Some((answer, passed)) = view.line.at(view.ply + 1).zip(view.before.passed()) {
        ignored(view, &passed, answer, found);
    }
}

fn created(view: &View, passed: &Position, found: &mut Found) {
    if let Some(mate) = mate_in_one(passed) {
        let (from, to) = (mate.from(), mate.to());
        found.push(Motif::ThreatensMate { from, to });
    }
    for target in view.prey() & view.after.attacked_by(view.us) {
        let centipawns = swap(passed, target);
        if centipawns > 0 && swap(view.before, target) == 0 {
            found.push(Motif::ThreatensCapture { target, centipawns });
        }
    }
}

fn ignored(view: &View, passed: &Position, answer: Move, found: &mut Found) {
    let end = view.line.after(view.ply + 1);
    if end.in_check() && !end.has_moves() {
        let (from, to) = (answer.from(), answer.to());
        found.push(Motif::IgnoresMate { from, to });
    }
    let target = answer.to();
    if answer.is_capture() && swap(passed, target) > 0 {
        found.push(Motif::IgnoresCapture { target });
    }
}

fn mate_in_one(position: &Position) -> Option<Move> {
    position.legal_moves().into_iter().find(|&m| {
        let after = position.after(m);
        after.in_check() && !after.has_moves()
    })
}
