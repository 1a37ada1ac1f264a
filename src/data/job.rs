//! What a run over data is, so that a run that was cut off is only continued by the same one.

use super::DataError;
use super::feed::filter::FilterSettings;
use super::formats::games::GameSettings;
use super::store::shard::Index;
use serde::Serialize;
use std::path::PathBuf;

/// A file or folder that a run reads: its name, and its length in bytes or, of a folder of shards, in records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InputIdentity(String, u64);

impl InputIdentity {
    /// The identities of several inputs, in their order.
    ///
    /// # Errors
    /// [`DataError::Read`] for what is not there, and as [`Index::read`].
    pub fn of_all(inputs: &[PathBuf]) -> Result<Vec<InputIdentity>, DataError> {
        inputs.iter().map(InputIdentity::of).collect()
    }

    fn of(path: &PathBuf) -> Result<InputIdentity, DataError> {
        let length = if path.is_dir() {
            Index::read(path)?.records()
        } else {
            let metadata = std::fs::metadata(path).map_err(|error| DataError::read(path, error))?;
            metadata.len()
        };
        Ok(InputIdentity(path.to_string_lossy().into_owned(), length))
    }
}

/// What decides the records of an import.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "command", rename = "import")]
pub struct ImportJob {
    /// What is read.
    pub inputs: Vec<InputIdentity>,
    /// Which positions of games are taken.
    pub games: GameSettings,
    /// What is left out.
    pub filter: FilterSettings,
    /// The most records of a shard.
    pub shard_records: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_import_is_known_by_the_json_that_folders_hold() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list.fen");
        std::fs::write(&path, "12345").unwrap();
        let job = ImportJob {
            inputs: InputIdentity::of_all(std::slice::from_ref(&path)).unwrap(),
            games: GameSettings::default(),
            filter: FilterSettings::default(),
            shard_records: 7,
        };
        let expected = json!({
            "command": "import",
            "inputs": [[path, 5]],
            "games": {"skip_plies": 16, "per_game": null, "seed": 0},
            "filter": {
                "in_check": false, "noisy": false, "unlabelled": true, "max_score": null, "duplicate_memory": null
            },
            "shard_records": 7,
        });
        assert_eq!(serde_json::to_value(job).unwrap(), expected);
        assert!(InputIdentity::of_all(&[folder.path().join("gone")]).is_err());
    }
}
