//! Confirms the themes of openings, by the definitions in [`crate::explain::theme`].

use super::exchange::{best, kind_on, seen_from};
use super::squares::{
    any, height, is_central, is_fianchetto, is_outside, men, minors, pawns_attack, watchers,
};
use super::themes::{Scene, count, is_opening};
use crate::board::{Color, Move, PieceType, Position, Square};
use crate::explain::theme::Theme;
use PieceType::{Bishop, King, Knight, Pawn, Queen};

/// A queen is out early while so many knights and bishops are at home.
const UNDEVELOPED: usize = 3;

/// A piece should not move again while so many others are at home.
const WAITING: usize = 2;

/// With so many men on the board a move of a bishop more or less counts.
const EARLY: usize = 26;

impl Scene<'_> {
    pub(super) fn castles(&self) -> bool {
        let m = self.line.moves()[0];
        self.line.mover(0) == self.color && m.is_castling() && m.landing() == self.square
    }

    pub(super) fn minor(&self, theme: Theme) -> bool {
        let color = self.color;
        let Some(was) = self.was.filter(|&was| was != self.square) else {
            return false;
        };
        let left_home = height(color, was) == 1 && height(color, self.square) > 1;
        match theme {
            Theme::Develops => {
                let is_home = match was.file() {
                    1 | 6 => self.stands(Knight),
                    2 | 5 => self.stands(Bishop),
                    _ => false,
                };
                is_opening(self.start) && left_home && is_home
            }
            Theme::Fianchetto => {
                is_opening(self.start)
                    && left_home
                    && self.stands(Bishop)
                    && is_fianchetto(color, self.square)
            }
            _ => {
                self.stands(Knight) && is_central(self.square) && !pawns_attack(self.end, !color, self.square)
            }
        }
    }

    pub(super) fn takes_castling(&self) -> bool {
        let rights = |position: &Position| position.castling().any(!self.color);
        let answered = |ply: usize| {
            let m = self.line.moves()[ply];
            self.line.mover(ply) != self.color
                && m.piece().kind() == King
                && !m.is_castling()
                && m.landing() == self.square
        };
        is_opening(self.start)
            && self.line.mover(0) == self.color
            && rights(self.start)
            && !rights(self.end)
            && kind_on(self.end, self.square, !self.color) == Some(King)
            && (1..self.line.len()).any(answered)
    }

    pub(super) fn out_before_pawn(&self) -> bool {
        let (color, target) = (self.color, self.other);
        let is_pawn = |pawn: Square| (pawn.file(), height(color, pawn)) == (4, 2);
        self.quiet_move().is_some_and(|m| {
            let home = m.from();
            is_opening(self.start)
                && self.came(m, &[Bishop])
                && (home.file(), height(color, home)) == (2, 1)
                && self.square.file() > 4
                && (target.file(), height(color, target)) == (4, 3)
                && self.end.piece_on(target).is_none()
                && any(self.end, color, Pawn, is_pawn)
        })
    }

    pub(super) fn makes_bishop_move(&self) -> bool {
        let &[taking, back] = self.line.moves() else {
            return false;
        };
        let was = back.from();
        let takes_pawn = kind_on(self.start, self.square, !self.color) == Some(Pawn);
        count(self.start) >= EARLY
            && self.line.mover(0) == self.color
            && taking.piece().kind() == Pawn
            && taking.landing() == self.square
            && (self.square.file(), height(!self.color, self.square)) == (2, 4)
            && takes_pawn
            && back.is_capture()
            && back.landing() == self.square
            && back.piece().kind() == Bishop
            && height(!self.color, was) > 1
            && watchers(self.start, self.color, was) == 0
    }

    pub(super) fn queen_in_centre(&self) -> bool {
        let &[first, back] = self.line.moves() else {
            return false;
        };
        let attacks_queen = |m: &Move| {
            let after = self.end.after(*m);
            matches!(m.piece().kind(), Pawn | Knight | Bishop)
                && seen_from(&after, m.landing()).contains(&self.square)
                && best(&after, m.landing()) == 0
        };
        count(self.start) >= EARLY
            && self.line.mover(1) == self.color
            && first.is_capture()
            && first.landing() == self.square
            && is_central(self.square)
            && back.landing() == self.square
            && back.piece().kind() == Queen
            && best(self.end, self.square) == 0
            && !self.end.legal_moves().iter().any(attacks_queen)
    }

    pub(super) fn gains_time(&self) -> bool {
        let &[first, answer] = self.line.moves() else {
            return false;
        };
        let (color, queen) = (self.color, self.other);
        self.line.mover(1) == color
            && first.piece().kind() == Queen
            && !first.is_capture()
            && first.landing() == queen
            && !answer.is_capture()
            && matches!(answer.piece().kind(), Pawn | Knight | Bishop)
            && answer.landing() == self.square
            && kind_on(self.end, queen, !color) == Some(Queen)
            && seen_from(self.end, self.square).contains(&queen)
            && best(self.end, self.square) == 0
    }

    pub(super) fn opening(&self, theme: Theme) -> bool {
        let (us, rival) = (self.color, !self.color);
        let Some(was) = self.was.filter(|&was| was != self.square) else {
            return false;
        };
        let is = |kinds: &[PieceType], color| {
            kind_on(self.end, self.square, color).is_some_and(|kind| kinds.contains(&kind))
        };
        let takes = || {
            let mut moves = self.line.moves().iter();
            moves.any(|m| m.landing() == self.square && m.is_capture())
        };
        let is_theme = match theme {
            Theme::BlocksPawn => {
                let pawn = self.other;
                let shuts_in = || {
                    let mut bishops = men(self.end, rival, Bishop).into_iter();
                    bishops.any(|bishop| height(rival, bishop) == 1 && bishop.file() == let_out(pawn))
                };
                let before = |file, owner, rank| {
                    any(self.end, owner, Pawn, |pawn| {
                        pawn.file() == file && height(owner, pawn) == rank
                    })
                };
                is(&[Knight, Bishop, Queen], rival)
                    && kind_on(self.end, pawn, rival) == Some(Pawn)
                    && height(rival, pawn) == 2
                    && self.square.file() == pawn.file()
                    && height(rival, self.square) == 3
                    && match pawn.file() {
                        2 => before(3, rival, 4) && before(3, us, 4),
                        3 | 4 => shuts_in(),
                        _ => false,
                    }
            }
            Theme::EarlyQueen => {
                is(&[Queen], rival)
                    && height(rival, was) == 1
                    && height(rival, self.square) > 1
                    && at_home(self.end, rival) >= UNDEVELOPED
                    && !takes()
            }
            Theme::MovesAgain => {
                is(&[Knight, Bishop], rival)
                    && height(rival, was) > 1
                    && watchers(self.start, us, was) == 0
                    && at_home(self.end, rival) >= WAITING
                    && !takes()
            }
            Theme::CentreWithTempo => {
                let prey = kind_on(self.end, self.other, rival);
                is(&[Pawn], us)
                    && is_central(self.square)
                    && prey.is_some_and(|kind| !matches!(kind, Pawn | King))
                    && seen_from(self.end, self.square).contains(&self.other)
            }
            Theme::GivesUpCentre => {
                let guarded = |position| pawns_attack(position, rival, self.other);
                is(&[Pawn], rival)
                    && is_central(was)
                    && is_outside(self.square)
                    && takes()
                    && kind_on(self.end, self.other, rival) == Some(Pawn)
                    && is_central(self.other)
                    && guarded(self.start)
                    && !guarded(self.end)
            }
            _ => {
                is(&[Knight, Bishop], us)
                    && height(us, was) == 1
                    && kind_on(self.end, self.other, rival) == Some(Queen)
                    && seen_from(self.end, self.square).contains(&self.other)
            }
        };
        is_opening(self.start) && is_theme
    }
}

/// The file on which the bishop starts that a pawn of file d or e lets out.
fn let_out(pawn: Square) -> u8 {
    if pawn.file() == 3 { 2 } else { 5 }
}

/// A player's knights and bishops on its first rank.
fn at_home(position: &Position, color: Color) -> usize {
    let minors = minors(position, color).into_iter();
    minors.filter(|&square| height(color, square) == 1).count()
}
