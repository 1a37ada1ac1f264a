//! Single pieces: taken for nothing, left to be taken, trapped.

use super::Scene;
use super::exchange::{
    best, capturable, captures_on, is_between, kind_on, passed, sees, takings, value_of, wins_by,
};
use crate::board::{Move, PieceType, Position, Square};

pub(super) fn takes_free(scene: &Scene, square: Square, piece: PieceType) -> bool {
    let before = scene.ply.checked_sub(1).and_then(|ply| scene.line.at(ply));
    let takes_back = before.is_some_and(|m| m.is_capture() && m.landing() == square);
    scene.m.to() == square
        && kind_on(scene.before, square, !scene.mover) == Some(piece)
        && !capturable(scene.after, square)
        && !takes_back
}

pub(super) fn leaves_en_prise(scene: &Scene, square: Square, piece: PieceType, centipawns: i32) -> bool {
    let taken = if scene.m.landing() == square {
        takings(scene.before, scene.m)
    } else {
        0
    };
    let loss = best(scene.after, square);
    kind_on(scene.after, square, scene.mover) == Some(piece) && loss == centipawns && loss > taken
}

pub(super) fn opens_line(scene: &Scene, slider: Square, target: Square) -> bool {
    let slides = matches!(
        kind_on(scene.after, slider, !scene.mover),
        Some(PieceType::Bishop | PieceType::Rook | PieceType::Queen)
    );
    slides
        && scene.m.landing() != target
        && is_between(scene.m.from(), slider, target)
        && strikes(scene, 1).is_some_and(|answer| answer.from() == slider && answer.landing() == target)
}

/// The opponent's moves after a move, in plies from it, that may go where that has left something unguarded.
const STRIKES: [usize; 2] = [1, 3];

pub(super) fn leaves_guard(scene: &Scene, target: Square) -> bool {
    STRIKES
        .into_iter()
        .any(|later| is_struck_unguarded(scene, target, later))
}

fn is_struck_unguarded(scene: &Scene, target: Square, later: usize) -> bool {
    if strikes(scene, later).is_none_or(|strike| strike.landing() != target) {
        return false;
    }
    let after = scene.line.after(scene.ply + later);
    let mut stayed = passed(scene.before);
    for m in (1..=later).filter_map(|ply| scene.line.at(scene.ply + ply)) {
        let is_legal = |position: &Position| position.legal_moves().into_iter().any(|legal| legal == m);
        stayed = stayed.filter(is_legal).map(|position| position.after(m));
    }
    let takes_back = |struck: Position| wins_by(&struck, scene.m.from(), target) > 0;
    let is_safe = best(after, target) == 0 || draws_king(scene, target, later);
    !sees(after, scene.m.landing(), target) && is_safe && stayed.is_some_and(takes_back)
}

/// Whether nothing but the king takes what has struck, and is in check again after that.
fn draws_king(scene: &Scene, target: Square, later: usize) -> bool {
    let [taking, next] = [later + 1, later + 2].map(|ply| scene.line.at(scene.ply + ply));
    let by_king = |m: Move| m.piece().kind() == PieceType::King && m.is_capture() && m.to() == target;
    captures_on(scene.line.after(scene.ply + later), target)
        .into_iter()
        .all(by_king)
        && taking.is_some_and(by_king)
        && next.is_some()
        && scene.line.after(scene.ply + later + 2).in_check()
}

/// The opponent's move after so many plies, if it takes something; the answer also if it gives check.
fn strikes(scene: &Scene, later: usize) -> Option<Move> {
    let strike = scene.line.at(scene.ply + later)?;
    let checks = || later == 1 && scene.line.after(scene.ply + later).in_check();
    (strike.is_capture() || checks()).then_some(strike)
}

pub(super) fn trapped(scene: &Scene, square: Square, piece: PieceType) -> bool {
    let has_value = !matches!(piece, PieceType::Pawn | PieceType::King);
    let was_free = best(scene.before, square) == 0
        || passed(scene.before).is_some_and(|before| can_be_saved(&before, square));
    has_value
        && kind_on(scene.after, square, !scene.mover) == Some(piece)
        && passed(scene.after).is_some_and(|position| best(&position, square) > 0)
        && !can_be_saved(scene.after, square)
        && was_free
}

/// Whether there is a move after which captures on the square where the piece then stands, or of what has moved, win no
/// more than the move itself took; or the piece has moved, and whoever takes it leaves as much to be taken.
fn can_be_saved(position: &Position, square: Square) -> bool {
    position.legal_moves().into_iter().any(|m| {
        let stands = if m.from() == square { m.landing() } else { square };
        let (after, taken) = (position.after(m), takings(position, m));
        let is_won = best(&after, stands).max(best(&after, m.landing())) > taken;
        !is_won || m.from() == square && falls_for(&after, stands) <= taken
    })
}

/// What captures on a square win where the answer may be any capture.
fn falls_for(position: &Position, square: Square) -> i32 {
    let worth = |m: Move| {
        let after = position.after(m);
        let answers = after
            .legal_moves()
            .into_iter()
            .filter(|answer| answer.is_capture());
        takings(position, m) - answers.map(|answer| value_of(&after, answer)).fold(0, i32::max)
    };
    captures_on(position, square)
        .into_iter()
        .map(worth)
        .fold(0, i32::max)
}
