//! What is told beside material or a mate that a move wins, and what such a gain comes of.

use super::check::exchange;
use super::claim::Motif;
use super::course::{Course, MATE_GAIN, READ, SMALL};
use super::explanation::{Reason, Said};
use super::rank;
use super::reasons::{Weighed, takes_material};
use super::theme::Theme;
use crate::board::{Move, Position};

/// The weight of a threat of mate by which something is won: a tactic of the move itself says more.
const ON_THE_WAY: i32 = 600;

/// The weight of another threat by which something is won in many moves.
const BY_A_THREAT: i32 = 470;

/// A mate or gain within so many plies needs no other reason …
pub const SHORT: usize = 7;

/// … and one after so many comes of what the move is known for.
pub const LONG: usize = 7;

/// So many plies show a king that is driven out at once.
const HUNTED_AT_ONCE: usize = 4;

/// A quiet move is not played for a pawn that it wins only after more plies than that.
const SLOW_GAIN: usize = 8;

/// Changes of this weight are told beside a pawn that a quiet move wins by no tactic of its own.
const IN_ITS_PLACE: i32 = 333;

/// More than any outcome weighs.
pub const BEFORE_THE_OUTCOME: i32 = 25_000;

/// More than that of an outcome which [`BEFORE_THE_OUTCOME`] stands before.
const BEFORE_ALL: i32 = 30_000;

/// Changes of this weight are told beside a gain of material.
const KNOWN_BY_NAME: i32 = 500;

/// … and of so much more beside the gain of a piece.
const OF_A_PIECE: i32 = 3;

/// Changes of this weight are told beside a mate.
pub const TO_MATE: i32 = 590;

/// Whether a move wins no more than what its player is behind: who only takes back is known for how.
pub fn levels_the_material(course: &Course, m: Move) -> bool {
    let start = course.line.start();
    let takes_back = match m.is_capture() {
        true => course.gain == exchange::takings(start, m),
        false => (1..SMALL).contains(&course.gain),
    };
    takes_back && course.gain == -exchange::balance(start, course.line.mover(0))
}

/// The least weight of a change that is told beside what a course wins.
pub fn least_beside_a_gain(course: &Course, m: Move, found: &[Weighed]) -> i32 {
    // a pawn that a quiet move wins in the end, by no tactic of its own
    let is_quiet = !m.is_capture() && !course.line.after(0).in_check();
    let has = |is: fn(&Reason) -> bool| found.iter().any(|(_, reason)| is(reason));
    if is_quiet && course.gain < SMALL && !has(is_tactic_at_once) {
        return IN_ITS_PLACE;
    }
    // a piece that is hunted down is what the move is known for
    if has(is_trap) { TO_MATE } else { KNOWN_BY_NAME }
}

/// What a change weighs beside what the course wins, if it is told at all.
pub fn beside_what_is_won(
    (weight, reason): Weighed,
    course: &Course,
    known: i32,
    levels: bool,
) -> Option<Weighed> {
    let told = course.telling().len();
    let is_long = told >= LONG || course.mates() && told > SHORT;
    let promotes = course.line.at(0).is_some_and(|m| m.promoted().is_some());
    // a pawn that is stopped is not what a piece is won by
    let least = KNOWN_BY_NAME + if course.gain >= SMALL { OF_A_PIECE } else { 0 };
    match course.gain {
        ..=0 => Some((weight, reason)),
        // a mate needs no reason of position, unless it is the king's own walk
        _ if course.mates() && (told == 1 || weight < TO_MATE) => None,
        // where the king ends up says less than what falls on its way
        _ if reason.has_theme(Theme::KingHunt) && !course.mates() && reason.line.len() > HUNTED_AT_ONCE => {
            Some((weight, reason))
        }
        // what comes in many moves does not hide what the move itself is known for
        _ if weight >= known && is_long && !promotes => Some((weight + BEFORE_THE_OUTCOME, reason)),
        _ if weight >= least || levels || is_about_the_gain(&reason, course) => Some((weight, reason)),
        _ => None,
    }
}

/// Puts first why a capture that wins something is possible at all, and last what it takes if that only levels the material and
/// the question was with what to take back.
pub fn reweigh_capture(found: &mut [Weighed], start: &Position, m: Move, levels: bool) {
    let is_choice = || {
        start
            .legal_moves()
            .iter()
            .filter(|other| other.to() == m.to())
            .count()
            > 1
    };
    let is_how = levels && is_choice();
    for (weight, reason) in found {
        if relies_on_a_pin(reason, m) {
            *weight += BEFORE_ALL;
        }
        if is_how && takes_material(reason) {
            *weight = rank::LEAST;
        }
    }
}

/// What a threat weighs by which something is won: who wins by a threat of mate is known for it, a short mate says it all, and
/// another threat is how a long line wins.
pub fn beside_a_gain(course: &Course, m: Move, threat: &Reason) -> Option<i32> {
    let is_long = course.telling().len() > SHORT;
    // a mate that is far away is no threat that anybody sees
    let is_seen = threat.line.len() <= SHORT;
    let is_greater = |threat: &Reason| match threat.motif() {
        Some(Motif::Material { centipawns, .. }) => *centipawns >= course.gain + SMALL && is_seen,
        _ => false,
    };
    let weight = match (course.mates(), threat.is_mate()) {
        (false, true) if !is_seen => None,
        (true, true) => is_long.then_some(TO_MATE - 1 + BEFORE_THE_OUTCOME),
        (true, false) => None,
        (false, true) if is_long => Some(TO_MATE + BEFORE_THE_OUTCOME),
        (false, true) => Some(ON_THE_WAY),
        (false, false) => (is_long || is_greater(threat)).then_some(BY_A_THREAT),
    };
    weight.filter(|_| m.promoted().is_none())
}

/// Whether a quiet move wins a pawn or two only in many moves, or more in more of them than anybody follows.
pub fn wins_slowly(course: &Course) -> bool {
    let is_quiet = course.line.at(0).is_some_and(|m| m.is_quiet()) && !course.line.after(0).in_check();
    let told = course.telling().len();
    let is_small = (1..SMALL).contains(&course.gain);
    is_quiet && (is_small && told > SLOW_GAIN || (1..MATE_GAIN).contains(&course.gain) && told > READ)
}

/// Whether a quiet move's small gain is a capture that the player could have made at once, with the same profit.
pub fn was_there_before(course: &Course) -> bool {
    let line = &course.line;
    let Some((m, next)) = line.at(0).zip(line.at(2)) else {
        return false;
    };
    let start = line.start();
    let is_it = |now: &Move| {
        (now.from(), now.to()) == (next.from(), next.to()) && exchange::value_of(start, *now) >= course.gain
    };
    (1..SMALL).contains(&course.gain)
        && !m.is_capture()
        && next.is_capture()
        && next.from() != m.landing()
        && start.legal_moves().iter().any(is_it)
}

/// Whether a reason is that a pinned piece cannot take the one that has moved.
fn relies_on_a_pin(reason: &Reason, m: Move) -> bool {
    matches!(reason.motif(), Some(Motif::PinPreventsAttack { prey, .. }) if *prey == m.landing())
}

/// Whether a reason is that a piece has no way out.
fn is_trap(reason: &Reason) -> bool {
    matches!(reason.motif(), Some(Motif::Trapped { .. }))
}

/// Whether a theme is how something is won: of what is pinned, of a king without its guard, or by a pawn that is let through
/// and takes it.
fn is_about_the_gain(reason: &Reason, course: &Course) -> bool {
    let takes_from = |square| {
        course
            .line
            .moves()
            .iter()
            .any(|m| m.is_capture() && m.from() == square)
    };
    reason.theme().is_some_and(|(theme, other)| match theme {
        Theme::AttackOnPinned | Theme::OpensFileToKing | Theme::TakesKingGuard => true,
        Theme::ClearsPawn => other.is_some_and(takes_from),
        _ => false,
    })
}

/// Whether a reason is a tactic of the first move.
pub fn is_tactic_at_once(reason: &Reason) -> bool {
    matches!(&reason.said, Said::Claim(claim) if claim.ply == 0 && !matches!(claim.motif, Motif::Material { .. }))
}
