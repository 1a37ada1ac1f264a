//! Tells each reason once: what repeats another is left out.

use super::change::Change;
use super::claim::{Claim, Motif};
use super::course::READ;
use super::explanation::{Reason, Role, Said};
use super::line::{Line, ends};
use super::reasons::Weighed;
use super::theme::Theme;
use crate::board::{Move, Square};

/// The reasons of greatest weight, each told once.
pub fn best_of(mut weighed: Vec<Weighed>, most: usize) -> Vec<Reason> {
    leave_to_levers(&mut weighed);
    weighed.sort_by_key(|&(weight, _)| -weight);
    let mut kept: Vec<Reason> = Vec::new();
    for (_, reason) in weighed {
        // nobody reads a long line for what stands after other reasons
        let is_long = reason.is_outcome() && reason.line.len() > READ;
        if (is_count(&reason) || is_long) && !kept.is_empty() {
            continue;
        }
        if !kept.iter().any(|other| adds_nothing(other, &reason)) {
            kept.push(reason);
        }
    }
    kept.truncate(most);
    kept
}

/// Leaves out that a pawn attacks another where it is told that it strikes at it.
fn leave_to_levers(weighed: &mut Vec<Weighed>) {
    let themes = weighed.iter().filter_map(|(_, reason)| reason.theme());
    let struck: Vec<Square> = themes
        .filter_map(|(theme, other)| other.filter(|_| theme == Theme::Lever))
        .collect();
    let is_said = |reason: &Reason| match (reason.motif(), reason.theme()) {
        (Some(Motif::ThreatensCapture { target, .. }), _) => reason.subject() == 0 && struck.contains(target),
        (_, Some((Theme::AddsPressure, Some(target)))) => struck.contains(&target),
        _ => false,
    };
    weighed.retain(|(_, reason)| !is_said(reason));
}

/// Whether a reason only counts squares.
pub fn is_count(reason: &Reason) -> bool {
    let joins = |theme: Theme| matches!(theme, Theme::JoinsAttack);
    match reason.said {
        Said::Change(Change::Mobility { .. } | Change::Space { .. }) => true,
        Said::Change(Change::Theme { theme, .. }) => joins(theme),
        _ => false,
    }
}

/// Whether the second reason only repeats the first.
fn adds_nothing(first: &Reason, second: &Reason) -> bool {
    match (&first.said, &second.said) {
        (Said::Claim(_), Said::Claim(_)) if is_about_one_capture(first, second) => true,
        (Said::Claim(one), Said::Claim(other)) => {
            let threatens = matches!(
                other.motif,
                Motif::ThreatensCapture { .. } | Motif::ThreatensMate { .. }
            );
            first.role == second.role && says_the_same(one, other, &first.line)
                || first.role == Role::Threatens && threatens
                || is_threat_of_that(second, &one.motif)
        }
        (
            Said::Change(Change::Theme {
                theme: Theme::DrivesBack | Theme::DrivesGuard | Theme::HitsQueen | Theme::OffersTrade,
                other,
                ..
            }),
            Said::Claim(claim),
        ) => is_attack_on(second, claim, *other),
        // what else the capture would have done, where its prey is guarded
        (Said::Change(_), Said::Change(_)) if first.role != second.role => {
            let ward = first
                .theme()
                .filter(|&(theme, _)| theme == Theme::Holds)
                .and_then(|(_, ward)| ward);
            second.role == Role::Prevents && ward.is_some() && second.line.at(0).map(Move::to) == ward
        }
        (Said::Change(one), Said::Change(other)) => {
            one.name() == other.name() || is_part_of(other, one) || is_same_advance(one, other)
        }
        (
            Said::Change(Change::Theme {
                theme: Theme::Holds,
                other,
                ..
            }),
            Said::Claim(_),
        ) => second.role == Role::Prevents && second.line.at(0).map(Move::to) == *other,
        (
            Said::Claim(Claim {
                motif: Motif::ThreatensCapture { target, .. },
                ..
            }),
            Said::Change(Change::Theme {
                theme: Theme::AddsPressure,
                other,
                ..
            }),
        ) => *other == Some(*target),
        (Said::Claim(one), Said::Change(Change::Theme { theme, .. })) => {
            matches!(one.motif, Motif::UnstoppablePawn { .. } | Motif::Promotion { .. })
                && *theme == Theme::PasserAdvances
                || (first.is_offer() || matches!(one.motif, Motif::StalemateTrick { .. }))
                    && *theme == Theme::OffersPiece
                || *theme == Theme::Holds && first.role == Role::Prevents
                || *theme == Theme::Kicks
                    && (first.role == Role::Threatens || matches!(one.motif, Motif::ThreatensCapture { .. }))
        }
        _ => false,
    }
}

/// Whether a reason is that what is said to be attacked would be taken next, and no more than that is won.
fn is_threat_of_that(threat: &Reason, attack: &Motif) -> bool {
    let target = match attack {
        Motif::ThreatensCapture { target, .. } => *target,
        _ => return false,
    };
    let taken = threat
        .line
        .at(0)
        .filter(|m| threat.role == Role::Threatens && m.is_capture());
    threat.is_outcome() && threat.line.len() <= 2 && taken.is_some_and(|m| m.to() == target)
}

/// Whether one reason is a threat that is met, and the other that the same capture fails.
fn is_about_one_capture(one: &Reason, other: &Reason) -> bool {
    let met = |reason: &Reason| reason.line.at(0).filter(|_| reason.role == Role::Prevents);
    let fails = |reason: &Reason| {
        let is_offer = reason.is_offer() && reason.role == Role::Achieves;
        reason.line.at(1).filter(|_| is_offer)
    };
    let is_pair = |met: Option<Move>, fails: Option<Move>| met.is_some() && met.map(ends) == fails.map(ends);
    is_pair(met(one), fails(other)) || is_pair(met(other), fails(one))
}

/// Whether a claim is no more than that what stands on this square is attacked.
fn is_attack_on(reason: &Reason, claim: &Claim, square: Option<Square>) -> bool {
    let taken = reason.line.at(0).filter(|m| m.is_capture());
    match claim.motif {
        Motif::ThreatensCapture { target, .. } => square == Some(target),
        Motif::Material { .. } => reason.role == Role::Threatens && taken.map(Move::to) == square,
        _ => false,
    }
}

/// Whether the second of two themes prepares the advance that the first prepares for any pawn.
fn is_same_advance(any: &Change, one: &Change) -> bool {
    let advance = |change: &Change, wanted| match *change {
        Change::Theme { theme, other, .. } if theme == wanted => other,
        _ => None,
    };
    let target = advance(any, Theme::PreparesPush);
    target.is_some() && target == advance(one, Theme::PreparesAdvance)
}

/// Whether the first of two themes is that a piece gets to the square for which it heads by the second.
fn is_way_there(way: &Change, plan: &Change) -> bool {
    match (*way, *plan) {
        (
            Change::Theme {
                theme: Theme::Reroutes,
                square,
                ..
            },
            Change::Theme {
                theme: Theme::HeadsForSquare,
                other,
                ..
            },
        ) => other == Some(square),
        _ => false,
    }
}

/// Whether the first of two themes is that the man is supported which the second guards.
fn is_guard_of_the_same(support: &Change, guard: &Change) -> bool {
    let ward = |change: &Change, wanted| match *change {
        Change::Theme { theme, other, .. } if theme == wanted => other,
        _ => None,
    };
    let held = ward(guard, Theme::Holds);
    held.is_some() && held == ward(support, Theme::Supports)
}

/// Whether the second of two themes says what the first says, and more.
fn is_part_of(less: &Change, more: &Change) -> bool {
    let theme = |change: &Change| match *change {
        Change::Theme { theme, .. } => Some(theme),
        _ => None,
    };
    matches!(
        (theme(less), theme(more)),
        (Some(Theme::Develops), Some(Theme::HitsQueen | Theme::Fianchetto))
            | (Some(Theme::CentrePawn), Some(Theme::CentreWithTempo))
            | (Some(Theme::KeepsOut), Some(Theme::PreparesPush))
            | (Some(Theme::Pins), Some(Theme::AttackOnPinned))
            | (
                Some(Theme::Lever),
                Some(Theme::Undermines | Theme::OpensAgainstKing | Theme::CentralCounter)
            )
            | (Some(Theme::PreparesPush), Some(Theme::PreparesAdvance))
            | (
                Some(Theme::FreesSquare | Theme::OffersTrade),
                Some(Theme::TradesForEntry)
            )
            | (Some(Theme::Holds), Some(Theme::HoldsPasser | Theme::KeepsGuard))
            | (
                Some(Theme::Develops),
                Some(Theme::BishopOut | Theme::OutBeforePawn)
            )
            | (Some(Theme::PreparesKick), Some(Theme::PreparesFork))
            | (
                Some(Theme::Regroups),
                Some(Theme::HeadsForSquare | Theme::Reroutes | Theme::HeadsForPawn)
            )
            | (Some(Theme::Kicks), Some(Theme::DrivesBack))
            | (
                Some(Theme::Kicks | Theme::CentreWithTempo | Theme::HitsQueen | Theme::PressesGuard),
                Some(Theme::DrivesGuard)
            )
            | (Some(Theme::AddsPressure), Some(Theme::TargetsWeakPawn))
            | (
                Some(Theme::OffersTrade),
                Some(
                    Theme::OffersBadBishop
                        | Theme::OffersPawnEnding
                        | Theme::OffersForGoodBishop
                        | Theme::OffersForPair
                        | Theme::OffersForKingGuard
                        | Theme::OffersForGuard
                        | Theme::OffersForAttacker
                        | Theme::OffersForOutpost
                        | Theme::AimsAtPasser
                        | Theme::OffersForBlockader
                        | Theme::OffersAgainstIsolated
                )
            )
            | (
                Some(Theme::PawnStorm | Theme::PreparesLever | Theme::Majority),
                Some(Theme::GoesForHook)
            )
            | (
                Some(Theme::TakesSquare | Theme::Restrains),
                Some(Theme::KeepsFrom)
            )
            | (
                Some(Theme::PasserAdvances),
                Some(Theme::ProtectedPasser | Theme::ConnectedPassers | Theme::OutsidePasser)
            )
    ) || theme(less) == Some(Theme::PasserAdvances) && matches!(more, Change::PassedPawn { .. })
        || theme(less) == Some(Theme::GuardedPost) && matches!(more, Change::Outpost { .. })
        || is_way_there(less, more)
        || is_guard_of_the_same(less, more)
        || theme(more) == Some(Theme::CutOff) && matches!(less, Change::TakesFile { .. })
}

/// Whether the second of two claims adds nothing to the first: the same kind again, or the weaker form of a mate, a
/// promotion, a piece that is left to be taken or a fork.
fn says_the_same(first: &Claim, second: &Claim, line: &Line) -> bool {
    let attacks_two = |motif: &Motif| matches!(motif, Motif::Fork { .. } | Motif::DoubleAttack { .. });
    let promotes = |motif: &Motif| matches!(motif, Motif::Promotion { .. } | Motif::Underpromotion { .. });
    let (one, other) = (&first.motif, &second.motif);
    let lures = |one: &Motif, other: &Motif| match (one, other) {
        (Motif::Deflection { defender, .. }, Motif::Attraction { from, .. }) => defender == from,
        _ => false,
    };
    // what the winner gives is in the bill
    let is_paid = |bill: &Motif, given: &Motif| match (bill, given) {
        (Motif::Material { winner, lost, .. }, Motif::Sacrifice { piece, .. }) => {
            second.ply == 0
                && *winner == line.mover(0)
                && lost.get(piece.index()).is_some_and(|&count| count > 0)
        }
        _ => false,
    };
    // why nothing can take back has been said
    let is_pinned = first.ply == second.ply
        && matches!(
            (one, other),
            (Motif::PinPreventsAttack { .. }, Motif::TakesFree { .. })
        );
    // of what a single capture wins the bill says all
    let is_bill = first.ply == 0
        && line.len() == 1
        && matches!((one, other), (Motif::Material { .. }, Motif::TakesFree { .. }));
    // what lures somewhere is given
    let is_lure = second.ply > 0
        && first.ply == second.ply
        && matches!(
            (one, other),
            (
                Motif::Attraction { .. } | Motif::Deflection { .. },
                Motif::Sacrifice { .. }
            )
        );
    // two attacks at once by the move itself are more than those of a later one
    let is_sooner = attacks_two(other) && second.ply < first.ply;
    one.name() == other.name() && !is_sooner
        || is_pinned
        || is_lure
        || is_bill
        || is_paid(one, other)
        || first.ply == second.ply && (lures(one, other) || lures(other, one))
        || one.is_mate() && other.is_mate()
        || one.leaves_a_man() && other.leaves_a_man()
        || attacks_two(one)
            && (attacks_two(other) && !is_sooner || matches!(other, Motif::ThreatensCapture { .. }))
        || promotes(one) && promotes(other)
}
