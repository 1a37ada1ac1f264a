//! Forks, double attacks, double checks.

use super::{Found, View, attacks_from, capture_value, worth_on};
use crate::board::{Bitboard, PieceType, Square, attacks};
use crate::explain::claim::Motif;
use std::cmp::Reverse;

pub(super) fn find(view: &View, found: &mut Found) {
    found.extend(fork(view));
    double_attacks(view, found);
    if view.after.checkers().more_than_one() {
        found.push(Motif::DoubleCheck {
            king: view.after.king(!view.us),
            checkers: view.after.checkers().into_iter().collect(),
        });
    }
}

fn fork(view: &View) -> Option<Motif> {
    let by = view.m.landing();
    let attacked = attacks_from(view.after, by) & view.after.of_color(!view.us);
    if view.m.is_castling() || !attacked.more_than_one() {
        return None;
    }
    let king = Bitboard::of(view.after.king(!view.us));
    let targets: Vec<Square> = attacked
        .into_iter()
        .filter(|&target| king.has(target) || view.wins_if_left(by, target))
        .collect();
    (targets.len() >= 2).then_some(Motif::Fork { by, targets })
}

/// Pairs of different pieces that newly threaten different pieces, the most valuable targets first.
fn double_attacks(view: &View, found: &mut Found) {
    let mut threats: Vec<(Square, Square)> = Vec::new();
    for by in newly_attacking(view) {
        let stood = if by == view.m.landing() { view.m.from() } else { by };
        for target in attacks_from(view.after, by) & view.prey() {
            if capture_value(view.before, stood, target) <= 0 && view.wins_if_left(by, target) {
                threats.push((by, target));
            }
        }
    }
    threats.sort_by_key(|&(_, target)| Reverse(worth_on(view.after, target)));
    for (index, &(first, one)) in threats.iter().enumerate() {
        for &(second, other) in &threats[index + 1..] {
            if first != second && one != other {
                found.push(Motif::DoubleAttack {
                    attackers: vec![first, second],
                    targets: vec![one, other],
                });
            }
        }
    }
}

/// The moved piece, and the sliders that see further since it has left.
fn newly_attacking(view: &View) -> Bitboard {
    let kind = |kind| view.after.pieces(view.us, kind);
    let from = view.m.from();
    let queens = kind(PieceType::Queen);
    let opened = attacks::bishop(from, view.after.occupied()) & (kind(PieceType::Bishop) | queens)
        | attacks::rook(from, view.after.occupied()) & (kind(PieceType::Rook) | queens);
    opened | Bitboard::of(view.m.landing())
}
