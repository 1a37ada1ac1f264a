//! What a training begins with: weights that are drawn, those of an earlier training or of a net file, or those that it had
//! when it was cut off.

use super::TrainError;
use super::checkpoint::{Checkpoint, Progress};
use super::event::Unfinished;
use super::folder::{Earlier, Folder};
use super::recipe::Recipe;
use super::source::thinned;
use super::trainer::Trainer;
use crate::data::Record;
use crate::nets::curve::{Curve, Orientation};
use crate::nets::net::{Architecture, Net};
use candle_core::{Device, Tensor};
use std::path::Path;

/// A training before its first step or its next one.
pub(super) struct Beginning {
    pub trainer: Trainer,
    pub progress: Progress,
    /// The weights of the best measurement; the first weights while there is none.
    pub best: Vec<Tensor>,
    /// The training that this one begins after, if that has not ended.
    pub unfinished: Option<Unfinished>,
    /// The net file whose weights are yet to be taken over.
    net: Option<Net>,
    /// The fingerprint of the data before it was cut off.
    data: Option<String>,
}

impl Beginning {
    /// Resumes from the training's own checkpoint, if there is one and `restart` is not set; otherwise starts from the
    /// checkpoint or net file that the recipe names, if it names one.
    pub fn new(
        recipe: &Recipe,
        folder: &Folder,
        restart: bool,
        device: &Device,
    ) -> Result<Beginning, TrainError> {
        let trainer = Trainer::new(recipe, device)?;
        let mut beginning = Beginning {
            best: trainer.weights()?,
            trainer,
            progress: Progress::default(),
            unfinished: None,
            net: None,
            data: None,
        };
        if !restart && folder.checkpoint.exists() {
            beginning.resume(recipe, &folder.checkpoint, device)?;
            return Ok(beginning);
        }
        match &folder.before {
            None => {}
            Some(Earlier::Checkpoint(path)) => beginning.follow(recipe, path, device)?,
            Some(Earlier::Net(path)) => beginning.read_net(recipe, path)?,
        }
        Ok(beginning)
    }

    /// Takes up the training where it was cut off.
    fn resume(&mut self, recipe: &Recipe, checkpoint: &Path, device: &Device) -> Result<(), TrainError> {
        let saved = Checkpoint::load(recipe, checkpoint, device)?;
        self.trainer
            .restore(saved.progress.steps, &saved.weights, saved.moments)?;
        self.progress = saved.progress;
        self.best = saved.best;
        self.data = saved.data;
        Ok(())
    }

    /// Takes over the best weights of an earlier training, and says so if it has not ended.
    fn follow(&mut self, recipe: &Recipe, before: &Path, device: &Device) -> Result<(), TrainError> {
        let (text, saved) = Checkpoint::read(before, device)?;
        let earlier = Recipe::parse(&text).map_err(|reason| TrainError::file(before, reason))?;
        let theirs = Meant::by(&earlier)?;
        theirs.check_fits(recipe, before)?;
        self.progress.before = saved.progress.seen_by_best();
        // one of them may have weights that net files do not have, such as the factoriser's
        if theirs == Meant::by(recipe)? && saved.best.len() == self.best.len() {
            let fitted = self.trainer.set_weights(&saved.best);
            fitted.map_err(|error| TrainError::file(before, error))?;
            self.best = self.trainer.weights()?;
        } else {
            let mut trainer = Trainer::new(&earlier, device)?;
            trainer.set_weights(&saved.best)?;
            self.net = Some(trainer.net(self.progress.before, None)?);
        }
        if !saved.progress.has_ended(&earlier.schedule) {
            self.unfinished = Some(Unfinished {
                done: saved.progress.steps * earlier.schedule.batch as u64,
                total: earlier.schedule.positions,
                name: earlier.name,
            });
        }
        Ok(())
    }

    /// Reads the net file that the training begins after; its weights are taken over when the data is there.
    fn read_net(&mut self, recipe: &Recipe, before: &Path) -> Result<(), TrainError> {
        let net = Net::read(before)?;
        let info = &net.info;
        let theirs = Meant {
            architecture: info.architecture.clone(),
            orientation: info.orientation,
            curve: info.curve,
        };
        theirs.check_fits(recipe, before)?;
        self.progress.before = info.positions;
        self.net = Some(net);
        Ok(())
    }

    /// Takes over the weights of the net file, if the training begins with one and this is its first run. `batch` of the
    /// records stand in for the batch-norm statistics, which a net file does not hold. Says whether there was one.
    pub fn take_over(&mut self, records: &[Record], batch: usize) -> Result<bool, TrainError> {
        let Some(net) = self.net.take() else {
            return Ok(false);
        };
        self.trainer.take_over(&net, &thinned(records, Some(batch)))?;
        self.best = self.trainer.weights()?;
        Ok(true)
    }

    /// Refuses to continue with other data: the saved place in it would be meaningless, and the net would belong to no
    /// single data set.
    pub fn check_data(&self, fingerprint: &str, folder: &Folder) -> Result<(), TrainError> {
        if self.data.as_ref().is_some_and(|data| data != fingerprint) {
            return Err(TrainError::OtherData(folder.checkpoint.clone()));
        }
        Ok(())
    }
}

/// The properties of a net that decide what its weights mean.
#[derive(PartialEq)]
struct Meant {
    architecture: Architecture,
    orientation: Orientation,
    curve: Curve,
}

/// The keys of a recipe for the shape of a net and for the meaning of its output.
const LAYOUT: &str = "layout";
const CURVE: &str = "curve";

impl Meant {
    /// What a recipe asks for.
    fn by(recipe: &Recipe) -> Result<Meant, TrainError> {
        Ok(Meant {
            architecture: recipe.design()?.architecture(),
            orientation: recipe.net.orientation,
            curve: recipe.net.curve,
        })
    }

    /// Refuses weights that were trained for another net, another curve or another view of the board, even where the
    /// shapes fit: they would be no better than random ones. Differences that the kind of net can compensate for are
    /// allowed.
    fn check_fits(&self, recipe: &Recipe, before: &Path) -> Result<(), TrainError> {
        let ours = Meant::by(recipe)?.by_key();
        let is_made_up_for = recipe.design()?.takes_over(&self.architecture, self.curve);
        for (key, theirs) in self.by_key() {
            if is_made_up_for && [LAYOUT, CURVE].contains(&key.as_str()) {
                continue;
            }
            let ours = ours
                .iter()
                .find(|(name, _)| *name == key)
                .map_or("not set", |(_, ours)| ours);
            if theirs != ours {
                let difference = format!("its net.{key} is {theirs}, here it is {ours}");
                return Err(TrainError::file(before, difference));
            }
        }
        Ok(())
    }

    /// The same by the keys of a recipe.
    fn by_key(&self) -> Vec<(String, String)> {
        let Architecture {
            kind,
            layout,
            settings,
        } = &self.architecture;
        let common = [
            ("kind", kind.clone()),
            (LAYOUT, layout.clone()),
            ("orientation", self.orientation.name().to_string()),
            (CURVE, self.curve.to_string()),
        ];
        let common = common.into_iter().map(|(key, value)| (key.to_string(), value));
        common.chain(settings.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::training::recipe::tests::MLP;

    /// The next training begins where the one before was best, and not where it ended, with the same layout or a wider one.
    #[test]
    fn a_training_follows_the_best_weights_of_the_one_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint.safetensors");
        let earlier = Recipe::parse(MLP).unwrap();
        let trainer = Trainer::new(&earlier, &Device::Cpu).unwrap();
        let best = trainer.weights().unwrap();
        let checkpoint = Checkpoint {
            progress: Progress::default(),
            weights: best.iter().map(|tensor| tensor.zeros_like().unwrap()).collect(),
            moments: trainer.moments().unwrap(),
            best: best.clone(),
            data: None,
        };
        checkpoint.save(&earlier, &path).unwrap();
        let begin = |layout: &str| {
            let text = MLP.replace("\"small\"", "\"next\"").replace("774-8-1", layout);
            let recipe = Recipe::parse(&text).unwrap();
            let trainer = Trainer::new(&recipe, &Device::Cpu).unwrap();
            let mut beginning = Beginning {
                best: trainer.weights().unwrap(),
                trainer,
                progress: Progress::default(),
                unfinished: None,
                net: None,
                data: None,
            };
            beginning.follow(&recipe, &path, &Device::Cpu).unwrap();
            beginning
                .take_over(&[Record::new(&Position::default())], 1)
                .unwrap();
            beginning
        };
        let values = |tensors: &[Tensor]| -> Vec<Vec<f32>> {
            let values = tensors
                .iter()
                .map(|tensor| tensor.flatten_all().unwrap().to_vec1().unwrap());
            values.collect()
        };
        let same = begin("774-8-1");
        assert_eq!(values(&same.trainer.weights().unwrap()), values(&best));
        assert_eq!(values(&same.best), values(&best));
        let records: Vec<Record> = [
            "4k3/8/8/8/8/8/8/QQQ1K3 w - - 0 1",
            "qqq1k3/8/8/8/8/8/8/4K3 w - - 0 1",
        ]
        .map(|fen| Record::new(&Position::from_fen(fen).unwrap()))
        .into();
        let wider = begin("774-12-1").trainer.scores(&records).unwrap();
        assert_ne!(wider[0], wider[1]);
        for (wide, narrow) in wider.iter().zip(trainer.scores(&records).unwrap()) {
            assert!((wide - narrow).abs() <= 2, "{wider:?}");
        }
    }
}
