//! The MLP in integers, updated incrementally with each move: tens of times as fast as the same weights in floats.
//!
//! Between a position and its child two to four of the 774 inputs change, so the first layer's sums are kept on a stack
//! and updated by as many rows. The second layer skips inputs of zero. [`quantize`] derives the
//! integers, and [`arch`](crate::arch) computes with them; every instruction set gives the same scores.

pub mod accumulator;
mod calibration;
pub mod quantize;

use super::integer::accumulator::{AccumulatorCache, AccumulatorStack, Bytes, PieceRows};
use super::integer::quantize::{Later, PIECE_BITS, QuantizeError, QuantizedMlp};
use crate::arch::{
    ActiveBytes, ActiveOutputs, CacheLine, InstructionSet, Kernels, LANES, Rows, SimdError, Sums,
};
use crate::board::{Changes, Color, Piece, Position, Square};
use crate::nets::Evaluator;
use crate::nets::curve::Curve;
use crate::nets::encoding::{self, View};
use crate::nets::net::Net;
use crate::nets::score::{EVALUATION_LIMIT, Score};
use arrayvec::ArrayVec;
use std::sync::Arc;

/// Why a net cannot be evaluated incrementally.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum IncrementalError {
    /// The net cannot be quantized.
    #[error(transparent)]
    Quantize(#[from] QuantizeError),
    /// The requested instruction set cannot be used.
    #[error(transparent)]
    Simd(#[from] SimdError),
}

/// The incremental MLP evaluator. Clones share the weights, so that each thread can have one.
#[derive(Clone, Debug)]
pub struct Incremental {
    network: Network,
    stack: AccumulatorStack,
    cache: AccumulatorCache,
}

/// Computes a score from the sums of the first layer.
#[derive(Clone, Debug)]
struct Network {
    weights: Arc<QuantizedMlp>,
    kernels: Kernels,
    space: Space,
}

/// Scratch space for the layers after the first.
#[derive(Clone, Debug)]
enum Space {
    /// For [`Later::Dense`].
    Dense(ActiveBytes),
    /// For [`Later::Lists`]: the inputs and outputs of the current layer, swapped from layer to layer, and its sums.
    Lists {
        active: [ActiveOutputs; 2],
        sums: Vec<Sums>,
    },
}

impl Space {
    fn new(weights: &QuantizedMlp) -> Space {
        match &weights.later {
            Later::Dense(dense) => {
                let units = weights.shape.hidden.iter().skip(1).max();
                let lines = weights.shape.perspectives * dense.lines;
                Space::Dense(ActiveBytes::new(lines, units.copied().unwrap_or(1)))
            }
            Later::Lists(lists) => Space::Lists {
                active: [(); 2].map(|()| ActiveOutputs::new(lists.widest())),
                sums: vec![Sums::ZERO; lists.widest() / LANES],
            },
        }
    }
}

impl Incremental {
    /// The evaluator of an MLP, with the instruction set of [`InstructionSet::chosen`].
    pub fn new(net: &Net) -> Result<Incremental, IncrementalError> {
        Incremental::with_instructions(net, InstructionSet::chosen()?)
    }

    /// The evaluator of an MLP, with an instruction set that this processor must have.
    pub fn with_instructions(net: &Net, set: InstructionSet) -> Result<Incremental, IncrementalError> {
        let kernels = set.kernels().ok_or(SimdError::Unavailable(set))?;
        let weights = Arc::new(QuantizedMlp::new(net)?);
        let (lines, regions) = (weights.first.lines, weights.shape.regions);
        let network = Network {
            space: Space::new(&weights),
            weights,
            kernels,
        };
        let mut evaluator = Incremental {
            network,
            stack: AccumulatorStack::new(lines),
            cache: AccumulatorCache::new(lines, regions),
        };
        evaluator.refresh(&Position::default());
        Ok(evaluator)
    }

    /// The same evaluator with another instruction set, which this processor must have.
    pub fn to_instructions(&self, set: InstructionSet) -> Result<Incremental, SimdError> {
        let mut evaluator = self.clone();
        evaluator.network.kernels = set.kernels().ok_or(SimdError::Unavailable(set))?;
        Ok(evaluator)
    }

    /// The instruction set that it uses.
    pub fn instructions(&self) -> InstructionSet {
        self.network.kernels.set()
    }

    /// The integers that it computes with.
    pub fn weights(&self) -> &QuantizedMlp {
        &self.network.weights
    }

    /// The output for the present position in the integers of [`QuantizedMlp::scale`], from the accumulators that the pushed
    /// moves led to.
    pub fn output(&mut self, position: &Position) -> i64 {
        let Incremental {
            network,
            stack,
            cache,
        } = self;
        network.begin();
        for (view, number) in network.views(position) {
            network.follow(stack, cache, position, view, number);
        }
        network.finish(position)
    }

    /// The same output for any position, independent of the pushed moves.
    pub fn output_of(&mut self, position: &Position) -> i64 {
        let Incremental { network, cache, .. } = self;
        network.begin();
        for (view, first) in network.views(position) {
            let sums = cache.sums(&network.kernels, &*network.weights, position, view);
            network.see(sums, position, view, first);
        }
        network.finish(position)
    }
}

impl PieceRows for QuantizedMlp {
    #[inline]
    fn view(&self, side: Color, king: Square) -> View {
        self.shape.view(side, king)
    }

    #[inline]
    fn row(&self, view: View, piece: Piece, square: Square) -> u16 {
        u16::from(view.region) * PIECE_BITS as u16 + encoding::piece_input(view, piece, square)
    }

    #[inline]
    fn rows(&self) -> Rows<'_> {
        self.first.rows.rows()
    }
}

impl Network {
    /// From where the net sees a position, in the order of its perspectives, each with its number.
    #[inline]
    fn views(&self, position: &Position) -> ArrayVec<(View, usize), 2> {
        let views = self.weights.shape.views(self.weights.orientation, position);
        views.zip(0..).collect()
    }

    /// Begins the computation of a position.
    #[inline]
    fn begin(&mut self) {
        match &mut self.space {
            Space::Dense(active) => active.clear(),
            Space::Lists { active, .. } => active[0].clear(),
        }
    }

    /// Activates the first layer for one perspective of the position on top of the stack.
    #[inline]
    fn follow(
        &mut self,
        stack: &mut AccumulatorStack,
        cache: &mut AccumulatorCache,
        position: &Position,
        view: View,
        number: usize,
    ) {
        let weights = &*self.weights;
        let layer = &weights.first;
        if let (Space::Dense(active), Some(activation)) = (&mut self.space, layer.activation) {
            let to = Bytes {
                state: layer.state(view.region, state(position, view.side)),
                activation,
                first: number * activation.byte_lines(layer.lines),
                active,
            };
            stack.activate(&self.kernels, weights, position, view, cache, to);
        } else {
            let sums = stack.sums(&self.kernels, weights, position, view, cache);
            self.see(sums, position, view, number);
        }
    }

    /// Activates the first layer for one perspective, given the sums of its pieces.
    #[inline]
    fn see(&mut self, sums: &[CacheLine], position: &Position, view: View, number: usize) {
        let layer = &self.weights.first;
        let state = layer.state(view.region, state(position, view.side));
        match (&mut self.space, layer.activation) {
            (Space::Dense(active), Some(activation)) => {
                let first = number * activation.byte_lines(layer.lines);
                self.kernels
                    .activate_bytes(sums, state, activation, first, active);
            }
            (Space::Lists { active, .. }, _) => {
                let first = (number * layer.lines * LANES) as u16;
                self.kernels.activate(sums, state, first, &mut active[0]);
            }
            (Space::Dense(_), None) => unreachable!("bytes come from a bounded activation"),
        }
    }

    /// Runs the layers after the first.
    #[inline]
    fn finish(&mut self, position: &Position) -> i64 {
        let weights = &*self.weights;
        let bucket = weights.shape.bucket(position.occupied().count() as usize);
        match (&mut self.space, &weights.later) {
            (Space::Dense(active), Later::Dense(dense)) => {
                dense.output(bucket, self.kernels.forward(active, &dense.buckets[bucket]))
            }
            (
                Space::Lists {
                    active: [inputs, outputs],
                    sums,
                },
                Later::Lists(lists),
            ) => {
                for layer in &lists.hidden {
                    self.kernels.multiply(inputs, layer.bucket(bucket), sums, outputs);
                    std::mem::swap(inputs, outputs);
                }
                lists.output.sum(bucket, inputs)
            }
            _ => unreachable!("the space is for these layers"),
        }
    }

    /// The score of an output for the side to move.
    #[inline]
    fn score(&self, output: i64, position: &Position) -> Score {
        // exact: an output has at most 53 bits
        let sum = output as f64 / self.weights.scale();
        let centipawns = match self.weights.curve {
            Curve::Tanh { scale } => sum * scale as f64,
            Curve::Linear { centipawns } => tanh(sum) * centipawns as f64,
        };
        // `as` saturates at the ends of the integer type
        let score = (centipawns.round() as Score).clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT);
        self.weights.orientation.for_mover(score, position.side_to_move())
    }
}

/// The number of a position's state seen from one side, for
/// [`FirstLayer::state`](super::integer::quantize::first::FirstLayer::state).
#[inline]
fn state(position: &Position, view: Color) -> usize {
    let rights = position.castling().bits() as usize;
    let castling = match view {
        Color::White => rights,
        Color::Black => rights >> 2 | (rights & 3) << 2,
    };
    let bit = |set: bool, input: u16| (set as usize) << (input - encoding::SIDE_TO_MOVE);
    bit(position.side_to_move() == view, encoding::SIDE_TO_MOVE)
        | castling << (encoding::CASTLING - encoding::SIDE_TO_MOVE)
        | bit(position.en_passant().is_some(), encoding::EN_PASSANT)
}

/// The hyperbolic tangent by Lambert's continued fraction, to 1e-9. It uses only operations that every machine rounds
/// alike; the one of the system's library may differ in the last bits.
fn tanh(x: f64) -> f64 {
    /// Beyond this the result is 1 to within 1e-9.
    const ONE: f64 = 11.0;
    /// The odd number at which the fraction is cut off.
    const TERMS: u32 = 51;
    if x.abs() >= ONE {
        return x.signum();
    }
    let square = x * x;
    let fraction = (1..TERMS)
        .step_by(2)
        .rev()
        .fold(0.0, |rest, odd| square / (odd as f64 + rest));
    if x == 0.0 { 0.0 } else { fraction / x }
}

impl Evaluator for Incremental {
    fn refresh(&mut self, position: &Position) {
        let network = &self.network;
        self.stack.refresh(&network.kernels, &*network.weights, position);
    }

    #[inline]
    fn push(&mut self, changes: Changes) {
        self.stack.push(&*self.network.weights, changes);
    }

    #[inline]
    fn pop(&mut self) {
        self.stack.pop();
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> Score {
        let output = self.output(position);
        self.network.score(output, position)
    }

    fn evaluate_batch(&mut self, positions: &[Position], scores: &mut Vec<Score>) {
        for position in positions {
            let output = self.output_of(position);
            scores.push(self.network.score(output, position));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_the_inputs_beside_the_pieces() {
        for fen in [
            Position::START_FEN,
            "r3k3/8/8/8/3pP3/8/8/4K2R b Kq e3 0 1",
            "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
            "4k2r/8/8/8/8/8/8/4K3 b k - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            for view in Color::ALL {
                let bits = encoding::state_inputs(&position, view);
                let number: usize = bits.iter().map(|bit| 1 << (bit - encoding::SIDE_TO_MOVE)).sum();
                assert_eq!(state(&position, view), number, "{fen} {view:?}");
            }
        }
    }

    #[test]
    fn the_hyperbolic_tangent_agrees_with_std() {
        for step in -3_000..=3_000 {
            let x = step as f64 / 200.0;
            assert!((tanh(x) - x.tanh()).abs() < 2e-9, "{x}: {} {}", tanh(x), x.tanh());
        }
    }
}
