//! How a recipe is run on this machine.

use crate::nets::device::DeviceChoice;
use std::path::PathBuf;

/// Where a training finds its data, writes its files and computes.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder of the data files.
    pub data: PathBuf,
    /// The folder for nets; the checkpoint, log and pictures of a recipe get a folder of its name there.
    pub output: PathBuf,
    /// Whether to discard what an earlier run has left and begin again; otherwise it is continued.
    pub restart: bool,
    /// A random seed in place of the recipe's; the training's name ends in it.
    pub seed: Option<u64>,
    /// Where to compute.
    pub device: DeviceChoice,
}
