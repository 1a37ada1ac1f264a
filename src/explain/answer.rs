//! What the answer to a bad move is for, where nothing else tells what is wrong with the move.

use super::course::Course;
use super::defence::after_the_answer;
use super::explanation::{Reason, Role};
use super::judge::{Judge, Question};
use super::merits::named_here;
use super::reasons::Weighed;
use super::theme::Theme;

/// The least weight of what the answer is for: what is only natural is no reproach.
const TELLING: i32 = 405;

/// What speaks for the answer to a move, as a reason against that move: the ideas that a quiet move is known by.
pub fn is_for(question: &Question, played: &Course, judge: &mut dyn Judge) -> Option<Weighed> {
    let course = Course {
        line: played.line.from(1),
        outcome: None,
        worth: -played.worth,
        gain: 0,
    };
    after_the_answer(question, played, |moment| {
        let mut ideas = named_here(&course, moment, None, judge);
        ideas.retain(|(weight, reason)| *weight >= TELLING && !reason.has_theme(Theme::Fianchetto));
        let (weight, idea) = ideas.into_iter().max_by_key(|&(weight, _)| weight)?;
        let reason = Reason {
            role: Role::Answers,
            made_by: Some(played.line.prefix(2)),
            ..idea
        };
        Some((weight, reason))
    })
}
