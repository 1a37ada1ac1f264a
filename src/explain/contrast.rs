//! What two moves have in common: it makes no difference between them.

use super::change::Change;
use super::check::{self, exchange};
use super::course::Course;
use super::detect;
use super::explanation::{Reason, Role, Said};
use super::line::{Line, ends};
use super::theme::Theme;
use crate::board::{Move, Position};

/// Whether what a move changes on the board, at once or with the answer, the first of another line changes too.
pub fn changes_the_same(reason: &Reason, other: &Line) -> bool {
    let Said::Change(change) = &reason.said else {
        return false;
    };
    // an answer is compared with the answer to the other move
    let is_answer = reason.role == Role::Answers;
    let line = other.suffix(usize::from(is_answer)).prefix(reason.line.len());
    let found = || detect::changes(&line).into_iter().chain(detect::themes(&line));
    reason.line.len() <= 2
        && (is_answer || reason.line.start() == line.start())
        && found().any(|found| is_same(change, &found) && check::confirms_change(&line, &found))
}

/// Whether two changes come to the same: pawns of one file, a file, any piece that is developed.
fn is_same(one: &Change, other: &Change) -> bool {
    match (one, other) {
        (
            Change::DoubledPawns { color, pawn },
            Change::DoubledPawns {
                color: of,
                pawn: there,
            },
        ) => color == of && pawn.file() == there.file(),
        (Change::LosesBishopPair { color, .. }, Change::LosesBishopPair { color: of, .. }) => color == of,
        (
            Change::TakesFile { color, square, .. },
            Change::TakesFile {
                color: of,
                square: there,
                ..
            },
        ) => color == of && square.file() == there.file(),
        (
            Change::Theme { theme, color, .. },
            Change::Theme {
                theme: also,
                color: of,
                ..
            },
        ) if matches!(theme, Theme::Develops | Theme::ConnectsRooks) => theme == also && color == of,
        _ => one == other,
    }
}

/// Whether two moves capture the same piece with different ones.
pub fn takes_the_same(one: &Course, other: &Course) -> bool {
    let taken = |course: &Course| course.line.at(0).filter(|m| m.is_capture()).map(Move::to);
    taken(one).is_some() && taken(one) == taken(other)
}

/// Whether a threat is met in this position too: its first move is no longer possible, no longer mates, or wins nothing where
/// it did.
pub fn is_met_too(threat: &Reason, position: &Position) -> bool {
    // what is not possible in check may come after it
    let Some(first) = threat.line.at(0).filter(|_| !position.in_check()) else {
        return false;
    };
    if matches!(threat.said, Said::Change(_)) {
        return is_stopped(position, threat);
    }
    let same = |m: &Move| ends(*m) == ends(first);
    let wins = |position| exchange::wins_by(position, first.from(), first.to());
    match position.legal_moves().into_iter().find(same) {
        None => true,
        Some(now) if threat.is_mate() && threat.line.len() == 1 => {
            let after = position.after(now);
            !after.in_check() || after.has_moves()
        }
        Some(now) if first.is_capture() => {
            !now.is_capture() || wins(threat.line.start()) > 0 && wins(position) <= 0
        }
        Some(_) => false,
    }
}

/// Whether what a line changes is not so any more if its moves are played from another position.
pub fn is_stopped(reply: &Position, reason: &Reason) -> bool {
    let Said::Change(change) = &reason.said else {
        return false;
    };
    let mut line = Line::new(*reply);
    for (ply, wanted) in reason.line.moves().iter().enumerate() {
        let same =
            |m: &Move| (m.from(), m.to(), m.promoted()) == (wanted.from(), wanted.to(), wanted.promoted());
        let Some(m) = line.end().legal_moves().into_iter().find(same) else {
            return true;
        };
        line.push(m);
        // what goes there would be taken
        if ply == 0
            && exchange::best(line.end(), m.landing()) > exchange::best(reason.line.after(0), m.landing())
        {
            return true;
        }
    }
    !check::confirms_change(&line, change)
}
