//! Which claims explain a move, chosen from where its line leads.

use super::check::exchange;
use super::claim::{Claim, Motif};
use super::course::{Course, READ, SMALL, signed};
use super::explanation::{Assessment, Reason, Role, Said};
use super::judge::Question;
use super::line::Line;
use super::rank;
use super::theme::Theme;
use super::verdict::line_of;
use crate::board::{Color, Move, PieceType, Square};

/// The most reasons given beside the outcome of a line, so as not to swamp the reader.
const MOST: usize = 3;

/// The least weight of a tactic that is told beside the outcome of a line.
const LEAST_BESIDE_AN_OUTCOME: i32 = 300;

/// Plies after which a mate is no longer shown move by move.
const LONGEST_MATE: usize = 12;

/// Plies of a line whose changes on the board count against a mistake.
const NEAR: usize = 3;

/// So many plies of a line are no guess.
const SEEN: usize = 3;

/// Plies after which a motif no longer speaks for or against the first move.
const HORIZON: usize = 6;

/// Plies after which a threat or a capture is no longer news.
const SOON: usize = 3;

/// A reason with its weight beside others.
pub type Weighed = (i32, Reason);

/// Whether a reason is that the move keeps the other side from a trade, a pin or weak pawns, or from the square that it wanted.
pub fn is_bar(reason: &Reason, wanted: Option<Square>) -> bool {
    let Some((theme, target)) = reason.theme() else {
        return false;
    };
    match theme {
        Theme::AvoidsTrade | Theme::AvoidsPin | Theme::AvoidsDoubling => true,
        Theme::KeepsFrom
        | Theme::KeepsOut
        | Theme::BarsPawn
        | Theme::BarsKing
        | Theme::HoldsBack
        | Theme::HoldsUp
        | Theme::Restrains
        | Theme::StopsPawn
        | Theme::GuardsBreak => target.is_some() && target == wanted,
        _ => false,
    }
}

/// How many reasons are given for a course.
pub fn most(course: &Course) -> usize {
    MOST + usize::from(course.outcome.is_some())
}

/// The outcome of a course and the tactics on the way there that speak for the player who begins or, with
/// [`Role::Allows`] and [`Role::Avoids`], for the other.
pub fn tactics(course: &Course, role: Role) -> Vec<Weighed> {
    let line = course.telling();
    let favoured = favoured(&line, role);
    let outcome = course.outcome.as_ref().map(|(claim, _)| claim);
    let least = if outcome.is_some() {
        LEAST_BESIDE_AN_OUTCOME
    } else {
        rank::LEAST
    };
    let claims = super::claims(&line);
    // what is pinned by the same move has no other way to be trapped
    let pinned = |claim: &Claim| {
        let Motif::Trapped { square, .. } = claim.motif else {
            return false;
        };
        claims.iter().any(|other| {
            other.ply == claim.ply
                && matches!(other.motif, Motif::PinPreventsEscape { pinned, .. } if pinned == square)
        })
    };
    // why a piece can be taken is said with that it can
    let hangs = |claim: &Claim| {
        let (Motif::OpensLine { target, .. } | Motif::LeavesGuard { target }) = claim.motif else {
            return false;
        };
        let hangs_there =
            |motif: &Motif| matches!(*motif, Motif::LeavesEnPrise { square, .. } if square == target);
        claims
            .iter()
            .any(|other| hangs_there(&other.motif) && is_telling(course, &line, other))
    };
    // nor that it can, where a pin is why
    let guard_is_pinned = |claim: &Claim| {
        let (Motif::LeavesEnPrise { square, .. } | Motif::IgnoresCapture { target: square }) = claim.motif
        else {
            return false;
        };
        let takes = |m: Move| m.is_capture() && m.to() == square;
        let is_why = |other: &Claim| other.ply == 1 && rank::takes_past_a_pin(&line, other);
        line.at(1).is_some_and(takes)
            && claims
                .iter()
                .any(|other| is_why(other) && is_telling(course, &line, other))
    };
    claims
        .iter()
        .filter(|claim| rank::favours(&line, claim) == favoured && is_telling(course, &line, claim))
        .filter(|claim| !pinned(claim) && !hangs(claim) && !guard_is_pinned(claim))
        .cloned()
        .map(|claim| (rank::weight(&line, &claim), claim))
        .filter(|&(weight, _)| weight >= least)
        .map(|(weight, claim)| {
            let reason = Reason {
                role,
                said: Said::Claim(claim),
                line: line.clone(),
                way_out: None,
                made_by: None,
            };
            (weight, reason)
        })
        .collect()
}

/// Whether a claim belongs to the reasons: a tactic within sight that comes to something, a sacrifice that pays, and
/// material only as the end of the line.
fn is_telling(course: &Course, line: &Line, claim: &Claim) -> bool {
    let ends = course.outcome.as_ref().map(|(outcome, _)| &outcome.motif);
    let mates = ends.is_some_and(Motif::is_mate);
    let in_sight = claim.ply < HORIZON;
    // material that is won back later is no loss: what counts is the end of the line
    let pays = signed(course.gain, rank::favours(line, claim) == line.mover(0)) > 0;
    // what the other side overlooks on the way is no merit of the move
    let is_first_move = claim.ply == 0;
    // a piece that is captured at once no longer threatens anything
    let is_taken = line.is_taken(claim.ply);
    match claim.motif {
        // a long mate is told by its length; nobody reads the line
        Motif::Mate { .. } | Motif::BackRankMate { .. } | Motif::NamedMate { .. } => claim.ply < LONGEST_MATE,
        // told of a capture that is not expected; the expected one is a sacrifice
        Motif::CannotTake { .. } | Motif::TakingCosts { .. } => false,
        Motif::Zugzwang { .. } => claim.ply < 2,
        // who has nothing better than a draw is glad of it
        Motif::Perpetual { .. } => in_sight && course.worth.abs() < Assessment::SLIGHTLY_BETTER,
        // what is taken on the way to a mate is beside the point
        Motif::Material { .. } => !mates && pays,
        Motif::TakesFree { .. } => !mates && pays && claim.ply < SOON,
        Motif::IgnoresMate { .. } => is_first_move,
        // why the answer is possible, or what taking an offer opens
        Motif::OpensLine { target, .. } | Motif::LeavesGuard { target } => {
            let taken = line.at(2).filter(|m| m.is_capture() && m.to() == target);
            is_first_move && pays || claim.ply == 1 && line.is_taken(0) && taken.is_some()
        }
        // where more is won than that
        Motif::LosesCastling { .. } => is_first_move || claim.ply < SEEN && course.gain == 0,
        Motif::IgnoresCapture { .. } => !mates && is_first_move && pays,
        // what falls later falls by another tactic, and a trade that costs little is not how much is lost
        Motif::LeavesEnPrise {
            square, centipawns, ..
        } => {
            let is_taken = |ply: usize| line.at(ply).is_some_and(|m| m.is_capture() && m.to() == square);
            let m = line.moves()[claim.ply];
            let traded = if m.landing() == square {
                exchange::takings(line.before(claim.ply), m)
            } else {
                0
            };
            let is_most = 2 * (centipawns - traded) >= course.gain.abs();
            !mates && is_first_move && pays && is_most && (is_taken(1) || is_taken(SOON))
        }
        Motif::ThreatensCapture { target, .. } => {
            let tells = ends.is_none() || !mates && attacks_heavy_piece(line, claim.ply, target);
            claim.ply < SOON && !is_taken && (tells && claim.ply < 2 || rank::is_cashed(line, claim))
        }
        // the capture that wins something, where the guard is pinned
        Motif::PinPreventsAttack { .. } if rank::takes_past_a_pin(line, claim) => in_sight && pays && !mates,
        Motif::PinPreventsAttack { .. } if rank::stands_past_a_pin(line, claim) && claim.ply < 2 => {
            pays && !mates || ends.is_none()
        }
        Motif::PinPreventsAttack { .. } => {
            claim.ply < SOON && !is_taken && (ends.is_none() && claim.ply < 2 || rank::is_cashed(line, claim))
        }
        Motif::Fork { .. } | Motif::DoubleAttack { .. } | Motif::DiscoveredAttack { .. } => {
            // where the move takes a piece, or mates in the end, a pawn is nothing
            let takes = exchange::takings(line.before(claim.ply), line.moves()[claim.ply]);
            if (mates || takes >= SMALL) && rank::is_about_pawns(line, claim) {
                return false;
            }
            let near = ends.is_some() || claim.ply < 2;
            let is_cashed = rank::is_cashed(line, claim);
            // what captures and checks lead to is in sight, too
            let comes = claim.ply < READ && is_cashed && line.is_forced(1, claim.ply);
            in_sight && near && !is_taken || is_cashed && (in_sight || comes)
        }
        Motif::ThreatensMate { .. } => in_sight && claim.ply + 1 < line.len(),
        // what is given for an attack need not come back as material
        Motif::Sacrifice {
            piece, centipawns, ..
        } => {
            // who stands a little worse may well give the exchange
            let is_exchange = piece == PieceType::Rook && centipawns <= exchange::the_exchange();
            let least = if is_exchange {
                -Assessment::BETTER
            } else {
                -Assessment::SLIGHTLY_BETTER
            };
            let is_answer = claim.ply == 1 && course.gain == 0;
            let is_next = claim.ply == 2 && course.gain == 0 && course.worth >= Assessment::WINNING;
            in_sight && (pays || is_answer || is_next || is_first_move && course.worth > least)
        }
        Motif::Promotion { .. } => in_sight || claim.ply < READ && walks_up(line, claim.ply),
        _ => in_sight,
    }
}

/// Whether the pawn that promotes with a move of a line has got there in the line, by two moves or more before.
fn walks_up(line: &Line, ply: usize) -> bool {
    let mut square = line.moves()[ply].from();
    let mut steps = 0;
    for m in line.moves()[..ply].iter().rev().skip(1).step_by(2) {
        if m.landing() == square {
            square = m.from();
            steps += 1;
        }
    }
    steps >= 2
}

/// Whether a reason is what the line, or its first capture, takes.
pub fn takes_material(reason: &Reason) -> bool {
    let takes = |claim: &Claim| claim.ply == 0 && matches!(claim.motif, Motif::TakesFree { .. });
    reason.is_outcome() || matches!(&reason.said, Said::Claim(claim) if takes(claim))
}

/// What traps the queen in the line of a capture that fails, or what deflects, draws or drives there.
pub fn why_it_fails(reason: &Reason) -> Option<Reason> {
    let Said::Claim(Claim { ply: offer, .. }) = reason.said else {
        return None;
    };
    let line = &reason.line;
    let is_next = |ply: usize| ply == offer + 2 || ply == offer + 4 && line.after(offer + 2).in_check();
    let traps_queen = |claim: &Claim| {
        let is_trap = matches!(
            claim.motif,
            Motif::Trapped {
                piece: PieceType::Queen,
                ..
            }
        );
        is_trap && is_next(claim.ply)
    };
    let names_it = |claim: &Claim| {
        let first = matches!(
            claim.motif,
            Motif::Deflection { .. } | Motif::Attraction { .. } | Motif::Interference { .. }
        );
        let next = matches!(
            claim.motif,
            Motif::Fork { .. } | Motif::Skewer { .. } | Motif::DoubleCheck { .. }
        );
        claim.ply == offer && first || claim.ply == offer + 2 && next
    };
    let claims = super::claims(line);
    let trap = claims.iter().find(|claim| traps_queen(claim));
    let claim = trap.or_else(|| claims.iter().find(|claim| names_it(claim)))?;
    Some(Reason {
        role: reason.role,
        said: Said::Claim(claim.clone()),
        line: line.clone(),
        way_out: None,
        made_by: None,
    })
}

/// Whether what stands on a square after a move of a line is a rook or a queen.
fn attacks_heavy_piece(line: &Line, ply: usize, target: Square) -> bool {
    let piece = line.after(ply).piece_on(target);
    piece.is_some_and(|piece| matches!(piece.kind(), PieceType::Rook | PieceType::Queen))
}

/// Whether a reason comes soon: in a few plies or by exchanges alone; or it is a piece that has no way out for long, or a pawn
/// that is let through.
pub fn is_near(reason: &Reason) -> bool {
    let exchanges = || reason.line.moves().iter().skip(1).all(|m| m.is_capture());
    let is_slow = matches!(
        reason.theme(),
        Some((Theme::Dominates | Theme::UnblocksPawn | Theme::GathersOnFile, _))
    );
    reason.line.len() <= NEAR || exchanges() || is_slow
}

pub fn favoured(line: &Line, role: Role) -> Color {
    let us = line.start().side_to_move();
    if matches!(role, Role::Allows | Role::Avoids) {
        !us
    } else {
        us
    }
}

/// That the move, with the answers that a line gives it, achieves this; `None` where the checkers deny it.
pub fn achieves(motif: Motif, line: Line) -> Option<Reason> {
    claimed(Role::Achieves, Claim { ply: 0, motif }, line)
}

/// What speaks for the answer to a move, a claim of a line that begins with the answer, as a reason against that move.
pub fn turned_against(question: &Question, m: Move, reason: &Reason) -> Option<Reason> {
    let Said::Claim(claim) = &reason.said else {
        return None;
    };
    let claim = Claim {
        ply: claim.ply + 1,
        ..claim.clone()
    };
    let line = line_of(question.position, &[&[m], reason.line.moves()].concat());
    claimed(Role::Allows, claim, line)
}

/// A reason that is such a claim; `None` where the checkers deny it.
pub fn claimed(role: Role, claim: Claim, line: Line) -> Option<Reason> {
    super::check::confirms(&line, &claim).then_some(Reason {
        role,
        said: Said::Claim(claim),
        line,
        way_out: None,
        made_by: None,
    })
}
