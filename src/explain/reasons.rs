//! Which claims explain a move, chosen from where its line leads.

use super::change::Change;
use super::check;
use super::claim::{Claim, Motif};
use super::course::{Course, signed};
use super::detect;
use super::explanation::{Assessment, Reason, Role, Said};
use super::importance::importance;
use super::judge::Judge;
use super::line::Line;
use super::rank;
use super::theme::Theme;
use crate::board::{Bitboard, Color, Move, PieceType, Position, Square};
use crate::nets::Score;

/// The most reasons given beside the outcome of a line, so as not to swamp the reader.
const MOST: usize = 3;

/// The least weight of a tactic that is told beside the outcome of a line.
const LEAST_BESIDE_AN_OUTCOME: i32 = 300;

/// Plies after which a mate is no longer shown move by move.
const LONGEST_MATE: usize = 12;

/// Plies after which a motif no longer speaks for or against the first move.
const HORIZON: usize = 6;

/// Plies after which a threat or a capture is no longer news.
const SOON: usize = 3;

/// By how many centipawns the static evaluation has to move before a change in the position counts.
const SWING: Score = 15;

/// How much less a change weighs with every ply that it takes.
pub const PER_PLY: i32 = 25;

/// The most plies after which a line's changes still count against its first move.
const SLOW: usize = 5;

/// The plies within which a manoeuvre of several moves is looked for.
const MARCH: usize = 10;

/// A reason with its weight beside others.
pub type Weighed = (i32, Reason);

/// The reasons of greatest weight, each told once.
pub fn best_of(mut weighed: Vec<Weighed>, most: usize) -> Vec<Reason> {
    weighed.sort_by_key(|&(weight, _)| -weight);
    let mut kept: Vec<Reason> = Vec::new();
    for (_, reason) in weighed {
        if is_count(&reason) && !kept.is_empty() {
            continue;
        }
        if !kept.iter().any(|other| adds_nothing(other, &reason)) {
            kept.push(reason);
        }
    }
    kept.truncate(most);
    kept
}

/// Whether a reason only counts squares.
pub fn is_count(reason: &Reason) -> bool {
    let joins = |theme: Theme| matches!(theme, Theme::JoinsAttack);
    match reason.said {
        Said::Change(Change::Mobility { .. } | Change::Space { .. }) => true,
        Said::Change(Change::Theme { theme, .. }) => joins(theme),
        _ => false,
    }
}

/// Whether the second reason only repeats the first.
fn adds_nothing(first: &Reason, second: &Reason) -> bool {
    match (&first.said, &second.said) {
        (Said::Claim(one), Said::Claim(other)) => {
            let threatens = matches!(
                other.motif,
                Motif::ThreatensCapture { .. } | Motif::ThreatensMate { .. }
            );
            first.role == second.role && says_the_same(one, other)
                || first.role == Role::Threatens && threatens
        }
        (Said::Change(one), Said::Change(other)) => one.name() == other.name() || is_part_of(other, one),
        _ => false,
    }
}

/// Whether the second of two themes says what the first says, and more.
fn is_part_of(less: &Change, more: &Change) -> bool {
    let theme = |change: &Change| match *change {
        Change::Theme { theme, .. } => Some(theme),
        _ => None,
    };
    matches!(
        (theme(less), theme(more)),
        (Some(Theme::Develops), Some(Theme::HitsQueen | Theme::Fianchetto))
            | (Some(Theme::CentrePawn), Some(Theme::CentreWithTempo))
            | (Some(Theme::KeepsOut), Some(Theme::PreparesPush))
            | (Some(Theme::OffersTrade), Some(Theme::OffersBadBishop))
            | (
                Some(Theme::TakesSquare | Theme::Restrains),
                Some(Theme::KeepsFrom)
            )
            | (
                Some(Theme::PasserAdvances),
                Some(Theme::ProtectedPasser | Theme::ConnectedPassers | Theme::OutsidePasser)
            )
    ) || theme(less) == Some(Theme::PasserAdvances) && matches!(more, Change::PassedPawn { .. })
}

/// How many reasons are given for a course.
pub fn most(course: &Course) -> usize {
    MOST + usize::from(course.outcome.is_some())
}

/// The outcome of a course and the tactics on the way there that speak for the player who begins or, with
/// [`Role::Allows`] and [`Role::Avoids`], for the other.
pub fn tactics(course: &Course, role: Role) -> Vec<Weighed> {
    let line = course.telling();
    let favoured = favoured(&line, role);
    let outcome = course.outcome.as_ref().map(|(claim, _)| claim);
    let least = if outcome.is_some() {
        LEAST_BESIDE_AN_OUTCOME
    } else {
        rank::LEAST
    };
    super::claims(&line)
        .into_iter()
        .filter(|claim| rank::favours(&line, claim) == favoured && is_telling(course, &line, claim))
        .map(|claim| (rank::weight(&line, &claim), claim))
        .filter(|&(weight, _)| weight >= least)
        .map(|(weight, claim)| {
            let reason = Reason {
                role,
                said: Said::Claim(claim),
                line: line.clone(),
                way_out: None,
            };
            (weight, reason)
        })
        .collect()
}

/// Whether a claim belongs to the reasons: a tactic within sight that comes to something, a sacrifice that pays, and
/// material only as the end of the line.
fn is_telling(course: &Course, line: &Line, claim: &Claim) -> bool {
    let is_outcome = |motif: &Motif| {
        matches!(
            motif,
            Motif::Mate { .. } | Motif::BackRankMate { .. } | Motif::NamedMate { .. }
        )
    };
    let ends = course.outcome.as_ref().map(|(outcome, _)| &outcome.motif);
    let mates = ends.is_some_and(is_outcome);
    let in_sight = claim.ply < HORIZON;
    // material that is won back later is no loss: what counts is the end of the line
    let pays = signed(course.gain, rank::favours(line, claim) == line.mover(0)) > 0;
    // what the other side overlooks on the way is no merit of the move
    let is_first_move = claim.ply == 0;
    // a piece that is captured at once no longer threatens anything
    let is_taken = line.is_taken(claim.ply);
    match claim.motif {
        // a long mate is told by its length; nobody reads the line
        Motif::Mate { .. } | Motif::BackRankMate { .. } | Motif::NamedMate { .. } => claim.ply < LONGEST_MATE,
        // told of a capture that is not expected; the expected one is a sacrifice
        Motif::CannotTake { .. } => false,
        Motif::Zugzwang { .. } => claim.ply < 2,
        // who has nothing better than a draw is glad of it
        Motif::Perpetual { .. } => is_first_move && course.worth.abs() < Assessment::SLIGHTLY_BETTER,
        // what is taken on the way to a mate is beside the point
        Motif::Material { .. } => !mates && pays,
        Motif::TakesFree { .. } => !mates && pays && claim.ply < SOON,
        Motif::IgnoresMate { .. } => is_first_move,
        Motif::IgnoresCapture { .. } => !mates && is_first_move && pays,
        Motif::LeavesEnPrise { .. } => !mates && is_first_move && pays && rank::is_cashed(line, claim),
        Motif::ThreatensCapture { .. } | Motif::PinPreventsAttack { .. } => {
            claim.ply < SOON && !is_taken && (ends.is_none() && claim.ply < 2 || rank::is_cashed(line, claim))
        }
        Motif::Fork { .. } | Motif::DoubleAttack { .. } | Motif::DiscoveredAttack { .. } => {
            let near = ends.is_some() || claim.ply < 2;
            in_sight && (near && !is_taken || rank::is_cashed(line, claim))
        }
        Motif::ThreatensMate { .. } => in_sight && claim.ply + 1 < line.len(),
        // what is given for an attack need not come back as material
        Motif::Sacrifice { .. } => {
            in_sight && (pays || is_first_move && course.worth > -Assessment::SLIGHTLY_BETTER)
        }
        _ => in_sight,
    }
}

/// Whether the second of two claims adds nothing to the first: the same kind again, or the weaker form of a mate, a
/// promotion, a piece that is left to be taken or a fork.
fn says_the_same(first: &Claim, second: &Claim) -> bool {
    let is_mate = |motif: &Motif| {
        matches!(
            motif,
            Motif::Mate { .. } | Motif::BackRankMate { .. } | Motif::NamedMate { .. }
        )
    };
    let loses_a_piece = |motif: &Motif| {
        matches!(
            motif,
            Motif::LeavesEnPrise { .. } | Motif::IgnoresCapture { .. } | Motif::TakesFree { .. }
        )
    };
    let attacks_two = |motif: &Motif| matches!(motif, Motif::Fork { .. } | Motif::DoubleAttack { .. });
    let promotes = |motif: &Motif| matches!(motif, Motif::Promotion { .. } | Motif::Underpromotion { .. });
    let (one, other) = (&first.motif, &second.motif);
    one.name() == other.name()
        || is_mate(one) && is_mate(other)
        || loses_a_piece(one) && loses_a_piece(other)
        || attacks_two(one) && (attacks_two(other) || matches!(other, Motif::ThreatensCapture { .. }))
        || promotes(one) && promotes(other)
}

pub fn favoured(line: &Line, role: Role) -> Color {
    let us = line.start().side_to_move();
    if matches!(role, Role::Allows | Role::Avoids) {
        !us
    } else {
        us
    }
}

/// What changes in the position: for the first move, what it does itself, at once or once it has been taken back;
/// against it, also what the next few moves do. Themes with a name are told where they are true, the rest where the
/// static evaluation moves the same way. `worth` is that of the course for the player who begins.
pub fn changes(course: &Course, role: Role, worth: f64, judge: &mut dyn Judge) -> Vec<Weighed> {
    let line = &course.line;
    let is_traded = line.is_traded();
    let is_offered = line.is_taken(0) && line.is_taken(1);
    let given = line
        .at(0)
        .map(Move::landing)
        .filter(|_| line.is_taken(0) && !is_traded);
    let plies: &[usize] = match (role, is_traded) {
        (Role::Achieves, false) if is_offered => &[1, 3],
        (Role::Achieves, false) => &[1],
        (Role::Achieves, true) => &[2, 3],
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
        let mut here: Vec<(i32, Change)> = Vec::new();
        for change in detect::themes(&line) {
            if !takes_moves(&change)
                && change.favours() == favoured
                && is_in_place(&change, stands, &line)
                && !is_beside_the_point(&change, role, course.gain, given, line.end())
                && check::confirms_change(&line, &change)
            {
                here.push((importance(&change), change));
            }
        }
        let moved = swing(&line, favoured, judge) >= SWING;
        let counts = |change: &Change| moved || role == Role::Achieves && is_structure(change);
        let told = detect::changes(&line).into_iter().filter(counts);
        let told = told.filter(|change| change.favours() == favoured && is_worth_telling(change, &line));
        let told = told.filter(|change| !is_beside_the_point(change, role, course.gain, given, line.end()));
        let told = told.filter(|change| check::confirms_change(&line, change));
        here.extend(told.map(|change| (importance(&change), change)));
        let later = PER_PLY * (plies as i32 - 1);
        found.extend(
            here.into_iter()
                .map(|(weight, change)| (weight - later, told_of(role, change, &line))),
        );
        if role != Role::Achieves && !found.is_empty() {
            break;
        }
    }
    found.extend(manoeuvres(course, role, stands));
    if role == Role::Achieves && !is_traded {
        found.extend(trade_declined(line, stands));
    }
    found
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

/// Themes that take several moves, each with the first moves of the line that show it.
fn manoeuvres(course: &Course, role: Role, stands: f64) -> Vec<Weighed> {
    let mut found: Vec<(i32, Change, Line)> = Vec::new();
    for plies in 1..=MARCH.min(course.line.len()) {
        let line = course.line.prefix(plies);
        for change in detect::themes(&line) {
            let is_known = found.iter().any(|(_, known, _)| known.name() == change.name());
            if takes_moves(&change)
                && !is_known
                && change.favours() == favoured(&line, role)
                && is_in_place(&change, stands, &line)
                && check::confirms_change(&line, &change)
            {
                found.push((importance(&change), change, line.clone()));
            }
        }
    }
    let told = |(weight, change, line)| (weight, told_of(role, change, &line));
    found.into_iter().map(told).collect()
}

pub fn told_of(role: Role, change: Change, line: &Line) -> Reason {
    Reason {
        role,
        said: Said::Change(change),
        line: line.clone(),
        way_out: None,
    }
}

/// Whether a change lasts, so that a good move is known for it whatever the evaluation says at once.
pub fn is_structure(change: &Change) -> bool {
    matches!(
        change,
        Change::Outpost { .. }
            | Change::PassedPawn { .. }
            | Change::DoubledPawns { .. }
            | Change::IsolatedPawn { .. }
            | Change::TakesFile { .. }
    )
}

/// Whether a change is true and still explains nothing, in a line that gains so much and in which the piece that moves to
/// `given` is taken at once.
fn is_beside_the_point(
    change: &Change,
    role: Role,
    gain: i32,
    given: Option<Square>,
    end: &Position,
) -> bool {
    match *change {
        Change::TakesFile { square, .. } => {
            let is_queen = end
                .piece_on(square)
                .is_some_and(|piece| piece.kind() == PieceType::Queen);
            let count = end.occupied().count();
            Some(square) == given || is_queen && (count <= ENDING || count >= OPENING)
        }
        // a pawn break that was there anyway does not speak against a move
        Change::Theme {
            theme: Theme::Lever, ..
        } => role != Role::Achieves,
        // the bishop is what is won
        Change::Theme {
            theme: Theme::BuriedBishop,
            ..
        } => gain > 0,
        Change::Theme {
            theme: Theme::SeventhRank,
            ..
        } => given.is_some(),
        _ => false,
    }
}

/// With so few pieces files are open everywhere.
const ENDING: u32 = 8;

/// With fewer pieces a king is safe in the open.
const MIDDLEGAME: u32 = 18;

/// With so many a queen has little use for an open file yet.
const OPENING: u32 = 22;

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
        )
    };
    matches!(change, Change::Theme { theme, .. } if manoeuvre(theme))
}

/// Whether a theme is worth a sentence where it occurs: trades help who is ahead, and a move that is only natural
/// explains nothing where the game is decided.
pub fn is_in_place(change: &Change, stands: f64, line: &Line) -> bool {
    let Change::Theme {
        theme, color, square, ..
    } = *change
    else {
        return true;
    };
    match theme {
        Theme::PawnEnding | Theme::Simplifies => stands >= Assessment::WINNING,
        Theme::Develops | Theme::CentrePawn | Theme::Castles | Theme::Fianchetto => line.len() == 1,
        Theme::BlocksPawn | Theme::EarlyQueen | Theme::MovesAgain | Theme::GivesUpCentre => line.len() == 1,
        // a capture has another reason
        Theme::Centralises => !line.at(0).is_some_and(|m| m.is_capture()),
        // a king in the centre does not look for a way out ahead
        Theme::Luft => !matches!(square.file(), 3 | 4),
        // only what is offered there stops a pawn worth naming
        Theme::StopsPawn => line.len() == 1 && check::exchange::best(line.end(), square) > 0,
        Theme::OpensFileToKing => !holds_file(line.end(), !color, square.file()),
        // in an ending kings walk across lines all the time
        Theme::LeavesLine => line.end().occupied().count() >= MIDDLEGAME,
        Theme::Pins => is_pin_to_the_king_or_queen(change, line.end()),
        Theme::JoinsAttack | Theme::KingHunt => stands > 0.0,
        Theme::PawnStorm => stands > -Assessment::BETTER,
        Theme::BadBishop | Theme::TradesBadBishop => stands > -Assessment::BETTER,
        Theme::TradesQueens | Theme::TradesRooks => stands >= Assessment::BETTER,
        _ => true,
    }
}

/// Whether a player has a rook or queen on a file.
fn holds_file(position: &Position, color: Color, file: u8) -> bool {
    let heavy = position.pieces(color, PieceType::Rook) | position.pieces(color, PieceType::Queen);
    !(heavy & Bitboard::file(file)).is_empty()
}

/// Whether what stands behind a pinned piece is the king or the queen.
fn is_pin_to_the_king_or_queen(change: &Change, position: &Position) -> bool {
    let Change::Theme {
        square,
        other: Some(pinned),
        ..
    } = *change
    else {
        return false;
    };
    let behind = check::exchange::first_two(position, square, pinned).and_then(|(_, behind)| behind);
    behind
        .and_then(|behind| position.piece_on(behind))
        .is_some_and(|piece| matches!(piece.kind(), PieceType::King | PieceType::Queen))
}

/// Whether a player would speak of a change: a king that still stands in the centre has no shelter to lose, and whoever
/// takes the bishop pair for the own one has gained nothing.
pub fn is_worth_telling(change: &Change, line: &Line) -> bool {
    match *change {
        Change::Shelter { king, .. } => !matches!(king.file(), 3 | 4),
        // a pawn of the other side stands there already
        Change::WeakSquare { square, .. } => line
            .end()
            .piece_on(square)
            .is_none_or(|piece| piece.kind() != PieceType::Pawn),
        Change::LosesBishopPair { color, other_has_it } => {
            other_has_it || line.start().pieces(!color, PieceType::Bishop).count() < 2
        }
        _ => true,
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
