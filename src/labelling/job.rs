//! What a labelling run is, so that a run that was cut off is only continued by the same one.

use super::playout::PlayoutSettings;
use super::settings::Means;
use super::teach::TeacherIdentity;
use crate::data::formats::games::GameSettings;
use crate::data::job::InputIdentity;
use crate::uci_client::{ClientError, EngineSettings, UciClient};
use serde::Serialize;

/// What labels depend on besides the positions: the engine, its options, its effort and the random moves before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LabellerIdentity {
    engine: String,
    options: Vec<(String, String)>,
    effort: String,
    random: [u32; 2],
}

impl LabellerIdentity {
    /// Starts the engine once, to learn its name and whether it is there at all.
    ///
    /// # Errors
    /// [`ClientError`] if it cannot be started.
    pub fn new(
        settings: &EngineSettings,
        means: Means,
        playout: &PlayoutSettings,
    ) -> Result<LabellerIdentity, ClientError> {
        Ok(LabellerIdentity {
            engine: UciClient::start(settings)?.name().to_string(),
            options: settings.options.clone(),
            effort: means.to_string(),
            random: [playout.least_random, playout.most_random],
        })
    }
}

/// What decides the records of every labelling run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LabellingJob {
    /// What is read.
    pub inputs: Vec<InputIdentity>,
    /// The share of start positions that random moves change.
    pub random_share: f64,
    /// Who labels, and how.
    pub labels: LabellerIdentity,
    /// The most records of a shard.
    pub shard_records: u64,
}

/// What decides the records of a run that labels positions as they are, or after random moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "command", rename = "label")]
pub struct LabelJob {
    /// What every run has.
    #[serde(flatten)]
    pub common: LabellingJob,
    /// Which positions of games are taken.
    pub games: GameSettings,
    /// Whether positions in check are passed over.
    pub drop_check: bool,
    /// Whether positions that have a label are labelled again.
    pub again: bool,
}

/// What decides the records of a run that labels positions by a teacher.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "command", rename = "label")]
pub struct TeachJob {
    /// What is read.
    pub inputs: Vec<InputIdentity>,
    /// Which positions of games are taken.
    pub games: GameSettings,
    pub teacher: TeacherIdentity,
    /// Whether positions that have a label are labelled again.
    pub again: bool,
    /// The most records of a shard.
    pub shard_records: u64,
}

/// What decides the records of self-play.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "command", rename = "selfplay")]
pub struct SelfplayJob {
    /// What every run has.
    #[serde(flatten)]
    pub common: LabellingJob,
    /// Which positions of games are openings.
    pub openings: GameSettings,
    /// How many games are played.
    pub games: u64,
    /// The most positions of a game.
    pub plies: u32,
    /// As in [`PlayoutSettings`]. Runs that began before this option was there continue without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_start: Option<u16>,
    /// As in [`PlayoutSettings`]. Runs that began before this option was there continue without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<u16>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn common() -> LabellingJob {
        LabellingJob {
            inputs: Vec::new(),
            random_share: 0.5,
            labels: LabellerIdentity {
                engine: "Fake 1".to_string(),
                options: vec![("Hash".to_string(), "16".to_string())],
                effort: "depth 3".to_string(),
                random: [1, 5],
            },
            shard_records: 7,
        }
    }

    #[test]
    fn runs_are_known_by_the_json_that_folders_hold() {
        let label = LabelJob {
            common: common(),
            games: GameSettings::default(),
            drop_check: true,
            again: false,
        };
        let selfplay = SelfplayJob {
            common: common(),
            openings: GameSettings::default(),
            games: 9,
            plies: 80,
            most_start: None,
            resign: Some(900),
        };
        let labels = json!({
            "engine": "Fake 1", "options": [["Hash", "16"]], "effort": "depth 3", "random": [1, 5]
        });
        let games = json!({"skip_plies": 16, "per_game": null, "seed": 0});
        assert_eq!(
            serde_json::to_value(label).unwrap(),
            json!({
                "command": "label", "games": games, "drop_check": true, "again": false, "inputs": [],
                "random_share": 0.5, "labels": labels, "shard_records": 7
            })
        );
        assert_eq!(
            serde_json::to_value(selfplay).unwrap(),
            json!({
                "command": "selfplay", "openings": games, "games": 9, "plies": 80, "resign": 900, "inputs": [],
                "random_share": 0.5, "labels": labels, "shard_records": 7
            })
        );
    }
}
