//! Mates, stalemates and castling.

use super::Scene;
use super::exchange::{balance, kind_on, sees};
use crate::board::{PieceType, Square, Wing};

pub(super) fn mate(scene: &Scene, king: Square) -> bool {
    kind_on(scene.after, king, !scene.mover) == Some(PieceType::King)
        && Square::all()
            .filter(|&square| kind_on(scene.after, square, scene.mover).is_some())
            .any(|square| sees(scene.after, square, king))
        && scene.after.legal_moves().is_empty()
}

pub(super) fn back_rank_mate(scene: &Scene, king: Square, attacker: Square) -> bool {
    let back = (!scene.mover).back_rank();
    let forward = if back == 0 { 1 } else { 6 };
    let files = king.file().saturating_sub(1)..=(king.file() + 1).min(7);
    let heavy = matches!(
        kind_on(scene.after, attacker, scene.mover),
        Some(PieceType::Rook | PieceType::Queen)
    );
    mate(scene, king)
        && king.rank() == back
        && attacker.rank() == back
        && heavy
        && sees(scene.after, attacker, king)
        && files
            .map(|file| Square::at(file, forward))
            .all(|square| kind_on(scene.after, square, !scene.mover).is_some())
}

pub(super) fn stalemate_trick(scene: &Scene, square: Square) -> bool {
    let Some(answer) = scene.line.at(scene.ply + 1) else {
        return false;
    };
    let end = scene.line.after(scene.ply + 1);
    kind_on(scene.after, square, scene.mover).is_some()
        && answer.is_capture()
        && answer.to() == square
        && balance(end, scene.mover) <= -200
        && end.legal_moves().is_empty()
        && !end.in_check()
}

pub(super) fn loses_castling(scene: &Scene, king_side: bool, queen_side: bool) -> bool {
    let lost = |wing| {
        scene.before.castling().has(scene.mover, wing) && !scene.after.castling().has(scene.mover, wing)
    };
    !scene.m.is_castling()
        && (king_side || queen_side)
        && king_side == lost(Wing::King)
        && queen_side == lost(Wing::Queen)
}
