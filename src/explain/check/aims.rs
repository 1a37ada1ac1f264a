//! Confirms what a single quiet move aims at next, by the definitions in [`crate::explain::theme`].

use super::exchange::{
    best, can_go, first_two, is_between, kind_on, pushed, seen_from, sees, to_move, worth_on,
};
use super::squares::{
    any, height, is_bad_bishop, is_before, is_central, is_king_on_a_wing, is_out_of_pawns_reach, is_outside,
    is_weak, king, men, pawn_before, pawns_attack, watchers,
};
use super::themes::{Scene, any_pawn, is_ending, is_opening, pins};
use crate::board::{Color, Move, PieceType, Position, Square, Wing};
use crate::explain::theme::Theme;
use PieceType::{Bishop, King, Knight, Pawn, Queen, Rook};

/// The rank of the middle of the board, as a player counts.
const MIDDLE: i32 = 4;

/// A bishop's way back is cut off if it could go to so many squares …
const WAYS_BACK: usize = 3;

/// … and can go to no more than these.
const LEFT: usize = 1;

/// So many own pawns that are blocked on a bishop's colour make it a bad one, and so many squares of the other half, seen
/// for the first time, an active one.
const TWO: usize = 2;

impl Scene<'_> {
    /// What a quiet move, the only one of the line, aims at.
    pub(super) fn aim(&self, theme: Theme) -> bool {
        self.quiet_move().is_some_and(|m| match theme {
            Theme::AttackOnPinned => self.attack_on_pinned(m),
            Theme::Undermines => self.undermines(m),
            Theme::HiddenAttack => self.hidden_attack(m),
            Theme::ShutsOff => self.shuts_off(m),
            Theme::ClearsCastling => self.clears_castling(),
            Theme::HitsGuard => self.hits_guard(m),
            Theme::BishopOut => self.bishop_out(m),
            Theme::AvoidsPawnEnding => self.avoids_pawn_ending(m),
            Theme::Shields => self.shields(m),
            Theme::ClosesLines => self.closes_lines(m),
            Theme::BarsPawn => self.bars_pawn(m),
            Theme::BarsKing => self.bars_king(m),
            Theme::TargetsWeakPawn => self.targets_weak_pawn(m),
            Theme::PinsPawn => self.pins_pawn(m),
            Theme::OpensAgainstKing => self.opens_against_king(m),
            Theme::ClosesFile => self.closes_file(m),
            Theme::StormsClosedCentre => self.storms_closed_centre(m),
            Theme::GoesForHook => self.goes_for_hook(m),
            Theme::CutsOffGuard => self.cuts_off_guard(m),
            _ => self.kicks(m),
        })
    }

    fn attack_on_pinned(&self, m: Move) -> bool {
        let (color, target, pinned) = (self.color, self.square, self.other);
        let joins = |ours: Position| {
            let comes = |next: &Move| {
                next.landing() == target && !next.is_capture() && matches!(next.piece().kind(), Pawn | Knight)
            };
            ours.legal_moves().into_iter().filter(comes).any(|next| {
                let after = ours.after(next);
                !sees(&ours, next.from(), pinned) && sees(&after, target, pinned) && best(&after, target) == 0
            })
        };
        matches!(kind_on(self.end, pinned, !color), Some(Knight | Bishop))
            && pins(self.end, color, m.landing(), pinned)
            && !pins(self.start, color, m.from(), pinned)
            && !pawns_attack(self.end, !color, target)
            && to_move(self.end, color).is_some_and(joins)
    }

    fn undermines(&self, m: Move) -> bool {
        let guard = self.other;
        self.came(m, &[Pawn])
            && kind_on(self.end, guard, !self.color) == Some(Pawn)
            && self.comes_to_attack(m, guard)
            && propped_up(self.end, self.square, guard).is_some()
    }

    fn hidden_attack(&self, m: Move) -> bool {
        let (color, prey) = (self.color, self.other);
        let looks_through = |position: &Position, from: Square| {
            let met = first_two(position, from, prey);
            met.is_some_and(|(first, second)| {
                second == Some(prey)
                    && matches!(kind_on(position, first, color), Some(Knight | Bishop | Rook))
            })
        };
        self.came(m, &[Bishop, Rook, Queen])
            && matches!(kind_on(self.end, prey, !color), Some(Rook | Queen | King))
            && (worth_on(self.end, prey) > worth_on(self.end, self.square)
                || kind_on(self.end, prey, !color) == Some(King))
            && looks_through(self.end, self.square)
            && !looks_through(self.start, m.from())
            && best(self.end, self.square) == 0
    }

    fn shuts_off(&self, m: Move) -> bool {
        let (rival, bishop) = (!self.color, self.other);
        let ways = |position: &Position| {
            let theirs = to_move(position, rival)?;
            let moves = theirs.legal_moves().into_iter();
            let safe = moves.filter(|m| {
                m.from() == bishop && !m.is_capture() && best(&theirs.after(*m), m.landing()) == 0
            });
            Some(safe.count())
        };
        self.came(m, &[Pawn])
            && kind_on(self.end, bishop, rival) == Some(Bishop)
            && height(rival, bishop) > height(rival, self.square).max(2)
            && sees(self.start, bishop, self.square)
            && ways(self.start).is_some_and(|ways| ways >= WAYS_BACK)
            && ways(self.end).is_some_and(|ways| ways <= LEFT)
    }

    fn clears_castling(&self) -> bool {
        let (color, rook) = (self.color, self.square);
        let wing = if rook.file() == 7 { Wing::King } else { Wing::Queen };
        let is_free = |position: &Position| {
            let king = king(position, color);
            let mut between = Square::all().filter(|&square| is_between(square, king, rook));
            between.all(|square| position.piece_on(square).is_none())
        };
        is_opening(self.start)
            && matches!(rook.file(), 0 | 7)
            && height(color, rook) == 1
            && kind_on(self.end, rook, color) == Some(Rook)
            && self.end.castling().has(color, wing)
            && !is_free(self.start)
            && is_free(self.end)
    }

    fn hits_guard(&self, m: Move) -> bool {
        let (color, target) = (self.color, self.other);
        let guards = |knight: Square| {
            sees(self.end, self.square, knight)
                && !sees(self.start, m.from(), knight)
                && sees(self.end, knight, target)
        };
        let is_pawn = self.end.piece_on(target).is_some_and(|man| man.kind() == Pawn);
        self.came(m, &[Bishop])
            && is_central(target)
            && height(color, target) == 5
            && !is_pawn
            && is_out_of_pawns_reach(self.end, !color, target)
            && any(self.end, !color, Knight, guards)
            && can_go(self.end, color, &[Knight], target)
            && best(self.end, self.square) == 0
    }

    fn bishop_out(&self, m: Move) -> bool {
        let color = self.color;
        let beyond = |position: &Position, from: Square| {
            let seen = seen_from(position, from).into_iter();
            seen.filter(|&to| height(color, to) >= 5).count()
        };
        self.came(m, &[Bishop])
            && is_bad_bishop(self.end, color, self.square)
            && beyond(self.start, m.from()) == 0
            && beyond(self.end, self.square) >= TWO
            && best(self.end, self.square) == 0
    }

    fn avoids_pawn_ending(&self, m: Move) -> bool {
        let (color, other) = (self.color, self.other);
        let kind = kind_on(self.end, self.square, color);
        let is_left = |kind| {
            any(self.end, color, kind, |square| square != self.square)
                || any(self.end, !color, kind, |square| square != other)
        };
        self.came(m, &[Knight, Bishop, Rook, Queen])
            && kind_on(self.end, other, !color) == kind
            && ![Knight, Bishop, Rook, Queen].into_iter().any(is_left)
            && any_pawn(self.end)
            && sees(self.start, m.from(), other)
            && sees(self.start, other, m.from())
            && watchers(self.start, !color, other) > 0
            && !sees(self.end, other, self.square)
    }

    fn shields(&self, m: Move) -> bool {
        let (color, man) = (self.color, self.other);
        self.came(m, &[Pawn, Knight, Bishop, Rook])
            && man != self.square
            && kind_on(self.start, man, color).is_some_and(|kind| kind != King)
            && kind_on(self.end, man, color).is_some()
            && watchers(self.start, color, man) <= watchers(self.start, !color, man)
            && !pawns_attack(self.start, color, man)
            && watchers(self.end, !color, man) == 0
            && self.cuts_off(man)
            && best(self.end, self.square) == 0
    }

    /// Whether a man comes between a bishop, rook or queen of the other side and a square that it saw.
    fn cuts_off(&self, target: Square) -> bool {
        Square::all().any(|slider| {
            matches!(
                kind_on(self.end, slider, !self.color),
                Some(Bishop | Rook | Queen)
            ) && is_between(self.square, slider, target)
                && sees(self.start, slider, target)
                && !sees(self.end, slider, target)
        })
    }

    fn closes_lines(&self, m: Move) -> bool {
        let (color, rival) = (self.color, !self.color);
        let near = |square: Square| square.file().abs_diff(self.other.file()) <= 1;
        let attacked = |pawn: Square| sees(self.start, pawn, m.from()) && (near(pawn) || near(m.from()));
        let heavy = |kind| any(self.end, rival, kind, |_| true);
        let is_apart = seen_from(self.end, self.square)
            .into_iter()
            .all(|target| kind_on(self.end, target, rival) != Some(Pawn));
        self.came(m, &[Pawn])
            && self.other == king(self.end, color)
            && is_outside(self.other)
            && any(self.start, rival, Pawn, attacked)
            && !pawns_attack(self.end, rival, self.square)
            && is_apart
            && (heavy(Rook) || heavy(Queen))
    }

    fn bars_pawn(&self, m: Move) -> bool {
        let (color, rival, pawn) = (self.color, !self.color, self.other);
        let hits = |after: Position| {
            let mut prey = seen_from(&after, self.square).into_iter();
            let is_man = |prey| kind_on(&after, prey, color).is_some_and(|kind| kind != King);
            (is_central(self.square) || prey.any(is_man)) && best(&after, self.square) == 0
        };
        self.came(m, &[Pawn])
            && kind_on(self.end, pawn, rival) == Some(Pawn)
            && is_before(rival, pawn, self.square)
            && pushed(self.start, rival, self.square).is_some_and(hits)
    }

    fn bars_king(&self, m: Move) -> bool {
        let (rival, target) = (!self.color, self.other);
        let from = king(self.start, rival);
        is_ending(self.end)
            && self.came(m, &[Pawn, King])
            && self.end.piece_on(target).is_none()
            && self.comes_to_attack(m, target)
            && height(rival, target) >= height(rival, from)
            && (can_go(self.start, rival, &[King], target) || self.king_gets_to(target, m))
            && best(self.end, self.square) == 0
    }

    /// Whether the other king could have come to a square beyond the middle of the board with two moves, of which the player's
    /// king holds it off.
    fn king_gets_to(&self, target: Square, m: Move) -> bool {
        let rival = !self.color;
        let Some(theirs) = to_move(self.start, rival).filter(|_| m.piece().kind() == King) else {
            return false;
        };
        let steps = theirs.legal_moves().into_iter();
        let mut steps = steps.filter(|step| step.piece().kind() == King && !step.is_capture());
        height(rival, target) > MIDDLE
            && steps.any(|step| can_go(&theirs.after(step), rival, &[King], target))
    }

    fn targets_weak_pawn(&self, m: Move) -> bool {
        self.came(m, &[Knight, Bishop, Rook, Queen])
            && is_weak(self.end, !self.color, self.other)
            && self.comes_to_attack(m, self.other)
            && best(self.end, self.square) == 0
    }

    fn pins_pawn(&self, m: Move) -> bool {
        let (rival, pawn) = (!self.color, self.other);
        let behind = king(self.end, rival);
        let pins = |position: &Position, from: Square| {
            first_two(position, from, pawn) == Some((pawn, Some(behind))) && from.file() != pawn.file()
        };
        self.came(m, &[Bishop, Rook, Queen])
            && kind_on(self.end, pawn, rival) == Some(Pawn)
            && pins(self.end, self.square)
            && !pins(self.start, m.from())
            && best(self.end, self.square) == 0
    }

    fn opens_against_king(&self, m: Move) -> bool {
        let (color, rival, file) = (self.color, !self.color, self.square.file());
        let strikes = |pawn: Square| self.comes_to_attack(m, pawn);
        let is_alone = men(self.end, color, Pawn)
            .into_iter()
            .all(|pawn| pawn == self.square || pawn.file() != file);
        let stands_behind = |heavy: Square| {
            heavy.file() == file
                && height(color, heavy) < height(color, self.square)
                && sees(self.end, heavy, self.square)
        };
        self.came(m, &[Pawn])
            && any(self.end, rival, Pawn, strikes)
            && is_alone
            && [Rook, Queen]
                .into_iter()
                .any(|kind| any(self.end, color, kind, stands_behind))
            && self.other == king(self.end, rival)
            && is_king_on_a_wing(self.end, rival)
            && self.other.file().abs_diff(file) <= 1
    }

    fn storms_closed_centre(&self, m: Move) -> bool {
        let (color, rival, target) = (self.color, !self.color, self.other);
        let is_locked = |file: u8| {
            any(self.end, color, Pawn, |pawn| {
                pawn.file() == file && pawn_before(self.end, color, pawn) == Some(rival)
            })
        };
        let wing = if target.file() < 4 { 0..=2 } else { 5..=7 };
        self.came(m, &[Pawn])
            && target == king(self.end, rival)
            && is_king_on_a_wing(self.end, rival)
            && wing.contains(&self.square.file())
            && matches!(height(color, self.square), 4 | 5)
            && [3, 4].into_iter().all(is_locked)
            && best(self.end, self.square) == 0
    }

    fn goes_for_hook(&self, m: Move) -> bool {
        let (color, rival, hook) = (self.color, !self.color, self.other);
        let lair = king(self.end, rival);
        let is_free = |square: Square| self.end.piece_on(square).is_none();
        let mut ahead = Square::all().filter(|&square| is_before(color, self.square, square));
        self.came(m, &[Pawn])
            && height(color, self.square) == 4
            && ahead.all(is_free)
            && kind_on(self.end, hook, rival) == Some(Pawn)
            && height(rival, hook) == 3
            && hook.file().abs_diff(self.square.file()) == 1
            && hook.file().abs_diff(lair.file()) <= 1
            && is_king_on_a_wing(self.end, rival)
            && !men(self.end, color, Queen).is_empty()
            && best(self.end, self.square) == 0
    }

    fn cuts_off_guard(&self, m: Move) -> bool {
        let (color, rival, target) = (self.color, !self.color, self.other);
        let wins = |position: &Position| to_move(position, color).map(|ours| best(&ours, target) > 0);
        m.landing() == self.square
            && kind_on(self.end, target, rival).is_some_and(|kind| kind != King)
            && self.cuts_off(target)
            && wins(self.start) == Some(false)
            && wins(self.end) == Some(true)
    }

    fn closes_file(&self, m: Move) -> bool {
        let (color, theirs) = (self.color, self.other);
        let is_heavy = |kind: Option<PieceType>| matches!(kind, Some(Rook | Queen));
        let faced = |own: &Square| {
            is_heavy(kind_on(self.start, *own, color))
                && own.file() == theirs.file()
                && sees(self.start, *own, theirs)
                && is_between(self.square, *own, theirs)
        };
        let own = Square::all().find(faced);
        self.came(m, &[Knight, Bishop])
            && is_heavy(kind_on(self.end, theirs, !color))
            && own.is_some_and(|own| any(self.end, color, Rook, |rook| rook != own))
            && best(self.end, self.square) == 0
    }

    fn kicks(&self, m: Move) -> bool {
        self.pawn_hits(self.start, m)
    }

    /// Whether the move that ends the line, made in this position, brings a pawn to attack a piece that it did not attack.
    fn pawn_hits(&self, before: &Position, m: Move) -> bool {
        self.came(m, &[Pawn])
            && kind_on(self.end, self.other, !self.color).is_some_and(|kind| !matches!(kind, Pawn | King))
            && sees(self.end, self.square, self.other)
            && !sees(before, m.from(), self.other)
    }

    pub(super) fn drives_back(&self) -> bool {
        let ply = self.line.len() - 1;
        let Some(m) = self.line.at(ply).filter(|m| !m.is_capture()) else {
            return false;
        };
        ply <= 1
            && self.line.mover(ply) == self.color
            && self.pawn_hits(self.line.before(ply), m)
            && !self.end.in_check()
            && refuge(self.end, self.other).is_some_and(|refuge| {
                let height = |square| height(!self.color, square);
                let is_edge = matches!(refuge.file(), 0 | 7) || matches!(refuge.rank(), 0 | 7);
                is_edge || height(refuge) < height(self.other)
            })
    }
}

/// The square that is left to a piece of the side to move, if there is just one where it is not lost and nothing to take.
pub fn refuge(position: &Position, prey: Square) -> Option<Square> {
    let legal = position.legal_moves().into_iter().filter(|m| m.from() == prey);
    let mut safe = legal.filter(|&m| m.is_capture() || best(&position.after(m), m.landing()) == 0);
    let only = safe.next().filter(|m| !m.is_capture())?;
    safe.next().is_none().then(|| only.landing())
}

/// The man of the other side that the pawn on `guard`, which the pawn on `square` attacks, alone of its pawns guards, and
/// that a man of the player attacks; the one of most worth.
pub fn propped_up(position: &Position, square: Square, guard: Square) -> Option<Square> {
    let color = position.piece_on(square)?.color();
    let by_pawns = |prey: Square| {
        let pawns = men(position, !color, Pawn).into_iter();
        pawns
            .filter(|&pawn| sees(position, pawn, prey))
            .collect::<Vec<Square>>()
    };
    Square::all()
        .filter(|&prey| kind_on(position, prey, !color).is_some_and(|kind| kind != King))
        .filter(|&prey| by_pawns(prey) == [guard] && watchers(position, color, prey) > 0)
        .max_by_key(|&prey| worth_on(position, prey))
}

/// Whether a pawn of the other side stands before its king, on the king's file or beside it, and the player's king is away from
/// there and its queen on the board: to strike at that pawn opens lines to the king.
pub fn opens_to_king(position: &Position, color: Color, pawn: Square) -> bool {
    let [own, theirs] = [color, !color].map(|side| king(position, side));
    theirs.file().abs_diff(pawn.file()) <= 1
        && own.file().abs_diff(theirs.file()) >= 2
        && height(!color, theirs) <= 2
        && matches!(height(!color, pawn), 2 | 3)
        && !men(position, color, Queen).is_empty()
}
