//! The way back through a tile, and its step of the optimiser.
//!
//! The gradients of the first layer's sums are rounded to bfloat16. Those of its weights are added up from them in floats,
//! input by input, in registers: no array of gradients is written and read again.

use super::BLOCK;
use super::adam::{Change, Changing};
use super::encode::{Sorted, VIEWS};
use super::forward::{BlockOutputs, MOST_LANES, sums_of};
use super::later::Changes;
use super::tile::{Activity, CELLS, LINES, Outputs, SECOND, Second, Tile, Units, WHOLE};
use crate::arch::CacheLine;
use crate::arch::vectors::{Bfloats, Floats, Vectors, WIDTH, Work};

/// Gradients of the first layer's sums, for each place and view; kept from step to step.
#[derive(Debug, Default)]
pub struct Scratch(Vec<[Bfloats; LINES]>);

/// Runs a tile back and changes its weights.
pub struct Backward<'a> {
    pub tile: &'a mut Tile,
    pub batch: &'a Sorted,
    pub outputs: Outputs,
    pub activity: &'a Activity,
    /// The gradients of the second layer's sums.
    pub deltas: &'a [Floats],
    /// The price of a hidden unit's output.
    pub price: f32,
    /// Those of the first layer and of the second.
    pub changes: &'a [Changes; 2],
    /// How many regions the first layer has weights for.
    pub regions: usize,
    pub scratch: &'a mut Scratch,
}

impl Work for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors>(mut self, v: V) {
        let places = self.batch.places();
        self.scratch.0.resize(VIEWS * places, [Bfloats::ZERO; LINES]);
        let bias = match self.outputs {
            Outputs::Clipped => self.blocks::<V, 8, false>(v),
            Outputs::Squared => self.blocks::<V, 8, true>(v),
            Outputs::Products => self.blocks::<V, 4, false>(v),
        };
        let step = Changing::new(v, &self.changes[0].bias);
        for (cell, gradients) in self.tile.bias.iter_mut().zip(bias) {
            step.step(v, cell, gradients);
        }
        self.first_layer(v);
        self.tile.round_bias(v);
    }
}

impl Backward<'_> {
    /// Fills the scratch with the gradients of the first layer's sums and steps the second layer's weights; gives the
    /// gradients of the biases.
    #[inline(always)]
    fn blocks<V: Vectors, const LANES: usize, const SQUARED: bool>(&mut self, v: V) -> [V::Floats; CELLS] {
        let units = self.tile.units;
        let mut bias = [[v.splat(0.0); 2]; LINES];
        let mut outputs: BlockOutputs = [[Floats::ZERO; MOST_LANES]; BLOCK];
        let mut descended: BlockOutputs = [[Floats::ZERO; MOST_LANES]; BLOCK];
        let rows = self.scratch.0.as_chunks_mut::<VIEWS>().0;
        let mut occurs = [false; 64];
        for segment in &self.batch.segments {
            let second = &mut self.tile.second[segment.bucket];
            occurs[segment.bucket] = true;
            let mut gradients = [[Floats::ZERO; WIDTH]; LANES];
            for block in (0..segment.places).step_by(BLOCK) {
                let places = segment.start + block..segment.start + block + BLOCK;
                let deltas: &[Floats; BLOCK] = self.deltas[places.clone()].try_into().expect("a block");
                descend::<V, LANES>(v, deltas, &second.turned, self.price, &mut descended);
                let sums = &self.activity.sums[places.clone()];
                for (place, rows) in rows[places].iter_mut().enumerate() {
                    for view in 0..VIEWS {
                        let lanes = view * LANES / VIEWS..(view + 1) * LANES / VIEWS;
                        let (outputs, descended) =
                            (&mut outputs[place][lanes.clone()], &descended[place][lanes]);
                        if LANES == 4 {
                            through_products(
                                v,
                                units,
                                &sums[place][view],
                                descended,
                                outputs,
                                &mut rows[view],
                            );
                        } else {
                            through_each::<V, SQUARED>(
                                v,
                                units,
                                &sums[place][view],
                                descended,
                                outputs,
                                &mut rows[view],
                            );
                        }
                    }
                    if block + place < segment.positions {
                        for (line, bias) in bias.iter_mut().enumerate() {
                            let [one, other] = rows.each_ref().map(|row| v.load_bfloats(&row[line]));
                            *bias = v.add_bfloats(*bias, one, other);
                        }
                    }
                }
                add_products(v, &outputs, deltas, &mut gradients);
            }
            step_second(v, second, gradients.as_flattened(), &self.changes[1].weight);
        }
        // the others have no gradient, but their means fade like those of every dense layer
        let gradients = [[Floats::ZERO; WIDTH]; LANES];
        for (bucket, second) in self.tile.second.iter_mut().enumerate() {
            if !occurs[bucket] {
                step_second(v, second, gradients.as_flattened(), &self.changes[1].weight);
            }
        }
        let [[a, b], [c, d]] = bias;
        [a, b, c, d]
    }

    /// Adds up the gradients of the weights of every input that occurs, and steps them.
    #[inline(always)]
    fn first_layer<V: Vectors>(&mut self, v: V) {
        let step = Changing::new(v, &self.changes[0].weight);
        let Tile {
            first,
            shared,
            rounded,
            units,
            ..
        } = &mut *self.tile;
        let rounding = Rounding::new(v, *units);
        let seen = &self.batch.seen;
        let mut number = 0;
        while number < seen.inputs.len() {
            let bit = usize::from(seen.inputs[number]) / self.regions;
            let mut all = [v.splat(0.0); CELLS];
            while number < seen.inputs.len() && usize::from(seen.inputs[number]) / self.regions == bit {
                let input = usize::from(seen.inputs[number]);
                let gradients = add_rows(v, &self.scratch.0, seen.views(number));
                for (cell, gradients) in first[input].iter_mut().zip(gradients) {
                    if shared.is_empty() {
                        step.step(v, cell, gradients);
                    } else {
                        let weight = step.unbound(v, cell, gradients);
                        v.store(weight, &mut cell.weight);
                    }
                }
                for (all, gradients) in all.iter_mut().zip(gradients) {
                    *all = v.add(*all, gradients);
                }
                if shared.is_empty() {
                    let weights = first[input].each_ref().map(|cell| v.load(&cell.weight));
                    rounding.store(v, weights, &mut rounded[input]);
                }
                number += 1;
            }
            if let Some(shared) = shared.get_mut(bit) {
                let mut weights = all;
                for (cell, weight) in shared.iter_mut().zip(&mut weights) {
                    *weight = step.unbound(v, cell, *weight);
                    v.store(*weight, &mut cell.weight);
                }
                let inputs = bit * self.regions..(bit + 1) * self.regions;
                for (cells, rounded) in first[inputs.clone()].iter_mut().zip(&mut rounded[inputs]) {
                    let mut sums = weights;
                    for (cell, sum) in cells.iter_mut().zip(&mut sums) {
                        *sum = step.bound_sum(v, cell, *sum);
                    }
                    rounding.store(v, sums, rounded);
                }
            }
        }
    }
}

/// The gradients of the tile's outputs from those of the second layer's sums.
#[inline(always)]
fn descend<V: Vectors, const LANES: usize>(
    v: V,
    deltas: &[Floats; BLOCK],
    turned: &[Floats],
    price: f32,
    outputs: &mut BlockOutputs,
) {
    // as many sums as registers hold beside the weights
    const AT_ONCE: usize = 2;
    let weights: &[[Floats; LANES]] = turned.as_chunks::<LANES>().0;
    let weights: &[[Floats; LANES]; SECOND] = weights.try_into().expect("weights of every unit");
    let pairs = outputs.as_chunks_mut::<AT_ONCE>().0.iter_mut();
    for (deltas, outputs) in deltas.as_chunks::<AT_ONCE>().0.iter().zip(pairs) {
        let mut sums = [[v.splat(price); LANES]; AT_ONCE];
        for (unit, weights) in weights.iter().enumerate() {
            let weights = weights.each_ref().map(|weights| v.load(weights));
            for (sums, delta) in sums.iter_mut().zip(deltas) {
                let delta = v.splat(delta.0[unit]);
                for (sum, weights) in sums.iter_mut().zip(weights) {
                    *sum = v.multiply_add(delta, weights, *sum);
                }
            }
        }
        for (sums, outputs) in sums.into_iter().zip(outputs) {
            for (sum, output) in sums.into_iter().zip(outputs) {
                v.store(sum, output);
            }
        }
    }
}

/// Outputs of a view again, and the gradients of its sums, where every sum has an output of its own.
#[inline(always)]
fn through_each<V: Vectors, const SQUARED: bool>(
    v: V,
    units: Units,
    sums: &[CacheLine; LINES],
    descended: &[Floats],
    outputs: &mut [Floats],
    rows: &mut [Bfloats; LINES],
) {
    let (zero, one) = (v.splat(0.0), v.splat(1.0));
    let lanes = descended.as_chunks::<2>().0.iter();
    let lanes = lanes.zip(outputs.as_chunks_mut::<2>().0);
    for ((sums, row), (descended, outputs)) in sums.iter().zip(rows).zip(lanes) {
        let sums = sums_of(v, units, sums);
        let mut inner = sums;
        for lane in 0..2 {
            let clipped = v.clamp(sums[lane], zero, one);
            let mut slope = v.load(&descended[lane]);
            let mut value = clipped;
            if SQUARED {
                value = v.multiply(clipped, clipped);
                slope = v.multiply(v.add(clipped, clipped), slope);
            }
            v.store(value, &mut outputs[lane]);
            inner[lane] = v.within(sums[lane], zero, one, slope);
        }
        v.store_bfloats(v.round(inner), row);
    }
}

/// The same where outputs are products.
#[inline(always)]
fn through_products<V: Vectors>(
    v: V,
    units: Units,
    sums: &[CacheLine; LINES],
    descended: &[Floats],
    outputs: &mut [Floats],
    rows: &mut [Bfloats; LINES],
) {
    let (zero, one) = (v.splat(0.0), v.splat(1.0));
    let lanes = descended.iter().zip(outputs);
    for ((sums, row), (descended, output)) in sums.iter().zip(rows).zip(lanes) {
        let [a, b] = sums_of(v, units, sums);
        let (clipped_a, clipped_b) = (v.clamp(a, zero, one), v.clamp(b, zero, one));
        let slope = v.load(descended);
        v.store(v.multiply(clipped_a, clipped_b), output);
        let inner = [
            v.within(a, zero, one, v.multiply(slope, clipped_b)),
            v.within(b, zero, one, v.multiply(slope, clipped_a)),
        ];
        v.store_bfloats(v.round(inner), row);
    }
}

/// Adds the products of a block's outputs with the gradients of the second layer's sums: the gradients of its weights.
#[inline(always)]
fn add_products<V: Vectors, const LANES: usize>(
    v: V,
    outputs: &BlockOutputs,
    deltas: &[Floats; BLOCK],
    gradients: &mut [[Floats; WIDTH]; LANES],
) {
    let deltas = deltas.each_ref().map(|deltas| v.load(deltas));
    for (lane, gradients) in gradients.iter_mut().enumerate() {
        for (i, gradient) in gradients.iter_mut().enumerate() {
            let mut sum = v.load(gradient);
            for (outputs, delta) in outputs.iter().zip(deltas) {
                sum = v.multiply_add(v.splat(outputs[lane].0[i]), delta, sum);
            }
            v.store(sum, gradient);
        }
    }
}

#[inline(always)]
fn step_second<V: Vectors>(v: V, second: &mut Second, gradients: &[Floats], change: &Change) {
    let step = Changing::new(v, change);
    for (cell, gradients) in second.cells.iter_mut().zip(gradients) {
        step.step(v, cell, v.load(gradients));
    }
}

/// The sum of the rows of some views.
#[inline(always)]
fn add_rows<V: Vectors>(v: V, rows: &[[Bfloats; LINES]], views: &[u32]) -> [V::Floats; CELLS] {
    let mut sums = [[v.splat(0.0); 2]; LINES];
    let (pairs, rest) = views.as_chunks::<2>();
    for &[one, other] in pairs {
        let (one, other) = (&rows[one as usize], &rows[other as usize]);
        for (sums, (one, other)) in sums.iter_mut().zip(one.iter().zip(other)) {
            *sums = v.add_bfloats(*sums, v.load_bfloats(one), v.load_bfloats(other));
        }
    }
    for &view in rest {
        let zeros = v.load_bfloats(&Bfloats::ZERO);
        for (sums, row) in sums.iter_mut().zip(&rows[view as usize]) {
            *sums = v.add_bfloats(*sums, v.load_bfloats(row), zeros);
        }
    }
    let [[a, b], [c, d]] = sums;
    [a, b, c, d]
}

/// Weights as integers in some units.
#[derive(Clone, Copy)]
struct Rounding<V: Vectors> {
    /// Steps of 1.
    steps: V::Floats,
    /// The integer for a step.
    step: V::Floats,
    whole: V::Floats,
}

impl<V: Vectors> Rounding<V> {
    #[inline(always)]
    fn new(v: V, units: Units) -> Rounding<V> {
        Rounding {
            steps: v.splat(units.scale / units.step),
            step: v.splat(units.step),
            whole: v.splat(WHOLE),
        }
    }

    #[inline(always)]
    fn of(&self, v: V, weights: V::Floats) -> V::Floats {
        let rounded = v.add(v.multiply(weights, self.steps), self.whole);
        v.multiply(v.subtract(rounded, self.whole), self.step)
    }

    /// Writes woven weights as integers.
    #[inline(always)]
    fn store(&self, v: V, weights: [V::Floats; CELLS], to: &mut [CacheLine; LINES]) {
        // a loop, because the closure of `map` would stay a function of its own
        for (pair, line) in weights.as_chunks::<2>().0.iter().zip(to) {
            let woven = [self.of(v, pair[0]), self.of(v, pair[1])];
            v.store_integers(v.narrow(woven), line);
        }
    }
}

impl Tile {
    #[inline(always)]
    fn round_bias<V: Vectors>(&mut self, v: V) {
        let weights = self.bias.each_ref().map(|cell| v.load(&cell.weight));
        Rounding::new(v, self.units).store(v, weights, &mut self.rounded_bias);
    }
}

/// Makes the integers of a tile anew.
pub struct Refresh<'a> {
    pub tile: &'a mut Tile,
    /// Of the first layer's weights: what is beyond the bound is taken as if it were within.
    pub change: &'a Change,
    pub regions: usize,
}

impl Work for Refresh<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors>(self, v: V) {
        let Refresh {
            tile,
            change,
            regions,
        } = self;
        let step = Changing::new(v, change);
        tile.round_bias(v);
        let rounding = Rounding::new(v, tile.units);
        for (input, (cells, rounded)) in tile.first.iter().zip(&mut tile.rounded).enumerate() {
            let mut sums = cells.each_ref().map(|cell| v.load(&cell.weight));
            if let Some(shared) = tile.shared.get(input / regions) {
                for (sum, cell) in sums.iter_mut().zip(shared) {
                    *sum = v.add(*sum, v.load(&cell.weight));
                }
            }
            rounding.store(v, sums.map(|sum| step.within_bound(v, sum)), rounded);
        }
    }
}
