//! What a position is worth: the interface between the search and the networks, and the networks themselves.

pub mod built_in;
pub mod choice;
pub mod cnn;
pub mod curve;
pub mod device;
pub mod encoding;
pub mod file;
pub mod head;
pub mod kind;
pub mod layout;
pub mod mlp;
pub mod names;
pub mod net;
pub mod registry;
pub mod score;
pub mod transformer;
pub mod wdl;

use crate::board::{Changes, Position};
pub use curve::{Curve, Orientation};
pub use net::{Net, NetError};
pub use score::Score;

/// Something that gives positions a score. It follows the search from node to node, so that it may keep a picture
/// of the board up to date instead of making a new one for every position.
///
/// The search calls [`refresh`](Evaluator::refresh) at the root, [`push`](Evaluator::push) after each move it makes
/// and [`pop`](Evaluator::pop) when it takes the move back. A null move is pushed with empty changes. Work may be put
/// off until [`evaluate`](Evaluator::evaluate), for not every node is evaluated.
pub trait Evaluator {
    /// Forgets everything and starts from this position.
    fn refresh(&mut self, position: &Position);

    /// Follows one move: what changed on the board.
    fn push(&mut self, changes: &Changes);

    /// Goes back by one move.
    fn pop(&mut self);

    /// The score of the position that the pushed moves led to, for the side to move, in centipawns; always within
    /// ±[`score::EVALUATION_LIMIT`].
    fn evaluate(&mut self, position: &Position) -> Score;

    /// The scores of positions that need not belong to the line that was pushed, in their order.
    fn evaluate_batch(&mut self, positions: &[Position], scores: &mut Vec<Score>);

    /// How many positions a call of [`evaluate_batch`](Evaluator::evaluate_batch) should hold; 1 where batches gain
    /// nothing.
    fn batch_size(&self) -> usize {
        1
    }
}
