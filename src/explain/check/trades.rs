//! Confirms trades and what they leave behind, by the definitions in [`crate::explain::theme`].

use super::exchange::{balance, kind_on, worth};
use super::offers::is_the_isolated_one;
use super::squares::{any, height, is_bad_bishop, is_dark, men, minors, stuck_on_color, ways};
use super::themes::{Scene, any_pawn, count, is_opening};
use crate::board::{Color, Move, PieceType, Position, Square};
use crate::explain::endings;
use crate::explain::theme::Theme;
use PieceType::{Bishop, King, Knight, Pawn, Queen, Rook};

/// With fewer men an isolated pawn is not what is played against.
const PLAYED_AGAINST: usize = 18;

/// Whether a player can force no mate: no pawn, rook or queen and at most one knight or bishop.
pub(super) fn has_too_little(position: &Position, color: Color) -> bool {
    let mut strong = [Pawn, Rook, Queen].into_iter();
    strong.all(|kind| men(position, color, kind).is_empty()) && minors(position, color).len() <= 1
}

/// A bishop with so many of its pawns on its colour is bad, if they are more than half.
const BURDENED: usize = 3;

/// With so few men stalemate is what an ending turns on.
const FEW: usize = 8;

/// A bishop that can go to no more squares is hemmed in.
const HEMMED_IN: usize = 5;

impl Scene<'_> {
    /// Whether the line is that the player trades a knight or bishop for another on `square`.
    fn trades_minors(&self) -> bool {
        let is_minor = |kind: PieceType| matches!(kind, Knight | Bishop);
        let line = self.line;
        line.len() == 2
            && line.mover(0) == self.color
            && line.is_traded()
            && line.at(0).is_some_and(|first| {
                let taken = kind_on(self.start, first.to(), !self.color);
                is_minor(first.piece().kind())
                    && taken.is_some_and(is_minor)
                    && first.landing() == self.square
            })
    }

    pub(super) fn trades_against_isolated(&self) -> bool {
        self.trades_minors()
            && count(self.start) >= PLAYED_AGAINST
            && [self.start, self.end]
                .into_iter()
                .all(|position| is_the_isolated_one(position, self.color, self.other))
    }

    pub(super) fn leaves_bad_bishop(&self) -> bool {
        let (end, rival) = (self.end, !self.color);
        let only =
            |owner, kind| matches!(minors(end, owner)[..], [one] if kind_on(end, one, owner) == Some(kind));
        self.trades_minors()
            && only(self.color, Knight)
            && only(rival, Bishop)
            && kind_on(end, self.other, rival) == Some(Bishop)
            && is_burdened(end, rival, self.other)
            && stuck_on_color(end, rival, self.other) > 0
    }

    pub(super) fn only_stalemate_guards(&self) -> bool {
        let (end, pawn) = (self.end, self.other);
        let last = self.line.len() - 1;
        let comes = |m: Move| m.piece().kind() == King && m.landing() == self.square;
        let is_stalemate = |position: &Position| !position.in_check() && !position.has_moves();
        let falls = |position: &Position| {
            let takes = |m: &Move| m.from() == self.square && m.to() == pawn && m.is_capture();
            position.legal_moves().iter().any(takes)
        };
        let moves = || end.legal_moves().into_iter().map(|m| end.after(m));
        count(end) <= FEW
            && kind_on(end, pawn, !self.color) == Some(Pawn)
            && self.line.mover(last) == self.color
            && self.line.at(last).is_some_and(comes)
            && moves().any(|after| is_stalemate(&after))
            && moves().all(|after| is_stalemate(&after) || falls(&after))
    }

    pub(super) fn leaves_too_little(&self) -> bool {
        let last = self.line.len() - 1;
        let takes = |m: Move| m.is_capture() && m.landing() == self.square;
        let taken = kind_on(self.line.before(last), self.square, !self.color);
        self.line.mover(last) == self.color
            && self.line.at(last).is_some_and(takes)
            && taken.is_some_and(|kind| kind != Pawn)
            && has_too_little(self.end, !self.color)
    }

    pub(super) fn eases_cramp(&self) -> bool {
        let color = self.color;
        let far = |owner: Color| {
            let counts = |pawn: &Square| (2..=5).contains(&pawn.file()) && height(owner, *pawn) >= 4;
            men(self.start, owner, Pawn)
                .iter()
                .filter(|pawn| counts(pawn))
                .count()
        };
        self.trades_minors() && far(color) == 0 && far(!color) >= 2 && is_opening(self.start)
    }

    pub(super) fn trade(&self, theme: Theme) -> bool {
        let (color, start, end) = (self.color, self.start, self.end);
        match theme {
            Theme::Breakthrough => self.breaks_through(),
            Theme::PawnEnding => {
                endings::is_pawn_ending(end)
                    && !endings::is_pawn_ending(start)
                    && balance(end, color) >= balance(start, color)
                    && any_pawn(end)
            }
            Theme::Simplifies => {
                let lost = |color| balance_of(start, color) - balance_of(end, color);
                balance(start, color) >= 200
                    && lost(color) >= 300
                    && lost(color) == lost(!color)
                    && balance(end, color) == balance(start, color)
            }
            Theme::TradesQueens => self.are_gone(Queen),
            Theme::TradesRooks => {
                let is_there = |color| any(start, color, Queen, |_| true);
                self.are_gone(Rook) && !is_there(color) && !is_there(!color) && !endings::is_pawn_ending(end)
            }
            Theme::TradesBadBishop => self.trades_bad_bishop(),
            _ => {
                kind_on(end, self.square, !color) == Some(Bishop)
                    && has_bad_bishop(end, !color)
                    && !has_bad_bishop(start, !color)
            }
        }
    }

    fn breaks_through(&self) -> bool {
        let (color, start) = (self.color, self.start);
        let begins = usize::from(self.line.mover(0) != color);
        let (first, answer) = (self.line.at(begins), self.line.at(begins + 1));
        let offered = first.zip(answer).is_some_and(|(m, answer)| {
            kind_on(start, m.from(), color) == Some(Pawn)
                && !m.is_capture()
                && m.landing() == self.other
                && answer.is_capture()
                && answer.to() == self.other
        });
        let promoted = (begins + 2..self.line.len()).any(|ply| {
            let m = self.line.moves()[ply];
            self.line.mover(ply) == color && m.promoted().is_some() && m.landing() == self.square
        });
        endings::is_pawn_ending(start) && offered && promoted
    }

    /// Whether both sides had pieces of a kind and have none, material as it was.
    fn are_gone(&self, kind: PieceType) -> bool {
        let has =
            |position: &Position| [self.color, !self.color].map(|color| any(position, color, kind, |_| true));
        has(self.start) == [true; 2]
            && has(self.end) == [false; 2]
            && balance(self.start, self.color) == balance(self.end, self.color)
    }

    fn trades_bad_bishop(&self) -> bool {
        let (color, start, end) = (self.color, self.start, self.end);
        let is_bad = |bishop: &Square| is_bad_bishop(start, color, *bishop);
        let is_gone = |bishop: &Square| {
            !men(end, color, Bishop)
                .iter()
                .any(|&left| is_dark(left) == is_dark(*bishop))
        };
        let lost = |color| minors(start, color).len() == minors(end, color).len() + 1;
        men(start, color, Bishop)
            .iter()
            .any(|bishop| is_bad(bishop) && is_gone(bishop))
            && lost(color)
            && lost(!color)
            && balance(start, color) == balance(end, color)
    }
}

/// A player's pawns on the colour of a bishop.
fn pawns_on_color(position: &Position, owner: Color, bishop: Square) -> Vec<Square> {
    let mut pawns = men(position, owner, Pawn);
    pawns.retain(|&pawn| is_dark(pawn) == is_dark(bishop));
    pawns
}

/// Whether three or more of a player's pawns, more than half of them, stand on the colour of its bishop.
fn is_burdened(position: &Position, owner: Color, bishop: Square) -> bool {
    let burden = pawns_on_color(position, owner, bishop).len();
    burden >= BURDENED && 2 * burden > men(position, owner, Pawn).len()
}

/// Whether a player's only knight or bishop is a bishop hemmed in by its pawns, and the other side has a better piece.
fn has_bad_bishop(position: &Position, owner: Color) -> bool {
    let theirs = minors(position, owner);
    let [only] = theirs[..] else {
        return false;
    };
    let burden = pawns_on_color(position, owner, only).len();
    let better = any(position, !owner, Knight, |_| true)
        || any(position, !owner, Bishop, |ours| {
            pawns_on_color(position, !owner, ours).len() < burden
        });
    kind_on(position, only, owner) == Some(Bishop)
        && is_burdened(position, owner, only)
        && ways(position, only, owner) <= HEMMED_IN
        && better
}

/// The worth of a player's pieces.
fn balance_of(position: &Position, color: Color) -> i32 {
    let men = Square::all().filter_map(|square| kind_on(position, square, color));
    men.map(worth).sum()
}
