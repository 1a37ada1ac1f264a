//! Confirms what a move does to squares and pieces that it does not attack at once, by the definitions in
//! [`crate::explain::theme`].

use super::exchange::{best, edited, is_between, kind_on, pushed, seen_from, sees, to_move};
use super::offers::{guards_king, pressed_pawn};
use super::squares::{
    any, height, is_before, is_central, is_out_of_pawns_reach, is_outpost, is_outside, king, pawns_attack,
    watchers,
};
use super::themes::{Scene, count, steps};
use crate::board::{Color, Move, PieceType, Position, Square};
use crate::explain::theme::Theme;
use PieceType::{Bishop, King, Knight, Pawn, Queen, Rook};

/// With more pieces than that a piece without a square is nothing unusual.
const FEW: usize = 14;

impl Scene<'_> {
    pub(super) fn pressure(&self, theme: Theme) -> bool {
        match theme {
            Theme::PressesGuard => {
                self.is_new(sees)
                    && self.is_new(|position, square, guard| {
                        guarded_prey(position, self.color, square, guard).is_some()
                    })
            }
            Theme::DrivesGuard => {
                self.quiet_move().is_some_and(|m| m.landing() == self.square)
                    && self.is_new(sees)
                    && driven_from(self.end, self.color, self.square, self.other).is_some()
            }
            Theme::PreparesPush => self.prepares_push(),
            Theme::OpensFileToKing => self.opens_file_to_king(),
            Theme::Restrains => self.restrains(),
            Theme::StopsPawn => self.stops_pawn(),
            Theme::TradesGuard => self.trades_guard(),
            Theme::TakesKingGuard => self.takes_king_guard(),
            Theme::TakesPost => self.takes_post(),
            Theme::TakesOwnFlight => self.takes_own_flight(),
            Theme::TiesDown => {
                let ties = |position: &Position, guard, pawn| ties_down(position, self.color, guard, pawn);
                self.line.len() <= 2 && count(self.end) <= FEW && self.is_new(ties)
            }
            _ => self.dominates(),
        }
    }

    pub(super) fn provokes(&self) -> bool {
        let &[first, answer] = self.line.moves() else {
            return false;
        };
        let (rival, pawn, left) = (!self.color, self.square, self.other);
        let king = king(self.start, rival);
        let beside = |square: Square| square.file().abs_diff(king.file()) <= 1;
        let is_target = |square: Square| {
            let is_pawn = kind_on(self.start, square, rival) == Some(Pawn);
            is_pawn && square.file().abs_diff(king.file()) == 1 && steps(square, king) == 1
        };
        let aims = || {
            let after = self.line.after(0);
            let seen = seen_from(after, first.landing());
            seen.into_iter()
                .any(|to| is_target(to) && !sees(self.start, first.from(), to))
        };
        self.line.mover(0) == self.color
            && any(self.end, self.color, Queen, |_| true)
            && height(rival, king) == 1
            && answer.piece().kind() == Pawn
            && !answer.is_capture()
            && answer.landing() == pawn
            && height(rival, answer.from()) == 2
            && beside(pawn)
            && height(rival, left) == 3
            && steps(left, king) <= 2
            && pawns_attack(self.start, rival, left)
            && is_out_of_pawns_reach(self.end, rival, left)
            && (self.line.after(0).in_check() || aims())
    }

    fn restrains(&self) -> bool {
        let (color, target) = (self.color, self.other);
        let attacked = |from: Square| {
            kind_on(self.end, from, color).is_some()
                && from.rank().abs_diff(target.rank()) == 1
                && height(!color, from) > height(!color, target)
                && from.file().abs_diff(target.file()) == 1
        };
        let free = if self.stands(Pawn) {
            !pawns_attack(self.start, color, target)
        } else {
            watchers(self.start, color, target) == 0 && !pawns_attack(self.end, !color, target)
        };
        self.moved()
            && kind_on(self.end, self.square, color).is_some()
            && pushed(self.start, !color, target).is_some()
            && pushed(self.end, !color, target).is_some()
            && Square::all().any(attacked)
            && sees(self.end, self.square, target)
            && free
    }

    fn stops_pawn(&self) -> bool {
        let (color, pawn) = (self.color, self.other);
        let target = king(self.end, !color);
        self.moved()
            && kind_on(self.end, self.square, color).is_some_and(|kind| !matches!(kind, Pawn | King))
            && kind_on(self.end, pawn, !color) == Some(Pawn)
            && is_before(!color, pawn, self.square)
            && self.start.piece_on(self.square).is_none()
            && kind_on(self.start, pawn, !color) == Some(Pawn)
            && pawn.file().abs_diff(target.file()) <= 2
            && watchers(self.end, !color, self.square) > 0
    }

    fn trades_guard(&self) -> bool {
        let rival = !self.color;
        let Some((first, last)) = self.line.at(0).zip(self.line.at(1)) else {
            return false;
        };
        let home = king(self.start, rival);
        let was = first.from();
        let prey = kind_on(self.start, first.to(), self.color);
        self.line.len() == 2
            && self.line.mover(0) == rival
            && first.piece().kind() == Bishop
            && guards_king(was, home, rival)
            && matches!(prey, Some(Knight | Bishop))
            && last.is_capture()
            && last.to() == first.to()
            && last.landing() == self.square
    }

    fn takes_king_guard(&self) -> bool {
        let rival = !self.color;
        let &[first, last] = self.line.moves() else {
            return false;
        };
        self.line.mover(0) == self.color
            && kind_on(self.start, first.to(), rival) == Some(Bishop)
            && guards_king(first.to(), king(self.start, rival), rival)
            && matches!(first.piece().kind(), Knight | Bishop)
            && last.is_capture()
            && last.to() == first.to()
            && last.landing() == self.square
    }

    fn takes_post(&self) -> bool {
        let (rival, taken) = (!self.color, self.square);
        let is_taken_back = self.line.len() == 2 && self.line.mover(0) == self.color && self.line.is_traded();
        is_taken_back
            && self.line.at(0).is_some_and(|m| m.landing() == taken)
            && matches!(kind_on(self.start, taken, rival), Some(Knight | Bishop))
            && (is_outpost(self.start, rival, taken) || pressed_pawn(self.start, self.color, taken).is_some())
    }

    fn takes_own_flight(&self) -> bool {
        let (rival, flight, plies) = (!self.color, self.square, self.line.len());
        let put_there = |m: Move| m.landing() == flight && m.piece().kind() != King;
        let by_king = |m: &&Move| m.piece().kind() == King;
        let king_goes = |position: Position| {
            let moves = position.legal_moves();
            moves.iter().filter(by_king).any(|m| m.to() == flight)
        };
        matches!(plies, 2 | 4)
            && self.line.mover(0) == rival
            && self.end.in_check()
            && self.line.at(0).is_some_and(put_there)
            && self.start.piece_on(flight).is_none()
            && self.line.at(2).is_none_or(|m| m.from() != flight)
            && self
                .end
                .piece_on(flight)
                .is_some_and(|piece| piece.color() == rival)
            && edited(self.end, Some(flight), rival).is_some_and(king_goes)
            && self.end.legal_moves().iter().filter(by_king).count() <= 1
    }

    fn prepares_push(&self) -> bool {
        let (color, target) = (self.color, self.other);
        let takes = self.line.at(0).is_some_and(|m| m.is_capture());
        self.line.len() == 1
            && self.moved()
            && self.stands(Pawn)
            && !takes
            && is_central(target)
            && sees(self.end, self.square, target)
            && !pawns_attack(self.start, color, target)
            && pushed(self.start, color, target).is_some()
            && pushed(self.end, color, target).is_some()
            && watchers(self.end, !color, target) > 0
    }

    fn opens_file_to_king(&self) -> bool {
        let (color, target) = (self.color, self.other);
        let file = self.square.file();
        let guards = |position: &Position| any(position, !color, Pawn, |pawn| pawn.file() == file);
        let takes_here = |m: &Move| m.is_capture() && m.landing() == self.square;
        matches!(kind_on(self.end, self.square, color), Some(Rook | Queen))
            && target == king(self.end, !color)
            && height(!color, target) == 1
            && is_outside(target)
            && file.abs_diff(target.file()) <= 1
            && guards(self.start)
            && !guards(self.end)
            && !any(self.end, color, Pawn, |pawn| pawn.file() == file)
            && !self.line.moves().iter().any(takes_here)
    }

    fn dominates(&self) -> bool {
        let holds = |position: &Position, square: Square, _: Square| {
            let kind = kind_on(position, square, !self.color);
            kind.is_some_and(|kind| !matches!(kind, Pawn | King))
                && watchers(position, self.color, square) == 0
                && safe_squares(position, !self.color, square) == Some(0)
        };
        let before = self
            .was
            .and_then(|was| safe_squares(self.start, !self.color, was));
        !self.end.in_check() && before.is_some_and(|count| count > 0) && self.is_new(holds)
    }
}

/// To how many squares that the other side then does not attack a piece can go; `None` where its side cannot be to move.
fn safe_squares(position: &Position, owner: Color, square: Square) -> Option<usize> {
    let to_move = to_move(position, owner)?;
    let moves = to_move.legal_moves().into_iter().filter(|m| m.from() == square);
    Some(
        moves
            .filter(|&m| watchers(&to_move.after(m), !owner, m.landing()) == 0)
            .count(),
    )
}

/// Whether a knight, bishop, rook or queen is all that guards a pawn which a piece of the player attacks and cannot win.
fn ties_down(position: &Position, color: Color, guard: Square, pawn: Square) -> bool {
    let attacks = |from: &Square| {
        kind_on(position, *from, color).is_some_and(|kind| kind != Pawn) && sees(position, *from, pawn)
    };
    matches!(
        kind_on(position, guard, !color),
        Some(Knight | Bishop | Rook | Queen | King)
    ) && kind_on(position, pawn, !color) == Some(Pawn)
        && sees(position, guard, pawn)
        && watchers(position, !color, pawn) == 1
        && Square::all().any(|from| attacks(&from))
        && to_move(position, color).is_some_and(|ours| best(&ours, guard) == 0 && best(&ours, pawn) == 0)
}

/// The dearest man that would fall if the piece on `guard`, which the man on `square` attacks and which has to go, were away, and
/// does not fall as it is; none that stands behind it.
pub fn driven_from(position: &Position, color: Color, square: Square, guard: Square) -> Option<Square> {
    let worth = |square| super::exchange::worth_on(position, square);
    let has_to_go = matches!(
        kind_on(position, guard, !color),
        Some(Knight | Bishop | Rook | Queen)
    ) && kind_on(position, square, color).is_some()
        && sees(position, square, guard)
        && best(position, square) == 0
        && (worth(guard) > worth(square) || watchers(position, !color, guard) == 0);
    let [with, without] = [None, Some(guard)].map(|removed| {
        edited(position, removed, color)
            .filter(|_| has_to_go)
            .filter(|edited| !edited.in_check())
    });
    let (with, without) = with.zip(without)?;
    Square::all()
        .filter(|&prey| prey != guard && kind_on(position, prey, !color).is_some_and(|kind| kind != King))
        .filter(|&prey| !is_between(guard, square, prey) && sees(position, guard, prey))
        .filter(|&prey| best(&with, prey) == 0 && best(&without, prey) > 0)
        .max_by_key(|&prey| worth(prey))
}

/// A man that the knight or bishop on `guard` alone guards, and that a man of the player other than the one on `square`,
/// which attacks the guard, attacks; the one of most worth.
pub fn guarded_prey(position: &Position, color: Color, square: Square, guard: Square) -> Option<Square> {
    let is_guard = matches!(kind_on(position, guard, !color), Some(Knight | Bishop))
        && kind_on(position, square, color).is_some()
        && sees(position, square, guard);
    let attacked = |prey: Square| {
        Square::all().any(|from| {
            from != square && kind_on(position, from, color).is_some() && sees(position, from, prey)
        })
    };
    Square::all()
        .filter(|_| is_guard)
        .filter(|&prey| kind_on(position, prey, !color).is_some_and(|kind| kind != King))
        .filter(|&prey| {
            sees(position, guard, prey) && watchers(position, !color, prey) == 1 && attacked(prey)
        })
        .max_by_key(|&prey| super::exchange::worth_on(position, prey))
}
