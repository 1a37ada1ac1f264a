//! What decides the games of a run.

use super::game::{HomeworkPlayer, Players, opening};
use crate::board::Position;
use crate::nets::heuristics::Heuristics;
use serde::{Deserialize, Serialize};

/// What decides the games of a run: with the same settings they are the same games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HomeworkSettings {
    /// What minimax scores positions by, by turns from round to round: the homework's data is of several.
    #[serde(deserialize_with = "one_or_several")]
    pub heuristics: Vec<Heuristics>,
    /// The depths of minimax; the regressor meets them in turn.
    pub plies: Vec<u32>,
    /// Games of minimax against itself for each pair of depths, which the data begins with.
    pub self_play: u32,
    /// Random moves that an opening is made of.
    pub random_moves: u32,
    /// Whether the regressor has Black in every second round; in the homework it always has White.
    pub alternate: bool,
    /// Seed of the openings and of what is held out of the fits.
    pub seed: u64,
}

impl HomeworkSettings {
    /// The number of games of minimax against itself.
    pub fn self_play_games(&self) -> usize {
        self.plies.len().pow(2) * self.self_play as usize
    }

    /// The players and the opening of a game, counted from 0: minimax against itself, then rounds in which the regressor
    /// meets each depth in turn from one opening.
    pub fn game(&self, number: usize) -> (Players, Position) {
        let (depths, before) = (self.plies.len(), self.self_play_games());
        let depth = |place: usize| HomeworkPlayer::Minimax(self.plies[place % depths]);
        let (players, round) = match number.checked_sub(before) {
            None => ([depth(number / depths), depth(number)], number),
            Some(place) => {
                let round = place / depths;
                let players = match self.alternate && round % 2 == 1 {
                    true => [depth(place), HomeworkPlayer::Regressor],
                    false => [HomeworkPlayer::Regressor, depth(place)],
                };
                (players, before + round)
            }
        };
        (players, opening(self.random_moves, self.seed, round as u64))
    }

    /// What minimax scores positions by in a game, counted from 0.
    pub fn heuristics_of(&self, number: usize) -> Heuristics {
        let before = self.self_play_games();
        let round = match number.checked_sub(before) {
            None => number / self.plies.len().pow(2),
            Some(place) => place / self.plies.len(),
        };
        self.heuristics[round % self.heuristics.len()]
    }

    /// The first setting in which another run differs, with both values; `None` if all are equal.
    pub fn difference(&self, other: &HomeworkSettings) -> Option<String> {
        let fields = |settings: &HomeworkSettings| match serde_json::to_value(settings) {
            Ok(serde_json::Value::Object(fields)) => fields,
            _ => serde_json::Map::new(),
        };
        let (ours, theirs) = (fields(self), fields(other));
        let (name, value) = ours
            .iter()
            .find(|(name, value)| theirs.get(*name) != Some(value))?;
        Some(format!(
            "{name} {value}, now {}",
            theirs.get(name).unwrap_or(&serde_json::Value::Null)
        ))
    }
}

/// Files of earlier versions name one alone.
fn one_or_several<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<Heuristics>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrSeveral {
        One(Heuristics),
        Several(Vec<Heuristics>),
    }
    match OneOrSeveral::deserialize(deserializer)? {
        OneOrSeveral::One(one) => Ok(vec![one]),
        OneOrSeveral::Several(several) if several.is_empty() => {
            Err(serde::de::Error::custom("heuristics: there are none"))
        }
        OneOrSeveral::Several(several) => Ok(several),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Few and short games.
    pub fn small() -> HomeworkSettings {
        HomeworkSettings {
            heuristics: vec![Heuristics {
                mobility: true,
                check: true,
            }],
            plies: vec![1, 2],
            self_play: 1,
            random_moves: 4,
            alternate: true,
            seed: 3,
        }
    }

    #[test]
    fn every_pair_of_depths_and_then_the_regressor_in_turn() {
        use HomeworkPlayer::{Minimax, Regressor};
        let settings = small();
        let players: Vec<Players> = (0..8).map(|number| settings.game(number).0).collect();
        assert_eq!(settings.self_play_games(), 4);
        assert_eq!(
            players[..4],
            [
                [Minimax(1), Minimax(1)],
                [Minimax(1), Minimax(2)],
                [Minimax(2), Minimax(1)],
                [Minimax(2), Minimax(2)]
            ]
        );
        assert_eq!(
            players[4..],
            [
                [Regressor, Minimax(1)],
                [Regressor, Minimax(2)],
                [Minimax(1), Regressor],
                [Minimax(2), Regressor]
            ]
        );
        let opening = |number| settings.game(number).1;
        assert_eq!(opening(4), opening(5));
        assert_ne!(opening(5), opening(6));
        let always_white = HomeworkSettings {
            alternate: false,
            ..settings
        };
        assert_eq!(always_white.game(6).0, [Regressor, Minimax(1)]);
    }

    #[test]
    fn heuristics_take_turns_in_rounds() {
        let [one, other] = ["heuristics", "heuristics:check"].map(|name| name.parse().unwrap());
        let settings = HomeworkSettings {
            heuristics: vec![one, other],
            self_play: 2,
            ..small()
        };
        // every pair of depths by one, then by the other; the same for the rounds of the regressor
        let all: Vec<Heuristics> = (0..14).map(|number| settings.heuristics_of(number)).collect();
        let rounds = [[one; 4], [other; 4]].concat();
        assert_eq!(all, [&rounds[..], &[one, one, other, other, one, one]].concat());
        // as earlier versions wrote it
        let mut file = serde_json::to_value(small()).unwrap();
        file["heuristics"] = file["heuristics"][0].take();
        assert_eq!(
            serde_json::from_value::<HomeworkSettings>(file.clone()).unwrap(),
            small()
        );
        file["heuristics"] = serde_json::json!([]);
        assert!(serde_json::from_value::<HomeworkSettings>(file).is_err());
    }

    #[test]
    fn the_setting_that_differs_is_named() {
        let other = HomeworkSettings { seed: 9, ..small() };
        assert_eq!(small().difference(&small()), None);
        assert_eq!(small().difference(&other), Some("seed 3, now 9".into()));
    }
}
