//! The result of a game.

use super::draws::Ending;
use super::types::Color;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum GameResult {
    /// Not known, or the game has not ended.
    Unknown,
    WhiteWins,
    Draw,
    BlackWins,
}

impl GameResult {
    /// Every result in the order of its number, which files of positions hold.
    pub const ALL: [GameResult; 4] = [
        GameResult::Unknown,
        GameResult::WhiteWins,
        GameResult::Draw,
        GameResult::BlackWins,
    ];

    /// The win of one side.
    #[must_use]
    pub fn win(winner: Color) -> GameResult {
        match winner {
            Color::White => GameResult::WhiteWins,
            Color::Black => GameResult::BlackWins,
        }
    }

    /// The same result with the colours exchanged.
    #[must_use]
    pub fn reversed(self) -> GameResult {
        match self {
            GameResult::WhiteWins => GameResult::BlackWins,
            GameResult::BlackWins => GameResult::WhiteWins,
            other => other,
        }
    }

    /// As PGN writes it; `*` when it is not known.
    #[must_use]
    pub fn to_pgn(self) -> &'static str {
        match self {
            GameResult::Unknown => "*",
            GameResult::WhiteWins => "1-0",
            GameResult::Draw => "1/2-1/2",
            GameResult::BlackWins => "0-1",
        }
    }

    /// The result that PGN writes in this way.
    #[must_use]
    pub fn from_pgn(text: &[u8]) -> Option<GameResult> {
        let is_written = |result: &GameResult| result.to_pgn().as_bytes() == text;
        GameResult::ALL.into_iter().find(is_written)
    }
}

impl Ending {
    /// The result of a game that ends like this with `side_to_move` to move.
    #[must_use]
    pub fn result(self, side_to_move: Color) -> GameResult {
        match self {
            Ending::Checkmate => GameResult::win(!side_to_move),
            _ => GameResult::Draw,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    #[test]
    fn every_result_comes_back_from_pgn() {
        for (number, result) in GameResult::ALL.into_iter().enumerate() {
            assert_eq!(result as usize, number);
            assert_eq!(GameResult::from_pgn(result.to_pgn().as_bytes()), Some(result));
            assert_eq!(result.reversed().reversed(), result);
        }
        assert_eq!(GameResult::from_pgn(b"1-1"), None);
    }

    #[test]
    fn the_mated_side_loses_and_stalemate_draws() {
        let mate = Position::from_fen("3R2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1").unwrap();
        let stalemate = Position::from_fen("7k/5Q2/8/8/8/8/8/K7 b - - 0 1").unwrap();
        let result = |position: &Position| {
            position
                .ending(&[])
                .map(|ending| ending.result(position.side_to_move()))
        };
        assert_eq!(result(&mate), Some(GameResult::WhiteWins));
        assert_eq!(result(&stalemate), Some(GameResult::Draw));
        assert_eq!(Ending::Checkmate.result(Color::White), GameResult::BlackWins);
    }
}
