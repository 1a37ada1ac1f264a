//! An MLP in integers: 16-bit weights and activations, 32-bit sums.
//!
//! The scales are chosen when a net is loaded: as large as possible while no sum can overflow in any position that a FEN
//! can describe, which is proved from the weights. A net that would become too coarse is refused.
//!
//! | what | unit | bound |
//! |---|---|---|
//! | accumulator | [`FirstLayer::scale`] | 16 bits, for up to 16 pieces of either colour |
//! | first activation | the same, or its square | the cap, 15 bits |
//! | later sums | the product of the units of inputs and weights | 32 bits, with all inputs at their largest |
//! | later activation | the sum's, divided by a power of two | saturates at 15 bits |
//!
//! Weights in 8 bits would halve the memory that a wide layer reads, but not the time: the sparse product is bound by the
//! vector units, not by memory, and takes as many instructions with 16 bits. So 16 bits keep the precision for free.

use super::calibration;
use crate::arch;
use crate::arch::{CacheLine, LANES, Sums};
use crate::nets::curve::{Curve, Orientation};
use crate::nets::encoding;
use crate::nets::mlp::shape::{Activation, MlpShape};
use crate::nets::mlp::weights::MlpWeights;
use crate::nets::net::{Dense, Net, NetError};

/// The smallest scale of the accumulators: sums up to 511 fit, and an activation of 1 still has 64 steps.
const LEAST_FIRST_SCALE: f64 = 64.0;
/// The largest scale of the accumulators; more precision gains nothing. Four times this fits in 15 bits, as the squared
/// activation needs.
const LARGEST_FIRST_SCALE: f64 = 8_191.0;
/// The largest scale of the weights of later layers.
const LARGEST_WEIGHT_SCALE: f64 = 65_536.0;
/// The largest sum of a later layer: 32 bits, minus half a unit of the next activation (2¹⁵ at most) for rounding.
const LARGEST_SUM: f64 = i32::MAX as f64 - 65_536.0;
/// The largest sum of the output layer: exact in a double.
const LARGEST_OUTPUT: f64 = (1u64 << 52) as f64;
/// A net is refused if the largest weight of a layer would be quantized to less than this.
const LEAST_WEIGHT: f64 = 64.0;
/// The largest activation.
const ACTIVATION_MAX: f64 = i16::MAX as f64;
/// Unclipped activations may reach this many times the largest that calibration found.
const HEADROOM: f64 = 8.0;
/// Input bits besides the pieces: side to move, four castling rights, en passant.
const STATE_BITS: usize = encoding::INPUTS - encoding::SIDE_TO_MOVE as usize;
/// Input bits of the pieces.
pub const PIECE_BITS: usize = encoding::SIDE_TO_MOVE as usize;
/// Combinations of the state bits.
const STATES: usize = 1 << STATE_BITS;
/// The most pieces of one colour in a position.
const PIECES: usize = 16;

/// Why a net cannot be quantized; candle can still compute it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum QuantizeError {
    /// The net is invalid.
    #[error(transparent)]
    Net(#[from] NetError),
    /// A weight or bias is infinite or NaN.
    #[error("layer {0} of the net holds a number that is not finite")]
    NotFinite(usize),
    /// A layout that is not computed in integers yet.
    #[error("{0} cannot be computed in integers")]
    Layout(String),
    /// A squared activation after another layer than the first.
    #[error("layer {0} of the net has a squared activation, which only the first may have here")]
    Squared(usize),
    /// The first layer would need more than 16 bits, or be too coarse in them.
    #[error("the first layer's sums can reach {sum:.0}, 16-bit accumulators hold them up to {largest:.0}")]
    Accumulator {
        /// The largest sum that any position causes.
        sum: f64,
        /// The largest sum that is accepted.
        largest: f64,
    },
    /// A later layer would need more than 32 bits, or be too coarse in them.
    #[error(
        "layer {layer}'s sums can grow so large that its largest weight would be {weight:.1} in 32 bits, less than {LEAST_WEIGHT}"
    )]
    Sum {
        /// Counted from 0.
        layer: usize,
        /// The integer that the largest weight would become.
        weight: f64,
    },
}

/// The first layer: accumulators are sums of its rows.
#[derive(Clone, Debug)]
pub struct FirstLayer {
    /// Lines in a row: the units of one perspective, rounded up.
    pub lines: usize,
    /// The integer for a weight of 1.
    pub scale: f64,
    /// For every king region a row for each of the 768 piece bits.
    pub rows: Vec<CacheLine>,
    /// For every king region and combination of the other six bits (bit 768 counts 1, 769 counts 2 …) the sum of their
    /// rows and the bias.
    pub states: Vec<CacheLine>,
    /// The activation of the sums.
    pub activation: arch::IntegerActivation,
}

impl FirstLayer {
    /// What a king region adds to the pieces' sums in a state: the number of a combination of the six bits.
    #[inline]
    pub fn state(&self, region: u8, state: usize) -> &[CacheLine] {
        let number = usize::from(region) * STATES + state;
        &self.states[number * self.lines..][..self.lines]
    }
}

/// A layer between two activations, for all buckets.
#[derive(Clone, Debug)]
pub struct HiddenLayer {
    /// The number of inputs: rows of one bucket.
    pub inputs: usize,
    /// Lines in a row.
    pub lines: usize,
    /// For every bucket and input a row of weights.
    pub rows: Vec<CacheLine>,
    /// For every bucket the bias plus half a unit of the next activation, so that the shift rounds to nearest.
    pub bias: Vec<Sums>,
    /// Whether the outputs' sums fit in half a line.
    pub half: bool,
    /// How far sums are shifted right.
    pub shift: u32,
    /// The maximum to which activations are clipped.
    pub cap: i16,
}

impl HiddenLayer {
    /// The layer of one bucket.
    #[inline]
    pub fn bucket(&self, bucket: usize) -> arch::DenseLayer<'_> {
        let size = self.inputs * self.lines;
        arch::DenseLayer {
            rows: &self.rows[bucket * size..][..size],
            bias: &self.bias[bucket * self.lines..][..self.lines],
            half: self.half,
            shift: self.shift,
            cap: self.cap,
        }
    }
}

/// The last layer, one output for each bucket.
#[derive(Clone, Debug)]
pub struct OutputLayer {
    /// The number of inputs: weights of one bucket.
    pub inputs: usize,
    /// For every bucket and input a weight.
    pub weights: Vec<i16>,
    /// One for every bucket.
    pub bias: Vec<i64>,
    /// The integer for an output of 1 before the final tanh.
    pub scale: f64,
}

impl OutputLayer {
    /// The output of one bucket.
    #[inline]
    pub fn sum(&self, bucket: usize, inputs: &arch::ActiveOutputs) -> i64 {
        let weights = &self.weights[bucket * self.inputs..][..self.inputs];
        let products = inputs
            .iter()
            .map(|(input, value)| weights[input] as i64 * value as i64);
        self.bias[bucket] + products.sum::<i64>()
    }
}

/// An MLP in integers.
#[derive(Clone, Debug)]
pub struct QuantizedMlp {
    /// The layout.
    pub shape: MlpShape,
    /// The net's point of view.
    pub orientation: Orientation,
    /// The conversion of its output to centipawns.
    pub curve: Curve,
    /// The accumulators' layer.
    pub first: FirstLayer,
    /// The layers after it that have an activation.
    pub hidden: Vec<HiddenLayer>,
    /// The last one.
    pub output: OutputLayer,
}

impl QuantizedMlp {
    /// Quantizes a net.
    pub fn new(net: &Net) -> Result<QuantizedMlp, QuantizeError> {
        let weights = net.mlp()?;
        for (number, layer) in weights.layers.iter().enumerate() {
            if !layer.weight.iter().chain(&layer.bias).all(|x| x.is_finite()) {
                return Err(QuantizeError::NotFinite(number));
            }
        }
        let shape = weights.shape.clone();
        if shape.paired || shape.doubled {
            return Err(QuantizeError::Layout(shape.to_string()));
        }
        let (first, mut signal) = first_layer(&weights)?;
        let largest = calibration::largest_activations(net, &weights);
        let mut hidden = Vec::new();
        for (number, &largest) in (1..shape.hidden.len()).zip(&largest) {
            let (layer, next) = hidden_layer(&weights, number, &signal, largest as f64)?;
            hidden.push(layer);
            signal = next;
        }
        let output = output_layer(&weights, &signal)?;
        Ok(QuantizedMlp {
            shape,
            orientation: net.info.orientation,
            curve: net.info.curve,
            first,
            hidden,
            output,
        })
    }
}

impl QuantizedMlp {
    /// The width of the widest layer.
    pub fn widest(&self) -> usize {
        let hidden = self.hidden.iter().map(|layer| layer.inputs);
        hidden.chain([self.output.inputs]).max().unwrap_or(0)
    }
}

/// The integer activations between two layers.
struct Signal {
    /// The integer for 1.
    scale: f64,
    /// The largest value of each.
    largest: Vec<i64>,
    /// The places of the previous layer's outputs; the other places are always zero.
    places: Vec<usize>,
}

fn round(number: f32, scale: f64) -> f64 {
    (number as f64 * scale).round()
}

/// The largest and the smallest sum that any position causes in one unit of the first layer, whatever the king's region.
fn sum_range(weights: &[f32], bias: f32, number: impl Fn(f32) -> f64) -> (f64, f64) {
    let regions = weights.chunks_exact(encoding::INPUTS);
    let ranges = regions.map(|weights| sum_range_of_region(|input| number(weights[input]), number(bias)));
    ranges
        .reduce(|(high, low), other| (high.max(other.0), low.min(other.1)))
        .expect("a net has at least one region")
}

/// The same for one region, given that no square holds two pieces and that there are at most [`PIECES`] of each colour.
fn sum_range_of_region(weight: impl Fn(usize) -> f64, bias: f64) -> (f64, f64) {
    let mut range = (bias, bias);
    for input in encoding::SIDE_TO_MOVE as usize..encoding::INPUTS {
        range.0 += weight(input).max(0.0);
        range.1 += weight(input).min(0.0);
    }
    for color in 0..2 {
        let piece = |kind: usize, square: usize| weight((color * 6 + kind) * 64 + square);
        let mut highest: Vec<f64> = (0..64)
            .map(|s| (0..6).map(|k| piece(k, s)).fold(0.0, f64::max))
            .collect();
        let mut lowest: Vec<f64> = (0..64)
            .map(|s| (0..6).map(|k| piece(k, s)).fold(0.0, f64::min))
            .collect();
        highest.sort_by(f64::total_cmp);
        lowest.sort_by(f64::total_cmp);
        range.0 += highest.iter().rev().take(PIECES).sum::<f64>();
        range.1 += lowest.iter().take(PIECES).sum::<f64>();
    }
    range
}

fn first_layer(weights: &MlpWeights) -> Result<(FirstLayer, Signal), QuantizeError> {
    let layer = &weights.layers[0];
    let units = layer.outputs;
    let lines = units.div_ceil(LANES);
    let column = |unit: usize| &layer.weight[unit * layer.inputs..][..layer.inputs];
    let ranges = |scale: Option<f64>| {
        (0..units).map(move |unit| {
            let number = |x: f32| scale.map_or(x as f64, |scale| round(x, scale));
            sum_range(column(unit), layer.bias[unit], number)
        })
    };
    let reach = ranges(None).fold(0.0, |reach: f64, (high, low)| reach.max(high).max(-low));
    // rounding may add a half to each term of a sum
    let slack = (2 * PIECES + STATE_BITS + 1) as f64 / 2.0;
    let scale = ((ACTIVATION_MAX - slack) / reach).min(LARGEST_FIRST_SCALE);
    let too_large = QuantizeError::Accumulator {
        sum: reach,
        largest: (ACTIVATION_MAX - slack) / LEAST_FIRST_SCALE,
    };
    if scale < LEAST_FIRST_SCALE {
        return Err(too_large);
    }
    let integer_ranges: Vec<(f64, f64)> = ranges(Some(scale)).collect();
    if integer_ranges
        .iter()
        .any(|&(high, low)| high > ACTIVATION_MAX || low < -ACTIVATION_MAX)
    {
        return Err(too_large);
    }
    let activation = first_activation(weights.shape.first_activation, scale);
    let highest: Vec<f64> = integer_ranges.into_iter().map(|(high, _)| high).collect();
    let signal = first_signal(weights.shape.perspectives, lines, scale, activation, &highest);
    Ok((integer_first_layer(layer, lines, scale, activation), signal))
}

/// The first layer's outputs: its units with the largest value of each, once for every perspective.
fn first_signal(
    perspectives: usize,
    lines: usize,
    scale: f64,
    activation: arch::IntegerActivation,
    highest: &[f64],
) -> Signal {
    let units = highest.len();
    let places: Vec<usize> = (0..perspectives)
        .flat_map(|view| (0..units).map(move |unit| view * lines * LANES + unit))
        .collect();
    let mut largest = vec![0; perspectives * lines * LANES];
    for (neuron, &place) in places.iter().enumerate() {
        let value = highest[neuron % units].clamp(0.0, activation.cap as f64) as i64;
        largest[place] = match activation.square {
            Some(shift) => (value << shift).pow(2) >> 16,
            None => value,
        };
    }
    Signal {
        scale: match activation.square {
            Some(shift) => (scale * (1u64 << shift) as f64).powi(2) / 65_536.0,
            None => scale,
        },
        largest,
        places,
    }
}

fn first_activation(activation: Activation, scale: f64) -> arch::IntegerActivation {
    let one = scale.round();
    match activation {
        Activation::Relu => arch::IntegerActivation {
            cap: i16::MAX,
            square: None,
        },
        Activation::ClippedRelu => arch::IntegerActivation {
            cap: one as i16,
            square: None,
        },
        Activation::SquaredClippedRelu => arch::IntegerActivation {
            cap: one as i16,
            square: Some((ACTIVATION_MAX / one).log2().floor() as u32),
        },
    }
}

fn integer_first_layer(
    layer: &Dense,
    lines: usize,
    scale: f64,
    activation: arch::IntegerActivation,
) -> FirstLayer {
    let integer = |number: f32| round(number, scale) as i32;
    let regions = layer.inputs / encoding::INPUTS;
    let mut rows = vec![CacheLine::ZERO; regions * PIECE_BITS * lines];
    let mut states = vec![CacheLine::ZERO; regions * STATES * lines];
    for (unit, weights) in layer.weight.chunks_exact(layer.inputs).enumerate() {
        let (line, lane) = (unit / LANES, unit % LANES);
        for (region, weights) in weights.chunks_exact(encoding::INPUTS).enumerate() {
            let (of_pieces, of_state) = weights.split_at(PIECE_BITS);
            for (input, &weight) in of_pieces.iter().enumerate() {
                rows[(region * PIECE_BITS + input) * lines + line].0[lane] = integer(weight) as i16;
            }
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

/// The largest scale at which the weights fit 16 bits and no sum exceeds `bound`, with the inputs at their largest.
fn weight_scale(layer: &Dense, number: usize, signal: &Signal, bound: f64) -> Result<f64, QuantizeError> {
    let heaviest = layer
        .weight
        .iter()
        .fold(0.0f64, |most, &w| most.max(w.abs() as f64));
    let mut scale = ACTIVATION_MAX / heaviest.max(f64::MIN_POSITIVE);
    for (row, &bias) in layer.weight.chunks_exact(layer.inputs).zip(&layer.bias) {
        // the largest sum of either sign, per unit of scale, and what rounding the weights may add to it
        let (mut high, mut low, mut rounding) = (0.0, 0.0, 1.0);
        for (&weight, &place) in row.iter().zip(&signal.places) {
            let input = signal.largest[place] as f64;
            high += weight.max(0.0) as f64 * input;
            low += (-weight).max(0.0) as f64 * input;
            rounding += 0.5 * input;
        }
        let sum = f64::max(high, low) + (bias.abs() as f64) * signal.scale;
        scale = scale.min((bound - rounding) / sum.max(f64::MIN_POSITIVE));
    }
    // a layer of zeros has no largest weight
    let weight = scale * heaviest;
    if heaviest > 0.0 && weight < LEAST_WEIGHT {
        return Err(QuantizeError::Sum {
            layer: number,
            weight,
        });
    }
    Ok(scale.min(LARGEST_WEIGHT_SCALE))
}

/// The lane of a unit of a hidden layer: in order, or, if the units are few, the lanes whose sums are the first half of a
/// [`Sums`], so that the other half need not be computed.
fn place(unit: usize, half_line: bool) -> usize {
    if half_line { unit / 4 * 8 + unit % 4 } else { unit }
}

fn hidden_layer(
    weights: &MlpWeights,
    number: usize,
    signal: &Signal,
    largest_found: f64,
) -> Result<(HiddenLayer, Signal), QuantizeError> {
    let layer = &weights.layers[number];
    let units = weights.shape.units_of(number);
    let lines = units.div_ceil(LANES);
    let half = units <= LANES / 2;
    let weight_scale = weight_scale(layer, number, signal, LARGEST_SUM)?;
    let unit = signal.scale * weight_scale;
    // the largest activation: calibrated with headroom for ReLU, within the largest sum
    let range = match weights.shape.later_activation {
        Activation::Relu => (largest_found * HEADROOM).max(1.0).min(LARGEST_SUM / unit),
        Activation::ClippedRelu => 1.0,
        Activation::SquaredClippedRelu => return Err(QuantizeError::Squared(number)),
    };
    let shift = (unit * range / ACTIVATION_MAX).log2().ceil().max(0.0) as u32;
    let scale = unit / (1u64 << shift) as f64;
    let cap = (range * scale).round().min(ACTIVATION_MAX) as i16;
    let places: Vec<usize> = (0..units).map(|unit| place(unit, half)).collect();
    let mut hidden = HiddenLayer {
        inputs: signal.largest.len(),
        lines,
        rows: vec![CacheLine::ZERO; weights.shape.buckets * signal.largest.len() * lines],
        bias: vec![Sums::ZERO; weights.shape.buckets * lines],
        half,
        shift,
        cap,
    };
    fill(&mut hidden, layer, signal, &places, weight_scale);
    let mut largest = vec![0; lines * LANES];
    places.iter().for_each(|&place| largest[place] = cap as i64);
    let signal = Signal {
        scale,
        largest,
        places,
    };
    Ok((hidden, signal))
}

/// Writes the integers of a hidden layer whose units are in these lanes.
fn fill(hidden: &mut HiddenLayer, layer: &Dense, signal: &Signal, places: &[usize], weight_scale: f64) {
    let rounding = (1 << hidden.shift) / 2;
    for (number, row) in layer.weight.chunks_exact(layer.inputs).enumerate() {
        let (bucket, place) = (number / places.len(), places[number % places.len()]);
        let (line, lane) = (place / LANES, place % LANES);
        for (&weight, &input) in row.iter().zip(&signal.places) {
            hidden.rows[(bucket * hidden.inputs + input) * hidden.lines + line].0[lane] =
                round(weight, weight_scale) as i16;
        }
        let bias = round(layer.bias[number], signal.scale * weight_scale) as i32;
        hidden.bias[bucket * hidden.lines + line].0[Sums::place(lane)] = bias + rounding;
    }
}

fn output_layer(weights: &MlpWeights, signal: &Signal) -> Result<OutputLayer, QuantizeError> {
    let number = weights.shape.layers() - 1;
    let layer = &weights.layers[number];
    let weight_unit = weight_scale(layer, number, signal, LARGEST_OUTPUT)?;
    let scale = signal.scale * weight_unit;
    let inputs = signal.largest.len();
    let mut integers = vec![0; weights.shape.buckets * inputs];
    for (bucket, row) in layer.weight.chunks_exact(layer.inputs).enumerate() {
        for (&weight, &place) in row.iter().zip(&signal.places) {
            integers[bucket * inputs + place] = round(weight, weight_unit) as i16;
        }
    }
    Ok(OutputLayer {
        inputs,
        weights: integers,
        bias: layer.bias.iter().map(|&bias| round(bias, scale) as i64).collect(),
        scale,
    })
}
