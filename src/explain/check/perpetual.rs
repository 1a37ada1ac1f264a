//! Checks that never end, by a closed set of positions: whatever is answered leads back into it.

use super::Scene;
use super::exchange::{balance, kind_on};
use crate::board::{Color, Move, PieceType, Position, Square};
use std::cmp::Reverse;
use std::collections::HashMap;

/// How many positions after checks a proof may look at.
const BUDGET: usize = 1_500;

pub(super) fn confirms(scene: &Scene, king: Square) -> bool {
    kind_on(scene.after, king, !scene.mover) == Some(PieceType::King)
        && balance(scene.after, scene.mover) <= 0
        && is_perpetual(scene.after)
}

/// Whether the side that has just moved gives check and can do so for ever, or until it is stalemated.
pub fn is_perpetual(start: &Position) -> bool {
    start.in_check() && start.has_moves() && Proof::new(start).succeeds()
}

/// The attempt at a proof: every answer gets one next check, another one if that fails, until none is without.
struct Proof {
    /// Positions after checks, in the order in which they were met.
    nodes: Vec<Node>,
    known: HashMap<u64, usize>,
    /// How many of them were explored.
    explored: usize,
    /// The answers that are without a check.
    open: Vec<Answer>,
}

/// A position after a check.
struct Node {
    position: Position,
    /// For each answer the positions after the checks that may follow, the next one to try last. An answer that stalemates
    /// the side that checks needs none, and is left out.
    checks: Vec<Vec<Position>>,
    /// The answers to which this check was chosen.
    chosen_by: Vec<Answer>,
    fails: bool,
}

/// A node and the number of an answer to its check.
type Answer = (usize, usize);

impl Proof {
    fn new(start: &Position) -> Proof {
        let mut proof = Proof {
            nodes: Vec::new(),
            known: HashMap::new(),
            explored: 0,
            open: Vec::new(),
        };
        proof.place_of(start);
        proof
    }

    fn succeeds(mut self) -> bool {
        while !self.nodes[0].fails {
            if let Some(answer) = self.open.pop() {
                self.choose(answer);
            } else if self.explored == self.nodes.len() {
                return true;
            } else if self.explored == BUDGET {
                return false;
            } else {
                self.explore();
            }
        }
        false
    }

    /// The node of a position.
    fn place_of(&mut self, position: &Position) -> usize {
        *self.known.entry(position.key()).or_insert_with(|| {
            self.nodes.push(Node {
                position: *position,
                checks: Vec::new(),
                chosen_by: Vec::new(),
                fails: false,
            });
            self.nodes.len() - 1
        })
    }

    /// Gives an answer its next check. If there is none left, its node fails, and so do the choices that led there.
    fn choose(&mut self, (node, answer): Answer) {
        if self.nodes[node].fails {
            return;
        }
        while let Some(check) = self.next_check(node, answer) {
            let place = self.place_of(&check);
            if !self.nodes[place].fails {
                self.nodes[place].chosen_by.push((node, answer));
                return;
            }
        }
        self.nodes[node].fails = true;
        self.open.append(&mut self.nodes[node].chosen_by);
    }

    /// Takes the next check to try: one that leads back, if there is one.
    fn next_check(&mut self, node: usize, answer: usize) -> Option<Position> {
        let holds = |check: &Position| {
            let place = self.known.get(&check.key());
            place.is_some_and(|&place| !self.nodes[place].fails)
        };
        let checks = &self.nodes[node].checks[answer];
        let next = checks.iter().rposition(holds).or(checks.len().checked_sub(1))?;
        Some(self.nodes[node].checks[answer].remove(next))
    }

    /// Finds the answers to the next check and what may follow them.
    fn explore(&mut self) {
        let place = self.explored;
        self.explored += 1;
        let position = self.nodes[place].position;
        let mut answers: Vec<Move> = position.legal_moves().into_iter().collect();
        answers.sort_by_key(|&m| seen_by_mover(m, position.side_to_move()));
        for answer in answers {
            let turned = position.after(answer);
            if turned.in_check() || turned.has_moves() {
                self.open.push((place, self.nodes[place].checks.len()));
                self.nodes[place].checks.push(checks(&turned));
            }
        }
    }
}

/// The positions after the checks of the side to move, the one with the fewest answers last.
fn checks(position: &Position) -> Vec<Position> {
    let moves = position.legal_moves().into_iter();
    let mut checks: Vec<_> = moves
        .map(|m| (m, position.after(m)))
        .filter(|(_, after)| after.in_check())
        .map(|(m, after)| {
            (
                after.legal_moves().len(),
                seen_by_mover(m, position.side_to_move()),
                after,
            )
        })
        .collect();
    checks.sort_by_key(|&(answers, m, _)| Reverse((answers, m)));
    checks.into_iter().map(|(.., after)| after).collect()
}

/// A move as its player sees it, so that the order of moves is the same for both colours.
fn seen_by_mover(m: Move, mover: Color) -> (usize, usize, usize) {
    let seen = |square: Square| match mover {
        Color::White => square.index(),
        Color::Black => square.flip_rank().index(),
    };
    let promoted = m.promoted().map_or(0, |piece| piece.kind() as usize);
    (seen(m.from()), seen(m.to()), promoted)
}
