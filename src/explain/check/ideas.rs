//! Confirms what a single quiet move is for: pawns and bishops that it sets free, squares and lines that it takes or leaves,
//! by the definitions in [`crate::explain::theme`].

use super::exchange::{best, can_go, first_two, kind_on, pushed, seen_from, sees, to_move};
use super::squares::{any, height, is_central, is_king_on_a_wing, king, men, pawns_attack, watchers, ways};
use super::themes::{Scene, count, is_opening, pins, steps};
use crate::board::{Color, Move, PieceType, Position, Square, attacks};
use crate::explain::theme::Theme;
use PieceType::{Bishop, King, Knight, Pawn, Queen, Rook};

/// A bishop that can go to no more squares is shut in …
const SHUT_IN: usize = 1;

/// … and one that can go to so many, or to so many more, is out.
const OUT: usize = 3;

/// With fewer men a rook has ways everywhere.
const ROOKS_ROAM: usize = 20;

/// By how many squares a rook's file has to become longer.
const LONGER: usize = 2;

impl Scene<'_> {
    pub(super) fn idea(&self, theme: Theme) -> bool {
        if theme == Theme::DiagonalToKing && self.line.len() == 3 {
            return self.second_pawn().is_some_and(|m| self.diagonal_to_king(m));
        }
        self.quiet_move().is_some_and(|m| match theme {
            Theme::ClearsPawn => self.clears_pawn(m),
            Theme::PreparesFianchetto => self.prepares_fianchetto(m),
            Theme::LetsOutBishop => self.lets_out_bishop(m),
            Theme::ClearsFile => self.clears_file(m),
            Theme::DiagonalToKing => self.diagonal_to_king(m),
            Theme::LeavesLine => self.leaves_line(m),
            Theme::KeepsFrom => self.keeps_from(m),
            Theme::RookLift => self.rook_lift(m),
            Theme::KeepsFile => self.keeps_file(m),
            _ => self.takes_square(m),
        })
    }

    /// The only move of the line, if it is the player's, takes nothing and does not castle.
    pub(super) fn quiet_move(&self) -> Option<Move> {
        let is_alone = self.line.len() == 1 && self.line.mover(0) == self.color;
        let m = self.line.at(0).filter(|_| is_alone)?;
        (!m.is_capture() && !m.is_castling()).then_some(m)
    }

    /// The second quiet pawn move of a player whose first pawn has been taken where it went.
    fn second_pawn(&self) -> Option<Move> {
        let is_push = |m: &Move| m.piece().kind() == Pawn && !m.is_capture();
        let &[first, _, next] = self.line.moves() else {
            return None;
        };
        let is_offered = self.line.mover(0) == self.color && self.line.is_taken(0);
        Some(next).filter(|next| is_offered && is_push(&first) && is_push(next))
    }

    /// Whether the piece on `square` is the one that has moved, of one of these kinds.
    pub(super) fn came(&self, m: Move, kinds: &[PieceType]) -> bool {
        m.landing() == self.square
            && kind_on(self.end, self.square, self.color).is_some_and(|kind| kinds.contains(&kind))
    }

    /// Whether the piece that has moved attacks a square that it did not attack before.
    pub(super) fn comes_to_attack(&self, m: Move, target: Square) -> bool {
        sees(self.end, self.square, target) && !sees(self.start, m.from(), target)
    }

    /// The player's man that the piece meets first towards a square, if that man attacks it.
    pub(super) fn behind_attacker(&self, target: Square) -> Option<PieceType> {
        let (first, _) = first_two(self.end, self.square, target)?;
        kind_on(self.end, first, self.color).filter(|_| sees(self.end, first, target))
    }

    pub(super) fn avoids_pin(&self) -> bool {
        let (color, from) = (self.color, self.other);
        let steps_back =
            |m: &Move| self.came(*m, &[Knight]) && height(color, self.square) < height(color, m.from());
        let Some((m, theirs)) = self.quiet_move().filter(steps_back).zip(self.start.passed()) else {
            return false;
        };
        let is_heavy = |behind| matches!(kind_on(&theirs, behind, color), Some(King | Queen));
        let pins_knight = |after: &Position| {
            let behind = first_two(after, from, m.from()).and_then(|(_, behind)| behind);
            pins(after, !color, from, m.from()) && behind.is_some_and(is_heavy) && best(after, from) == 0
        };
        let comes = |bishop: &Move| {
            bishop.piece().kind() == Bishop
                && bishop.landing() == from
                && !bishop.is_capture()
                && pins_knight(&theirs.after(*bishop))
        };
        let is_pinned_now = |bishop: &Move| {
            let pinned = |man| pins(&self.end.after(*bishop), !color, from, man);
            bishop.landing() == from && bishop.piece().kind() == Bishop && Square::all().any(pinned)
        };
        theirs.legal_moves().iter().any(comes) && !self.end.legal_moves().iter().any(is_pinned_now)
    }

    fn clears_pawn(&self, m: Move) -> bool {
        let (color, pawn, target) = (self.color, self.square, self.other);
        let steps = height(color, target) - height(color, pawn);
        let hits = |position: &Position| {
            let seen = seen_from(position, target);
            let mut prey = seen.iter().filter_map(|&prey| kind_on(position, prey, !color));
            prey.any(|kind| kind != King)
        };
        matches!(m.piece().kind(), Knight | Bishop | Queen)
            && kind_on(self.end, pawn, color) == Some(Pawn)
            && m.from().file() == pawn.file()
            && height(color, m.from()) == height(color, pawn) + 1
            && target.file() == pawn.file()
            && (1..=2).contains(&steps)
            && pushed(self.end, color, target).is_some_and(|after| {
                let strikes = hits(&after) || steps == 2 && matches!(target.file(), 2 | 5);
                strikes && best(&after, target) == 0
            })
    }

    fn prepares_fianchetto(&self, m: Move) -> bool {
        let color = self.color;
        let home =
            |bishop: &Square| height(color, *bishop) == 1 && bishop.file().abs_diff(self.square.file()) == 1;
        is_opening(self.start)
            && self.came(m, &[Pawn])
            && matches!(self.square.file(), 1 | 6)
            && height(color, self.square) == 3
            && self.other == m.from()
            && height(color, self.other) == 2
            && men(self.end, color, Bishop)
                .iter()
                .any(|bishop| home(bishop) && matches!(bishop.file(), 2 | 5))
    }

    fn lets_out_bishop(&self, m: Move) -> bool {
        let [before, after] = [self.start, self.end].map(|position| ways(position, self.other, self.color));
        m.landing() == self.square
            && self.other != self.square
            && kind_on(self.end, self.other, self.color) == Some(Bishop)
            && (before <= SHUT_IN && after >= OUT || after >= before + OUT)
    }

    fn diagonal_to_king(&self, m: Move) -> bool {
        let rival = king(self.end, !self.color);
        let seen = |position: &Position| seen_from(position, self.other);
        let aims = |position: &Position| seen(position).iter().any(|&to| steps(to, rival) <= 1);
        m.landing() == self.square
            && self.other != self.square
            && kind_on(self.end, self.other, self.color) == Some(Bishop)
            && is_king_on_a_wing(self.end, !self.color)
            && seen(self.end).len() >= seen(self.start).len() + OUT
            && aims(self.end)
            && !aims(self.start)
    }

    fn clears_file(&self, m: Move) -> bool {
        let seen = |position: &Position| {
            let seen = seen_from(position, self.other);
            seen.iter().filter(|to| to.file() == m.from().file()).count()
        };
        self.came(m, &[Knight, Bishop, Queen])
            && kind_on(self.end, self.other, self.color) == Some(Rook)
            && self.other.file() == m.from().file()
            && self.square.file() != m.from().file()
            && seen(self.end) >= seen(self.start) + LONGER
    }

    fn leaves_line(&self, m: Move) -> bool {
        let slider = self.other;
        let kind = kind_on(self.end, slider, !self.color);
        let aims = |position: &Position, king: Square| {
            // at the king itself, or at one man before it
            first_two(position, slider, king)
                .is_some_and(|(first, second)| first == king || second == Some(king))
        };
        self.came(m, &[King])
            && matches!(kind, Some(Bishop | Rook | Queen))
            && !self.start.in_check()
            && aims(self.start, m.from())
            && !aims(self.end, self.square)
    }

    fn takes_square(&self, m: Move) -> bool {
        let (color, target) = (self.color, self.other);
        self.came(m, &[Pawn])
            && height(color, target) >= 5
            && self.end.piece_on(target).is_none()
            && sees(self.end, self.square, target)
            && !pawns_attack(self.start, color, target)
            && can_go(self.start, !color, &[Knight, Bishop], target)
            && best(self.end, self.square) == 0
    }

    fn keeps_from(&self, m: Move) -> bool {
        let (color, target) = (self.color, self.other);
        // a queen behind a bishop takes after it
        let takes_there = || {
            let behind = self.behind_attacker(target);
            sees(self.end, self.square, target) || behind.is_some_and(|kind| kind != Pawn)
        };
        if m.landing() != self.square || !takes_there() {
            return false;
        }
        !barred(self.start, self.end, color, target).is_empty()
    }

    fn keeps_file(&self, m: Move) -> bool {
        let on_file = |square: Square| square.file() == m.from().file();
        self.came(m, &[Rook])
            && on_file(self.square)
            && watchers(self.start, !self.color, m.from()) > 0
            && !self.end.of_kind(Pawn).into_iter().any(on_file)
            && best(self.end, self.square) == 0
    }

    fn rook_lift(&self, m: Move) -> bool {
        let color = self.color;
        let rival = men(self.end, !color, King)[0];
        let near = |square: &Square| {
            square.rank() == self.square.rank()
                && square.file().abs_diff(rival.file()) <= 2
                && self
                    .end
                    .piece_on(*square)
                    .is_none_or(|piece| piece.color() != color)
        };
        let seen = seen_from(self.end, self.square);
        let on_file = |pawn: Square| pawn.file() == self.square.file();
        let aims = |kind| {
            any(self.end, color, kind, |from| {
                seen_from(self.end, from)
                    .into_iter()
                    .any(|to| steps(to, rival) == 1)
            })
        };
        self.came(m, &[Rook])
            && self.other == rival
            && height(color, m.from()) <= 2
            && matches!(height(color, self.square), 3 | 4)
            && (any(self.end, color, Pawn, on_file)
                || height(!color, rival) <= 2 && [Bishop, Queen].into_iter().any(aims))
            && seen.iter().filter(|square| near(square)).count() >= 2
    }

    pub(super) fn releases_tension(&self) -> bool {
        let (rival, target) = (!self.color, self.other);
        let Some(m) = self.line.at(0) else {
            return false;
        };
        self.line.len() == 1
            && self.line.mover(0) == rival
            && !m.is_capture()
            && m.landing() == self.square
            && kind_on(self.end, self.square, rival) == Some(Pawn)
            && kind_on(self.end, target, self.color) == Some(Pawn)
            && kind_on(self.start, target, self.color) == Some(Pawn)
            && sees(self.start, m.from(), target)
            && !pawns_attack(self.end, rival, target)
    }

    pub(super) fn reroutes(&self) -> bool {
        let moves = self.line.moves();
        let own: Vec<Move> = moves.iter().copied().step_by(2).collect();
        let (Some(first), Some(last)) = (own.first(), own.last()) else {
            return false;
        };
        let at_once = |m: &Move| m.from() == first.from() && m.landing() == self.square;
        let mut walked = first.from();
        let walks = own.iter().all(|m| {
            // between its moves another man may move
            let goes_on = m.from() == walked;
            if goes_on {
                walked = m.landing();
            }
            goes_on && !m.is_capture() || !goes_on && m.landing() != walked
        });
        self.line.mover(0) == self.color
            && matches!(moves.len(), 3 | 5)
            && self.may_reroute(*first)
            && last.landing() == self.square
            && walked == self.square
            && self.square != first.from()
            && walks
            && !self.is_driven()
            && !self.start.legal_moves().iter().any(at_once)
            && best(self.end, self.square) == 0
    }

    /// Whether what makes the first move is a piece of which its way is told: of a rook early, by a rank and a file.
    fn may_reroute(&self, first: Move) -> bool {
        let turns = first.from().file() != self.square.file() && first.from().rank() != self.square.rank();
        match first.piece().kind() {
            Knight | Bishop => true,
            Rook => turns && self.line.len() == 3 && count(self.start) >= ROOKS_ROAM,
            _ => false,
        }
    }

    /// Whether the mover moves on a man that the answer before has attacked and would win.
    fn is_driven(&self) -> bool {
        let moves = self.line.moves();
        (2..moves.len()).step_by(2).any(|ply| {
            let (before, from) = (self.line.before(ply), moves[ply].from());
            sees(before, moves[ply - 1].landing(), from)
                && to_move(before, !self.color).is_some_and(|theirs| best(&theirs, from) > 0)
        })
    }
}

/// Where the other side's men stand that could have gone to a square at first, and would be lost there in the end.
fn barred(start: &Position, end: &Position, color: Color, target: Square) -> Vec<Square> {
    let may_castle = start.castling().any(color);
    let goes = |position: &Position| {
        to_move(position, !color).map_or_else(Vec::new, |theirs| wishes(&theirs, target, may_castle))
    };
    let [before, after] = [start, end].map(goes);
    let safe = before
        .into_iter()
        .filter(|&(_, lost)| !lost)
        .map(|(from, _)| from);
    safe.filter(|&from| after.contains(&(from, true))).collect()
}

/// The man that a move keeps from a square, where it is a single one; with a pawn comes the knight, bishop, rook or queen that
/// it would have attacked there.
pub fn kept_from(
    start: &Position,
    end: &Position,
    color: Color,
    target: Square,
) -> Option<(Square, Option<Square>)> {
    let barred = barred(start, end, color, target);
    let [man] = barred[..] else {
        return None;
    };
    if kind_on(start, man, !color) != Some(Pawn) {
        return Some((man, None));
    }
    Some((man, Some(hit_by_a_pawn(end, color, target)?)))
}

/// A piece of the player that a pawn of the other side would attack from a square.
pub fn hit_by_a_pawn(position: &Position, color: Color, target: Square) -> Option<Square> {
    let is_piece = |prey: &Square| {
        let kind = kind_on(position, *prey, color);
        kind.is_some_and(|kind| !matches!(kind, Pawn | King))
    };
    attacks::pawn(!color, target).into_iter().find(is_piece)
}

/// What a knight or bishop could go to a square for.
pub struct Visit {
    /// Where it stands.
    pub visitor: Square,
    /// What it would pin or attack.
    pub prey: Square,
    /// Whether it would pin that.
    pub pins: bool,
    /// Where a knight stands that could go there, too, and the pawn that it would attack, as in [`raid`].
    pub raid: Option<(Square, Square)>,
}

/// A knight or bishop of the other side that could go to a square, taking nothing, where it would not be lost and would pin
/// a piece of the player or attack its bishop, rook or queen, or a pawn as in [`raid`]; a pin comes first.
pub fn visit(start: &Position, color: Color, target: Square) -> Option<Visit> {
    let theirs = to_move(start, !color)?;
    let comes =
        |m: &Move| matches!(m.piece().kind(), Knight | Bishop) && m.landing() == target && !m.is_capture();
    let raid = raid(&theirs, color, target);
    let mut attack = raid.map(|(visitor, prey)| Visit {
        visitor,
        prey,
        pins: false,
        raid: None,
    });
    for m in theirs.legal_moves().into_iter().filter(comes) {
        let after = theirs.after(m);
        if best(&after, target) > 0 {
            continue;
        }
        for prey in after.of_color(color) {
            let pins = pins(&after, !color, target, prey);
            let found = Visit {
                visitor: m.from(),
                prey,
                pins,
                raid: raid.filter(|&(visitor, _)| pins && visitor != m.from()),
            };
            if pins {
                return Some(found);
            }
            let is_piece = matches!(kind_on(&after, prey, color), Some(Bishop | Rook | Queen));
            if is_piece && sees(&after, target, prey) {
                attack.get_or_insert(found);
            }
        }
    }
    attack
}

/// Where a knight of the side to move stands that could go to a square, taking nothing, where it would not be lost and would
/// attack a pawn beside the player's king which another of its men attacks; with that pawn.
fn raid(theirs: &Position, color: Color, target: Square) -> Option<(Square, Square)> {
    let moves = theirs.legal_moves().into_iter();
    let mut comes = moves.filter(|m| m.piece().kind() == Knight && m.landing() == target && !m.is_capture());
    comes.find_map(|m| {
        let after = theirs.after(m);
        let king = after.king(color);
        let is_hit = |&pawn: &Square| {
            kind_on(&after, pawn, color) == Some(Pawn)
                && sees(&after, target, pawn)
                && watchers(&after, !color, pawn) > 1
        };
        let pawn = seen_from(&after, king).into_iter().find(is_hit)?;
        (best(&after, target) == 0).then_some((m.from(), pawn))
    })
}

/// Where the men of the side to move stand that would go to a square, taking nothing: pawns to the centre or to attack
/// something there, knights and bishops; each with whether it would be lost.
fn wishes(position: &Position, target: Square, may_castle: bool) -> Vec<(Square, bool)> {
    let us = position.side_to_move();
    let moves = position.legal_moves().into_iter();
    let wants = |m: &Move, after: &Position| match m.piece().kind() {
        Pawn => {
            let mut prey = seen_from(after, target).into_iter();
            is_central(target) || prey.any(|prey| kind_on(after, prey, !us).is_some())
        }
        Queen => after.in_check() && may_castle,
        kind => matches!(kind, Knight | Bishop),
    };
    moves
        .filter(|m| m.landing() == target && !m.is_capture() && m.promoted().is_none())
        .map(|m| (m, position.after(m)))
        .filter(|(m, after)| wants(m, after))
        .map(|(m, after)| (m.from(), best(&after, target) > 0))
        .collect()
}
