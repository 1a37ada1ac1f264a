//! What sliders do along their lines: discoveries, pins, skewers, X-rays.

use super::Scene;
use super::exchange::{
    best, edited, first_two, is_between, kind_on, passed, seen_from, sees, takeable, takings, wins_by, worth,
    worth_on, would_win,
};
use crate::board::{PieceType, Position, Square};

pub(super) fn discovered_check(scene: &Scene, slider: Square, king: Square) -> bool {
    kind_on(scene.after, king, !scene.mover) == Some(PieceType::King) && uncovers(scene, slider, king)
}

pub(super) fn discovered_attack(scene: &Scene, slider: Square, target: Square) -> bool {
    let is_piece = kind_on(scene.after, target, !scene.mover).is_some_and(|kind| kind != PieceType::King);
    is_piece
        && uncovers(scene, slider, target)
        && would_win(scene.after, slider, target)
        && !takeable(scene.after, slider)
}

/// Whether a piece of the mover that did not move sees what it did not see before the move.
fn uncovers(scene: &Scene, slider: Square, target: Square) -> bool {
    let stayed = |square| scene.before.piece_on(square) == scene.after.piece_on(square);
    kind_on(scene.after, slider, scene.mover).is_some()
        && stayed(slider)
        && stayed(target)
        && sees(scene.after, slider, target)
        && !sees(scene.before, slider, target)
}

/// Whether the mover's slider on the first square meets the opponent's piece on the second, and behind it the one on
/// the third.
fn lined_up(scene: &Scene, position: &Position, [slider, front, behind]: [Square; 3]) -> bool {
    let theirs = |square| kind_on(position, square, !scene.mover).is_some();
    kind_on(position, slider, scene.mover).is_some()
        && first_two(position, slider, front) == Some((front, Some(behind)))
        && theirs(front)
        && theirs(behind)
}

/// Whether a piece worth more than the pinned one, or the king, stands behind it.
fn is_pin(scene: &Scene, squares: [Square; 3]) -> bool {
    let [_, pinned, behind] = squares;
    let kinds = (
        kind_on(scene.after, pinned, !scene.mover),
        kind_on(scene.after, behind, !scene.mover),
    );
    let covers_more = match kinds {
        (Some(PieceType::King), _) => false,
        (_, Some(PieceType::King)) => true,
        (Some(front), Some(back)) => worth(back) > worth(front),
        _ => false,
    };
    covers_more && lined_up(scene, scene.after, squares)
}

pub(super) fn pin_prevents_escape(scene: &Scene, squares: [Square; 3]) -> bool {
    let [pinner, pinned, behind] = squares;
    let Some(position) = passed(scene.after) else {
        return false;
    };
    let kind = kind_on(scene.after, pinned, !scene.mover);
    let leaves_line = |to: Square| to != pinner && !is_between(to, pinner, behind);
    let could_leave = seen_from(scene.after, pinned)
        .into_iter()
        .any(|to| leaves_line(to) && kind_on(scene.after, to, !scene.mover).is_none());
    let before_king = kind_on(scene.after, behind, !scene.mover) == Some(PieceType::King);
    let costs = |m: crate::board::Move| {
        let lost = wins_by(&scene.after.after(m), pinner, behind);
        leaves_line(m.landing()) && lost > takings(scene.after, m)
    };
    let stays = scene
        .after
        .legal_moves()
        .into_iter()
        .filter(|m| m.from() == pinned)
        .all(|m| (before_king && m.to() != pinner) || costs(m) || is_between(m.to(), pinner, behind));
    let won_behind = before_king
        || edited(scene.after, Some(pinned), scene.mover)
            .is_some_and(|position| wins_by(&position, pinner, behind) > 0);
    is_pin(scene, squares)
        && kind != Some(PieceType::Pawn)
        && best(&position, pinned) > 0
        && could_leave
        && stays
        && won_behind
        && (!lined_up(scene, scene.before, squares) || best(scene.before, pinned) == 0)
}

pub(super) fn pin_prevents_attack(scene: &Scene, squares: [Square; 3], prey: Square) -> bool {
    let [pinner, pinned, behind] = squares;
    let Some(kind) = kind_on(scene.after, prey, scene.mover).filter(|&kind| kind != PieceType::King) else {
        return false;
    };
    let undefended = Square::all()
        .filter(|&square| kind_on(scene.after, square, scene.mover).is_some())
        .all(|square| !sees(scene.after, square, prey));
    let has_come = scene.m.landing() == prey;
    let attacks_back = || has_come && sees(scene.after, prey, pinned) && would_win(scene.after, prey, pinned);
    let capture = scene
        .after
        .legal_moves()
        .into_iter()
        .find(|m| m.from() == pinned && m.to() == prey);
    let cannot_take = match kind_on(scene.after, behind, !scene.mover) {
        Some(PieceType::King) => capture.is_none(),
        _ => {
            capture.is_some_and(|m| wins_by(&scene.after.after(m), pinner, behind) > takings(scene.after, m))
        }
    };
    let checks = has_come
        && kind_on(scene.after, behind, !scene.mover) == Some(PieceType::King)
        && !scene.after.checkers().more_than_one();
    (!scene.after.in_check() || checks)
        && is_pin(scene, squares)
        && prey != pinner
        && sees(scene.after, pinned, prey)
        && (undefended || worth(kind) > worth_on(scene.after, pinned) || attacks_back())
        && cannot_take
        && (has_come || !lined_up(scene, scene.before, squares))
}

pub(super) fn skewer(scene: &Scene, by: Square, front: Square, behind: Square) -> bool {
    let squares = [by, front, behind];
    let kinds = (
        kind_on(scene.after, front, !scene.mover),
        kind_on(scene.after, behind, !scene.mover),
    );
    let both_fall = match kinds {
        (Some(PieceType::Pawn), _) | (_, Some(PieceType::Pawn | PieceType::King)) => false,
        (Some(PieceType::King), Some(_)) => would_win(scene.after, by, behind),
        (Some(first), Some(second)) => {
            worth(first) >= worth(second)
                && passed(scene.after).is_some_and(|position| wins_by(&position, by, front) > 0)
                && edited(scene.after, Some(front), scene.mover)
                    .is_some_and(|position| wins_by(&position, by, behind) > 0)
        }
        _ => false,
    };
    lined_up(scene, scene.after, squares)
        && !lined_up(scene, scene.before, squares)
        && both_fall
        && !takeable(scene.after, by)
}

pub(super) fn x_ray(scene: &Scene, slider: Square, through: Square, target: Square) -> bool {
    let Some((answer, last)) = scene.next_two() else {
        return false;
    };
    let on_target = [scene.m, answer, last]
        .iter()
        .all(|m| m.is_capture() && m.to() == target);
    on_target
        && last.from() == slider
        && answer.from() == through
        && scene.before.piece_on(slider) == Some(last.piece())
        && is_between(through, slider, target)
        && first_two(scene.before, slider, target) == Some((through, Some(target)))
}
