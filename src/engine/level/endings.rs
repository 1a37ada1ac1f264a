//! Endings that are won by technique: players know them by heart, so that a level must not pay for them in depth.

use crate::board::{Bitboard, PieceType, Position, Square};

/// The nodes of full strength with which such an ending is played; enough to mate with each material below, and a moment.
pub(super) const NODES: u64 = 40_000;

/// What is left beside the bare king of the other side, with the weakest level that knows how to win it: in the order in
/// which chess is taught.
const QUEEN_OR_ROOK: u32 = 800;
const PAWNS: u32 = 1400;
const TWO_BISHOPS: u32 = 1800;

/// Whether a player of this Elo knows how to win here: against a bare king, with enough to mate it.
pub(super) fn is_known(position: &Position, elo: u32) -> bool {
    let side = position.side_to_move();
    if position.of_color(!side).count() > 1 {
        return false;
    }
    let ours = |kind| position.pieces(side, kind);
    let bishops = ours(PieceType::Bishop);
    let light = bishops.into_iter().filter(|&square| is_light(square)).count() as u32;
    let needed = if has_any(ours(PieceType::Queen) | ours(PieceType::Rook)) {
        QUEEN_OR_ROOK
    } else if light > 0 && light < bishops.count() {
        TWO_BISHOPS
    } else if has_any(ours(PieceType::Pawn)) {
        PAWNS
    } else {
        return false;
    };
    elo >= needed
}

fn has_any(squares: Bitboard) -> bool {
    !squares.is_empty()
}

fn is_light(square: Square) -> bool {
    (square.file() + square.rank()) % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_endings_have_a_bare_king_and_enough_to_mate_it() {
        let known = |fen: &str, elo| is_known(&Position::from_fen(fen).unwrap(), elo);
        assert!(known("8/8/8/3k4/8/8/8/K6R w - - 0 1", 800));
        // the side that has only its king has nothing to know
        assert!(!known("8/8/8/3k4/8/8/8/K6R b - - 0 1", 2600));
        assert!(!known("8/8/8/3k3p/8/8/8/K6R w - - 0 1", 2600));
        for (fen, elo) in [
            ("8/8/8/3k4/8/8/7P/K7 w - - 0 1", 1400),
            ("8/8/8/4k3/8/8/8/K5BB w - - 0 1", 1800),
        ] {
            assert!(known(fen, elo) && !known(fen, elo - 1), "{fen}");
        }
        // bishops of one colour and two knights cannot mate; bishop and knight can, but that is not elementary
        for pieces in ["7B/K5B1", "8/K5NN", "8/K5BN"] {
            let fen = &format!("8/8/8/3k4/8/8/{pieces} w - - 0 1");
            assert!(!known(fen, 2600), "{fen}");
        }
    }
}
