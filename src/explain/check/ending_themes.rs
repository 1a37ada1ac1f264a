//! Confirms the themes of endings that are about a king or about rooks.

use super::exchange::{is_between, kind_on};
use super::key_squares::is_key;
use super::squares::{any, height, is_dark, is_passed, king, men, watchers};
use super::themes::{Scene, any_pawn, apart, count, has_few_pieces, steps};
use crate::board::{Color, Move, PieceType, Position, Square};
use crate::explain::endings;
use crate::explain::theme::Theme;
use PieceType::{Bishop, King, Knight, Pawn, Queen, Rook};
use std::cmp::Ordering;

/// With more pieces than that no king walks up the board.
const FEW: usize = 14;

/// With so many men a king without queens to fear is still in a middlegame.
const MIDDLEGAME: usize = 20;

impl Scene<'_> {
    pub(super) fn pawns_on_bishop_colour(&self) -> bool {
        let rival = !self.color;
        let stands = |position: &Position, square: Square, _: Square| {
            let pawns = men(position, rival, Pawn);
            kind_on(position, square, rival) == Some(Bishop)
                && has_opposite_bishops(position)
                && pawns.len() > 1
                && pawns.iter().all(|&pawn| is_dark(pawn) == is_dark(square))
        };
        self.is_new(stands)
    }

    pub(super) fn king_ending(&self, theme: Theme) -> bool {
        let color = self.color;
        let pawns_only = endings::is_pawn_ending(self.end) && any_pawn(self.end);
        if !self.stands(King) {
            return false;
        }
        match theme {
            Theme::Opposition => {
                let [files, ranks] = apart(self.square, self.other);
                let faces = |position: &Position| {
                    position.side_to_move() != color
                        && position.king(color) == self.square
                        && position.king(!color) == self.other
                };
                pawns_only
                    && (files == 0 && ranks == 2 || files == 2 && ranks == 0)
                    && faces(self.end)
                    && !faces(self.start)
            }
            Theme::KeySquare => {
                let is_key = |position: &Position, square: Square, pawn: Square| {
                    kind_on(position, pawn, color) == Some(Pawn)
                        && is_passed(position, color, pawn)
                        && is_key(color, square, pawn)
                };
                pawns_only && self.moved() && is_key(self.end, self.square, self.other)
            }
            Theme::SquareOfPawn => {
                let catches = |position: &Position, square: Square, pawn: Square| {
                    kind_on(position, pawn, !color) == Some(Pawn)
                        && is_passed(position, !color, pawn)
                        && steps(square, last(!color, pawn)) <= pawn_moves(!color, pawn)
                };
                pawns_only && self.moved() && self.is_new(catches)
            }
            Theme::RookPawnCorner => {
                let holds = |position: &Position, square: Square, pawn: Square| {
                    kind_on(position, pawn, !color) == Some(Pawn)
                        && count(position) == 3
                        && matches!(pawn.file(), 0 | 7)
                        && steps(square, last(!color, pawn)) <= 1
                };
                self.is_new(holds)
            }
            _ => {
                let Some(was) = self.was.filter(|&was| was != self.square) else {
                    return false;
                };
                let centre = |square: Square| {
                    let away = |coordinate: u8| {
                        if coordinate < 4 {
                            3 - coordinate
                        } else {
                            coordinate - 4
                        }
                    };
                    away(square.file()).max(away(square.rank()))
                };
                let target = (self.other != self.square).then_some(self.other);
                has_few_pieces(self.end, 2)
                    && match target {
                        None => centre(self.square) < centre(was),
                        Some(pawn) => {
                            let pawns = men(self.end, !color, Pawn);
                            pawns.contains(&pawn)
                                && steps(self.square, pawn) < steps(was, pawn)
                                && pawns
                                    .iter()
                                    .all(|&other| steps(self.square, other) >= steps(self.square, pawn))
                        }
                    }
            }
        }
    }

    pub(super) fn rook_ending(&self, theme: Theme) -> bool {
        let color = self.color;
        if !self.stands(Rook) {
            return false;
        }
        let is_pawn = kind_on(self.end, self.other, !color) == Some(Pawn);
        match theme {
            Theme::Philidor => {
                is_pawn && endings::philidor(self.end, !color) && !endings::philidor(self.start, !color)
            }
            Theme::ChecksFromBehind => {
                is_pawn
                    && count(self.end) == 5
                    && any(self.end, !color, Rook, |_| true)
                    && height(!color, self.other) == 6
                    && height(!color, self.square) <= 2
                    && self.was.is_some_and(|was| height(!color, was) > 2)
            }
            _ => {
                let pawn = men(self.end, color, Pawn);
                endings::lucena(self.start, color)
                    && matches!(height(color, self.square), 4 | 5)
                    && self.moved()
                    && pawn.iter().all(|pawn| pawn.file() != self.square.file())
            }
        }
    }
}

impl Scene<'_> {
    /// Where a king goes, in the corner, before a pawn or up the board.
    pub(super) fn king_plan(&self, theme: Theme) -> bool {
        let (color, square, other) = (self.color, self.square, self.other);
        // this one is about the other king
        if theme == Theme::LongSide {
            return self.goes_to_a_side(!color, |near, far| near > far);
        }
        if !self.stands(King) {
            return false;
        }
        match theme {
            Theme::HeadsForCorner if count(self.end) == 3 => {
                let is_rook_pawn = |pawn: Square| matches!(pawn.file(), 0 | 7) && last(!color, pawn) == other;
                self.stands(King)
                    && any(self.end, !color, Pawn, is_rook_pawn)
                    && endings::is_drawn(self.end)
                    && steps(square, other) > 1
                    && self
                        .was
                        .is_some_and(|was| steps(was, other) > steps(square, other))
            }
            Theme::HeadsForCorner => {
                self.stands(King)
                    && endings::wrong_corner(self.end, !color) == Some(other)
                    && steps(square, other) > 1
                    && self
                        .was
                        .is_some_and(|was| steps(was, other) > steps(square, other))
                    && endings::reaches_corner(self.end, !color)
            }
            Theme::KingShutIn => {
                let shuts = |position: &Position, square: Square, pawn: Square| {
                    let king = position.king(!color);
                    let [files, ranks] = apart(square, king);
                    count(position) == 3
                        && kind_on(position, pawn, !color) == Some(Pawn)
                        && matches!(pawn.file(), 0 | 7)
                        && king.file() == pawn.file()
                        && height(!color, king) > height(!color, pawn)
                        && files == 2
                        && ranks <= 1
                };
                self.is_new(shuts)
            }
            Theme::LetsKingIn => self.lets_king_in(),
            Theme::ShortSide => self.goes_to_a_side(self.color, |near, far| near < far),
            Theme::DrivesKingOn => self.drives_king_on(),
            Theme::CentralKing => self.quiet_move().is_some_and(|m| self.stays_in_the_centre(m)),
            Theme::KingHelps => self.king_helps(),
            _ => {
                let first = self.line.moves()[0];
                let from = first.from();
                self.line.mover(0) == color
                    && kind_on(self.start, from, color) == Some(King)
                    && (!self.start.in_check() || self.start.count_moves() > 1)
                    && steps(from, square) >= 3
                    && height(color, square) >= (height(color, from) + 2).max(5)
            }
        }
    }

    /// Whether the king of a player leaves its pawn's file on its first rank for a side that is wanted, given how many files
    /// lie on that side of the pawn and on the other.
    fn goes_to_a_side(&self, color: Color, is_wanted: impl Fn(u8, u8) -> bool) -> bool {
        let pawn = self.other;
        let rooks = |color| men(self.end, color, Rook).len();
        let (left, right) = (pawn.file(), 7 - pawn.file());
        let (near, far) = match self.square.file().cmp(&pawn.file()) {
            Ordering::Less => (left, right),
            Ordering::Equal => return false,
            Ordering::Greater => (right, left),
        };
        let comes_from = |was: Square| {
            was.file() == pawn.file() && [was, self.square].iter().all(|&at| height(color, at) == 1)
        };
        self.line.len() == 1
            && count(self.end) == 5
            && kind_on(self.end, pawn, !color) == Some(Pawn)
            && rooks(color) == 1
            && rooks(!color) == 1
            && king(self.end, color) == self.square
            && self.was.is_some_and(comes_from)
            && is_wanted(near, far)
    }

    /// A check makes a king go where it attacks a pawn.
    fn drives_king_on(&self) -> bool {
        let (color, square, pawn) = (self.color, self.square, self.other);
        let Some(walk) = self.line.at(1).filter(|_| self.line.len() == 2) else {
            return false;
        };
        self.line.mover(1) == color
            && self.line.after(0).in_check()
            && walk.piece().kind() == King
            && walk.landing() == square
            && height(color, square) >= 4
            && count(self.end) <= FEW
            && kind_on(self.end, pawn, !color) == Some(Pawn)
            && steps(square, pawn) == 1
            && steps(walk.from(), pawn) > 1
    }

    fn stays_in_the_centre(&self, m: Move) -> bool {
        let color = self.color;
        let queens = |color| !men(self.end, color, Queen).is_empty();
        m.landing() == self.square
            && height(color, m.from()) == 1
            && height(color, self.square) == 2
            && matches!(self.square.file(), 3 | 4)
            && !self.start.in_check()
            && !queens(color)
            && !queens(!color)
            && count(self.end) >= MIDDLEGAME
    }

    /// A king answers by going where the move before has stopped guarding.
    fn lets_king_in(&self) -> bool {
        let (color, square) = (self.color, self.square);
        let [Some(left), Some(walk)] = [self.line.at(0), self.line.at(1)] else {
            return false;
        };
        let theirs = king(self.start, !color);
        let goes = |m: &Move| m.from() == walk.from() && m.landing() == square;
        let could_go = |position: Position| position.legal_moves().iter().any(goes);
        self.line.len() == 2
            && self.line.mover(1) == color
            && left.piece().kind() != King
            && walk.piece().kind() == King
            && walk.landing() == square
            && height(color, square) >= 4
            && steps(square, theirs) < steps(walk.from(), theirs)
            && count(self.end) <= FEW
            && self.start.passed().is_some_and(|passed| !could_go(passed))
    }

    /// A king comes near the other one, where there is a rook or queen to mate it.
    fn king_helps(&self) -> bool {
        let (square, other) = (self.square, self.other);
        let is_bare = self.end.of_color(!self.color).count() == 1;
        let comes_nearer = |was| steps(was, other) > steps(square, other);
        self.line.len() == 1
            && other == king(self.end, !self.color)
            && self.was.is_some_and(comes_nearer)
            && (is_bare || steps(square, other) == 2)
            && [Queen, Rook]
                .iter()
                .any(|&kind| !men(self.end, self.color, kind).is_empty())
    }

    /// A king goes between the other king and a pawn, which it comes nearer to.
    pub(super) fn shoulders(&self) -> bool {
        let (color, square, pawn) = (self.color, self.square, self.other);
        let Some(was) = self.king_came_from() else {
            return false;
        };
        let rival = self.end.king(!color);
        let on_the_way: Vec<Square> = Square::all()
            .filter(|&step| steps(step, rival) == 1 && steps(step, pawn) < steps(rival, pawn))
            .filter(|&step| kind_on(self.end, step, !color).is_none())
            .collect();
        let free = |king: Square| on_the_way.iter().filter(|&&step| steps(step, king) > 1).count();
        self.end.piece_on(pawn).is_some_and(|piece| piece.kind() == Pawn)
            && rival == self.start.king(!color)
            && steps(rival, pawn) >= 3
            && steps(square, pawn) < steps(rival, pawn)
            && steps(square, pawn) < steps(was, pawn)
            && free(was) >= 2
            && free(square) <= 1
    }

    /// A king comes nearer to a passed pawn of the opponent and to one of its own, far apart.
    pub(super) fn has_two_aims(&self) -> bool {
        let (color, square, rivals) = (self.color, self.square, self.other);
        let Some(was) = self.king_came_from() else {
            return false;
        };
        let is_aim = |owner: Color, pawn: Square| {
            kind_on(self.end, pawn, owner) == Some(Pawn)
                && is_passed(self.end, owner, pawn)
                && steps(square, pawn) < steps(was, pawn)
        };
        let own = |pawn: Square| is_aim(color, pawn) && pawn.file().abs_diff(rivals.file()) >= 3;
        is_aim(!color, rivals) && Square::all().any(own)
    }

    /// The king leaves its outside passed pawn to the other king and comes first to other pawns.
    pub(super) fn decoys(&self) -> bool {
        let (color, square, pawn) = (self.color, self.square, self.other);
        let Some(was) = self.king_came_from() else {
            return false;
        };
        let rival = self.end.king(!color);
        let is_far = |other: Square| other == pawn || other.file().abs_diff(pawn.file()) >= 3;
        let is_alone = [color, !color]
            .into_iter()
            .all(|owner| men(self.end, owner, Pawn).into_iter().all(is_far));
        let is_prey =
            |prey: Square| steps(square, prey) < steps(was, prey) && steps(square, prey) < steps(rival, prey);
        kind_on(self.end, pawn, color) == Some(Pawn)
            && is_passed(self.end, color, pawn)
            && is_alone
            && steps(rival, pawn) <= 3
            && steps(rival, pawn) < steps(square, pawn)
            && any(self.end, !color, Pawn, is_prey)
    }

    /// Where a king of a pawn ending that has moved stood before.
    fn king_came_from(&self) -> Option<Square> {
        let is_so = self.stands(King) && endings::is_pawn_ending(self.end);
        self.was.filter(|&was| is_so && was != self.square)
    }

    /// A check has made the king stand before its own pawn, with a queen against that pawn.
    pub(super) fn king_before_pawn(&self) -> bool {
        let rival = !self.color;
        let answer = self.line.len() - 1;
        count(self.end) == 4
            && self.stands(PieceType::Queen)
            && kind_on(self.end, self.other, rival) == Some(Pawn)
            && height(rival, self.other) == 7
            && self.end.king(rival) == last(rival, self.other)
            && self.line.mover(answer) == rival
            && self.line.moves()[answer].piece().kind() == King
            && self.line.before(answer).in_check()
    }

    /// The rook before a pawn on the seventh rank cannot get out with check.
    pub(super) fn shut_in_rook(&self) -> bool {
        let color = self.color;
        let king = |position: &Position| position.king(color);
        let holds = |position: &Position| endings::is_held_from_behind(position, !color);
        king(self.end) == self.square
            && kind_on(self.end, self.other, !color) == Some(Rook)
            && holds(self.end)
            && (king(self.start) != king(self.end) || !holds(self.start))
    }

    pub(super) fn checks_from_side(&self) -> bool {
        let color = self.color;
        let rival = self.end.king(!color);
        let way =
            |between: Square| is_between(between, self.square, rival) && self.end.piece_on(between).is_some();
        count(self.end) == 5
            && self.stands(Rook)
            && any(self.end, !color, Rook, |_| true)
            && kind_on(self.end, self.other, !color) == Some(Pawn)
            && matches!(height(!color, self.other), 6 | 7)
            && steps(rival, self.other) <= 2
            && self.end.side_to_move() != color
            && self.square.rank() == rival.rank()
            && self.square.file().abs_diff(rival.file()) >= 3
            && !Square::all().any(way)
            && watchers(self.end, !color, self.square) == 0
    }

    pub(super) fn vancura(&self) -> bool {
        let color = self.color;
        let holds = |position: &Position, square: Square, pawn: Square| {
            endings::vancura(position, !color)
                && kind_on(position, square, color) == Some(Rook)
                && kind_on(position, pawn, !color) == Some(Pawn)
        };
        self.is_new(holds)
    }
}

/// The square on which a pawn promotes.
fn last(color: Color, pawn: Square) -> Square {
    Square::at(pawn.file(), (!color).back_rank())
}

/// How many moves a pawn needs to its last rank.
fn pawn_moves(color: Color, pawn: Square) -> u8 {
    let left = 8 - height(color, pawn);
    (if height(color, pawn) == 2 { left - 1 } else { left }) as u8
}

/// Whether each side has a bishop, on squares of different colours, and no other pieces.
fn has_opposite_bishops(position: &Position) -> bool {
    let lone_bishop = |color| {
        let pieces = [Knight, Bishop, Rook, Queen]
            .map(|kind| men(position, color, kind))
            .concat();
        let &[piece] = pieces.as_slice() else {
            return None;
        };
        (kind_on(position, piece, color) == Some(Bishop)).then_some(piece)
    };
    let bishops = lone_bishop(Color::White).zip(lone_bishop(Color::Black));
    bishops.is_some_and(|(one, other)| is_dark(one) != is_dark(other))
}
