//! Sentences around predicates: which move does something, and after which other moves.

use super::voice::{Argument, Voice};
use super::{changes, claims};
use crate::explain::change::Change;
use crate::explain::check::exchange::balance;
use crate::explain::claim::{Claim, Motif};
use crate::explain::explanation::{Better, Reason, Role, Said};
use crate::explain::line::Line;
use crate::explain::theme::Theme;

/// What a reason says, and the ply of the line whose move does it; none if it is the line as a whole.
fn predicate(voice: &Voice, reason: &Reason) -> (Option<usize>, String) {
    let line = &reason.line;
    if reason.role == Role::Prepares {
        let text = match &reason.said {
            Said::Claim(claim) => claims::predicate(voice, line, claim),
            Said::Change(change) => changes::predicate(voice, line, change),
        };
        let next = word("move", voice.one_move(line, 0));
        return (Some(0), voice.say("prepares", [next, word("predicate", text)]));
    }
    match &reason.said {
        Said::Claim(claim) if reason.role.is_threat() => {
            let is_met = matches!(reason.role, Role::Prevents | Role::AnswersThreat);
            let m = || word("move", voice.one_move(line, 0));
            // the sign of the move says what it does
            if reason.is_mate() && line.len() == 1 {
                let key = if is_met { "meets-mate" } else { "makes-mate" };
                return (Some(0), voice.say(key, [m()]));
            }
            let key = if is_met { "meets-threat" } else { "makes-threat" };
            let text = if reason.is_mate() && claim.ply > 0 {
                let moves = claim.ply.div_ceil(2) + 1 - claim.ply % 2;
                voice.say("forces-mate", [("moves", moves.into())])
            } else {
                claims::predicate(voice, line, claim)
            };
            (Some(0), voice.say(key, [m(), word("predicate", text)]))
        }
        Said::Claim(claim) => {
            let text = claims::predicate(voice, line, claim);
            let text = match reason.way_out {
                Some(_) => voice.say("in-the-line", [word("predicate", text)]),
                None if reason.is_unsound() => voice.say("for-too-little", [word("predicate", text)]),
                None => text,
            };
            (Some(claim.subject()), text)
        }
        Said::Change(change) if reason.role == Role::Prevents => {
            let moves = match line.len() {
                1 => voice.one_move(line, 0),
                _ => voice.moves(line, 0..line.len()),
            };
            let text = word("predicate", changes::predicate(voice, line, change));
            (Some(0), voice.say("forestalls", [word("move", moves), text]))
        }
        Said::Change(change) => {
            // what the other player does with the last move of the line is said of that move
            let last = line.len().checked_sub(1);
            let is_theirs = |ply: usize| {
                let favoured = ply > 0 && line.mover(ply) == change.favours();
                favoured && reason.role == Role::Allows
            };
            // the answer only ends what the first move has begun
            let is_begun = match change {
                Change::LosesBishopPair { color, .. } => *color == line.mover(0),
                Change::Theme { theme, .. } => matches!(
                    theme,
                    Theme::LetsKingIn
                        | Theme::GivesGoodBishop
                        | Theme::GivesKingBishop
                        | Theme::MendsPawn
                        | Theme::GivesUpWedge
                        | Theme::TakesPost
                        | Theme::TakesOwnFlight
                        | Theme::UnblocksPawn
                        | Theme::BlocksOwnGuard
                        | Theme::GoesBack
                        | Theme::LeavesSquare
                        | Theme::GivesUpGuard
                        | Theme::DrivesKingOn
                        | Theme::Provokes
                ),
                _ => false,
            };
            let ply = match is_begun {
                true => Some(0),
                false => last.filter(|&ply| ply == 0 || is_theirs(ply)),
            };
            (ply, changes::predicate(voice, line, change))
        }
    }
}

fn word(key: &'static str, text: String) -> Argument {
    (key, text.into())
}

/// A reason right after the sentence that names the move: "It forks ...", or "But it ..." for the drawback of a move that
/// is not poor.
pub fn about_it(voice: &Voice, reason: &Reason, is_poor: bool) -> String {
    if matches!(
        reason.role,
        Role::Avoids | Role::AllowsThreat | Role::Answers | Role::AnswersThreat
    ) {
        return sentence(voice, reason);
    }
    match predicate(voice, reason) {
        (Some(0), text) => {
            let is_drawback = reason.role == Role::Allows && !is_poor;
            let key = if is_drawback { "but-it" } else { "says-it" };
            with_proof(voice, reason, voice.sentence(key, [word("predicate", text)]))
        }
        _ => sentence(voice, reason),
    }
}

/// A reason by itself.
pub fn sentence(voice: &Voice, reason: &Reason) -> String {
    sentence_of(voice, reason, None)
}

/// A reason for a move other than the one that is explained, by itself.
pub fn sentence_about(voice: &Voice, reason: &Reason, m: String) -> String {
    sentence_of(voice, reason, Some(m))
}

fn sentence_of(voice: &Voice, reason: &Reason, of: Option<String>) -> String {
    let line = &reason.line;
    let (ply, text) = predicate(voice, reason);
    if matches!(reason.motif(), Some(Motif::TakingIsWorse { .. })) {
        return voice.sentence("by-itself", [word("predicate", text)]);
    }
    let text = word("predicate", text);
    if let Some(made_by) = &reason.made_by {
        let sentence = voice.sentence("says-answer", [answer(voice, made_by), text]);
        return with_proof(voice, reason, sentence);
    }
    let Some(ply) = ply else {
        let moves = word("line", voice.moves(line, 0..line.len()));
        return voice.sentence("says-line", [moves, text]);
    };
    let m = word("move", voice.one_move(line, ply));
    let before = || word("line", voice.moves(line, 0..ply));
    let sentence = match (reason.role, ply) {
        // the line begins after a pass
        (role, _) if role.is_threat() => match of {
            Some(m) => voice.sentence("says-move", [word("move", m), text]),
            None => voice.sentence("says-it", [text]),
        },
        (Role::Avoids, 0) => voice.sentence("second-move", [m, text]),
        (Role::Avoids, _) => voice.sentence("second-answer", [before(), m, text]),
        (_, 0) => voice.sentence("says-move", [m, text]),
        (Role::Allows, 1) => voice.sentence("says-answer", [answer(voice, line), text]),
        (_, _) => voice.sentence("says-later", [before(), m, text]),
    };
    with_proof(voice, reason, sentence)
}

/// The answer to a move, with its number where it would read as the same move.
fn answer(voice: &Voice, line: &Line) -> Argument {
    let [played, answer] = [0, 1].map(|ply| voice.one_move(line, ply));
    word(
        "move",
        if played == answer {
            voice.moves(line, 1..2)
        } else {
            answer
        },
    )
}

/// The plies of a line that show who wins what: a last quiet move by the side that loses shows nothing.
fn telling(reason: &Reason) -> usize {
    let line = &reason.line;
    let plies = line.len();
    let Some((&Motif::Material { winner, .. }, &last)) = reason.motif().zip(line.moves().last()) else {
        return plies;
    };
    let is_idle = line.mover(plies - 1) != winner && last.is_quiet() && !line.end().in_check();
    plies - usize::from(is_idle)
}

/// What is said of a whole line needs the line.
fn with_proof(voice: &Voice, reason: &Reason, sentence: String) -> String {
    let line = &reason.line;
    let threat_of_mate = reason.role.is_threat() && reason.is_mate();
    let of_all = matches!(&reason.said, Said::Claim(claim) if claim.ply > claim.subject())
        || threat_of_mate && line.len() > 1;
    let plies = telling(reason);
    if !of_all || plies < 2 {
        return sentence;
    }
    let moves = word("line", voice.moves(line, 0..plies));
    let is_threat = reason.role.is_threat();
    let key = if is_threat { "with-threat" } else { "with-proof" };
    let proved = voice.sentence(key, [word("sentence", sentence), moves]);
    let Some(way_out) = &reason.way_out else {
        return proved;
    };
    let m = word("move", voice.moves(&way_out.line, way_out.ply..way_out.ply + 1));
    let worth = ("worth", if way_out.worse { "worse" } else { "alike" }.into());
    voice.sentence("with-way-out", [word("sentence", proved), m, worth])
}

/// The moves that the search expects after a bad move for which there is no reason in words; none if the game is over.
pub fn answer_to(voice: &Voice, course: &Line) -> Option<String> {
    let plies = course.len().min(ANSWER);
    let moves = || word("line", voice.moves(course, 1..plies));
    (plies > 1).then(|| voice.sentence("is-answered", [word("move", voice.one_move(course, 0)), moves()]))
}

/// The moves that the search expects where there is no reason in words for a move that is not bad.
pub fn expected(voice: &Voice, course: &Line) -> Option<String> {
    let plies = course.len().min(EXPECTED);
    (plies > 1).then(|| voice.sentence("is-expected", [word("line", voice.moves(course, 0..plies))]))
}

/// So many plies of an expected line are shown where nothing else is said of a good move or of a better one.
const EXPECTED: usize = 5;

/// The same of a bad one.
const ANSWER: usize = 4;

/// "Better was ...", with what the better move does, or with the moves that are expected then; where the explained move loses
/// something, and these do not, with that.
pub fn better(voice: &Voice, better: &Better, reason: Option<&Reason>, loses: bool) -> String {
    let Some(reason) = reason else {
        let plies = better.line.len().min(EXPECTED);
        let moves = match plies {
            1 => voice.one_move(&better.line, 0),
            _ => voice.moves(&better.line, 0..plies),
        };
        let us = better.line.mover(0);
        let keeps = balance(better.line.end(), us) >= balance(better.line.start(), us);
        let message = if loses && keeps {
            "better-keeps"
        } else {
            "better-move"
        };
        return voice.sentence(message, [word("move", moves)]);
    };
    let line = &reason.line;
    let m = word("move", voice.one_move(&better.line, 0));
    let sentence = match predicate(voice, reason) {
        (Some(0), text) => voice.sentence("better-why", [m, word("predicate", text)]),
        (Some(ply), text) => {
            let before = word("line", voice.moves(line, 0..ply));
            let m = word("move", voice.one_move(line, ply));
            voice.sentence("better-later", [before, m, word("predicate", text)])
        }
        (None, text) => {
            let moves = word("move", voice.moves(line, 0..line.len()));
            voice.sentence("better-why", [moves, word("predicate", text)])
        }
    };
    with_proof(voice, reason, sentence)
}

/// A claim about a move of a line, by itself.
pub fn plain(voice: &Voice, line: &Line, claim: &Claim) -> String {
    let ply = claim.subject();
    let text = word("predicate", claims::predicate(voice, line, claim));
    // what later moves bring is not said of the first
    if claim.ply > ply {
        let moves = word("line", voice.moves(line, 0..line.len()));
        return voice.sentence("says-line", [moves, text]);
    }
    let m = word("move", voice.moves(line, ply..ply + 1));
    voice.sentence("says-move", [m, text])
}
