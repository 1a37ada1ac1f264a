//! What the answer to a bad move is for, where nothing else tells what is wrong with the move.

use super::change::Change;
use super::course::Course;
use super::defence::after_the_answer;
use super::endings;
use super::explanation::{Reason, Role, Said};
use super::judge::{Judge, Question};
use super::merits::named_here;
use super::reasons::Weighed;
use super::theme::Theme;
use crate::board::Move;

/// The least weight of what the answer is for: what is only natural is no reproach.
const REPROACH: i32 = 427;

/// What speaks for the answer to a move, as a reason against that move: the ideas that a quiet move is known by.
pub fn is_for(question: &Question, played: &Course, judge: &mut dyn Judge) -> Option<Weighed> {
    played.line.at(1).filter(|m| m.is_quiet())?;
    let course = Course {
        line: played.line.suffix(1),
        outcome: None,
        worth: -played.worth,
        gain: 0,
    };
    after_the_answer(question, played, |moment| {
        let mut ideas = named_here(&course, moment, None, judge);
        ideas.retain(|(weight, reason)| {
            *weight >= REPROACH && reason.line.len() == 1 && !is_no_reproach(reason, &course)
        });
        let (weight, idea) = ideas.into_iter().max_by_key(|&(weight, _)| weight)?;
        let reason = Reason {
            role: Role::Answers,
            made_by: Some(played.line.prefix(2)),
            ..idea
        };
        Some((weight, reason))
    })
}

/// Whether an idea explains no mistake: a bishop that is developed, rooks that another piece uncovers, a square of a piece
/// where few are left.
fn is_no_reproach(reason: &Reason, course: &Course) -> bool {
    let moved = course.line.at(0).map(Move::landing);
    match reason.said {
        Said::Change(Change::Outpost { .. }) => endings::has_few_pieces(course.line.start()),
        Said::Change(Change::Theme {
            theme, square, other, ..
        }) => match theme {
            Theme::Fianchetto => true,
            Theme::DoublesRooks => moved != Some(square) && moved != other,
            _ => false,
        },
        _ => false,
    }
}
