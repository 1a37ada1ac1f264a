//! A piece that could be taken and is not: that the capture, which seems to win it, would be worse than the move played.

use super::check::exchange;
use super::claim::{Claim, Motif};
use super::course::{Course, READ, SMALL};
use super::explanation::{Assessment, Role};
use super::judge::{Judge, Question};
use super::reasons::{Weighed, claimed};
use super::verdict::line_of;
use crate::board::{Move, Position};

/// A capture that seems to win a piece is worth a word where it costs this much of the expected score.
const COSTS: f64 = 0.2;

/// The weight of a capture that is declined, before a third of what it seems to win.
const DECLINED: i32 = 440;

/// So many plies show why, where the capture loses nothing in the end.
const SHOWN: usize = 4;

/// The capture that seems to win most beside the move, if the search thinks much less of it than of the move, which is worth
/// `worth` to its player.
pub fn declined(question: &Question, m: Move, worth: Assessment, judge: &mut dyn Judge) -> Option<Weighed> {
    let start = question.position;
    let (value, taking) = tempting(start, m)?;
    let found = judge.search(&Question {
        moves: &[taking],
        nodes: question.share(),
        ..*question
    });
    let taken = Assessment::of(found.score).expected;
    let is_worse = worth.expected - taken >= COSTS && taken < Assessment::BETTER;
    if !is_worse {
        return None;
    }
    let course = Course::follow(question, &found, judge);
    let line = match course.outcome {
        Some((_, line)) if course.gain < 0 && line.len() <= READ => line,
        _ => line_of(start, &found.line).prefix(SHOWN),
    };
    let motif = Motif::TakingIsWorse {
        square: taking.to(),
        piece: start.piece_on(taking.to())?.kind(),
    };
    let reason =
        claimed(Role::Avoids, Claim { ply: 0, motif }, line).filter(|reason| reason.line.len() > 1)?;
    Some((DECLINED + value / 3, reason))
}

/// The capture that seems to win most, a piece or more, and more than the move takes; by the least piece.
fn tempting(start: &Position, m: Move) -> Option<(i32, Move)> {
    if start.in_check() {
        return None;
    }
    let least = SMALL.max(exchange::takings(start, m) + 1);
    let captures = start.legal_moves().into_iter();
    let others = captures.filter(|other| other.is_capture() && other.to() != m.to());
    others
        .map(|taking| (exchange::value_of(start, taking), taking))
        .filter(|&(value, _)| value >= least)
        .max_by_key(|&(value, taking)| (value, -exchange::worth(taking.piece().kind())))
}
