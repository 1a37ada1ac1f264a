//! Setting up the game to search: a start position and the moves from it.

use crate::board::coordinates::UciMoveError;
use crate::board::{FenError, Position};
use crate::search::Game;
use thiserror::Error;

/// Why a game cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameError {
    /// A text that is no position.
    #[error("the position is refused: {0}")]
    Fen(#[from] FenError),
    /// A move that is not legal, with its place in the list, counted from 1.
    #[error("the position is refused: move {0}: {1}")]
    Move(usize, UciMoveError),
}

/// A game from its start (`None` for the usual one) and its moves in UCI's notation. Castling rights and en passant
/// squares that do not fit the board are left out and come back beside it, for clients' boards are set up by hand.
///
/// # Errors
/// [`GameError`] names what is wrong with the FEN or the first move that is not legal.
pub fn set_up(fen: Option<&str>, moves: &[String]) -> Result<(Game, Vec<FenError>), GameError> {
    let (mut position, left_out) = match fen {
        Some(fen) => Position::from_careless_fen(fen)?,
        None => (Position::default(), Vec::new()),
    };
    let mut history = Vec::new();
    for (index, text) in moves.iter().enumerate() {
        let m = position
            .parse_uci(text)
            .map_err(|error| GameError::Move(index + 1, error))?;
        history.push(position.key());
        position.make(m);
        // no position before a capture or a pawn move can come again
        if position.halfmove_clock() == 0 {
            history.clear();
        }
    }
    Ok((Game { position, history }, left_out))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(moves: &str) -> Result<usize, GameError> {
        let moves: Vec<String> = moves.split_whitespace().map(str::to_string).collect();
        set_up(None, &moves).map(|(game, _)| game.history.len())
    }

    #[test]
    fn history_reaches_back_to_the_last_move_that_cannot_be_undone() {
        let shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(2_500);
        assert!(history(&format!("e2e4 {shuffle}")).is_err());
        assert_eq!(history(&shuffle), Ok(10_000));
        assert_eq!(history("g1f3 g8f6 e2e4 e7e5 f3g1"), Ok(1));
    }

    #[test]
    fn rights_that_do_not_fit_the_board_are_left_out() {
        let careless = "4k2r/8/8/8/8/8/8/4K3 w KQkq e3 0 1";
        let (game, left_out) = set_up(Some(careless), &[]).unwrap();
        let left_out: Vec<String> = left_out.iter().map(FenError::to_string).collect();
        assert!(left_out.len() == 2 && left_out[0].contains("'KQkq'") && left_out[1].contains("'e3'"));
        assert_eq!(game.position.to_fen(false), "4k2r/8/8/8/8/8/8/4K3 w k - 0 1");
    }
}
