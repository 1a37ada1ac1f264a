//! The layers after a first one with a bounded activation: bytes, then words.
//!
//! Every unit has a scale of its own, so that its largest weight is the largest that fits; the next layer's weights make up
//! for it.

use super::first::FirstLayer;
use super::{ACTIVATION_MAX, HEADROOM, LARGEST_SUM, QuantizeError, round};
use crate::arch::{
    BLOCK, BYTES, ByteLayer, ByteLine, CHAINS, CacheLine, DOTS, DenseLayers, Dots, Ends, Factor, LANES,
    WordLayer,
};
use crate::nets::mlp::shape::{Activation, MlpShape, Nonlinearity};
use crate::nets::mlp::weights::MlpWeights;

/// The largest weight of the second layer. Two products of it with the largest byte fit in 16 bits, as AVX2 needs.
const BYTE_WEIGHT_MAX: f64 = i8::MAX as f64;
/// A net is refused if a unit's largest weight would be quantized to less than this.
const LEAST_WEIGHT: f64 = 32.0;
/// The largest scale of a sum; a unit without weights has no largest one.
const LARGEST_SCALE: f64 = (1 << 30) as f64;
/// How far the sum of the output layer is shifted left before the unit that goes straight there, with another scale, is
/// added.
const OUTPUT_SHIFT: u32 = 8;
/// The largest output: exact in a double.
const LARGEST_OUTPUT: f64 = (1u64 << 51) as f64;

/// The layers after the first, for all buckets.
#[derive(Clone, Debug)]
pub struct Dense {
    /// Those of each bucket.
    pub buckets: Vec<DenseLayers>,
    /// The bias of the output of each bucket.
    pub bias: Vec<i64>,
    /// What the sum of the unit that goes straight to the output is multiplied by there, for each bucket.
    pub straight: Vec<i64>,
    /// The integer for an output of 1 before the final tanh.
    pub scale: f64,
    /// Lines of bytes of one perspective.
    pub lines: usize,
}

impl Dense {
    /// The output of a bucket from the sum of its output layer and that of the unit that goes straight there.
    #[inline]
    pub fn output(&self, bucket: usize, [sum, straight]: [i32; 2]) -> i64 {
        self.bias[bucket] + (i64::from(sum) << OUTPUT_SHIFT) + i64::from(straight) * self.straight[bucket]
    }
}

/// The integers between two layers of a bucket.
#[derive(Clone)]
struct Signal {
    /// For each input of the next layer its place among the integers, the integer for 1, and the largest one.
    inputs: Vec<Input>,
    places: usize,
}

#[derive(Clone, Copy)]
struct Input {
    place: usize,
    scale: f64,
    largest: f64,
}

/// The weights and the bias of a unit.
#[derive(Clone, Copy)]
struct Unit<'a> {
    weights: &'a [f32],
    bias: f32,
}

impl Unit<'_> {
    /// The largest sum of either sign, with all inputs at their largest.
    fn reach(self, signal: &Signal) -> f64 {
        let (mut high, mut low) = (0.0, 0.0);
        for (&weight, input) in self.weights.iter().zip(&signal.inputs) {
            let product = weight as f64 * input.largest / input.scale;
            high += product.max(0.0);
            low += (-product).max(0.0);
        }
        f64::max(high, low) + self.bias.abs() as f64
    }

    /// The largest scale of the sum at which no weight is beyond `most` and no sum beyond [`LARGEST_SUM`].
    fn scale(self, layer: usize, signal: &Signal, most: f64) -> Result<f64, QuantizeError> {
        let weights = self.weights.iter().zip(&signal.inputs);
        let heaviest = weights.fold(0.0, |heaviest: f64, (&weight, input)| {
            heaviest.max((weight as f64 / input.scale).abs())
        });
        // rounding may add a half to each weight, and to the bias
        let rounding = 1.0 + signal.inputs.iter().map(|input| 0.5 * input.largest).sum::<f64>();
        let fits = (LARGEST_SUM - rounding) / self.reach(signal).max(f64::MIN_POSITIVE);
        let scale = fits
            .min(most / heaviest.max(f64::MIN_POSITIVE))
            .min(LARGEST_SCALE);
        let weight = scale * heaviest;
        if heaviest > 0.0 && weight < LEAST_WEIGHT && scale < LARGEST_SCALE {
            return Err(QuantizeError::Sum { layer, weight });
        }
        Ok(scale)
    }

    /// The integer weights with their places.
    fn integers(self, signal: &Signal, scale: f64) -> impl Iterator<Item = (usize, i16)> {
        let inputs = self.weights.iter().zip(&signal.inputs);
        inputs.map(move |(&weight, input)| (input.place, round(weight, scale / input.scale) as i16))
    }
}

/// The units of a layer in one bucket.
fn units<'a>(weights: &'a MlpWeights, layer: usize, bucket: usize) -> Vec<Unit<'a>> {
    let (units, layer) = (weights.shape.units_of(layer), &weights.layers[layer]);
    let rows = layer.weight.chunks_exact(layer.inputs).zip(&layer.bias);
    let unit = |(weights, &bias)| Unit { weights, bias };
    rows.skip(bucket * units).take(units).map(unit).collect()
}

/// Quantizes the layers after the first, of which calibration found these largest outputs.
pub fn quantize(weights: &MlpWeights, first: &FirstLayer, largest: &[f32]) -> Result<Dense, QuantizeError> {
    let shape = &weights.shape;
    let bytes = first_signal(shape, first);
    let buckets = (0..shape.buckets).map(|bucket| Bucket::new(weights, bucket, &bytes, largest));
    let buckets = buckets.collect::<Result<Vec<Bucket>, _>>()?;
    // one scale for all buckets
    let scale = buckets
        .iter()
        .map(|bucket| bucket.output_scale)
        .fold(f64::INFINITY, f64::min);
    let number = shape.layers() - 1;
    let scale_of_output = scale * (1u64 << OUTPUT_SHIFT) as f64;
    let (mut layers, mut bias, mut straight) = (Vec::new(), Vec::new(), Vec::new());
    for (bucket, built) in buckets.into_iter().enumerate() {
        let mut dense = built.layers;
        let of_straight = built
            .straight_scale
            .map(|own| (scale_of_output / own).round() as i64);
        straight.push(of_straight.unwrap_or(0));
        if number == 1 {
            bias.push(0);
        } else {
            let unit = units(weights, number, bucket)[0];
            dense.output = vec![CacheLine::ZERO; built.signal.places.div_ceil(LANES)];
            for (place, weight) in unit.integers(&built.signal, scale) {
                dense.output[place / LANES].0[place % LANES] = weight;
            }
            bias.push(round(unit.bias, scale_of_output) as i64);
        }
        layers.push(dense);
    }
    Ok(Dense {
        buckets: layers,
        bias,
        straight,
        scale: scale_of_output,
        lines: first.outputs() / BYTES,
    })
}

/// The first layer's bytes, those of all perspectives.
fn first_signal(shape: &MlpShape, first: &FirstLayer) -> Signal {
    let activation = first.activation.expect("a bounded activation");
    let cap = activation.cap as f64;
    let other = match activation.factor {
        Factor::Constant(factor) => factor as f64,
        Factor::Itself | Factor::Partner => cap * (1 << activation.other_shift) as f64,
    };
    let scale = cap * (1 << activation.shift) as f64 * other / 32_768.0;
    let view = first.outputs();
    let outputs = shape.inputs_of(1) / shape.perspectives;
    let places = (0..shape.perspectives).flat_map(|number| {
        let place = |output| output / BYTES * BYTES + ByteLine::place(output % BYTES);
        (0..outputs).map(move |output| number * view + place(output))
    });
    let input = |place| Input {
        place,
        scale,
        largest: scale.round(),
    };
    Signal {
        inputs: places.map(input).collect(),
        places: shape.perspectives * view,
    }
}

/// The layers of one bucket on the way.
struct Bucket {
    layers: DenseLayers,
    /// What the output layer takes.
    signal: Signal,
    /// The largest scale of its sum.
    output_scale: f64,
    /// The scale of the unit that goes straight to the output.
    straight_scale: Option<f64>,
}

impl Bucket {
    fn new(
        weights: &MlpWeights,
        bucket: usize,
        bytes: &Signal,
        largest: &[f32],
    ) -> Result<Bucket, QuantizeError> {
        let shape = &weights.shape;
        let last = shape.layers() - 1;
        let second = units(weights, 1, bucket);
        let scales = scales(&second, 1, bytes, BYTE_WEIGHT_MAX)?;
        let (ends, mut signal) = ends(shape, 1, &second, &scales, largest)?;
        let straight = (shape.doubled || last == 1).then_some(second.len() - 1);
        let straight_scale = straight.map(|unit| scales[unit]);
        let mut later = Vec::new();
        let second_layer = ByteLayer {
            weights: byte_lines(&second, &scales, bytes),
            ends,
        };
        for number in 2..last {
            let units = units(weights, number, bucket);
            let scales = self::scales(&units, number, &signal, ACTIVATION_MAX)?;
            let (ends, next) = self::ends(shape, number, &units, &scales, largest)?;
            let (weights, pairs) = word_lines(&units, &scales, &signal);
            later.push(WordLayer { weights, pairs, ends });
            signal = next;
        }
        let output_scale = if last == 1 {
            // any scale that is finer than the unit's own
            straight_scale.expect("the only unit")
        } else {
            let reach = straight.map_or(0.0, |unit| second[unit].reach(bytes));
            let fits = LARGEST_OUTPUT / (1u64 << OUTPUT_SHIFT) as f64 / reach;
            units(weights, last, bucket)[0]
                .scale(last, &signal, ACTIVATION_MAX)?
                .min(fits)
        };
        Ok(Bucket {
            layers: DenseLayers {
                second: second_layer,
                straight,
                later,
                output: Vec::new(),
            },
            signal,
            output_scale,
            straight_scale,
        })
    }
}

fn scales(units: &[Unit], layer: usize, signal: &Signal, most: f64) -> Result<Vec<f64>, QuantizeError> {
    units.iter().map(|unit| unit.scale(layer, signal, most)).collect()
}

/// What follows the sums of a layer, and what the next layer takes.
fn ends(
    shape: &MlpShape,
    layer: usize,
    units: &[Unit],
    scales: &[f64],
    largest: &[f32],
) -> Result<(Ends, Signal), QuantizeError> {
    let nonlinearity = shape.nonlinearity(layer);
    let dots = units.len().div_ceil(DOTS);
    let twice = nonlinearity == Some(Nonlinearity::Twice);
    let lines = if twice { dots } else { dots.div_ceil(2) };
    let mut ends = Ends {
        bias: vec![Dots::ZERO; dots],
        shifts: vec![Dots::ZERO; dots],
        caps: vec![CacheLine::ZERO; lines],
        twice,
    };
    let (mut clipped, mut squares) = (Vec::new(), Vec::new());
    for (number, (unit, &scale)) in units.iter().zip(scales).enumerate() {
        // the largest output: calibrated with headroom for ReLU, within the largest sum
        let range = match nonlinearity {
            Some(Nonlinearity::Each(Activation::Relu)) => (largest[layer - 1] as f64 * HEADROOM)
                .max(1.0)
                .min(LARGEST_SUM / scale),
            Some(Nonlinearity::Each(Activation::SquaredClippedRelu)) => {
                return Err(QuantizeError::Squared(layer));
            }
            _ => 1.0,
        };
        let shift = (scale * range / ACTIVATION_MAX).log2().ceil().max(0.0) as i32;
        let (dot, lane) = (number / DOTS, number % DOTS);
        ends.bias[dot].0[lane] = round(unit.bias, scale) as i32 + (1 << shift) / 2;
        ends.shifts[dot].0[lane] = shift;
        if twice && number == units.len() - 1 {
            continue;
        }
        let scale = scale / (1u64 << shift) as f64;
        let cap = (range * scale).round().min(ACTIVATION_MAX);
        if twice {
            let square = Input {
                place: dot * LANES + DOTS + lane,
                scale: scale * scale / 32_768.0,
                largest: (cap * cap / 32_768.0).round(),
            };
            ends.caps[dot].0[DOTS + lane] = cap as i16;
            squares.push(square);
        }
        let place = if twice { dot * LANES + lane } else { number };
        ends.caps[place / LANES].0[place % LANES] = cap as i16;
        clipped.push(Input {
            place,
            scale,
            largest: cap,
        });
    }
    let places = if twice { lines * LANES } else { units.len() };
    squares.append(&mut clipped);
    Ok((
        ends,
        Signal {
            inputs: squares,
            places,
        },
    ))
}

/// The lines of the second layer's weights.
fn byte_lines(units: &[Unit], scales: &[f64], signal: &Signal) -> Vec<ByteLine> {
    let blocks = signal.places / BLOCK;
    let mut lines = vec![ByteLine::ZERO; units.len().div_ceil(DOTS) * blocks];
    for (number, (unit, &scale)) in units.iter().zip(scales).enumerate() {
        let lines = &mut lines[number / DOTS * blocks..];
        for (place, weight) in unit.integers(signal, scale) {
            lines[place / BLOCK].0[number % DOTS * BLOCK + place % BLOCK] = weight as i8;
        }
    }
    lines
}

/// The lines of a later layer's weights, and the pairs of inputs.
fn word_lines(units: &[Unit], scales: &[f64], signal: &Signal) -> (Vec<CacheLine>, usize) {
    let pairs = signal.places.div_ceil(2).next_multiple_of(CHAINS);
    let mut lines = vec![CacheLine::ZERO; units.len().div_ceil(DOTS) * pairs];
    for (number, (unit, &scale)) in units.iter().zip(scales).enumerate() {
        let lines = &mut lines[number / DOTS * pairs..];
        for (place, weight) in unit.integers(signal, scale) {
            lines[place / 2].0[number % DOTS * 2 + place % 2] = weight;
        }
    }
    (lines, pairs)
}
