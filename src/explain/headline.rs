//! Which of the reasons for a move its summary gives.

use super::claim::Motif;
use super::explanation::{Reason, Role, Said};
use super::importance::importance;

/// The least importance of a change that the summary gives beside another reason.
const MUCH: i32 = 400;

/// The places of the reasons that the summary gives, of reasons that are ordered by their weight.
pub fn headline(reasons: &[Reason]) -> Vec<usize> {
    let main = main(reasons);
    main.into_iter()
        .chain(main.and_then(|main| second(reasons, main)))
        .collect()
}

/// The first reason or, where that is a mate some moves ahead, the first that comes before it; where mate is threatened by a
/// sacrifice, the sacrifice.
fn main(reasons: &[Reason]) -> Option<usize> {
    let first = reasons.first()?;
    let earlier = |reason: &Reason| (!reason.is_mate() || reason.role.is_threat()) && reason.subject() < 2;
    let place = if first.is_mate() && first.role.is_threat() {
        reasons.iter().position(Reason::is_sacrifice)
    } else if first.is_mate() && first.subject() > 1 {
        reasons.iter().position(earlier)
    } else {
        None
    };
    place.or(Some(0))
}

/// What is added to an outcome or a sacrifice: the first other reason, if it is about the move, the answer or the next move;
/// to a tactic or a threat: what the move changes on the board, and the other way round.
fn second(reasons: &[Reason], main: usize) -> Option<usize> {
    let main = &reasons[main];
    let adds = |reason: &Reason| !reason.is_outcome() && !reason.is_sacrifice();
    if main.is_outcome() || main.is_sacrifice() {
        // the player's next move may be what brings the outcome about
        return reasons
            .iter()
            .position(|reason| adds(reason) && reason.subject() < 3);
    }
    if !speaks_for(main) || main.is_mate() && !main.role.is_threat() {
        return None;
    }
    let is_change = |reason: &Reason| matches!(reason.said, Said::Change(_));
    let completes = |reason: &Reason| {
        adds(reason) && speaks_for(reason) && is_change(reason) != is_change(main) && tells_much(reason)
    };
    reasons.iter().position(completes)
}

fn speaks_for(reason: &Reason) -> bool {
    !matches!(reason.role, Role::Allows | Role::Avoids)
}

/// Whether a reason is about the first move itself, and worth a place in the summary beside another.
fn tells_much(reason: &Reason) -> bool {
    match &reason.said {
        Said::Change(change) => reason.line.len() == 1 && importance(change) >= MUCH,
        Said::Claim(claim) => reason.subject() == 0 && !matches!(claim.motif, Motif::NowFails { .. }),
    }
}
