//! Why a piece that had to move went there: its other squares, which fail.

use super::check::exchange;
use super::claim::{Claim, Motif};
use super::course::{Course, READ};
use super::explanation::{Assessment, Reason, Role};
use super::judge::{Judge, Question};
use super::line::{Line, ends};
use super::rank;
use super::reasons::{Weighed, claimed, tactics};
use super::repeats::best_of;
use super::verdict::line_of;
use crate::board::{Move, PieceType};

/// Other squares that fail alike, for it to be told.
const SEVERAL: usize = 2;

/// What the fork wins is more than a pawn.
const WINS: i32 = 150;

/// What the other retreats of an attacked piece cost, for it to be told, of the expected score.
const COSTS: f64 = 0.2;

/// The weight of the other retreats: less than that of what the piece was attacked by.
const RETREAT: i32 = 320;

/// That after another quiet move of the same piece a check forks the king and something else, where this is so of several of
/// its squares and the search agrees that it wins something.
pub fn others_fail(question: &Question, m: Move, judge: &mut dyn Judge) -> Option<Reason> {
    let position = question.position;
    if !matches!(m.piece().kind(), PieceType::King | PieceType::Knight) || !m.is_quiet() {
        return None;
    }
    let is_other = |other: &Move| other.from() == m.from() && other.is_quiet() && *other != m;
    let others = position.legal_moves().into_iter().filter(is_other);
    let forks: Vec<(Move, Move)> = others
        .flat_map(|other| {
            let after = position.after(other);
            let checks = after
                .legal_moves()
                .into_iter()
                .filter(move |reply| after.after(*reply).in_check());
            checks.map(move |check| (other, check))
        })
        .filter(|&(other, check)| fork(&line_of(position, &[other, check])).is_some())
        .collect();
    let alike = |check: Move| {
        forks
            .iter()
            .filter(move |(_, other)| ends(*other) == ends(check))
            .count()
    };
    let (other, check) = *forks.iter().find(|(_, check)| alike(*check) >= SEVERAL)?;
    let asked = Question {
        moves: &[other],
        nodes: question.share(),
        ..*question
    };
    let found = judge.search(&asked);
    let course = Course::follow(&asked, &found, judge);
    let line = course.telling();
    let is_it = course.gain <= -WINS && line.at(1).map(ends) == Some(ends(check));
    is_it.then(|| claimed(Role::Avoids, fork(&line)?, line)).flatten()
}

/// What the best other retreat loses, where the piece that moves was attacked, has other squares where nothing can take it, and
/// the search thinks much less of all of them than of the move, which is worth `worth` to its player.
pub fn other_retreats_fail(
    question: &Question,
    m: Move,
    worth: Assessment,
    judge: &mut dyn Judge,
) -> Option<Weighed> {
    let position = question.position;
    let passed = exchange::passed(position).filter(|_| m.is_quiet())?;
    if m.piece().kind() == PieceType::King || exchange::best(&passed, m.from()) <= 0 {
        return None;
    }
    let is_safe = |other: Move| exchange::best(&position.after(other), other.landing()) <= 0;
    let is_other =
        |other: &Move| other.from() == m.from() && other.is_quiet() && *other != m && is_safe(*other);
    let others: Vec<Move> = position.legal_moves().into_iter().filter(is_other).collect();
    if others.is_empty() {
        return None;
    }
    let asked = Question {
        moves: &others,
        nodes: question.share(),
        ..*question
    };
    let found = judge.search(&asked);
    if worth.expected - Assessment::of(found.score).expected < COSTS {
        return None;
    }
    let course = Course::follow(&asked, &found, judge);
    let losses = tactics(&course, Role::Avoids).into_iter();
    let told = losses.filter(|(_, reason)| reason.is_outcome() && reason.line.len() <= READ);
    best_of(told.collect(), 1).pop().map(|reason| (RETREAT, reason))
}

/// The fork by the answer in a line, where more than pawns are attacked.
fn fork(line: &Line) -> Option<Claim> {
    let is_fork = |claim: &Claim| {
        claim.ply == 1
            && matches!(claim.motif, Motif::Fork { .. })
            && rank::weight(line, claim) >= rank::LEAST
    };
    super::claims(&line.prefix(2)).into_iter().find(is_fork)
}
