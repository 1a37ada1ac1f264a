//! Whether a theme that is true bears on the move, and what it weighs there beside others.

use super::change::Change;
use super::check::{self, exchange};
use super::course::Course;
use super::endings;
use super::explanation::{Assessment, Reason, Said};
use super::judge::Judge;
use super::line::Line;
use super::null_move::Moment;
use super::theme::Theme;
use crate::board::{Bitboard, Color, Move, PieceType, Position, Square, attacks};

/// The weight of a central square that a pawn of the other side is kept from, before it wants to go there …
const FROM_THE_CENTRE: i32 = 341;

/// … of one that a piece keeps a bishop from, …
const FROM_DEVELOPING: i32 = 404;

/// … and of one that an early pawn move keeps it from.
const FROM_A_CHECK: i32 = 338;

/// The weight of a square where a knight or bishop of the other side would have attacked or pinned a piece.
const FROM_ATTACKING: i32 = 415;

/// The weight of an advance hindered that a pawn of the other side supports: more than that of what the move prepares.
const SUPPORTED: i32 = 338;

/// The weight of the post of a piece that is traded there, less than that of the trade, …
const ON_OFFER: i32 = 400;

/// … within so many plies.
const TRADED: usize = 4;

/// The weight of a passed pawn on its sixth rank: more than that of an attack on a pawn that it uncovers.
const FAR: i32 = 345;

/// The weight of a piece that is guarded and was there to be taken: more than that of an outpost.
const HOLDS_A_PIECE: i32 = 515;

/// The weight of a way out for the king where there are no queens: less than that of a pawn that is hindered.
const WITHOUT_QUEENS: i32 = 317;

/// The weight of a pawn break that the other side wanted and is kept from.
const FROM_A_BREAK: i32 = 434;

/// The weight of an advance that a pawn prepares.
const BY_A_PAWN: i32 = 346;

/// The same of a rook's pawn: less than a square that the move takes.
const OF_A_ROOK_PAWN: i32 = 312;

/// The weight of the opposition that a pawn's move happens to give.
const BY_THE_WAY: i32 = 380;

/// The weight of the way of a pawn that goes there with the next move.
const CLEARED: i32 = 400;

/// The weight of pressure by a piece behind a pawn: the pawn may be what it guards.
const THROUGH_A_PAWN: i32 = 340;

/// The weight of a trade that a move uncovers.
const UNCOVERED: i32 = 340;

/// How much more a theme weighs that is about an isolated pawn.
const WEAK_PAWN: i32 = 45;

/// The weight of a square that a knight heads for and gets to, and of a pawn stopped that wanted to go on.
const GOES_ON: i32 = 428;

/// The weight of a square from which a king keeps the other, which does not want to go there: less than that of a king
/// that becomes active.
const BY_THE_KING: i32 = 331;

/// The weight of a square that the other king wants to come to with two moves: more than that of a king that becomes active.
const FROM_AFAR: i32 = 351;

/// The weight of a square before a pawn that does not want to go there now.
const IN_GENERAL: i32 = 350;

/// The weight of the corner before a rook's pawn: less than that of the square of a pawn.
const BEFORE_A_PAWN: i32 = 645;

/// The weight of a diagonal that a second pawn opens after a first one has been given up.
const BY_AN_OFFER: i32 = 446;

/// The weight of a queen that is pinned: more than that of a trapped piece that is taken.
const PINS_QUEEN: i32 = 720;

/// The weight of a queen that is left to be taken: what a combination is known for.
const LEAVES_QUEEN: i32 = 690;

/// The weight of a square by whose loss a knight has no safe move ahead.
const LEAVES_NO_MOVES: i32 = 336;

/// With so many men on the board pawns still fight for the centre.
pub const OPENING: u32 = 26;

/// Whether what a theme hinders is what the other side wanted, and what it prepares is to come.
pub fn is_to_the_point(
    reason: &Reason,
    course: &Course,
    moment: &Moment,
    wanted: Option<Move>,
    judge: &mut dyn Judge,
) -> bool {
    let moves = course.line.moves();
    // who goes on closes no file
    let goes_on = |m: Move| m.from() == moment.m.landing();
    if reason.has_theme(Theme::ClosesFile) && moves.iter().skip(2).step_by(2).any(|&m| goes_on(m)) {
        return false;
    }
    let Some((theme, Some(target))) = reason.theme() else {
        return true;
    };
    let goes = || {
        let mut theirs = moves.iter().skip(1).step_by(2).take(2);
        theirs.any(|m| m.landing() == target)
    };
    let is_wanted = wanted.map(Move::landing) == Some(target);
    let is_to_come = |judge: &mut dyn Judge, goes: &dyn Fn(Move) -> bool| {
        moves.iter().skip(2).step_by(2).any(|&m| goes(m))
            || moment
                .after_pass(judge)
                .and_then(|passed| passed.wanted())
                .is_some_and(goes)
    };
    // who is traded next has no other plans
    let takes = |m: &Move| m.is_capture() && m.from() == moment.m.landing();
    let is_traded = course.line.is_taken(0) || moves.get(2).is_some_and(takes);
    if is_traded
        && matches!(
            theme,
            Theme::HoldsBack | Theme::TargetsWeakPawn | Theme::KeepsFrom
        )
    {
        return false;
    }
    let is_pawn = |m: Move| m.piece().kind() == PieceType::Pawn;
    let advances = |m: Move| is_pawn(m) && m.landing() == target;
    let goes_to_trade = |m: Move| m.piece().kind() == PieceType::Bishop && m.landing() == target;
    match theme {
        Theme::KeepsFrom => {
            let line = &reason.line;
            let is_natural = keeps_bishop_in(line, target) || keeps_centre(line, target);
            (is_wanted || is_natural || keeps_check(line, target)) && !goes()
        }
        // an advance is hindered if the pawn would be lost
        Theme::Restrains => {
            (is_wanted || is_pawn(moment.m)) && !goes() && exchange::loses_by_going(reason.line.end(), target)
        }
        // in the line, or next if the other side passed
        Theme::PreparesAdvance if is_attacked_by_a_pawn(course) => true,
        Theme::PreparesAdvance | Theme::OutBeforePawn => is_to_come(judge, &advances),
        // on its way to a pawn that is passed or to be taken
        Theme::Shouldering => {
            let (end, us) = (reason.line.end(), course.line.mover(0));
            let is_theirs = end.of_color(!us).has(target);
            let mut ours = moves.iter().skip(2).step_by(2);
            ours.any(|m| m.piece().kind() == PieceType::King && endings::distance(m.landing(), target) <= 1)
                && (is_theirs || check::is_passed(end, us, target))
        }
        // an outpost is gained for a knight that gets there
        Theme::GainsOutpost => {
            let end = reason.line.end();
            let knights = end.pieces(reason.line.mover(0), PieceType::Knight);
            let is_near = !(attacks::of(PieceType::Knight, target, end.occupied()) & knights).is_empty();
            let is_deep = matches!(target.rank(), 2 | 5);
            is_near
                || is_deep && exchange::best(end, moment.m.landing()) == 0
                || moves.iter().skip(2).step_by(2).any(|m| m.landing() == target)
        }
        // a pawn is stopped that wanted to go on
        Theme::StopsPawn => wanted.is_none_or(|wanted| wanted.landing() == moment.m.landing()),
        Theme::PreparesLever => is_to_come(judge, &goes_on),
        // a knight that goes elsewhere in the line does not head for it
        Theme::HeadsForSquare => {
            let mut ours = moves.iter().skip(2).step_by(2);
            ours.find(|m| m.from() == moment.m.landing())
                .is_none_or(|m| m.landing() == target)
        }
        Theme::Regroups => is_to_come(judge, &|m: Move| goes_on(m) && m.landing() == target),
        Theme::PreparesPost => is_to_come(judge, &|m: Move| {
            m.piece().kind() == PieceType::Knight && m.landing() == target
        }),
        Theme::PreparesBattery => is_to_come(judge, &|m: Move| m.piece().kind() == PieceType::Queen),
        // what is not taken is no offer
        Theme::LeavesPiece => moves.get(1).is_some_and(|m| m.is_capture() && m.to() == target),
        // a pawn that would attack something is free at once
        Theme::ClearsPawn => {
            let end = reason.line.end();
            let theirs = end.of_color(!reason.line.mover(0));
            !(attacks::pawn(reason.line.mover(0), target) & theirs).is_empty() || is_to_come(judge, &advances)
        }
        Theme::PreparesTrade => {
            moment.m.piece().kind() == PieceType::Bishop || is_to_come(judge, &goes_to_trade)
        }
        // the pawn of an outer file may have other errands
        Theme::MinorityAttack if matches!(moment.m.landing().file(), 0 | 7) => is_to_come(judge, &goes_on),
        _ => true,
    }
}

/// Whether the expected answer is a pawn's attack on the pawn that has moved: what that prepares is not to come then.
fn is_attacked_by_a_pawn(course: &Course) -> bool {
    let line = &course.line;
    let is_pawn = |m: Move| m.piece().kind() == PieceType::Pawn;
    let attacks = |m: Move, answer: Move| exchange::sees(line.after(1), answer.landing(), m.landing());
    let pair = line.at(0).zip(line.at(1));
    pair.is_some_and(|(m, answer)| is_pawn(m) && is_pawn(answer) && attacks(m, answer))
}

/// What a theme weighs for the move in hand, from what it weighs in general. `wanted` is the other side's move after a pass.
pub fn weight_here(weight: i32, reason: &Reason, course: &Course, wanted: Option<Move>) -> i32 {
    let by_pawn = course
        .line
        .at(0)
        .is_some_and(|m| m.piece().kind() == PieceType::Pawn);
    match reason.theme().map(|(theme, _)| theme) {
        Some(Theme::KeepsFrom) if is_wanted_break(reason, wanted) => FROM_A_BREAK,
        Some(Theme::KeepsFrom) => by_the_way(reason, wanted).unwrap_or(weight),
        // where it leaves the edge, this says more than the trade that it avoids
        Some(Theme::HeadsForSquare) if is_from_an_outer_file(reason) => GOES_ON + 1,
        Some(Theme::HeadsForSquare) if goes_on(reason, course) => GOES_ON,
        Some(Theme::WayBack) if goes_back(reason, course) => GOES_ON,
        Some(Theme::AvoidsTrade) if wants_trade(reason, wanted) => GOES_ON,
        Some(Theme::ClearsPawn) if is_pushed_next(reason, course) => CLEARED,
        Some(Theme::HeadsForPawn) if gets_there(reason, course) => GOES_ON,
        Some(Theme::BarsPawn) if is_bar(reason, wanted) => GOES_ON,
        Some(Theme::HoldsBack) if !is_bar_to(reason, wanted) => IN_GENERAL,
        Some(Theme::BarsKing) if is_by_king(reason) && is_approached(reason, wanted) => FROM_AFAR,
        Some(Theme::BarsKing) if is_by_king(reason) && !is_bar_to(reason, wanted) => BY_THE_KING,
        Some(Theme::HeadsForCorner) if reason.line.end().of_kind(PieceType::Bishop).is_empty() => {
            BEFORE_A_PAWN
        }
        Some(Theme::DiagonalToKing) if reason.line.len() == 3 => BY_AN_OFFER,
        Some(Theme::Pins) if pins_queen(reason) => PINS_QUEEN,
        Some(Theme::LeavesPiece) if reason.is_about_queen() => LEAVES_QUEEN,
        Some(Theme::Restrains) if is_needed_guard(reason) => GOES_ON,
        Some(Theme::TakesSquare) if leaves_without_moves(reason) => LEAVES_NO_MOVES,
        Some(Theme::Blockade)
            if is_by_king(reason) && course.worth >= Assessment::WINNING && !blocks_a_passer(reason) =>
        {
            BY_THE_KING
        }
        Some(Theme::AddsPressure | Theme::Blockade) if is_about_a_weak_pawn(reason) => weight + WEAK_PAWN,
        Some(Theme::PreparesAdvance) if by_pawn && is_of_rook_pawn(reason) => OF_A_ROOK_PAWN,
        Some(Theme::PreparesAdvance) if by_pawn => BY_A_PAWN,
        Some(Theme::Opposition) if by_pawn => BY_THE_WAY,
        Some(Theme::AddsPressure) if is_through_a_pawn(reason) => THROUGH_A_PAWN,
        Some(Theme::OffersTrade) if is_uncovered(reason) && !reason.is_about_queen() => UNCOVERED,
        Some(Theme::OffersForAttacker) if !is_traded_next(reason, course) => weight - WEAK_PAWN,
        Some(Theme::AvoidsPin) if is_bar_to(reason, wanted) => GOES_ON,
        Some(Theme::KeepsOut) if is_kept_visit(reason) => FROM_ATTACKING,
        Some(Theme::Holds) if is_of_a_piece(reason) => HOLDS_A_PIECE,
        Some(Theme::Restrains) if hits_a_piece(reason) => FROM_ATTACKING,
        Some(Theme::Restrains) if is_supported(reason) => SUPPORTED,
        Some(Theme::GuardedPost) if is_exchanged(course) => ON_OFFER,
        Some(Theme::PasserAdvances) if is_far(reason) => FAR,
        Some(Theme::Luft) if reason.line.end().of_kind(PieceType::Queen).is_empty() => WITHOUT_QUEENS,
        _ => weight,
    }
}

/// The second square that a theme is about.
fn target_of(reason: &Reason) -> Option<Square> {
    reason.theme().and_then(|(_, other)| other)
}

/// Whether the moved piece is taken in the first moves of the line, or takes something itself.
fn is_exchanged(course: &Course) -> bool {
    let moves = course.line.moves();
    let post = moves.first().map(|m| m.landing());
    let mut next = moves.iter().skip(1).take(TRADED);
    next.any(|m| m.is_capture() && (Some(m.from()) == post || Some(m.to()) == post))
}

/// Whether the pawn that is hindered would have attacked a piece.
fn hits_a_piece(reason: &Reason) -> bool {
    let (end, us) = (reason.line.end(), reason.line.mover(0));
    target_of(reason).is_some_and(|target| check::ideas::hit_by_a_pawn(end, us, target).is_some())
}

/// Whether a pawn of the other side guards the square where another is kept from: it has been prepared.
fn is_supported(reason: &Reason) -> bool {
    let (end, us) = (reason.line.end(), reason.line.mover(0));
    let target = target_of(reason);
    let guards = |target| attacks::pawn(us, target) & end.pieces(!us, PieceType::Pawn);
    target.is_some_and(|target| guards(target).any())
}

/// Whether the passed pawn has come to its sixth rank or beyond.
fn is_far(reason: &Reason) -> bool {
    let square = reason.line.at(0).map(Move::landing);
    square.is_some_and(|square| check::height(reason.line.mover(0), square) >= 6)
}

/// Whether the pawn that is blockaded is a passed one.
fn blocks_a_passer(reason: &Reason) -> bool {
    let (end, rival) = (reason.line.end(), !reason.line.mover(0));
    target_of(reason).is_some_and(|pawn| check::is_passed(end, rival, pawn))
}

/// Whether the other square of a theme has a piece, no pawn.
fn is_of_a_piece(reason: &Reason) -> bool {
    let other = target_of(reason);
    let man = other.and_then(|square| reason.line.end().piece_on(square));
    man.is_some_and(|man| man.kind() != PieceType::Pawn)
}

/// Whether the other square of a theme is on a file of the rooks.
fn is_of_rook_pawn(reason: &Reason) -> bool {
    target_of(reason).is_some_and(|square| matches!(square.file(), 0 | 7))
}

/// Whether the trade that a move avoids is what the other side would have played.
fn wants_trade(reason: &Reason, wanted: Option<Move>) -> bool {
    let trade = reason.line.at(0).zip(target_of(reason));
    let is_it =
        |wanted: Move| trade.is_some_and(|(m, other)| wanted.from() == other && wanted.to() == m.from());
    wanted.is_some_and(is_it)
}

/// Whether the piece that has been given a way back takes it in the line.
fn goes_back(reason: &Reason, course: &Course) -> bool {
    let (square, back) = match reason.said {
        Said::Change(Change::Theme { square, other, .. }) => (square, other),
        Said::Change(_) | Said::Claim(_) => return false,
    };
    let mut ours = course.line.moves().iter().skip(2).step_by(2).take(3);
    ours.any(|m| m.from() == square && Some(m.landing()) == back)
}

/// Whether a man of the player stands between the one that has moved and the other square of a theme.
fn is_through_a_pawn(reason: &Reason) -> bool {
    let moved = reason.line.at(0).map(Move::landing);
    let between = |(_, other): (Theme, Option<Square>)| Some(attacks::between(moved?, other?));
    let lies_between = reason.theme().and_then(between);
    lies_between.is_some_and(|squares| !(squares & reason.line.end().occupied()).is_empty())
}

/// Whether it is a rook or queen that a theme is about, and not the piece that has moved.
fn is_uncovered(reason: &Reason) -> bool {
    let moved = reason.line.at(0).map(Move::landing);
    let end = reason.line.end();
    let is_heavy = |square| {
        end.piece_on(square)
            .is_some_and(|piece| matches!(piece.kind(), PieceType::Rook | PieceType::Queen))
    };
    matches!(reason.said, Said::Change(Change::Theme { square, .. }) if Some(square) != moved && is_heavy(square))
}

/// Whether a knight has come from file a or h.
fn is_from_an_outer_file(reason: &Reason) -> bool {
    let from = reason.line.at(0).map(Move::from);
    from.is_some_and(|from| matches!(from.file(), 0 | 7))
}

/// Whether it is the king that has moved.
fn is_by_king(reason: &Reason) -> bool {
    let m = reason.line.at(0);
    m.is_some_and(|m| m.piece().kind() == PieceType::King)
}

/// Whether the moved piece takes what a theme is about with one of its next two moves.
fn is_traded_next(reason: &Reason, course: &Course) -> bool {
    let target = target_of(reason);
    let mut ours = course.line.moves().iter().skip(2).step_by(2).take(2);
    ours.any(|m| m.is_capture() && Some(m.to()) == target)
}

/// Whether the pawn whose way is cleared goes there with the next move.
fn is_pushed_next(reason: &Reason, course: &Course) -> bool {
    let target = target_of(reason);
    let next = course.line.at(2);
    next.is_some_and(|m| m.piece().kind() == PieceType::Pawn && Some(m.landing()) == target)
}

/// Whether what is pinned is a queen.
fn pins_queen(reason: &Reason) -> bool {
    let Some((_, Some(pinned))) = reason.theme() else {
        return false;
    };
    let piece = reason.line.end().piece_on(pinned);
    piece.is_some_and(|piece| piece.kind() == PieceType::Queen)
}

/// Whether the pawn that is hindered would have guarded a man of its side that nothing guards.
fn is_needed_guard(reason: &Reason) -> bool {
    let (end, rival) = (reason.line.end(), !reason.line.mover(0));
    let Some((_, Some(target))) = reason.theme() else {
        return false;
    };
    let is_loose = |man: Square| {
        let is_theirs = end.piece_on(man).is_some_and(|piece| piece.color() == rival);
        is_theirs && !end.attacked_by(rival).has(man)
    };
    attacks::pawn(rival, target).into_iter().any(is_loose)
}

/// Whether a knight of the other side that could have gone to the square has no safe move ahead left.
fn leaves_without_moves(reason: &Reason) -> bool {
    let (end, rival) = (reason.line.end(), !reason.line.mover(0));
    let Some((_, Some(target))) = reason.theme() else {
        return false;
    };
    let moves = end.legal_moves();
    let forward = |from: Square, to: Square| match rival {
        Color::White => to.rank() > from.rank(),
        Color::Black => to.rank() < from.rank(),
    };
    let is_stuck = |knight: Square| {
        let goes = |m: &&Move| m.from() == knight && forward(knight, m.landing());
        let is_safe = |m: &Move| exchange::best(&end.after(*m), m.landing()) == 0;
        !moves.iter().filter(goes).any(is_safe)
    };
    let knights =
        attacks::of(PieceType::Knight, target, end.occupied()) & end.pieces(rival, PieceType::Knight);
    knights
        .into_iter()
        .any(|knight| forward(knight, target) && is_stuck(knight))
}

/// Whether the other side wanted to go to the other square of a theme with a pawn, from where it attacks a pawn.
fn is_wanted_break(reason: &Reason, wanted: Option<Move>) -> bool {
    let Some(wanted) = wanted.filter(|wanted| wanted.piece().kind() == PieceType::Pawn) else {
        return false;
    };
    let us = reason.line.mover(0);
    let ours = reason.line.end().pieces(us, PieceType::Pawn);
    is_bar_to(reason, Some(wanted)) && !(attacks::pawn(!us, wanted.landing()) & ours).is_empty()
}

/// What it weighs that the other side is kept from a square that it does not want now.
fn by_the_way(reason: &Reason, wanted: Option<Move>) -> Option<i32> {
    let (_, target) = reason.theme()?;
    let target = target?;
    let is_pawn = |m: Move| m.piece().kind() == PieceType::Pawn;
    let is_early = reason.line.start().occupied().count() >= OPENING;
    let by_pawn = reason.line.at(0).is_some_and(is_pawn);
    match keeps_bishop_in(&reason.line, target) {
        _ if wanted.map(Move::landing) == Some(target) => None,
        false => Some(FROM_THE_CENTRE),
        true if !by_pawn => Some(FROM_DEVELOPING),
        true => is_early.then_some(FROM_A_CHECK),
    }
}

/// Whether a pawn stops another that wanted to go on.
fn is_bar(reason: &Reason, wanted: Option<Move>) -> bool {
    wanted.map(Move::landing) == reason.line.at(0).map(Move::landing)
}

/// Whether the other side wanted to go to the other square of a theme.
fn is_bar_to(reason: &Reason, wanted: Option<Move>) -> bool {
    target_of(reason) == wanted.map(Move::landing)
}

/// Whether the other king wants to come nearer to the square that a theme is about, and would be beside it then.
fn is_approached(reason: &Reason, wanted: Option<Move>) -> bool {
    let is_step = |target: Square, m: Move| {
        m.piece().kind() == PieceType::King
            && endings::distance(m.from(), target) == 2
            && endings::distance(m.landing(), target) == 1
    };
    let is_wanted = target_of(reason)
        .zip(wanted)
        .is_some_and(|(target, m)| is_step(target, m));
    // in a pawn ending the opposition says more
    is_wanted && !endings::is_pawn_ending(reason.line.end())
}

/// Whether a theme is about a pawn of the other side that no other can guard.
fn is_about_a_weak_pawn(reason: &Reason) -> bool {
    let Some((_, Some(pawn))) = reason.theme() else {
        return false;
    };
    let end = reason.line.end();
    let rivals = end.pieces(!reason.line.mover(0), PieceType::Pawn);
    let beside = |file: i8| {
        u8::try_from(file)
            .ok()
            .filter(|&file| file < 8)
            .map(Bitboard::file)
    };
    let file = pawn.file() as i8;
    let neighbours = [file - 1, file + 1].into_iter().filter_map(beside);
    !neighbours.into_iter().any(|file| !(rivals & file).is_empty())
}

/// Whether a knight goes on to one of these squares with one of the next two moves.
fn knight_goes_to(squares: Bitboard, course: &Course) -> bool {
    let mut ours = course.line.moves().iter().skip(2).step_by(2).take(2);
    ours.any(|m| m.piece().kind() == PieceType::Knight && squares.has(m.landing()))
}

/// Whether a knight goes on to the square that it heads for.
fn goes_on(reason: &Reason, course: &Course) -> bool {
    reason
        .theme()
        .and_then(|(_, target)| target)
        .is_some_and(|target| knight_goes_to(Bitboard::of(target), course))
}

/// Whether a knight goes on to where it attacks the pawn that it heads for.
fn gets_there(reason: &Reason, course: &Course) -> bool {
    let near = |pawn| attacks::of(PieceType::Knight, pawn, Bitboard::EMPTY);
    reason
        .theme()
        .and_then(|(_, pawn)| pawn)
        .is_some_and(|pawn| knight_goes_to(near(pawn), course))
}

/// Whether a bishop at home, and no other knight or bishop of the other side, could have gone to a square.
fn keeps_bishop_in(line: &Line, target: Square) -> bool {
    let Some(theirs) = line.start().passed() else {
        return false;
    };
    let home = Bitboard::rank(if theirs.side_to_move() == Color::White {
        0
    } else {
        7
    });
    let moves = theirs.legal_moves().into_iter();
    let mut comes: Vec<Move> = moves
        .filter(|m| m.landing() == target && !m.is_capture())
        .collect();
    comes.retain(|m| matches!(m.piece().kind(), PieceType::Knight | PieceType::Bishop));
    let is_bishop_at_home = |m: &Move| m.piece().kind() == PieceType::Bishop && home.has(m.from());
    comes.len() == 1 && comes.iter().all(is_bishop_at_home)
}

/// Whether a knight or bishop of the other side would have pinned or attacked a piece from the square that a pawn guards now.
fn is_kept_visit(reason: &Reason) -> bool {
    let line = &reason.line;
    target_of(reason).is_some_and(|target| check::ideas::visit(line.start(), line.mover(0), target).is_some())
}

/// Whether a queen could have gone to a square to check a king that may castle.
fn keeps_check(line: &Line, target: Square) -> bool {
    let checks = |theirs: Position| {
        let is_check = |m: &Move| {
            m.landing() == target && m.piece().kind() == PieceType::Queen && theirs.after(*m).in_check()
        };
        theirs.legal_moves().iter().any(is_check)
    };
    line.start().castling().any(line.mover(0)) && line.start().passed().is_some_and(checks)
}

/// Whether a square is one of d4, e4, d5 and e5.
pub fn is_central(square: Square) -> bool {
    matches!(square.file(), 3 | 4) && matches!(square.rank(), 3 | 4)
}

/// Whether a square is one of the centre to which a pawn of the other side could have gone in the opening.
fn keeps_centre(line: &Line, target: Square) -> bool {
    line.start().occupied().count() >= OPENING
        && is_central(target)
        && line.start().passed().is_some_and(|theirs| {
            let is_push =
                |m: &Move| m.landing() == target && !m.is_capture() && m.piece().kind() == PieceType::Pawn;
            theirs.legal_moves().iter().any(is_push)
        })
}
