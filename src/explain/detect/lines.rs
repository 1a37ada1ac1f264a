//! Discoveries, pins, skewers and X-rays.

use super::{Found, View, attacks_from, worth_on};
use crate::board::{Bitboard, PieceType, Square, attacks};
use crate::explain::claim::Motif;

pub(super) fn find(view: &View, found: &mut Found) {
    let of_kind = |kind| view.after.pieces(view.us, kind);
    let sliders = of_kind(PieceType::Bishop) | of_kind(PieceType::Rook) | of_kind(PieceType::Queen);
    for slider in sliders {
        if slider != view.m.landing() {
            discoveries(view, slider, found);
        }
        for front in attacks_from(view.after, slider) & view.after.of_color(!view.us) {
            if let Some(behind) = behind(view, slider, front) {
                aligned(view, [slider, front, behind], found);
            }
        }
    }
    found.extend(x_ray(view));
}

fn discoveries(view: &View, slider: Square, found: &mut Found) {
    let opened = attacks_from(view.after, slider) & !attacks_from(view.before, slider);
    let king = view.after.king(!view.us);
    if opened.has(king) {
        found.push(Motif::DiscoveredCheck { slider, king });
    }
    for target in opened & view.prey() {
        if view.wins_if_left(slider, target) {
            found.push(Motif::DiscoveredAttack { slider, target });
        }
    }
}

/// The opponent's piece that the slider would attack if the one in front were gone.
fn behind(view: &View, slider: Square, front: Square) -> Option<Square> {
    let kind = view.after.piece_on(slider)?.kind();
    let occupied = view.after.occupied() ^ Bitboard::of(front);
    let further = attacks::of(kind, slider, occupied) & attacks::line(slider, front);
    let new = further & !attacks_from(view.after, slider);
    (new & view.after.of_color(!view.us)).first()
}

fn aligned(view: &View, [slider, front, behind]: [Square; 3], found: &mut Found) {
    let king = view.after.king(!view.us);
    let (first, second) = (worth_on(view.after, front), worth_on(view.after, behind));
    if front == king || (behind != king && first >= second) {
        found.push(Motif::Skewer {
            by: slider,
            front,
            behind,
        });
        return;
    }
    found.push(Motif::PinPreventsEscape {
        pinner: slider,
        pinned: front,
        behind,
    });
    let prey = attacks_from(view.after, front) & view.after.of_color(view.us) & !Bitboard::of(slider);
    for prey in prey {
        found.push(Motif::PinPreventsAttack {
            pinner: slider,
            pinned: front,
            behind,
            prey,
        });
    }
}

fn x_ray(view: &View) -> Option<Motif> {
    let (answer, last) = view.next_two()?;
    let target = view.m.to();
    let takes = |m: crate::board::Move| m.is_capture() && m.to() == target;
    let lies_between = attacks::between(last.from(), target).has(answer.from());
    (takes(view.m) && takes(answer) && takes(last) && lies_between).then_some(Motif::XRay {
        slider: last.from(),
        through: answer.from(),
        target,
    })
}
