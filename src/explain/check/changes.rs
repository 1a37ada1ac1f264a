//! Confirms what a line has changed, square by square, by the definitions in [`crate::explain::change`].

use super::exchange::{kind_on, seen_from};
use super::squares::{
    any, height, is_beside_and_ahead, is_dark, is_isolated, is_passed, king, men, origin, pawn_before,
    pawns_attack,
};
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
            let height = height(color, square);
            (matches!(height, 3 | 4) || height == 5 && "de".contains(file_letter(square)))
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

fn file_letter(square: Square) -> char {
    (b'a' + square.file()) as char
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

fn is_outpost(position: &Position, color: Color, square: Square) -> bool {
    (4..=6).contains(&height(color, square))
        && pawns_attack(position, color, square)
        && !any(position, !color, PieceType::Pawn, |pawn| {
            is_beside_and_ahead(color, square, pawn)
                && (height(color, pawn) == height(color, square) + 1
                    || pawn_before(position, !color, pawn).is_none())
        })
}

/// Whether a pawn of the player guards a square or would after going straight on.
fn guardable(position: &Position, color: Color, square: Square) -> bool {
    any(position, color, PieceType::Pawn, |pawn| {
        pawn.file().abs_diff(square.file()) == 1 && height(color, pawn) < height(color, square)
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
