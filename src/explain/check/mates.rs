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

/// Mates up to this many moves are looked for with every move …
const LONGEST_WHOLE: u32 = 2;

/// … and up to this many with checks alone.
const LONGEST_CHECKS: u32 = 5;

/// Positions that each of these looks may visit.
const SHORT_BUDGET: u32 = 6_000;

/// A short mate by the side to move, as a line to the end against the longest defence: in two moves by whatever moves, in
/// five by checks. What takes too long is not found.
pub fn short(position: &Position) -> Option<Vec<Move>> {
    (1..=LONGEST_CHECKS).find_map(|moves| {
        let mut proof = Proof {
            checks_only: moves > LONGEST_WHOLE,
            budget: SHORT_BUDGET,
            ..Proof::new(&[])
        };
        proof
            .attack(position, moves, 0)
            .then(|| proof.line(position, moves))
    })
}

struct Proof<'a> {
    hint: &'a [Move],
    /// Whether the mating side only gives checks.
    checks_only: bool,
    /// What is known of positions in which the mating side is to move, with so many moves left.
    known: HashMap<(u64, u32), bool>,
    budget: u32,
}

impl<'a> Proof<'a> {
    fn new(hint: &'a [Move]) -> Proof<'a> {
        Proof {
            hint,
            checks_only: false,
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
            .filter(|(_, after)| moves > 1 && !self.checks_only || after.in_check())
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

    /// The moves of a mate that is proved, the mating side to move: the shortest, against the defence that takes longest.
    fn line(&mut self, position: &Position, moves: u32) -> Vec<Move> {
        let mut line = Vec::new();
        let (mut position, mut moves) = (*position, moves);
        while moves > 0 {
            self.budget = SHORT_BUDGET;
            let mates = |m: &Move| self.defend(&position.after(*m), moves - 1, 0);
            let Some(m) = position.legal_moves().into_iter().find(mates) else {
                break;
            };
            line.push(m);
            position.play(m);
            let mut longest = None;
            for answer in position.legal_moves() {
                let after = position.after(answer);
                let takes = (1..moves)
                    .find(|&fewer| self.attack(&after, fewer, 0))
                    .unwrap_or(moves);
                if longest.is_none_or(|(most, _)| takes > most) {
                    longest = Some((takes, answer));
                }
            }
            let Some((takes, answer)) = longest else {
                break;
            };
            line.push(answer);
            position.play(answer);
            moves = takes;
        }
        line
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
    fn short_mates_are_found_with_their_lines() {
        for (fen, plies) in [
            ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", Some(1)),
            ("7k/8/R7/1R6/8/8/8/6K1 w - - 0 1", Some(3)),
            // Réti and Tartakower, Vienna 1910: the queen is given for a double check
            (
                "rnb1kb1r/pp3ppp/2p5/4q3/4n3/3Q4/PPPB1PPP/2KR1BNR w kq - 0 9",
                Some(5),
            ),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None),
        ] {
            let mut position = position(fen);
            let found = short(&position);
            assert_eq!(found.as_ref().map(Vec::len), plies, "{fen} {found:?}");
            for m in found.into_iter().flatten() {
                assert!(position.legal_moves().contains(&m), "{fen}");
                position.play(m);
            }
            assert!(
                plies.is_none() || position.in_check() && !position.has_moves(),
                "{fen}"
            );
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
