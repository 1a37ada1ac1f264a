//! Whether a king can get to a key square of its pawn, by playing out the walk of both kings.

use super::squares::{height, king, men};
use super::themes::{Scene, apart, count, steps};
use crate::board::{Color, PieceType, Position, Square};
use crate::explain::theme::Theme;
use PieceType::{King, Pawn};

impl Scene<'_> {
    pub(super) fn key_squares(&self, theme: Theme) -> bool {
        let strong = if theme == Theme::KeySquaresLost {
            !self.color
        } else {
            self.color
        };
        let Some(pawn) = the_pawn(self.end, strong).filter(|&pawn| pawn == self.other) else {
            return false;
        };
        if !self.stands(King) {
            return false;
        }
        match theme {
            Theme::HeadsForKeySquare => {
                let gets_there = |position: &Position| {
                    the_pawn(position, strong) == Some(pawn) && Walk::of(position, strong, pawn).succeeds()
                };
                let others = || {
                    let moves = self.start.legal_moves().into_iter();
                    moves.filter(|m| m.from() != pawn).map(|m| self.start.after(m))
                };
                self.line.len() == 1
                    && self.moved()
                    && !is_key(strong, self.square, pawn)
                    && gets_there(self.end)
                    && others().any(|position| !gets_there(&position))
            }
            _ => {
                let before = the_pawn(self.start, strong);
                before.is_some_and(|was| Walk::of(self.start, strong, was).succeeds())
                    && !Walk::of(self.end, strong, pawn).succeeds()
            }
        }
    }
}

/// The pawn of king and pawn against king, if it is on none of the outer files and not about to promote.
fn the_pawn(position: &Position, strong: Color) -> Option<Square> {
    let pawn = *men(position, strong, Pawn).first()?;
    let has_key_squares = !matches!(pawn.file(), 0 | 7) && height(strong, pawn) < 7;
    (count(position) == 3 && has_key_squares).then_some(pawn)
}

/// Whether a square is one of a pawn's key squares: two ranks ahead, from the fifth rank on also one.
pub(super) fn is_key(color: Color, square: Square, pawn: Square) -> bool {
    let ahead = height(color, square) - height(color, pawn);
    let near = square.file().abs_diff(pawn.file()) <= 1;
    if matches!(pawn.file(), 0 | 7) {
        return square.file().abs_diff(pawn.file()) == 1 && height(color, square) >= 7;
    }
    near && (ahead == 2 || ahead == 1 && height(color, pawn) >= 5)
}

/// Two kings and a pawn that stands still.
struct Walk {
    strong: Color,
    pawn: Square,
    /// The attacker's king, the other, and whether the attacker is to move.
    start: (Square, Square, bool),
}

impl Walk {
    fn of(position: &Position, strong: Color, pawn: Square) -> Walk {
        let turn = position.side_to_move() == strong;
        Walk {
            strong,
            pawn,
            start: (king(position, strong), king(position, !strong), turn),
        }
    }

    /// Whether the attacker's king reaches a key square, or stands on one, without losing the pawn.
    fn succeeds(&self) -> bool {
        let index = |(ours, theirs, turn): (Square, Square, bool)| {
            (ours.index() * 64 + theirs.index()) * 2 + usize::from(turn)
        };
        let mut reached = vec![false; 64 * 64 * 2];
        loop {
            let mut more = Vec::new();
            for ours in Square::all() {
                for theirs in Square::all().filter(|&theirs| steps(ours, theirs) > 1) {
                    for state in [(ours, theirs, false), (ours, theirs, true)] {
                        if !reached[index(state)] && self.is_reached(state, |next| reached[index(next)]) {
                            more.push(index(state));
                        }
                    }
                }
            }
            if more.is_empty() || reached[index(self.start)] {
                return reached[index(self.start)];
            }
            more.into_iter().for_each(|index| reached[index] = true);
        }
    }

    fn is_reached(
        &self,
        (ours, theirs, turn): (Square, Square, bool),
        reached: impl Fn((Square, Square, bool)) -> bool,
    ) -> bool {
        if ours == self.pawn || theirs == self.pawn {
            return false;
        }
        let beside = |from: Square| Square::all().filter(move |&to| steps(from, to) == 1);
        let guarded = steps(ours, self.pawn) == 1;
        let attacked = |square: Square| {
            apart(square, self.pawn) == [1, 1]
                && height(self.strong, square) == height(self.strong, self.pawn) + 1
        };
        if turn {
            let mut ways = beside(ours).filter(|&to| to != self.pawn && steps(to, theirs) > 1);
            return is_key(self.strong, ours, self.pawn) || ways.any(|to| reached((to, theirs, false)));
        }
        let mut ways = beside(theirs).filter(|&to| steps(to, ours) > 1 && !attacked(to));
        let takes = !guarded && steps(theirs, self.pawn) == 1;
        if takes {
            return false;
        }
        if is_key(self.strong, ours, self.pawn) {
            return true;
        }
        let mut any = false;
        let all = ways.by_ref().filter(|&to| to != self.pawn).all(|to| {
            any = true;
            reached((ours, to, true))
        });
        all && any
    }
}
