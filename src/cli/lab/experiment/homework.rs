//! `enroc experiment homework`: minimax against a regression that imitates it.

use crate::cli::lab::resume::Resume;
use crate::cli::progress::bar;
use crate::cli::result::CommandResult;
use crate::experiments::homework;
use crate::experiments::homework::game::{HomeworkPlayer, Players};
use crate::experiments::homework::settings::HomeworkSettings;
use crate::experiments::homework::{HomeworkOptions, HomeworkOutcome, PLAYERS, PlayedGame};
use crate::nets::heuristics::Heuristics;
use crate::support::terminal::say;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub struct Homework {
    /// Games of the regressor against minimax, spread evenly over the depths
    #[arg(long, default_value_t = 60, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// The depths of minimax
    #[arg(long, value_delimiter = ',', default_value = "1,2,3", value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=8))]
    plies: Vec<u32>,
    /// Games of minimax against itself for each pair of depths, which the data begins with
    #[arg(long, default_value_t = 4, value_name = "N")]
    self_play: u32,
    /// What minimax scores positions by: heuristics, heuristics:mobility, heuristics:check or heuristics:mobility+check;
    /// several with commas between them take turns, as in the homework's data
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "heuristics:mobility+check",
        value_name = "NAME"
    )]
    heuristics: Vec<Heuristics>,
    /// Random moves before the players take over
    #[arg(long, default_value_t = 4, value_name = "N", value_parser = clap::value_parser!(u32).range(..=100))]
    random: u32,
    /// Give the regressor Black in every second round; in the homework it always has White
    #[arg(long)]
    alternate: bool,
    /// Seed of the openings and of what is held out of the fits
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Where the games go; the same command goes on with them
    #[arg(long, short, value_name = "FOLDER", default_value = "homework")]
    out: PathBuf,
    #[command(flatten)]
    resume: Resume,
}

pub fn play(arguments: &Homework) -> CommandResult {
    let settings = HomeworkSettings {
        heuristics: arguments.heuristics.clone(),
        plies: arguments.plies.clone(),
        self_play: arguments.self_play,
        random_moves: arguments.random,
        alternate: arguments.alternate,
        seed: arguments.seed,
    };
    let options = HomeworkOptions {
        folder: arguments.out.clone(),
        games: arguments.games as usize,
        restart: arguments.resume.restart,
    };
    let total = settings.self_play_games() + options.games;
    let bar = bar(total as u64, "games");
    let mut known = None;
    let outcome = homework::run(&settings, &options, &mut |games, rows| {
        match known {
            Some(number) => bar.suspend(|| {
                games[number..]
                    .iter()
                    .for_each(|last| say(line(games, last, rows)))
            }),
            // the games of an earlier run say nothing of the time that the rest takes
            None => bar.reset_eta(),
        }
        bar.set_position(games.len() as u64);
        known = Some(games.len());
    });
    bar.finish_and_clear();
    report(&settings, &outcome?);
    let [minimax, regressor] = PLAYERS.map(|name| options.folder.join(name));
    say(format_args!(
        "to play against them by UCI, set LookAhead and EvalFile, on the board --net: {}, {}",
        minimax.display(),
        regressor.display()
    ));
    Ok(())
}

/// The last game in a line, with the score of the regressor so far.
fn line(games: &[PlayedGame], last: &PlayedGame, rows: usize) -> String {
    let [white, black] = last.game.players;
    let result = ["0-1", "1/2-1/2", "1-0"][last.game.white_half_points.min(2) as usize];
    let mut line = format!(
        "game {}: {white} - {black} {result} ({:?}, {} plies), {rows} moves of data",
        games.len(),
        last.game.ending,
        last.game.moves.len()
    );
    if let Some(error) = last.error {
        let score = Score::of(games.iter());
        line += &format!(
            ", error {error:.0}, regressor {} of {}",
            score.points(),
            score.games()
        );
    }
    line
}

/// Won, drawn and lost games of the regressor.
#[derive(Clone, Copy, Default)]
struct Score([usize; 3]);

impl Score {
    /// Games of minimax against itself do not count.
    fn of<'a>(games: impl Iterator<Item = &'a PlayedGame>) -> Score {
        let mut score = Score::default();
        for PlayedGame { game, .. } in games {
            let half_points = match game.players {
                [HomeworkPlayer::Regressor, _] => game.white_half_points,
                [_, HomeworkPlayer::Regressor] => 2 - game.white_half_points,
                _ => continue,
            };
            score.0[2 - half_points as usize] += 1;
        }
        score
    }

    fn games(&self) -> usize {
        self.0.iter().sum()
    }

    fn points(&self) -> f64 {
        self.0[0] as f64 + self.0[1] as f64 / 2.0
    }
}

fn report(settings: &HomeworkSettings, outcome: &HomeworkOutcome) {
    let heuristics: Vec<String> = settings.heuristics.iter().map(Heuristics::to_string).collect();
    say(format_args!(
        "the regressor against minimax with {}; error: root mean square, in numbers of the list of 4,160 moves",
        heuristics.join(", ")
    ));
    say("plies  games  won  drawn  lost  points  mean error");
    for &plies in &settings.plies {
        let against = |players: Players| {
            players.contains(&HomeworkPlayer::Minimax(plies)) && players.contains(&HomeworkPlayer::Regressor)
        };
        let games: Vec<&PlayedGame> = outcome
            .games
            .iter()
            .filter(|played| against(played.game.players))
            .collect();
        let score = Score::of(games.iter().copied());
        let errors: Vec<f64> = games.iter().filter_map(|played| played.error).collect();
        let [won, drawn, lost] = score.0;
        say(format_args!(
            "{plies:>5}  {:>5}  {won:>3}  {drawn:>5}  {lost:>4}  {:>6}  {:>10.0}",
            score.games(),
            score.points(),
            errors.iter().sum::<f64>() / errors.len().max(1) as f64
        ));
    }
    let thought = outcome.thought.iter();
    let thought: Vec<String> = thought
        .map(|(player, time)| format!("{player} {:.1} µs", time.as_secs_f64() * 1e6))
        .collect();
    say(format_args!("time of a move: {}", thought.join(", ")));
    let [fitted, held_out] = outcome.predicted;
    for (name, predicted) in [("fitted", fitted), ("held out", held_out)] {
        let share = |count: f64| 100.0 * count / predicted.rows.max(1) as f64;
        say(format_args!(
            "moves of minimax predicted, {name}: {} of {} ({:.1} %); by chance {:.1} %",
            predicted.right,
            predicted.rows,
            share(predicted.right as f64),
            share(predicted.by_chance)
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Ending, Position};
    use crate::experiments::homework::game::HomeworkGame;

    #[test]
    fn points_are_the_regressors() {
        let game = |players: Players, white_half_points: u32| PlayedGame {
            game: HomeworkGame {
                players,
                opening: Position::default(),
                moves: Vec::new(),
                ending: Ending::Checkmate,
                white_half_points,
            },
            error: None,
        };
        let minimax = HomeworkPlayer::Minimax(2);
        let games = [
            game([HomeworkPlayer::Regressor, minimax], 2),
            game([minimax, HomeworkPlayer::Regressor], 2),
            game([minimax, HomeworkPlayer::Regressor], 1),
            game([minimax, minimax], 2),
        ];
        let score = Score::of(games.iter());
        assert_eq!((score.0, score.games(), score.points()), ([1, 1, 1], 3, 1.5));
    }
}
