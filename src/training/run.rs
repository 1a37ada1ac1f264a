//! Running a recipe from its data to the net file.

use super::TrainError;
use super::batch::Batch;
use super::beginning::Beginning;
use super::checkpoint::{Checkpoint, Measurement, Progress, write_whole};
use super::folder::Folder;
use super::measure::{Baselines, Group, Measures};
use super::plot;
use super::recipe::Recipe;
use super::source::Data;
use super::trainer::Trainer;
use crate::data::feed::batches::{Prepared, prefetch};
use crate::data::{DataError, Record};
use crate::nets::device;
use crate::nets::device::DeviceChoice;
use crate::nets::net::{Precision, Validation};
use crate::support::terminal::say;
use candle_core::Tensor;
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;
use std::time::Instant;

/// Batches that are encoded ahead of the one in work.
const AHEAD: usize = 4;
/// The weight of the newest loss in the mean that is shown.
const SMOOTHING: f32 = 0.02;

/// What to do with a training of the same name that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Refuse to touch it.
    Fresh,
    /// Go on with it.
    Resume,
    /// Begin again from nothing.
    Restart,
}

/// How to run a recipe on this machine.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder of the data files.
    pub data: PathBuf,
    /// The folder for nets; the checkpoint, log and pictures of a recipe get a folder of its name there.
    pub output: PathBuf,
    /// What to do with an earlier run.
    pub start: Start,
    /// Where to compute.
    pub device: DeviceChoice,
}

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
pub fn run(recipe: &Path, options: &Options) -> Result<Trained, TrainError> {
    let recipe = Recipe::read(recipe)?;
    let files = Folder::open(options, &recipe)?;
    let (device, note) = device::choose(options.device);
    if let Some(note) = note {
        say(note);
    }
    // what cannot go on is told before the data is loaded
    let beginning = Beginning::new(&recipe, &files, options.start, &device)?;
    let data = Data::load(&recipe, &options.data)?;
    beginning.check_data(&data.fingerprint, &files)?;
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
    let batches = prefetch(source, AHEAD, run.trainer.encoder());
    run.train(&batches, &data.validation)?;
    run.finish(&data.test, &options.output)
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
    ) -> Result<(), TrainError> {
        let schedule = self.recipe.schedule;
        let (steps, size) = (schedule.steps(), schedule.batch as u64);
        let every = (schedule.measure_every / size).max(1);
        let mut display = Display::new(schedule.positions, self.progress.steps * size);
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
            display.advance(size, loss);
            (losses, counted) = (losses + loss as f64, counted + 1);
            if self.progress.steps.is_multiple_of(every) || self.progress.steps == steps {
                self.measure(losses / counted as f64, held_out, &display)?;
                (losses, counted) = (0.0, 0);
            }
        }
        display.bar.finish_and_clear();
        Ok(())
    }

    /// Measures on the validation part, remembers the best weights, writes log, curves and checkpoint.
    fn measure(&mut self, loss: f64, held_out: &[Record], display: &Display) -> Result<(), TrainError> {
        let positions = self.progress.steps * self.recipe.schedule.batch as u64;
        let measures = Measures::of(held_out, &self.trainer.scores(held_out)?, &self.baselines);
        self.progress.history.push(Measurement {
            positions,
            rate: self.trainer.rate(self.progress.steps - 1),
            loss,
            error: measures.row(Group::All).net.mean(),
            error_quiet: measures.row(Group::Quiet).net.known_mean(),
            error_expected: Some(measures.row(Group::All).net.expected()),
        });
        if self.progress.since_best() == 0 {
            self.best = self.trainer.weights()?;
        }
        display.say(&format!(
            "{} positions, {:.0} a second, loss {loss:.5}: {}",
            HumanCount(positions),
            display.speed(),
            line(&measures)
        ));
        write_whole(&self.files.log, &log(&self.progress.history))?;
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
    fn finish(mut self, test: &[Record], output: &Path) -> Result<Trained, TrainError> {
        self.trainer.set_weights(&self.best)?;
        let scores = self.trainer.scores(test)?;
        let measures = Measures::of(test, &scores, &self.baselines);
        say(format_args!("test part: {}", line(&measures)));
        plot::histogram(test, &scores, &self.files.errors)?;
        let validation = validation(&measures);
        let positions = self.progress.best().map_or(0, |best| best.positions);
        let net = self.trainer.net(positions, Some(validation))?;
        let path = net.save_in(output, Precision::F16)?;
        say(path.display());
        Ok(Trained { path, validation })
    }
}

/// What of the measures a net file keeps.
pub(super) fn validation(measures: &Measures) -> Validation {
    let (all, quiet) = (measures.row(Group::All), measures.row(Group::Quiet));
    Validation {
        positions: all.net.count(),
        error: all.net.mean(),
        error_quiet: quiet.net.known_mean(),
        constant: all.constant.mean(),
        material: all.material.mean(),
    }
}

/// The errors in one line, beside those of the baselines.
fn line(measures: &Measures) -> String {
    let part = |group: Group| {
        let row = measures.row(group);
        if row.net.count() == 0 {
            return format!("{} -", group.name());
        }
        format!(
            "{} {:.4} (constant {:.4}, material {:.4})",
            group.name(),
            row.net.mean(),
            row.constant.mean(),
            row.material.mean()
        )
    };
    format!("mean error {}, {}", part(Group::All), part(Group::Quiet))
}

/// The log as CSV; what was not measured stays empty.
fn log(history: &[Measurement]) -> Vec<u8> {
    let mut text = String::from("positions,rate,loss,error,error_quiet,error_expected\n");
    for m in history {
        let known = |error: Option<f64>| error.map_or(String::new(), |error| format!("{error:.5}"));
        let (quiet, expected) = (known(m.error_quiet), known(m.error_expected));
        let row = format!(
            "{},{:.6e},{:.6},{:.5},{quiet},{expected}\n",
            m.positions, m.rate, m.loss, m.error
        );
        text.push_str(&row);
    }
    text.into_bytes()
}

/// What is shown while it goes on.
struct Display {
    bar: ProgressBar,
    begun: Instant,
    before: u64,
    loss: Option<f32>,
}

impl Display {
    fn new(positions: u64, done: u64) -> Display {
        let style = "{bar:30} {percent:>3} % {human_pos} positions, {msg}, {eta} left";
        let style = ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::new(positions).with_style(style);
        bar.set_position(done);
        bar.reset_eta();
        Display {
            bar,
            begun: Instant::now(),
            before: done,
            loss: None,
        }
    }

    fn advance(&mut self, positions: u64, loss: f32) {
        let mean = self.loss.map_or(loss, |mean| mean + SMOOTHING * (loss - mean));
        self.loss = Some(mean);
        self.bar.inc(positions);
        self.bar
            .set_message(format!("{:.0} a second, loss {mean:.5}", self.speed()));
    }

    /// Positions a second since this run began, measurements included.
    fn speed(&self) -> f64 {
        (self.bar.position() - self.before) as f64 / self.begun.elapsed().as_secs_f64().max(1e-9)
    }

    /// Prints a line above the bar.
    fn say(&self, line: &str) {
        self.bar.suspend(|| say(line));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::recipe::tests::MLP;
    use candle_core::Device;
    use std::sync::mpsc::sync_channel;

    #[test]
    fn a_thread_that_broke_down_is_no_end_of_a_training() {
        let output = tempfile::tempdir().unwrap();
        let options = Options {
            data: PathBuf::new(),
            output: output.path().into(),
            start: Start::Fresh,
            device: DeviceChoice::Cpu,
        };
        let recipe = Recipe::parse(MLP).unwrap();
        let files = Folder::open(&options, &recipe).unwrap();
        let beginning = Beginning::new(&recipe, &files, options.start, &Device::Cpu).unwrap();
        let mut run = Run {
            recipe,
            files,
            baselines: Baselines::fit(&[]),
            data: String::new(),
            trainer: beginning.trainer,
            progress: beginning.progress,
            best: beginning.best,
        };
        let (_, broken) = sync_channel(1);
        let error = run.train(&broken, &[]).unwrap_err();
        assert!(matches!(error, TrainError::DataThread), "{error}");
    }
}
