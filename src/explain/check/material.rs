//! Material gained by a line, and material offered.

use super::Scene;
use super::exchange::{balance, best, keeps, kind_on, takings, worth};
use crate::board::{Color, Move, PieceType, Position, Square};
use crate::explain::claim::{Counts, Motif};
use crate::explain::line::Line;

pub(super) fn material(scene: &Scene, motif: &Motif) -> bool {
    let Motif::Material {
        winner,
        centipawns,
        won,
        lost,
        promoted,
    } = *motif
    else {
        return false;
    };
    let (start, end) = (scene.line.start(), scene.line.end());
    let gained = balance(end, winner) - balance(start, winner);
    scene.ply + 1 == scene.line.len()
        && centipawns >= 100
        && gained == centipawns
        && won == disappeared(scene.line, !winner)
        && lost == disappeared(scene.line, winner)
        && promoted == became(scene.line, winner)
        && keeps(end, winner, balance(start, winner) + centipawns)
}

/// How many of each kind a player has.
fn count(position: &Position, color: Color) -> Counts {
    let mut counts = Counts::default();
    for kind in Square::all().filter_map(|square| kind_on(position, square, color)) {
        if let Some(count) = counts.get_mut(kind.index()) {
            *count += 1;
        }
    }
    counts
}

/// What a player loses while the other moves, by counting the board before and after.
fn disappeared(line: &Line, color: Color) -> Counts {
    let mut counts = Counts::default();
    for ply in (0..line.len()).filter(|&ply| line.mover(ply) != color) {
        let (before, after) = (count(line.before(ply), color), count(line.after(ply), color));
        for kind in 0..counts.len() {
            counts[kind] += before[kind] - after[kind];
        }
    }
    counts
}

/// What a player's pawns become, by counting its pieces before and after its own moves.
fn became(line: &Line, color: Color) -> Counts {
    let mut counts = Counts::default();
    for ply in (0..line.len()).filter(|&ply| line.mover(ply) == color) {
        let (before, after) = (count(line.before(ply), color), count(line.after(ply), color));
        for kind in 1..counts.len() {
            counts[kind] += after[kind] - before[kind];
        }
    }
    counts
}

pub(super) fn sacrifice(scene: &Scene, square: Square, piece: PieceType, centipawns: i32) -> bool {
    let cost = best(scene.after, square) - takings(scene.before, scene.m);
    let taken_by = |m: Move| m.is_capture() && m.to() == square;
    let [answer, next, last] = [1, 2, 3].map(|later| scene.line.at(scene.ply + later));
    let is_taken = answer.is_some_and(taken_by);
    let after_a_check = || {
        scene.line.after(scene.ply + 1).in_check()
            && next.is_some_and(|next| next.from() != square)
            && last.is_some_and(taken_by)
    };
    let is_made_up_for = || {
        let takes = next.is_some_and(|next| next.is_capture() && next.to() != square);
        takes
            && keeps(
                scene.line.after(scene.ply + 2),
                scene.mover,
                balance(scene.before, scene.mover),
            )
    };
    let is_a_piece_for_pawns = matches!(piece, PieceType::Knight | PieceType::Bishop);
    scene.m.landing() == square
        && kind_on(scene.after, square, scene.mover) == Some(piece)
        && (is_taken && !is_made_up_for() || !is_taken && answer.is_some() && after_a_check())
        && (is_a_piece_for_pawns && cost >= 100 || cost >= 200 && 5 * cost >= 2 * worth(piece))
        && cost == centipawns
}
