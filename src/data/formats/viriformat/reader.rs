//! Streaming a file of games: the bytes of each are found on one thread, the games are replayed on several.

use super::BrokenGame;
use super::game::replay;
use super::moves::{END, PLY_BYTES};
use super::start::START_BYTES;
use crate::data::count::Counts;
use crate::data::formats::text;
use crate::data::{DataError, Record};
use rayon::prelude::*;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

/// Games that are replayed at once.
const GAMES_AT_ONCE: usize = 256;

/// The seventy-five-move rule ends every game before move 8,849, counted from a start with all pawns.
const MOST_PLIES: usize = 2 * 8_849;

/// Streams the positions of one file, each game a group; broken games are skipped and counted.
///
/// The end of a broken game is still found where its bytes are changed. Where bytes are missing, those behind the gap
/// read as broken games until the file ends.
pub struct ViriformatReader {
    path: PathBuf,
    input: Box<dyn BufRead + Send>,
    broken: Counts<5>,
}

impl ViriformatReader {
    /// Opens a file.
    ///
    /// # Errors
    /// [`DataError::Read`] if that fails.
    pub fn open(path: &Path) -> Result<ViriformatReader, DataError> {
        Ok(ViriformatReader {
            path: path.to_path_buf(),
            input: text::open(path)?,
            broken: Counts::new(BrokenGame::NAMES),
        })
    }

    /// The games skipped so far, by kind.
    pub fn broken(&self) -> &Counts<5> {
        &self.broken
    }

    /// Appends the records of the next games; `false` at the end of the file.
    ///
    /// # Errors
    /// [`DataError::Read`] when the file cannot be read on.
    pub fn read(&mut self, records: &mut Vec<Record>) -> Result<bool, DataError> {
        let mut games = Vec::with_capacity(GAMES_AT_ONCE);
        while games.len() < GAMES_AT_ONCE {
            let game = next_game(&mut self.input).map_err(|error| DataError::read(&self.path, error))?;
            let Some(game) = game else { break };
            games.push(game);
        }
        let replayed: Vec<_> = games
            .par_iter()
            .map(|game| game.as_deref().map_err(|&kind| kind).and_then(replay))
            .collect();
        for game in replayed {
            match game {
                Ok(positions) => records.extend(positions),
                Err(kind) => self.broken.add(kind as usize),
            }
        }
        Ok(!games.is_empty())
    }
}

/// The bytes of the next game without its end mark; `None` at the end of the file.
fn next_game(input: &mut dyn BufRead) -> io::Result<Option<Result<Vec<u8>, BrokenGame>>> {
    let mut bytes = Vec::new();
    match append(input, START_BYTES, &mut bytes)? {
        0 => return Ok(None),
        START_BYTES => {}
        _ => return Ok(Some(Err(BrokenGame::CutOff))),
    }
    let longest = START_BYTES + MOST_PLIES * PLY_BYTES;
    let mut too_long = false;
    loop {
        if append(input, PLY_BYTES, &mut bytes)? < PLY_BYTES {
            return Ok(Some(Err(BrokenGame::CutOff)));
        }
        if bytes.ends_with(&END) {
            bytes.truncate(bytes.len() - PLY_BYTES);
            return Ok(Some(if too_long {
                Err(BrokenGame::TooLong)
            } else {
                Ok(bytes)
            }));
        }
        if bytes.len() > longest {
            too_long = true;
            bytes.truncate(START_BYTES);
        }
    }
}

/// Appends so many bytes, or fewer at the end of the file, and says how many.
fn append(input: &mut dyn BufRead, wanted: usize, bytes: &mut Vec<u8>) -> io::Result<usize> {
    let mut left = wanted;
    while left > 0 {
        let there = input.fill_buf()?;
        if there.is_empty() {
            break;
        }
        let taken = there.len().min(left);
        bytes.extend_from_slice(&there[..taken]);
        input.consume(taken);
        left -= taken;
    }
    Ok(wanted - left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_as_long_as_the_rules_allow_and_no_longer() {
        let game = |plies: usize| [vec![1; START_BYTES + plies * PLY_BYTES], END.to_vec()].concat();
        let file = [game(MOST_PLIES), game(MOST_PLIES + 1), game(1)].concat();
        let mut input = &file[..];
        let mut next = || next_game(&mut input).unwrap();
        assert_eq!(next(), Some(Ok(vec![1; START_BYTES + MOST_PLIES * PLY_BYTES])));
        assert_eq!(next(), Some(Err(BrokenGame::TooLong)));
        assert_eq!(next(), Some(Ok(vec![1; START_BYTES + PLY_BYTES])));
        assert_eq!(next(), None);
    }
}
