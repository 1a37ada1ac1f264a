//! What the next two moves tell of guards: taken, lured away, cut off, overloaded.

use super::{Found, View};
use crate::board::{Move, PieceType, attacks};
use crate::explain::claim::Motif;

pub(super) fn find(view: &View, found: &mut Found) {
    let Some((answer, next)) = view.next_two() else {
        return;
    };
    let lands = view.m.landing();
    let offer_taken = answer.is_capture() && answer.to() == lands;
    let wins_elsewhere = next.is_capture() && next.to() != lands;
    if wins_elsewhere && view.m.is_capture() {
        found.push(Motif::RemovedDefender {
            defender: view.m.to(),
            target: next.to(),
        });
        if offer_taken {
            found.push(Motif::Overloaded {
                defender: answer.from(),
                first: lands,
                second: next.to(),
            });
        }
    }
    if wins_elsewhere || next.promoted().is_some() || view.line.after(view.ply + 2).in_check() {
        found.push(Motif::Deflection {
            defender: answer.from(),
            target: next.landing(),
        });
    }
    let lured = matches!(
        answer.piece().kind(),
        PieceType::King | PieceType::Queen | PieceType::Rook
    );
    if offer_taken && lured {
        found.push(Motif::Attraction {
            from: answer.from(),
            square: lands,
        });
    }
    if wins_elsewhere {
        interference(view, next, found);
    }
    intermezzo(view, next, found);
}

fn interference(view: &View, next: Move, found: &mut Found) {
    let target = next.to();
    let guards = view.before.attackers_to(target, view.before.occupied()) & view.before.of_color(!view.us);
    for slider in guards {
        if attacks::between(slider, target).has(view.m.landing()) {
            found.push(Motif::Interference {
                square: view.m.landing(),
                slider,
                target,
            });
        }
    }
}

fn intermezzo(view: &View, next: Move, found: &mut Found) {
    if view.ply == 0 {
        let later = view.line.at(4).into_iter();
        let takings = later
            .chain([next])
            .filter(|m| m.is_capture() && m.to() != view.m.landing());
        found.extend(takings.map(|m| Motif::Intermezzo { recapture: m.to() }));
        return;
    }
    let Some(previous) = view.ply.checked_sub(1).and_then(|ply| view.line.at(ply)) else {
        return;
    };
    let recapture = previous.landing();
    if previous.is_capture() && next.to() == recapture && view.m.landing() != recapture {
        found.push(Motif::Intermezzo { recapture });
    }
}
