//! The layers after a first one with ReLU, which has no upper bound: words, of which each layer multiplies those above zero
//! alone.

use super::first::FirstLayer;
use super::{
    ACTIVATION_MAX, HEADROOM, LARGEST_SUM, LARGEST_WEIGHT_SCALE, LEAST_WEIGHT, QuantizeError, round,
};
use crate::arch::{ActiveOutputs, CacheLine, LANES, ListLayer, Sums};
use crate::nets::mlp::shape::{Activation, MlpShape};
use crate::nets::mlp::weights::MlpWeights;
use crate::nets::net::Dense;

/// The largest sum of the output layer: exact in a double.
const LARGEST_OUTPUT: f64 = (1u64 << 52) as f64;

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
    pub fn bucket(&self, bucket: usize) -> ListLayer<'_> {
        let size = self.inputs * self.lines;
        ListLayer {
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
    pub fn sum(&self, bucket: usize, inputs: &ActiveOutputs) -> i64 {
        let weights = &self.weights[bucket * self.inputs..][..self.inputs];
        let products = inputs
            .iter()
            .map(|(input, value)| weights[input] as i64 * value as i64);
        self.bias[bucket] + products.sum::<i64>()
    }
}

/// The layers after the first.
#[derive(Clone, Debug)]
pub struct Lists {
    /// Those that have an activation.
    pub hidden: Vec<HiddenLayer>,
    /// The last one.
    pub output: OutputLayer,
}

impl Lists {
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

/// Quantizes the layers after the first, of which calibration found these largest outputs.
pub fn quantize(weights: &MlpWeights, first: &FirstLayer, largest: &[f32]) -> Result<Lists, QuantizeError> {
    let mut signal = first_signal(&weights.shape, first);
    let mut hidden = Vec::new();
    for (number, &largest) in (1..weights.shape.hidden.len()).zip(largest) {
        let (layer, next) = hidden_layer(weights, number, &signal, largest as f64)?;
        hidden.push(layer);
        signal = next;
    }
    let output = output_layer(weights, &signal)?;
    Ok(Lists { hidden, output })
}

/// The first layer's outputs, once for every perspective.
fn first_signal(shape: &MlpShape, first: &FirstLayer) -> Signal {
    let width = first.lines * LANES;
    let units = 0..shape.hidden[0];
    let views = 0..shape.perspectives;
    let places: Vec<usize> = views
        .flat_map(|view| units.clone().map(move |unit| view * width + unit))
        .collect();
    let mut largest = vec![0; shape.perspectives * width];
    places
        .iter()
        .for_each(|&place| largest[place] = ACTIVATION_MAX as i64);
    Signal {
        scale: first.scale,
        largest,
        places,
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
