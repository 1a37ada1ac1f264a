//! The control net in play: plain loops over floats, from the board anew for every position. One move can change who
//! controls half of the empty squares, so incremental updates would save little.

use super::encoding::{INPUTS, encode};
use super::head::{AdvantageCurve, OUTPUTS, advantage};
use super::weights::ControlWeights;
use crate::board::Position;
use crate::nets::curve::{Curve, Orientation};
use crate::nets::net::{Net, NetError};
use crate::nets::score::Score;
use crate::nets::stateless::Stateless;
use pulp::Arch;
use std::sync::Arc;

/// Hidden units that are computed at a time: a few registers of the widest instructions.
const LANES: usize = 64;

/// The layers in the order in which the loops go through them.
#[derive(Debug)]
struct Layers {
    /// For each block of hidden units its biases, then a row of weights for every input.
    first: Vec<[[f32; LANES]; INPUTS + 1]>,
    /// For each block the weights to every output; 0 past the last unit.
    second: Vec<[[f32; LANES]; OUTPUTS]>,
    bias: [f32; OUTPUTS],
}

/// A trained control net that gives positions scores. Everything happens on the calling thread.
#[derive(Clone, Debug)]
pub struct ControlNet {
    layers: Arc<Layers>,
    advantage: AdvantageCurve,
    curve: Curve,
    arch: Arch,
}

impl ControlNet {
    /// The evaluator of a control net.
    ///
    /// # Errors
    /// If the net holds something else.
    pub fn new(net: &Net) -> Result<ControlNet, NetError> {
        let weights = net.control()?;
        Ok(ControlNet {
            advantage: weights.advantage,
            layers: Arc::new(Layers::new(&weights)),
            curve: net.info.curve,
            arch: Arch::new(),
        })
    }

    /// The six outputs for a position.
    pub fn outputs(&self, position: &Position) -> [f32; OUTPUTS] {
        let inputs = encode(position).map(f32::from);
        self.arch.dispatch(|| self.layers.outputs(&inputs))
    }

    fn score(&self, position: &Position) -> Score {
        let value = self.advantage.value(advantage(&self.outputs(position)));
        Orientation::White.for_mover(self.curve.score(value), position.side_to_move())
    }
}

impl Layers {
    fn new(weights: &ControlWeights) -> Layers {
        let [first, second] = &weights.layers;
        let units = first.outputs;
        let blocks = units.div_ceil(LANES);
        // lanes past the last unit are 0 and have the weight 0 in every output
        let at = |block: usize, lane: usize, value: &dyn Fn(usize) -> f32| match block * LANES + lane {
            unit if unit < units => value(unit),
            _ => 0.0,
        };
        let row =
            |block: usize, value: &dyn Fn(usize) -> f32| std::array::from_fn(|lane| at(block, lane, value));
        Layers {
            first: (0..blocks)
                .map(|block| {
                    std::array::from_fn(|place| match place.checked_sub(1) {
                        None => row(block, &|unit| first.bias[unit]),
                        Some(input) => row(block, &|unit| first.weight[unit * INPUTS + input]),
                    })
                })
                .collect(),
            second: (0..blocks)
                .map(|block| {
                    std::array::from_fn(|output| row(block, &|unit| second.weight[output * units + unit]))
                })
                .collect(),
            bias: std::array::from_fn(|output| second.bias[output]),
        }
    }

    #[inline(always)]
    fn outputs(&self, inputs: &[f32; INPUTS]) -> [f32; OUTPUTS] {
        let mut sums = [[0.0; LANES]; OUTPUTS];
        for (first, second) in self.first.iter().zip(&self.second) {
            let mut hidden = first[0];
            for (input, weights) in inputs.iter().zip(&first[1..]) {
                for (sum, weight) in hidden.iter_mut().zip(weights) {
                    *sum += input * weight;
                }
            }
            hidden.iter_mut().for_each(|unit| *unit = sigmoid(*unit));
            for (sums, weights) in sums.iter_mut().zip(second) {
                for ((sum, unit), weight) in sums.iter_mut().zip(&hidden).zip(weights) {
                    *sum += unit * weight;
                }
            }
        }
        std::array::from_fn(|output| sigmoid(self.bias[output] + total(sums[output])))
    }
}

/// The sum of a vector, by halves.
#[inline(always)]
fn total(mut lanes: [f32; LANES]) -> f32 {
    let mut width = LANES / 2;
    while width > 0 {
        let (left, right) = lanes.split_at_mut(width);
        left.iter_mut()
            .zip(&*right)
            .for_each(|(left, right)| *left += right);
        width /= 2;
    }
    lanes[0]
}

/// 1 / (1 + e^−x). Written with operations that compilers turn into vectors, unlike `exp`: e^x is 2^n · 2^f with a whole
/// n, put into the exponent's bits, and a polynomial for 2^f (Taylor's, to the sixth power; wrong by less than 2·10⁻⁷ for
/// |f| ≤ ½).
#[inline(always)]
fn sigmoid(x: f32) -> f32 {
    /// Adding and taking away 1.5 · 2²³ rounds to a whole number.
    const ROUND: f32 = 12_582_912.0;
    const LN_2: f32 = std::f32::consts::LN_2;
    // beyond ±30 the result is 0 or 1 to the last bit
    let power = (-x).clamp(-30.0, 30.0) * std::f32::consts::LOG2_E;
    let whole = (power + ROUND) - ROUND;
    let rest = (power - whole) * LN_2;
    let terms = [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];
    let fraction = terms.into_iter().fold(0.0, |sum, term| sum * rest + term);
    let two_to_whole = f32::from_bits(((whole as i32 + 127) << 23) as u32);
    1.0 / (1.0 + fraction * two_to_whole)
}

impl Stateless for ControlNet {
    fn score_all(&mut self, positions: &[Position], scores: &mut Vec<Score>) {
        scores.extend(positions.iter().map(|position| self.score(position)));
    }

    fn score_one(&mut self, position: &Position) -> Score {
        self.score(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nets::Evaluator;
    use crate::nets::control::reference::ControlModel;
    use crate::nets::control::reference::tests::{net, positions};
    use candle_core::Device;

    #[test]
    fn sigmoid_is_that_of_the_library() {
        for n in -4_000..=4_000 {
            let x = n as f32 / 100.0;
            let wanted = 1.0 / (1.0 + (-f64::from(x)).exp());
            assert!((f64::from(sigmoid(x)) - wanted).abs() < 3e-7, "{x}");
        }
        assert!(sigmoid(f32::MAX) == 1.0 && sigmoid(f32::MIN) < 1e-12);
    }

    #[test]
    fn outputs_and_scores_are_those_of_candle() {
        for hidden in [3, 64, 100] {
            let net = net(hidden);
            let mut fast = ControlNet::new(&net).unwrap();
            let reference = ControlModel::new(&net, &Device::Cpu).unwrap();
            let positions = positions();
            let outputs = reference.outputs(&positions).unwrap();
            let scores = reference.scores(&positions).unwrap();
            for ((position, wanted), score) in positions.iter().zip(outputs).zip(scores) {
                let found = fast.outputs(position);
                for (found, wanted) in found.iter().zip(wanted) {
                    assert!((found - wanted).abs() < 2e-6, "{found} {wanted}");
                }
                // next to the threshold a rounding decides whether an output counts
                if wanted
                    .iter()
                    .all(|output| (output - super::super::head::THRESHOLD).abs() > 1e-5)
                {
                    assert!(
                        (fast.evaluate(position) - score).abs() <= 1,
                        "{}",
                        position.to_fen(false)
                    );
                }
            }
        }
    }
}
