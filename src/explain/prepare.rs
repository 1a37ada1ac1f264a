//! What a quiet move that does nothing of note at once prepares: the player's best move after a pass, where that would have
//! been worse without it.

use super::check::exchange;
use super::course::Course;
use super::explanation::{Assessment, Reason, Role, Said};
use super::judge::{Judge, Question};
use super::line::ends;
use super::merits::{SAYS_LITTLE, named_here};
use super::null_move::{Moment, Passed};
use super::reasons::{Weighed, tactics};
use super::repeats::is_count;
use super::theme::Theme;
use crate::board::Move;

/// The weight of what is prepared: more than that.
const PREPARES: i32 = SAYS_LITTLE + 1;

/// The least weight of what the prepared move does.
const WORTH_PREPARING: i32 = 330;

/// A move that could be made at once, with so much less of the expected score, is prepared.
const WORSE_AT_ONCE: f64 = 0.06;

impl Moment<'_> {
    /// What the player's best move after a pass does, if it goes on with the piece that has moved or would have been worse
    /// without the move.
    pub fn prepares(&self, judge: &mut dyn Judge) -> Option<Weighed> {
        let passed = self.after_pass(judge)?;
        let next = passed
            .wanted()
            .filter(|next| next.is_quiet() && !next.is_castling())?;
        let course = passed.course(&self.question, judge);
        if course.gain != 0 || !(next.from() == self.m.landing() || self.is_better_now(passed, next, judge)) {
            return None;
        }
        let reason = self.what_it_does(passed, &course, judge)?;
        // a king goes back to take the opposition, and for little else
        let is_told = !self.goes_back(next) || reason.has_theme(Theme::Opposition);
        is_told.then_some((PREPARES, reason))
    }

    /// Whether a move takes the piece that has moved back to where it was.
    fn goes_back(&self, next: Move) -> bool {
        (next.from(), next.landing()) == (self.m.landing(), self.m.from())
    }

    /// Whether a move is possible only now, would have lost something, or was worth less before.
    fn is_better_now(&self, passed: &Passed, next: Move, judge: &mut dyn Judge) -> bool {
        let position = self.question.position;
        let same = |m: &Move| ends(*m) == ends(next) && m.promoted() == next.promoted();
        let Some(at_once) = position.legal_moves().into_iter().find(same) else {
            return true;
        };
        if exchange::value_of(position, at_once) < exchange::value_of(&passed.position, next) {
            return true;
        }
        let found = judge.search(&Question {
            moves: &[at_once],
            nodes: self.question.share(),
            ..self.question
        });
        self.worth.expected - Assessment::of(found.score).expected >= WORSE_AT_ONCE
    }

    /// The best reason for the move that is prepared, of what it does at once.
    fn what_it_does(&self, passed: &Passed, course: &Course, judge: &mut dyn Judge) -> Option<Reason> {
        let moment = passed.moment(&self.question, course)?;
        let mut found = named_here(course, &moment, None, judge);
        found.extend(tactics(course, Role::Achieves));
        let is_at_once = |(weight, reason): &Weighed| {
            let plies = match &reason.said {
                Said::Claim(claim) => claim.ply + 1,
                Said::Change(_) => reason.line.len(),
            };
            let is_natural = reason.has_theme(Theme::Develops);
            *weight >= WORTH_PREPARING && plies == 1 && !is_count(reason) && !is_natural
        };
        let (_, reason) = found
            .into_iter()
            .filter(is_at_once)
            .max_by_key(|(weight, _)| *weight)?;
        Some(Reason {
            role: Role::Prepares,
            ..reason
        })
    }
}
