//! One game of the homework: who plays, from which opening, and how it ended.

use super::minimax::Minimax;
use crate::board::{Color, Ending, FenError, Move, Position, UciMoveError};
use crate::experiments::run_file::LineError;
use crate::nets::regressor::Regressor;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A player of the homework.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HomeworkPlayer {
    /// Minimax of exactly so many plies.
    Minimax(u32),
    /// The linear regression.
    Regressor,
}

impl fmt::Display for HomeworkPlayer {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            HomeworkPlayer::Minimax(plies) => write!(f, "minimax at {plies} plies"),
            HomeworkPlayer::Regressor => f.write_str("regressor"),
        }
    }
}

/// The players of a game, White first.
pub type Players = [HomeworkPlayer; 2];

/// The plies of the minimax in a game: what the regressor is told as the depth.
pub fn plies_of(players: Players) -> u32 {
    let plies = players.map(|player| match player {
        HomeworkPlayer::Minimax(plies) => plies,
        HomeworkPlayer::Regressor => 0,
    });
    plies[0].max(plies[1])
}

/// A game that was played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HomeworkGame {
    /// White and Black.
    pub players: Players,
    /// Where it began.
    pub opening: Position,
    /// Its moves from there.
    pub moves: Vec<Move>,
    /// How it ended.
    pub ending: Ending,
    /// Twice the points of White: 2, 1 or 0.
    pub white_half_points: u32,
}

/// Why a game that was kept cannot be played again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// Its line cannot be read.
    #[error(transparent)]
    Line(#[from] LineError),
    /// Its opening is no position.
    #[error(transparent)]
    Opening(#[from] FenError),
    /// The settings ask for other players or another opening; with its number, counted from 1.
    #[error("it is not the game number {0} of its settings")]
    OtherGame(usize),
    /// A move is not legal.
    #[error(transparent)]
    Move(#[from] UciMoveError),
    /// A move comes after the end of the game.
    #[error("the game had ended ({ending:?}) before {text}")]
    Ended { ending: Ending, text: String },
    /// No move ends the game.
    #[error("the game has no end")]
    NoEnd,
}

/// A position after random moves from the start of a game, not yet over; the same for the same seed and number.
pub fn opening(random_moves: u32, seed: u64, number: u64) -> Position {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(number);
    loop {
        let mut position = Position::default();
        for _ in 0..random_moves {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[random.random_range(0..moves.len())]);
        }
        if position.ending(&[]).is_none() {
            return position;
        }
    }
}

/// Plays a game.
pub fn play(
    players: Players,
    opening: Position,
    regressor: &Regressor,
    minimax: &mut Minimax,
) -> HomeworkGame {
    let (mut position, mut history, mut moves) = (opening, Vec::new(), Vec::new());
    let ending = loop {
        if let Some(ending) = position.ending(&history) {
            break ending;
        }
        let m = match players[position.side_to_move().index()] {
            HomeworkPlayer::Minimax(plies) => minimax.choose(&position, &history, plies),
            HomeworkPlayer::Regressor => {
                regressor.choose(&position, plies_of(players), &position.legal_moves())
            }
        };
        let m = m.expect("the game is not over");
        moves.push(m);
        history.push(position.key());
        position.play(m);
    };
    HomeworkGame {
        players,
        opening,
        moves,
        ending,
        white_half_points: half_points(ending, position.side_to_move()),
    }
}

/// The game of these moves, as UCI writes them.
///
/// # Errors
/// [`ReplayError`]: a move is not legal, or the game is not over or was over before.
pub fn replay<'a>(
    players: Players,
    opening: Position,
    moves: impl Iterator<Item = &'a str>,
) -> Result<HomeworkGame, ReplayError> {
    let (mut position, mut history, mut played) = (opening, Vec::new(), Vec::new());
    for text in moves {
        if let Some(ending) = position.ending(&history) {
            let text = text.to_string();
            return Err(ReplayError::Ended { ending, text });
        }
        let m = position.parse_uci(text)?;
        played.push(m);
        history.push(position.key());
        position.play(m);
    }
    let ending = position.ending(&history).ok_or(ReplayError::NoEnd)?;
    Ok(HomeworkGame {
        players,
        opening,
        moves: played,
        ending,
        white_half_points: half_points(ending, position.side_to_move()),
    })
}

/// Twice the points of White in a game that has ended with this side to move.
fn half_points(ending: Ending, side_to_move: Color) -> u32 {
    match (ending, side_to_move) {
        (Ending::Checkmate, Color::White) => 0,
        (Ending::Checkmate, Color::Black) => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_drawn_by_seed_and_number() {
        assert_eq!(opening(4, 1, 7), opening(4, 1, 7));
        assert_ne!(opening(4, 1, 7), opening(4, 1, 8));
        assert_ne!(opening(4, 1, 7), opening(4, 2, 7));
        assert_eq!(opening(0, 1, 7), Position::default());
        assert_eq!(opening(3, 1, 7).side_to_move(), Color::Black);
    }

    #[test]
    fn a_game_is_read_as_it_was_played() {
        let players = [HomeworkPlayer::Minimax(1), HomeworkPlayer::Minimax(2)];
        let read = |text: &str| replay(players, Position::default(), text.split_whitespace());
        let mate = read("f2f3 e7e5 g2g4 d8h4").unwrap();
        assert_eq!((mate.ending, mate.white_half_points), (Ending::Checkmate, 0));
        let draw = read(&"g1f3 g8f6 f3g1 f6g8 ".repeat(2)).unwrap();
        assert_eq!((draw.ending, draw.white_half_points), (Ending::Repetition, 1));
        let refused = |text: &str| read(text).unwrap_err().to_string();
        assert!(refused("f2f3 e7e5 g2g4").contains("no end"));
        assert!(refused("f2f3 e7e5 g2g4 d8h4 a2a3").contains("had ended"));
        assert!(refused("f2f3 e7e4").contains("e7e4"));
    }
}
