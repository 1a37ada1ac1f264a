//! Running a recipe from its data to the net file.

use super::TrainError;
use super::baselines::Baselines;
use super::batch::Batch;
use super::beginning::Beginning;
use super::checkpoint::{Checkpoint, Measurement, Progress, write_whole};
use super::event::{Event, Observer};
use super::folder::Folder;
use super::log;
use super::measure::Measures;
use super::options::Options;
use super::plot;
use super::recipe::Recipe;
use super::source::Data;
use super::trainer::Trainer;
use crate::data::feed::batches::{Prepared, prefetch};
use crate::data::{DataError, Record};
use crate::nets::device;
use crate::nets::net::{Precision, Validation};
use candle_core::Tensor;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;

/// Batches that are encoded ahead of the one in work.
const AHEAD: usize = 4;

/// What a training gave.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The net file.
    pub path: PathBuf,
    /// Its errors on the test part.
    pub validation: Validation,
}

/// Trains the net of a recipe. The weights with the least error on quiet positions of the validation part are kept, on
/// all of them where none is known to be quiet; the errors that are reported are those on the test part.
///
/// # Errors
/// [`TrainError`]; what was written before stays valid.
pub fn run(recipe: &Path, options: &Options, observe: Observer) -> Result<Trained, TrainError> {
    let folder = recipe.parent().unwrap_or(Path::new(""));
    let mut recipe = Recipe::read(recipe)?;
    if let Some(seed) = options.seed {
        recipe.reseed(seed);
    }
    let files = Folder::open(options, &recipe, folder)?;
    let (device, note) = device::choose(options.device);
    if let Some(note) = note {
        observe(&Event::Instead(&note));
    }
    if let Some(note) = recipe.design()?.note(&device) {
        observe(&Event::Instead(note));
    }
    // a training that cannot continue fails here, before the data is loaded
    let mut beginning = Beginning::new(&recipe, &files, options.restart, &device)?;
    if let Some(unfinished) = &beginning.unfinished {
        observe(&Event::Unfinished(unfinished));
    }
    let data = Data::load(&recipe, &options.data)?;
    observe(&Event::Data(&data));
    beginning.check_data(&data.fingerprint, &files)?;
    let taken = beginning.take_over(&data.validation, recipe.schedule.batch)?;
    if let Some(note) = recipe.design()?.note_on_net_files().filter(|_| taken) {
        observe(&Event::Instead(note));
    }
    let mut run = Run {
        recipe,
        files,
        baselines: data.baselines,
        data: data.fingerprint,
        trainer: beginning.trainer,
        progress: beginning.progress,
        best: beginning.best,
    };
    let source = data.training.batches(run.recipe.batches(), run.progress.cursor)?;
    let encode = run.trainer.encoder();
    let batches = prefetch(source, AHEAD, encode);
    run.train(&batches, &data.validation, observe)?;
    run.finish(&data.test, &options.output, observe)
}

/// A training under way.
struct Run {
    recipe: Recipe,
    files: Folder,
    baselines: Baselines,
    /// The fingerprint of the data.
    data: String,
    trainer: Trainer,
    progress: Progress,
    best: Vec<Tensor>,
}

impl Run {
    /// Trains until the schedule ends or nothing gets better, with a measurement and a checkpoint now and then.
    fn train(
        &mut self,
        batches: &Receiver<Result<Prepared<Batch>, DataError>>,
        held_out: &[Record],
        observe: Observer,
    ) -> Result<(), TrainError> {
        let schedule = self.recipe.schedule;
        let (steps, size) = (schedule.steps(), schedule.batch as u64);
        let every = (schedule.measure_every / size).max(1);
        observe(&Event::Begins {
            done: self.progress.steps * size,
            total: schedule.positions,
        });
        let (mut losses, mut counted) = (0.0, 0u32);
        while !self.progress.has_ended(&schedule) {
            // only a panic ends the thread without a last word
            let prepared = batches.recv().map_err(|_| TrainError::DataThread)?;
            let Prepared {
                batch: Some(batch),
                next: cursor,
            } = prepared?
            else {
                continue;
            };
            let loss = self.trainer.step(&batch, self.progress.steps)?;
            self.progress.steps += 1;
            self.progress.cursor = cursor;
            let positions = self.progress.steps * size;
            if !loss.is_finite() {
                return Err(TrainError::Diverged { loss, positions });
            }
            observe(&Event::Step { positions, loss });
            (losses, counted) = (losses + loss as f64, counted + 1);
            if self.progress.steps.is_multiple_of(every) || self.progress.steps == steps {
                self.measure(losses / counted as f64, held_out, observe)?;
                (losses, counted) = (0.0, 0);
            }
        }
        Ok(())
    }

    /// Measures on the validation part, remembers the best weights, writes log, curves and checkpoint.
    fn measure(&mut self, loss: f64, held_out: &[Record], observe: Observer) -> Result<(), TrainError> {
        let positions = self.progress.steps * self.recipe.schedule.batch as u64;
        let measures = Measures::of(held_out, &self.trainer.scores(held_out)?, &self.baselines);
        let rate = self.trainer.rate(self.progress.steps - 1);
        let measurement = Measurement::new(positions, rate, loss, &measures);
        self.progress.history.push(measurement);
        if self.progress.since_best() == 0 {
            self.best = self.trainer.weights()?;
        }
        observe(&Event::Measured(&measurement, &measures));
        let log = log::to_csv(&self.progress.history);
        let log = log.map_err(|error| TrainError::file(&self.files.log, error))?;
        write_whole(&self.files.log, &log)?;
        plot::curves(&self.progress.history, &measures, &self.files.curves)?;
        let checkpoint = Checkpoint {
            progress: self.progress.clone(),
            weights: self.trainer.weights()?,
            moments: self.trainer.moments()?,
            best: self.best.clone(),
            data: Some(self.data.clone()),
        };
        checkpoint.save(&self.recipe, &self.files.checkpoint)
    }

    /// Measures the best weights on the test part and writes the net.
    fn finish(mut self, test: &[Record], output: &Path, observe: Observer) -> Result<Trained, TrainError> {
        self.trainer.set_weights(&self.best)?;
        let scores = self.trainer.scores(test)?;
        let measures = Measures::of(test, &scores, &self.baselines);
        observe(&Event::Tested(&measures));
        plot::histogram(test, &scores, &self.files.errors)?;
        let validation = measures.validation();
        let net = self.trainer.net(self.progress.seen_by_best(), Some(validation))?;
        let path = net.save_in(output, Precision::F16)?;
        Ok(Trained { path, validation })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::data::Label;
    use crate::nets::device::DeviceChoice;
    use crate::nets::net::Net;
    use crate::training::recipe::tests::MLP;
    use candle_core::Device;
    use std::sync::mpsc::sync_channel;

    #[test]
    fn a_thread_that_broke_down_is_no_end_of_a_training() {
        let output = tempfile::tempdir().unwrap();
        let mut run = new_run(output.path());
        let (_, broken) = sync_channel(1);
        let error = run.train(&broken, &[], &mut |_| ()).unwrap_err();
        assert!(matches!(error, TrainError::DataThread), "{error}");
    }

    /// A run that has measured nothing yet.
    fn new_run(output: &Path) -> Run {
        let options = Options {
            data: PathBuf::new(),
            output: output.into(),
            restart: false,
            seed: None,
            device: DeviceChoice::Cpu,
        };
        let recipe = Recipe::parse(MLP).unwrap();
        let files = Folder::open(&options, &recipe, Path::new("")).unwrap();
        let beginning = Beginning::new(&recipe, &files, options.restart, &Device::Cpu).unwrap();
        Run {
            recipe,
            files,
            baselines: Baselines::fit(&[]),
            data: String::new(),
            trainer: beginning.trainer,
            progress: beginning.progress,
            best: beginning.best,
        }
    }

    #[test]
    fn the_net_has_the_weights_that_were_measured_best() {
        let output = tempfile::tempdir().unwrap();
        let mut run = new_run(output.path());
        let held_out = [Record::new(&Position::default()).with_label(Label::centipawns(900))];
        let mut better = run.trainer.weights().unwrap();
        for (steps, scale) in [(1, 2.0), (2, 0.0)] {
            let weights = run.trainer.weights().unwrap();
            let weights: Vec<Tensor> = weights.iter().map(|tensor| (tensor * scale).unwrap()).collect();
            run.trainer.set_weights(&weights).unwrap();
            run.progress.steps = steps;
            run.measure(0.1, &held_out, &mut |_| ()).unwrap();
            // so good that none after it is better
            if steps == 1 {
                better = weights;
                run.progress.history[0].error = 0.0;
                run.progress.history[0].error_quiet = None;
            }
        }
        let best = run.best.iter().zip(&better);
        for (kept, better) in best {
            let values = |tensor: &Tensor| tensor.flatten_all().unwrap().to_vec1::<f32>().unwrap();
            assert_eq!(values(kept), values(better));
        }
        run.trainer.set_weights(&better).unwrap();
        let expected = run
            .trainer
            .net(0, None)
            .unwrap()
            .save_in(&output.path().join("a"), Precision::F16);
        let zero: Vec<Tensor> = better.iter().map(|tensor| tensor.zeros_like().unwrap()).collect();
        run.trainer.set_weights(&zero).unwrap();
        let trained = run
            .finish(&held_out, &output.path().join("b"), &mut |_| ())
            .unwrap();
        let [expected, found] = [expected.unwrap(), trained.path].map(|path| Net::read(&path).unwrap());
        assert!(found.tensors == expected.tensors);
        // one step of a batch
        assert_eq!(found.info.positions, 64);
    }
}
