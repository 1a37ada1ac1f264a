//! The games of a PGN file, each either understood to the end or named with what is wrong.

use crate::board::pgn::text::move_number;
use crate::board::{GameResult, Move, Position};
use crate::data::DataError;
use crate::data::formats::pgn::{RawGame, Scanner};
use crate::data::formats::text;
use std::io::{BufRead, Read};
use std::path::Path;
use thiserror::Error;

/// Bytes of a line that are taken at once.
const PIECE_BYTES: u64 = 1 << 16;

/// A game with legal moves.
#[derive(Clone, Debug)]
pub struct Game {
    /// Its number in the file, from 1.
    pub number: usize,
    /// Its tags in their order.
    pub tags: Vec<(String, String)>,
    /// Where it starts.
    pub start: Position,
    /// Its moves, without variations and comments.
    pub moves: Vec<Move>,
    /// How it ended.
    pub result: GameResult,
}

/// A game that cannot be annotated.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("game {number} ({players}) is left out: {fault}")]
pub struct BrokenGame {
    /// Its number in the file, from 1.
    pub number: usize,
    /// Who played.
    pub players: String,
    /// What is wrong with it.
    pub fault: String,
}

impl Game {
    /// The value of a tag; `?` where it is missing.
    pub fn tag(&self, name: &str) -> &str {
        tag(&self.tags, name)
    }

    /// The positions of the game, one more than there are moves.
    pub fn positions(&self) -> Vec<Position> {
        let mut positions = vec![self.start];
        for &m in &self.moves {
            positions.push(positions[positions.len() - 1].after(m));
        }
        positions
    }

    /// Replays a game as it is written.
    fn replay(number: usize, raw: RawGame) -> Result<Game, BrokenGame> {
        let broken = |fault: String| BrokenGame {
            number,
            players: format!("{} – {}", tag(&raw.tags, "White"), tag(&raw.tags, "Black")),
            fault,
        };
        if raw.damaged {
            return Err(broken(
                "its text is damaged, or a comment or variation is not closed".to_string(),
            ));
        }
        let is_chess = |variant: &String| {
            let name = variant.to_ascii_lowercase();
            ["standard", "chess", "from position", "normal"].contains(&name.as_str()) || name.contains("960")
        };
        if let Some(variant) = raw.variant.as_ref().filter(|variant| !is_chess(variant)) {
            return Err(broken(format!("it is a game of {variant}")));
        }
        let start = match &raw.fen {
            Some(fen) => {
                Position::from_fen(fen).map_err(|error| broken(format!("the FEN '{fen}': {error}")))?
            }
            None => Position::default(),
        };
        let (mut position, mut moves) = (start, Vec::new());
        for text in raw.moves() {
            let m = position
                .parse_san(text)
                .map_err(|error| broken(format!("move {} {text}: {error}", move_number(&position))))?;
            moves.push(m);
            position.play(m);
        }
        if moves.is_empty() {
            return Err(broken("it has no moves".to_string()));
        }
        Ok(Game {
            number,
            start,
            moves,
            result: raw.result.unwrap_or(GameResult::Unknown),
            tags: raw.tags,
        })
    }
}

fn tag<'a>(tags: &'a [(String, String)], name: &str) -> &'a str {
    tags.iter()
        .find(|(other, _)| other == name)
        .map_or("?", |(_, value)| value)
}

/// Reads all games of a file, which may be compressed.
///
/// # Errors
/// [`DataError::Read`] if the file cannot be read.
pub fn read(path: &Path) -> Result<Vec<Result<Game, BrokenGame>>, DataError> {
    let mut input = text::open(path)?;
    let (mut scanner, mut games) = (Scanner::with_tags(), Vec::new());
    let mut piece = Vec::new();
    loop {
        piece.clear();
        let read = (&mut input)
            .take(PIECE_BYTES)
            .read_until(b'\n', &mut piece)
            .map_err(|error| DataError::read(path, error))?;
        if read == 0 {
            break;
        }
        scanner.feed(&piece, &mut games);
    }
    scanner.finish(&mut games);
    let numbered = games.into_iter().enumerate();
    Ok(numbered
        .map(|(place, raw)| Game::replay(place + 1, raw))
        .collect())
}
