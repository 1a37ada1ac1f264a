//! The layers after the first, of one bucket: forward, the loss, and back to the second layer's sums.

use super::adam::{Cell, Change, Changing};
use super::tile::SECOND;
use super::{BLOCK, hints};
use crate::arch::vectors::{Floats, Vectors, WIDTH, Work};
use crate::nets::mlp::shape::{Activation, MlpShape};

/// Vectors of the third layer's units, the unused ones included.
pub const THIRD_LANES: usize = 2;
/// The most vectors of its inputs.
const MOST_INPUT_LANES: usize = 2;

/// What the second layer's sums become.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// Units of the second layer.
    pub second: usize,
    /// Units of the third layer.
    pub third: usize,
    /// Whether the second layer's units have two activations and the last goes straight to the output.
    pub doubled: bool,
    /// After the third layer, and after the second where it is not doubled.
    pub activation: Activation,
}

impl Sizes {
    /// Those of a net with three hidden layers.
    pub fn of(shape: &MlpShape) -> Sizes {
        Sizes {
            second: shape.hidden[1],
            third: shape.hidden[2],
            doubled: shape.doubled,
            activation: shape.later_activation,
        }
    }

    /// Vectors of the third layer's inputs.
    fn input_lanes(&self) -> usize {
        if self.doubled { 2 } else { 1 }
    }

    /// Where the third layer's weights for one of its inputs are kept: squares and clipped sums have a vector each.
    pub fn place_of_input(&self, input: usize) -> usize {
        if self.doubled && input >= self.second - 1 {
            WIDTH + input - (self.second - 1)
        } else {
            input
        }
    }
}

/// Weights and optimiser of the layers of one bucket, but for the second layer's weights, which the tiles have.
#[derive(Clone, Debug)]
pub struct Layers {
    /// The second layer's biases.
    pub second_bias: Cell,
    /// The third layer's weights, for each input those of all units.
    pub third: Vec<[Cell; THIRD_LANES]>,
    /// The third layer's biases.
    pub third_bias: [Cell; THIRD_LANES],
    /// The output's weights.
    pub output: [Cell; THIRD_LANES],
    /// Its bias, in lane 0.
    pub output_bias: Cell,
    /// The third layer's weights, for each unit those of all inputs.
    turned: Vec<[Floats; MOST_INPUT_LANES]>,
}

/// Sums over positions: the gradients of [`Layers`], and the loss.
#[derive(Clone, Debug)]
pub struct Gradients {
    pub second_bias: Floats,
    pub third: Vec<[Floats; THIRD_LANES]>,
    pub third_bias: [Floats; THIRD_LANES],
    pub output: [Floats; THIRD_LANES],
    pub output_bias: f32,
    /// Of the errors alone.
    pub loss: f64,
}

impl Layers {
    /// Weights of 0.
    pub fn new(sizes: &Sizes) -> Layers {
        Layers {
            second_bias: Cell::ZERO,
            third: vec![[Cell::ZERO; THIRD_LANES]; sizes.input_lanes() * WIDTH],
            third_bias: [Cell::ZERO; THIRD_LANES],
            output: [Cell::ZERO; THIRD_LANES],
            output_bias: Cell::ZERO,
            turned: vec![[Floats::ZERO; MOST_INPUT_LANES]; THIRD_LANES * WIDTH],
        }
    }

    /// Makes the copy of the weights anew.
    pub fn copy_weights(&mut self) {
        for (input, cells) in self.third.iter().enumerate() {
            for (lane, cell) in cells.iter().enumerate() {
                for (unit, weight) in cell.weight.0.iter().enumerate() {
                    self.turned[lane * WIDTH + unit][input / WIDTH].0[input % WIDTH] = *weight;
                }
            }
        }
    }
}

impl Gradients {
    pub fn new(inputs: usize) -> Gradients {
        Gradients {
            second_bias: Floats::ZERO,
            third: vec![[Floats::ZERO; THIRD_LANES]; inputs],
            third_bias: [Floats::ZERO; THIRD_LANES],
            output: [Floats::ZERO; THIRD_LANES],
            output_bias: 0.0,
            loss: 0.0,
        }
    }

    /// Adds other sums.
    pub fn add(&mut self, other: &Gradients) {
        let pairs = self.third.as_flattened_mut().iter_mut();
        let pairs = pairs.zip(other.third.as_flattened());
        let lines = self.third_bias.iter_mut().chain(&mut self.output);
        let pairs = pairs.chain(lines.zip(other.third_bias.iter().chain(&other.output)));
        let pairs = pairs.chain([(&mut self.second_bias, &other.second_bias)]);
        for (to, from) in pairs {
            for (to, from) in to.0.iter_mut().zip(from.0) {
                *to += from;
            }
        }
        self.output_bias += other.output_bias;
        self.loss += other.loss;
    }
}

/// What is asked of the outputs.
#[derive(Clone, Copy, Debug)]
pub struct Goals<'a> {
    /// What the net should answer at each place.
    pub targets: &'a [f32],
    /// What the second layer's sums are regressed on; one of weight 0 says nothing.
    pub hints: &'a [hints::Regressed],
    /// The error's exponent in the loss.
    pub exponent: f64,
    /// The price of a hidden unit's output.
    pub price: f32,
}

/// Runs some places of one bucket forward, and back if there are goals.
pub struct Later<'a> {
    pub sizes: Sizes,
    pub layers: &'a Layers,
    /// For each tile what it adds to the second layer's sums.
    pub parts: &'a [&'a [Floats]],
    /// How many places hold a position; the others are at the end.
    pub positions: usize,
    /// Becomes the outputs before tanh.
    pub outputs: &'a mut [f32],
    /// The goals, and what becomes the gradients of the second layer's sums.
    pub training: Option<(Goals<'a>, &'a mut [Floats])>,
}

impl Work for Later<'_> {
    type Output = Gradients;

    #[inline(always)]
    fn run<V: Vectors>(self, v: V) -> Gradients {
        if self.sizes.doubled {
            self.blocks::<V, 2>(v)
        } else {
            self.blocks::<V, 1>(v)
        }
    }
}

/// What a block of places has between the layers.
struct Between<V: Vectors, const INPUTS: usize> {
    /// The second layer's sums.
    raw: [V::Floats; BLOCK],
    /// The third layer's inputs.
    inputs: [[Floats; INPUTS]; BLOCK],
    /// The third layer's sums.
    sums: [[V::Floats; THIRD_LANES]; BLOCK],
}

impl Later<'_> {
    #[inline(always)]
    fn blocks<V: Vectors, const INPUTS: usize>(mut self, v: V) -> Gradients {
        let mut gradients = Gradients::new(self.layers.third.len());
        for start in (0..self.outputs.len()).step_by(BLOCK) {
            let between = self.forward::<V, INPUTS>(v, start);
            if let Some((goals, deltas)) = &mut self.training {
                let back = Back {
                    sizes: &self.sizes,
                    layers: self.layers,
                    positions: self.positions.saturating_sub(start).min(BLOCK),
                    outputs: &self.outputs[start..start + BLOCK],
                    goals: Goals {
                        targets: &goals.targets[start..start + BLOCK],
                        hints: goals.hints.get(start..start + BLOCK).unwrap_or(&[]),
                        ..*goals
                    },
                };
                back.run(v, &between, &mut gradients, &mut deltas[start..start + BLOCK]);
            }
        }
        gradients
    }

    #[inline(always)]
    fn forward<V: Vectors, const INPUTS: usize>(&mut self, v: V, start: usize) -> Between<V, INPUTS> {
        let (sizes, layers) = (&self.sizes, self.layers);
        let mut between = Between {
            raw: [v.load(&layers.second_bias.weight); BLOCK],
            inputs: [[Floats::ZERO; INPUTS]; BLOCK],
            sums: [layers.third_bias.each_ref().map(|cell| v.load(&cell.weight)); BLOCK],
        };
        for part in self.parts {
            for (sum, part) in between.raw.iter_mut().zip(&part[start..]) {
                *sum = v.add(*sum, v.load(part));
            }
        }
        let doubled = doubled_lanes(v, sizes);
        for (raw, inputs) in between.raw.iter().zip(&mut between.inputs) {
            if INPUTS == 2 {
                let one = v.splat(1.0);
                let square = v.clamp(v.multiply(*raw, *raw), v.splat(0.0), one);
                let clipped = v.clamp(*raw, v.splat(0.0), one);
                v.store(v.multiply(square, doubled), &mut inputs[0]);
                v.store(v.multiply(clipped, doubled), &mut inputs[1]);
            } else {
                v.store(activated(v, *raw, sizes.activation), &mut inputs[0]);
            }
        }
        for (input, weights) in layers.third.iter().enumerate() {
            let weights = weights.each_ref().map(|cell| v.load(&cell.weight));
            for (sums, inputs) in between.sums.iter_mut().zip(&between.inputs) {
                let value = v.splat(inputs[input / WIDTH].0[input % WIDTH]);
                for (sum, weights) in sums.iter_mut().zip(weights) {
                    *sum = v.multiply_add(value, weights, *sum);
                }
            }
        }
        let weights = layers.output.each_ref().map(|cell| v.load(&cell.weight));
        for (place, output) in self.outputs[start..start + BLOCK].iter_mut().enumerate() {
            let mut products = v.splat(0.0);
            for (sum, weights) in between.sums[place].iter().zip(weights) {
                products = v.multiply_add(activated(v, *sum, sizes.activation), weights, products);
            }
            *output = layers.output_bias.weight.0[0] + v.total(products);
            if INPUTS == 2 {
                let mut raw = Floats::ZERO;
                v.store(between.raw[place], &mut raw);
                *output += raw.0[sizes.second - 1];
            }
        }
        between
    }
}

/// The way back of a block.
struct Back<'a> {
    sizes: &'a Sizes,
    layers: &'a Layers,
    positions: usize,
    outputs: &'a [f32],
    goals: Goals<'a>,
}

impl Back<'_> {
    #[inline(always)]
    fn run<V: Vectors, const INPUTS: usize>(
        &self,
        v: V,
        between: &Between<V, INPUTS>,
        to: &mut Gradients,
        deltas: &mut [Floats],
    ) {
        let (sizes, layers) = (self.sizes, self.layers);
        let weights = layers.output.each_ref().map(|cell| v.load(&cell.weight));
        let mut third = [[Floats::ZERO; THIRD_LANES]; BLOCK];
        let mut output = to.output.each_ref().map(|sums| v.load(sums));
        let mut bias = to.third_bias.each_ref().map(|sums| v.load(sums));
        let mut slopes = [0.0; BLOCK];
        for place in 0..self.positions {
            let (loss, slope) = error(
                self.outputs[place],
                self.goals.targets[place],
                self.goals.exponent,
            );
            slopes[place] = slope;
            to.loss += f64::from(loss);
            to.output_bias += slope;
            let (slope, price) = (v.splat(slope), v.splat(self.goals.price));
            for lane in 0..THIRD_LANES {
                let sums = between.sums[place][lane];
                let value = activated(v, sums, sizes.activation);
                output[lane] = v.multiply_add(slope, value, output[lane]);
                let inner = v.multiply_add(slope, weights[lane], price);
                let inner = descended(v, sums, sizes.activation, inner);
                bias[lane] = v.add(bias[lane], inner);
                v.store(inner, &mut third[place][lane]);
            }
        }
        for lane in 0..THIRD_LANES {
            v.store(output[lane], &mut to.output[lane]);
            v.store(bias[lane], &mut to.third_bias[lane]);
        }
        // the third layer's weights
        let inner = third
            .each_ref()
            .map(|lanes| lanes.each_ref().map(|floats| v.load(floats)));
        for (input, sums) in to.third.iter_mut().enumerate() {
            let mut sum = sums.each_ref().map(|floats| v.load(floats));
            for (inner, inputs) in inner.iter().zip(&between.inputs) {
                let value = v.splat(inputs[input / WIDTH].0[input % WIDTH]);
                for (sum, inner) in sum.iter_mut().zip(inner) {
                    *sum = v.multiply_add(value, *inner, *sum);
                }
            }
            for (sum, to) in sum.into_iter().zip(sums) {
                v.store(sum, to);
            }
        }
        // the second layer's outputs and sums
        let mut hidden = [[v.splat(0.0); INPUTS]; BLOCK];
        for (place, hidden) in hidden[..self.positions].iter_mut().enumerate() {
            *hidden = [v.splat(self.goals.price); INPUTS];
            for (unit, weights) in layers.turned.iter().enumerate() {
                let inner = v.splat(third[place][unit / WIDTH].0[unit % WIDTH]);
                for (hidden, weights) in hidden.iter_mut().zip(weights) {
                    *hidden = v.multiply_add(inner, v.load(weights), *hidden);
                }
            }
        }
        let mut bias = v.load(&to.second_bias);
        for place in 0..BLOCK {
            let delta = if place < self.positions {
                self.second(v, between.raw[place], hidden[place], slopes[place], place)
            } else {
                v.splat(0.0)
            };
            bias = v.add(bias, delta);
            v.store(delta, &mut deltas[place]);
        }
        v.store(bias, &mut to.second_bias);
    }

    /// The gradients of the second layer's sums from those of its outputs.
    #[inline(always)]
    fn second<V: Vectors, const INPUTS: usize>(
        &self,
        v: V,
        raw: V::Floats,
        outputs: [V::Floats; INPUTS],
        slope: f32,
        place: usize,
    ) -> V::Floats {
        if INPUTS == 1 {
            return descended(v, raw, self.sizes.activation, outputs[0]);
        }
        let one = v.splat(1.0);
        let doubled = v.multiply(v.add(raw, raw), outputs[0]);
        let square = v.within(raw, v.splat(-1.0), one, doubled);
        let clipped = v.within(raw, v.splat(0.0), one, outputs[1]);
        let delta = v.multiply(v.add(square, clipped), doubled_lanes(v, self.sizes));
        let mut straight = Floats::ZERO;
        straight.0[self.sizes.second - 1] = slope;
        let delta = v.add(delta, v.load(&straight));
        match self.goals.hints.get(place) {
            Some(hint) => v.add(delta, hint.slopes(v, raw)),
            None => delta,
        }
    }
}

/// 1 for the units with two activations, 0 for the others.
#[inline(always)]
fn doubled_lanes<V: Vectors>(v: V, sizes: &Sizes) -> V::Floats {
    let mut lanes = Floats::ZERO;
    lanes.0[..sizes.second - 1].fill(1.0);
    v.load(&lanes)
}

/// What a position's error adds to the loss, and the slope of that in the output before tanh.
#[inline(always)]
fn error(output: f32, target: f32, exponent: f64) -> (f32, f32) {
    let value = output.tanh();
    let (error, inner) = (value - target, 1.0 - value * value);
    if exponent == 2.0 {
        return (error * error, 2.0 * error * inner);
    }
    let exponent = exponent as f32;
    let size = error.abs();
    // the size has no slope at 0
    let slope = if size > 0.0 {
        exponent * size.powf(exponent - 1.0) * error.signum()
    } else {
        0.0
    };
    (size.powf(exponent), slope * inner)
}

#[inline(always)]
fn activated<V: Vectors>(v: V, sums: V::Floats, activation: Activation) -> V::Floats {
    let zero = v.splat(0.0);
    match activation {
        Activation::Relu => v.clamp(sums, zero, v.splat(f32::INFINITY)),
        Activation::ClippedRelu => v.clamp(sums, zero, v.splat(1.0)),
        Activation::SquaredClippedRelu => {
            let clipped = v.clamp(sums, zero, v.splat(1.0));
            v.multiply(clipped, clipped)
        }
    }
}

/// The gradients of sums from those of their activations.
#[inline(always)]
fn descended<V: Vectors>(v: V, sums: V::Floats, activation: Activation, outputs: V::Floats) -> V::Floats {
    let (zero, one) = (v.splat(0.0), v.splat(1.0));
    match activation {
        Activation::Relu => v.within(sums, zero, v.splat(f32::INFINITY), outputs),
        Activation::ClippedRelu => v.within(sums, zero, one, outputs),
        Activation::SquaredClippedRelu => v.within(sums, zero, one, v.multiply(v.add(sums, sums), outputs)),
    }
}

/// The changes of a step to weights and biases of the layers after the first.
#[derive(Clone, Copy, Debug)]
pub struct Changes {
    pub weight: Change,
    pub bias: Change,
}

/// A step of the optimiser for one bucket; the changes are those of the second, third and output layer.
pub struct Update<'a> {
    pub layers: &'a mut Layers,
    pub gradients: &'a Gradients,
    pub changes: &'a [Changes; 3],
}

impl Work for Update<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors>(self, v: V) {
        let Update {
            layers,
            gradients,
            changes: [second, third, output],
        } = self;
        let step = |change: &Change, cell: &mut Cell, gradients: &Floats| {
            Changing::new(v, change).step(v, cell, v.load(gradients));
        };
        step(&second.bias, &mut layers.second_bias, &gradients.second_bias);
        let cells = layers.third.as_flattened_mut().iter_mut();
        for (cell, gradients) in cells.zip(gradients.third.as_flattened()) {
            step(&third.weight, cell, gradients);
        }
        for lane in 0..THIRD_LANES {
            step(
                &third.bias,
                &mut layers.third_bias[lane],
                &gradients.third_bias[lane],
            );
            step(&output.weight, &mut layers.output[lane], &gradients.output[lane]);
        }
        let mut bias = Floats::ZERO;
        bias.0[0] = gradients.output_bias;
        step(&output.bias, &mut layers.output_bias, &bias);
        layers.copy_weights();
    }
}

/// Units that fit.
pub const MOST_SECOND: usize = SECOND;
/// Units of the third layer that fit.
pub const MOST_THIRD: usize = THIRD_LANES * WIDTH;
