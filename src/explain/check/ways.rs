//! Confirms what a line frees: squares, lines, pawns and pieces, by the definitions in [`crate::explain::theme`].

use super::exchange::{best, is_between, kind_on, passed, sees, to_move, value_of, wins_by};
use super::squares::{any, height, is_before, is_central, is_out_of_pawns_reach, minors, origin, watchers};
use super::themes::{Scene, is_ending};
use crate::board::{Move, PieceType, Square};
use PieceType::{Bishop, King, Knight, Pawn, Queen, Rook};

/// The longest line that begins with a pawn given up to open a way.
const OPENED: usize = 9;

/// Plies of a line within which knights or bishops are traded for a square.
const TRADED: usize = 4;

/// The longest line in which a piece gets to the square that the trade has freed.
const ENTERED: usize = 7;

impl Scene<'_> {
    pub(super) fn makes_way(&self) -> bool {
        let (color, left) = (self.color, self.square);
        let Some(first) = self.line.at(0) else {
            return false;
        };
        let came = (1..self.line.len()).any(|ply| {
            let m = self.line.moves()[ply];
            self.line.mover(ply) == color
                && m.landing() == left
                && matches!(m.piece().kind(), Knight | Bishop | Rook | Queen)
        });
        self.line.mover(0) == color
            && self.line.len() <= 5
            && first.piece().kind() == Pawn
            && !first.is_capture()
            && first.from() == left
            && kind_on(self.end, first.landing(), color) != Some(Pawn)
            && height(color, left) >= 3
            && came
            && kind_on(self.end, left, color).is_some_and(|kind| !matches!(kind, Pawn | King))
    }

    pub(super) fn clears_square(&self) -> bool {
        let (color, left) = (self.color, self.square);
        let (Some(first), Some(last)) = (self.line.at(0), self.line.moves().last()) else {
            return false;
        };
        let at_once = |m: &Move| m.landing() == left;
        let kind = last.piece().kind();
        let is_trade = self.line.len() == 3 && self.line.is_traded();
        let is_fit = match kind {
            King => is_ending(self.end),
            Knight if matches!(last.from().file(), 0 | 7) => true,
            Knight | Bishop => self.end.in_check() || height(color, left) >= if is_trade { 4 } else { 5 },
            _ => false,
        };
        matches!(self.line.len(), 3 | 5)
            && self.line.mover(0) == color
            && (!first.is_capture() || is_trade)
            && !first.is_castling()
            && first.from() == left
            && !last.is_capture()
            && !last.is_castling()
            && last.landing() == left
            && self.was != Some(left)
            && kind_on(self.end, left, color) == Some(kind)
            && is_fit
            && !self.start.legal_moves().iter().any(at_once)
            && best(self.end, left) == 0
    }

    pub(super) fn frees_square(&self) -> bool {
        let (color, target) = (self.color, self.square);
        let Some(ply) = self.line.len().checked_sub(2).filter(|ply| matches!(ply, 0 | 2)) else {
            return false;
        };
        let (first, last) = (self.line.moves()[ply], self.line.moves()[ply + 1]);
        let before = self.line.before(ply);
        let guard = kind_on(before, first.to(), !color);
        let piece = kind_on(self.end, self.other, color);
        self.line.mover(0) == color
            && matches!(guard, Some(Knight | Bishop))
            && sees(before, first.to(), target)
            && last.is_capture()
            && last.to() == first.to()
            && (4..=6).contains(&height(color, target))
            && self.end.piece_on(target).is_none()
            && watchers(self.end, !color, target) < watchers(self.end, color, target)
            && is_out_of_pawns_reach(self.end, !color, target)
            && (piece == Some(Knight) || piece == Some(Bishop) && is_central(target))
            && self
                .end
                .legal_moves()
                .iter()
                .any(|m| m.from() == self.other && m.to() == target)
    }

    pub(super) fn opens_way(&self) -> bool {
        let (color, line) = (self.color, self.line);
        let (Some(first), Some(last)) = (line.at(0), line.moves().last()) else {
            return false;
        };
        let kind = last.piece().kind();
        let passes = is_between(first.from(), last.from(), last.landing());
        let is_lost =
            line.is_taken(0) && !line.is_taken(1) && kind_on(self.end, first.landing(), color) != Some(Pawn);
        (3..=OPENED).contains(&line.len())
            && line.len() % 2 == 1
            && line.mover(0) == color
            && first.piece().kind() == Pawn
            && !first.is_capture()
            && first.from() == self.other
            && is_lost
            && matches!(kind, Bishop | Rook | Queen)
            && last.landing() == self.square
            && last.landing() != first.landing()
            && height(color, self.square) >= 5
            && passes
            && best(self.end, self.square) == 0
    }

    pub(super) fn takes_guard(&self) -> bool {
        let (color, line) = (self.color, self.line);
        let &[first, back, next] = line.moves() else {
            return false;
        };
        let taken = kind_on(self.start, self.square, !color);
        line.mover(0) == color
            && first.is_capture()
            && first.landing() == self.square
            && matches!(taken, Some(Knight | Bishop))
            && back.is_capture()
            && back.to() == self.square
            && next.is_capture()
            && next.landing() == self.other
            && kind_on(self.start, self.other, !color) == Some(Pawn)
            && sees(self.start, self.square, self.other)
            && best(self.end, self.other) == 0
    }

    pub(super) fn unblocks_pawn(&self) -> bool {
        let (color, line) = (self.color, self.line);
        let (Some(first), Some(last)) = (line.at(0), line.moves().last()) else {
            return false;
        };
        let prey = kind_on(self.end, self.other, !color);
        matches!(line.len(), 2 | 4)
            && line.mover(0) != color
            && first.from() == self.square
            && first.piece().kind() != Pawn
            && last.piece().kind() == Pawn
            && last.is_quiet()
            && last.landing() == self.square
            && is_before(color, last.from(), self.square)
            && kind_on(self.start, last.from(), color) == Some(Pawn)
            && self.other != first.landing()
            && prey.is_some_and(|kind| !matches!(kind, Pawn | King))
            && sees(self.end, self.square, self.other)
    }

    pub(super) fn escapes_fork(&self) -> bool {
        let (color, forker) = (self.color, self.other);
        let Some(ply) = self.line.len().checked_sub(1).filter(|&ply| ply <= 1) else {
            return false;
        };
        let (last, before) = (self.line.moves()[ply], self.line.before(ply));
        let has_come = ply == 0 || self.line.moves()[0].landing() == forker;
        let Some(theirs) = passed(before) else {
            return false;
        };
        let is_prey = |&square: &Square| {
            let kind = kind_on(before, square, color);
            kind.is_some_and(|kind| !matches!(kind, Pawn | King)) && wins_by(&theirs, forker, square) > 0
        };
        self.line.mover(ply) == color
            && has_come
            && kind_on(self.end, forker, !color).is_some()
            && last.landing() == self.square
            && self.end.in_check()
            && is_prey(&last.from())
            && Square::all().filter(is_prey).count() >= 2
            && best(self.end, self.square) == 0
    }

    pub(super) fn goes_back(&self) -> bool {
        let (color, line) = (self.color, self.line);
        let (Some(first), Some(last)) = (line.at(0), line.moves().last()) else {
            return false;
        };
        let stays = |ply: usize| origin(&line.prefix(ply), last.from()) == Some(self.square);
        matches!(line.len(), 3 | 5)
            && line.mover(0) != color
            && matches!(first.piece().kind(), Knight | Bishop | Queen)
            && first.is_quiet()
            && first.from() == self.square
            && last.is_quiet()
            && last.landing() == self.square
            && stays(line.len() - 1)
    }

    pub(super) fn blocks_own_guard(&self) -> bool {
        let (color, square, prey) = (self.color, self.square, self.other);
        let &[first, last] = self.line.moves() else {
            return false;
        };
        let Some(ours) = to_move(self.start, color) else {
            return false;
        };
        let after = self.line.after(0);
        let is_shut = |guard: Square| {
            guard != first.from()
                && is_between(square, guard, prey)
                && sees(self.start, guard, prey)
                && !sees(after, guard, prey)
        };
        self.line.mover(0) != color
            && first.landing() == square
            && last.is_capture()
            && last.to() == prey
            && kind_on(self.start, prey, !color).is_some()
            && prey != first.from()
            && [Bishop, Rook, Queen]
                .into_iter()
                .any(|kind| any(self.start, !color, kind, is_shut))
            && best(&ours, prey) == 0
            && value_of(after, last) > 0
    }

    pub(super) fn leaves_square(&self) -> bool {
        let (color, square) = (self.color, self.square);
        let &[first, last] = self.line.moves() else {
            return false;
        };
        let Some(ours) = to_move(self.start, color) else {
            return false;
        };
        let goes_there = |m: &Move| (m.from(), m.to()) == (last.from(), last.to());
        let early = ours.legal_moves().into_iter().find(goes_there);
        self.line.mover(1) == color
            && last.is_quiet()
            && last.landing() == square
            && sees(self.start, first.from(), square)
            && !sees(self.line.after(0), first.landing(), square)
            && early.is_some_and(|m| best(&ours.after(m), square) > 0)
            && best(self.end, square) == 0
    }

    pub(super) fn gives_up_guard(&self) -> bool {
        let (color, ward) = (self.color, self.other);
        let &[first, last] = self.line.moves() else {
            return false;
        };
        let after = self.line.after(0);
        let is_piece = |kind: PieceType| matches!(kind, Knight | Bishop | Rook | Queen);
        self.line.mover(1) == color
            && is_piece(first.piece().kind())
            && !first.is_capture()
            && last.is_quiet()
            && last.landing() == self.square
            && ward != first.landing()
            && kind_on(after, ward, !color).is_some_and(is_piece)
            && sees(self.start, first.from(), ward)
            && !sees(after, first.landing(), ward)
            && !sees(after, last.from(), ward)
            && sees(self.end, self.square, ward)
            && watchers(self.end, color, ward) >= watchers(self.end, !color, ward)
            && best(self.end, self.square) == 0
    }

    pub(super) fn trades_for_entry(&self) -> bool {
        let (color, line) = (self.color, self.line);
        let (Some(first), Some(last)) = (line.at(0), line.moves().last()) else {
            return false;
        };
        let left = |position, owner| minors(position, owner).len();
        let is_trade = [color, !color]
            .into_iter()
            .all(|owner| left(self.start, owner) == left(self.end, owner) + 1);
        // the guard is what the player has taken of them
        let took = |ply: usize| {
            let m = line.moves()[ply];
            let taken = kind_on(line.before(ply), m.to(), !color);
            let stood = || origin(&line.prefix(ply), m.to()) == Some(self.other);
            line.mover(ply) == color && m.is_capture() && matches!(taken, Some(Knight | Bishop)) && stood()
        };
        let is_piece = matches!(last.piece().kind(), Knight | Bishop | Rook);
        (3..=ENTERED).contains(&line.len())
            && line.len() % 2 == 1
            && line.mover(0) == color
            && matches!(first.piece().kind(), Knight | Bishop)
            && is_trade
            && (0..TRADED.min(line.len())).any(took)
            && sees(self.start, self.other, self.square)
            && is_piece
            && !last.is_capture()
            && last.landing() == self.square
            && (5..=7).contains(&height(color, self.square))
            && is_out_of_pawns_reach(self.start, !color, self.square)
            && best(self.end, self.square) == 0
    }
}
