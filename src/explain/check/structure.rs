//! Confirms what a quiet move does for squares and pawns that last, by the definitions in [`crate::explain::theme`].

use super::exchange::{best, is_between, kind_on, seen_from, sees, value_of};
use super::squares::{
    any, height, is_before, is_beside_and_ahead, is_central, is_dark, is_isolated, is_out_of_pawns_reach,
    is_passed, is_weak, men, pawns_attack,
};
use super::themes::{Scene, count};
use crate::board::{Color, Move, PieceType, Position, Square};
use crate::explain::theme::Theme;
use PieceType::{Bishop, Knight, Pawn, Queen, Rook};

/// With more men on the board a bishop has other things to do than to attack pawns.
const MIDDLEGAME: usize = 20;

/// So many pawns on the colour of the other side's bishop are targets.
const TARGETS: usize = 3;

impl Scene<'_> {
    pub(super) fn structure(&self, theme: Theme) -> bool {
        self.quiet_move().is_some_and(|m| match theme {
            Theme::GuardedPost => self.guarded_post(m),
            Theme::Clamps => self.clamps(m),
            Theme::FixesPawn => self.fixes_pawn(m),
            Theme::FixesPawns => self.fixes_pawns(m),
            Theme::PreparesPost => self.prepares_post(m),
            Theme::TriplesHeavy => self.triples_heavy(m),
            _ => self.aims_to_damage(m),
        })
    }

    fn guarded_post(&self, m: Move) -> bool {
        self.came(m, &[Knight, Rook])
            && self.is_post(self.end, self.square)
            && (kind_on(self.end, self.other, self.color) == Some(Pawn)
                || height(self.color, self.square) == 6
                    && kind_on(self.end, self.other, self.color).is_some())
            && seen_from(self.end, self.other).contains(&self.square)
    }

    /// Whether a piece of the player stands where it cannot be won and no pawn drives it off at once, the other side to move.
    fn is_post(&self, position: &Position, post: Square) -> bool {
        let rival = !self.color;
        let drives_off =
            |m: &Move| m.piece().kind() == Pawn && pawns_attack(&position.after(*m), rival, post);
        matches!(height(self.color, post), 5 | 6)
            && (1..=6).contains(&post.file())
            && best(position, post) == 0
            && !pawns_attack(position, rival, post)
            && !position.legal_moves().iter().any(drives_off)
    }

    fn prepares_post(&self, m: Move) -> bool {
        let (color, post) = (self.color, self.other);
        let Some(next) = self.end.passed().filter(|_| self.came(m, &[Pawn])) else {
            return false;
        };
        let goes = |m: &Move| m.piece().kind() == Knight && m.landing() == post && !m.is_capture();
        sees(self.end, self.square, post)
            && !pawns_attack(self.start, color, post)
            && best(self.end, self.square) == 0
            && next
                .legal_moves()
                .iter()
                .any(|m| goes(m) && self.is_post(&next.after(*m), post))
    }

    fn clamps(&self, m: Move) -> bool {
        let (color, target) = (self.color, self.other);
        let guards = |pawn: Square| seen_from(self.end, pawn).contains(&target);
        let fellow = |pawn: Square| pawn != self.square && guards(pawn);
        let waits = |pawn: Square| pawn.file() == target.file() && height(!color, pawn) <= 3;
        self.came(m, &[Pawn])
            && height(color, self.square) == 4
            && is_central(target)
            && self.end.piece_on(target).is_none()
            && guards(self.square)
            && any(self.end, color, Pawn, fellow)
            && any(self.end, !color, Pawn, waits)
            && best(self.end, self.square) == 0
    }

    fn fixes_pawn(&self, m: Move) -> bool {
        let (rival, pawn) = (!self.color, self.other);
        let is_alone = is_isolated(self.end, rival, pawn) || is_weak(self.end, rival, pawn);
        self.came(m, &[Pawn])
            && kind_on(self.end, pawn, rival) == Some(Pawn)
            && is_before(rival, pawn, self.square)
            && is_alone
            && self.is_fixed(pawn)
    }

    fn fixes_pawns(&self, m: Move) -> bool {
        let (rival, neighbour) = (!self.color, self.other);
        let faces = |pawn: Square| is_before(rival, pawn, self.square);
        let stop = |square: Square| is_before(rival, neighbour, square);
        let mut ahead = seen_from(self.end, self.square).into_iter();
        self.came(m, &[Pawn])
            && any(self.end, rival, Pawn, faces)
            && kind_on(self.end, neighbour, rival) == Some(Pawn)
            && ahead.any(|square| stop(square) && self.end.piece_on(square).is_none())
            && self.is_fixed(neighbour)
    }

    /// Whether the pawn that has moved cannot be won, and none of the other side but this one can ever attack it.
    fn is_fixed(&self, but: Square) -> bool {
        let rival = !self.color;
        let attacks = |pawn: Square| pawn != but && is_beside_and_ahead(self.color, self.square, pawn);
        best(self.end, self.square) == 0 && !any(self.end, rival, Pawn, attacks)
    }

    fn triples_heavy(&self, m: Move) -> bool {
        let color = self.color;
        let on_file = |position: &Position, kind| {
            let mut found = men(position, color, kind);
            found.retain(|square| square.file() == self.square.file());
            found
        };
        let stand = |position: &Position| {
            let (rooks, queens) = (on_file(position, Rook), on_file(position, Queen));
            let (&[one, other], &[queen]) = (rooks.as_slice(), queens.as_slice()) else {
                return false;
            };
            let own = [one, other, queen];
            let lies_between =
                |square: Square| own.iter().any(|&a| own.iter().any(|&b| is_between(square, a, b)));
            Square::all()
                .filter(|square| !own.contains(square) && lies_between(*square))
                .all(|square| position.piece_on(square).is_none())
        };
        self.came(m, &[Rook, Queen]) && stand(self.end) && !stand(self.start)
    }

    fn aims_to_damage(&self, m: Move) -> bool {
        let (color, rival, prey) = (self.color, !self.color, self.other);
        let Some(next) = self.end.passed().filter(|_| self.came(m, &[Bishop])) else {
            return false;
        };
        let takes = |m: &Move| m.from() == self.square && m.to() == prey;
        let Some(taking) = next.legal_moves().into_iter().find(takes) else {
            return false;
        };
        let after = next.after(taking);
        let replies = after.legal_moves();
        let mut back = replies
            .iter()
            .filter(|m| m.is_capture() && m.to() == prey)
            .peekable();
        let is_damaged = |back: &Move| {
            let then = after.after(*back);
            let beside = |pawn: Square| pawn != prey && pawn.file() == prey.file();
            let is_open = !any(&then, color, Pawn, |pawn| pawn.file() == prey.file());
            let is_doubled = any(&then, rival, Pawn, beside);
            back.piece().kind() == Pawn && (is_doubled || is_weak(&then, rival, prey) && is_open)
        };
        matches!(kind_on(self.end, prey, rival), Some(Knight | Bishop))
            && !sees(self.start, m.from(), prey)
            && best(self.end, self.square) == 0
            && value_of(&next, taking) == 0
            && back.peek().is_some()
            && back.all(is_damaged)
    }

    pub(super) fn puts_on_bishop_colour(&self) -> bool {
        let (color, rival) = (self.color, !self.color);
        let [m] = self.line.moves() else {
            return false;
        };
        let bishops = men(self.end, color, Bishop);
        let &[bishop] = bishops.as_slice() else {
            return false;
        };
        let is_target = |&pawn: &Square| is_dark(pawn) == is_dark(bishop);
        let has_answer = men(self.end, rival, Bishop).iter().any(is_target);
        let targets = men(self.end, rival, Pawn)
            .iter()
            .filter(|pawn| is_target(pawn))
            .count();
        self.line.mover(0) == rival
            && m.piece().kind() == Pawn
            && !m.is_capture()
            && m.landing() == self.square
            && self.other == bishop
            && is_target(&m.landing())
            && !is_target(&m.from())
            && !has_answer
            && targets >= TARGETS
            && count(self.end) <= MIDDLEGAME
            && is_out_of_pawns_reach(self.end, color, self.square)
    }
}

/// The pawn of a player in a pawn ending, with only kings and pawns, that is passed and has no pawn of the other side within two
/// files, where the other side has no such pawn.
pub fn outside_passer(position: &Position, color: Color) -> Option<Square> {
    let outside = |color: Color| {
        let is_far = |pawn: Square| {
            !any(position, !color, Pawn, |other| {
                other.file().abs_diff(pawn.file()) <= 2
            })
        };
        men(position, color, Pawn)
            .into_iter()
            .find(|&pawn| is_passed(position, color, pawn) && is_far(pawn))
    };
    let has_rivals = !men(position, !color, Pawn).is_empty();
    let is_pawn_ending = crate::explain::endings::is_pawn_ending(position);
    outside(color).filter(|_| is_pawn_ending && has_rivals && outside(!color).is_none())
}
