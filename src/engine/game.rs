//! Sets up the game to search: a start position and the moves played from it.

use crate::board::coordinates::UciMoveError;
use crate::board::{FenError, Position};
use crate::explain::Played;
use crate::search::Game;
use thiserror::Error;

/// Why a game cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameError {
    /// The FEN is not a legal position.
    #[error("the position is refused: {0}")]
    Fen(#[from] FenError),
    /// A move that is not legal, with its number in the list, counted from 1.
    #[error("the position is refused: move {0}: {1}")]
    Move(usize, UciMoveError),
}

/// A game from its start position (`None` for the standard one) and its moves in UCI notation. Users set up boards by
/// hand, so castling rights and en passant squares that do not fit the board are ignored and returned beside the game.
///
/// # Errors
/// [`GameError`] if the FEN is not a legal position, or for the first move that is not legal.
pub fn set_up(fen: Option<&str>, moves: &[String]) -> Result<(Game, Vec<FenError>), GameError> {
    let (mut position, ignored) = match fen {
        Some(fen) => Position::from_lenient_fen(fen)?,
        None => (Position::default(), Vec::new()),
    };
    let mut history = Vec::new();
    for (index, text) in moves.iter().enumerate() {
        let m = position
            .parse_uci(text)
            .map_err(|error| GameError::Move(index + 1, error))?;
        history.push(position.key());
        position.make(m);
        // no position before a capture or a pawn move can recur
        if position.halfmove_clock() == 0 {
            history.clear();
        }
    }
    Ok((Game { position, history }, ignored))
}

/// The last of the moves of [`set_up`], in its position; `None` where there is none, or a move is not legal.
pub fn last_move(fen: Option<&str>, moves: &[String]) -> Option<Played> {
    let (last, before) = moves.split_last()?;
    let (game, _) = set_up(fen, before).ok()?;
    let m = game.position.parse_uci(last).ok()?;
    Some(Played {
        position: game.position,
        m,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(moves: &str) -> Vec<String> {
        moves.split_whitespace().map(str::to_string).collect()
    }

    #[test]
    fn the_last_move_is_known_with_its_position() {
        let last = last_move(None, &words("e2e4 d7d5 e4d5")).expect("a move");
        assert_eq!(last.m.to_uci(false), "e4d5");
        assert_eq!(
            last.position.key(),
            set_up(None, &words("e2e4 d7d5")).unwrap().0.position.key()
        );
        assert!(last_move(None, &[]).is_none() && last_move(None, &words("e2e5")).is_none());
    }

    fn history(moves: &str) -> Result<usize, GameError> {
        set_up(None, &words(moves)).map(|(game, _)| game.history.len())
    }

    #[test]
    fn history_reaches_back_to_the_last_irreversible_move() {
        let shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(2_500);
        assert!(history(&format!("e2e4 {shuffle}")).is_err());
        assert_eq!(history(&shuffle), Ok(10_000));
        assert_eq!(history("g1f3 g8f6 e2e4 e7e5 f3g1"), Ok(1));
    }

    #[test]
    fn rights_that_do_not_fit_the_board_are_ignored() {
        let by_hand = "4k2r/8/8/8/8/8/8/4K3 w KQkq e3 0 1";
        let (game, ignored) = set_up(Some(by_hand), &[]).unwrap();
        let ignored: Vec<String> = ignored.iter().map(FenError::to_string).collect();
        assert!(ignored.len() == 2 && ignored[0].contains("'KQkq'") && ignored[1].contains("'e3'"));
        assert_eq!(game.position.to_fen(false), "4k2r/8/8/8/8/8/8/4K3 w k - 0 1");
    }
}
