//! Leonardo Serilli's minimax homework: a linear regression learns from the moves of a minimax and plays against it.
//!
//! The data begins with games of the minimax against itself at several depths. Then the regressor plays the minimax; all
//! moves of the minimax join the data, and the model is fitted anew before each game. Both players are deterministic,
//! so every round begins with another random opening.

pub mod data;
pub mod game;
pub mod minimax;
pub mod settings;
mod store;

use crate::board::Position;
use crate::nets::NetError;
use crate::nets::net::Precision;
use crate::nets::regressor::Regressor;
use crate::search::MemoryError;
use crate::support::whole_file;
use data::{MoveData, PredictedMoves};
use game::{HomeworkGame, HomeworkPlayer};
use minimax::Minimax;
use settings::HomeworkSettings;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The file of a run in its folder.
const FILE: &str = "games.jsonl";

/// The players of a run in its folder, as net files.
pub const PLAYERS: [&str; 2] = ["minimax.safetensors", "regressor.safetensors"];

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum HomeworkError {
    /// A file of the run cannot be read or written.
    #[error("{path}: {reason}")]
    File { path: PathBuf, reason: String },
    /// The file of the run is not one that a run has written.
    #[error("{path}, line {line}: {reason}; the file is left as it is, --restart plays all games anew")]
    Damaged {
        path: PathBuf,
        line: usize,
        reason: String,
    },
    /// The run was begun with other settings.
    #[error(
        "{path} was begun with other settings ({difference}): give the same, another --out, or --restart"
    )]
    OtherSettings { path: PathBuf, difference: String },
    /// Another program plays there.
    #[error("another run is writing {0}")]
    Busy(PathBuf),
    /// A player cannot be written as a net.
    #[error(transparent)]
    Net(#[from] NetError),
    /// No memory for the search.
    #[error(transparent)]
    Table(#[from] MemoryError),
}

impl HomeworkError {
    fn file(path: &Path, error: impl std::fmt::Display) -> HomeworkError {
        HomeworkError::File {
            path: path.into(),
            reason: error.to_string(),
        }
    }

    fn damaged(path: &Path, line: usize, error: impl std::fmt::Display) -> HomeworkError {
        HomeworkError::Damaged {
            path: path.into(),
            line,
            reason: error.to_string(),
        }
    }
}

/// A game, and how good the regressor's model was.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedGame {
    pub game: HomeworkGame,
    /// The root mean square error, in numbers of the list of moves, of the model that the regressor moved by; `None` in
    /// games of minimax against itself.
    pub error: Option<f64>,
}

/// What a run has come to.
#[derive(Clone, Debug)]
pub struct HomeworkOutcome {
    /// All games, those of earlier runs in the folder too.
    pub games: Vec<PlayedGame>,
    /// How many moves of all data a last model predicts: of the rows it was fitted to, and of the others.
    pub predicted: [PredictedMoves; 2],
    /// The mean time of a move, of the regressor and of minimax at each depth.
    pub thought: Vec<(HomeworkPlayer, Duration)>,
}

/// How to run.
#[derive(Clone, Debug)]
pub struct HomeworkOptions {
    /// The folder of the run's file.
    pub folder: PathBuf,
    /// Games of the regressor, those of earlier runs in the folder included.
    pub games: usize,
    /// Whether games of an earlier run are thrown away.
    pub restart: bool,
}

/// Plays all games that the folder does not hold yet. `tell` is called with all games so far and the rows of data, once
/// before the first game and after each.
///
/// # Errors
/// [`HomeworkError`]; the games before are kept.
pub fn run(
    settings: &HomeworkSettings,
    options: &HomeworkOptions,
    tell: &mut dyn FnMut(&[PlayedGame], usize),
) -> Result<HomeworkOutcome, HomeworkError> {
    let folder = &options.folder;
    let fault = |error| HomeworkError::file(folder, error);
    std::fs::create_dir_all(folder).map_err(fault)?;
    let _lock = whole_file::lock(folder)
        .map_err(fault)?
        .ok_or_else(|| HomeworkError::Busy(folder.clone()))?;
    let path = folder.join(FILE);
    let mut games = match options.restart {
        true => Vec::new(),
        false => store::read(&path, settings)?,
    };
    let mut data = data_of(&games, settings);
    tell(&games, data.len());
    for number in games.len()..settings.self_play_games() + options.games {
        let heuristics = settings.heuristics_of(number);
        let played = play(settings, number, &data, &mut Minimax::new(heuristics)?);
        data.add(&played.game, heuristics);
        games.push(played);
        store::write(&path, settings, &games)?;
        tell(&games, data.len());
    }
    let fit = data.fit(fit_seed(settings, games.len()));
    let regressor = Regressor {
        model: fit.model.clone(),
        heuristics: settings.heuristics[0],
    };
    save(&regressor, data.len(), folder)?;
    Ok(HomeworkOutcome {
        predicted: data.predicted(&fit),
        thought: thought(settings, &data, &regressor)?,
        games,
    })
}

/// Writes minimax and the regressor as net files, to be played by UCI and on the board.
fn save(regressor: &Regressor, rows: usize, folder: &Path) -> Result<(), HomeworkError> {
    let nets = [regressor.heuristics.to_net(), regressor.to_net(rows as u64)];
    for (net, name) in nets.iter().zip(PLAYERS) {
        let path = folder.join(name);
        let bytes = net.to_bytes(Precision::F32)?;
        whole_file::write_bytes(&path, &bytes).map_err(|error| HomeworkError::file(&path, error))?;
    }
    Ok(())
}

/// Positions of the data in which both players are timed.
const TIMED: usize = 200;

/// The mean time of a move, of the regressor and of minimax at each depth.
fn thought(
    settings: &HomeworkSettings,
    data: &MoveData,
    regressor: &Regressor,
) -> Result<Vec<(HomeworkPlayer, Duration)>, HomeworkError> {
    let stride = data.positions().len().div_ceil(TIMED).max(1);
    let positions: Vec<&Position> = data.positions().iter().step_by(stride).collect();
    let mean = |choose: &mut dyn FnMut(&Position)| {
        let start = Instant::now();
        positions.iter().for_each(|position| choose(position));
        start.elapsed() / positions.len().max(1) as u32
    };
    let plies = settings.plies[0];
    let of_regressor = mean(&mut |position| {
        black_box(regressor.choose(position, plies, &position.legal_moves()));
    });
    let mut thought = vec![(HomeworkPlayer::Regressor, of_regressor)];
    let mut minimax = Minimax::new(settings.heuristics[0])?;
    for &plies in &settings.plies {
        let of_minimax = mean(&mut |position| {
            black_box(minimax.choose(position, &[], plies));
        });
        thought.push((HomeworkPlayer::Minimax(plies), of_minimax));
    }
    Ok(thought)
}

/// The moves of minimax in games.
fn data_of(games: &[PlayedGame], settings: &HomeworkSettings) -> MoveData {
    let mut data = MoveData::default();
    for (number, played) in games.iter().enumerate() {
        data.add(&played.game, settings.heuristics_of(number));
    }
    data
}

/// Fits a regressor to the moves of minimax in the file of a run.
///
/// # Errors
/// [`HomeworkError`] if the file cannot be read or is damaged.
pub fn read(path: &Path) -> Result<Regressor, HomeworkError> {
    let (settings, games) = store::read_as_begun(path)?;
    let data = data_of(&games, &settings);
    Ok(Regressor {
        model: data.fit(fit_seed(&settings, games.len())).model,
        heuristics: settings.heuristics[0],
    })
}

/// Plays the game of this number. The model is fitted only where it plays.
fn play(settings: &HomeworkSettings, number: usize, data: &MoveData, minimax: &mut Minimax) -> PlayedGame {
    let (players, opening) = settings.game(number);
    let fit = match players.contains(&HomeworkPlayer::Regressor) {
        true => data.fit(fit_seed(settings, number)),
        false => MoveData::default().fit(0),
    };
    let regressor = Regressor {
        model: fit.model,
        heuristics: minimax.heuristics(),
    };
    PlayedGame {
        game: game::play(players, opening, &regressor, minimax),
        error: fit.error,
    }
}

/// The seed of what is held out of the fit before a game.
fn fit_seed(settings: &HomeworkSettings, number: usize) -> u64 {
    settings.seed ^ (number as u64) << 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nets::Net;

    fn games(folder: &Path, games: usize, restart: bool) -> Result<HomeworkOutcome, HomeworkError> {
        let options = HomeworkOptions {
            folder: folder.into(),
            games,
            restart,
        };
        run(&settings::tests::small(), &options, &mut |_, _| {})
    }

    #[test]
    fn a_run_that_was_cut_off_plays_the_same_games() {
        let folder = tempfile::tempdir().unwrap();
        let straight = games(&folder.path().join("straight"), 3, false).unwrap();
        let broken = folder.path().join("broken");
        games(&broken, 1, false).unwrap();
        let again = games(&broken, 3, false).unwrap();
        assert_eq!(again.games, straight.games);
        assert_eq!(again.predicted, straight.predicted);
        assert_eq!(straight.games.len(), 4 + 3);
        for (number, played) in straight.games.iter().enumerate() {
            assert_eq!(played.error.is_some(), number >= 4);
        }
        let [fitted, others] = straight.predicted;
        let minimax: usize = straight.games.iter().map(|played| played.game.moves.len()).sum();
        assert!(fitted.rows + others.rows > minimax / 2);
    }

    #[test]
    fn the_regressor_of_a_file_moves_as_the_last_one_fitted() {
        let folder = tempfile::tempdir().unwrap();
        let settings = settings::tests::small();
        let outcome = games(folder.path(), 2, false).unwrap();
        let regressor = read(&folder.path().join(FILE)).unwrap();
        let mut data = MoveData::default();
        for played in &outcome.games {
            data.add(&played.game, settings.heuristics[0]);
        }
        let model = data.fit(fit_seed(&settings, outcome.games.len())).model;
        assert_eq!(regressor.model, model);
        // the net file's numbers are rounded
        let bytes = std::fs::read(folder.path().join(PLAYERS[1])).unwrap();
        let saved = Regressor::of(&Net::from_bytes(&bytes).unwrap()).unwrap();
        for position in data.positions() {
            let choice = |one: &Regressor| one.choose(position, 2, &position.legal_moves());
            assert_eq!(choice(&saved), choice(&regressor));
        }
        let error = read(&folder.path().join("none")).unwrap_err();
        assert!(error.to_string().contains("none"), "{error}");
    }

    #[test]
    fn what_is_damaged_is_named_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        games(folder.path(), 1, false).unwrap();
        let path = folder.path().join(FILE);
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let last = lines.len();
        let cut = &text[..text.len() - 30];
        let without_second = text.replacen(lines[1], "", 1).replacen("\n\n", "\n", 1);
        let other_move = {
            let start = text.rfind("moves\":\"").unwrap() + 8;
            format!("{}a1a8{}", &text[..start], &text[start + 4..])
        };
        for (damage, line, words) in [
            ("", 1, "empty"),
            ("{}\n", 1, "missing field"),
            (cut, last, "EOF"),
            (&without_second, 2, "not the game number 1"),
            (&other_move, last, "a1a8"),
            (
                &text.replacen("\"format\":1", "\"format\":2", 1),
                1,
                "formats up to 1",
            ),
        ] {
            std::fs::write(&path, damage).unwrap();
            let error = games(folder.path(), 1, false).unwrap_err().to_string();
            let place = format!("{FILE}, line {line}: ");
            assert!(error.contains(&place) && error.contains(words), "{error}");
            assert!(!error.contains('\n'));
            assert_eq!(std::fs::read_to_string(&path).unwrap(), damage);
        }
        let others = text.replacen("\"seed\":3", "\"seed\":4", 1);
        std::fs::write(&path, others).unwrap();
        let error = games(folder.path(), 1, false).unwrap_err().to_string();
        assert!(error.contains("seed 4, now 3"), "{error}");
        assert_eq!(games(folder.path(), 1, true).unwrap().games.len(), 5);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
}
