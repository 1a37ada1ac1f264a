//! Checks that never end, by a closed set of positions: whatever is answered leads back into it.

use super::Scene;
use super::exchange::{balance, kind_on};
use crate::board::{PieceType, Position, Square};
use std::collections::HashMap;

/// How many positions after checks a proof may look at.
const BUDGET: usize = 1_500;

/// A position after a check: of each answer, the positions after the next checks. An answer that stalemates the side
/// that checks needs none.
struct Node {
    answers: Vec<Vec<usize>>,
    holds: bool,
}

pub(super) fn confirms(scene: &Scene, king: Square) -> bool {
    kind_on(scene.after, king, !scene.mover) == Some(PieceType::King)
        && scene.after.in_check()
        && scene.after.has_moves()
        && balance(scene.after, scene.mover) <= -100
        && is_perpetual(scene.after)
}

/// Whether the side that has just given check can do so for ever.
fn is_perpetual(start: &Position) -> bool {
    let mut nodes = explored(start);
    loop {
        let lost: Vec<usize> = (0..nodes.len())
            .filter(|&index| nodes[index].holds)
            .filter(|&index| {
                let goes_on = |next: &Vec<usize>| next.iter().any(|&next| nodes[next].holds);
                !nodes[index].answers.iter().all(goes_on)
            })
            .collect();
        for &index in &lost {
            nodes[index].holds = false;
        }
        if lost.is_empty() || !nodes[0].holds {
            return nodes[0].holds;
        }
    }
}

/// The positions after checks that may follow, the first one at the beginning. They come in layers, each one check deeper;
/// those of a layer that goes beyond the budget do not hold. A layer is taken whole, so that the order of the moves, which
/// the colour changes, decides nothing.
fn explored(start: &Position) -> Vec<Node> {
    let mut places = vec![*start];
    let mut known = HashMap::from([(start.key(), 0)]);
    let mut nodes: Vec<Node> = Vec::new();
    while nodes.len() < places.len() {
        let layer = nodes.len()..places.len();
        let holds = layer.end <= BUDGET;
        for index in layer {
            let position = places[index];
            let answers = match holds {
                true => answers_to(&position, &mut places, &mut known),
                false => Vec::new(),
            };
            nodes.push(Node { answers, holds });
        }
    }
    nodes
}

/// For each answer to a check, the places of the positions after the next checks, the new ones added.
fn answers_to(
    position: &Position,
    places: &mut Vec<Position>,
    known: &mut HashMap<u64, usize>,
) -> Vec<Vec<usize>> {
    let mut answers = Vec::new();
    for answer in position.legal_moves() {
        let turned = position.after(answer);
        if !turned.in_check() && !turned.has_moves() {
            continue;
        }
        let mut next = Vec::new();
        for check in turned.legal_moves() {
            let after = turned.after(check);
            if after.in_check() {
                next.push(*known.entry(after.key()).or_insert_with(|| {
                    places.push(after);
                    places.len() - 1
                }));
            }
        }
        answers.push(next);
    }
    answers
}
