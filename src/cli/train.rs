//! `enroc train`: training nets.

use super::result::CommandResult;
use crate::nets::device::DeviceChoice;
use crate::training;
use crate::training::{Options, Start};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

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
    /// Go on with a training that was cut off
    #[arg(long)]
    resume: bool,
    /// Begin again although a training of this name is there
    #[arg(long, conflicts_with = "resume")]
    restart: bool,
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
        start: match (arguments.resume, arguments.restart) {
            (true, _) => Start::Resume,
            (_, true) => Start::Restart,
            _ => Start::Fresh,
        },
        device: match arguments.device {
            Device::Cpu => DeviceChoice::Cpu,
            Device::Cuda => DeviceChoice::Cuda,
            Device::Auto => DeviceChoice::Auto,
        },
    };
    training::run(&arguments.recipe, &options)?;
    Ok(())
}
