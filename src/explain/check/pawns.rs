//! Pawns that become something else.

use super::Scene;
use super::exchange::{best, capturable, kind_on};
use super::squares::any;
use crate::board::{Color, Move, PieceType, Position, Square};
use crate::explain::claim::Underpromotion;

/// How many positions the proof that a pawn runs through may visit.
const BUDGET: u32 = 200_000;

pub(super) fn promotion(scene: &Scene, square: Square, piece: PieceType) -> bool {
    kind_on(scene.before, scene.m.from(), scene.mover) == Some(PieceType::Pawn)
        && scene.m.landing() == square
        && piece != PieceType::Pawn
        && kind_on(scene.after, square, scene.mover) == Some(piece)
}

pub(super) fn underpromotion(
    scene: &Scene,
    square: Square,
    piece: PieceType,
    reason: Underpromotion,
) -> bool {
    let to_queen = |m: &Move| {
        (m.from(), m.to()) == (scene.m.from(), scene.m.to())
            && m.promoted() == Some(PieceType::Queen.of(scene.mover))
    };
    let Some(queened) = scene.before.legal_moves().into_iter().find(to_queen) else {
        return false;
    };
    let queened = scene.before.after(queened);
    let (stuck, queened_stuck) = (
        scene.after.legal_moves().is_empty(),
        queened.legal_moves().is_empty(),
    );
    let better = match reason {
        Underpromotion::Mates => scene.after.in_check() && stuck && !(queened.in_check() && queened_stuck),
        Underpromotion::Checks => scene.after.in_check() && !queened.in_check(),
        Underpromotion::AvoidsStalemate => {
            !queened.in_check() && queened_stuck && (!stuck || scene.after.in_check())
        }
        Underpromotion::AvoidsTrick => {
            trick(&queened) && kind_on(scene.after, square, scene.mover).is_some() && !stuck
        }
    };
    piece != PieceType::Queen && promotion(scene, square, piece) && better
}

/// Whether a check is there whose taking is stalemate, while every other reply loses a queen.
fn trick(position: &Position) -> bool {
    let owner = !position.side_to_move();
    let is_stalemate = |position: &Position| !position.in_check() && position.legal_moves().is_empty();
    position
        .legal_moves()
        .into_iter()
        .map(|m| (m, position.after(m)))
        .any(|(check, offered)| {
            let replies = offered.legal_moves();
            let taken = |reply: &Move| reply.is_capture() && reply.to() == check.landing();
            let fails = |reply: &Move| {
                let after = offered.after(*reply);
                taken(reply) && is_stalemate(&after)
                    || any(&after, owner, PieceType::Queen, |queen| best(&after, queen) > 0)
            };
            offered.in_check()
                && replies
                    .iter()
                    .any(|reply| taken(reply) && is_stalemate(&offered.after(*reply)))
                && replies.iter().all(fails)
        })
}

pub(super) fn unstoppable(scene: &Scene, pawn: Square) -> bool {
    let bare = |square| {
        matches!(
            kind_on(scene.after, square, !scene.mover),
            None | Some(PieceType::King | PieceType::Pawn)
        )
    };
    let mut budget = BUDGET;
    kind_on(scene.after, pawn, scene.mover) == Some(PieceType::Pawn)
        && Square::all().all(bare)
        && runs(scene.after, scene.mover, pawn, &mut budget)
        && budget > 0
}

/// Whether the pawn queens safely against every answer, pushed with every move.
fn runs(position: &Position, owner: Color, pawn: Square, budget: &mut u32) -> bool {
    *budget = budget.saturating_sub(1);
    let answers = position.legal_moves();
    *budget > 0
        && !answers.is_empty()
        && answers.into_iter().all(|answer| {
            let position = position.after(answer);
            kind_on(&position, pawn, owner).is_some() && pushes_through(&position, owner, pawn, budget)
        })
}

/// Whether one of the pawn's pushes leads to a queen that stays.
fn pushes_through(position: &Position, owner: Color, pawn: Square, budget: &mut u32) -> bool {
    position
        .legal_moves()
        .into_iter()
        .filter(|m| m.from() == pawn && m.to().file() == pawn.file())
        .filter(|m| m.promoted().is_none_or(|piece| piece.kind() == PieceType::Queen))
        .any(|m| {
            let after = position.after(m);
            if m.promoted().is_some() {
                !capturable(&after, m.to())
            } else {
                runs(&after, owner, m.to(), budget)
            }
        })
}
