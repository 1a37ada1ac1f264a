//! Contestants that choose without a search, to measure the others by.

use crate::board::{Move, Position};
use crate::compare::answer::Answer;
use crate::compare::error::CompareError;
use crate::experiments::homework;
use crate::nets::file::fingerprint;
use crate::nets::regressor::Regressor;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The word for a contestant that knows nothing.
const CHANCE: &str = "chance";
/// The extension of a file of the homework's games.
const GAMES: &str = "jsonl";
/// The name in reports of a model fitted to such a file.
const REGRESSOR: &str = "regressor";

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guesser {
    /// Takes every position for level and draws among the legal moves: the constant predictor.
    Chance,
    /// The homework's regressor, fitted to the games in this file; it imitates a minimax of the contestant's plies.
    Regressor(PathBuf),
}

impl Guesser {
    /// The one that is meant by a contestant's name.
    pub fn named(name: &str) -> Option<Guesser> {
        let path = Path::new(name);
        if name == CHANCE {
            return Some(Guesser::Chance);
        }
        path.extension()
            .is_some_and(|ending| ending == GAMES)
            .then(|| Guesser::Regressor(path.to_path_buf()))
    }

    /// As reports call it.
    pub fn shown(&self) -> &'static str {
        match self {
            Guesser::Chance => CHANCE,
            Guesser::Regressor(_) => REGRESSOR,
        }
    }

    /// What decides its answers.
    ///
    /// # Errors
    /// If its file cannot be read.
    pub fn identity(&self) -> Result<String, CompareError> {
        match self {
            Guesser::Chance => Ok(CHANCE.to_string()),
            Guesser::Regressor(path) => {
                let games = std::fs::read(path).map_err(|error| CompareError::file(path, error))?;
                Ok(format!("{REGRESSOR} of games {}", fingerprint(&games)))
            }
        }
    }

    /// Gets it ready to answer for so many plies.
    ///
    /// # Errors
    /// If its file is not one that `enroc experiment homework` has written.
    pub fn ready(&self, plies: u32) -> Result<Guess, CompareError> {
        Ok(match self {
            Guesser::Chance => Guess::Chance { judges: plies == 0 },
            Guesser::Regressor(path) => {
                let model = Box::new(homework::read(path)?);
                Guess::Regressor { model, plies }
            }
        })
    }
}

/// One that guesses, ready to be asked.
pub enum Guess {
    /// See [`Guesser::Chance`].
    Chance {
        /// Whether it only says its score.
        judges: bool,
    },
    /// See [`Guesser::Regressor`].
    Regressor {
        /// The fitted model.
        model: Box<Regressor>,
        /// The plies of the minimax that it imitates.
        plies: u32,
    },
}

impl Guess {
    /// Its move in a position that has a legal one; the same in every run.
    pub fn choose(&self, position: &Position) -> Move {
        let chosen = match self {
            Guess::Chance { .. } => position
                .legal_moves()
                .choose(&mut ChaCha8Rng::seed_from_u64(position.key()))
                .copied(),
            Guess::Regressor { model, plies } => model.choose(position, *plies, &position.legal_moves()),
        };
        chosen.expect("the position has a legal move")
    }

    /// Its answer to a position that has a legal move.
    pub fn answer(&self, position: &Position) -> Answer {
        let start = Instant::now();
        let (score, moves) = match self {
            Guess::Chance { judges } => (Some(0), !judges),
            Guess::Regressor { .. } => (None, true),
        };
        Answer {
            best: moves.then(|| self.choose(position)),
            score,
            static_score: score,
            nodes: 1,
            evaluations: None,
            micros: start.elapsed().as_micros() as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_those_of_nets_and_engines() {
        assert_eq!(Guesser::named("chance"), Some(Guesser::Chance));
        assert_eq!(
            Guesser::named("homework/games.jsonl"),
            Some(Guesser::Regressor("homework/games.jsonl".into()))
        );
        assert_eq!(Guesser::named("chances"), None);
        assert_eq!(Guesser::named("mlp"), None);
    }

    /// Every legal move comes about as often as any other.
    #[test]
    fn chance_favours_no_move() {
        let guess = Guesser::Chance.ready(1).unwrap();
        let mut counts = [0usize; 4];
        let mut position = Position::default();
        for _ in 0..4000 {
            let moves = position.legal_moves();
            if moves.is_empty() || position.halfmove_clock() > 60 {
                position = Position::default();
                continue;
            }
            let chosen = guess.choose(&position);
            let place = moves.iter().position(|&m| m == chosen).unwrap();
            counts[place * 4 / moves.len()] += 1;
            position.play(chosen);
        }
        let total: usize = counts.iter().sum();
        for count in counts {
            assert!((total / 5..total / 3).contains(&count), "{counts:?}");
        }
    }

    #[test]
    fn a_judge_of_no_plies_says_a_score_and_no_move() {
        let position = Position::default();
        let judge = Guesser::Chance.ready(0).unwrap().answer(&position);
        assert_eq!((judge.best, judge.score), (None, Some(0)));
        let mover = Guesser::Chance.ready(2).unwrap();
        assert_eq!(mover.answer(&position).best, Some(mover.choose(&position)));
    }

    #[test]
    fn a_file_of_no_games_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let missing = Guesser::Regressor(path.clone());
        assert!(
            missing
                .identity()
                .unwrap_err()
                .to_string()
                .contains("games.jsonl")
        );
        std::fs::write(&path, "{}\n").unwrap();
        let error = missing.ready(1).err().unwrap().to_string();
        assert!(
            error.matches("games.jsonl").count() == 1 && error.contains("line 1"),
            "{error}"
        );
    }
}
