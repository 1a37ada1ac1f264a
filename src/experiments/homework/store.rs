//! The file of a run: a line of JSON with its settings, then one for each game. Everything else is made from these again:
//! the moves of minimax are the data.

use super::game::{HomeworkGame, Players, ReplayError, replay};
use super::settings::HomeworkSettings;
use super::{HomeworkError, PlayedGame};
use crate::board::Position;
use crate::experiments::run_file::{self, LineError};
use crate::support::whole_file;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The version of the file.
const FORMAT: u32 = 1;

/// The first line.
#[derive(Serialize, Deserialize)]
struct FileHeader {
    format: u32,
    settings: HomeworkSettings,
}

/// The line of a game.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameLine {
    players: Players,
    opening: String,
    moves: String,
    /// The root mean square error of the model that the regressor moved by.
    error: Option<f64>,
}

/// Reads the games of a run; none where there is no file. Every game is played again, and must be the one that the settings
/// ask for.
///
/// # Errors
/// [`HomeworkError`]: the file was begun with other settings or is damaged.
pub fn read(path: &Path, settings: &HomeworkSettings) -> Result<Vec<PlayedGame>, HomeworkError> {
    let Some(text) = run_file::text(path).map_err(|error| HomeworkError::file(path, error))? else {
        return Ok(Vec::new());
    };
    if let Some(difference) = read_settings(path, &text)?.difference(settings) {
        return Err(HomeworkError::OtherSettings {
            path: path.into(),
            difference,
        });
    }
    read_games(path, &text, settings)
}

/// Reads the games of a run and the settings that it was begun with.
///
/// # Errors
/// [`HomeworkError`]: there is no such file, or it is damaged.
pub fn read_as_begun(path: &Path) -> Result<(HomeworkSettings, Vec<PlayedGame>), HomeworkError> {
    let text = std::fs::read_to_string(path).map_err(|error| HomeworkError::file(path, error))?;
    let settings = read_settings(path, &text)?;
    let games = read_games(path, &text, &settings)?;
    Ok((settings, games))
}

/// The settings in the first line.
fn read_settings(path: &Path, text: &str) -> Result<HomeworkSettings, HomeworkError> {
    let in_header = |error: LineError| HomeworkError::damaged(path, 1, error);
    let first = text.lines().next().ok_or(LineError::Empty);
    let first = first.map_err(in_header)?;
    let FileHeader { format, settings } = run_file::parse(first).map_err(in_header)?;
    run_file::check_format(format, FORMAT).map_err(in_header)?;
    Ok(settings)
}

/// The games in the lines after the first.
fn read_games(
    path: &Path,
    text: &str,
    settings: &HomeworkSettings,
) -> Result<Vec<PlayedGame>, HomeworkError> {
    let lines = text.lines().enumerate().skip(1);
    let games = lines.map(|(number, line)| {
        let game = read_game(line, settings, number - 1);
        game.map_err(|error| HomeworkError::damaged(path, number + 1, error))
    });
    games.collect()
}

/// A game and its number among all, counted from 0.
fn read_game(line: &str, settings: &HomeworkSettings, number: usize) -> Result<PlayedGame, ReplayError> {
    let line: GameLine = run_file::parse(line)?;
    let opening = Position::from_fen(&line.opening)?;
    let (players, position) = settings.game(number);
    if (players, position) != (line.players, opening) {
        return Err(ReplayError::OtherGame(number + 1));
    }
    let game = replay(players, opening, line.moves.split_whitespace())?;
    Ok(PlayedGame {
        game,
        error: line.error,
    })
}

/// Writes the games of a run; the file is replaced in one step.
///
/// # Errors
/// [`HomeworkError::File`]; the file is then as it was.
pub fn write(path: &Path, settings: &HomeworkSettings, games: &[PlayedGame]) -> Result<(), HomeworkError> {
    let header = FileHeader {
        format: FORMAT,
        settings: settings.clone(),
    };
    let mut text = serde_json::to_string(&header).map_err(|error| HomeworkError::file(path, error))?;
    text.push('\n');
    for played in games {
        let line =
            serde_json::to_string(&line_of(played)).map_err(|error| HomeworkError::file(path, error))?;
        text.push_str(&line);
        text.push('\n');
    }
    whole_file::write(path, |file| file.write_all(text.as_bytes()))
        .map_err(|error| HomeworkError::file(path, error))
}

fn line_of(played: &PlayedGame) -> GameLine {
    let HomeworkGame {
        players,
        opening,
        moves,
        ..
    } = &played.game;
    let moves: Vec<String> = moves.iter().map(|m| m.to_uci(false)).collect();
    GameLine {
        players: *players,
        opening: opening.to_fen(false),
        moves: moves.join(" "),
        error: played.error,
    }
}
