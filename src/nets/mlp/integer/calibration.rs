//! What a net does in some positions: the range of activations without an upper bound, from which scales are chosen, and
//! which units are silent.
//!
//! A ReLU has no upper bound, and interval arithmetic overestimates the range tenfold with every layer. So the net is run
//! in floats over positions of random games, the same on every machine.

use crate::board::Position;
use crate::nets::encoding;
use crate::nets::mlp::weights::MlpWeights;
use crate::nets::net::{Dense, Net};

/// The number of positions.
const POSITIONS: usize = 96;
/// A random game ends after this many plies and the next one begins.
const GAME_PLIES: usize = 120;
/// Every fifth position of a game is taken.
const STRIDE: usize = 5;
/// The seed of the random games.
const SEED: u64 = 0x5eed_0fca_11b2_a7ed;

/// What the net gives in these positions.
pub struct Found {
    /// The largest sum of every hidden layer after the first, before its activation; 0 if none was positive.
    pub largest: Vec<f32>,
    /// The outputs of the first layer, for each position and perspective.
    pub first: Vec<Vec<f32>>,
}

/// Runs a net.
pub fn run(net: &Net, weights: &MlpWeights) -> Found {
    let layers: Vec<Transposed> = weights.layers.iter().map(Transposed::new).collect();
    let mut found = Found {
        largest: vec![0.0f32; weights.shape.hidden.len() - 1],
        first: Vec::new(),
    };
    for position in positions() {
        let first = first_layer(net, weights, &layers[0], &position);
        let mut hidden = first.concat();
        found.first.extend(first);
        let bucket = weights.shape.bucket(position.occupied().count() as usize);
        for (number, largest) in found.largest.iter_mut().enumerate() {
            let layer = number + 1;
            let units = weights.shape.units_of(layer);
            let mut sums = layers[layer].bias[bucket * units..][..units].to_vec();
            for (input, &value) in hidden.iter().enumerate().filter(|(_, value)| **value != 0.0) {
                layers[layer].add_row(input, bucket * units, value, &mut sums);
            }
            *largest = sums.iter().copied().fold(*largest, f32::max);
            let nonlinearity = weights.shape.nonlinearity(layer).expect("a hidden layer");
            hidden = nonlinearity.apply(&sums);
        }
    }
    found
}

/// The outputs of the first layer for each perspective.
fn first_layer(net: &Net, weights: &MlpWeights, layer: &Transposed, position: &Position) -> Vec<Vec<f32>> {
    let nonlinearity = weights.shape.nonlinearity(0).expect("a hidden layer");
    let views = weights.shape.views(net.info.orientation, position);
    let outputs = views.map(|view| {
        let mut sums = layer.bias.to_vec();
        for input in encoding::active(position, view) {
            layer.add_row(view.first_input() + input as usize, 0, 1.0, &mut sums);
        }
        nonlinearity.apply(&sums)
    });
    outputs.collect()
}

/// A layer with a row for every input, so that zero inputs can be skipped.
struct Transposed<'a> {
    outputs: usize,
    weight: Vec<f32>,
    bias: &'a [f32],
}

impl<'a> Transposed<'a> {
    fn new(layer: &'a Dense) -> Transposed<'a> {
        let mut weight = vec![0.0; layer.inputs * layer.outputs];
        for (output, row) in layer.weight.chunks_exact(layer.inputs).enumerate() {
            for (input, &number) in row.iter().enumerate() {
                weight[input * layer.outputs + output] = number;
            }
        }
        Transposed {
            outputs: layer.outputs,
            weight,
            bias: &layer.bias,
        }
    }

    /// Adds `value` times the weights of an input, starting at output `first`.
    fn add_row(&self, input: usize, first: usize, value: f32, sums: &mut [f32]) {
        let row = &self.weight[input * self.outputs + first..][..sums.len()];
        for (sum, weight) in sums.iter_mut().zip(row) {
            *sum += value * weight;
        }
    }
}

/// Positions of random games from the start.
fn positions() -> impl Iterator<Item = Position> {
    let mut random = SEED;
    let mut position = Position::default();
    let mut ply = 0;
    let step = move || {
        let moves = position.legal_moves();
        if moves.is_empty() || ply == GAME_PLIES {
            (position, ply) = (Position::default(), 0);
        } else {
            // Knuth's MMIX generator; its low bits are not random enough
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            position.make(moves[(random >> 33) as usize % moves.len()]);
            ply += 1;
        }
        position
    };
    std::iter::repeat_with(step).step_by(STRIDE).take(POSITIONS)
}
