//! The end of a game on the board: checkmate, stalemate, and the draws of FIDE's Laws of Chess.

use super::bitboard::Bitboard;
use super::position::Position;
use super::types::{Color, PieceType};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Neither player has mating material: the dead positions (article 5.2.2) that can be told from material alone.
    InsufficientMaterial,
    /// Fifty moves of both players without a capture or a pawn move (article 9.3).
    FiftyMoves,
    /// The third occurrence of the position (article 9.2).
    Repetition,
}

/// Plies without a capture or a pawn move after which a draw may be claimed.
pub const FIFTY_MOVES: u8 = 100;

/// Plies without a capture or a pawn move after which the game is drawn automatically (article 9.6.2).
pub const SEVENTY_FIVE_MOVES: u8 = 150;

/// Occurrences of a position after which the game is drawn automatically (article 9.6.1).
pub const FIVEFOLD: usize = 5;

impl Position {
    /// How the game has ended, if it has; `history` holds the keys of the positions before this one, oldest
    /// first, at least back to the last capture or pawn move. Draws that a player may claim count as claimed.
    pub fn ending(&self, history: &[u64]) -> Option<Ending> {
        if !self.has_moves() {
            return Some(if self.in_check() {
                Ending::Checkmate
            } else {
                Ending::Stalemate
            });
        }
        if self.insufficient_material() {
            Some(Ending::InsufficientMaterial)
        } else if self.halfmove_clock() >= FIFTY_MOVES {
            Some(Ending::FiftyMoves)
        } else if self.repetitions(history) >= 2 {
            Some(Ending::Repetition)
        } else {
            None
        }
    }

    /// How the game has ended if nobody claims a draw: [`Ending::Repetition`] is then the fifth occurrence, and
    /// [`Ending::FiftyMoves`] means seventy-five. `history` as in [`Position::ending`].
    pub fn ending_without_claim(&self, history: &[u64]) -> Option<Ending> {
        match self.ending(history)? {
            Ending::FiftyMoves | Ending::Repetition => {
                if self.halfmove_clock() >= SEVENTY_FIVE_MOVES {
                    Some(Ending::FiftyMoves)
                } else {
                    (self.repetitions(history) + 1 >= FIVEFOLD).then_some(Ending::Repetition)
                }
            }
            final_ending => Some(final_ending),
        }
    }

    /// The draws that a player may claim here: by repetition, by fifty moves. `history` as in [`Position::ending`].
    pub fn claims(&self, history: &[u64]) -> impl Iterator<Item = Ending> {
        let fifty = (self.halfmove_clock() >= FIFTY_MOVES).then_some(Ending::FiftyMoves);
        let repetition = (self.repetitions(history) >= 2).then_some(Ending::Repetition);
        [repetition, fifty].into_iter().flatten()
    }

    /// Whether a player could mate by some series of legal moves, as far as material tells. This decides whether that
    /// player wins when the opponent runs out of time (article 6.9).
    pub fn can_mate(&self, color: Color) -> bool {
        let of = |kind| self.pieces(color, kind);
        if (of(PieceType::Pawn) | of(PieceType::Rook) | of(PieceType::Queen)).any() {
            return true;
        }
        if of(PieceType::Knight).any() {
            // a lone knight mates only if an enemy piece blocks its own king's escape, and a queen is of no use for
            // that
            let theirs = self.of_color(!color) & !self.of_kind(PieceType::King);
            return self.of_color(color).count() > 2 || (theirs & !self.of_kind(PieceType::Queen)).any();
        }
        // bishops need one on the other colour too, or an enemy pawn or knight that blocks its own king's escape
        let bishops = self.of_kind(PieceType::Bishop);
        let both_complexes = (bishops & Bitboard::LIGHT).any() && (bishops & !Bitboard::LIGHT).any();
        let blockers = self.of_kind(PieceType::Pawn) | self.of_kind(PieceType::Knight);
        of(PieceType::Bishop).any() && (both_complexes || blockers.any())
    }

    /// How often this position occurred before; `history` holds the keys of the positions before it, oldest first.
    /// The key includes castling rights and en passant captures, as the Laws require.
    pub fn repetitions(&self, history: &[u64]) -> usize {
        let reversible = history.iter().rev().take(self.halfmove_clock() as usize);
        // only every second position has the same side to move
        reversible
            .skip(1)
            .step_by(2)
            .filter(|&&key| key == self.key())
            .count()
    }

    /// Whether neither player can ever mate: bare kings, one minor piece, or only bishops, all on one square colour.
    pub fn insufficient_material(&self) -> bool {
        let heavy =
            self.of_kind(PieceType::Pawn) | self.of_kind(PieceType::Rook) | self.of_kind(PieceType::Queen);
        if heavy.any() {
            return false;
        }
        let bishops = self.of_kind(PieceType::Bishop);
        let minors = bishops | self.of_kind(PieceType::Knight);
        let one_complex = (bishops & Bitboard::LIGHT).is_empty() || (bishops & !Bitboard::LIGHT).is_empty();
        !minors.more_than_one() || (minors == bishops && one_complex)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays moves in UCI notation and returns the last position with the keys before it.
    fn play(fen: &str, moves: &str) -> (Position, Vec<u64>) {
        let mut position = Position::from_fen(fen).unwrap();
        let mut history = Vec::new();
        for text in moves.split_whitespace() {
            history.push(position.key());
            position.make(position.parse_uci(text).unwrap());
        }
        (position, history)
    }

    #[test]
    fn material_that_cannot_mate() {
        for (fen, dead) in [
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true),
            ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", true),
            ("4kb2/8/8/8/8/8/8/4K3 b - - 0 1", true),
            // all bishops on dark squares; then one on a light square
            ("4kb2/8/8/8/8/8/8/B1B1K3 w - - 0 1", true),
            ("4kb2/8/8/8/8/8/8/B2BK3 w - - 0 1", false),
            ("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", false),
            ("4kn2/8/8/8/8/8/8/4KN2 w - - 0 1", false),
            ("4kn2/8/8/8/8/8/8/4KB2 w - - 0 1", false),
            ("4k3/p7/8/8/8/8/8/4K3 w - - 0 1", false),
            ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", false),
            ("4k3/8/8/8/8/8/8/4K2Q w - - 0 1", false),
        ] {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(position.insufficient_material(), dead, "{fen}");
        }
    }

    #[test]
    fn threefold_repetition_is_a_draw() {
        let there_and_back = "g1f3 g8f6 f3g1 f6g8 ";
        for (moves, times) in [
            (String::new(), 0),
            (there_and_back.to_string(), 1),
            (there_and_back.repeat(2), 2),
        ] {
            let (position, history) = play(Position::START_FEN, &moves);
            assert_eq!(position.repetitions(&history), times);
            assert_eq!(
                position.ending(&history),
                (times == 2).then_some(Ending::Repetition)
            );
        }
        // the start position no longer counts once the pawn stands on e4
        let (position, history) = play(
            Position::START_FEN,
            &format!("{there_and_back} e2e4 g8f6 g1f3 f6g8 f3g1"),
        );
        assert_eq!(position.repetitions(&history), 1);
    }

    #[test]
    fn claims_and_what_ends_a_game_without_one() {
        let there_and_back = "g1f3 g8f6 f3g1 f6g8 ";
        for (times, claims, ending) in [
            (1, &[][..], None),
            (2, &[Ending::Repetition], None),
            (3, &[Ending::Repetition], None),
            (4, &[Ending::Repetition], Some(Ending::Repetition)),
        ] {
            let (position, history) = play(Position::START_FEN, &there_and_back.repeat(times));
            assert!(position.claims(&history).eq(claims.iter().copied()), "{times}");
            assert_eq!(position.ending_without_claim(&history), ending, "{times}");
        }
        for (clock, claimed, ending) in [
            (99, false, None),
            (100, true, None),
            (149, true, None),
            (150, true, Some(Ending::FiftyMoves)),
        ] {
            let position = Position::from_fen(&format!("4k3/8/8/8/8/8/8/4K2R w - - {clock} 90")).unwrap();
            assert_eq!(
                position.claims(&[]).any(|claim| claim == Ending::FiftyMoves),
                claimed
            );
            assert_eq!(position.ending_without_claim(&[]), ending, "{clock}");
        }
        let mate = Position::from_fen("R3k3/8/4K3/8/8/8/8/8 b - - 100 80").unwrap();
        assert_eq!(mate.ending_without_claim(&[]), Some(Ending::Checkmate));
    }

    #[test]
    fn what_a_fallen_flag_is_worth() {
        for (fen, white, black) in [
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", false, false),
            ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", true, false),
            ("4k3/8/8/8/8/8/8/3NK3 w - - 0 1", false, false),
            ("4k3/8/8/8/8/8/8/2NNK3 w - - 0 1", true, false),
            ("3qk3/8/8/8/8/8/8/3NK3 w - - 0 1", false, true),
            ("3rk3/8/8/8/8/8/8/3NK3 w - - 0 1", true, true),
            ("4k3/p7/8/8/8/8/8/3BK3 w - - 0 1", true, true),
            ("3rk3/8/8/8/8/8/8/3BK3 w - - 0 1", false, true),
            // bishops on one colour, then on both
            ("4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", false, false),
            ("2b1k3/8/8/8/8/8/8/2B1K3 w - - 0 1", true, true),
            ("3nk3/8/8/8/8/8/8/2B1K3 w - - 0 1", true, true),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let found = Color::ALL.map(|color| position.can_mate(color));
            assert_eq!(found, [white, black], "{fen}");
        }
    }

    #[test]
    fn lost_castling_and_en_passant_make_a_different_position() {
        let (position, history) = play(
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "h1g1 h8g8 g1h1 g8h8 h1g1 h8g8 g1h1 g8h8",
        );
        assert_eq!(position.repetitions(&history), 1);
        let (position, history) = play(
            "4k2n/8/8/8/3p4/8/4P3/4K2N w - - 0 1",
            "e2e4 h8g6 h1g3 g6h8 g3h1 h8g6 h1g3 g6h8 g3h1",
        );
        assert_eq!(position.repetitions(&history), 1);
    }

    #[test]
    fn fifty_moves_mate_and_stalemate() {
        let ending = |fen: &str| Position::from_fen(fen).unwrap().ending(&[]);
        assert_eq!(ending("4k3/8/8/8/8/8/8/4K2R w - - 99 80"), None);
        assert_eq!(
            ending("4k3/8/8/8/8/8/8/4K2R w - - 100 80"),
            Some(Ending::FiftyMoves)
        );
        assert_eq!(
            ending("R3k3/8/4K3/8/8/8/8/8 b - - 100 80"),
            Some(Ending::Checkmate)
        );
        assert_eq!(ending("k7/2Q5/8/8/8/8/8/4K3 b - - 0 1"), Some(Ending::Stalemate));
        assert_eq!(
            ending("k7/8/8/8/8/8/8/4K3 b - - 0 1"),
            Some(Ending::InsufficientMaterial)
        );
    }
}
