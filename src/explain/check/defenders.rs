//! Guards taken, lured away, cut off or asked too much, and moves put in between.

use super::Scene;
use super::exchange::{
    best, capturable, is_between, kind_on, passed, sees, takings, value_of, wins_by, would_win,
};
use crate::board::{Color, Move, PieceType, Position, Square};

/// Whether the mover's next move wins the opponent's piece on `target`, by a piece that attacked it before this move
/// already, or attacks it because the moved piece stood between, when no captures would have won it, and whether the mover
/// is ahead in the end.
fn falls_next(scene: &Scene, target: Square) -> bool {
    let Some((_, next)) = scene.next_two() else {
        return false;
    };
    let then = scene.line.before(scene.ply + 2);
    let there = scene.before.piece_on(target);
    next.is_capture()
        && next.to() == target
        && there.is_some_and(|piece| piece.color() != scene.mover && piece.kind() != PieceType::King)
        && then.piece_on(target) == there
        && scene.before.piece_on(next.from()) == Some(next.piece())
        && (sees(scene.before, next.from(), target)
            || is_between(scene.m.from(), next.from(), target) && sees(scene.after, next.from(), target))
        && value_of(then, next) > 0
        && best(scene.before, target) == 0
        && scene.gains_by_the_next_move()
}

/// Whether the opponent's piece on a square guards what stands on another one.
fn guards(scene: &Scene, position: &Position, guard: Square, ward: Square) -> bool {
    guard != ward && kind_on(position, guard, !scene.mover).is_some() && sees(position, guard, ward)
}

pub(super) fn overloaded(scene: &Scene, defender: Square, first: Square, second: Square) -> bool {
    let Some((answer, _)) = scene.next_two() else {
        return false;
    };
    scene.m.is_capture()
        && scene.m.to() == first
        && first != second
        && guards(scene, scene.before, defender, first)
        && guards(scene, scene.before, defender, second)
        && answer.from() == defender
        && answer.to() == first
        && falls_next(scene, second)
}

pub(super) fn removed(scene: &Scene, defender: Square, target: Square) -> bool {
    let exposed = passed(scene.after).is_none_or(|position| best(&position, target) > 0);
    scene.m.is_capture()
        && scene.m.to() == defender
        && kind_on(scene.before, defender, !scene.mover).is_some()
        && guards(scene, scene.before, defender, target)
        && exposed
        && falls_next(scene, target)
}

pub(super) fn deflection(scene: &Scene, defender: Square, target: Square) -> bool {
    let Some((answer, next)) = scene.next_two() else {
        return false;
    };
    let took_offer = answer.is_capture() && answer.to() == scene.m.landing();
    let chased =
        kind_on(scene.after, defender, !scene.mover) == Some(PieceType::King) && scene.after.in_check();
    let then = scene.line.before(scene.ply + 2);
    let offers = !scene.m.is_capture() || value_of(scene.before, scene.m) < 0;
    let end = scene.line.after(scene.ply + 2);
    let queens = next
        .promoted()
        .is_some_and(|piece| piece.kind() == PieceType::Queen)
        && !capturable(end, target)
        && guarded_where_it_goes(scene, next, defender, target);
    let mates = || end.in_check() && !end.has_moves();
    let checks = || offers && end.in_check() && scene.pays();
    (queens || guards(scene, scene.before, defender, target))
        && target != scene.m.landing()
        && answer.from() == defender
        && (took_offer || chased)
        && !guards(scene, then, answer.landing(), target)
        && (queens
            || offers && falls_next(scene, target)
            || (mates() || checks()) && guarded_where_it_goes(scene, next, defender, target))
}

/// Whether the next move goes to a square on which the guard could have taken the same move before.
fn guarded_where_it_goes(scene: &Scene, next: Move, guard: Square, target: Square) -> bool {
    let same = |m: &Move| (m.from(), m.to(), m.promoted()) == (next.from(), next.to(), next.promoted());
    let taken_before = |m: Move| {
        let answers = scene.before.after(m).legal_moves();
        answers.iter().any(|m| m.from() == guard && m.to() == target)
    };
    next.landing() == target
        && scene
            .before
            .legal_moves()
            .into_iter()
            .find(same)
            .is_some_and(taken_before)
}

pub(super) fn attraction(scene: &Scene, from: Square, square: Square) -> bool {
    let Some((answer, next)) = scene.next_two() else {
        return false;
    };
    let then = scene.line.after(scene.ply + 2);
    let caught = match answer.piece().kind() {
        PieceType::King => then.in_check(),
        PieceType::Queen | PieceType::Rook => {
            next.to() != square && Square::all().any(|by| would_win(then, by, square))
        }
        _ => false,
    };
    scene.m.landing() == square
        && answer.is_capture()
        && answer.from() == from
        && answer.to() == square
        && value_of(scene.before, scene.m) <= 0
        && caught
        && scene.pays()
}

pub(super) fn interference(scene: &Scene, square: Square, slider: Square, target: Square) -> bool {
    let Some((answer, _)) = scene.next_two() else {
        return false;
    };
    scene.m.landing() == square
        && !scene.m.is_castling()
        && guards(scene, scene.before, slider, target)
        && is_between(square, slider, target)
        && !guards(scene, scene.after, slider, target)
        && answer.from() != slider
        && !guards(scene, scene.line.before(scene.ply + 2), slider, target)
        && falls_next(scene, target)
}

pub(super) fn intermezzo(scene: &Scene, recapture: Square) -> bool {
    if scene.ply == 0 {
        return checks_before_taking(scene, recapture);
    }
    let (Some(before), Some((_, next))) = (
        scene.ply.checked_sub(1).and_then(|ply| scene.line.at(ply)),
        scene.next_two(),
    ) else {
        return false;
    };
    let could_take_back = Square::all().any(|from| wins_by(scene.before, from, recapture) > 0);
    before.is_capture()
        && before.landing() == recapture
        && could_take_back
        && scene.m.landing() != recapture
        && (scene.after.in_check() || takings(scene.before, scene.m) > 0)
        && next.is_capture()
        && next.to() == recapture
        && value_of(scene.line.before(scene.ply + 2), next) > 0
}

/// Whether the first moves of a line give check before the piece on a square is taken that could have been taken at once.
fn checks_before_taking(scene: &Scene, taken: Square) -> bool {
    let (line, there) = (scene.line, scene.before.piece_on(taken));
    let is_deep = match scene.mover {
        Color::White => taken.rank() < 2,
        Color::Black => taken.rank() > 5,
    };
    let takes = |ply: usize| {
        let stays = line.len() > ply && line.before(ply).piece_on(taken) == there;
        let wins = |m: Move| m.is_capture() && m.to() == taken && value_of(line.before(ply), m) > 0;
        stays && line.at(ply).is_some_and(wins)
    };
    let checks = |ply: usize| line.len() > ply && line.after(ply).in_check();
    let is_piece = kind_on(scene.before, taken, !scene.mover).is_some_and(|kind| kind != PieceType::Pawn);
    is_piece
        && is_deep
        && best(scene.before, taken) >= 300
        && scene.m.landing() != taken
        && checks(0)
        && (takes(2) || checks(2) && takes(4))
}
