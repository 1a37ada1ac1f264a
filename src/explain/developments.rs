//! What changes in the position by a line: squares, files, structure and themes, at once or by a manoeuvre of several moves.

use super::change::Change;
use super::check;
use super::course::Course;
use super::detect;
use super::endings;
use super::explanation::{Reason, Role, Said};
use super::importance::importance;
use super::judge::Judge;
use super::line::Line;
use super::reasons::{Weighed, favoured};
use super::relevance::{is_beside_the_point, is_in_place, is_structure, is_worth_telling};
use super::theme::Theme;
use crate::board::{Color, Move, PieceType, Position};
use crate::nets::Score;

/// By how many centipawns the static evaluation has to move before a change in the position counts.
const SWING: Score = 15;

/// How much less a change weighs with every ply that it takes.
pub const PER_PLY: i32 = 25;

/// The least weight of themes that decide an ending by a rule.
pub const ENDING_RULE: i32 = 600;

/// The most plies after which a line's changes still count against its first move.
const SLOW: usize = 5;

/// The plies within which a manoeuvre of several moves is looked for.
const MARCH: usize = 10;

/// The same of a king that walks up the board: other moves come in between.
const KING_MARCH: usize = 14;

/// A trade after so many plies is no matter of the first move.
const TRADE: usize = 5;

/// What is given with a rook for a knight or bishop, less a pawn.
const EXCHANGE: i32 = 70;

/// The plies within which it is doubled on a file.
const DOUBLING: usize = 7;

/// What changes in the position: for the first move, what it does itself, at once or once it has been taken back;
/// against it, also what the next few moves do. Themes with a name are told where they are true, the rest where the
/// static evaluation moves the same way. `worth` is that of the course for the player who begins.
pub fn changes(course: &Course, role: Role, worth: f64, judge: &mut dyn Judge) -> Vec<Weighed> {
    let line = &course.line;
    let is_traded = line.is_traded();
    // a pawn that is given up, or a piece that is taken back
    let is_pawn = line.at(0).is_some_and(|m| m.piece().kind() == PieceType::Pawn);
    let is_offered = line.is_taken(0) && (is_pawn || line.is_taken(1));
    let is_pawn_ending = endings::is_pawn_ending(line.start());
    let plies: &[usize] = match (role, is_traded) {
        (Role::Achieves, false) if is_offered => &[1, 3],
        (Role::Achieves, false) => &[1],
        (Role::Achieves, true) => &[2, 3],
        // kings take their time
        _ if is_pawn_ending => &[1, 2, 3, 4, SLOW],
        _ => &[1, 2, 3, SLOW],
    };
    let stands = if role == Role::Achieves { worth } else { -worth };
    let mut found: Vec<Weighed> = Vec::new();
    // in the middle of an exchange nothing is as it will be
    let is_settled = |plies: &&usize| role == Role::Achieves && **plies == 1 || !line.is_taken(**plies - 1);
    for &plies in plies
        .iter()
        .filter(|&&plies| plies <= line.len())
        .filter(is_settled)
    {
        let line = line.prefix(plies);
        let favoured = favoured(&line, role);
        // after what has been found against a move only a rule of endings says more
        let is_answered = role != Role::Achieves && !found.is_empty();
        let mut here: Vec<(i32, Change)> = Vec::new();
        for change in detect::themes(&line) {
            if !takes_moves(&change)
                && (!is_answered || importance(&change) >= ENDING_RULE || is_theme(&change, Theme::Dominates))
                && change.favours() == favoured
                && is_in_place(&change, stands, &line)
                && !is_beside_the_point(&change, role, course, line.end())
                && check::confirms_change(&line, &change)
            {
                here.push((importance(&change), change));
            }
        }
        if !is_answered {
            let moved = swing(&line, favoured, judge) >= SWING;
            let counts = |change: &Change| moved || role == Role::Achieves && is_structure(change);
            // a pawn that is left weak is not what a piece was given for
            let gives = role == Role::Achieves && gives_a_piece(&line);
            let told = detect::changes(&line)
                .into_iter()
                .filter(counts)
                .filter(|_| !gives);
            let told = told.filter(|change| change.favours() == favoured && is_worth_telling(change, &line));
            let told = told.filter(|change| !is_beside_the_point(change, role, course, line.end()));
            let told = told.filter(|change| check::confirms_change(&line, change));
            here.extend(told.map(|change| (importance(&change), change)));
        }
        let later = PER_PLY * (plies as i32 - 1);
        found.extend(
            here.into_iter()
                .map(|(weight, change)| (weight - later, told_of(role, change, &line))),
        );
    }
    if role == Role::Achieves && !is_traded && !is_offered {
        found.extend(after_exchanges(course));
    }
    found.extend(manoeuvres(course, role, stands, |_| true));
    if role == Role::Achieves && !is_traded {
        found.extend(trade_declined(line, stands));
    }
    found
}

/// Whether the player who begins a line is down more than the exchange of a rook for a piece at its end, beside its beginning.
fn gives_a_piece(line: &Line) -> bool {
    let us = line.mover(0);
    let balance = |position| check::exchange::balance(position, us);
    balance(line.start()) - balance(line.end()) >= EXCHANGE
}

/// The pawns that are left doubled or isolated by exchanges which a quiet move brings about: from its player's next move on
/// nothing but captures, the last one the opponent's.
fn after_exchanges(course: &Course) -> Vec<Weighed> {
    let moves = course.line.moves();
    let captures = moves.iter().skip(2).take_while(|m| m.is_capture()).count();
    let plies = 2 + captures;
    let is_quiet = moves.first().is_some_and(|m| !m.is_capture());
    if !is_quiet || captures < 2 || !captures.is_multiple_of(2) || course.gain != 0 {
        return Vec::new();
    }
    let line = course.line.prefix(plies);
    let spoils = |change: &Change| {
        matches!(change, Change::DoubledPawns { .. } | Change::IsolatedPawn { .. })
            && change.favours() == line.mover(0)
            && !is_beside_the_point(change, Role::Achieves, course, line.end())
            && check::confirms_change(&line, change)
    };
    let told = detect::changes(&line).into_iter().filter(spoils);
    told.map(|change| {
        let weight = importance(&change) - PER_PLY;
        (weight, told_of(Role::Achieves, change, &line))
    })
    .collect()
}

/// What the first move's capture leads to if it is taken back, as it could be, where that is not expected.
fn trade_declined(line: &Line, stands: f64) -> Option<Weighed> {
    let m = line.at(0).filter(|m| m.is_capture())?;
    let replies = line.after(0).legal_moves().into_iter();
    let back = replies.filter(|back| back.is_capture() && back.to() == m.landing());
    let mut trade = line.prefix(1);
    trade.push(back.min_by_key(|back| check::exchange::worth(back.piece().kind()))?);
    let mut themes = detect::themes(&trade).into_iter().filter(|change| {
        matches!(
            *change,
            Change::Theme {
                theme: Theme::PawnEnding,
                ..
            }
        ) && change.favours() == line.mover(0)
            && is_in_place(change, stands, &trade)
            && check::confirms_change(&trade, change)
    });
    let change = themes.next()?;
    Some((importance(&change), told_of(Role::Achieves, change, &trade)))
}

/// Themes that take several moves, those that are wanted, each with the first moves of the line that show it.
fn manoeuvres(course: &Course, role: Role, stands: f64, is_wanted: impl Fn(&Change) -> bool) -> Vec<Weighed> {
    let mut found: Vec<(i32, Change, Line)> = Vec::new();
    for plies in 1..=KING_MARCH.min(course.line.len()) {
        let line = course.line.prefix(plies);
        let in_time = |change: &Change| plies <= MARCH || is_theme(change, Theme::KingMarch);
        for change in detect::themes(&line)
            .into_iter()
            .filter(|change| is_wanted(change) && in_time(change))
        {
            // a piece that goes on is told of by where it gets to
            let goes_on = is_theme(&change, Theme::Reroutes);
            let is_known = found.iter().any(|(_, known, _)| known.name() == change.name());
            // pieces that gather some moves later are no merit of a move by another, and what is taken back ties nothing down
            let gathers = role == Role::Achieves && is_theme(&change, Theme::GathersOnFile);
            let is_idle = gathers && !begins_heavily(&line)
                || is_theme(&change, Theme::TiesDown)
                    && (course.line.is_taken(plies - 1) || is_bare(&line, &change))
                || is_trade(&change) && plies > TRADE;
            if (takes_moves(&change) || prepares_doubling(&change, &line))
                && !is_idle
                && (goes_on || !is_known)
                && change.favours() == favoured(&line, role)
                && is_in_place(&change, stands, &line)
                && check::confirms_change(&line, &change)
            {
                found.retain(|(_, known, _)| known.name() != change.name());
                found.push((importance(&change), change, line.clone()));
            }
        }
    }
    let told = |(weight, change, line)| (weight, told_of(role, change, &line));
    found.into_iter().map(told).collect()
}

/// What checks do against the player on the way of a line: they turn a windmill or, where material is not what is lost, drive
/// the king out.
pub fn by_checks(course: &Course, stands: f64, loses: bool) -> Vec<Weighed> {
    let is_told =
        |change: &Change| is_theme(change, Theme::Windmill) || !loses && is_theme(change, Theme::KingHunt);
    manoeuvres(course, Role::Allows, stands, is_told)
}

/// Whether the side that a change favours has a king alone, which can win nothing.
fn is_bare(line: &Line, change: &Change) -> bool {
    line.end().of_color(change.favours()).count() == 1
}

/// Whether a theme is that queens or rooks are traded.
fn is_trade(change: &Change) -> bool {
    is_theme(change, Theme::TradesQueens) || is_theme(change, Theme::TradesRooks)
}

fn is_theme(change: &Change, wanted: Theme) -> bool {
    matches!(change, Change::Theme { theme, .. } if *theme == wanted)
}

/// Whether a theme is about a manoeuvre of several moves.
fn takes_moves(change: &Change) -> bool {
    let manoeuvre = |theme: &Theme| {
        matches!(
            theme,
            Theme::KingHunt
                | Theme::KingMarch
                | Theme::Triangulation
                | Theme::KingBeforePawn
                | Theme::Breakthrough
                | Theme::TradesQueens
                | Theme::TradesRooks
                | Theme::MakesWay
                | Theme::Reroutes
                | Theme::FreesSquare
                | Theme::TiesDown
                | Theme::TwoForRook
                | Theme::ClearsSquare
                | Theme::OpensWay
                | Theme::TakesGuard
                | Theme::TradesForEntry
                | Theme::LeavesTooLittle
                | Theme::LeavesBadBishop
                | Theme::UnblocksPawn
                | Theme::Provokes
                | Theme::GathersOnFile
                | Theme::Windmill
        )
    };
    matches!(change, Change::Theme { theme, .. } if manoeuvre(theme))
}

/// Whether a line doubles pieces on the file to which its first move has gone.
fn prepares_doubling(change: &Change, line: &Line) -> bool {
    let Change::Theme {
        theme: Theme::DoublesRooks,
        square,
        other,
        ..
    } = *change
    else {
        return false;
    };
    let first = line.at(0).filter(|_| begins_heavily(line)).map(Move::landing);
    (2..=DOUBLING).contains(&line.len())
        && (first == Some(square) || first == other)
        && !check::confirms_change(&line.prefix(1), change)
}

/// Whether a line begins with a move of a rook or queen.
fn begins_heavily(line: &Line) -> bool {
    let is_heavy = |m: Move| matches!(m.piece().kind(), PieceType::Rook | PieceType::Queen);
    line.at(0).is_some_and(is_heavy)
}

pub fn told_of(role: Role, change: Change, line: &Line) -> Reason {
    Reason {
        role,
        said: Said::Change(change),
        line: line.clone(),
        way_out: None,
        made_by: None,
    }
}

/// By how many centipawns the static evaluation moves for a player from the first to the last position of a line.
fn swing(line: &Line, player: Color, judge: &mut dyn Judge) -> Score {
    standing(line.end(), player, judge) - standing(line.start(), player, judge)
}

/// The static evaluation of a position for a player: the mean of both sides being to move, where they may be, so that
/// the right to move does not count.
fn standing(position: &Position, player: Color, judge: &mut dyn Judge) -> Score {
    let asked: Vec<Position> = [*position].into_iter().chain(position.passed()).collect();
    let scores = judge.evaluate(&asked);
    let for_player = |(position, &score): (&Position, &Score)| {
        if position.side_to_move() == player {
            score
        } else {
            -score
        }
    };
    let sum: Score = asked.iter().zip(&scores).map(for_player).sum();
    sum / scores.len().max(1) as Score
}
