//! What a line changes, as predicates of the line.

use super::themes;
use super::voice::{Voice, at, color_name};
use crate::board::PieceType;
use crate::explain::change::{Change, FileState};
use crate::explain::line::Line;

/// What is different, to follow the move or the line that made it so.
pub fn predicate(voice: &Voice, line: &Line, change: &Change) -> String {
    let end = line.end();
    let piece = |square| ("piece", voice.on(end, square));
    let counts = |before: u32, after: u32| [("before", before.into()), ("after", after.into())];
    match *change {
        Change::Mobility {
            square,
            before,
            after,
            ..
        } => {
            let [from, to] = counts(before, after);
            let key = ["mobility-less", "mobility-more"][usize::from(after > before)];
            voice.say(key, [piece(square), from, to])
        }
        Change::Shelter {
            king, before, after, ..
        } => {
            let [from, to] = counts(before, after);
            let key = ["shelter-less", "shelter-more"][usize::from(after > before)];
            voice.say(key, [("king", voice.on(end, king)), from, to])
        }
        Change::TakesFile { square, state, .. } => {
            let state = match state {
                FileState::Open => "open",
                FileState::HalfOpen | FileState::Closed => "half-open",
            };
            voice.say("takes-file", [piece(square), ("state", state.into())])
        }
        Change::Outpost { square, .. } => voice.say("outpost", [piece(square)]),
        Change::WeakSquare { color, square } => {
            voice.say("weak-square", [at(square), ("color", color_name(color).into())])
        }
        Change::PassedPawn { color, pawn } => {
            voice.say("passed-pawn", [("player", voice.player(color)), at(pawn)])
        }
        Change::IsolatedPawn { pawn, .. } => {
            voice.say("isolated-pawn", [("pawn", voice.piece_at(PieceType::Pawn, pawn))])
        }
        Change::DoubledPawns { color, pawn } => {
            voice.say("doubled-pawns", [("player", voice.player(color)), at(pawn)])
        }
        Change::LosesBishopPair { color, other_has_it } => {
            let rival = ("rival", if other_has_it { "has" } else { "none" }.into());
            if color == line.mover(0) {
                voice.say("loses-bishop-pair", [("other", voice.player(!color)), rival])
            } else {
                voice.say("takes-bishop-pair", [("player", voice.player(color)), rival])
            }
        }
        Change::Theme {
            theme,
            color,
            square,
            other,
        } => themes::predicate(voice, line, theme, color, square, other),
        Change::Space { color, before, after } => {
            let [from, to] = counts(before, after);
            let key = ["space-less", "space-more"][usize::from(after > before)];
            voice.say(key, [("player", voice.player(color)), from, to])
        }
    }
}
