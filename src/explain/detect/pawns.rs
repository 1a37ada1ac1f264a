//! Promotions, and pawns that nobody can stop.

use super::{Found, View};
use crate::board::{Bitboard, Color, PieceType, Square};
use crate::explain::claim::{Motif, Underpromotion};

/// How many pushes away from its last rank a pawn may be: its way is proved by trying every answer.
const FARTHEST: u8 = 5;

pub(super) fn find(view: &View, found: &mut Found) {
    if let Some(piece) = view.m.promoted() {
        let (square, piece) = (view.m.to(), piece.kind());
        found.push(Motif::Promotion { square, piece });
        if piece != PieceType::Queen {
            found.push(Motif::Underpromotion {
                square,
                piece,
                reason: Underpromotion::AvoidsTrick,
            });
            let reason = match (view.after.in_check(), view.after.has_moves()) {
                (true, false) => Underpromotion::Mates,
                (true, true) => Underpromotion::Checks,
                (false, _) => Underpromotion::AvoidsStalemate,
            };
            found.push(Motif::Underpromotion {
                square,
                piece,
                reason,
            });
        }
    }
    if !view.after.has_pieces(!view.us) {
        for pawn in view.after.pieces(view.us, PieceType::Pawn) {
            if outruns(view, pawn) {
                found.push(Motif::UnstoppablePawn { pawn });
            }
        }
    }
}

/// Whether the pawn's way is free of pieces and the king, about to move, is too far for it.
fn outruns(view: &View, pawn: Square) -> bool {
    let last = (!view.us).back_rank();
    let goal = Square::at(pawn.file(), last);
    let pushes = goal.rank().abs_diff(pawn.rank());
    let start = match view.us {
        Color::White => 1,
        Color::Black => 6,
    };
    let moves = pushes - u8::from(pawn.rank() == start);
    let way = (0..8)
        .filter(|rank| (pawn.rank().min(last)..=pawn.rank().max(last)).contains(rank))
        .map(|rank| Square::at(pawn.file(), rank))
        .filter(|&square| square != pawn)
        .collect::<Bitboard>();
    let king = view.after.king(!view.us);
    let distance = goal
        .rank()
        .abs_diff(king.rank())
        .max(goal.file().abs_diff(king.file()));
    moves <= FARTHEST && (way & view.after.occupied()).is_empty() && distance > moves
}
