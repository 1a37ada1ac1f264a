//! What is to be said against a move that is not bad, and what a worse one gives up.

use super::change::Change;
use super::check::{self, exchange};
use super::course::Course;
use super::detect;
use super::developments::{PER_PLY, told_of};
use super::explanation::Role;
use super::importance::importance;
use super::line::Line;
use super::reasons::{Weighed, favoured};
use super::relevance::{is_in_place, is_structure, is_worth_telling};
use super::theme::Theme;
use crate::board::{Move, PieceType};

/// The plies within which a good move's drawback shows.
const DRAWBACK: usize = 4;

/// What is to be said against a move that is not bad: habits of the opening, lines that it opens, and, if it costs
/// something, what it gives up.
pub fn drawbacks(course: &Course, is_costly: bool) -> Vec<Weighed> {
    let mut found: Vec<Weighed> = Vec::new();
    if is_costly {
        found.extend(given_up(course));
        found.extend(goes_back(course));
    }
    for plies in 1..=DRAWBACK.min(course.line.len()) {
        let line = course.line.prefix(plies);
        let favoured = favoured(&line, Role::Allows);
        // what is taken back at once has changed nothing
        if plies > 1 && course.line.is_taken(plies - 1) {
            continue;
        }
        let told = detect::themes(&line).into_iter().filter(|change| {
            (is_drawback(change, is_costly) || is_costly && is_break(change, &line))
                && change.favours() == favoured
                && is_in_place(change, -course.worth, &line)
                && check::confirms_change(&line, change)
        });
        let later = PER_PLY * (plies as i32 - 1);
        found.extend(told.map(|change| (importance(&change) - later, told_of(Role::Allows, change, &line))));
    }
    found
}

/// The structure that the first move gives up, at once or once it has been taken back: squares, pawns, the bishop pair, the
/// tension.
pub fn given_up(course: &Course) -> Vec<Weighed> {
    let line = &course.line;
    let is_traded = line.is_traded();
    let line = line.prefix(1 + usize::from(is_traded));
    if line.is_empty() {
        return Vec::new();
    }
    let favoured = favoured(&line, Role::Allows);
    let lasts = |change: &Change| match *change {
        Change::WeakSquare { .. } | Change::LosesBishopPair { .. } => true,
        Change::Theme { theme, .. } => matches!(
            theme,
            Theme::ReleasesTension
                | Theme::BackwardPawn
                | Theme::GivesGoodBishop
                | Theme::GivesKingBishop
                | Theme::MendsPawn
                | Theme::GivesUpWedge
        ),
        _ => is_structure(change),
    };
    let changes = detect::changes(&line).into_iter().chain(detect::themes(&line));
    let m = line.moves()[0];
    let is_far = matches!(m.landing().rank(), 1 | 6) && m.piece().kind() == PieceType::Pawn;
    // a pawn more is worth another behind it
    let us = line.mover(0);
    let wins = exchange::balance(line.end(), us) > exchange::balance(line.start(), us);
    let told = changes.filter(|change| {
        !((is_far || wins) && matches!(change, Change::DoubledPawns { .. }))
            && lasts(change)
            && change.favours() == favoured
            && is_worth_telling(change, &line)
            && check::confirms_change(&line, change)
    });
    told.map(|change| (importance(&change), told_of(Role::Allows, change, &line)))
        .collect()
}

/// That the piece which moves goes back soon to where it came from, and no piece of the other side does.
pub fn goes_back(course: &Course) -> Option<Weighed> {
    let theirs = [1, 3, 5].map(|ply| course.line.at(ply));
    let returns = |(out, back): (Move, Move)| out.from() == back.landing() && out.landing() == back.from();
    let also = [(0, 1), (1, 2), (0, 2)]
        .into_iter()
        .filter_map(|(out, back)| theirs[out].zip(theirs[back]))
        .any(returns);
    if also {
        return None;
    }
    let change = Change::Theme {
        theme: Theme::GoesBack,
        color: !course.line.mover(0),
        square: course.line.at(0)?.from(),
        other: None,
    };
    let lines = [3, 5].map(|plies| course.line.prefix(plies)).into_iter();
    let mut found = lines.filter(|line| check::confirms_change(line, &change));
    found
        .next()
        .map(|line| (importance(&change), told_of(Role::Allows, change, &line)))
}

/// Whether the answer strikes at the pawn that has just moved.
fn is_break(change: &Change, line: &Line) -> bool {
    let moved = line.at(0).map(Move::landing);
    let strikes = |theme, other| theme == Theme::Lever && other == moved;
    line.len() == 2 && matches!(*change, Change::Theme { theme, other, .. } if strikes(theme, other))
}

fn is_drawback(change: &Change, is_costly: bool) -> bool {
    let drawback = |theme: Theme| {
        matches!(
            theme,
            Theme::MovesAgain | Theme::BackwardPawn | Theme::DrivesBack | Theme::PutsOnBishopColour
        ) && is_costly
            || matches!(
                theme,
                Theme::BlocksPawn
                    | Theme::EarlyQueen
                    | Theme::GivesUpCentre
                    | Theme::HitsQueen
                    | Theme::CentreWithTempo
                    | Theme::OpensFileToKing
                    | Theme::TradesGuard
            )
    };
    matches!(*change, Change::Theme { theme, .. } if drawback(theme))
}
