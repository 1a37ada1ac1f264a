//! Confirms what a piece that offers itself is to take off the board, by the definitions in [`crate::explain::theme`].

use super::exchange::{best, kind_on, sees, to_move, worth_on};
use super::squares::{
    any, height, is_bad_bishop, is_before, is_central, is_fianchetto, is_good_bishop, is_isolated,
    is_out_of_pawns_reach, is_outpost, is_passed, king, men, minors, pawns_attack, watchers,
};
use super::themes::Scene;
use crate::board::{Color, Move, PieceType, Position, Square, Wing};
use crate::explain::theme::Theme;
use PieceType::{Bishop, Knight, Pawn, Queen, Rook};

impl Scene<'_> {
    /// What a quiet move, the only one of the line, offers to trade.
    pub(super) fn offer(&self, theme: Theme) -> bool {
        self.quiet_move().is_some_and(|m| match theme {
            Theme::OffersTrade => self.offers_itself(m, self.other),
            Theme::HuntsBishop => self.hunts_bishop(m),
            Theme::OffersForGoodBishop => {
                self.offers_bishop(m) && is_good_bishop(self.end, !self.color, self.other)
            }
            Theme::OffersForPair => {
                let bishops = |color| men(self.end, color, Bishop).len();
                self.offers_bishop(m) && bishops(!self.color) == 2 && bishops(self.color) == 1
            }
            Theme::OffersForKingGuard => self.offers_bishop(m) && self.guards_its_king(self.other),
            Theme::OffersForGuard => self.offers_for_guard(m),
            Theme::OffersForAttacker => self.offers_for_attacker(m),
            Theme::OffersForOutpost => self.offers_for_outpost(m),
            Theme::AimsAtPasser => self.aims_at_passer(m),
            Theme::OffersForBlockader => self.offers_for_blockader(m),
            Theme::PreparesTrade => self.prepares_trade(m),
            _ => self.offers_against_isolated(m),
        })
    }

    /// Whether the last two pieces offer to take each other, after the first move of a line or the answer to it.
    pub(super) fn offers_pawn_ending(&self) -> bool {
        let line = self.line;
        let Some(last) = line.len().checked_sub(1).filter(|&last| last < 2) else {
            return false;
        };
        let m = line.moves()[last];
        let before = line.before(last);
        let kind = kind_on(self.end, self.square, self.color);
        let men = Square::all().filter_map(|square| self.end.piece_on(square));
        let pieces = men.filter(|man| !matches!(man.kind(), Pawn | PieceType::King));
        line.mover(last) == self.color
            && m.is_quiet()
            && m.landing() == self.square
            && pieces.count() == 2
            && kind.is_some_and(|kind| kind != Pawn)
            && kind_on(self.end, self.other, !self.color) == kind
            && sees(self.end, self.square, self.other)
            && !sees(before, m.from(), self.other)
            && watchers(self.end, self.color, self.square) > 0
            && best(self.end, self.square) == 0
    }

    /// Whether the other side's bishop on a square guards its king, where it is or where it may still castle.
    fn guards_its_king(&self, bishop: Square) -> bool {
        let rival = !self.color;
        let wing = if bishop.file() == 6 {
            Wing::King
        } else {
            Wing::Queen
        };
        guards_king(bishop, king(self.end, rival), rival)
            || is_fianchetto(rival, bishop) && self.end.castling().has(rival, wing)
    }

    /// Whether the piece that has moved, or one whose way it has left, offers itself for one of its kind.
    fn offers_itself(&self, m: Move, prey: Square) -> bool {
        let kind = kind_on(self.end, self.square, self.color);
        let is_moved = m.landing() == self.square;
        let was = if is_moved { m.from() } else { self.square };
        let kinds: &[PieceType] = if is_moved {
            &[Knight, Bishop, Rook, Queen]
        } else {
            &[Bishop, Rook, Queen]
        };
        kind.is_some_and(|kind| kinds.contains(&kind))
            && kind_on(self.end, prey, !self.color) == kind
            && sees(self.end, self.square, prey)
            && !sees(self.start, was, prey)
            && sees(self.end, prey, self.square)
            && watchers(self.end, self.color, self.square) > 0
            && (!is_moved || kind == Some(Queen) || watchers(self.end, !self.color, prey) > 0)
            && best(self.end, self.square) == 0
    }

    /// Whether it is the piece that has moved.
    fn moves_to_offer(&self, m: Move, prey: Square) -> bool {
        m.landing() == self.square && self.offers_itself(m, prey)
    }

    fn offers_bishop(&self, m: Move) -> bool {
        self.stands(Bishop) && self.moves_to_offer(m, self.other)
    }

    fn hunts_bishop(&self, m: Move) -> bool {
        self.came(m, &[Knight])
            && kind_on(self.end, self.other, !self.color) == Some(Bishop)
            && men(self.end, !self.color, Bishop).len() >= 2
            && self.comes_to_attack(m, self.other)
            && !any(self.end, self.color, Bishop, |own| {
                sees(self.end, own, self.other)
            })
            && best(self.end, self.square) == 0
    }

    fn prepares_trade(&self, m: Move) -> bool {
        let (color, target) = (self.color, self.other);
        let was = if m.landing() == self.square {
            m.from()
        } else {
            self.square
        };
        let goes = |position: &Position, from| {
            let mut moves = position.legal_moves().into_iter();
            moves.find(|go| go.from() == from && go.to() == target && go.is_quiet())
        };
        let next =
            to_move(self.end, color).and_then(|ours| goes(&ours, self.square).map(|go| ours.after(go)));
        let faces = |next: &Position, prey| {
            sees(next, target, prey) && sees(next, prey, target) && !sees(self.end, self.square, prey)
        };
        self.stands(Bishop)
            && is_bad_bishop(self.end, color, self.square)
            && goes(self.start, was).is_none()
            && next.is_some_and(|next| {
                any(&next, !color, Bishop, |prey| faces(&next, prey))
                    && watchers(&next, color, target) > 0
                    && best(&next, target) == 0
            })
    }

    fn offers_for_guard(&self, m: Move) -> bool {
        let (color, target) = (self.color, self.other);
        let guards = |prey: &Square| sees(self.end, *prey, target) && self.moves_to_offer(m, *prey);
        let fights = |owner, leaving| watchers(self.end, owner, target) - usize::from(leaving);
        let is_pawn = self.end.piece_on(target).is_some_and(|man| man.kind() == Pawn);
        is_central(target)
            && height(color, target) == 5
            && !is_pawn
            && is_out_of_pawns_reach(self.end, !color, target)
            && minors(self.end, !color).iter().any(guards)
            && fights(color, sees(self.end, self.square, target)) > fights(!color, true)
    }

    fn offers_for_attacker(&self, m: Move) -> bool {
        let (color, prey) = (self.color, self.other);
        self.came(m, &[Knight, Bishop])
            && matches!(kind_on(self.end, prey, !color), Some(Knight | Bishop))
            && self.comes_to_attack(m, prey)
            && watchers(self.end, !color, prey) > 0
            && best(self.end, self.square) == 0
            && pressed_pawn(self.end, color, prey).is_some()
    }

    fn offers_for_outpost(&self, m: Move) -> bool {
        let (rival, prey) = (!self.color, self.other);
        self.came(m, &[Knight, Bishop])
            && matches!(kind_on(self.end, prey, rival), Some(Knight | Bishop))
            && self.comes_to_attack(m, prey)
            && pawns_attack(self.end, rival, prey)
            && is_outpost(self.end, rival, prey)
            && best(self.end, self.square) == 0
    }

    fn aims_at_passer(&self, m: Move) -> bool {
        let (color, square) = (self.color, self.square);
        let is_new = |pawn: Square, then: &Position| {
            is_passed(then, color, square) && !is_passed(self.end, color, pawn)
        };
        let lets_through = |taking: &Move| {
            let taken = self.end.after(*taking);
            let replies = taken.legal_moves();
            let mut back = replies
                .iter()
                .filter(|back| back.is_capture() && back.to() == square);
            back.any(|back| {
                let is_pawn = back.piece().kind() == Pawn && back.promoted().is_none();
                is_pawn && is_new(back.from(), &taken.after(*back))
            })
        };
        let takes = |taking: &&Move| taking.from() == self.other && taking.to() == square;
        worth_on(self.end, square) == worth_on(self.end, self.other)
            && self.came(m, &[Knight, Bishop, Rook, Queen])
            && best(self.end, square) == 0
            && self
                .end
                .legal_moves()
                .iter()
                .find(takes)
                .is_some_and(lets_through)
    }

    fn offers_for_blockader(&self, m: Move) -> bool {
        let color = self.color;
        let is_blocked = |pawn: Square| {
            is_before(color, pawn, self.other)
                && (is_isolated(self.end, color, pawn) || is_passed(self.end, color, pawn))
        };
        (self.stands(Knight) || self.stands(Bishop))
            && self.moves_to_offer(m, self.other)
            && any(self.end, color, Pawn, is_blocked)
    }

    fn offers_against_isolated(&self, m: Move) -> bool {
        is_the_isolated_one(self.end, self.color, self.other)
            && (self.stands(Knight) || self.stands(Bishop))
            && minors(self.end, !self.color)
                .into_iter()
                .any(|prey| self.offers_itself(m, prey))
    }
}

/// Whether a pawn of the other side, on file d or e without a pawn of the player, is the only isolated one of the files c to f.
pub(super) fn is_the_isolated_one(position: &Position, color: Color, pawn: Square) -> bool {
    let weak = |owner: Color| {
        let mut pawns = men(position, owner, Pawn);
        pawns.retain(|&pawn| (2..=5).contains(&pawn.file()) && is_isolated(position, owner, pawn));
        pawns
    };
    weak(!color) == [pawn]
        && matches!(pawn.file(), 3 | 4)
        && weak(color).is_empty()
        && !any(position, color, Pawn, |own| own.file() == pawn.file())
}

/// Whether a bishop stands on its second rank, file b or g, beside its king on the first.
pub(super) fn guards_king(bishop: Square, king: Square, owner: Color) -> bool {
    is_fianchetto(owner, bishop) && height(owner, king) == 1 && bishop.file().abs_diff(king.file()) <= 1
}

/// A player's pawn that no pawn guards and a piece of the other side attacks, with as many attackers as guards or more.
pub fn pressed_pawn(position: &Position, owner: Color, attacker: Square) -> Option<Square> {
    men(position, owner, Pawn).into_iter().find(|&pawn| {
        sees(position, attacker, pawn)
            && !pawns_attack(position, owner, pawn)
            && watchers(position, !owner, pawn) >= watchers(position, owner, pawn)
    })
}
