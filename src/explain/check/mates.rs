//! Forced mates, proved by trying every answer.

use crate::board::draws::FIFTY_MOVES;
use crate::board::{Move, Position};
use std::collections::HashMap;

/// How many positions a proof may visit before it is given up.
const BUDGET: u32 = 60_000;

/// Whether the side to move can mate in at most so many of its moves, whatever is answered. The moves of `hint`, the
/// line that a search expects, are tried first where they are legal. Where the proof takes too long, the answer is no.
pub fn forces(position: &Position, moves: u32, hint: &[Move]) -> bool {
    Proof::new(hint).attack(position, moves, 0)
}

/// Whether the side to move is mated, or will be in at most so many moves of the other side; as [`forces`].
pub fn suffers(position: &Position, moves: u32, hint: &[Move]) -> bool {
    Proof::new(hint).defend(position, moves, 0)
}

struct Proof<'a> {
    hint: &'a [Move],
    /// What is known of positions in which the mating side is to move, with so many moves left.
    known: HashMap<(u64, u32), bool>,
    budget: u32,
}

impl<'a> Proof<'a> {
    fn new(hint: &'a [Move]) -> Proof<'a> {
        Proof {
            hint,
            known: HashMap::new(),
            budget: BUDGET,
        }
    }

    fn attack(&mut self, position: &Position, moves: u32, ply: usize) -> bool {
        if moves == 0 || position.halfmove_clock() >= FIFTY_MOVES {
            return false;
        }
        let key = (position.key(), moves);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let hint = self.hint.get(ply).copied();
        let mut tries: Vec<(Move, Position)> = position
            .legal_moves()
            .into_iter()
            .map(|m| (m, position.after(m)))
            .filter(|(_, after)| moves > 1 || after.in_check())
            .collect();
        tries.sort_by_key(|(m, after)| (Some(*m) != hint, !after.in_check(), after.count_moves()));
        let mates = tries
            .iter()
            .any(|(_, after)| self.defend(after, moves - 1, ply + 1));
        if self.budget > 0 {
            self.known.insert(key, mates);
        }
        mates
    }

    fn defend(&mut self, position: &Position, moves: u32, ply: usize) -> bool {
        self.budget = self.budget.saturating_sub(1);
        if self.budget == 0 {
            return false;
        }
        let answers = position.legal_moves();
        if answers.is_empty() {
            return position.in_check();
        }
        moves > 0
            && answers
                .into_iter()
                .all(|m| self.attack(&position.after(m), moves, ply + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    #[test]
    fn mates_take_as_long_as_they_take() {
        for (fen, moves) in [
            ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1),
            // a ladder of two rooks
            ("7k/8/R7/1R6/8/8/8/6K1 w - - 0 1", 2),
            // smothered: queen to g8, and the knight mates
            ("5r1k/6pp/7N/3Q4/8/8/8/6K1 w - - 0 1", 2),
            ("8/8/8/8/8/4k3/4q3/6K1 b - - 0 1", 2),
        ] {
            let position = position(fen);
            assert!(forces(&position, moves, &[]), "{fen}");
            assert!(!forces(&position, moves - 1, &[]), "{fen}");
            assert!(forces(&position, moves + 1, &[]), "{fen}");
        }
    }

    #[test]
    fn the_side_to_move_suffers_mate_or_stalemate() {
        assert!(suffers(&position("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"), 0, &[]));
        assert!(!suffers(&position("7k/5Q2/8/8/8/8/8/K7 b - - 0 1"), 0, &[]));
        assert!(suffers(&position("7k/R7/8/8/8/8/8/1R4K1 b - - 0 1"), 1, &[]));
        assert!(!suffers(&position("7k/R5p1/8/8/8/8/8/1R4K1 b - - 0 1"), 0, &[]));
    }

    #[test]
    fn a_proof_that_takes_too_long_proves_nothing() {
        // in a closed position without a mate nine moves deep
        assert!(!forces(&Position::default(), 9, &[]));
    }
}
