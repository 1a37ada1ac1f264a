//! Confirms what a quiet move or a trade is meant for: pawns that are held up, the bishop or the guard that is to come off, a
//! piece that will be driven away, by the definitions in [`crate::explain::theme`].

use super::exchange::{best, is_between, kind_on, pushed, seen_from, sees, worth};
use super::squares::{any, height, is_before, is_dark, is_passed, king, men, pawns_attack};
use super::themes::{Scene, any_pawn, count, is_ending, steps};
use super::trades::has_too_little;
use crate::board::{Color, Move, PieceType, Position, Square};
use crate::explain::theme::Theme;
use PieceType::{Bishop, King, Knight, Pawn, Queen, Rook};

/// What is left to be taken is worth so much more, in centipawns, than what the move takes.
const GIVEN: i32 = 200;

impl Scene<'_> {
    /// The purpose of a quiet move, the only one of the line.
    pub(super) fn purpose(&self, theme: Theme) -> bool {
        self.quiet_move().is_some_and(|m| match theme {
            Theme::HoldsUp => self.holds_up(m),
            Theme::HoldsTwo => self.holds_two(m),
            Theme::PreparesKick => self.goes_on_to_attack(m, &[Knight, Bishop, Rook, Queen]),
            Theme::PreparesLever => self.goes_on_to_attack(m, &[Pawn]),
            Theme::PreparesFork => self.goes_on_to_fork(m),
            Theme::AvoidsDoubling => self.avoids_doubling(m),
            Theme::AwaitsOpposition => self.awaits_opposition(m),
            Theme::OffersPiece => {
                self.came(m, &[Knight, Bishop, Rook, Queen]) && best(self.end, self.square) > 0
            }
            _ => self.safe_corner(m),
        })
    }

    pub(super) fn leaves_piece(&self) -> bool {
        let is_plain = |m: &Move| !m.is_castling() && m.promoted().is_none();
        let is_alone = self.line.len() == 1 && self.line.mover(0) == self.color;
        let Some(m) = self.line.at(0).filter(|m| is_alone && is_plain(m)) else {
            return false;
        };
        let taken = kind_on(self.start, m.to(), !self.color).map_or(0, worth);
        let is_more =
            |kind: PieceType| taken == 0 && !m.is_capture() || taken > 0 && taken + GIVEN <= worth(kind);
        let left = kind_on(self.end, self.other, self.color);
        let was_loose = |passed: Position| best(&passed, self.other) > 0;
        m.landing() == self.square
            && self.other != self.square
            && left.is_some_and(|kind| matches!(kind, Knight | Bishop | Rook | Queen) && is_more(kind))
            && best(self.end, self.other) > 0
            && self.start.passed().is_some_and(was_loose)
    }

    pub(super) fn half_opens_file(&self) -> bool {
        let (color, moves) = (self.color, self.line.moves());
        let &[taking, back] = moves else {
            return false;
        };
        let takes = |ply: usize| {
            let m = moves[ply];
            m.piece().kind() == Pawn
                && m.landing() == self.square
                && kind_on(self.line.before(ply), self.square, !self.line.mover(ply)) == Some(Pawn)
        };
        let left = |pawn: &Square| pawn.file() == taking.from().file();
        self.line.mover(0) == color
            && takes(0)
            && takes(1)
            && back.promoted().is_none()
            && left(&self.other)
            && kind_on(self.end, self.other, !color) == Some(Pawn)
            && !men(self.end, color, Pawn).iter().any(left)
            && !men(self.end, color, Rook).is_empty()
    }

    pub(super) fn keeps_guard(&self) -> bool {
        let (color, ward) = (self.color, self.other);
        let [m] = self.line.moves() else {
            return false;
        };
        let is_piece = matches!(
            kind_on(self.end, ward, color),
            Some(Knight | Bishop | Rook | Queen)
        );
        let loses_it = |other: &Move| {
            let after = self.start.after(*other);
            kind_on(&after, ward, color).is_some() && other.landing() != ward && best(&after, ward) > 0
        };
        let moves = self.start.legal_moves();
        let mut others = moves.iter().filter(|other| *other != m).peekable();
        self.line.mover(0) == color
            && self.start.in_check()
            && !m.is_capture()
            && m.landing() == self.square
            && is_piece
            && seen_from(self.end, self.square).contains(&ward)
            && best(self.end, ward) == 0
            && others.peek().is_some()
            && others.all(loses_it)
    }

    pub(super) fn takes_last_pawn(&self) -> bool {
        let rival = !self.color;
        let takes = |m: &Move| m.is_capture() && m.landing() == self.square;
        let last = self.line.len() - 1;
        last < 2
            && self.line.mover(last) == self.color
            && self.line.moves().last().is_some_and(takes)
            && kind_on(self.line.before(last), self.square, rival) == Some(Pawn)
            && has_too_little(self.end, rival)
    }

    pub(super) fn windmill(&self) -> bool {
        let (line, slider) = (self.line, self.square);
        let attacks_king =
            |position: &Position| sees(position, slider, king(position, !self.color)) && position.in_check();
        let is_slider = matches!(kind_on(self.end, slider, self.color), Some(Bishop | Rook | Queen));
        // where the piece that leaves the line stands, with how often it has done so and whether it has taken something
        let mut mill: Option<(Square, usize, bool)> = None;
        for ply in (0..line.len()).filter(|&ply| line.mover(ply) == self.color) {
            let m = line.moves()[ply];
            let uncovers = m.from() != slider
                && attacks_king(line.after(ply))
                && is_between(m.from(), slider, king(line.after(ply), !self.color));
            mill = match mill {
                Some((at, times, takes)) if m.from() == at => Some((
                    m.landing(),
                    times + usize::from(uncovers),
                    takes || uncovers && m.is_capture(),
                )),
                None if uncovers => Some((m.landing(), 1, m.is_capture())),
                other => other,
            };
        }
        is_slider && mill.is_some_and(|(_, times, takes)| times > 1 && takes)
    }

    pub(super) fn two_for_rook(&self) -> bool {
        let (color, line) = (self.color, self.line);
        let count = |position, owner, kinds: &[PieceType]| -> i32 {
            let men = kinds.iter().map(|&kind| men(position, owner, kind).len() as i32);
            men.sum()
        };
        let kinds: [&[PieceType]; 3] = [&[Queen], &[Rook], &[Knight, Bishop]];
        let lost = |owner| kinds.map(|kinds| count(self.start, owner, kinds) - count(self.end, owner, kinds));
        let takes = |m: &Move| m.is_capture() && m.landing() == self.square;
        line.len() <= 6
            && line.mover(line.len() - 1) == color
            && line.moves().last().is_some_and(takes)
            && lost(color) == [0, 1, 0]
            && lost(!color) == [0, 0, 2]
    }

    fn holds_up(&self, m: Move) -> bool {
        let (color, target) = (self.color, self.other);
        let is_beside =
            target.rank() == self.square.rank() && target.file().abs_diff(self.square.file()) == 1;
        // only a double step can be taken in passing
        let in_passing = |after: &Position| {
            let mut captures = after.legal_moves().into_iter();
            captures.any(|m| m.is_en_passant() && m.from() == self.square)
        };
        self.came(m, &[Pawn])
            && is_beside
            && pushed(self.start, !color, target).is_some_and(|after| best(&after, target) == 0)
            && pushed(self.end, !color, target).is_some_and(|after| in_passing(&after))
    }

    fn holds_two(&self, m: Move) -> bool {
        let (color, other) = (self.color, self.other);
        let rivals = men(self.end, !color, Pawn);
        let level = height(!color, self.square);
        let is_stopped =
            |pawn: &Square| pawn.file() == self.square.file() && height(!color, *pawn) + 1 == level;
        let near = |pawn: &&Square| pawn.file().abs_diff(self.square.file()) <= 2;
        let passed = |pawn: &Square| *pawn != self.square && is_passed(self.end, color, *pawn);
        self.came(m, &[Pawn])
            && is_ending(self.end)
            && level <= 4
            && rivals.iter().any(is_stopped)
            && rivals.contains(&other)
            && other.file().abs_diff(self.square.file()) == 1
            && height(!color, other) + 2 == level
            && rivals.iter().filter(near).count() == 2
            && men(self.end, color, Pawn).iter().any(passed)
    }

    /// What the pawn that has moved attacks if it goes one square farther, where it cannot be won, of the other side's men
    /// that no pawn of the player attacks yet.
    fn attacked_next(&self, m: Move) -> Vec<Square> {
        let color = self.color;
        let ahead = Square::all().find(|&ahead| is_before(color, self.square, ahead));
        let next = ahead.filter(|_| self.came(m, &[Pawn]));
        let after = next.and_then(|ahead| pushed(self.end, color, ahead));
        let Some((ahead, after)) = next.zip(after) else {
            return Vec::new();
        };
        let is_new = |prey: &Square| {
            kind_on(self.end, *prey, !color).is_some() && !pawns_attack(self.end, color, *prey)
        };
        let is_safe = best(&after, ahead) == 0;
        let seen = seen_from(&after, ahead).into_iter();
        seen.filter(|prey| is_safe && is_new(prey)).collect()
    }

    /// Whether a pawn can go one square farther and attack a man of these kinds.
    fn goes_on_to_attack(&self, m: Move, kinds: &[PieceType]) -> bool {
        let is_kind = kind_on(self.end, self.other, !self.color).is_some_and(|kind| kinds.contains(&kind));
        is_kind && self.attacked_next(m).contains(&self.other)
    }

    fn goes_on_to_fork(&self, m: Move) -> bool {
        let is_pawn = |prey: &Square| kind_on(self.end, *prey, !self.color) == Some(Pawn);
        let prey = self.attacked_next(m);
        prey.len() == 2 && prey.contains(&self.other) && !prey.iter().any(is_pawn)
    }

    fn avoids_doubling(&self, m: Move) -> bool {
        let (color, knight) = (self.color, self.other);
        let guards =
            |from: &Square| kind_on(self.start, *from, color).is_some() && sees(self.start, *from, knight);
        let guards: Vec<Square> = Square::all().filter(guards).collect();
        let is_pawn = |from: &Square| kind_on(self.start, *from, color) == Some(Pawn);
        let guard = kind_on(self.end, self.square, color);
        m.landing() != knight
            && guard.is_some_and(|kind| matches!(kind, Knight | Bishop | Rook | Queen))
            && kind_on(self.end, knight, color) == Some(Knight)
            && kind_on(self.start, knight, color) == Some(Knight)
            && any(self.end, !color, Bishop, |bishop| sees(self.end, bishop, knight))
            && any(self.start, color, Pawn, |pawn| pawn.file() == knight.file())
            && !guards.is_empty()
            && guards.iter().all(is_pawn)
            && sees(self.end, self.square, knight)
    }

    fn awaits_opposition(&self, m: Move) -> bool {
        let rival = !self.color;
        let from = men(self.end, rival, King)[0];
        let advances =
            |m: &Move| m.piece().kind() == King && height(rival, m.landing()) > height(rival, from);
        let faces = |after: &Position, to: Square| {
            after.legal_moves().iter().any(|reply| {
                let square = reply.landing();
                let ranks = height(rival, square) - height(rival, to);
                reply.piece().kind() == King && square.file() == to.file() && ranks == 2
            })
        };
        let &[pawn] = men(self.end, rival, Pawn).as_slice() else {
            return false;
        };
        let beside =
            |m: &Move| m.landing().rank() == pawn.rank() && m.landing().file().abs_diff(pawn.file()) == 1;
        let is_straight = pawn.file() == self.square.file() && height(self.color, self.square) == 1;
        let is_behind = is_straight && height(self.color, pawn) == 3;
        let mut steps: Vec<Move> = self.end.legal_moves().into_iter().filter(advances).collect();
        let least = if is_behind { 1 } else { 2 };
        if is_behind {
            steps.retain(beside);
        }
        self.came(m, &[King])
            && count(self.end) == 3
            && steps.len() >= least
            && steps.iter().all(|&m| faces(&self.end.after(m), m.landing()))
    }

    fn safe_corner(&self, m: Move) -> bool {
        let (color, corner) = (self.color, self.other);
        let corners = [(0, 0), (0, 7), (7, 0), (7, 7)].map(|(file, rank)| Square::at(file, rank));
        let mut others = corners.into_iter().filter(|&other| other != corner);
        self.came(m, &[King])
            && is_against_rook(self.end, color, Bishop)
            && corners.contains(&corner)
            && men(self.end, color, Bishop)
                .iter()
                .all(|&bishop| is_dark(bishop) != is_dark(corner))
            && steps(self.square, corner) < steps(m.from(), corner)
            && others.all(|other| steps(self.square, other) > steps(self.square, corner))
    }

    pub(super) fn knight_strays(&self) -> bool {
        let (rival, line) = (!self.color, self.line);
        let king = men(self.end, rival, King)[0];
        let strays = |m: Move| {
            m.landing() == self.square && steps(m.from(), king) == 1 && steps(self.square, king) > 1
        };
        line.len() == 1
            && line.mover(0) == rival
            && kind_on(self.end, self.square, rival) == Some(Knight)
            && is_against_rook(self.end, rival, Knight)
            && line.at(0).is_some_and(strays)
    }
}

/// Whether a player has a single piece of this kind against a single rook, without pawns.
fn is_against_rook(position: &Position, player: Color, kind: PieceType) -> bool {
    count(position) == 4
        && !any_pawn(position)
        && men(position, player, kind).len() == 1
        && men(position, !player, Rook).len() == 1
}
