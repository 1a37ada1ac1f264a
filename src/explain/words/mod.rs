//! Words: what an explanation says in Catalan, Spanish or English.
//!
//! Every sentence is made from one value of an [`Explanation`] by messages of one file for each language (`*.ftl`, in
//! [Fluent](https://projectfluent.org)'s form). A claim becomes a *predicate* whose subject is a move ("Nc7+" "forks the
//! king on e8 and the rook on a8"), and `reasons` puts the sentence around it.

mod changes;
mod claims;
mod facts;
mod language;
mod net;
mod notation;
mod reasons;
mod themes;
mod verdict;
mod voice;

pub use language::{Language, Notation, UnknownWord};
pub use notation::renamed;

use super::claim::{Claim, Motif};
use super::explanation::{Explanation, Grade, Reason, Role};
use super::line::Line;
use crate::board::Color;
use voice::{Voice, color_name};

/// What is said of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// Two or three sentences: how good the move is, and the main reason.
    pub summary: Vec<String>,
    /// Everything else that speaks for or against the move, a sentence each.
    pub details: Vec<String>,
    /// What a bad move costs in numbers, what can be counted on the board, and the network's view: for who asks for it.
    pub more: Vec<String>,
}

/// Puts explanations into words of one language.
pub struct Writer {
    voice: Voice,
}

impl Writer {
    /// A writer of a language, with moves in a notation.
    pub fn new(language: Language, notation: Notation) -> Writer {
        Writer {
            voice: Voice::new(language, notation),
        }
    }

    /// What an explanation says.
    pub fn explanation(&self, explanation: &Explanation) -> Text {
        let voice = &self.voice;
        let mut summary = verdict::headline(voice, explanation);
        let mut details = verdict::details(voice, explanation);
        let told = &explanation.summary;
        summary.extend(told.iter().map(|&place| {
            let is_poor = explanation.verdict.is_costly() || explanation.verdict.is_outdone();
            reasons::about_it(voice, &explanation.reasons[place], is_poor)
        }));
        let others = explanation.reasons.iter().enumerate();
        let others = others.filter(|&(place, _)| !told.contains(&place));
        details.extend(others.map(|(_, reason)| reasons::sentence(voice, reason)));
        // nothing, or that something is given, or what a mistake changes on the board, says little without the moves that follow
        let is_vague = |&place: &usize| {
            let reason = &explanation.reasons[place];
            let is_small = reason.motif().is_none() && reason.line.len() == 1 && reason.role != Role::Answers;
            let gives = matches!(reason.motif(), Some(Motif::Sacrifice { .. }));
            gives || is_small && explanation.verdict.grade >= Grade::Mistake
        };
        if told.iter().all(is_vague) {
            let course = &explanation.course;
            summary.extend(match verdict::is_bad(explanation) {
                true => reasons::answer_to(voice, course),
                false => reasons::expected(voice, course),
            });
        }
        if let Some(better) = &explanation.better {
            let main = better.summary;
            let loses = explanation.reasons.iter().any(Reason::is_loss);
            let sentence = reasons::better(voice, better, main.map(|place| &better.reasons[place]), loses);
            let is_bad = verdict::is_bad(explanation);
            if is_bad || explanation.verdict.is_outdone() {
                summary.push(sentence);
            }
            let others = better.reasons.iter().enumerate();
            let others = others.filter(|&(place, _)| Some(place) != main && is_bad);
            let m = || voice.one_move(&better.line, 0);
            details.extend(others.map(|(_, reason)| reasons::sentence_about(voice, reason, m())));
        }
        summary.extend(verdict::stands(voice, explanation));
        details.extend(facts::sentences(voice, explanation));
        let mut more: Vec<String> = verdict::expects(voice, explanation).into_iter().collect();
        more.extend(facts::counts(voice, explanation));
        if let Some(view) = &explanation.net_view {
            more.extend(net::sentences(voice, explanation, view));
        }
        Text {
            summary,
            details,
            more,
        }
    }

    /// What the moves of a line do, a sentence for each claim.
    pub fn line(&self, line: &Line, claims: &[Claim]) -> Vec<String> {
        let sentence = |claim| reasons::plain(&self.voice, line, claim);
        claims.iter().map(sentence).collect()
    }

    /// A heading or label of a page, by the name of its message.
    pub fn label(&self, message: &str) -> String {
        self.voice.say(message, [])
    }

    /// A sentence about a game by the name of its message, with texts for its variables.
    pub fn say(&self, message: &str, variables: &[(&'static str, String)]) -> String {
        let variables = variables.iter().map(|(name, text)| (*name, text.clone().into()));
        self.voice.sentence(message, variables)
    }

    /// "White".
    pub fn player(&self, color: Color) -> String {
        self.voice.say("player", [("color", color_name(color).into())])
    }

    /// The moves of a line, numbered.
    pub fn moves(&self, line: &Line) -> String {
        self.voice.moves(line, 0..line.len())
    }
}
