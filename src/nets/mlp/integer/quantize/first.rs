//! The first layer in integers: the accumulators' rows, and the proof that no position makes a sum overflow.

use super::{ACTIVATION_MAX, PIECE_BITS, QuantizeError, round};
use crate::arch::{ByteActivation, CacheLine, Factor, LANES, RowStore};
use crate::nets::encoding;
use crate::nets::mlp::shape::{Activation, Nonlinearity};
use crate::nets::mlp::weights::{MlpWeights, ROW_STEPS};
use crate::nets::net::Dense;

/// The smallest scale of the accumulators: sums up to 511 fit, and an activation of 1 still has 64 steps.
const LEAST_SCALE: f64 = 64.0;
/// The largest scale of the accumulators without a bounded activation; more precision gains nothing.
const LARGEST_SCALE: f64 = 8_191.0;
/// The byte of an output of 1, where the accumulators are precise enough.
const BYTE_MAX: f64 = 127.0;
/// The most that a factor of a byte is shifted left.
const LARGEST_SHIFT: u32 = 8;
/// Input bits besides the pieces: side to move, four castling rights, en passant.
const STATE_BITS: usize = encoding::INPUTS - encoding::SIDE_TO_MOVE as usize;
/// Combinations of the state bits.
const STATES: usize = 1 << STATE_BITS;
/// The most pieces of one colour in a position.
const PIECES: usize = 16;

/// The first layer: accumulators are sums of its rows.
#[derive(Clone, Debug)]
pub struct FirstLayer {
    /// Lines in a row: the units of one perspective, rounded up. Where the outputs are products of pairs, each half of the
    /// units is rounded up, so that a unit and its partner are in the same lane of lines half a row apart.
    pub lines: usize,
    /// The integer for a weight of 1.
    pub scale: f64,
    /// For every king region a row for each of the 768 piece bits.
    pub rows: RowStore,
    /// For every king region and combination of the other six bits (bit 768 counts 1, 769 counts 2 …) the sum of their
    /// rows and the bias.
    pub states: Vec<CacheLine>,
    /// How sums become bytes; none if the activation is ReLU, which has no upper bound.
    pub activation: Option<ByteActivation>,
}

impl FirstLayer {
    /// What a king region adds to the pieces' sums in a state: the number of a combination of the six bits.
    #[inline]
    pub fn state(&self, region: u8, state: usize) -> &[CacheLine] {
        let number = usize::from(region) * STATES + state;
        &self.states[number * self.lines..][..self.lines]
    }

    /// Lanes of a row that the next layer sees: one for each output.
    pub fn outputs(&self) -> usize {
        match self.activation {
            Some(ByteActivation {
                factor: Factor::Partner,
                ..
            }) => self.lines * LANES / 2,
            _ => self.lines * LANES,
        }
    }
}

/// The largest and the smallest sum that any position causes in one unit of the first layer, whatever the king's region.
fn sum_range(weights: &[f32], bias: f32) -> (f64, f64) {
    let regions = weights.chunks_exact(encoding::INPUTS);
    let ranges = regions.map(|weights| sum_range_of_region(weights, bias.into()));
    ranges
        .reduce(|(high, low), other| (high.max(other.0), low.min(other.1)))
        .expect("a net has at least one region")
}

/// The same for one region, given that no square holds two pieces and that there are at most [`PIECES`] of each colour.
fn sum_range_of_region(weights: &[f32], bias: f64) -> (f64, f64) {
    let mut range = (bias, bias);
    for &weight in &weights[encoding::SIDE_TO_MOVE as usize..] {
        range.0 += f64::from(weight).max(0.0);
        range.1 += f64::from(weight).min(0.0);
    }
    for color in 0..2 {
        let (mut highest, mut lowest) = ([0.0_f64; 64], [0.0_f64; 64]);
        for kind in 0..6 {
            for (square, (high, low)) in highest.iter_mut().zip(&mut lowest).enumerate() {
                let weight = f64::from(weights[(color * 6 + kind) * 64 + square]);
                *high = high.max(weight);
                *low = low.min(weight);
            }
        }
        highest.select_nth_unstable_by(PIECES, |a, b| b.total_cmp(a));
        lowest.select_nth_unstable_by(PIECES, f64::total_cmp);
        range.0 += highest[..PIECES].iter().sum::<f64>();
        range.1 += lowest[..PIECES].iter().sum::<f64>();
    }
    range
}

/// The first layer of a net in integers.
pub fn quantize(weights: &MlpWeights) -> Result<FirstLayer, QuantizeError> {
    let layer = &weights.layers[0];
    let units = layer.outputs;
    let column = |unit: usize| &layer.weight[unit * layer.inputs..][..layer.inputs];
    let ranges = (0..units).map(|unit| sum_range(column(unit), layer.bias[unit]));
    let reach = ranges.fold(0.0, |reach: f64, (high, low)| reach.max(high).max(-low));
    // rounding may add a half to each term of a sum: at the finest scale no sum of integers is too large
    let slack = (2 * PIECES + STATE_BITS + 1) as f64 / 2.0;
    let finest = (ACTIVATION_MAX - slack) / reach;
    let too_large = QuantizeError::Accumulator {
        sum: reach,
        largest: (ACTIVATION_MAX - slack) / LEAST_SCALE,
    };
    if finest < LEAST_SCALE {
        return Err(too_large);
    }
    let nonlinearity = weights.shape.nonlinearity(0).expect("a hidden layer");
    let is_in_bytes = nonlinearity != Nonlinearity::Each(Activation::Relu) && fits_bytes(layer);
    let finest = if is_in_bytes { ROW_STEPS } else { finest };
    let activation = byte_activation(nonlinearity, finest, is_in_bytes);
    let scale = activation.map_or(finest.min(LARGEST_SCALE), |activation| activation.cap as f64);
    if scale > finest {
        return Err(too_large);
    }
    Ok(rows(layer, scale, activation, is_in_bytes))
}

/// Whether a layer is whole steps of 1/[`ROW_STEPS`] throughout, which fit in bytes: then rows of bytes lose nothing.
fn fits_bytes(layer: &Dense) -> bool {
    // half floats between 1 and 2 are up to 0.031 steps beside a whole one
    const NEAR: f64 = 0.05;
    let steps = |number: &f32| f64::from(*number) * ROW_STEPS;
    let is_whole = |number: &f32| (steps(number) - steps(number).round()).abs() < NEAR;
    let fits = |number: &f32| steps(number).abs() < f64::from(i8::MAX) + NEAR;
    layer.weight.iter().all(|weight| fits(weight) && is_whole(weight)) && layer.bias.iter().all(is_whole)
}

/// The activation that makes bytes, with the largest cap of at most `finest` at which an output of 1 is [`BYTE_MAX`]. The cap
/// is the integer for 1.
fn byte_activation(nonlinearity: Nonlinearity, finest: f64, is_in_bytes: bool) -> Option<ByteActivation> {
    // what the product of the cap and the other factor must be
    let product = BYTE_MAX * 32_768.0;
    let factor = match nonlinearity {
        Nonlinearity::Each(Activation::Relu) => return None,
        Nonlinearity::Each(Activation::ClippedRelu) => {
            let shift = 2;
            let cap = finest.min(ACTIVATION_MAX / (1 << shift) as f64).floor();
            let factor = (product / (cap * (1 << shift) as f64)).floor();
            return Some(ByteActivation {
                cap: cap as i16,
                shift,
                other_shift: 0,
                factor: Factor::Constant(factor as i16),
            });
        }
        Nonlinearity::Each(Activation::SquaredClippedRelu) => Factor::Itself,
        Nonlinearity::Pairs => Factor::Partner,
        Nonlinearity::Twice => unreachable!("only the second layer's units have two activations"),
    };
    if is_in_bytes {
        let both = (product / (ROW_STEPS * ROW_STEPS)).log2().floor() as u32;
        let shift = both.min((ACTIVATION_MAX / ROW_STEPS).log2().floor() as u32);
        return Some(ByteActivation {
            cap: ROW_STEPS as i16,
            shift,
            other_shift: both - shift,
            factor,
        });
    }
    let cap = |shift: u32| (product / (1 << shift) as f64).sqrt().round();
    let shift = (0..LARGEST_SHIFT).find(|&shift| cap(shift) <= finest);
    let shift = shift.unwrap_or(LARGEST_SHIFT);
    Some(ByteActivation {
        cap: cap(shift).min(finest.floor()) as i16,
        shift,
        other_shift: 0,
        factor,
    })
}

/// The rows of the integers.
fn rows(layer: &Dense, scale: f64, activation: Option<ByteActivation>, is_in_bytes: bool) -> FirstLayer {
    let parts = match activation.map(|activation| activation.factor) {
        Some(Factor::Partner) => 2,
        _ => 1,
    };
    let units = layer.outputs / parts;
    let granule = activation.map_or(1, |activation| activation.granule() / parts);
    let lines_of_part = units.div_ceil(LANES).next_multiple_of(granule);
    let lines = parts * lines_of_part;
    let integer = |number: f32| round(number, scale) as i32;
    let regions = layer.inputs / encoding::INPUTS;
    let count = regions * PIECE_BITS * lines;
    let mut rows = match is_in_bytes {
        true => RowStore::bytes(count),
        false => RowStore::words(count),
    };
    let mut states = vec![CacheLine::ZERO; regions * STATES * lines];
    let places: Vec<(usize, usize)> = (0..layer.outputs)
        .map(|unit| unit / units * lines_of_part * LANES + unit % units)
        .map(|place| (place / LANES, place % LANES))
        .collect();
    // the units of a line one after the other for each input, so that a line is written once
    for of_line in places.chunk_by(|a, b| a.0 == b.0) {
        let first = places.partition_point(|place| place.0 < of_line[0].0);
        for (row, input) in (0..regions)
            .flat_map(|region| (0..PIECE_BITS).map(move |bit| region * encoding::INPUTS + bit))
            .enumerate()
        {
            for (unit, &(line, lane)) in (first..).zip(of_line) {
                let weight = layer.weight[unit * layer.inputs + input];
                rows.set(row * lines + line, lane, integer(weight));
            }
        }
    }
    for (unit, (weights, &(line, lane))) in layer.weight.chunks_exact(layer.inputs).zip(&places).enumerate() {
        for (region, weights) in weights.chunks_exact(encoding::INPUTS).enumerate() {
            let of_state = &weights[PIECE_BITS..];
            for state in 0..STATES {
                let bits = (0..STATE_BITS).filter(|bit| state >> bit & 1 == 1);
                let sum: i32 = bits.map(|bit| integer(of_state[bit])).sum();
                states[(region * STATES + state) * lines + line].0[lane] =
                    (sum + integer(layer.bias[unit])) as i16;
            }
        }
    }
    FirstLayer {
        lines,
        scale,
        rows,
        states,
        activation,
    }
}
