//! What a training begins with: weights that are drawn, those of an earlier training, or those that it had when it was
//! cut off.

use super::TrainError;
use super::checkpoint::{Checkpoint, Progress};
use super::event::Unfinished;
use super::folder::Folder;
use super::recipe::Recipe;
use super::trainer::Trainer;
use crate::nets::net::Architecture;
use candle_core::{Device, Tensor};
use std::path::Path;

/// A training before its first step or its next one.
pub(super) struct Beginning {
    pub trainer: Trainer,
    pub progress: Progress,
    /// The weights of the best measurement; of none at the very beginning.
    pub best: Vec<Tensor>,
    /// The training that this one begins after, if that has not ended.
    pub unfinished: Option<Unfinished>,
    /// The fingerprint of the data before it was cut off.
    data: Option<String>,
}

impl Beginning {
    /// Takes up a checkpoint of the training itself or of the one before it, if there is one to take up.
    pub fn new(
        recipe: &Recipe,
        folder: &Folder,
        restart: bool,
        device: &Device,
    ) -> Result<Beginning, TrainError> {
        let mut trainer = Trainer::new(recipe, device)?;
        if !restart && folder.checkpoint.exists() {
            let saved = Checkpoint::load(recipe, &folder.checkpoint, device)?;
            trainer.restore(saved.progress.steps, &saved.weights, saved.moments)?;
            return Ok(Beginning {
                trainer,
                progress: saved.progress,
                best: saved.best,
                unfinished: None,
                data: saved.data,
            });
        }
        let before = folder.before.as_deref();
        let unfinished = before.map(|before| follow(&mut trainer, recipe, before, device));
        Ok(Beginning {
            best: trainer.weights()?,
            trainer,
            progress: Progress::default(),
            unfinished: unfinished.transpose()?.flatten(),
            data: None,
        })
    }

    /// Refuses to go on with other data: the place in it would mean nothing, and its net would be that of no data.
    pub fn check_data(&self, fingerprint: &str, folder: &Folder) -> Result<(), TrainError> {
        if self.data.as_ref().is_some_and(|data| data != fingerprint) {
            return Err(TrainError::OtherData(folder.checkpoint.clone()));
        }
        Ok(())
    }
}

/// Takes over the best weights of an earlier training, which is returned if it has not ended. Weights of the same shapes that were trained for another curve or
/// another view of the board would be no better than drawn ones.
fn follow(
    trainer: &mut Trainer,
    recipe: &Recipe,
    before: &Path,
    device: &Device,
) -> Result<Option<Unfinished>, TrainError> {
    let (text, saved) = Checkpoint::read(before, device)?;
    let earlier = Recipe::parse(&text).map_err(|reason| TrainError::file(before, reason))?;
    for ((key, theirs), (_, ours)) in essentials(&earlier)?.into_iter().zip(essentials(recipe)?) {
        if theirs != ours {
            let difference = format!("its net.{key} is {theirs}, here it is {ours}");
            return Err(TrainError::file(before, difference));
        }
    }
    let fitted = trainer.set_weights(&saved.best);
    fitted.map_err(|error| TrainError::file(before, error))?;
    let ended = saved.progress.has_ended(&earlier.schedule);
    Ok((!ended).then(|| Unfinished {
        done: saved.progress.steps * earlier.schedule.batch as u64,
        total: earlier.schedule.positions,
        name: earlier.name,
    }))
}

/// What of a net decides what its weights mean, by its key in a recipe.
fn essentials(recipe: &Recipe) -> Result<Vec<(String, String)>, TrainError> {
    let Architecture {
        kind,
        layout,
        settings,
    } = recipe.design()?.architecture();
    let (orientation, curve) = (recipe.net.orientation.name(), recipe.net.curve.to_string());
    let mut essentials = vec![
        ("kind".to_string(), kind),
        ("layout".to_string(), layout),
        ("orientation".to_string(), orientation.to_string()),
        ("curve".to_string(), curve),
    ];
    essentials.extend(settings);
    Ok(essentials)
}
