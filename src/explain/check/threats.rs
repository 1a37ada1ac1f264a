//! What would happen next if one side passed.

use super::Scene;
use super::exchange::{best, kind_on, passed, takings, value_of};
use crate::board::{Move, Piece, PieceType, Position, Square};

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

pub(super) fn cannot_take(scene: &Scene, square: Square) -> bool {
    let Some(answer) = scene.line.at(scene.ply + 1) else {
        return false;
    };
    let trades = || {
        let [one, other] =
            [square, answer.from()].map(|square| scene.after.piece_on(square).map(Piece::kind));
        matches!(one, Some(PieceType::Queen | PieceType::Rook))
            && one == other
            && value_of(scene.after, answer) >= 0
    };
    kind_on(scene.after, square, scene.mover).is_some()
        && answer.is_capture()
        && answer.to() == square
        && (value_of(scene.after, answer) >= 100 && scene.pays() || scene.mates() && trades())
}

pub(super) fn taking_costs(scene: &Scene, square: Square) -> bool {
    let takes =
        |answer: Move| answer.is_capture() && answer.to() == square && value_of(scene.after, answer) >= 100;
    kind_on(scene.after, square, scene.mover).is_some() && scene.line.at(scene.ply + 1).is_some_and(takes)
}

pub(super) fn seems_to_win(scene: &Scene, square: Square, piece: PieceType) -> bool {
    scene.m.is_capture()
        && scene.m.to() == square
        && kind_on(scene.before, square, !scene.mover) == Some(piece)
        && value_of(scene.before, scene.m) >= 300
}

pub(super) fn now_fails(scene: &Scene, from: Square, to: Square) -> bool {
    let is_it = |m: &Move| m.from() == from && m.landing() == to && m.is_quiet();
    let could_go = |position: Position| position.legal_moves().iter().any(is_it);
    scene.line.at(scene.ply + 1).is_some_and(|answer| is_it(&answer))
        && scene.before.passed().is_some_and(could_go)
        && scene.pays()
}

/// Whether the side to move wins something at once: by captures, or by a promotion that nothing takes.
fn wins_at_once(position: &Position) -> bool {
    position.legal_moves().into_iter().any(|m| {
        let wins = m.is_capture() && value_of(position, m) > 0;
        wins || m.promoted().is_some() && value_of(position, m) > takings(position, m) / 2
    })
}

pub(super) fn zugzwang(scene: &Scene, king: Square, proved: bool) -> bool {
    let answers = scene.after.legal_moves();
    let gives_up = |m| value_of(scene.after, m) <= 0 && wins_at_once(&scene.after.after(m));
    kind_on(scene.after, king, !scene.mover) == Some(PieceType::King)
        && passed(scene.after).is_some_and(|position| !wins_at_once(&position))
        && !answers.is_empty()
        && (!proved || answers.into_iter().all(gives_up))
}
