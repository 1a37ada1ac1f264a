//! The training loop.

use super::TrainError;
use super::batch::{Encoding, MlpBatch};
use super::measure::{self, Baselines};
use super::model::TrainedMlp;
use super::optimizer::Adam;
use super::recipe::Recipe;
use crate::board::Color;
use crate::data::Record;
use crate::data::loader::{self, Batches, Cursor};
use crate::evaluation::net::{Architecture, FORMAT, Net, NetInfo, Precision, Validation};
use crate::evaluation::{Orientation, Score};
use candle_core::{Device, Tensor};
use candle_nn::Optimizer;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, sync_channel};

/// Batches that are encoded ahead of the one in work.
const AHEAD: usize = 4;
/// The weight of the newest loss in the mean that is shown.
const SMOOTHING: f32 = 0.02;

/// How to run a recipe on this machine.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder of the data files.
    pub data: PathBuf,
    /// The folder for the net, the log and the checkpoints.
    pub output: PathBuf,
}

/// What a training gave.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The net file.
    pub path: PathBuf,
    /// Its errors on the validation part.
    pub validation: Validation,
}

/// Trains the net of a recipe.
///
/// # Errors
/// [`TrainError`]; what was written before stays valid.
pub fn run(recipe: &Path, options: &Options) -> Result<Trained, TrainError> {
    let recipe = Recipe::read(recipe)?;
    let encoding = recipe.encoding()?;
    let data = Data::load(&recipe, &options.data)?;
    let mut trainer = Trainer::new(recipe, encoding)?;
    let batches = Batches::new(data.training, trainer.recipe.batches(), Cursor::default());
    let batches = encode_ahead(batches, trainer.encoding.clone());
    let progress = progress_bar(trainer.recipe.schedule.positions);
    let batch_size = trainer.recipe.schedule.batch as u64;
    let every = (trainer.recipe.schedule.measure_every / batch_size).max(1);
    let mut shown = f32::NAN;
    for step in 0..trainer.recipe.schedule.steps() {
        let Ok(batch) = batches.recv() else { break };
        let loss = trainer.step(&batch, step)?;
        if !loss.is_finite() {
            let positions = step * batch_size;
            return Err(TrainError::Diverged { loss, positions });
        }
        shown = if shown.is_nan() {
            loss
        } else {
            shown + SMOOTHING * (loss - shown)
        };
        progress.set_message(format!("loss {shown:.5}"));
        progress.inc(batch.targets.len() as u64);
        if (step + 1) % every == 0 {
            let found = trainer.measure(&data.validation, &data.baselines)?;
            progress.suspend(|| {
                println!(
                    "{} ({:.0} positions/s)",
                    line(progress.position(), &found),
                    progress.per_sec()
                )
            });
        }
    }
    progress.finish();
    let validation = trainer.measure(&data.validation, &data.baselines)?;
    println!("{}", line(progress.position(), &validation));
    let net = trainer.net(progress.position(), validation)?;
    let path = net.save_in(&options.output, Precision::F16)?;
    Ok(Trained { path, validation })
}

fn line(positions: u64, found: &Validation) -> String {
    format!(
        "{positions:>11} positions: mean error {:.4}, quiet {:.4} (constant {:.4}, material {:.4}; {} held out)",
        found.error, found.error_quiet, found.constant, found.material, found.positions
    )
}

/// Positions to train on, to measure on, and the predictors to compare with.
struct Data {
    training: Vec<Record>,
    validation: Vec<Record>,
    baselines: Baselines,
}

impl Data {
    fn load(recipe: &Recipe, folder: &Path) -> Result<Data, TrainError> {
        let paths: Vec<PathBuf> = recipe.data.files.iter().map(|file| folder.join(file)).collect();
        // one reading for both: what is measured is not filtered, so the filter comes after
        let mut selection = recipe.data.selection.clone();
        let settings = std::mem::take(&mut selection.filter);
        let loaded = loader::load(&paths, &selection)?;
        println!("{} rows could not be read", loaded.broken);
        let mut filter = crate::data::Filter::new(settings);
        let baselines = Baselines::fit(&loaded.training);
        let mut training = loaded.training;
        training.retain(|record| filter.keep(record));
        println!(
            "{} positions to train on, {} to measure; left out: {}",
            training.len(),
            loaded.validation.len(),
            filter.rejected()
        );
        Ok(Data {
            training,
            validation: loaded.validation,
            baselines,
        })
    }
}

/// Encodes batches on another thread, epoch after epoch, until nobody wants them any more.
fn encode_ahead(mut batches: Batches, encoding: Encoding) -> Receiver<MlpBatch> {
    let (sender, receiver) = sync_channel(AHEAD);
    std::thread::spawn(move || {
        let mut records = Vec::new();
        loop {
            if batches.next_batch(&mut records) && sender.send(encoding.encode(&records)).is_err() {
                return;
            }
        }
    });
    receiver
}

fn progress_bar(positions: u64) -> ProgressBar {
    let style = "{bar:30} {percent:>3} % {human_pos} positions, {per_sec:.0}, {msg}, {eta} left";
    let bar = ProgressBar::new(positions);
    bar.with_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// A net in training with its optimiser.
struct Trainer {
    recipe: Recipe,
    encoding: Encoding,
    model: TrainedMlp,
    optimizer: Adam,
}

impl Trainer {
    fn new(recipe: Recipe, encoding: Encoding) -> Result<Trainer, TrainError> {
        let model = TrainedMlp::new(encoding.shape.clone(), recipe.schedule.seed, &Device::Cpu)?;
        let optimizer = Adam::new(model.vars(), recipe.optimizer)?;
        Ok(Trainer {
            recipe,
            encoding,
            model,
            optimizer,
        })
    }

    /// One step of the optimiser; the mean squared error before it.
    fn step(&mut self, batch: &MlpBatch, step: u64) -> Result<f32, TrainError> {
        let targets = Tensor::from_slice(&batch.targets, batch.targets.len(), &Device::Cpu)?;
        let loss = (self.model.forward(batch)?.tanh()? - targets)?
            .sqr()?
            .mean_all()?;
        self.optimizer
            .set_learning_rate(self.recipe.optimizer.rate * self.recipe.schedule.rate(step));
        self.optimizer.backward_step(&loss)?;
        self.model.clip(&self.recipe.net.clip)?;
        Ok(loss.to_scalar()?)
    }

    /// The scores of positions for White.
    fn scores(&self, records: &[Record]) -> Result<Vec<Score>, TrainError> {
        let mut scores = Vec::with_capacity(records.len());
        for chunk in records.chunks(self.recipe.schedule.batch) {
            let sums: Vec<f32> = self
                .model
                .forward(&self.encoding.encode(chunk))?
                .detach()
                .to_vec1()?;
            scores.extend(chunk.iter().zip(sums).map(|(record, sum)| {
                let score = self.encoding.curve.score_before_tanh(sum);
                match (self.encoding.orientation, record.side_to_move()) {
                    (Orientation::Mover, Color::Black) => -score,
                    _ => score,
                }
            }));
        }
        Ok(scores)
    }

    fn measure(&self, records: &[Record], baselines: &Baselines) -> Result<Validation, TrainError> {
        let scores = self.scores(records)?;
        Ok(measure::errors(records, &scores, baselines))
    }

    fn net(&self, positions: u64, validation: Validation) -> Result<Net, TrainError> {
        let info = NetInfo {
            format: FORMAT,
            name: self.recipe.name.clone(),
            architecture: Architecture::of_mlp(&self.encoding.shape),
            orientation: self.encoding.orientation,
            curve: self.encoding.curve,
            data: self.recipe.data.description.clone(),
            positions,
            validation: Some(validation),
        };
        Ok(Net::of_mlp(info, &self.model.weights()?))
    }
}
