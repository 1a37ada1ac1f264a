//! Confirms what pawns do to each other and to bishops, by the definitions in [`crate::explain::theme`].

use super::exchange::{is_between, kind_on, seen_from};
use super::squares::{any, height, is_bad_bishop, is_left_behind, is_passed, king, men, pawns_attack};
use super::themes::{Scene, apart, count};
use crate::board::{Color, PieceType, Position, Square};
use crate::explain::theme::Theme;
use PieceType::{Bishop, Knight, Pawn};

/// More pieces than that make a majority a matter of the distant future.
const FEW: usize = 24;

/// A bishop that reaches no more squares is out of play.
const BURIED: usize = 3;

impl Scene<'_> {
    pub(super) fn minority_attack(&self) -> bool {
        let color = self.color;
        let wing = |square: Square| match square.file() {
            0..=2 => Some(false),
            5..=7 => Some(true),
            _ => None,
        };
        let here = wing(self.square);
        let on_wing = |color| {
            men(self.end, color, Pawn)
                .into_iter()
                .filter(|&pawn| wing(pawn) == here)
        };
        let target = self.other;
        // a pawn alone has to strike already
        let strikes = seen_from(self.end, self.square).contains(&target);
        let least = if strikes { 1 } else { 2 };
        here.is_some()
            && self.stands(Pawn)
            && self.moved()
            && height(color, self.square) >= 4
            && wing(king(self.end, color)) != here
            && (least..on_wing(!color).count()).contains(&on_wing(color).count())
            && kind_on(self.end, target, !color) == Some(Pawn)
            && wing(target) == here
            && target.file().abs_diff(self.square.file()) == 1
            && height(color, target) > height(color, self.square)
            && !any(self.end, color, Pawn, |pawn| pawn.file() == target.file())
    }

    pub(super) fn pawn_play(&self, theme: Theme) -> bool {
        let color = self.color;
        match theme {
            Theme::Majority => {
                let wing = |pawn: &Square| (pawn.file() < 4) == (self.square.file() < 4);
                let on_wing =
                    |color| -> Vec<Square> { men(self.end, color, Pawn).into_iter().filter(wing).collect() };
                let (ours, theirs) = (on_wing(color), on_wing(!color));
                self.stands(Pawn)
                    && self.moved()
                    && count(self.end) <= FEW
                    && height(color, self.square) >= 4
                    && ours.len() > theirs.len()
                    && !theirs.is_empty()
                    && !ours.iter().any(|&pawn| is_passed(self.end, color, pawn))
            }
            Theme::OffersBadBishop => {
                let guards = |from: Square| {
                    self.end
                        .piece_on(from)
                        .is_some_and(|piece| piece.color() == color)
                        && seen_from(self.end, from).contains(&self.square)
                };
                self.stands(Bishop)
                    && self.moved()
                    && is_bad_bishop(self.end, color, self.square)
                    && matches!(kind_on(self.end, self.other, !color), Some(Knight | Bishop))
                    && seen_from(self.end, self.square).contains(&self.other)
                    && Square::all().any(guards)
            }
            Theme::BuriedBishop => self.is_new(|position, square, _| {
                kind_on(position, square, !color) == Some(Bishop)
                    && height(!color, square) > 1
                    && reach(position, !color, square) <= BURIED
            }),
            _ => self.is_new(|position, square, _| {
                let stop = Square::all().find(|stop| {
                    stop.file() == square.file() && height(!color, *stop) == height(!color, square) + 1
                });
                kind_on(position, square, !color) == Some(Pawn)
                    && is_left_behind(position, !color, square)
                    && stop.is_some_and(|stop| pawns_attack(position, color, stop))
                    && !any(position, color, Pawn, |pawn| pawn.file() == square.file())
            }),
        }
    }
}

/// How many squares a bishop can get to by any number of moves if all pieces but pawns step aside. It does not go where
/// the other side's pawns attack, so it takes none of theirs that another one guards.
fn reach(position: &Position, owner: Color, bishop: Square) -> usize {
    let is_pawn = |square: Square, color| kind_on(position, square, color) == Some(Pawn);
    let mut seen = vec![bishop];
    let mut next = 0;
    while next < seen.len() {
        let from = seen[next];
        next += 1;
        let diagonal = Square::all().filter(|&to| {
            let [files, ranks] = apart(from, to);
            files == ranks && files > 0
        });
        for to in diagonal {
            let way = |square: Square| {
                is_between(square, from, to) && (is_pawn(square, owner) || is_pawn(square, !owner))
            };
            let is_safe = !is_pawn(to, owner) && !pawns_attack(position, !owner, to);
            if is_safe && !seen.contains(&to) && !Square::all().any(way) {
                seen.push(to);
            }
        }
    }
    seen.len() - 1
}
