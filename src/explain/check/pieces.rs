//! Single pieces: taken for nothing, left to be taken, trapped.

use super::Scene;
use super::exchange::{best, capturable, kind_on, passed, takings};
use crate::board::{PieceType, Position, Square};

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

/// Whether there is a move after which captures on the square where the piece then stands win no more than the move
/// itself took.
fn can_be_saved(position: &Position, square: Square) -> bool {
    position.legal_moves().into_iter().any(|m| {
        let stands = if m.from() == square { m.landing() } else { square };
        best(&position.after(m), stands) <= takings(position, m)
    })
}
