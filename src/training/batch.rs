//! Batches of labelled positions as a network takes them.

use super::meaning::Goal;
use crate::data::{Hint, Record};
use candle_core::{Result, bail};
use std::any::Any;

/// Positions encoded for a net, with what it should answer.
pub struct Batch {
    pub inputs: Inputs,
    /// The value in [-1, 1] of each, see [`Goal::target`].
    pub targets: Vec<f32>,
    /// What a teacher's hidden layer says of each, [`NO_HINT`](crate::data::NO_HINT) where it says nothing; empty where there are no hints.
    pub hints: Vec<Hint>,
}

/// Positions encoded for one kind of net; only the model that the encoder belongs to knows the type. It is `Send`,
/// because another thread encodes batches ahead of the current step.
pub struct Inputs(Box<dyn Any + Send>);

impl Inputs {
    /// Wraps what one kind's encoder makes.
    pub fn new<T: Any + Send>(inputs: T) -> Inputs {
        Inputs(Box::new(inputs))
    }

    /// What is inside.
    ///
    /// # Errors
    /// If the batch was encoded for a net of another kind.
    pub fn get<T: Any>(&self) -> Result<&T> {
        match self.0.downcast_ref() {
            Some(inputs) => Ok(inputs),
            None => bail!("the batch was encoded for a net of another kind"),
        }
    }
}

/// Encodes positions for one net. It is sent to the thread that prepares batches; the model stays where it is.
pub type Encoder = Box<dyn Fn(&[Record]) -> Inputs + Send>;

/// Adds the targets, and the hints if there are any, to what an encoder makes of labelled positions.
pub fn with_targets(encoder: Encoder, goal: Goal) -> impl Fn(&[Record], &[Hint]) -> Batch + Send + 'static {
    move |records, hints| Batch {
        inputs: encoder(records),
        targets: records.iter().map(|record| goal.target(record)).collect(),
        hints: hints.to_vec(),
    }
}
