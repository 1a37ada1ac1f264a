//! Which reason is told beside the better move.

use super::change::Change;
use super::claim::Motif;
use super::endings;
use super::explanation::{Reason, Role, Said};
use super::headline::{DECISIVE, TELLING, speaks_for};
use super::importance::importance;
use super::line::ends;
use super::repeats::is_count;
use super::theme::Theme;
use crate::board::{Move, Square};

/// So many plies of a capture that fails are followed in one sentence.
const SEEN: usize = 9;

/// The place of the reason that is told beside the better move: the threat that it meets, or else the first that is about
/// the move itself or a mate. Where the explained move fails by a tactic or is a mistake, what the better move attacks comes
/// first, and no small change on the board is a reason.
pub fn main_of_the_better(
    better: &[Reason],
    explained: &[Reason],
    answer: Option<Move>,
    is_mistake: bool,
) -> Option<usize> {
    let refutation = answer.map(Move::landing);
    let bars_it = |reason: &Reason| refutation.is_some_and(|square| keeps_from(reason, square));
    let is_tactic = |reason: &Reason| reason.is_outcome() || reason.is_mate();
    let fails = explained
        .iter()
        .any(|reason| !speaks_for(reason) && is_tactic(reason));
    let has_to_tell = fails || is_mistake;
    let is_told = |reason: &Reason| match &reason.said {
        Said::Change(_) if is_count(reason) => false,
        Said::Change(Change::TakesFile { .. }) => !has_to_tell,
        // with few pieces left a pawn is seldom weak for having no neighbour
        Said::Change(Change::IsolatedPawn { .. }) if endings::has_few_pieces(reason.line.end()) => false,
        Said::Change(_) if reason.has_theme(Theme::WayBack) => true,
        Said::Change(_) if has_to_tell && goes_to(reason, answer) => true,
        Said::Change(change) => !has_to_tell || importance(change) >= TELLING || bars_it(reason),
        // the threat of an offer is too much for one sentence, and so is one that fails only in many moves
        Said::Claim(claim) => match claim.motif {
            Motif::CannotTake { .. } | Motif::TakingCosts { .. } => {
                !reason.role.is_threat() && reason.line.len() <= SEEN
            }
            // what fails now is one answer of many
            Motif::NowFails { .. } => false,
            _ => true,
        },
    };
    let meets = better.iter().position(|reason| reason.role == Role::Prevents);
    let tells = |reason: &Reason| (reason.subject() == 0 || reason.is_mate()) && is_told(reason);
    let attacks = |reason: &Reason| {
        tells(reason)
            && match &reason.said {
                Said::Claim(_) => true,
                Said::Change(change) => importance(change) >= DECISIVE,
            }
    };
    let is_vague = |reason: &Reason| reason.has_theme(Theme::KeepsFrom);
    // of many answers the one that refutes the explained move
    let foils = |reason: &Reason| {
        let is_answer = answer.is_some() && reason.line.at(1).map(ends) == answer.map(ends);
        is_answer && matches!(reason.motif(), Some(Motif::NowFails { .. }))
    };
    let position = |is: &dyn Fn(&Reason) -> bool| better.iter().position(is);
    // a quiet move wins what it wins because of the mate that it threatens
    let is_quiet = better
        .first()
        .is_some_and(|reason| reason.is_outcome() && begins_quietly(reason));
    let threatens_mate = |reason: &Reason| reason.role == Role::Threatens && reason.is_mate();
    if let Some(threat) = position(&threatens_mate).filter(|_| is_quiet) {
        return Some(threat);
    }
    meets
        .filter(|_| fails)
        .or_else(|| position(&foils).filter(|_| is_mistake))
        .or_else(|| position(&attacks).filter(|_| is_mistake))
        .or_else(|| position(&|reason| tells(reason) && !is_vague(reason)))
        .or_else(|| position(&tells))
        .or_else(|| position(&offers_queens))
        .or_else(|| position(&gives_room).filter(|_| !has_to_tell))
}

/// Whether the line of a reason begins with a quiet move.
fn begins_quietly(reason: &Reason) -> bool {
    reason.line.at(0).is_some_and(Move::is_quiet)
}

/// Whether a reason is that the queens may be traded.
fn offers_queens(reason: &Reason) -> bool {
    reason.has_theme(Theme::OffersTrade) && reason.is_about_queen()
}

/// Whether a reason is that a piece gets more room at once.
fn gives_room(reason: &Reason) -> bool {
    reason.line.len() == 1 && matches!(reason.said, Said::Change(Change::Mobility { .. }))
}

/// Whether a reason is that the king comes nearer to the pawn that the answer pushes.
fn goes_to(reason: &Reason, answer: Option<Move>) -> bool {
    let pawn = answer.map(Move::from);
    reason
        .theme()
        .is_some_and(|(theme, other)| theme == Theme::ActiveKing && other.is_some() && other == pawn)
}

/// Whether a reason is that the other side is kept from a square.
pub fn keeps_from(reason: &Reason, square: Square) -> bool {
    let bars = |theme: Theme| {
        matches!(
            theme,
            Theme::KeepsOut | Theme::KeepsFrom | Theme::TakesSquare | Theme::Restrains | Theme::BarsKing
        )
    };
    reason
        .theme()
        .is_some_and(|(theme, other)| bars(theme) && other == Some(square))
}
