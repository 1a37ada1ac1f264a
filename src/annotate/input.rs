//! The games of a PGN file, each as far as it can be read, with what is lost of it.

use crate::board::pgn::{Detail, Fault, Loss, WrittenGame};
use crate::board::{GameResult, Move, Position};
use crate::data::DataError;
use crate::data::formats::losses::cut_words;
use crate::data::formats::pgn::GameFile;
use std::path::Path;
use thiserror::Error;

/// Games that are read at once.
const GAMES_AT_ONCE: usize = 256;

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
    /// What of it could not be read.
    pub losses: Vec<BrokenGame>,
}

/// A game that cannot be annotated, or not as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("game {number} ({players}): {fault}")]
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

    /// Replays a game as it is written: up to the first move that cannot be read.
    fn replay(number: usize, written: WrittenGame) -> Result<Game, BrokenGame> {
        let broken = |fault: String| BrokenGame {
            number,
            players: written.players(),
            fault,
        };
        let left_out = |fault: Fault| broken(format!("left out: line {}: {}", fault.spot.line, fault.fault));
        let start = written.start().map_err(left_out)?;
        let mut moves = Vec::new();
        let cut = written.play(&start.position, |ply| moves.push(ply.m));
        let part = |fault: &&Fault| fault.fault.loss() == Loss::Part;
        let mut losses: Vec<String> = start
            .ignored
            .iter()
            .chain(written.faults.iter().filter(part))
            .map(|fault| format!("line {}: {}", fault.spot.line, fault.fault))
            .collect();
        losses.extend(cut.map(|cut| {
            let words = cut_words(&start.position, moves.len(), &cut);
            format!("{words} (line {})", cut.spot.line)
        }));
        if moves.is_empty() {
            let why = losses.pop().map_or(String::new(), |loss| format!(": {loss}"));
            return Err(broken(format!("left out: it has no moves{why}")));
        }
        let mut game = Game {
            number,
            tags: Vec::new(),
            start: start.position,
            moves,
            result: written.result(),
            losses: losses.into_iter().map(broken).collect(),
        };
        game.tags = game.tags_of(&written, start.chess960);
        Ok(game)
    }

    /// The tags of the file, with a result and a start that agree with what was read.
    fn tags_of(&self, written: &WrittenGame, chess960: bool) -> Vec<(String, String)> {
        let mut tags: Vec<(String, String)> = written
            .tags
            .iter()
            .map(|(name, value, _)| {
                let value = match name.as_str() {
                    "Result" => self.result.to_pgn().to_string(),
                    "FEN" => self.start.to_fen(chess960),
                    "Variant" if chess960 => "Chess960".to_string(),
                    _ => value.clone(),
                };
                (name.clone(), value)
            })
            .collect();
        if chess960 && !tags.iter().any(|tag| tag.0 == "Variant") {
            tags.push(("Variant".to_string(), "Chess960".to_string()));
        }
        tags
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
    let mut file = GameFile::open(path, Detail::MainLine)?;
    let (mut written, mut games) = (Vec::new(), Vec::new());
    loop {
        file.read(&mut written, GAMES_AT_ONCE)?;
        if written.is_empty() {
            return Ok(games);
        }
        for game in written.drain(..).filter(|game| !game.is_empty()) {
            games.push(Game::replay(games.len() + 1, game));
        }
    }
}
