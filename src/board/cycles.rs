//! Whether one reversible move leads back to an earlier position, told from the keys alone.
//!
//! The differences of keys that such moves make are kept in a cuckoo hash table (van Kervinck, "The design and
//! implementation of the Rookie 2.0 chess playing program", 2002, §4.4): two probes answer for all 3,668 of them.

use super::attacks;
use super::bitboard::Bitboard;
use super::types::{Piece, PieceType, Square};
use super::zobrist;
use once_cell::sync::Lazy;

/// Slots of the table, about twice as many as there are moves.
const SLOTS: usize = 1 << 13;

/// A difference of two keys and the squares between which a piece moved.
#[derive(Clone, Copy)]
struct Cycle {
    difference: u64,
    squares: (Square, Square),
}

static CYCLES: Lazy<Vec<Option<Cycle>>> = Lazy::new(|| {
    let mut slots = vec![None; SLOTS];
    for cycle in reversible_moves() {
        insert(&mut slots, cycle);
    }
    slots
});

/// The squares between which a piece other than a pawn moved if two positions differ by that move alone.
#[inline]
pub fn squares_of(difference: u64) -> Option<(Square, Square)> {
    places(difference)
        .into_iter()
        .filter_map(|place| CYCLES[place])
        .find(|cycle| cycle.difference == difference)
        .map(|cycle| cycle.squares)
}

/// Every move of a piece on an empty board, in one direction.
fn reversible_moves() -> impl Iterator<Item = Cycle> {
    let pieces = Piece::ALL
        .into_iter()
        .filter(|piece| piece.kind() != PieceType::Pawn);
    pieces.flat_map(|piece| {
        Square::all().flat_map(move |a| {
            let targets = attacks::of(piece.kind(), a, Bitboard::EMPTY);
            targets
                .into_iter()
                .filter(move |b| b.index() > a.index())
                .map(move |b| Cycle {
                    difference: zobrist::piece(piece, a)
                        ^ zobrist::piece(piece, b)
                        ^ zobrist::black_to_move(),
                    squares: (a, b),
                })
        })
    })
}

/// The two slots in which a difference may lie.
#[inline]
fn places(difference: u64) -> [usize; 2] {
    [difference as usize % SLOTS, (difference >> 16) as usize % SLOTS]
}

/// Puts a move into its first slot; what lay there moves on to its own other slot, and so on.
fn insert(slots: &mut [Option<Cycle>], cycle: Cycle) {
    let mut place = places(cycle.difference)[0];
    let mut homeless = Some(cycle);
    while let Some(cycle) = homeless {
        homeless = slots[place].replace(cycle);
        if let Some(next) = homeless {
            let [first, second] = places(next.difference);
            place = if place == first { second } else { first };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    #[test]
    fn every_reversible_move_is_found_and_no_other() {
        assert_eq!(CYCLES.iter().flatten().count(), 3_668);
        for cycle in reversible_moves() {
            assert_eq!(squares_of(cycle.difference), Some(cycle.squares));
            assert_eq!(squares_of(!cycle.difference), None);
        }
    }

    #[test]
    fn the_keys_before_and_after_a_move_tell_its_squares() {
        let position =
            Position::from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - - 0 1").unwrap();
        for m in position.legal_moves() {
            let difference = position.key() ^ position.after(m).key();
            let mut squares = [m.from(), m.to()];
            squares.sort_by_key(|square| square.index());
            let reversible = m.is_quiet() && m.piece().kind() != PieceType::Pawn;
            assert_eq!(
                squares_of(difference),
                reversible.then_some(squares.into()),
                "{m:?}"
            );
        }
    }
}
