//! What a training has to remember to go on as if it had never stopped: one safetensors file.
//!
//! It holds the weights (`weight0`, `weight1`, …), the optimiser's means (`first0`, `second0`, …), the best weights so
//! far (`best0`, …) and, as metadata, the place in the data and all measurements. There is no generator to save: the
//! order of the data is a function of the recipe's seed and the place.

use super::TrainError;
use super::measure::{Group, Measures};
use super::recipe::{Recipe, Schedule};
use crate::data::feed::loader::Cursor;
use crate::support::whole_file;
use candle_core::{Device, Tensor};
use safetensors::SafeTensors;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::HashMap;
use std::path::Path;

/// Where the description stands in the metadata of the file.
const METADATA_KEY: &str = "enroc-training";

/// One measurement on the validation part.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// Positions trained on so far.
    pub positions: u64,
    /// The rate of the last step.
    pub rate: f64,
    /// The mean loss in training since the last measurement.
    pub loss: f64,
    /// Mean error on all held-out positions, in the thesis's unit.
    pub error: f64,
    /// The same on the quiet ones; `None` where nothing is known to be quiet, as in data without best moves.
    #[serde(default, deserialize_with = "none_for_zero")]
    pub error_quiet: Option<f64>,
    /// Mean error on all of them in the score of the game that is expected; older checkpoints lack it.
    #[serde(default)]
    pub error_expected: Option<f64>,
    /// The share of all of them within 0.9, which the thesis calls correct; older checkpoints lack it.
    #[serde(default)]
    pub correct: Option<f64>,
}

impl Measurement {
    /// What is kept of the measures on the validation part after so many positions.
    pub fn new(positions: u64, rate: f64, loss: f64, measures: &Measures) -> Measurement {
        let (all, quiet) = (&measures.row(Group::All).net, &measures.row(Group::Quiet).net);
        Measurement {
            positions,
            rate,
            loss,
            error: all.mean(),
            error_quiet: quiet.known_mean(),
            error_expected: Some(all.expected()),
            correct: Some(all.loose()),
        }
    }

    /// What decides which weights are kept: the error on quiet positions, or on all where none is quiet.
    pub fn deciding(&self) -> f64 {
        self.error_quiet.unwrap_or(self.error)
    }
}

/// Older checkpoints have 0 where no position was quiet; no net has an error of exactly 0.
fn none_for_zero<'a, D: Deserializer<'a>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let error = Option::<f64>::deserialize(deserializer)?;
    Ok(error.filter(|&error| error != 0.0))
}

/// How far a training has come.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Positions that the first weights had been trained on; older checkpoints lack it.
    #[serde(default)]
    pub before: u64,
    /// Steps of the optimiser.
    pub steps: u64,
    /// The next batch.
    pub cursor: Cursor,
    /// Every measurement so far.
    pub history: Vec<Measurement>,
}

impl Progress {
    /// The best measurement, see [`Measurement::deciding`]: its weights are kept.
    pub fn best(&self) -> Option<&Measurement> {
        let history = self.history.iter();
        history.min_by(|a, b| a.deciding().total_cmp(&b.deciding()))
    }

    /// Positions that the best weights were trained on, those of earlier trainings included.
    pub fn seen_by_best(&self) -> u64 {
        self.before + self.best().map_or(0, |best| best.positions)
    }

    /// Whether there is nothing left to do: no step, or no more patience.
    pub fn has_ended(&self, schedule: &Schedule) -> bool {
        let patience = schedule.patience as usize;
        self.steps >= schedule.steps() || patience > 0 && self.since_best() >= patience
    }

    /// Measurements since the best one; 0 if that is the last.
    pub fn since_best(&self) -> usize {
        let better = |best: &Measurement| {
            let later = self.history.iter().rev();
            later.take_while(|m| m.positions > best.positions).count()
        };
        self.best().map_or(0, better)
    }
}

/// Everything that a training remembers.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// Place and measurements.
    pub progress: Progress,
    /// The weights, in the order of the model's variables.
    pub weights: Vec<Tensor>,
    /// The optimiser's means of each of them.
    pub moments: Vec<(Tensor, Tensor)>,
    /// The weights of the best measurement.
    pub best: Vec<Tensor>,
    /// The fingerprint of the data; older checkpoints lack it.
    pub data: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Description {
    recipe: String,
    progress: Progress,
    #[serde(default)]
    data: Option<String>,
}

impl Checkpoint {
    /// Writes the file; what was there before is replaced in one step.
    pub fn save(&self, recipe: &Recipe, path: &Path) -> Result<(), TrainError> {
        let description = Description {
            recipe: recipe.to_text()?,
            progress: self.progress.clone(),
            data: self.data.clone(),
        };
        let description =
            serde_json::to_string(&description).map_err(|error| TrainError::file(path, error))?;
        let metadata = HashMap::from([(METADATA_KEY.to_string(), description)]);
        let bytes = safetensors::serialize(self.named(), Some(metadata))
            .map_err(|error| TrainError::file(path, error))?;
        write_whole(path, &bytes)
    }

    fn named(&self) -> Vec<(String, &Tensor)> {
        let name = |kind: &str, number: usize| format!("{kind}{number}");
        let weights = self
            .weights
            .iter()
            .enumerate()
            .map(|(n, tensor)| (name("weight", n), tensor));
        let best = self
            .best
            .iter()
            .enumerate()
            .map(|(n, tensor)| (name("best", n), tensor));
        let moments = self
            .moments
            .iter()
            .enumerate()
            .flat_map(|(n, (first, second))| [(name("first", n), first), (name("second", n), second)]);
        weights.chain(best).chain(moments).collect()
    }

    /// Reads the file, which must belong to this recipe.
    pub fn load(recipe: &Recipe, path: &Path, device: &Device) -> Result<Checkpoint, TrainError> {
        let (of_recipe, checkpoint) = Checkpoint::read(path, device)?;
        // compared as recipes, not as texts: a key that came later has its default in an older one
        if Recipe::parse(&of_recipe).as_ref() != Ok(recipe) {
            return Err(TrainError::OtherRecipe(path.into()));
        }
        Ok(checkpoint)
    }

    /// Reads the file, whatever recipe it belongs to; the text of that recipe comes with it.
    pub fn read(path: &Path, device: &Device) -> Result<(String, Checkpoint), TrainError> {
        let bytes = std::fs::read(path).map_err(|error| TrainError::file(path, error))?;
        let (_, header) =
            SafeTensors::read_metadata(&bytes).map_err(|error| TrainError::file(path, error))?;
        let description = header.metadata().as_ref().and_then(|map| map.get(METADATA_KEY));
        let description: Description = description
            .ok_or_else(|| TrainError::file(path, "not a checkpoint of a training"))
            .and_then(|text| serde_json::from_str(text).map_err(|error| TrainError::file(path, error)))?;
        let mut tensors = candle_core::safetensors::load_buffer(&bytes, device)?;
        let mut all = |kind: &str| -> Vec<Tensor> {
            (0..)
                .map_while(|number| tensors.remove(&format!("{kind}{number}")))
                .collect()
        };
        let (weights, best) = (all("weight"), all("best"));
        let moments = all("first").into_iter().zip(all("second")).collect();
        let checkpoint = Checkpoint {
            progress: description.progress,
            weights,
            moments,
            best,
            data: description.data,
        };
        Ok((description.recipe, checkpoint))
    }
}

/// Writes a file so that nobody ever sees half of it.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
    whole_file::write(path, |file| file.write_all(bytes)).map_err(|error| TrainError::file(path, error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::mix::mix;

    fn measurement(positions: u64, error: f64, error_quiet: Option<f64>) -> Measurement {
        Measurement {
            positions,
            rate: 1e-3,
            loss: 0.1,
            error,
            error_quiet,
            error_expected: None,
            correct: None,
        }
    }

    /// How many positions the best measurement had seen, and how many measurements came after it.
    fn best(errors: &[(f64, Option<f64>)]) -> (u64, usize) {
        let measured = (100..).step_by(100).zip(errors);
        let history = measured.map(|(positions, &(error, quiet))| measurement(positions, error, quiet));
        let progress = Progress {
            history: history.collect(),
            ..Progress::default()
        };
        (progress.best().unwrap().positions, progress.since_best())
    }

    #[test]
    fn the_quiet_positions_decide_where_there_are_any() {
        assert_eq!(best(&[(0.3, Some(0.2)), (0.2, Some(0.3))]), (100, 1));
        assert_eq!(best(&[(0.3, None), (0.2, None), (0.1, None)]), (300, 0));
        assert_eq!(best(&[(0.3, None), (0.1, None), (0.2, None)]), (200, 1));
        assert_eq!(best(&[(0.3, None), (0.1, None), (0.1, None)]), (200, 1));
        assert_eq!(Progress::default().since_best(), 0);
    }

    #[test]
    fn a_training_ends_with_its_steps_or_with_its_patience() {
        let mut schedule = Recipe::parse(include_str!("../../nets/recipes/mlp-default.toml"))
            .unwrap()
            .schedule;
        let mut progress = Progress {
            steps: schedule.steps() - 1,
            history: vec![measurement(100, 0.2, None), measurement(200, 0.3, None)],
            ..Progress::default()
        };
        assert!(!progress.has_ended(&schedule));
        schedule.patience = 1;
        assert!(progress.has_ended(&schedule));
        schedule.patience = 2;
        assert!(!progress.has_ended(&schedule));
        progress.steps += 1;
        assert!(progress.has_ended(&schedule));
    }

    #[test]
    fn floats_are_read_as_they_were_written() {
        for number in 0..10_000 {
            let float = f64::from_bits(mix(number) >> 12 | 0x3fb << 52);
            let mut written = measurement(100, float, Some(float / 3.0));
            written.error_expected = Some(float * float);
            let text = serde_json::to_string(&written).unwrap();
            assert_eq!(
                serde_json::from_str::<Measurement>(&text).unwrap(),
                written,
                "{text}"
            );
        }
    }

    #[test]
    fn measurements_of_earlier_versions_are_read() {
        let old = |quiet: &str| -> Measurement {
            let text =
                format!(r#"{{"positions":100,"rate":1e-3,"loss":0.1,"error":0.3,"error_quiet":{quiet}}}"#);
            serde_json::from_str(&text).unwrap()
        };
        assert_eq!(old("0.2"), measurement(100, 0.3, Some(0.2)));
        assert_eq!(old("0.0"), measurement(100, 0.3, None));
        let description =
            r#"{"recipe":"","progress":{"steps":0,"cursor":{"epoch":0,"batch":0},"history":[]}}"#;
        assert_eq!(
            serde_json::from_str::<Description>(description).unwrap().data,
            None
        );
        let new = serde_json::to_string(&measurement(100, 0.3, None)).unwrap();
        assert_eq!(
            serde_json::from_str::<Measurement>(&new).unwrap(),
            measurement(100, 0.3, None)
        );
    }
}
