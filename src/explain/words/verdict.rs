//! How good the move is, in words.

use super::facts;
use super::voice::{Argument, Voice};
use crate::board::Color;
use crate::explain::claim::Motif;
use crate::explain::explanation::{Assessment, Explanation, Grade, MateNews, OnlyMove, Reason};

/// Whether the move costs something worth talking about.
pub fn is_bad(explanation: &Explanation) -> bool {
    explanation.verdict.grade >= Grade::Inaccuracy
}

/// The first sentences: the grade, and what it means for the game.
pub fn headline(voice: &Voice, explanation: &Explanation) -> Vec<String> {
    let verdict = &explanation.verdict;
    let played = &explanation.played;
    let m = voice.played(&played.position, played.m);
    let m = || ("move", m.clone().into());
    let us = played.position.side_to_move();
    let mut sentences = vec![match verdict.only {
        Some(OnlyMove::Legal) => voice.sentence("only-legal", [m()]),
        Some(OnlyMove::Good) if !is_bad(explanation) => voice.sentence("only-good", [m()]),
        // in a lost position no move is called good
        _ if verdict.grade == Grade::Good && verdict.before.is_lost() => {
            let key = if hastens_the_end(&verdict.mates) {
                "hastens"
            } else {
                "changes-little"
            };
            voice.sentence(key, [m()])
        }
        _ if verdict.theory && verdict.grade == Grade::Good => theory(voice, explanation, m()),
        _ if verdict.howler => voice.sentence("howler", [m()]),
        _ if verdict.grade == Grade::Good && verdict.is_outdone() => {
            voice.sentence("grade", [m(), ("grade", "playable".into())])
        }
        _ => voice.sentence("grade", [m(), ("grade", grade(verdict.grade).into())]),
    }];
    if let Some(opening) = explanation.opening.filter(|_| verdict.grade < Grade::Blunder) {
        let name = ("name", opening.name.into());
        sentences.push(voice.sentence("opening", [name, ("eco", opening.eco.into())]));
    }
    if let Some(ending) = facts::draw(explanation).filter(|_| is_bad(explanation)) {
        sentences.push(facts::ends(voice, ending));
    }
    let told = verdict.mates.first().filter(|news| is_near(news));
    match told {
        // that the move mates is a reason of its own
        Some(MateNews::Mates { moves: 1, .. }) if !explanation.reasons.is_empty() => {}
        Some(&news) => sentences.push(mate(voice, news, us)),
        None => {
            let states = [verdict.before, verdict.after].map(state);
            let player = ("player", voice.player(us));
            if turns(explanation) {
                let [before, after] = states.map(Into::into);
                sentences.push(voice.sentence("turns", [player, ("before", before), ("after", after)]));
            } else if !is_bad(explanation) && explanation.reasons.is_empty() {
                sentences.push(voice.sentence("stands", [player, ("state", states[1].into())]));
            }
        }
    }
    sentences
}

/// Whether a lost game ends much earlier by mate than it had to.
fn hastens_the_end(mates: &[MateNews]) -> bool {
    mates.iter().any(|news| match *news {
        MateNews::Suffered { moves, best, .. } => best >= moves + MUCH_EARLIER,
        MateNews::Allowed { moves, .. } => moves <= MUCH_EARLIER,
        _ => false,
    })
}

/// So many moves of resistance are worth a word.
const MUCH_EARLIER: u32 = 3;

/// That a move is known, and a better one where it costs something all the same.
fn theory(voice: &Voice, explanation: &Explanation, m: Argument) -> String {
    let costs = Grade::of(explanation.verdict.drop) >= Grade::Inaccuracy;
    match explanation.better.as_ref().filter(|_| costs) {
        Some(better) => voice.sentence(
            "theory-though",
            [m, ("better", voice.one_move(&better.line, 0).into())],
        ),
        None => voice.sentence("theory", [m]),
    }
}

/// Whether a mate is proved, or near enough to be believed.
fn is_near(news: &MateNews) -> bool {
    match *news {
        MateNews::Mates { moves, proved }
        | MateNews::Missed { moves, proved }
        | MateNews::Allowed { moves, proved }
        | MateNews::Delayed {
            best: moves, proved, ..
        }
        | MateNews::Suffered {
            best: moves, proved, ..
        } => proved || moves <= FARTHEST_BELIEVED,
    }
}

/// A mate that the engine sees farther away than this is told as a won game.
const FARTHEST_BELIEVED: u32 = 12;

/// Whether the game stands otherwise after a costly move, which is said at once.
fn turns(explanation: &Explanation) -> bool {
    let verdict = &explanation.verdict;
    verdict.is_costly() && state(verdict.before) != state(verdict.after)
}

/// Where the game stands after a move that costs little, and after a bad one and the better one if that is the same: the last
/// sentence.
pub fn stands(voice: &Voice, explanation: &Explanation) -> Option<String> {
    let us = explanation.played.position.side_to_move();
    let state = ("state", state(explanation.verdict.after).into());
    let (key, is_told) = match is_bad(explanation) {
        true => ("either-way", explanation.verdict.mates.is_empty()),
        false => ("stands", tells_where_it_stands(explanation)),
    };
    (is_told && !turns(explanation)).then(|| voice.sentence(key, [("player", voice.player(us)), state]))
}

/// More mates.
pub fn details(voice: &Voice, explanation: &Explanation) -> Vec<String> {
    let us = explanation.played.position.side_to_move();
    let mates = explanation.verdict.mates.iter().skip(1);
    mates
        .filter(|news| is_near(news))
        .map(|&news| mate(voice, news, us))
        .collect()
}

/// What a bad move costs in expected score.
pub fn expects(voice: &Voice, explanation: &Explanation) -> Option<String> {
    let verdict = &explanation.verdict;
    let [before, after] = [verdict.before, verdict.after].map(percent);
    let player = voice.player(explanation.played.position.side_to_move());
    let counts = [("before", before.into()), ("after", after.into())];
    is_bad(explanation).then(|| voice.sentence("expects", [("player", player)].into_iter().chain(counts)))
}

/// Whether it is said how the game stands: beside reasons, unless a mate says it, or a search that calls the game lost where
/// stalemate may save it has not seen far enough.
fn tells_where_it_stands(explanation: &Explanation) -> bool {
    let verdict = &explanation.verdict;
    let is_stalemate = |reason: &Reason| matches!(reason.motif(), Some(Motif::StalemateTrick { .. }));
    let may_be_saved = verdict.after.is_lost() && explanation.reasons.iter().any(is_stalemate);
    !explanation.reasons.is_empty() && !verdict.mates.iter().any(is_near) && !may_be_saved
}

fn grade(grade: Grade) -> &'static str {
    match grade {
        Grade::Best => "best",
        Grade::Good => "good",
        Grade::Inaccuracy => "inaccuracy",
        Grade::Mistake => "mistake",
        Grade::Blunder => "blunder",
    }
}

/// Where the game stands for the player.
fn state(assessment: Assessment) -> &'static str {
    match assessment.expected {
        _ if assessment.is_lost() => "lost",
        x if x <= -Assessment::BETTER => "worse",
        x if x <= -Assessment::SLIGHTLY_BETTER => "slightly-worse",
        x if x < Assessment::SLIGHTLY_BETTER => "equal",
        x if x < Assessment::BETTER => "slightly-better",
        x if x < Assessment::WINNING => "better",
        _ => "winning",
    }
}

/// The expected score as a share of the point.
fn percent(assessment: Assessment) -> i64 {
    (50.0 * (assessment.expected + 1.0)).round() as i64
}

fn mate(voice: &Voice, news: MateNews, us: Color) -> String {
    let count = |key: &'static str, number: u32| -> Argument { (key, number.into()) };
    let proof = |proved: bool| -> Argument { ("proof", if proved { "proved" } else { "seen" }.into()) };
    let opponent = ("opponent", voice.player(!us));
    match news {
        MateNews::Mates { moves, proved } => voice.sentence("mates", [count("moves", moves), proof(proved)]),
        MateNews::Delayed { best, moves, proved } => voice.sentence(
            "mate-delayed",
            [count("moves", moves), count("best", best), proof(proved)],
        ),
        MateNews::Missed { moves, proved } => {
            voice.sentence("mate-missed", [count("moves", moves), proof(proved)])
        }
        MateNews::Allowed { moves, proved } => {
            voice.sentence("mate-allowed", [opponent, count("moves", moves), proof(proved)])
        }
        MateNews::Suffered { moves, best, proved } if moves == best => {
            voice.sentence("mate-suffered", [opponent, count("moves", moves), proof(proved)])
        }
        MateNews::Suffered { moves, best, proved } => voice.sentence(
            "mate-hastened",
            [
                opponent,
                count("moves", moves),
                count("best", best),
                proof(proved),
            ],
        ),
    }
}
