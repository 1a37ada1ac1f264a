//! What would happen next if one side passed.

use super::Scene;
use super::exchange::{best, kind_on, passed, value_of};
use crate::board::{Move, PieceType, Position, Square};

/// The moves that mate at once.
fn mates(position: &Position) -> Vec<Move> {
    let mut moves: Vec<Move> = position.legal_moves().into_iter().collect();
    moves.retain(|&m| {
        let after = position.after(m);
        after.in_check() && !after.has_moves()
    });
    moves
}

fn mates_by(position: &Position, from: Square, to: Square) -> bool {
    mates(position).iter().any(|m| m.from() == from && m.to() == to)
}

fn is_prey(kind: Option<PieceType>) -> bool {
    kind.is_some_and(|kind| kind != PieceType::King)
}

pub(super) fn threatens_mate(scene: &Scene, from: Square, to: Square) -> bool {
    passed(scene.after).is_some_and(|position| mates_by(&position, from, to))
        && mates(scene.before).is_empty()
}

pub(super) fn threatens_capture(scene: &Scene, target: Square, centipawns: i32) -> bool {
    is_prey(kind_on(scene.after, target, !scene.mover))
        && passed(scene.after).is_some_and(|position| best(&position, target) == centipawns)
        && centipawns > 0
        && best(scene.before, target) == 0
}

pub(super) fn ignores_mate(scene: &Scene, from: Square, to: Square) -> bool {
    let played = scene.line.at(scene.ply + 1);
    passed(scene.before).is_some_and(|position| mates_by(&position, from, to))
        && played.is_some_and(|m| m.from() == from && m.to() == to)
        && mates_by(scene.after, from, to)
}

pub(super) fn ignores_capture(scene: &Scene, target: Square) -> bool {
    let Some(answer) = scene.line.at(scene.ply + 1) else {
        return false;
    };
    let stayed = scene.before.piece_on(target) == scene.after.piece_on(target);
    is_prey(kind_on(scene.after, target, scene.mover))
        && stayed
        && passed(scene.before).is_some_and(|position| best(&position, target) > 0)
        && answer.is_capture()
        && answer.to() == target
        && value_of(scene.after, answer) > 0
}
