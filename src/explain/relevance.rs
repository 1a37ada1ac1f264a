//! Where a change that is true is also worth a sentence.

use super::change::Change;
use super::check;
use super::course::Course;
use super::endings;
use super::explanation::{Assessment, Role};
use super::line::Line;
use super::theme::Theme;
use crate::board::{Bitboard, Color, Move, PieceType, Position, Square};

/// With so few pieces files are open everywhere.
const ENDING: u32 = 8;

/// Who hunts a king has so many pieces, the own king among them.
const HUNTERS: u32 = 3;

/// With fewer pieces a king is safe in the open.
const MIDDLEGAME: u32 = 18;

/// With so many a queen has little use for an open file yet.
const OPENING: u32 = 22;

/// A piece that is traded within so many plies has no post.
const SOON: usize = 4;

/// With more pieces than that no king is in danger on its back rank.
const CROWDED: u32 = 25;

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

/// Whether a change at this point of a course is true and still explains nothing.
pub fn is_beside_the_point(change: &Change, role: Role, course: &Course, end: &Position) -> bool {
    let line = &course.line;
    let moved = line.at(0).map(Move::landing);
    // where the first move's piece is taken at once
    let given = moved.filter(|_| line.is_taken(0) && !line.is_traded());
    match *change {
        Change::TakesFile { square, .. } => {
            let is_queen = end
                .piece_on(square)
                .is_some_and(|piece| piece.kind() == PieceType::Queen);
            let count = end.occupied().count();
            let had_file = |m: Move| {
                let pawns = line.start().of_kind(PieceType::Pawn);
                m.landing() == square && (pawns & Bitboard::file(m.from().file())).is_empty()
            };
            Some(square) == given
                || line.at(0).is_some_and(had_file)
                // who gives check has more in mind
                || line.after(0).in_check() && !line.is_traded()
                || is_queen && (count <= ENDING || count >= OPENING)
        }
        // a passed pawn is not weak for having another behind it
        Change::DoubledPawns { color, pawn } => check::is_passed(end, color, pawn),
        // the shelter comes of castling next, not of the move
        Change::Shelter { .. } => line.at(2).is_some_and(|m| m.is_castling()) && line.after(2) == end,
        // a pawn break that was there anyway does not speak against a move
        Change::Theme {
            theme: Theme::Lever,
            other,
            ..
        } => role != Role::Achieves && other != moved,
        // who is traded has no outpost
        Change::Outpost { square, .. }
        | Change::Theme {
            theme: Theme::GuardedPost,
            square,
            ..
        } => Some(square) == moved && is_traded_soon(line, square),
        // the bishop is what is won
        Change::Theme {
            theme: Theme::BuriedBishop,
            ..
        } => course.gain > 0,
        // rooks that another piece uncovers stood there before
        Change::Theme {
            theme: Theme::DoublesRooks,
            square,
            other,
            ..
        } if role != Role::Achieves => !line.moves().iter().any(|m| {
            let to = Some(m.landing());
            to == Some(square) || to == other
        }),
        Change::Theme {
            theme: Theme::SeventhRank | Theme::OffersPiece,
            ..
        } => given.is_some(),
        Change::Theme {
            theme: Theme::CentreWithTempo | Theme::CentrePawn,
            square,
            ..
        } => Some(square) == given && !line.is_taken(1),
        // the pawn that takes an offer is not what the offer is for
        Change::IsolatedPawn { pawn, .. } => {
            Some(pawn) == given || role != Role::Achieves && loses_neighbour(line, end, pawn)
        }
        // among many men a piece without a move may be as well off as any
        Change::Theme {
            theme: Theme::Dominates,
            color,
            square,
            ..
        } => !endings::has_few_pieces(end) && !falls(line, end, color, square),
        _ => false,
    }
}

/// Whether the last move before a position of a line has taken a pawn beside another: what is lost says more.
fn loses_neighbour(line: &Line, end: &Position, pawn: Square) -> bool {
    let plies = (0..line.len()).filter(|&ply| line.after(ply) == end);
    let taken = plies.map(|ply| (line.before(ply), line.moves()[ply]));
    taken.filter(|(_, m)| m.is_capture()).any(|(before, m)| {
        let piece = before.piece_on(m.to());
        piece.is_some_and(|piece| piece.kind() == PieceType::Pawn) && m.to().file().abs_diff(pawn.file()) == 1
    })
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
        Theme::PawnEnding if endings::is_drawn(line.end()) => {
            check::exchange::balance(line.start(), color) < 0 && stands < Assessment::SLIGHTLY_BETTER
        }
        Theme::PawnEnding | Theme::OffersPawnEnding | Theme::Simplifies | Theme::Triangulation => {
            stands >= Assessment::WINNING
        }
        // a bare king only runs
        Theme::ActiveKing => line.end().of_color(color).count() > 1,
        Theme::Develops | Theme::CentrePawn | Theme::Castles | Theme::Fianchetto => line.len() == 1,
        Theme::BlocksPawn | Theme::EarlyQueen | Theme::MovesAgain | Theme::GivesUpCentre => line.len() == 1,
        // a capture has another reason
        Theme::Centralises => !line.at(0).is_some_and(|m| m.is_capture()),
        // a king in the centre, or before the middlegame, does not look for a way out ahead
        Theme::Luft => !matches!(square.file(), 3 | 4) && line.end().occupied().count() <= CROWDED,
        // only what is offered there stops a pawn worth naming
        Theme::StopsPawn => line.len() == 1 && check::exchange::best(line.end(), square) > 0,
        Theme::OpensFileToKing => !holds_file(line.end(), !color, square.file()),
        // in an ending kings walk across lines all the time
        Theme::LeavesLine => line.end().occupied().count() >= MIDDLEGAME,
        // said of the same bishop
        Theme::LetsOutBishop => !check::confirms_change(line, &as_theme(change, Theme::DiagonalToKing)),
        // who steps into a pin does not pin
        Theme::Pins => line.mover(line.len() - 1) == color && is_pin_to_the_king_or_queen(change, line.end()),
        // with few pieces left nobody attacks a king
        Theme::JoinsAttack => stands > 0.0 && has_attackers(line.end(), color),
        // nor does a queen alone
        Theme::KingHunt => stands > 0.0 && pieces(line.end(), color).count() >= HUNTERS,
        // a king that steps behind the line itself is not driven there, and a check is for more
        Theme::CutOff => line.mover(line.len() - 1) == color && !line.end().in_check(),
        // who takes something or gives check has more in mind
        Theme::Blockade => !line
            .moves()
            .last()
            .is_some_and(|m| m.is_capture() || line.end().in_check()),
        // what comes later is not what the square was left for
        Theme::ClearsSquare => line.len() <= 3,
        Theme::KingHelps => stands >= Assessment::WINNING,
        Theme::PawnsOnBishopColour => stands > -Assessment::BETTER,
        // who loses a piece anyway does not offer it
        Theme::LeavesPiece => stands > -Assessment::SLIGHTLY_BETTER,
        Theme::LastPawn | Theme::LeavesTooLittle => stands < Assessment::SLIGHTLY_BETTER,
        Theme::PawnStorm => stands > -Assessment::BETTER,
        Theme::BadBishop | Theme::TradesBadBishop | Theme::LeavesBadBishop => stands > -Assessment::BETTER,
        Theme::TradesQueens | Theme::TradesRooks => stands >= Assessment::BETTER,
        _ => true,
    }
}

/// Whether a player takes something on this square in a line, once it has come to this position.
fn falls(line: &Line, end: &Position, color: Color, square: Square) -> bool {
    (0..line.len())
        .skip_while(|&ply| line.before(ply) != end)
        .filter(|&ply| line.mover(ply) == color)
        .any(|ply| line.moves()[ply].is_capture() && line.moves()[ply].to() == square)
}

/// Whether what stands on a square is taken within the next moves of a line, or is a bishop that takes something.
fn is_traded_soon(line: &Line, square: Square) -> bool {
    let soon = line.moves().iter().skip(1).take(SOON);
    let takes = |m: &Move| m.from() == square && m.piece().kind() == PieceType::Bishop;
    soon.filter(|m| m.is_capture())
        .any(|m| m.to() == square || takes(m))
}

/// Whether a player has a queen or three other pieces to attack a king with.
fn has_attackers(position: &Position, color: Color) -> bool {
    let has_queen = !position.pieces(color, PieceType::Queen).is_empty();
    position.occupied().count() > ENDING && (has_queen || pieces(position, color).count() > 3)
}

/// A player's pieces, the king among them.
fn pieces(position: &Position, color: Color) -> Bitboard {
    position.of_color(color) & !position.of_kind(PieceType::Pawn)
}

/// The same change as another theme.
fn as_theme(change: &Change, theme: Theme) -> Change {
    let mut other = *change;
    if let Change::Theme { theme: old, .. } = &mut other {
        *old = theme;
    }
    other
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
        // a pawn that goes on leaves its king, even if it counts as one in front of it now
        Change::Shelter {
            king, before, after, ..
        } => {
            let goes_on = line
                .at(0)
                .is_some_and(|m| m.is_quiet() && m.piece().kind() == PieceType::Pawn);
            !(matches!(king.file(), 3 | 4) || goes_on && after > before)
        }
        // a pawn stands there already, or right behind where it began
        Change::WeakSquare { color, square } => {
            let (behind, second) = if color == Color::White { (-8, 1) } else { (8, 6) };
            let pawns = line.end().pieces(color, PieceType::Pawn) & Bitboard::rank(second);
            let other = line.end().piece_on(square);
            other.is_none_or(|piece| piece.kind() != PieceType::Pawn)
                && (Bitboard::of(square).rotated(behind) & pawns).is_empty()
        }
        // after two moves of a player others than the first may be why
        Change::Mobility { .. } | Change::Space { .. } => line.len() < 3,
        Change::LosesBishopPair { color, other_has_it } => {
            other_has_it || line.start().pieces(!color, PieceType::Bishop).count() < 2
        }
        // behind a piece of its own side it sees nothing of the file
        Change::TakesFile { color, square, .. } => {
            let ahead = if color == Color::White { 8 } else { -8 };
            let next = Bitboard::of(square).rotated(ahead);
            (next & line.end().of_color(color)).is_empty()
        }
        _ => true,
    }
}
