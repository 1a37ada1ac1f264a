//! Confirms what a quiet move adds to squares and pawns that others already fight for, by the definitions in
//! [`crate::explain::theme`].

use super::exchange::{best, kind_on, pushed, sees, to_move};
use super::squares::{
    any, height, is_before, is_beyond_guard, is_central, is_isolated, is_out_of_pawns_reach, is_passed,
    is_weak, men, pawns_attack, watchers,
};
use super::themes::{Scene, apart, is_opening};
use crate::board::{Move, PieceType, Position, Square};
use crate::explain::theme::Theme;
use PieceType::{Bishop, King, Knight, Pawn, Queen, Rook};

impl Scene<'_> {
    /// What a quiet move, the only one of the line, adds.
    pub(super) fn influence(&self, theme: Theme) -> bool {
        self.quiet_move().is_some_and(|m| match theme {
            Theme::PreparesAdvance => self.prepares_advance(m),
            Theme::GainsOutpost => self.gains_outpost(m),
            Theme::AddsPressure => self.adds_pressure(m),
            Theme::Supports => self.supports(m),
            Theme::HeadsForSquare => self.heads_for_square(m),
            Theme::Regroups => self.regroups(m),
            Theme::HeadsForPawn => self.heads_for_pawn(m),
            Theme::EntrySquare => self.entry_square(m),
            Theme::HoldsBack => self.holds_back(m),
            Theme::WayBack => self.way_back(m),
            Theme::HoldsPasser => self.holds_passer(m),
            Theme::Holds => self.holds(m),
            _ => self.shuts_in_bishop(m),
        })
    }

    fn prepares_advance(&self, m: Move) -> bool {
        let (color, target) = (self.color, self.other);
        let lost = |before: Position| best(&before, target) > 0;
        let held = |after: Position| sees(&after, self.square, target) && best(&after, target) == 0;
        self.came(m, &[Pawn, Knight, Bishop, Rook, Queen, King])
            && height(color, target) >= 4
            && pushed(self.end, color, target).is_some_and(held)
            && pushed(self.start, color, target).is_some_and(lost)
    }

    fn holds_passer(&self, m: Move) -> bool {
        let (color, pawn) = (self.color, self.other);
        self.came(m, &[Knight, Bishop, Rook, Queen, King])
            && kind_on(self.end, pawn, color) == Some(Pawn)
            && is_passed(self.end, color, pawn)
            && matches!(height(color, pawn), 6 | 7)
            && self.saves()
    }

    fn holds(&self, m: Move) -> bool {
        let kind = kind_on(self.end, self.other, self.color);
        self.came(m, &[Pawn, Knight, Bishop, Rook, Queen, King])
            && kind.is_some_and(|kind| kind != King)
            && !sees(self.start, m.from(), self.other)
            && self.saves()
    }

    /// Whether the man on `square`, which cannot be won, guards the one on `other`, which could have been and cannot any more.
    fn saves(&self) -> bool {
        let was_lost = |before: Position| best(&before, self.other) > 0;
        sees(self.end, self.square, self.other)
            && to_move(self.start, !self.color).is_some_and(was_lost)
            && best(self.end, self.other) == 0
            && best(self.end, self.square) == 0
    }

    fn gains_outpost(&self, m: Move) -> bool {
        let (color, target) = (self.color, self.other);
        let is_free = |square: Square| {
            let owner = self.end.piece_on(square).map(|piece| piece.color());
            owner != Some(color)
        };
        let gets_there = |knight: Square| {
            let middle = |square: &Square| {
                is_free(*square)
                    && is_knights_move(knight, *square)
                    && is_knights_move(*square, target)
                    && !pawns_attack(self.end, !color, *square)
            };
            is_knights_move(knight, target) || Square::all().any(|square| middle(&square))
        };
        let is_theirs = |kind| kind_on(self.end, target, !color) == Some(kind);
        self.came(m, &[Pawn])
            && matches!(height(color, target), 5 | 6)
            && sees(self.end, self.square, target)
            && is_free(target)
            && !is_theirs(Pawn)
            && !pawns_attack(self.start, color, target)
            && is_out_of_pawns_reach(self.end, !color, target)
            && watchers(self.end, !color, target) <= watchers(self.end, color, target) + 1
            && any(self.end, color, Knight, gets_there)
    }

    fn adds_pressure(&self, m: Move) -> bool {
        let (color, pawn) = (self.color, self.other);
        let through = self.behind_attacker(pawn) == Some(Pawn);
        let attackers = watchers(self.end, color, pawn) + usize::from(through);
        let guards = watchers(self.end, !color, pawn);
        self.came(m, &[Pawn, Knight, Bishop, Rook, Queen])
            && kind_on(self.end, pawn, !color) == Some(Pawn)
            && (self.comes_to_attack(m, self.other) || through)
            && guards > 0
            && attackers >= 2
            && attackers >= guards
            && best(self.end, self.square) == 0
    }

    fn heads_for_square(&self, m: Move) -> bool {
        let (color, target) = (self.color, self.other);
        matches!(height(color, target), 5 | 6)
            && pawns_attack(self.end, color, target)
            && !pawns_attack(self.end, !color, target)
            && self.goes_on_to(m)
    }

    fn regroups(&self, m: Move) -> bool {
        height(self.color, self.other) > height(self.color, self.square) && self.goes_on_to(m)
    }

    /// Whether a knight can go on to a square to which it could not go.
    fn goes_on_to(&self, m: Move) -> bool {
        let (color, target) = (self.color, self.other);
        let goes = |m: &Move| m.from() == self.square && m.landing() == target && !m.is_capture();
        let arrives = |position: Position| {
            let moves = position.legal_moves().into_iter();
            moves.filter(goes).any(|m| best(&position.after(m), target) == 0)
        };
        self.came(m, &[Knight])
            && target != m.from()
            && !is_knights_move(m.from(), target)
            && best(self.end, self.square) == 0
            && to_move(self.end, color).is_some_and(arrives)
    }

    fn heads_for_pawn(&self, m: Move) -> bool {
        let (color, pawn) = (self.color, self.other);
        let is_near = |square: Square| is_knights_move(square, pawn);
        let arrives = |position: Position| {
            let goes =
                |next: &Move| next.from() == self.square && !next.is_capture() && is_near(next.landing());
            let is_new = |next: &Move| !is_knights_move(m.from(), next.landing());
            let mut moves = position.legal_moves().into_iter();
            moves.any(|next| goes(&next) && is_new(&next) && best(&position.after(next), next.landing()) == 0)
        };
        self.came(m, &[Knight])
            && is_weak(self.end, !color, pawn)
            && !is_near(m.from())
            && !is_near(self.square)
            && best(self.end, self.square) == 0
            && to_move(self.end, color).is_some_and(arrives)
    }

    fn holds_back(&self, m: Move) -> bool {
        let (color, target) = (self.color, self.other);
        let is_left = |pawn: Square| height(!color, pawn) > 2 || is_isolated(self.end, !color, pawn);
        let stays = |pawn: Square| {
            is_before(!color, pawn, target) && is_beyond_guard(self.end, !color, pawn) && is_left(pawn)
        };
        self.came(m, &[Knight, Bishop, Rook, Queen])
            && self.end.piece_on(target).is_none()
            && any(self.end, !color, Pawn, stays)
            && self.comes_to_attack(m, self.other)
            && !pawns_attack(self.end, color, target)
            && watchers(self.end, !color, target) <= watchers(self.end, color, target) + 1
            && best(self.end, self.square) == 0
    }

    fn way_back(&self, m: Move) -> bool {
        let (color, bishop, left) = (self.color, self.square, self.other);
        // a rook leaves its square to a bishop that a knight can attack next
        let hits = |m: &Move| {
            let after = self.end.after(*m);
            m.piece().kind() == Knight
                && !m.is_capture()
                && sees(&after, m.landing(), bishop)
                && best(&after, m.landing()) == 0
        };
        let leaves_to_bishop = m.piece().kind() == Rook
            && height(color, left) == 1
            && kind_on(self.end, bishop, color) == Some(Bishop)
            && self.end.legal_moves().iter().any(hits);
        let is_pawn = m.piece().kind() == Pawn && height(color, left) == 2;
        is_opening(self.start)
            && m.from() == left
            && (is_pawn || leaves_to_bishop)
            && match kind_on(self.end, bishop, color) {
                Some(Bishop) => (if is_pawn { 3..=5 } else { 2..=5 }).contains(&height(color, bishop)),
                Some(Queen) => (4..=5).contains(&height(color, bishop)),
                _ => false,
            }
            && sees(self.end, bishop, left)
    }

    fn entry_square(&self, m: Move) -> bool {
        let (color, rook, target) = (self.color, self.square, self.other);
        let goes = |m: &Move| m.from() == rook && m.landing() == target && !m.is_capture();
        let is_lost = |position: &Position| {
            let ours = to_move(position, color)?;
            let m = ours.legal_moves().into_iter().find(goes)?;
            Some(best(&ours.after(m), target) > 0)
        };
        m.piece().kind() == Pawn
            && matches!(kind_on(self.end, rook, color), Some(Rook | Queen))
            && height(color, target) == 7
            && height(color, rook) <= 5
            && sees(self.end, m.landing(), target)
            && is_lost(self.start) == Some(true)
            && is_lost(self.end) == Some(false)
    }

    fn supports(&self, m: Move) -> bool {
        let (color, man) = (self.color, self.other);
        self.came(m, &[Pawn, Knight, Bishop, Rook, Queen])
            && is_central(man)
            && kind_on(self.end, man, color).is_some_and(|kind| kind != King)
            && self.comes_to_attack(m, self.other)
            && (watchers(self.end, !color, man) > 0 || height(color, man) == 5)
    }

    fn shuts_in_bishop(&self, m: Move) -> bool {
        let (color, pawn) = (self.color, self.other);
        let lets_out = |bishop: &Square| {
            let is_home = height(!color, *bishop) == 1 && matches!(bishop.file(), 2 | 5);
            is_home && bishop.file().abs_diff(pawn.file()) == 1
        };
        let is_shut_in = |bishop: &Square| {
            let beside =
                |square: Square| height(!color, square) == 2 && square.file().abs_diff(bishop.file()) == 1;
            men(self.end, !color, Pawn)
                .into_iter()
                .filter(|&pawn| beside(pawn))
                .count()
                == 2
        };
        self.came(m, &[Knight, Bishop, Queen])
            && kind_on(self.end, pawn, !color) == Some(Pawn)
            && matches!(pawn.file(), 3 | 4)
            && height(!color, pawn) == 2
            && pawn.file() == self.square.file()
            && height(!color, self.square) == 3
            && pushed(self.start, !color, self.square).is_some()
            && men(self.end, !color, Bishop)
                .iter()
                .any(|bishop| lets_out(bishop) && is_shut_in(bishop))
            && best(self.end, self.square) == 0
    }
}

/// Whether a knight's move leads from one square to the other.
fn is_knights_move(a: Square, b: Square) -> bool {
    matches!(apart(a, b), [1, 2] | [2, 1])
}
