//! What a training tells whoever runs it, while it runs.

use super::checkpoint::Measurement;
use super::measure::Measures;
use super::source::Data;

/// Something happened in a training.
pub enum Event<'a> {
    /// What was asked for cannot be used on this machine, the device or a way of computing: the reason, and what is used
    /// instead.
    Instead(&'a str),
    /// The training begins with the best weights so far of another one that has not ended.
    Unfinished(&'a Unfinished),
    /// The data is there.
    Data(&'a Data),
    /// The steps begin.
    Begins {
        /// Positions trained on before the training was cut off; 0 in a new one.
        done: u64,
        /// Positions that the recipe asks for.
        total: u64,
    },
    /// A step was taken.
    Step {
        /// Positions trained on so far.
        positions: u64,
        /// The loss of the batch before the step.
        loss: f32,
    },
    /// The net was measured on the validation part, and the checkpoint is about to be written.
    Measured(&'a Measurement, &'a Measures),
    /// The steps are over, and the best weights were measured on the test part.
    Tested(&'a Measures),
}

/// A training that has not ended, whose best weights so far another one begins with.
pub struct Unfinished {
    pub name: String,
    /// Positions that it was trained on.
    pub done: u64,
    /// Positions that its recipe asks for.
    pub total: u64,
}

/// Called with every event. It must return quickly, because the training waits for it.
pub type Observer<'a> = &'a mut dyn FnMut(&Event);
