//! Two things attacked at once.

use super::Scene;
use super::exchange::{kind_on, sees, takeable, wins_by, would_win};
use crate::board::{PieceType, Square};

pub(super) fn fork(scene: &Scene, by: Square, targets: &[Square]) -> bool {
    let attacked = |&target: &Square| {
        let king = match kind_on(scene.after, target, !scene.mover) {
            None => return false,
            Some(kind) => kind == PieceType::King,
        };
        sees(scene.after, by, target) && (king || would_win(scene.after, by, target))
    };
    let is_new = targets
        .iter()
        .any(|&target| !sees(scene.before, scene.m.from(), target));
    scene.m.landing() == by
        && !scene.m.is_castling()
        && targets.len() >= 2
        && targets.is_sorted_by(|a, b| a < b)
        && targets.iter().all(attacked)
        && is_new
        && !takeable(scene.after, by)
}

pub(super) fn attack(scene: &Scene, attackers: &[Square], targets: &[Square]) -> bool {
    let ([a, b], [first, second]) = (attackers, targets) else {
        return false;
    };
    let threatens = |&by: &Square, &target: &Square| {
        let stood = if by == scene.m.landing() {
            scene.m.from()
        } else {
            by
        };
        kind_on(scene.after, by, scene.mover).is_some()
            && kind_on(scene.after, target, !scene.mover).is_some_and(|kind| kind != PieceType::King)
            && would_win(scene.after, by, target)
            && wins_by(scene.before, stood, target) == 0
            && !(scene.before.in_check() && sees(scene.before, stood, target))
            && !takeable(scene.after, by)
    };
    a != b && first != second && threatens(a, first) && threatens(b, second)
}

pub(super) fn check(scene: &Scene, king: Square, checkers: &[Square]) -> bool {
    let gives_check =
        |&by: &Square| kind_on(scene.after, by, scene.mover).is_some() && sees(scene.after, by, king);
    kind_on(scene.after, king, !scene.mover) == Some(PieceType::King)
        && matches!(checkers, [a, b] if a != b)
        && checkers.iter().all(gives_check)
}
