//! What anybody can see on the board, in words.

use super::voice::{Voice, at};
use crate::board::Ending;
use crate::explain::change::FileState;
use crate::explain::explanation::{Explanation, Grade};
use crate::explain::facts::{Place, Span};

/// A sentence for each fact that is worth one; that a bad move draws the game is told in the summary.
pub fn sentences(voice: &Voice, explanation: &Explanation) -> Vec<String> {
    let facts = &explanation.facts;
    let played = &explanation.played;
    let (position, m) = (&played.position, played.m);
    let after = position.after(m);
    let us = position.side_to_move();
    let landing = m.landing();
    let move_text = voice.played(position, m);
    let with_move = || ("move", move_text.clone().into());
    let piece = || ("piece", voice.on(&after, landing));
    let span = |span: Span| [("before", span.before.into()), ("after", span.after.into())];
    let mut sentences = Vec::new();
    if facts.answers_check {
        sentences.push(voice.sentence("fact-answers-check", [with_move()]));
    }
    if facts.gives_check && facts.ends.is_none() {
        sentences.push(voice.sentence("fact-gives-check", [with_move()]));
    }
    if let Some(kind) = facts.captures {
        let victim = ("piece", voice.counted(kind, 1).into());
        let key = ["fact-captures", "fact-recaptures"][usize::from(facts.recaptures)];
        sentences.push(voice.sentence(key, [with_move(), victim]));
    }
    if let Some(ending) = facts.ends {
        let is_told = draw(explanation).is_some() && explanation.verdict.grade >= Grade::Inaccuracy;
        if !is_told {
            sentences.push(ends(voice, ending));
        }
        return sentences;
    }
    let place = match facts.place {
        Place::Centre => "centre",
        Place::Middle => "middle",
        Place::Edge => "edge",
    };
    sentences.push(voice.sentence("fact-place", [piece(), ("place", place.into())]));
    let [from, to] = span(facts.sees);
    sentences.push(voice.sentence("fact-sees", [piece(), from, to]));
    if let Some(mobility) = facts.mobility {
        for (color, count) in [(us, mobility.own), (!us, mobility.opponent)] {
            let [from, to] = span(count);
            sentences.push(voice.sentence("fact-mobility", [("player", voice.player(color)), from, to]));
        }
    }
    let state = match facts.file {
        FileState::Open => Some("open"),
        FileState::HalfOpen => Some("half-open"),
        FileState::Closed => None,
    };
    if let Some(state) = state {
        let player = ("player", voice.player(us));
        sentences.push(voice.sentence("fact-file", [("state", state.into()), at(landing), player]));
    }
    sentences
}

/// How the move draws the game by the board alone, if it does.
pub fn draw(explanation: &Explanation) -> Option<Ending> {
    let ending = explanation.facts.ends;
    ending.filter(|&ending| ending != Ending::Checkmate)
}

/// How the game ends.
pub fn ends(voice: &Voice, ending: Ending) -> String {
    voice.sentence("fact-ends", [("ending", name(ending).into())])
}

fn name(ending: Ending) -> &'static str {
    match ending {
        Ending::Checkmate => "checkmate",
        Ending::Stalemate => "stalemate",
        Ending::InsufficientMaterial => "insufficient-material",
        Ending::FiftyMoves => "fifty-moves",
        Ending::Repetition => "repetition",
    }
}
