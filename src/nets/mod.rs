//! The static evaluation: the interface between the search and the networks, and the networks themselves.
//!
//! Without the feature `lab` there is the MLP alone, in integers, and no candle.

pub mod built_in;
pub mod choice;
#[cfg(feature = "lab")]
pub mod cnn;
#[cfg(feature = "lab")]
pub mod control;
pub mod curve;
#[cfg(feature = "lab")]
pub mod device;
pub mod encoding;
pub mod file;
#[cfg(feature = "lab")]
pub mod head;
pub mod heuristics;
pub mod kind;
pub mod layout;
pub mod mlp;
pub mod names;
pub mod net;
#[cfg(feature = "lab")]
pub mod onnx;
#[cfg(feature = "lab")]
pub mod reference;
#[cfg(not(feature = "lab"))]
#[path = "reference_absent.rs"]
pub mod reference;
pub mod registry;
#[cfg(feature = "lab")]
pub mod regressor;
pub mod score;
pub mod stateless;
#[cfg(feature = "lab")]
pub mod teacher;
#[cfg(feature = "lab")]
pub mod transformer;
pub mod wdl;

use crate::board::{Changes, Position};
pub use curve::{Curve, Orientation};
pub use net::{Net, NetError};
pub use score::Score;

/// A static evaluation. It is told of every move that the search makes and unmakes, so that it can be updated
/// incrementally.
///
/// The search calls [`refresh`](Evaluator::refresh) at the root, [`push`](Evaluator::push) after each move it makes
/// and [`pop`](Evaluator::pop) when it unmakes the move. A null move is pushed with empty changes. Not every node is
/// evaluated, so implementations defer work until [`evaluate`](Evaluator::evaluate).
pub trait Evaluator {
    /// Resets to this position.
    fn refresh(&mut self, position: &Position);

    /// Follows a move, by what it changed on the board.
    fn push(&mut self, changes: Changes);

    /// Takes back the last move.
    fn pop(&mut self);

    /// The score of the position that the pushed moves led to, for the side to move, in centipawns; always within
    /// ±[`score::EVALUATION_LIMIT`].
    fn evaluate(&mut self, position: &Position) -> Score;

    /// Appends the scores of any positions, independent of the pushed moves, in order.
    fn evaluate_batch(&mut self, positions: &[Position], scores: &mut Vec<Score>);

    /// The preferred number of positions for [`evaluate_batch`](Evaluator::evaluate_batch); 1 if batches gain nothing.
    fn batch_size(&self) -> usize {
        1
    }
}
