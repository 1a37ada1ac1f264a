//! Material gained by the line, material offered by a move.

use super::{Found, View, balance, swap, taken};
use crate::board::{Piece, PieceType, see};
use crate::explain::claim::{Counts, Motif};
use crate::explain::line::Line;

pub(super) fn find(view: &View, found: &mut Found) {
    if view.ply + 1 == view.line.len() {
        found.extend(gain(view.line));
    }
    found.extend(sacrifice(view));
}

/// The material that one side is up after the last move of the line.
pub(super) fn gain(line: &Line) -> Option<Motif> {
    let us = line.start().side_to_move();
    let change = balance(line.end(), us) - balance(line.start(), us);
    if change.abs() < see::value(PieceType::Pawn) {
        return None;
    }
    let winner = if change > 0 { us } else { !us };
    let [mut won, mut lost, mut promoted] = [Counts::default(); 3];
    for (ply, m) in line.moves().iter().enumerate() {
        let wins = line.mover(ply) == winner;
        if let Some(piece) = m.promoted().filter(|_| wins) {
            promoted[piece.kind().index()] += 1;
        }
        if m.is_capture() {
            let victim = line
                .before(ply)
                .piece_on(m.to())
                .map_or(PieceType::Pawn, Piece::kind);
            let tally = if wins { &mut won } else { &mut lost };
            tally[victim.index()] += 1;
        }
    }
    Some(Motif::Material {
        winner,
        centipawns: change.abs(),
        won,
        lost,
        promoted,
    })
}

fn sacrifice(view: &View) -> Option<Motif> {
    let square = view.m.landing();
    if !view.line.is_given(view.ply) {
        return None;
    }
    let cost = swap(view.after, square) - taken(view.before, view.m);
    let piece = view.after.piece_on(square)?.kind();
    // for two pawns, too
    let is_minor = matches!(piece, PieceType::Knight | PieceType::Bishop);
    (cost >= 200 || is_minor && cost >= 100).then_some(Motif::Sacrifice {
        square,
        piece,
        centipawns: cost,
    })
}
