//! The transformer in play: the fast forward pass, a few positions at a time on the calling thread. Its scores agree with
//! those of [`Transformer`](super::reference::Transformer) up to rounding.

use super::encoder::{CHUNK, Planes, Tape};
use super::weights::TransformerWeights;
use crate::board::Position;
use crate::nets::encoding;
use crate::nets::head::OutputHead;
use crate::nets::net::{Net, NetError};
use crate::nets::score::Score;
use crate::nets::stateless::Stateless;
use std::sync::Arc;

/// Positions in a full batch, about the children of a frontier node.
const BATCH: usize = 32;

/// A trained transformer as an evaluator.
#[derive(Clone, Debug)]
pub struct FastTransformer {
    weights: Arc<TransformerWeights>,
    head: OutputHead,
    tape: Tape,
    planes: Vec<Planes>,
}

impl FastTransformer {
    /// The evaluator of a transformer.
    ///
    /// # Errors
    /// If the net is not a transformer.
    pub fn new(net: &Net) -> Result<FastTransformer, NetError> {
        Ok(FastTransformer {
            weights: Arc::new(net.transformer()?),
            head: OutputHead::of(&net.info),
            tape: Tape::for_playing(),
            planes: Vec::with_capacity(CHUNK),
        })
    }

    /// The outputs before tanh of at most [`CHUNK`] positions.
    pub fn outputs(&mut self, positions: &[Position]) -> &[f32] {
        self.planes.clear();
        self.planes.extend(positions.iter().map(|position| {
            let view = self.head.orientation.view(position.side_to_move());
            encoding::plane_boards(position, view)
        }));
        let TransformerWeights { plan, values } = &*self.weights;
        plan.forward(values, &self.planes, &mut self.tape);
        self.tape.outputs()
    }
}

impl Stateless for FastTransformer {
    fn score_all(&mut self, positions: &[Position], scores: &mut Vec<Score>) {
        let head = self.head;
        for positions in positions.chunks(CHUNK) {
            let outputs = self.outputs(positions).iter().copied();
            scores.extend(head.scores(positions, outputs));
        }
    }

    fn preferred_batch(&self) -> usize {
        BATCH
    }
}
