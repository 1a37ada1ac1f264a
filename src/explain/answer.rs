//! What the answer to a bad move is for, where nothing else tells what is wrong with the move.

use super::change::Change;
use super::check::exchange;
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

/// How much more it weighs that the answer guards what the move attacked.
const MEETS: i32 = 90;

/// The weight of a threat of mate that the answer meets: more than that of a pin or of what is attacked.
const ENDS_THE_ATTACK: i32 = 700;

/// What speaks for a quiet answer to a move, as a reason against that move: the idea that it is known by, or the threat that
/// it meets.
pub fn is_for(question: &Question, played: &Course, judge: &mut dyn Judge) -> Option<Weighed> {
    played.line.at(1).filter(|m| m.is_quiet())?;
    let (weight, reason) = idea(question, played, judge).or_else(|| threat_met(question, played, judge))?;
    Some((weight, by_the_answer(reason, played)))
}

/// The mate that a move threatens, where its quiet answer meets that: the attack is over.
pub fn ends_the_attack(question: &Question, played: &Course, judge: &mut dyn Judge) -> Option<Weighed> {
    played.line.at(1).filter(|m| m.is_quiet())?;
    let (_, threat) = threat_met(question, played, judge).filter(|(_, threat)| threat.is_mate())?;
    Some((ENDS_THE_ATTACK, by_the_answer(threat, played)))
}

/// A reason with the moves that lead to it.
fn by_the_answer(reason: Reason, played: &Course) -> Reason {
    let made_by = Some(played.line.prefix(2));
    Reason { made_by, ..reason }
}

/// The idea of the answer that weighs most.
fn idea(question: &Question, played: &Course, judge: &mut dyn Judge) -> Option<Weighed> {
    let course = Course {
        line: played.line.suffix(1),
        outcome: None,
        worth: -played.worth,
        gain: 0,
    };
    after_the_answer(question, played, |moment| {
        let mut ideas = named_here(&course, moment, None, judge);
        for (weight, reason) in &mut ideas {
            *weight += if meets_the_attack(reason, played) {
                MEETS
            } else {
                0
            };
        }
        ideas.retain(|(weight, reason)| {
            *weight >= REPROACH && reason.line.len() == 1 && !is_no_reproach(reason, &course)
        });
        let (weight, idea) = ideas.into_iter().max_by_key(|&(weight, _)| weight)?;
        let role = Role::Answers;
        Some((weight, Reason { role, ..idea }))
    })
}

/// The threat of the player that the answer meets.
fn threat_met(question: &Question, played: &Course, judge: &mut dyn Judge) -> Option<Weighed> {
    after_the_answer(question, played, |moment| {
        let passed = moment.before(judge)?;
        let threat = moment.threat_before(&passed, judge)?;
        let role = Role::AnswersThreat;
        Some((REPROACH, Reason { role, ..threat }))
    })
}

/// Whether an idea of the answer is to guard what the piece attacks that has just moved.
fn meets_the_attack(idea: &Reason, played: &Course) -> bool {
    let target = idea.theme().filter(|&(theme, _)| theme == Theme::Holds);
    let attacker = played.line.at(0).map(Move::landing);
    let sees = |(attacker, target)| exchange::sees(played.line.after(0), attacker, target);
    attacker
        .zip(target.and_then(|(_, other)| other))
        .is_some_and(sees)
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
