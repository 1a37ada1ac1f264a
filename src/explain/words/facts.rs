//! What anybody can see on the board, in words.

use super::voice::{Voice, at};
use crate::board::{Ending, Piece, PieceType};
use crate::explain::change::FileState;
use crate::explain::claim::Motif;
use crate::explain::explanation::{Explanation, Grade, Said};
use crate::explain::facts::{Ring, Span};

/// How the game ends, unless the summary has told it, and whether the move takes back.
pub fn sentences(voice: &Voice, explanation: &Explanation) -> Vec<String> {
    let facts = &explanation.facts;
    let played = &explanation.played;
    let mut sentences = Vec::new();
    if let Some(kind) = facts
        .captures
        .filter(|_| facts.recaptures && !takes_free(explanation))
    {
        let victim = ("piece", voice.counted(kind, 1).into());
        let m = ("move", voice.played(&played.position, played.m).into());
        sentences.push(voice.sentence("fact-recaptures", [m, victim]));
    }
    if let Some(ending) = facts.ends {
        let is_told = draw(explanation).is_some() && explanation.verdict.grade >= Grade::Inaccuracy;
        if !is_told {
            sentences.push(ends(voice, ending));
        }
    }
    sentences
}

/// A sentence for each count that tells something: not for one that stayed the same; the edge only for a knight, the file
/// only for a rook or queen.
pub fn counts(voice: &Voice, explanation: &Explanation) -> Vec<String> {
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
    if let Some(kind) = facts
        .captures
        .filter(|_| !facts.recaptures && !takes_free(explanation))
    {
        let victim = ("piece", voice.counted(kind, 1).into());
        sentences.push(voice.sentence("fact-captures", [with_move(), victim]));
    }
    if facts.ends.is_some() {
        return sentences;
    }
    let kind = after.piece_on(landing).map(Piece::kind);
    let place = match facts.place {
        Ring::Centre => Some("centre"),
        Ring::Edge if kind == Some(PieceType::Knight) => Some("edge"),
        Ring::Middle | Ring::Edge => None,
    };
    sentences.extend(place.map(|place| voice.sentence("fact-place", [piece(), ("place", place.into())])));
    let changes = |span: &Span| span.before != span.after;
    if changes(&facts.sees) {
        let [from, to] = span(facts.sees);
        sentences.push(voice.sentence("fact-sees", [piece(), from, to]));
    }
    if let Some(mobility) = facts.mobility {
        let counts = [(us, mobility.own), (!us, mobility.opponent)];
        // a count of 0 before the move only means that the side could not have moved twice in a row
        let tells = |count: &Span| changes(count) && count.before > 0;
        for (color, count) in counts.into_iter().filter(|(_, count)| tells(count)) {
            let [from, to] = span(count);
            sentences.push(voice.sentence("fact-mobility", [("player", voice.player(color)), from, to]));
        }
    }
    let state = match facts.file {
        FileState::Open => Some("open"),
        FileState::HalfOpen => Some("half-open"),
        FileState::Closed => None,
    };
    let uses_files = matches!(kind, Some(PieceType::Rook | PieceType::Queen));
    if let Some(state) = state.filter(|_| uses_files) {
        let player = ("player", voice.player(us));
        sentences.push(voice.sentence("fact-file", [("state", state.into()), at(landing), player]));
    }
    sentences
}

/// Whether a reason says already what the move takes.
fn takes_free(explanation: &Explanation) -> bool {
    let takes = |said: &Said| matches!(said, Said::Claim(claim) if claim.ply == 0 && matches!(claim.motif, Motif::TakesFree { .. }));
    explanation.reasons.iter().any(|reason| takes(&reason.said))
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
