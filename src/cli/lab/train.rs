//! `enroc train`: training nets.

use super::measures;
use super::resume::Resume;
use crate::cli::progress;
use crate::cli::result::CommandResult;
use crate::nets::device::DeviceChoice;
use crate::support::terminal::say;
use crate::training;
use crate::training::event::Event;
use crate::training::options::Options;
use crate::training::source::{Data, Training};
use clap::{Args, ValueEnum};
use indicatif::{HumanCount, ProgressBar};
use std::path::PathBuf;
use std::time::Instant;

/// The weight of the newest loss in the mean that is shown.
const SMOOTHING: f32 = 0.02;

#[derive(Args)]
pub struct Train {
    /// The recipe, such as nets/recipes/mlp-thesis.toml
    recipe: PathBuf,
    /// The folder that holds the recipe's data files
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    data: PathBuf,
    /// The folder for the net; checkpoint, log and pictures get a folder of the recipe's name there
    #[arg(long, short, value_name = "FOLDER", default_value = "trained")]
    out: PathBuf,
    #[command(flatten)]
    resume: Resume,
    /// Train with this random seed in place of the recipe's: the same recipe several times shows the noise of training
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Where to compute
    #[arg(long, value_enum, default_value_t = Device::Auto)]
    device: Device,
}

#[derive(Clone, Copy, ValueEnum)]
enum Device {
    Cpu,
    Cuda,
    Auto,
}

pub fn train(arguments: &Train) -> CommandResult {
    let options = Options {
        data: arguments.data.clone(),
        output: arguments.out.clone(),
        restart: arguments.resume.restart,
        seed: arguments.seed,
        device: match arguments.device {
            Device::Cpu => DeviceChoice::Cpu,
            Device::Cuda => DeviceChoice::Cuda,
            Device::Auto => DeviceChoice::Auto,
        },
    };
    let mut display = Display::new();
    let trained = training::run(&arguments.recipe, &options, &mut |event| display.show(event))?;
    say(trained.path.display());
    Ok(())
}

/// What is shown while a training goes on: a bar, and lines above it.
struct Display {
    /// Positions trained on, of those that the recipe asks for; without a length before the first step.
    bar: ProgressBar,
    /// When the first step of this run began.
    begun: Instant,
    /// Positions trained on before this run.
    before: u64,
    /// The mean of the last losses.
    loss: Option<f32>,
}

impl Display {
    fn new() -> Display {
        Display {
            bar: ProgressBar::hidden(),
            begun: Instant::now(),
            before: 0,
            loss: None,
        }
    }

    fn show(&mut self, event: &Event) {
        match event {
            Event::Instead(note) => say(note),
            Event::Unfinished(earlier) => say(format_args!(
                "the training {} has not ended: this one begins with its best weights after {} of {} positions",
                earlier.name,
                HumanCount(earlier.done),
                HumanCount(earlier.total)
            )),
            Event::Data(data) => show_data(data),
            Event::Begins { done, total } => self.begin(*done, *total),
            Event::Step { positions, loss } => self.advance(*positions, *loss),
            Event::Measured(measurement, of_parts) => {
                // the bar is locked while it is suspended
                let line = format!(
                    "{} positions, {:.0} a second, loss {:.5}: {}",
                    HumanCount(measurement.positions),
                    self.speed(),
                    measurement.loss,
                    measures::line(of_parts)
                );
                self.bar.suspend(|| say(line));
            }
            Event::Tested(of_parts) => {
                self.bar.finish_and_clear();
                say(format_args!("test part: {}", measures::line(of_parts)));
            }
        }
    }

    fn begin(&mut self, done: u64, total: u64) {
        self.bar = progress::bar(total, "positions");
        self.bar.set_position(done);
        self.bar.reset_eta();
        (self.begun, self.before) = (Instant::now(), done);
    }

    fn advance(&mut self, positions: u64, loss: f32) {
        let mean = self.loss.map_or(loss, |mean| mean + SMOOTHING * (loss - mean));
        self.loss = Some(mean);
        self.bar.set_position(positions);
        self.bar
            .set_message(format!("{:.0} a second, loss {mean:.5}", self.speed()));
    }

    /// Positions a second since this run began, measurements included.
    fn speed(&self) -> f64 {
        (self.bar.position() - self.before) as f64 / self.begun.elapsed().as_secs_f64().max(1e-9)
    }
}

fn show_data(data: &Data) {
    match &data.training {
        Training::Loaded {
            records, left_out, ..
        } => say(format_args!(
            "{} positions to train on; left out: {left_out}",
            HumanCount(records.len() as u64)
        )),
        Training::Streamed(folders, _) => say(format_args!(
            "training streams from {} folders of shards",
            folders.len()
        )),
    }
    say(format_args!(
        "{} positions for validation, {} for the test",
        HumanCount(data.validation.len() as u64),
        HumanCount(data.test.len() as u64)
    ));
    for line in &data.skipped {
        say(line);
    }
}
