//! Mates, stalemate tricks, castling rights.

use super::{Found, View, balance};
use crate::board::{Bitboard, CastlingRights, Wing};
use crate::explain::claim::{MatePattern, Motif};

/// What a minor piece is worth at least, in centipawns.
const A_PIECE: i32 = 300;

pub(super) fn find(view: &View, found: &mut Found) {
    if view.after.in_check() && !view.after.has_moves() {
        let king = view.after.king(!view.us);
        found.push(Motif::Mate { king });
        // the checker has the definitions
        found.extend(MatePattern::ALL.map(|pattern| Motif::NamedMate { king, pattern }));
        for attacker in view.after.checkers() & Bitboard::rank((!view.us).back_rank()) {
            found.push(Motif::BackRankMate { king, attacker });
        }
    }
    if let Some(answer) = view.line.at(view.ply + 1) {
        let end = view.line.after(view.ply + 1);
        if answer.is_capture() && !end.in_check() && !end.has_moves() {
            found.push(Motif::StalemateTrick { square: answer.to() });
        }
    }
    // later in a line only who is a piece behind is after it
    let most = if view.ply < 2 { 0 } else { -A_PIECE };
    if balance(view.after, view.us) <= most && view.after.in_check() {
        let king = view.after.king(!view.us);
        found.push(Motif::Perpetual { king });
    }
    let lost: CastlingRights = view.before.castling().without(view.after.castling());
    if lost.any(view.us) && !view.m.is_castling() {
        found.push(Motif::LosesCastling {
            king_side: lost.has(view.us, Wing::King),
            queen_side: lost.has(view.us, Wing::Queen),
        });
    }
}
