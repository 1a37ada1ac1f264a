//! Confirms what a quiet move leaves the pieces around it to do, by the definitions in [`crate::explain::theme`].

use super::exchange::{best, first_two, kind_on, sees, to_move};
use super::squares::{
    any, height, is_before, is_bishop_at_home, is_blocked_by_pawn, is_central, is_fianchetto,
    is_king_on_a_wing, is_outside, king, men, pawns_attack, watchers,
};
use super::themes::{Scene, is_opening};
use crate::board::{Move, PieceType, Position, Square};
use crate::explain::theme::Theme;
use PieceType::{Bishop, Knight, Pawn, Queen, Rook};

/// A storm begins with a pawn on its fourth rank at most.
const BEFORE_THE_STORM: i32 = 4;

/// From this rank on a pawn has left its own half, or is about to.
const ADVANCED: i32 = 4;

/// So many pawns that stand right before each other close a centre.
const LOCKED: usize = 2;

impl Scene<'_> {
    /// What the only move of the line, a quiet one of the player, leaves to be done.
    pub(super) fn prospect(&self, theme: Theme) -> bool {
        self.quiet_move().is_some_and(|m| match theme {
            Theme::TiesBishop => self.ties_bishop(m),
            Theme::FreesBishop => self.frees_bishop(m),
            Theme::BlocksStorm => self.blocks_storm(m),
            Theme::GuardsBreak => self.guards_break(m),
            Theme::CentralCounter => self.central_counter(m),
            Theme::ClosesToBishops => self.closes_to_bishops(m),
            Theme::OpposesBishop => self.opposes_bishop(m),
            _ => self.behind_storm(m),
        })
    }

    fn ties_bishop(&self, m: Move) -> bool {
        let (rival, pawn) = (!self.color, self.other);
        let is_guard =
            |guard: Square| is_bishop_at_home(self.end, rival, guard) && sees(self.end, guard, pawn);
        self.came(m, &[Knight, Bishop, Rook, Queen])
            && self.comes_to_attack(m, pawn)
            && kind_on(self.end, pawn, rival) == Some(Pawn)
            && watchers(self.end, rival, pawn) == 1
            && Square::all().any(is_guard)
            && best(self.end, self.square) == 0
            && to_move(self.end, self.color).is_some_and(|ours| best(&ours, pawn) == 0)
    }

    fn frees_bishop(&self, m: Move) -> bool {
        let (color, bishop, was) = (self.color, self.other, m.from());
        // one piece of its own still stands before it, the pawn stood behind that piece
        let is_piece = |square| matches!(kind_on(self.end, square, color), Some(Knight | Queen));
        let is_shut_in = |(piece, pawn): (Square, Option<Square>)| is_piece(piece) && pawn == Some(was);
        self.came(m, &[Pawn])
            && matches!(was.file(), 3 | 4)
            && is_bishop_at_home(self.end, color, bishop)
            && first_two(self.start, bishop, was).is_some_and(is_shut_in)
            && best(self.end, self.square) == 0
    }

    fn behind_storm(&self, m: Move) -> bool {
        let (color, pawn) = (self.color, self.other);
        let (own, other) = (king(self.end, color), king(self.end, !color));
        let is_free = |square: Square| is_before(color, pawn, square) && self.end.piece_on(square).is_none();
        self.came(m, &[Rook])
            && m.from().rank() == self.square.rank()
            && kind_on(self.end, pawn, color) == Some(Pawn)
            && pawn.file() == self.square.file()
            && height(color, pawn) > height(color, self.square)
            && height(color, pawn) <= BEFORE_THE_STORM
            && sees(self.end, self.square, pawn)
            && Square::all().any(is_free)
            && !matches!(pawn.file(), 3 | 4)
            && other.file().abs_diff(pawn.file()) <= 1
            && height(!color, other) <= 2
            && (own.file().abs_diff(pawn.file()) > 1 || matches!(own.file(), 0 | 7))
            && own.file() != pawn.file()
            && [color, !color]
                .into_iter()
                .all(|side| !self.end.pieces(side, Queen).is_empty())
            && best(self.end, self.square) == 0
    }

    /// Whether a pawn of the other side would on this square attack a pawn beside the player's king on a wing.
    fn would_open_lines(&self, square: Square) -> bool {
        let (color, rival) = (self.color, !self.color);
        let own = king(self.end, color);
        let is_attacked = |target: Square| {
            height(rival, target) == height(rival, square) + 1
                && target.file().abs_diff(square.file()) == 1
                && target.file().abs_diff(own.file()) <= 1
        };
        is_king_on_a_wing(self.end, color) && any(self.end, color, Pawn, is_attacked)
    }

    fn guards_break(&self, m: Move) -> bool {
        let (rival, target) = (!self.color, self.other);
        self.came(m, &[Knight, Bishop, Rook, Queen])
            && self.comes_to_attack(m, target)
            && self.end.piece_on(target).is_none()
            && any(self.end, rival, Pawn, |pawn| is_before(rival, pawn, target))
            && self.would_open_lines(target)
            && best(self.end, self.square) == 0
    }

    fn central_counter(&self, m: Move) -> bool {
        let (rival, pawn) = (!self.color, self.other);
        let has_advanced =
            |pawn: Square| matches!(pawn.file(), 0 | 1 | 6 | 7) && height(rival, pawn) >= ADVANCED;
        let theirs = king(self.end, rival);
        self.came(m, &[Pawn])
            && is_opening(self.start)
            && is_central(self.square)
            && kind_on(self.end, pawn, rival) == Some(Pawn)
            && self.comes_to_attack(m, pawn)
            && any(self.end, rival, Pawn, has_advanced)
            && height(rival, theirs) == 1
            && !is_outside(theirs)
            && best(self.end, self.square) == 0
    }

    fn blocks_storm(&self, m: Move) -> bool {
        let (rival, pawn) = (!self.color, self.other);
        let is_behind = |kind| {
            any(self.end, rival, kind, |heavy| {
                heavy.file() == pawn.file() && sees(self.end, heavy, pawn)
            })
        };
        self.came(m, &[Pawn])
            && kind_on(self.end, pawn, rival) == Some(Pawn)
            && is_before(rival, pawn, self.square)
            && height(rival, pawn) >= ADVANCED
            && is_outside(pawn)
            && self.would_open_lines(self.square)
            && !pawns_attack(self.end, rival, self.square)
            && (is_behind(Rook) || is_behind(Queen))
            && best(self.end, self.square) == 0
    }

    fn closes_to_bishops(&self, m: Move) -> bool {
        let (color, rival) = (self.color, !self.color);
        let blocked = |position: &Position| {
            let pawns = men(position, color, Pawn).into_iter();
            pawns
                .filter(|&pawn| is_blocked_by_pawn(position, color, pawn))
                .count()
        };
        self.came(m, &[Pawn])
            && kind_on(self.end, self.other, rival) == Some(Pawn)
            && is_before(color, self.square, self.other)
            && blocked(self.end) >= LOCKED
            && blocked(self.end) > blocked(self.start)
            && self.end.pieces(rival, Bishop).count() > 1
            && self.end.pieces(color, Bishop).count() < 2
    }

    fn opposes_bishop(&self, m: Move) -> bool {
        let (rival, bishop) = (!self.color, self.other);
        let behind_knight = |position: &Position, from: Square| {
            let met = first_two(position, from, bishop);
            let is_knight = |square| {
                position
                    .piece_on(square)
                    .is_some_and(|piece| piece.kind() == Knight)
            };
            met.is_some_and(|(first, second)| is_knight(first) && second == Some(bishop))
        };
        self.came(m, &[Bishop])
            && kind_on(self.end, bishop, rival) == Some(Bishop)
            && is_fianchetto(rival, bishop)
            && behind_knight(self.end, self.square)
            && !behind_knight(self.start, m.from())
            && best(self.end, self.square) == 0
    }
}
