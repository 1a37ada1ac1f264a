//! Confirms what a trade leaves behind or opens, by the definitions in [`crate::explain::theme`].

use super::exchange::{best, is_between, kind_on, sees, value_of, worth};
use super::squares::{
    any, height, is_bad_bishop, is_before, is_dark, is_good_bishop, is_isolated, king, men, minors,
    pawns_attack,
};
use super::themes::{Scene, steps};
use crate::board::{Move, PieceType, Position, Square};
use crate::explain::theme::Theme;
use PieceType::{Bishop, Knight, Pawn, Queen, Rook};

impl Scene<'_> {
    /// What the other side gives up by a capture that is taken back.
    pub(super) fn concession(&self, theme: Theme) -> bool {
        let &[taking, back] = self.line.moves() else {
            return false;
        };
        self.line.mover(1) == self.color
            && taking.is_capture()
            && back.is_capture()
            && taking.landing() == back.landing()
            && back.landing() == self.square
            && match theme {
                Theme::GivesGoodBishop => self.gives_good_bishop(taking),
                Theme::GivesKingBishop => self.gives_king_bishop(taking),
                Theme::MendsPawn => self.mends_pawn(back),
                _ => self.gives_up_wedge(taking, back),
            }
    }

    fn gives_good_bishop(&self, taking: Move) -> bool {
        let rival = !self.color;
        taking.piece().kind() == Bishop
            && minors(self.start, self.color).contains(&taking.to())
            && kind_on(self.end, self.other, rival) == Some(Bishop)
            && is_dark(self.other) != is_dark(taking.from())
            && is_good_bishop(self.start, rival, taking.from())
    }

    fn gives_king_bishop(&self, taking: Move) -> bool {
        let (us, rival, was) = (self.color, !self.color, taking.from());
        let of_its_colour = |bishop: Square| is_dark(bishop) == is_dark(was);
        let king = king(self.end, rival);
        let is_near = match was.file() {
            1 => king.file() <= 4,
            6 => king.file() >= 4,
            _ => false,
        };
        taking.piece().kind() == Bishop
            && height(rival, was) == 2
            && is_near
            && height(rival, king) == 1
            && kind_on(self.start, taking.to(), us) == Some(Knight)
            && kind_on(self.end, self.other, rival) == Some(Pawn)
            && is_before(rival, was, self.other)
            && any(self.end, us, Bishop, of_its_colour)
            && !any(self.end, rival, Bishop, of_its_colour)
    }

    fn mends_pawn(&self, back: Move) -> bool {
        back.piece().kind() == Pawn
            && back.promoted().is_none()
            && kind_on(self.start, self.other, self.color) == Some(Pawn)
            && kind_on(self.end, self.other, self.color) == Some(Pawn)
            && is_isolated(self.start, self.color, self.other)
            && !is_isolated(self.end, self.color, self.other)
    }

    fn gives_up_wedge(&self, taking: Move, back: Move) -> bool {
        taking.piece().kind() == Pawn
            && matches!(height(!self.color, taking.from()), 5 | 6)
            && taking.from() == self.other
            && back.piece().kind() == Pawn
            && sees(self.end, self.square, self.other)
            && !pawns_attack(self.start, self.color, self.other)
    }

    pub(super) fn trade_opens_file(&self) -> bool {
        let Some(m) = self.quiet_move().filter(|m| self.came(*m, &[Knight, Bishop])) else {
            return false;
        };
        let (color, rook) = (self.color, self.other);
        let is_open = |position: &Position| !any(position, color, Pawn, |pawn| pawn.file() == rook.file());
        let takes = |taking: &&Move| {
            taking.landing() == m.landing() && matches!(taking.piece().kind(), Knight | Bishop)
        };
        let opens = |taking: &Move| {
            let taken = self.end.after(*taking);
            taken.legal_moves().iter().any(|back| {
                back.landing() == m.landing()
                    && back.piece().kind() == Pawn
                    && back.from().file() == rook.file()
                    && is_open(&taken.after(*back))
            })
        };
        kind_on(self.end, rook, color) == Some(Rook)
            && !is_open(self.end)
            && best(self.end, self.square) == 0
            && self.end.legal_moves().iter().filter(takes).any(opens)
    }

    pub(super) fn avoids_trade(&self) -> bool {
        let Some((m, theirs)) = self
            .quiet_move()
            .filter(|m| self.came(*m, &[Knight, Bishop, Rook, Queen]))
            .zip(self.start.passed())
        else {
            return false;
        };
        let trades = |taking: &Move| {
            taking.from() == self.other
                && taking.to() == m.from()
                && worth(taking.piece().kind()) == worth(m.piece().kind())
                && value_of(&theirs, *taking) == 0
        };
        let takes = |taking: &Move| taking.is_capture() && taking.to() == self.square;
        let is_bad = m.piece().kind() == Bishop && is_bad_bishop(self.start, self.color, m.from());
        !is_bad && theirs.legal_moves().iter().any(trades) && !self.end.legal_moves().iter().any(takes)
    }

    pub(super) fn evades_knight(&self) -> bool {
        let Some((m, theirs)) = self
            .quiet_move()
            .filter(|m| self.came(*m, &[Bishop]))
            .zip(self.start.passed())
        else {
            return false;
        };
        let attackers =
            self.start.attackers_to(m.from(), self.start.occupied()) & self.start.of_color(!self.color);
        attackers.is_empty()
            && height(self.color, m.from()) > 1
            && men(self.start, self.color, Bishop).len() == 2
            && best(self.end, self.square) == 0
            && reaches(&theirs, m.from(), |knight| knight == self.other)
            && !reaches(self.end, self.square, |_| true)
    }

    pub(super) fn prepares_battery(&self) -> bool {
        let Some(m) = self.quiet_move().filter(|m| self.came(*m, &[Bishop])) else {
            return false;
        };
        let (color, rival, target) = (self.color, !self.color, self.other);
        let stands = |position: &Position, bishop: Square, queen: Square| {
            is_between(queen, bishop, target)
                && sees(position, bishop, queen)
                && sees(position, queen, target)
        };
        let forms = |position: Position, bishop: Square| {
            position.legal_moves().iter().any(|queen| {
                let (after, square) = (position.after(*queen), queen.landing());
                queen.piece().kind() == Queen
                    && !queen.is_capture()
                    && stands(&after, bishop, square)
                    && best(&after, square) == 0
            })
        };
        kind_on(self.end, target, rival) == Some(Pawn)
            && steps(king(self.end, rival), target) == 1
            && best(self.end, self.square) == 0
            && !any(self.start, color, Queen, |queen| {
                stands(self.start, m.from(), queen)
            })
            && !forms(*self.start, m.from())
            && self.end.passed().is_some_and(|next| forms(next, self.square))
    }
}

/// Whether one of these knights of the side to move can go, taking nothing, to where it attacks a square and cannot be won.
fn reaches(position: &Position, target: Square, is_one: impl Fn(Square) -> bool) -> bool {
    let moves = position.legal_moves().into_iter();
    let mut goes = moves.filter(|m| m.piece().kind() == Knight && !m.is_capture() && is_one(m.from()));
    goes.any(|m| {
        let after = position.after(m);
        sees(&after, m.landing(), target) && best(&after, m.landing()) == 0
    })
}
