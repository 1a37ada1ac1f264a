//! Why a king or knight that had to move went there: its other squares that fail to one and the same fork.

use super::claim::{Claim, Motif};
use super::course::Course;
use super::explanation::{Reason, Role};
use super::judge::{Judge, Question};
use super::line::{Line, ends};
use super::rank;
use super::reasons::claimed;
use super::verdict::line_of;
use crate::board::{Move, PieceType};

/// Other squares that fail alike, for it to be told.
const SEVERAL: usize = 2;

/// What the fork wins is more than a pawn.
const WINS: i32 = 150;

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

/// The fork by the answer in a line, where more than pawns are attacked.
fn fork(line: &Line) -> Option<Claim> {
    let is_fork = |claim: &Claim| {
        claim.ply == 1
            && matches!(claim.motif, Motif::Fork { .. })
            && rank::weight(line, claim) >= rank::LEAST
    };
    super::claims(&line.prefix(2)).into_iter().find(is_fork)
}
