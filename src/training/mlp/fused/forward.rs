//! The first layer, its activation, and what its outputs add to the second layer's sums, for one tile.

use super::BLOCK;
use super::encode::{Sorted, VIEWS};
use super::tile::{Activity, LINES, Outputs, Tile, Units};
use crate::arch::CacheLine;
use crate::arch::vectors::{Floats, Vectors, WIDTH, Work};

/// The most vectors of outputs that a tile has for both views.
pub const MOST_LANES: usize = 8;

/// The outputs of a block of places, in vectors.
pub type BlockOutputs = [[Floats; MOST_LANES]; BLOCK];

/// Runs a tile forward.
pub struct Forward<'a> {
    pub tile: &'a Tile,
    pub batch: &'a Sorted,
    pub outputs: Outputs,
    pub activity: &'a mut Activity,
}

impl Work for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors>(self, v: V) {
        match self.outputs {
            Outputs::Clipped => self.blocks::<V, 8>(v, false),
            Outputs::Squared => self.blocks::<V, 8>(v, true),
            Outputs::Products => self.blocks::<V, 4>(v, false),
        }
    }
}

impl Forward<'_> {
    /// `LANES` are the vectors of outputs for both views: 4 where they are products.
    #[inline(always)]
    fn blocks<V: Vectors, const LANES: usize>(self, v: V, squared: bool) {
        let Forward {
            tile,
            batch,
            activity,
            ..
        } = self;
        let blocks = activity.sums.as_chunks_mut::<BLOCK>().0.iter_mut();
        let mut blocks = blocks.zip(activity.parts.as_chunks_mut::<BLOCK>().0);
        let mut outputs: BlockOutputs = [[Floats::ZERO; MOST_LANES]; BLOCK];
        let mut place = 0;
        for segment in &batch.segments {
            let weights = &tile.second[segment.bucket].straight;
            for _ in 0..segment.places / BLOCK {
                let (sums, parts) = blocks.next().expect("the activity has room for the batch");
                for (sums, outputs) in sums.iter_mut().zip(&mut outputs) {
                    sum_rows(v, tile, batch.inputs_at(place), sums);
                    for (view, lines) in sums.iter().enumerate() {
                        let from = view * LANES / VIEWS;
                        let outputs = &mut outputs[from..from + LANES / VIEWS];
                        if LANES == 4 {
                            activate_products(v, tile.units, lines, outputs);
                        } else {
                            activate(v, tile.units, lines, squared, outputs);
                        }
                    }
                    place += 1;
                }
                multiply::<V, LANES>(v, &outputs, weights, parts);
            }
        }
    }
}

/// The bias plus the rows of the set inputs, for both views at once.
#[inline(always)]
fn sum_rows<V: Vectors>(v: V, tile: &Tile, inputs: &[[u16; VIEWS]], to: &mut [[CacheLine; LINES]; VIEWS]) {
    let bias = tile.rounded_bias.each_ref().map(|line| v.load_integers(line));
    let mut sums = [bias; VIEWS];
    let rows = &tile.rounded[..];
    for pair in inputs {
        for (sums, &input) in sums.iter_mut().zip(pair) {
            for (sum, line) in sums.iter_mut().zip(&rows[usize::from(input)]) {
                *sum = v.add_integers(*sum, v.load_integers(line));
            }
        }
    }
    for (sums, lines) in sums.into_iter().zip(to) {
        for (sum, line) in sums.into_iter().zip(lines) {
            v.store_integers(sum, line);
        }
    }
}

/// The sums of a line as floats.
#[inline(always)]
pub fn sums_of<V: Vectors>(v: V, units: Units, line: &CacheLine) -> [V::Floats; 2] {
    let unit = v.splat(1.0 / units.scale);
    v.widen(v.load_integers(line)).map(|sums| v.multiply(sums, unit))
}

#[inline(always)]
fn activate<V: Vectors>(
    v: V,
    units: Units,
    lines: &[CacheLine; LINES],
    squared: bool,
    outputs: &mut [Floats],
) {
    let (zero, one) = (v.splat(0.0), v.splat(1.0));
    for (line, outputs) in lines.iter().zip(outputs.as_chunks_mut::<2>().0) {
        for (sums, output) in sums_of(v, units, line).into_iter().zip(outputs) {
            let clipped = v.clamp(sums, zero, one);
            let value = if squared {
                v.multiply(clipped, clipped)
            } else {
                clipped
            };
            v.store(value, output);
        }
    }
}

#[inline(always)]
fn activate_products<V: Vectors>(v: V, units: Units, lines: &[CacheLine; LINES], outputs: &mut [Floats]) {
    let (zero, one) = (v.splat(0.0), v.splat(1.0));
    for (line, output) in lines.iter().zip(outputs) {
        let [a, b] = sums_of(v, units, line).map(|sums| v.clamp(sums, zero, one));
        v.store(v.multiply(a, b), output);
    }
}

/// The products of a block's outputs with the second layer's weights, a row for each output.
#[inline(always)]
fn multiply<V: Vectors, const LANES: usize>(
    v: V,
    outputs: &BlockOutputs,
    weights: &[Floats],
    parts: &mut [Floats; BLOCK],
) {
    let mut sums = [v.splat(0.0); BLOCK];
    for (lane, weights) in weights.as_chunks::<WIDTH>().0[..LANES].iter().enumerate() {
        for (i, weights) in weights.iter().enumerate() {
            let weights = v.load(weights);
            for (sum, outputs) in sums.iter_mut().zip(outputs) {
                *sum = v.multiply_add(v.splat(outputs[lane].0[i]), weights, *sum);
            }
        }
    }
    for (sum, part) in sums.into_iter().zip(parts) {
        v.store(sum, part);
    }
}
