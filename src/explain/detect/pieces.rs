//! Pieces that are taken for nothing, left to be taken, or have nowhere to go.

use super::{Found, View, swap};
use crate::board::{PieceType, Square};
use crate::explain::claim::Motif;

pub(super) fn find(view: &View, found: &mut Found) {
    found.extend(takes_free(view));
    let attacked = view.after.attacked_by(!view.us);
    let ours = view.after.of_color(view.us) & !view.after.of_kind(PieceType::King);
    for square in ours & attacked {
        let centipawns = swap(view.after, square);
        if let Some(piece) = view.after.piece_on(square).filter(|_| centipawns > 0) {
            let piece = piece.kind();
            found.push(Motif::LeavesEnPrise {
                square,
                piece,
                centipawns,
            });
        }
    }
    let answer = view.line.at(view.ply + 1);
    found.extend(answer.map(|m| Motif::OpensLine {
        slider: m.from(),
        target: m.landing(),
    }));
    let next = view.line.at(view.ply + 3).filter(|m| m.is_capture());
    let [struck, later] = [answer, next].map(|m| m.map(|m| m.landing()));
    let targets = struck.into_iter().chain(later.filter(|_| later != struck));
    found.extend(targets.map(|target| Motif::LeavesGuard { target }));
    let pieces = view.prey() & !view.after.of_kind(PieceType::Pawn);
    for square in pieces & view.after.attacked_by(view.us) {
        found.extend(trapped(view, square));
    }
}

fn takes_free(view: &View) -> Option<Motif> {
    let square = view.m.to();
    let victim = view.before.piece_on(square).filter(|_| view.m.is_capture())?;
    Some(Motif::TakesFree {
        square,
        piece: victim.kind(),
    })
}

fn trapped(view: &View, square: Square) -> Option<Motif> {
    if swap(view.passed.as_ref()?, square) == 0 {
        return None;
    }
    let escapes = view
        .after
        .legal_moves()
        .into_iter()
        .any(|m| m.from() == square && view.after.see_at_least(m, 0));
    (!escapes).then_some(Motif::Trapped {
        square,
        piece: view.after.piece_on(square)?.kind(),
    })
}
