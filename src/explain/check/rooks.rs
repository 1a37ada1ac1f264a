//! Confirms what rooks and queens do on files and ranks, by the definitions in [`crate::explain::theme`].

use super::exchange::{best, first_two, is_between, kind_on, seen_from, sees};
use super::squares::{any, height, is_king_on_a_wing, is_passed, king, men, pawns_attack};
use super::themes::{Scene, is_ending, steps};
use crate::board::{Color, Move, PieceType, Position, Square};
use crate::explain::theme::Theme;
use PieceType::{Bishop, King, Knight, Pawn, Queen, Rook};

/// A king that can get to so many squares fewer is boxed in.
const FEWER: usize = 8;

/// Plies within which a queen and a rook get together.
const GATHERED: usize = 9;

/// By a file, a rank, or the seventh rank.
const WAYS: usize = 3;

impl Scene<'_> {
    pub(super) fn gathers_on_file(&self) -> bool {
        let (color, line, square, other) = (self.color, self.line, self.square, self.other);
        let Some(last) = line.moves().last() else {
            return false;
        };
        let lair = king(self.end, !color);
        let file = square.file();
        let has_come = |was: Option<Square>| was.is_some_and(|from| from.file() != file);
        let has_queen = [square, other]
            .into_iter()
            .any(|piece| kind_on(self.end, piece, color) == Some(Queen));
        let is_heavy = |piece: Square| matches!(kind_on(self.end, piece, color), Some(Rook | Queen));
        let is_there = |pawn: Square| pawn.file() == file;
        (3..=GATHERED).contains(&line.len())
            && last.landing() == square
            && line.mover(line.len() - 1) == color
            && other.file() == file
            && is_heavy(square)
            && is_heavy(other)
            && has_queen
            && has_come(self.was)
            && has_come(self.other_was())
            && !any(self.end, color, Pawn, is_there)
            && file.abs_diff(lair.file()) <= 1
            && is_king_on_a_wing(self.end, !color)
            && best(self.end, square) == 0
            && best(self.end, other) == 0
    }

    pub(super) fn heavy(&self, theme: Theme) -> bool {
        let color = self.color;
        match theme {
            Theme::RookBehindPasser => {
                is_ending(self.end)
                    && self.is_new(|position, square, pawn| is_behind(position, color, square, pawn))
            }
            Theme::StaysBehindPasser => {
                let was = self.was.filter(|&was| was != self.square);
                is_ending(self.end)
                    && self.line.len() == 1
                    && is_behind(self.end, color, self.square, self.other)
                    && was.is_some_and(|was| is_behind(self.start, color, was, self.other))
            }
            Theme::CutOff => {
                // along a file, a rank or the seventh rank: one may take the place of another
                let is_new_in = |way: usize| {
                    self.is_new(|position, square, other| cut_off(position, color, square, other)[way])
                };
                is_ending(self.end) && ((0..WAYS).any(is_new_in) || self.cuts_off_farther())
            }
            Theme::SeventhRank => {
                let there = |position: &Position, square: Square, _: Square| {
                    matches!(kind_on(position, square, color), Some(Rook | Queen))
                        && height(color, square) == 7
                        && (any(position, !color, Pawn, |pawn| height(color, pawn) == 7)
                            || height(color, king(position, !color)) == 8)
                };
                self.is_new(there)
            }
            _ => {
                let doubled = |position: &Position, square: Square, other: Square| {
                    let kinds = [square, other].map(|square| kind_on(position, square, color));
                    kinds.iter().all(|kind| matches!(kind, Some(Rook | Queen)))
                        && kinds.contains(&Some(Rook))
                        && square.file() == other.file()
                        && square != other
                        && is_free(position, square, other)
                        && !any(position, color, Pawn, |pawn| {
                            pawn.file() == square.file()
                                && (Some(pawn) == self.line.at(0).map(Move::landing)
                                    || !is_lever(position, color, pawn))
                        })
                };
                self.is_new(doubled)
            }
        }
    }

    /// What a quiet move, the only one of the line, does for rooks and queens together.
    pub(super) fn coordination(&self, theme: Theme) -> bool {
        self.quiet_move().is_some_and(|m| match theme {
            Theme::ConnectsRooks => self.connects_rooks(m),
            _ => self.boxes_king(m),
        })
    }

    pub(super) fn gives_up_file(&self) -> bool {
        let &[leaving, coming] = self.line.moves() else {
            return false;
        };
        let file = self.square.file();
        let is_heavy = |m: Move| matches!(m.piece().kind(), Rook | Queen);
        let holds = |color, kind| any(self.end, color, kind, |square| square.file() == file);
        let is_open = |position: &Position| {
            let mut colors = [Color::White, Color::Black].into_iter();
            !colors.any(|color| any(position, color, Pawn, |pawn| pawn.file() == file))
        };
        self.line.mover(1) == self.color
            && is_heavy(leaving)
            && leaving.from().file() == file
            && leaving.landing().file() != file
            && !coming.is_capture()
            && is_heavy(coming)
            && coming.landing() == self.square
            && coming.from().file() != file
            && is_open(self.start)
            && is_open(self.end)
            && !holds(!self.color, Rook)
            && !holds(!self.color, Queen)
            && best(self.end, self.square) == 0
    }

    fn connects_rooks(&self, m: Move) -> bool {
        let color = self.color;
        let home: Vec<Square> = men(self.end, color, Rook)
            .into_iter()
            .filter(|&rook| height(color, rook) == 1)
            .collect();
        let &[first, second] = home.as_slice() else {
            return false;
        };
        m.landing() == self.square
            && is_between(m.from(), first, second)
            && height(color, self.square) > 1
            && is_free(self.end, first, second)
    }

    fn boxes_king(&self, m: Move) -> bool {
        let (color, rival) = (self.color, !self.color);
        let is_bare = |kind| men(self.end, rival, kind).is_empty();
        let room = |position: &Position| reach(position, self.other, color).len();
        let (before, after) = (room(self.start), room(self.end));
        self.came(m, &[Rook, Queen])
            && self.other == king(self.end, rival)
            && [Knight, Bishop, Rook, Queen].into_iter().all(is_bare)
            && best(self.end, self.square) == 0
            && (2 * after <= before || after + FEWER <= before)
    }
}

/// The squares to which a king can get by any number of its own moves, while `by` attacks what it attacks now.
fn reach(position: &Position, from: Square, by: Color) -> Vec<Square> {
    let owner = !by;
    // a king does not hide the squares behind it from what attacks it
    let sees_past = |man: Square, to: Square| {
        first_two(position, man, to).is_some_and(|(first, second)| {
            let is_free = second.is_none_or(|second| !is_between(second, man, to));
            first == from && is_between(from, man, to) && is_free
        })
    };
    let is_attacked = |to: Square| {
        let attacks = |man: Square| sees(position, man, to) || sees_past(man, to);
        Square::all().any(|man| kind_on(position, man, by).is_some() && attacks(man))
    };
    let mut found = vec![from];
    let mut next = 0;
    while let Some(&square) = found.get(next) {
        next += 1;
        let is_open = |to: &Square| {
            steps(square, *to) == 1 && kind_on(position, *to, owner).is_none() && !is_attacked(*to)
        };
        let steps: Vec<Square> = Square::all()
            .filter(is_open)
            .filter(|to| !found.contains(to))
            .collect();
        found.extend(steps);
    }
    found
}

/// Whether nothing stands between two squares of a line.
fn is_free(position: &Position, a: Square, b: Square) -> bool {
    Square::all().all(|square| position.piece_on(square).is_none() || !is_between(square, a, b))
}

/// Whether a player has a rook behind a passed pawn, with nothing between.
pub fn is_pushed_by_rook(position: &Position, color: Color, pawn: Square) -> bool {
    let mut rooks = men(position, color, Rook).into_iter();
    rooks.any(|rook| is_behind(position, color, rook, pawn))
}

/// Whether a rook stands behind a passed pawn of either side, with nothing between.
fn is_behind(position: &Position, color: Color, rook: Square, pawn: Square) -> bool {
    let owner = position.piece_on(pawn).map(|piece| (piece.kind(), piece.color()));
    let Some((Pawn, owner)) = owner else {
        return false;
    };
    kind_on(position, rook, color) == Some(Rook)
        && is_passed(position, owner, pawn)
        && rook.file() == pawn.file()
        && height(owner, rook) < height(owner, pawn)
        && is_free(position, rook, pawn)
}

impl Scene<'_> {
    /// Whether the rook that has moved keeps the king as before, and is farther from every pawn of its own.
    fn cuts_off_farther(&self) -> bool {
        let Some(was) = self.was.filter(|&was| was != self.square) else {
            return false;
        };
        let pawns = men(self.end, self.color, Pawn);
        let holds = |position: &Position, rook, way: usize| {
            cut_off(position, self.color, rook, position.king(!self.color))[way]
        };
        let places: [fn(Square) -> u8; 2] = [Square::file, Square::rank];
        let is_farther = |place: fn(Square) -> u8| {
            let apart = |rook: Square, pawn: Square| place(rook).abs_diff(place(pawn));
            pawns
                .iter()
                .all(|&pawn| apart(self.square, pawn) > apart(was, pawn))
        };
        let mut ways = places.into_iter().enumerate();
        !pawns.is_empty()
            && ways.any(|(way, place)| {
                holds(self.end, self.square, way) && holds(self.start, was, way) && is_farther(place)
            })
    }
}

/// Whether a rook keeps the other king from all pawns of either player, or from the player's king where it has no pawn, one
/// or two files or ranks away, or from the rank where its passed pawns promote.
fn cut_off(position: &Position, color: Color, rook: Square, other: Square) -> [bool; WAYS] {
    if kind_on(position, rook, color) != Some(Rook) || kind_on(position, other, !color) != Some(King) {
        return [false; WAYS];
    }
    let [pawns, theirs] = [men(position, color, Pawn), men(position, !color, Pawn)];
    let mut wards = if pawns.is_empty() {
        vec![vec![king(position, color)], theirs]
    } else {
        vec![pawns, theirs]
    };
    wards.retain(|wards| !wards.is_empty());
    let is_along = |square: &Square, place: fn(Square) -> u8, across: fn(Square) -> u8| {
        place(*square) == place(rook) && across(*square).abs_diff(across(other)) <= 1 && *square != rook
    };
    let seen = seen_from(position, rook);
    // the squares of the rook's line that the king could step on next
    let is_open = |place, across| {
        let mut barrier = Square::all().filter(|square| is_along(square, place, across));
        barrier.all(|square| seen.contains(&square))
    };
    let holds_below = is_open(Square::rank, Square::file)
        && height(color, rook) == 7
        && matches!(height(color, other), 5 | 6)
        && any(position, color, Pawn, |pawn| is_passed(position, color, pawn));
    let holds_along = |place: fn(Square) -> u8, across: fn(Square) -> u8| {
        let (line, there) = (i32::from(place(rook)), i32::from(place(other)));
        let side = (there - line).signum();
        let is_beyond = |&ward: &Square| (i32::from(place(ward)) - line) * side <= 0;
        (1..=2).contains(&(there - line).abs())
            && is_open(place, across)
            && wards.iter().any(|wards| wards.iter().all(is_beyond))
    };
    [
        holds_along(Square::file, Square::rank),
        holds_along(Square::rank, Square::file),
        holds_below,
    ]
}

/// Whether a pawn attacks one of the other side.
fn is_lever(position: &Position, color: Color, pawn: Square) -> bool {
    seen_from(position, pawn)
        .into_iter()
        .any(|target| kind_on(position, target, !color) == Some(Pawn))
}

/// The pawn of the other side, guarded by none, that is the first man ahead of two heavy pieces on a file.
pub fn faced_pawn(position: &Position, color: Color, pair: [Square; 2]) -> Option<Square> {
    let [one, other] = pair;
    let front = if height(color, one) > height(color, other) {
        one
    } else {
        other
    };
    let ahead =
        |square: &Square| square.file() == front.file() && height(color, *square) > height(color, front);
    let men = Square::all()
        .filter(ahead)
        .filter(|&square| position.piece_on(square).is_some());
    let first = men.min_by_key(|&square| height(color, square))?;
    (kind_on(position, first, !color) == Some(Pawn) && !pawns_attack(position, !color, first))
        .then_some(first)
}
