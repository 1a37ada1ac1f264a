//! Mates, stalemate tricks, castling rights.

use super::{Found, View};
use crate::board::{Bitboard, CastlingRights, Wing};
use crate::explain::claim::{MatePattern, Motif};

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
        let taken = answer.is_capture() && answer.to() == view.m.landing();
        if taken && !end.in_check() && !end.has_moves() {
            found.push(Motif::StalemateTrick {
                square: view.m.landing(),
            });
        }
    }
    let lost: CastlingRights = view.before.castling().without(view.after.castling());
    if lost.any(view.us) && !view.m.is_castling() {
        found.push(Motif::LosesCastling {
            king_side: lost.has(view.us, Wing::King),
            queen_side: lost.has(view.us, Wing::Queen),
        });
    }
}
