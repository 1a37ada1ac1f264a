//! What the checkers of changes and of themes both ask of squares and pieces, by the rules alone.

use super::exchange::{kind_on, seen_from, sees};
use crate::board::{Color, PieceType, Position, Square};
use crate::explain::line::Line;

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

/// A player's knights and bishops.
pub(super) fn minors(position: &Position, color: Color) -> Vec<Square> {
    [PieceType::Knight, PieceType::Bishop]
        .map(|kind| men(position, color, kind))
        .concat()
}

pub(super) fn any(position: &Position, color: Color, kind: PieceType, is: impl Fn(Square) -> bool) -> bool {
    men(position, color, kind).into_iter().any(is)
}

pub(super) fn king(position: &Position, color: Color) -> Square {
    men(position, color, PieceType::King)[0]
}

/// The rank of a square as a player counts, from 1.
pub fn height(color: Color, square: Square) -> i32 {
    match color {
        Color::White => i32::from(square.rank()) + 1,
        Color::Black => 8 - i32::from(square.rank()),
    }
}

pub(super) fn is_dark(square: Square) -> bool {
    (square.file() + square.rank()).is_multiple_of(2)
}

/// Whether a square is one of d4, e4, d5 and e5.
pub(super) fn is_central(square: Square) -> bool {
    matches!(square.file(), 3 | 4) && matches!(square.rank(), 3 | 4)
}

/// Whether a square is on files a to c or f to h.
pub(super) fn is_outside(square: Square) -> bool {
    !matches!(square.file(), 3 | 4)
}

/// Whether a player's king is on a wing: on its first two ranks and off the files d and e.
pub(super) fn is_king_on_a_wing(position: &Position, color: Color) -> bool {
    let king = king(position, color);
    is_outside(king) && height(color, king) <= 2
}

/// Whether a pawn of the player attacks a square.
pub(super) fn pawns_attack(position: &Position, color: Color, square: Square) -> bool {
    any(position, color, PieceType::Pawn, |pawn| {
        seen_from(position, pawn).contains(&square)
    })
}

/// Whether no pawn of the other side can stop a pawn, in front of it or from beside.
pub fn is_passed(position: &Position, color: Color, pawn: Square) -> bool {
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

/// Whether a square of the files b to g has a player's pawn that none of its own can guard: an isolated one, or one that has
/// left its second rank and been left behind, with no pawn of the other side on its file except right in front of it.
pub(super) fn is_weak(position: &Position, color: Color, pawn: Square) -> bool {
    let is_in_the_way = |other: Square| other.file() == pawn.file() && !is_before(color, pawn, other);
    let is_exposed = || !any(position, !color, PieceType::Pawn, is_in_the_way);
    let is_loose = || is_left_behind(position, color, pawn) || is_doubled_beside(position, color, pawn);
    kind_on(position, pawn, color) == Some(PieceType::Pawn)
        && (1..=6).contains(&pawn.file())
        && (is_isolated(position, color, pawn) || height(color, pawn) > 2 && is_exposed() && is_loose())
}

/// Whether a pawn has a fellow on its file, and neighbours none of which is behind it, so that none can guard it.
fn is_doubled_beside(position: &Position, color: Color, pawn: Square) -> bool {
    let mut fellows = men(position, color, PieceType::Pawn).into_iter();
    let is_doubled = fellows.any(|other| other != pawn && other.file() == pawn.file());
    let is_behind =
        |other: Square| other.file().abs_diff(pawn.file()) == 1 && height(color, other) < height(color, pawn);
    is_doubled && !any(position, color, PieceType::Pawn, is_behind)
}

/// Whether a pawn on files b to g is isolated or left behind, so that no other can guard it.
pub(super) fn is_beyond_guard(position: &Position, color: Color, pawn: Square) -> bool {
    (1..=6).contains(&pawn.file())
        && (is_isolated(position, color, pawn) || is_left_behind(position, color, pawn))
}

/// Whether a pawn has neighbours, all of them ahead of it, so that none can guard it.
pub(super) fn is_left_behind(position: &Position, color: Color, pawn: Square) -> bool {
    let mut neighbours = men(position, color, PieceType::Pawn);
    neighbours.retain(|other| other.file().abs_diff(pawn.file()) == 1);
    let ahead = |other: &Square| is_beside_and_ahead(color, pawn, *other);
    !neighbours.is_empty() && neighbours.iter().all(ahead)
}

/// Whether a pawn stands on a neighbouring file and farther on, as a player counts.
pub(super) fn is_beside_and_ahead(color: Color, square: Square, pawn: Square) -> bool {
    pawn.file().abs_diff(square.file()) == 1 && height(color, pawn) > height(color, square)
}

/// How many squares a man attacks on which no man of its own side stands.
pub(super) fn ways(position: &Position, from: Square, color: Color) -> usize {
    let seen = seen_from(position, from).into_iter();
    seen.filter(|&to| kind_on(position, to, color).is_none()).count()
}

/// Whether a player's pawns can never attack a square, wherever they go.
pub(super) fn is_out_of_pawns_reach(position: &Position, color: Color, square: Square) -> bool {
    !any(position, color, PieceType::Pawn, |pawn| {
        is_beside_and_ahead(!color, square, pawn)
    })
}

/// The same, or only those could attack it that do not now and that a pawn of the other side stands right before.
pub(super) fn is_held_from_pawns(position: &Position, color: Color, square: Square) -> bool {
    !any(position, color, PieceType::Pawn, |pawn| {
        let is_blocked = pawn_before(position, color, pawn) == Some(!color);
        is_beside_and_ahead(!color, square, pawn) && (!is_blocked || sees(position, pawn, square))
    })
}

/// Whether a square is on a player's fifth rank or beyond, where no pawn of the other side could ever attack it.
pub fn is_outpost(position: &Position, owner: Color, square: Square) -> bool {
    height(owner, square) >= 5 && is_out_of_pawns_reach(position, !owner, square)
}

/// Whether a pawn on the files c to f has a pawn of the other side right in front of it.
pub(super) fn is_blocked_by_pawn(position: &Position, color: Color, pawn: Square) -> bool {
    (2..=5).contains(&pawn.file()) && pawn_before(position, color, pawn) == Some(!color)
}

/// Whether a player's bishop is bad: two or more of its pawns on the bishop's colour are blocked in this way.
pub(super) fn is_bad_bishop(position: &Position, color: Color, bishop: Square) -> bool {
    stuck_on_color(position, color, bishop) >= 2
}

/// Whether a player's bishop that has not moved stands on a square.
pub(super) fn is_bishop_at_home(position: &Position, color: Color, square: Square) -> bool {
    kind_on(position, square, color) == Some(PieceType::Bishop)
        && height(color, square) == 1
        && matches!(square.file(), 2 | 5)
}

/// Whether a square is the one of a player's fianchetto: on the second rank, file b or g.
pub(super) fn is_fianchetto(color: Color, square: Square) -> bool {
    height(color, square) == 2 && matches!(square.file(), 1 | 6)
}

/// How many of a player's pawns on the colour of a bishop are blocked in this way.
pub(super) fn stuck_on_color(position: &Position, color: Color, bishop: Square) -> usize {
    let is_stuck =
        |pawn: &Square| is_dark(*pawn) == is_dark(bishop) && is_blocked_by_pawn(position, color, *pawn);
    men(position, color, PieceType::Pawn)
        .iter()
        .filter(|&pawn| is_stuck(pawn))
        .count()
}

/// Whether a player's bishop is good: of its pawns on the files c to f at most one stands on the bishop's colour, and three or
/// more do not.
pub(super) fn is_good_bishop(position: &Position, color: Color, bishop: Square) -> bool {
    let mut pawns = men(position, color, PieceType::Pawn);
    pawns.retain(|pawn| (2..=5).contains(&pawn.file()));
    let is_in_its_way = |pawn: &&Square| is_dark(**pawn) == is_dark(bishop);
    let in_its_way = pawns.iter().filter(is_in_its_way).count();
    in_its_way <= 1 && pawns.len() - in_its_way >= 3
}

/// Whether a square is right in front of a pawn of this colour.
pub(super) fn is_before(color: Color, pawn: Square, square: Square) -> bool {
    square.file() == pawn.file() && height(color, square) == height(color, pawn) + 1
}

/// Whose pawn stands right in front of a pawn of this colour.
pub(super) fn pawn_before(position: &Position, color: Color, pawn: Square) -> Option<Color> {
    let stands = |other: Square| is_before(color, pawn, other);
    [Color::White, Color::Black]
        .into_iter()
        .find(|&owner| any(position, owner, PieceType::Pawn, stands))
}

/// How many men of a player attack a square.
pub(super) fn watchers(position: &Position, color: Color, target: Square) -> usize {
    Square::all()
        .filter(|&from| kind_on(position, from, color).is_some() && sees(position, from, target))
        .count()
}
