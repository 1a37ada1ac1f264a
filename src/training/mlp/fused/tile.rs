//! A tile: 64 units of the first layer, the weights from and to them, and what a batch makes of them.
//!
//! Tiles share nothing, so that threads can take one each and everything that a loop touches fits in the second-level
//! cache. A line of a tile holds 32 units. Where products of two units are the outputs, the first 16 lanes of a line are
//! units of the first half of the layer, the others their partners.

use super::adam::Cell;
use super::encode::VIEWS;
use crate::arch::vectors::{Floats, WIDTH};
use crate::arch::{CacheLine, Sums};
use crate::nets::mlp::weights::ROW_STEPS;

/// Units of a tile.
pub const UNITS: usize = 64;
/// Lines of 32 units.
pub const LINES: usize = 2;
/// Groups of 16 weights for the units of a tile.
pub const CELLS: usize = 4;
/// Units of the second layer, the unused ones included.
pub const SECOND: usize = WIDTH;
/// The 16-bit integers of the first layer's sums. They saturate at ± 16 or more, far beyond the activation's range.
#[derive(Clone, Copy, Debug)]
pub struct Units {
    /// The integer for 1.
    pub scale: f32,
    /// All weights and biases are whole multiples of this integer.
    pub step: f32,
}

impl Units {
    /// As fine as 16 bits allow.
    pub const FINE: Units = Units {
        scale: 2048.0,
        step: 1.0,
    };
    /// The steps of bytes, see [`ROW_STEPS`].
    pub const BYTES: Units = Units {
        scale: 32.0 * ROW_STEPS as f32,
        step: 32.0,
    };
}

/// What the first layer's sums become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outputs {
    /// Each is clipped to [0, 1].
    Clipped,
    /// The same, squared.
    Squared,
    /// The same, multiplied with that of the partner in the other half of the layer.
    Products,
}

impl Outputs {
    /// Vectors of outputs that a tile has for each view.
    pub const fn lanes(self) -> usize {
        match self {
            Outputs::Clipped | Outputs::Squared => 4,
            Outputs::Products => 2,
        }
    }
}

/// Weights and optimiser of a tile.
#[derive(Debug)]
pub struct Tile {
    /// The first layer's weights for every input, woven; without the shared ones.
    pub first: Vec<[Cell; CELLS]>,
    /// The factoriser's weights for every bit, woven; none without it.
    pub shared: Vec<[Cell; CELLS]>,
    /// The first layer's biases, woven.
    pub bias: [Cell; CELLS],
    /// The sums of `first` and `shared` in integers; at last a row of zeros for what fills up.
    pub rounded: Vec<[CacheLine; LINES]>,
    /// The biases in integers.
    pub rounded_bias: [CacheLine; LINES],
    /// What these integers count in.
    pub units: Units,
    /// The second layer's weights for the outputs of this tile, for each bucket.
    pub second: Vec<Second>,
}

/// The second layer's weights for the outputs of a tile, in one bucket.
#[derive(Clone, Debug)]
pub struct Second {
    /// For each output of both views the weights of the second layer's units.
    pub cells: Vec<Cell>,
    /// The weights alone.
    pub straight: Vec<Floats>,
    /// The same, for each unit the weights of all outputs.
    pub turned: Vec<Floats>,
}

/// What a batch makes of a tile.
#[derive(Debug, Default)]
pub struct Activity {
    /// The first layer's sums in integers, for each place and view.
    pub sums: Vec<[[CacheLine; LINES]; VIEWS]>,
    /// The second layer's sums over the outputs of this tile, for each place.
    pub parts: Vec<Floats>,
}

impl Activity {
    /// Makes room for so many places.
    pub fn resize(&mut self, places: usize) {
        self.sums.resize(places, [[CacheLine::ZERO; LINES]; VIEWS]);
        self.parts.resize(places, Floats::ZERO);
    }
}

impl Second {
    /// Zeros for so many outputs.
    pub fn new(outputs: usize) -> Second {
        Second {
            cells: vec![Cell::ZERO; outputs],
            straight: vec![Floats::ZERO; outputs],
            turned: vec![Floats::ZERO; outputs / WIDTH * SECOND],
        }
    }

    /// Makes the copies of the weights anew, rounded on a grid if there is one.
    pub fn copy_weights(&mut self, grid: Option<&Grid>) {
        let lanes = self.cells.len() / WIDTH;
        for (output, (cell, straight)) in self.cells.iter().zip(&mut self.straight).enumerate() {
            *straight = grid.map_or(cell.weight, |grid| grid.round(&cell.weight));
            for (unit, weight) in straight.0.iter().enumerate() {
                self.turned[unit * lanes + output / WIDTH].0[output % WIDTH] = *weight;
            }
        }
    }

    /// Raises the largest weight found of each unit to those here, of either sign.
    pub fn raise(&self, largest: &mut Floats) {
        for cell in &self.cells {
            for (largest, weight) in largest.0.iter_mut().zip(cell.weight.0) {
                *largest = largest.max(weight.abs());
            }
        }
    }
}

/// Adding 1.5 · 2²³ and taking it away leaves no bits for fractions; `round` would be a call for each weight without SSE 4.1.
pub const WHOLE: f32 = 12_582_912.0;

/// What bytes can say of the second layer's weights in one bucket: for each unit whole multiples of a step.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    step: Floats,
    per_step: Floats,
}

impl Grid {
    /// The grid on which the largest weight of each unit is the largest byte, as in
    /// [`crate::nets::mlp::integer::quantize::dense`].
    pub fn new(largest: Floats) -> Grid {
        let step = largest.0.map(|largest| largest / f32::from(i8::MAX));
        Grid {
            step: Floats(step),
            per_step: Floats(step.map(|step| if step > 0.0 { 1.0 / step } else { 0.0 })),
        }
    }

    fn round(&self, weights: &Floats) -> Floats {
        let steps = self.step.0.iter().zip(self.per_step.0);
        let mut rounded = *weights;
        for (weight, (step, per_step)) in rounded.0.iter_mut().zip(steps) {
            *weight = (*weight * per_step + WHOLE - WHOLE) * step;
        }
        rounded
    }
}

impl Tile {
    /// Weights of 0.
    pub fn new(inputs: usize, shared: usize, outputs: Outputs, buckets: usize, units: Units) -> Tile {
        Tile {
            first: vec![[Cell::ZERO; CELLS]; inputs],
            shared: vec![[Cell::ZERO; CELLS]; shared],
            bias: [Cell::ZERO; CELLS],
            rounded: vec![[CacheLine::ZERO; LINES]; inputs + 1],
            rounded_bias: [CacheLine::ZERO; LINES],
            units,
            second: vec![Second::new(VIEWS * outputs.lanes() * WIDTH); buckets],
        }
    }
}

/// Where a unit of the first layer is kept: tile, cell and lane.
pub fn place_of_unit(unit: usize, units: usize, outputs: Outputs) -> (usize, usize, usize) {
    let (line, lane) = match outputs {
        Outputs::Products => {
            let (half, unit) = (unit / (units / 2), unit % (units / 2));
            (unit / WIDTH, half * WIDTH + unit % WIDTH)
        }
        Outputs::Clipped | Outputs::Squared => (unit / (2 * WIDTH), unit % (2 * WIDTH)),
    };
    let place = Sums::place(lane);
    (line / LINES, line % LINES * 2 + place / WIDTH, place % WIDTH)
}

/// Where the second layer's weights for one of its inputs are kept: the tile, and the output there. `count` is the number
/// of outputs that the first layer has for a view.
pub fn place_of_output(number: usize, count: usize, outputs: Outputs) -> (usize, usize) {
    let (view, output) = (number / count, number % count);
    let (lane, lanes) = (output / WIDTH, outputs.lanes());
    let within = (view * lanes + lane % lanes) * WIDTH + output % WIDTH;
    (lane / lanes, within)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_and_every_output_has_a_place_of_its_own() {
        for outputs in [Outputs::Squared, Outputs::Products] {
            let units = 256;
            let mut places: Vec<_> = (0..units)
                .map(|unit| place_of_unit(unit, units, outputs))
                .collect();
            places.sort_unstable();
            places.dedup();
            assert_eq!(places.len(), units);
            assert_eq!(places.last(), Some(&(3, CELLS - 1, WIDTH - 1)));
            let count = outputs.lanes() * WIDTH * 4;
            let mut places: Vec<_> = (0..2 * count)
                .map(|number| place_of_output(number, count, outputs))
                .collect();
            places.sort_unstable();
            places.dedup();
            assert_eq!(places.len(), 2 * count);
            assert_eq!(places.last(), Some(&(3, 2 * outputs.lanes() * WIDTH - 1)));
        }
    }

    /// A unit, its partner and their product are in the same tile and the same lane.
    #[test]
    fn partners_meet() {
        let units = 256;
        for unit in 0..units / 2 {
            let tile = place_of_unit(unit, units, Outputs::Products).0;
            assert_eq!(tile, place_of_unit(unit + units / 2, units, Outputs::Products).0);
            assert_eq!(tile, place_of_output(unit, units / 2, Outputs::Products).0);
        }
    }
}
