//! What becomes of an opponent who saves what a move attacks, as is natural, where the search gives it up.

use super::check::exchange;
use super::claim::{Claim, Motif};
use super::course::{Course, SMALL};
use super::endings;
use super::explanation::{Assessment, Reason, Role};
use super::judge::{Finding, Judge, Question};
use super::line::Line;
use super::null_move::Moment;
use super::rank;
use super::reasons::{claimed, turned_against};
use super::verdict::line_of;
use crate::board::{Move, Square};
use std::cell::OnceCell;

/// The weight of a tactic that meets the natural way to save what a move attacks.
pub const SAVING_FAILS: i32 = 530;

/// The tactic that meets the best way to save what the move attacks, if the expected answer does not save it.
pub fn saving_fails(moment: &Moment, judge: &mut dyn Judge) -> Option<Reason> {
    let attack = line_of(moment.question.position, &[moment.m]);
    let target = target(&attack)?;
    let after = attack.end();
    if let Some(mated) = flight_is_mated(moment, target) {
        return Some(mated);
    }
    let saves = |answer: &Move| {
        let stands = if answer.from() == target {
            answer.landing()
        } else {
            target
        };
        !answer.is_capture() && exchange::best(&after.after(*answer), stands) == 0
    };
    let legal = after.legal_moves().into_iter();
    let answers: Vec<Move> = legal.filter(saves).collect();
    if moment.answer.is_none_or(|expected| answers.contains(&expected)) {
        return None;
    }
    let course = answered(moment, &answers, judge).filter(|course| course.gain > 0)?;
    told_next(&course.telling()).or_else(|| zugzwang_next(moment, &course, judge))
}

/// The mate that follows wherever an attacked piece goes, if it can go anywhere.
fn flight_is_mated(moment: &Moment, target: Square) -> Option<Reason> {
    let after = moment.question.position.after(moment.m);
    let mated = |flight: Move| {
        let fled = after.after(flight);
        let mates = |m: &Move| {
            let end = fled.after(*m);
            end.in_check() && !end.has_moves()
        };
        let mate = fled.legal_moves().into_iter().find(mates)?;
        Some([moment.m, flight, mate])
    };
    let flights = after
        .legal_moves()
        .into_iter()
        .filter(|flight| flight.from() == target);
    let lines: Vec<_> = flights.map(mated).collect::<Option<_>>()?;
    let line = line_of(moment.question.position, lines.first()?);
    let mate = super::claims(&line)
        .into_iter()
        .find(|claim| claim.ply == 2 && claim.motif.is_mate())?;
    claimed(Role::Achieves, mate, line)
}

/// The same of a player whose move has been answered by an attack: what meets the best way to save what is attacked.
pub fn saving_fails_after(question: &Question, played: &Course, judge: &mut dyn Judge) -> Option<Reason> {
    played.line.at(1).filter(|answer| !answer.is_capture())?;
    let fails = after_the_answer(question, played, |moment| saving_fails(moment, judge))?;
    turned_against(question, played.line.at(0)?, &fails)
}

/// What the answer to a move threatens, where that is a piece or mate.
pub fn answer_threatens(question: &Question, played: &Course, judge: &mut dyn Judge) -> Option<Reason> {
    let threat = after_the_answer(question, played, |moment| moment.threatens(judge))?;
    // what the answer attacks is a claim of its own
    let takes = threat.line.at(0).filter(|m| m.is_capture());
    let landing = played.line.at(1)?.landing();
    let is_great = match threat.motif() {
        Some(Motif::Material { centipawns, .. }) => *centipawns >= SMALL,
        _ => true,
    };
    (is_great && takes.is_none_or(|m| m.from() != landing)).then_some(Reason {
        role: Role::AllowsThreat,
        made_by: Some(played.line.prefix(2)),
        ..threat
    })
}

/// What is to be seen of an answer to a move, no check, as a move of the opponent.
pub fn after_the_answer<T>(
    question: &Question,
    played: &Course,
    look: impl FnOnce(&Moment) -> Option<T>,
) -> Option<T> {
    let line = &played.line;
    let answer = line.at(1)?;
    if line.after(1).in_check() {
        return None;
    }
    let history = [question.history, &[question.position.key()]].concat();
    look(&Moment {
        question: Question {
            position: line.after(0),
            history: &history,
            ..*question
        },
        m: answer,
        worth: Assessment {
            expected: -played.worth,
            ..Assessment::of(0)
        },
        answer: line.at(2),
        next: OnceCell::new(),
    })
}

/// Where the best of these answers leads.
fn answered(moment: &Moment, answers: &[Move], judge: &mut dyn Judge) -> Option<Course> {
    if answers.is_empty() {
        return None;
    }
    let after = moment.question.position.after(moment.m);
    let history = [moment.question.history, &[moment.question.position.key()]].concat();
    let found = judge.search(&Question {
        position: &after,
        history: &history,
        moves: answers,
        nodes: moment.question.share(),
    });
    let answer = Finding {
        line: [&[moment.m][..], &found.line].concat(),
        score: -found.score,
        nodes: found.nodes,
    };
    let course = Course::follow(&moment.question, &answer, judge);
    (course.line.len() > 2).then_some(course)
}

/// The most valuable piece that the first move of a line attacks and would win.
fn target(line: &Line) -> Option<Square> {
    let attacked = super::claims(line)
        .into_iter()
        .filter_map(|claim| match claim.motif {
            Motif::ThreatensCapture {
                target, centipawns, ..
            } => Some((centipawns, target)),
            _ => None,
        });
    attacked
        .max_by_key(|&(centipawns, _)| centipawns)
        .map(|(_, target)| target)
}

/// The tactic of the first player's second move, or of the third after a check.
fn told_next(line: &Line) -> Option<Reason> {
    let us = line.mover(0);
    let is_soon = |ply: usize| ply == 2 || ply == 4 && line.after(2).in_check();
    let is_tactic = |claim: &Claim| {
        let tactic = matches!(
            claim.motif,
            Motif::Fork { .. }
                | Motif::DoubleAttack { .. }
                | Motif::Skewer { .. }
                | Motif::DiscoveredAttack { .. }
                | Motif::PinPreventsEscape { .. }
                | Motif::Trapped { .. }
                | Motif::Deflection { .. }
                | Motif::Overloaded { .. }
                | Motif::Interference { .. }
        );
        let counts = || rank::weight(line, claim) >= rank::LEAST && rank::favours(line, claim) == us;
        is_soon(claim.ply) && (tactic || claim.motif.is_mate()) && counts()
    };
    let tactics = super::claims(line).into_iter().filter(is_tactic);
    let first = tactics.max_by_key(|claim| rank::weight(line, claim))?;
    claimed(Role::Achieves, first, line.clone())
}

/// That the first player's second move leaves the other side without a good one.
pub fn zugzwang_next(moment: &Moment, course: &Course, judge: &mut dyn Judge) -> Option<Reason> {
    let line = course.line.prefix(3);
    if line.len() < 3 || !endings::has_few_pieces(line.end()) || line.end().in_check() {
        return None;
    }
    let next = Moment {
        question: Question {
            position: line.after(1),
            history: &[],
            ..moment.question
        },
        m: line.at(2)?,
        worth: Assessment {
            expected: course.worth,
            ..moment.worth
        },
        answer: None,
        next: OnceCell::new(),
    };
    next.zugzwang(next.after_pass(judge)?)?;
    let king = line.end().king(line.end().side_to_move());
    let motif = Motif::Zugzwang { king, proved: false };
    claimed(Role::Achieves, Claim { ply: 2, motif }, line)
}
