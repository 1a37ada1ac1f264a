//! `go mate N`: proofs that there is a mate in so many moves, or none. Every move of the attacker and every answer is tried,
//! so that quiet keys and positions of zugzwang, which the selective search passes over, are found; the search and the
//! proof take turns, because forcing mates of many moves are found sooner by the search.

use super::shared::Shared;
use super::worker::Worker;
use crate::board::{Move, Position};
use crate::nets::Evaluator;
use crate::nets::score::{MAX_PLY, mate_in};

/// No line is longer, in moves of the attacker.
const MOST_MOVES: u32 = MAX_PLY as u32 / 2;
/// Positions that are remembered: 4 MiB of them.
const REMEMBERED: usize = 1 << 18;
/// A turn of the proof takes at least so many nodes, and otherwise as many as the whole search before it.
const LEAST_NODES: u64 = 20_000;

/// What was proved of a position with the attacker to move.
#[derive(Clone, Copy, Default)]
struct Known {
    key: u64,
    /// There is a mate in so many moves; 0 if none is known.
    mate: u8,
    /// There is none in so many moves.
    none: u8,
}

/// A proof that goes on from turn to turn.
pub struct MateProof {
    /// The most moves that the mate may take.
    most: u32,
    /// Mates in fewer moves are ruled out.
    moves: u32,
    known: Vec<Known>,
    /// The answer that refuted last, by moves left.
    refutations: [Option<Move>; MOST_MOVES as usize + 1],
    /// The turn ends at so many nodes.
    end: u64,
}

impl MateProof {
    /// A proof of a mate in at most so many moves.
    pub fn new(most: u32) -> MateProof {
        MateProof {
            most: most.min(MOST_MOVES),
            moves: 1,
            known: vec![Known::default(); REMEMBERED],
            refutations: [None; MOST_MOVES as usize + 1],
            end: 0,
        }
    }

    fn place(&self, key: u64) -> usize {
        (key % REMEMBERED as u64) as usize
    }

    /// Whether there is a mate in so many moves, if that was proved.
    fn recall(&self, key: u64, moves: u32) -> Option<bool> {
        let known = self.known[self.place(key)];
        if known.key != key {
            return None;
        }
        if known.mate > 0 && u32::from(known.mate) <= moves {
            return Some(true);
        }
        (moves <= u32::from(known.none)).then_some(false)
    }

    fn remember(&mut self, key: u64, moves: u32, is_mate: bool) {
        let place = self.place(key);
        let known = &mut self.known[place];
        if known.key != key {
            *known = Known {
                key,
                ..Known::default()
            };
        }
        match is_mate {
            true => known.mate = moves as u8,
            false => known.none = known.none.max(moves as u8),
        }
    }
}

/// The turn, or the search, ended before an answer was found.
struct Interrupted;

impl<E: Evaluator> Worker<E> {
    /// Goes on with a proof for as long as the search took so far; whether all is proved: then the mate, if there is one,
    /// stands first at the root.
    pub fn prove_mate(&mut self, shared: &Shared, proof: &mut MateProof) -> bool {
        proof.end = self.nodes + self.nodes.max(LEAST_NODES);
        self.root.begin_line(0);
        while proof.moves <= proof.most {
            match self.mate_at_root(shared, proof) {
                Ok(Some(line)) => {
                    let score = mate_in(2 * proof.moves as usize - 1);
                    self.root.prove(&line, score);
                    return true;
                }
                Ok(None) => proof.moves += 1,
                Err(Interrupted) => return false,
            }
        }
        true
    }

    /// The line of a mate at the root in exactly [`MateProof::moves`].
    fn mate_at_root(
        &mut self,
        shared: &Shared,
        proof: &mut MateProof,
    ) -> Result<Option<Vec<Move>>, Interrupted> {
        let moves = proof.moves;
        let choices: Vec<Move> = self
            .root
            .choices()
            .iter()
            .map(|root_move| root_move.first)
            .collect();
        for m in choices {
            let child = self.step(shared, proof, &shared.game.position, m)?;
            if self.is_mated(shared, proof, &child, moves - 1)? {
                let mut line = vec![m];
                self.complete(shared, proof, &child, moves - 1, &mut line)?;
                return Ok(Some(line));
            }
        }
        Ok(None)
    }

    /// Whether the side to move gives mate in at most so many moves, whatever the other side answers.
    fn mates(
        &mut self,
        shared: &Shared,
        proof: &mut MateProof,
        position: &Position,
        moves: u32,
    ) -> Result<bool, Interrupted> {
        if position.halfmove_clock() >= 100 {
            return Ok(false);
        }
        // the fifty-move rule depends on more than the position
        let keeps = u32::from(position.halfmove_clock()) + 2 * moves < 100;
        if let Some(known) = proof.recall(position.key(), moves).filter(|_| keeps) {
            return Ok(known);
        }
        let mut children: Vec<(u32, Position)> = Vec::new();
        for &m in &position.legal_moves() {
            let child = self.step(shared, proof, position, m)?;
            // checks with few answers first; the last move is a check
            if child.in_check() {
                children.push((child.count_moves(), child));
            } else if moves > 1 {
                children.push((u32::MAX, child));
            }
        }
        children.sort_by_key(|child| child.0);
        let mut found = false;
        for (_, child) in children {
            found = self.is_mated(shared, proof, &child, moves - 1)?;
            if found {
                break;
            }
        }
        if keeps {
            proof.remember(position.key(), moves, found);
        }
        Ok(found)
    }

    /// Whether the side to move is mated, or will be in so many moves of the other side whatever it answers.
    fn is_mated(
        &mut self,
        shared: &Shared,
        proof: &mut MateProof,
        position: &Position,
        moves: u32,
    ) -> Result<bool, Interrupted> {
        let mut answers = position.legal_moves();
        if answers.is_empty() {
            return Ok(position.in_check());
        }
        let came_twice = || {
            let before = shared.game.history.iter();
            before.filter(|&&key| key == position.key()).count() >= 2
        };
        if moves == 0 || position.halfmove_clock() >= 100 || position.insufficient_material() || came_twice()
        {
            return Ok(false);
        }
        let refutation = proof.refutations[moves as usize];
        if let Some(place) = answers.iter().position(|&answer| Some(answer) == refutation) {
            answers.swap(0, place);
        }
        for &answer in &answers {
            let child = self.step(shared, proof, position, answer)?;
            if !self.mates(shared, proof, &child, moves)? {
                proof.refutations[moves as usize] = Some(answer);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Continues the line of a mate: the longest defence, and against it the shortest way.
    fn complete(
        &mut self,
        shared: &Shared,
        proof: &mut MateProof,
        position: &Position,
        moves: u32,
        line: &mut Vec<Move>,
    ) -> Result<(), Interrupted> {
        // what is proved already takes few nodes; the turn must not end in between
        proof.end = u64::MAX;
        let mut longest: Option<(u32, Move)> = None;
        for &answer in &position.legal_moves() {
            let child = self.step(shared, proof, position, answer)?;
            let mut needed = moves;
            while needed > 1 && self.mates(shared, proof, &child, needed - 1)? {
                needed -= 1;
            }
            if longest.is_none_or(|(most, _)| needed > most) {
                longest = Some((needed, answer));
            }
        }
        let Some((needed, answer)) = longest else {
            return Ok(());
        };
        line.push(answer);
        let child = self.step(shared, proof, position, answer)?;
        for &m in &child.legal_moves() {
            let next = self.step(shared, proof, &child, m)?;
            if self.is_mated(shared, proof, &next, needed - 1)? {
                line.push(m);
                return self.complete(shared, proof, &next, needed - 1, line);
            }
        }
        Ok(())
    }

    /// The position after a move, counted as a node.
    fn step(
        &mut self,
        shared: &Shared,
        proof: &MateProof,
        position: &Position,
        m: Move,
    ) -> Result<Position, Interrupted> {
        if self.is_over(shared) || self.nodes >= proof.end {
            return Err(Interrupted);
        }
        self.count_node(shared);
        Ok(position.after(m))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_is_known_for_as_many_moves_as_it_takes_and_for_more() {
        let mut proof = MateProof::new(9);
        proof.remember(7, 2, false);
        proof.remember(7, 4, true);
        let known = [1, 2, 3, 4, 5].map(|moves| proof.recall(7, moves));
        assert_eq!(known, [Some(false), Some(false), None, Some(true), Some(true)]);
        // another position that would have the same place
        assert_eq!(proof.recall(7 + REMEMBERED as u64, 4), None);
    }
}
