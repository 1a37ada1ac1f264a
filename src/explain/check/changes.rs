//! Confirms what a line has changed, square by square, by the definitions in [`crate::explain::change`].

use super::exchange::{kind_on, seen_from};
use super::themes;
use crate::board::{Color, PieceType, Position, Square};
use crate::explain::change::{Change, FileState};
use crate::explain::line::Line;

/// Whether a change is true of the first and the last position of a line.
pub fn confirms(line: &Line, change: &Change) -> bool {
    let (start, end) = (line.start(), line.end());
    let came_from = |square, color, kind| {
        let here = kind_on(end, square, color) == Some(kind);
        origin(line, square).filter(|_| here && !line.is_empty())
    };
    match *change {
        Change::Mobility {
            color,
            square,
            piece,
            before,
            after,
        } => came_from(square, color, piece).is_some_and(|origin| {
            !matches!(piece, PieceType::Pawn | PieceType::King)
                && before.abs_diff(after) >= 3
                && room(start, origin) == before
                && room(end, square) == after
        }),
        Change::Shelter {
            color,
            king,
            before,
            after,
        } => {
            let queens = |position| any(position, !color, PieceType::Queen, |_| true);
            before != after
                && kind_on(end, king, color) == Some(PieceType::King)
                && queens(start)
                && queens(end)
                && shelter(start, color) == before
                && shelter(end, color) == after
        }
        Change::TakesFile {
            color,
            square,
            piece,
            state,
        } => came_from(square, color, piece).is_some_and(|origin| {
            let file = square.file();
            matches!(piece, PieceType::Rook | PieceType::Queen)
                && state != FileState::Closed
                && state_of(end, color, file) == state
                && (origin.file() != file || state_of(start, color, file) != state)
        }),
        Change::Outpost { color, square, piece } => came_from(square, color, piece).is_some_and(|origin| {
            matches!(piece, PieceType::Knight | PieceType::Bishop)
                && is_outpost(end, color, square)
                && !is_outpost(start, color, origin)
        }),
        Change::WeakSquare { color, square } => {
            let matters =
                "cdef".contains(file_letter(square)) || square.file().abs_diff(king(end, color).file()) <= 1;
            let visitors = any(end, !color, PieceType::Knight, |_| true)
                || any(end, !color, PieceType::Bishop, |bishop| {
                    is_dark(bishop) == is_dark(square)
                });
            matches!(height(color, square), 3 | 4)
                && matters
                && visitors
                && guardable(start, color, square)
                && !guardable(end, color, square)
        }
        Change::PassedPawn { color, pawn } => came_from(pawn, color, PieceType::Pawn)
            .is_some_and(|origin| is_passed(end, color, pawn) && !is_passed(start, color, origin)),
        Change::IsolatedPawn { color, pawn } => came_from(pawn, color, PieceType::Pawn)
            .is_some_and(|origin| is_isolated(end, color, pawn) && !is_isolated(start, color, origin)),
        Change::DoubledPawns { color, pawn } => {
            let on_file = |position| -> Vec<Square> {
                let pawns = men(position, color, PieceType::Pawn).into_iter();
                pawns.filter(|other| other.file() == pawn.file()).collect()
            };
            let now = on_file(end);
            now.len() > 1
                && on_file(start).len() < 2
                && now.contains(&pawn)
                && now
                    .iter()
                    .all(|&other| height(color, other) <= height(color, pawn))
        }
        Change::LosesBishopPair { color, other_has_it } => {
            has_pair(start, color) && !has_pair(end, color) && has_pair(end, !color) == other_has_it
        }
        Change::Theme {
            theme,
            color,
            square,
            other,
        } => themes::confirms(line, theme, color, square, other),
        Change::Space { color, before, after } => {
            before.abs_diff(after) >= 2 && space(start, color) == before && space(end, color) == after
        }
    }
}

/// Where the piece that stands on a square at the end stood at the beginning, by walking the line back; `None` if it
/// came out of a promotion.
pub(super) fn origin(line: &Line, mut square: Square) -> Option<Square> {
    for ply in (0..line.len()).rev() {
        let (before, after, m) = (line.before(ply), line.after(ply), line.moves()[ply]);
        let piece = after.piece_on(square)?;
        if square == m.landing() {
            square = m.from();
        } else if before.piece_on(square) != Some(piece) {
            // a rook that castled
            square = m.to();
        }
        if before.piece_on(square) != Some(piece) {
            return None;
        }
    }
    Some(square)
}

/// A player's pieces of a kind.
pub(super) fn men(position: &Position, color: Color, kind: PieceType) -> Vec<Square> {
    Square::all()
        .filter(|&square| kind_on(position, square, color) == Some(kind))
        .collect()
}

pub(super) fn any(position: &Position, color: Color, kind: PieceType, is: impl Fn(Square) -> bool) -> bool {
    men(position, color, kind).into_iter().any(is)
}

pub(super) fn king(position: &Position, color: Color) -> Square {
    men(position, color, PieceType::King)[0]
}

/// The rank of a square as a player counts, from 1.
pub(super) fn height(color: Color, square: Square) -> i32 {
    match color {
        Color::White => i32::from(square.rank()) + 1,
        Color::Black => 8 - i32::from(square.rank()),
    }
}

fn file_letter(square: Square) -> char {
    (b'a' + square.file()) as char
}

pub(super) fn is_dark(square: Square) -> bool {
    (square.file() + square.rank()).is_multiple_of(2)
}

/// Whether a pawn of the player attacks a square.
pub(super) fn pawns_attack(position: &Position, color: Color, square: Square) -> bool {
    any(position, color, PieceType::Pawn, |pawn| {
        seen_from(position, pawn).contains(&square)
    })
}

/// The squares that a piece can go to, by the definition of mobility.
fn room(position: &Position, square: Square) -> u32 {
    let Some(piece) = position.piece_on(square) else {
        return 0;
    };
    let free = |to: &Square| {
        kind_on(position, *to, piece.color()).is_none() && !pawns_attack(position, !piece.color(), *to)
    };
    seen_from(position, square).iter().filter(|to| free(to)).count() as u32
}

fn shelter(position: &Position, color: Color) -> u32 {
    let king = king(position, color);
    let shields = |pawn: &Square| {
        let ahead = height(color, *pawn) - height(color, king);
        pawn.file().abs_diff(king.file()) <= 1 && (ahead == 1 || ahead == 2)
    };
    let pawns = men(position, color, PieceType::Pawn);
    pawns.iter().filter(|pawn| shields(pawn)).count() as u32
}

fn state_of(position: &Position, color: Color, file: u8) -> FileState {
    if any(position, color, PieceType::Pawn, |pawn| pawn.file() == file) {
        FileState::Closed
    } else if any(position, !color, PieceType::Pawn, |pawn| pawn.file() == file) {
        FileState::HalfOpen
    } else {
        FileState::Open
    }
}

/// Whether a pawn stands on a neighbouring file and farther on, as a player counts.
fn is_beside_and_ahead(color: Color, square: Square, pawn: Square) -> bool {
    pawn.file().abs_diff(square.file()) == 1 && height(color, pawn) > height(color, square)
}

fn is_outpost(position: &Position, color: Color, square: Square) -> bool {
    (4..=6).contains(&height(color, square))
        && pawns_attack(position, color, square)
        && !any(position, !color, PieceType::Pawn, |pawn| {
            is_beside_and_ahead(color, square, pawn)
        })
}

/// Whether a pawn of the player guards a square or would after going straight on.
fn guardable(position: &Position, color: Color, square: Square) -> bool {
    any(position, color, PieceType::Pawn, |pawn| {
        pawn.file().abs_diff(square.file()) == 1 && height(color, pawn) < height(color, square)
    })
}

pub(super) fn is_passed(position: &Position, color: Color, pawn: Square) -> bool {
    !any(position, !color, PieceType::Pawn, |other| {
        is_beside_and_ahead(color, pawn, other)
            || other.file() == pawn.file() && height(color, other) > height(color, pawn)
    })
}

pub(super) fn is_isolated(position: &Position, color: Color, pawn: Square) -> bool {
    !any(position, color, PieceType::Pawn, |other| {
        other.file().abs_diff(pawn.file()) == 1
    })
}

fn has_pair(position: &Position, color: Color) -> bool {
    any(position, color, PieceType::Bishop, is_dark)
        && any(position, color, PieceType::Bishop, |bishop| !is_dark(bishop))
}

fn space(position: &Position, color: Color) -> u32 {
    let counts = |square: &Square| {
        "cdef".contains(file_letter(*square))
            && (2..=4).contains(&height(color, *square))
            && kind_on(position, *square, color) != Some(PieceType::Pawn)
            && !pawns_attack(position, !color, *square)
    };
    Square::all().filter(counts).count() as u32
}
