//! Positions of this crate as positions of shakmaty.

use crate::board::{Bitboard, CastlingRights, Color, PieceType, Position};
use shakmaty::{Board, ByColor, ByRole, CastlingMode, Chess, FromSetup, Setup};
use std::num::NonZeroU32;

/// The position for shakmaty; `None` for one with castling rights, which no table has, and for one that shakmaty calls
/// impossible.
pub fn converted(position: &Position) -> Option<Chess> {
    if position.castling() != CastlingRights::NONE {
        return None;
    }
    // both number the squares from a1 = 0 along the ranks
    let squares = |squares: Bitboard| shakmaty::Bitboard(squares.0);
    let role = |kind: PieceType| squares(position.of_kind(kind));
    let roles = ByRole {
        pawn: role(PieceType::Pawn),
        knight: role(PieceType::Knight),
        bishop: role(PieceType::Bishop),
        rook: role(PieceType::Rook),
        queen: role(PieceType::Queen),
        king: role(PieceType::King),
    };
    let colors = ByColor {
        white: squares(position.of_color(Color::White)),
        black: squares(position.of_color(Color::Black)),
    };
    let mut setup = Setup::empty();
    setup.board = Board::try_from_bitboards(roles, colors).ok()?;
    setup.turn = match position.side_to_move() {
        Color::White => shakmaty::Color::White,
        Color::Black => shakmaty::Color::Black,
    };
    setup.ep_square = position
        .en_passant()
        .map(|square| shakmaty::Square::new(square.index() as u32));
    setup.halfmoves = u32::from(position.halfmove_clock());
    setup.fullmoves = NonZeroU32::new(u32::from(position.fullmove_number())).unwrap_or(NonZeroU32::MIN);
    Chess::from_setup(setup, CastlingMode::Standard).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::prelude::*;
    use rand_chacha::ChaCha8Rng;
    use shakmaty::fen::Fen;
    use shakmaty::{EnPassantMode, Position as _};
    use std::collections::BTreeSet;

    /// The legal moves in UCI's notation, from each of the two boards.
    fn moves_of_both(ours: &Position, theirs: &Chess) -> [BTreeSet<String>; 2] {
        let theirs = theirs.legal_moves();
        [
            ours.legal_moves().iter().map(|m| m.to_uci(true)).collect(),
            theirs
                .iter()
                .map(|m| m.to_uci(CastlingMode::Standard).to_string())
                .collect(),
        ]
    }

    #[test]
    fn both_boards_agree_along_random_games() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let (mut compared, mut en_passant, mut endgames) = (0, 0, 0);
        for start in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
            "8/1pp5/8/1k1P4/8/3K4/2P1P3/8 w - - 0 1",
            "8/8/8/1k6/2pP4/8/8/3K4 b - d3 0 1",
            "4k3/8/8/8/8/8/8/R3K3 b - - 40 90",
        ] {
            for _ in 0..60 {
                let mut position = Position::from_fen(start).unwrap();
                for _ in 0..120 {
                    let theirs = converted(&position).unwrap();
                    let fen = Fen::try_from_setup(theirs.to_setup(EnPassantMode::Legal)).unwrap();
                    assert_eq!(fen.to_string(), position.to_fen(false));
                    let [ours, others] = moves_of_both(&position, &theirs);
                    assert_eq!(ours, others, "{fen}");
                    assert_eq!(theirs.is_check(), position.in_check());
                    compared += 1;
                    en_passant += u32::from(position.en_passant().is_some());
                    endgames += u32::from(position.occupied().count() <= 5);
                    let moves = position.legal_moves();
                    let Some(&m) = moves.choose(&mut rng) else { break };
                    position.make(m);
                }
            }
        }
        assert!(
            compared > 10_000 && en_passant > 50 && endgames > 500,
            "{compared} {en_passant} {endgames}"
        );
    }

    #[test]
    fn castling_rights_are_not_converted() {
        assert!(converted(&Position::default()).is_none());
    }
}
