//! Which claims explain a move, chosen from where its line leads.

use super::change::Change;
use super::check;
use super::claim::{Claim, Motif};
use super::course::{Course, signed};
use super::detect;
use super::explanation::{Reason, Role, Said};
use super::judge::Judge;
use super::line::Line;
use super::rank;
use crate::board::{Color, Position};
use crate::nets::Score;

/// The most reasons given beside the outcome of a line, so as not to swamp the reader.
const MOST: usize = 3;

/// The least weight of a tactic that is told beside the outcome of a line.
const LEAST_BESIDE_AN_OUTCOME: i32 = 300;

/// Plies after which a mate is no longer shown move by move.
const LONGEST_MATE: usize = 12;

/// Plies after which a motif no longer speaks for or against the first move.
const HORIZON: usize = 6;

/// By how many centipawns the static evaluation has to move before a change in the position counts.
const SWING: Score = 15;

/// The most plies after which a line's changes still count against its first move.
const SLOW: usize = 5;

/// The outcome of a course and the tactics on the way there that speak for the player who begins or, with
/// [`Role::Allows`] and [`Role::Avoids`], for the other; the most important first.
pub fn tactics(course: &Course, role: Role) -> Vec<Reason> {
    let line = course.telling();
    let favoured = favoured(&line, role);
    let outcome = course.outcome.as_ref().map(|(claim, _)| claim);
    let least = if outcome.is_some() {
        LEAST_BESIDE_AN_OUTCOME
    } else {
        rank::LEAST
    };
    let mut weighed: Vec<(i32, Claim)> = super::claims(&line)
        .into_iter()
        .filter(|claim| rank::favours(&line, claim) == favoured && is_telling(course, &line, claim))
        .map(|claim| (rank::weight(&line, &claim), claim))
        .filter(|&(weight, _)| weight >= least)
        .collect();
    weighed.sort_by_key(|&(weight, _)| -weight);
    let mut kept: Vec<Claim> = Vec::new();
    for (_, claim) in weighed {
        if !kept.iter().any(|other| says_the_same(other, &claim)) {
            kept.push(claim);
        }
    }
    kept.truncate(MOST + usize::from(outcome.is_some()));
    kept.into_iter()
        .map(|claim| Reason {
            role,
            said: Said::Claim(claim),
            line: line.clone(),
            way_out: None,
        })
        .collect()
}

/// Whether a claim belongs to the reasons: a tactic within sight that comes to something, a sacrifice that pays, and
/// material only as the end of the line.
fn is_telling(course: &Course, line: &Line, claim: &Claim) -> bool {
    let is_outcome = |motif: &Motif| matches!(motif, Motif::Mate { .. } | Motif::BackRankMate { .. });
    let ends = course.outcome.as_ref().map(|(outcome, _)| &outcome.motif);
    let mates = ends.is_some_and(is_outcome);
    let in_sight = claim.ply < HORIZON;
    // material that is won back later is no loss: what counts is the end of the line
    let pays = signed(course.gain, rank::favours(line, claim) == line.mover(0)) > 0;
    // what the other side overlooks on the way is no merit of the move
    let is_first_move = claim.ply == 0;
    // a piece that is captured at once no longer threatens anything
    let is_taken = line
        .at(claim.ply + 1)
        .is_some_and(|answer| answer.is_capture() && answer.to() == line.moves()[claim.ply].landing());
    match claim.motif {
        // a long mate is told by its length; nobody reads the line
        Motif::Mate { .. } | Motif::BackRankMate { .. } => claim.ply < LONGEST_MATE,
        // what is taken on the way to a mate is beside the point
        Motif::Material { .. } | Motif::TakesFree { .. } => !mates && pays,
        Motif::IgnoresMate { .. } => is_first_move,
        Motif::IgnoresCapture { .. } => !mates && is_first_move && pays,
        Motif::LeavesEnPrise { .. } => !mates && is_first_move && pays && rank::is_cashed(line, claim),
        Motif::ThreatensCapture { .. } | Motif::PinPreventsAttack { .. } => {
            in_sight && !is_taken && (ends.is_none() && claim.ply < 2 || rank::is_cashed(line, claim))
        }
        Motif::Fork { .. } | Motif::DoubleAttack { .. } | Motif::DiscoveredAttack { .. } => {
            in_sight && (!is_taken || rank::is_cashed(line, claim))
        }
        Motif::ThreatensMate { .. } => in_sight && claim.ply + 1 < line.len(),
        Motif::Sacrifice { .. } => in_sight && pays,
        _ => in_sight,
    }
}

/// Whether the second of two claims adds nothing to the first: the same kind again, or the weaker form of a mate, a
/// promotion, a piece that is left to be taken or a fork.
fn says_the_same(first: &Claim, second: &Claim) -> bool {
    let is_mate = |motif: &Motif| matches!(motif, Motif::Mate { .. } | Motif::BackRankMate { .. });
    let loses_a_piece = |motif: &Motif| {
        matches!(
            motif,
            Motif::LeavesEnPrise { .. } | Motif::IgnoresCapture { .. } | Motif::TakesFree { .. }
        )
    };
    let attacks_two = |motif: &Motif| matches!(motif, Motif::Fork { .. } | Motif::DoubleAttack { .. });
    let promotes = |motif: &Motif| matches!(motif, Motif::Promotion { .. } | Motif::Underpromotion { .. });
    let (one, other) = (&first.motif, &second.motif);
    one.name() == other.name()
        || is_mate(one) && is_mate(other)
        || loses_a_piece(one) && loses_a_piece(other)
        || attacks_two(one) && (attacks_two(other) || matches!(other, Motif::ThreatensCapture { .. }))
        || promotes(one) && promotes(other)
}

fn favoured(line: &Line, role: Role) -> Color {
    let us = line.start().side_to_move();
    if role == Role::Achieves { us } else { !us }
}

/// What changes in the position where the static evaluation moves the same way: in favour of the first move, those that
/// it makes itself; against it, also those of the next few moves.
pub fn changes(course: &Course, role: Role, judge: &mut dyn Judge) -> Vec<Reason> {
    let farthest = if role == Role::Achieves { 1 } else { SLOW };
    let longest = course.line.len().min(farthest);
    for plies in (1..=longest).step_by(2) {
        let line = course.line.prefix(plies);
        let favoured = favoured(&line, role);
        let swing = swing(&line, favoured, judge);
        if swing < SWING {
            continue;
        }
        let mut changes: Vec<Change> = detect::changes(&line)
            .into_iter()
            .filter(|change| change.favours() == favoured && is_worth_telling(change))
            .filter(|change| check::confirms_change(&line, change))
            .collect();
        changes.sort_by_key(|change| -importance(change));
        changes.dedup_by_key(|change| change.name());
        changes.truncate(MOST);
        if !changes.is_empty() {
            let reason = |change| Reason {
                role,
                said: Said::Change(change),
                line: line.clone(),
                way_out: None,
            };
            return changes.into_iter().map(reason).collect();
        }
    }
    Vec::new()
}

/// Whether a player would speak of a change: a king that still stands in the centre has no shelter to lose.
fn is_worth_telling(change: &Change) -> bool {
    !matches!(*change, Change::Shelter { king, .. } if matches!(king.file(), 3 | 4))
}

/// How much a change matters beside others.
fn importance(change: &Change) -> i32 {
    match *change {
        Change::PassedPawn { .. } => 90,
        Change::Outpost { .. } => 80,
        Change::Shelter { before, after, .. } => 60 + 10 * before.abs_diff(after) as i32,
        Change::TakesFile { .. } => 70,
        Change::LosesBishopPair { .. } => 65,
        Change::IsolatedPawn { .. } => 60,
        Change::DoubledPawns { .. } => 55,
        Change::WeakSquare { .. } => 50,
        Change::Mobility { before, after, .. } => 30 + 5 * before.abs_diff(after) as i32,
        Change::Space { before, after, .. } => 30 + 5 * before.abs_diff(after) as i32,
    }
}

/// By how many centipawns the static evaluation moves for a player from the first to the last position of a line.
fn swing(line: &Line, player: Color, judge: &mut dyn Judge) -> Score {
    standing(line.end(), player, judge) - standing(line.start(), player, judge)
}

/// The static evaluation of a position for a player: the mean of both sides being to move, where they may be, so that
/// the right to move does not count.
fn standing(position: &Position, player: Color, judge: &mut dyn Judge) -> Score {
    let mut asked = vec![*position];
    if !position.in_check() {
        let mut turned = *position;
        turned.make_null();
        asked.push(turned);
    }
    let scores = judge.evaluate(&asked);
    let for_player = |(position, &score): (&Position, &Score)| {
        if position.side_to_move() == player {
            score
        } else {
            -score
        }
    };
    let sum: Score = asked.iter().zip(&scores).map(for_player).sum();
    sum / scores.len().max(1) as Score
}
