//! The order in which moves are tried: the table's move, captures that win material, the killer, quiet moves by
//! history, captures that lose material. Moves are picked one at a time, for the first often suffices.

use super::checks::Checks;
use super::history::{Context, Histories, victim};
use super::params::*;
use super::tt::short;
use crate::board::{MAX_MOVES, Move, MoveList, PieceType, Position};
use arrayvec::ArrayVec;

const TABLE_MOVE: i32 = 1 << 30;
/// Of captures and promotions without a score yet: above every other, below the table's move.
const CAPTURE: i32 = 1 << 29;
const GOOD_CAPTURE: i32 = 1 << 24;
const KILLER: i32 = 1 << 22;
/// Of quiet moves without a score yet: below good captures, above bad ones.
const QUIET: i32 = -(1 << 23);
/// Below every quiet move, whose scores stay within ±2^18.
const BAD_CAPTURE: i32 = -(1 << 24);

/// Worth of a captured piece in the order, in pawns, by kind.
const VICTIM: [i32; 6] = [1, 3, 3, 5, 9, 0];

/// A move with what the order knows about it.
#[derive(Clone, Copy, Debug)]
pub struct Picked {
    pub m: Move,
    /// Whether static exchange evaluation says that it keeps the material even (quiet moves are not asked).
    pub is_good: bool,
}

/// Hands out the moves of one node in order. Captures and quiet moves get their scores when the first of them has its
/// turn, for many nodes end with the table's move or a capture.
pub struct Picker {
    moves: MoveList,
    scores: ArrayVec<i32, MAX_MOVES>,
    next: usize,
    /// Captures below this exchange value are bad.
    threshold: i32,
    /// Whether captures that stand high in the order may lose some material and be good.
    lenient: bool,
    checks: Checks,
    killer: Option<Move>,
    context: Context,
}

impl Picker {
    /// Orders `moves`; `table_move` is in the table's short form, 0 for none.
    #[inline]
    pub fn new(moves: MoveList, table_move: u16, killer: Option<Move>, context: Context) -> Picker {
        let score = |&m: &Move| {
            if short(m) == table_move {
                TABLE_MOVE
            } else if m.is_quiet() {
                QUIET
            } else {
                CAPTURE
            }
        };
        let scores = moves.iter().map(score).collect();
        Picker {
            moves,
            scores,
            next: 0,
            threshold: 0,
            lenient: false,
            checks: Checks::default(),
            killer,
            context,
        }
    }

    /// The same with another exchange value that a good capture must reach, in centipawns.
    pub fn with_threshold(mut self, threshold: i32) -> Picker {
        self.threshold = threshold;
        self
    }

    /// The same with good captures that may lose the more material the higher they stand in the order.
    pub fn lenient(mut self) -> Picker {
        self.lenient = true;
        self
    }

    /// The history of a move of the node, as a quiet move or as a capture.
    #[inline]
    pub fn history(&self, position: &Position, m: Move, histories: &Histories) -> i32 {
        histories.of(position, m, &self.context)
    }

    /// Whether the moved piece itself will attack the enemy king.
    #[inline]
    pub fn gives_check(&self, position: &Position, m: Move) -> bool {
        self.checks.has(position, m)
    }

    /// The next move, the best of those that are left.
    pub fn next(&mut self, position: &Position, histories: &Histories) -> Option<Picked> {
        loop {
            let best = self.best_of_rest()?;
            let (m, score) = (self.moves[best], self.scores[best]);
            if score == CAPTURE || score == QUIET {
                self.score_all(score, position, histories);
                continue;
            }
            self.moves.swap(self.next, best);
            self.scores.swap(self.next, best);
            // exchanges are worked out only for captures whose turn has come
            let unproven = (GOOD_CAPTURE / 2..TABLE_MOVE).contains(&score);
            if unproven && !position.see_at_least(m, self.least_exchange(score)) {
                self.scores[self.next] = score - GOOD_CAPTURE + BAD_CAPTURE;
                continue;
            }
            self.next += 1;
            return Some(Picked {
                m,
                is_good: score > BAD_CAPTURE / 2,
            });
        }
    }

    /// The exchange value that a capture with this score must reach to be good, in centipawns.
    #[inline]
    fn least_exchange(&self, score: i32) -> i32 {
        let allowed = when(self.lenient, (score - GOOD_CAPTURE) / capture_see_divisor());
        self.threshold - allowed
    }

    /// Leaves out the quiet moves that have not had their turn, but for those that give check.
    pub fn retain_checks(&mut self, position: &Position) {
        let mut kept = self.next;
        for index in self.next..self.moves.len() {
            let m = self.moves[index];
            if !m.is_quiet() || self.checks.has(position, m) {
                self.moves[kept] = m;
                self.scores[kept] = self.scores[index];
                kept += 1;
            }
        }
        self.moves.truncate(kept);
        self.scores.truncate(kept);
    }

    /// Gives their scores to the moves that wait for them, all captures or all quiet ones.
    fn score_all(&mut self, waiting: i32, position: &Position, histories: &Histories) {
        for (&m, score) in self.moves.iter().zip(&mut self.scores) {
            if *score != waiting {
                continue;
            }
            *score = if waiting == CAPTURE {
                capture_score(position, m, histories)
            } else if Some(m) == self.killer {
                KILLER
            } else {
                quiet_score(position, m, histories, &self.context, &self.checks)
            };
        }
    }

    /// Where the first of those with the highest score is.
    #[inline]
    fn best_of_rest(&self) -> Option<usize> {
        let scores = &self.scores[self.next..];
        let (mut best, mut highest) = (0, *scores.first()?);
        for (index, &score) in scores.iter().enumerate() {
            if score > highest {
                (best, highest) = (index, score);
            }
        }
        Some(self.next + best)
    }
}

/// The history of a quiet move, and what speaks for trying it early beside it.
fn quiet_score(
    position: &Position,
    m: Move,
    histories: &Histories,
    context: &Context,
    checks: &Checks,
) -> i32 {
    let is_safe_check = checks.has(position, m) && position.see_at_least(m, -check_loss());
    histories.quiet(m, context)
        + histories.low_ply(m, context)
        + escape_bonus() * context.escapes(m)
        + when(is_safe_check, check_bonus())
}

fn capture_score(position: &Position, m: Move, histories: &Histories) -> i32 {
    let gain = if m.is_capture() {
        VICTIM[victim(position, m).index()] * capture_pawn()
    } else {
        0
    };
    match m.promoted().map(|piece| piece.kind()) {
        None => GOOD_CAPTURE + gain + histories.capture(position, m),
        Some(PieceType::Queen) => GOOD_CAPTURE + gain + VICTIM[PieceType::Queen.index()] * capture_pawn(),
        // a lesser promotion is almost never the best move
        Some(_) => BAD_CAPTURE + gain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(fen: &str, table_move: &str, killer: &str) -> Vec<String> {
        let position = Position::from_fen(fen).unwrap();
        let moves = position.legal_moves();
        let find = |text: &str| moves.iter().copied().find(|m| m.to_uci(false) == text);
        let histories = Histories::default();
        let table_move = find(table_move).map_or(0, short);
        let mut picker = Picker::new(moves.clone(), table_move, find(killer), Context::default());
        std::iter::from_fn(|| picker.next(&position, &histories))
            .map(|picked| picked.m.to_uci(false))
            .collect()
    }

    #[test]
    fn every_move_once_and_the_best_kinds_first() {
        // Rxd5 and exd5 win a piece, Qxd5 wins less than it costs only if d5 is guarded: here by the pawn c6
        let fen = "4k3/8/2p5/3n4/4P3/8/3Q4/3RK3 w - - 0 1";
        let order = order(fen, "d2h6", "e1f1");
        let count = Position::from_fen(fen).unwrap().legal_moves().len();
        assert_eq!(order.len(), count);
        assert_eq!(order[0], "d2h6");
        assert_eq!(order[1], "e4d5");
        assert_eq!(order[2], "e1f1");
        assert_eq!(order[count - 1], "d2d5");
        let distinct: std::collections::HashSet<_> = order.iter().collect();
        assert_eq!(distinct.len(), count);
    }

    #[test]
    fn of_the_quiet_moves_only_checks_are_kept() {
        let position = Position::from_fen("4k3/8/2p5/3n4/4P3/8/Q7/3RK3 w - - 0 1").unwrap();
        let histories = Histories::default();
        let mut picker = Picker::new(position.legal_moves(), 0, None, Context::default());
        let first = picker.next(&position, &histories).unwrap();
        assert_eq!(first.m.to_uci(false), "e4d5");
        picker.retain_checks(&position);
        let rest: Vec<String> = std::iter::from_fn(|| picker.next(&position, &histories))
            .map(|picked| picked.m.to_uci(false))
            .collect();
        assert_eq!(rest[0], "a2a8");
        assert_eq!(rest.len(), 3, "the captures that lose material stay: {rest:?}");
    }

    #[test]
    fn underpromotions_come_last() {
        let order = order("8/P7/8/8/8/8/k6K/8 w - - 0 1", "", "");
        assert_eq!(order[0], "a7a8q");
        assert!(order[order.len() - 3..].iter().all(|m| m.starts_with("a7a8")));
    }
}
