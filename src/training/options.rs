//! How a recipe is run on this machine.

use crate::nets::device::DeviceChoice;
use std::path::PathBuf;

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

/// Where a training finds its data, writes its files and computes.
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
