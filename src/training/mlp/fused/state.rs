//! Weights and means as the tensors that candle's model has, in its order: what a checkpoint holds. So a training can go on
//! with either.

use super::FusedMlp;
use super::adam::Cell;
use super::encode::input;
use super::tile::{place_of_output, place_of_unit};
use crate::arch::vectors::{Floats, WIDTH};
use crate::nets::encoding::INPUTS;
use candle_core::{Device, Result, Tensor};

/// What of a [`Cell`] is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Weights,
    First,
    Second,
}

impl Part {
    fn of(self, cell: &mut Cell) -> &mut Floats {
        match self {
            Part::Weights => &mut cell.weight,
            Part::First => &mut cell.first,
            Part::Second => &mut cell.second,
        }
    }

    fn read(self, cell: &Cell) -> &Floats {
        match self {
            Part::Weights => &cell.weight,
            Part::First => &cell.first,
            Part::Second => &cell.second,
        }
    }
}

/// The layers whose weights the tiles do not have.
const THIRD: usize = 2;
const OUTPUT: usize = 3;

/// A tensor of the net: weights (inputs × rows) or biases (rows) of a layer, or the factoriser's weights.
#[derive(Clone, Copy)]
enum Var {
    Weight(usize),
    Bias(usize),
    Shared,
}

impl FusedMlp {
    /// The tensors in the order of candle's model.
    fn vars(&self) -> Vec<Var> {
        let layers = (0..self.design.shape.layers()).flat_map(|layer| [Var::Weight(layer), Var::Bias(layer)]);
        let shared = self.design.settings.factorised.then_some(Var::Shared);
        layers.chain(shared).collect()
    }

    pub(super) fn dimensions(&self) -> Vec<Vec<usize>> {
        let dimensions = |var| self.dimensions_of(var);
        self.vars().into_iter().map(dimensions).collect()
    }

    fn dimensions_of(&self, var: Var) -> Vec<usize> {
        let shape = &self.design.shape;
        match var {
            Var::Weight(layer) => vec![shape.inputs_of(layer), shape.rows_of(layer)],
            Var::Bias(layer) => vec![shape.rows_of(layer)],
            Var::Shared => vec![INPUTS, shape.rows_of(0)],
        }
    }

    /// Where a number of a tensor is kept.
    fn place(&self, var: Var, row: usize, column: usize) -> Place {
        let shape = &self.design.shape;
        let units = |layer: usize| (column / shape.units_of(layer), column % shape.units_of(layer));
        match var {
            Var::Weight(0) | Var::Bias(0) | Var::Shared => {
                let (tile, cell, lane) = place_of_unit(column, shape.hidden[0], self.outputs);
                let at = match var {
                    Var::Weight(_) => At::First(tile, input(row % INPUTS, row / INPUTS, shape.regions), cell),
                    Var::Shared => At::Shared(tile, row, cell),
                    Var::Bias(_) => At::FirstBias(tile, cell),
                };
                Place { at, lane }
            }
            Var::Weight(1) => {
                let (tile, output) = place_of_output(row, shape.inputs_of(1) / 2, self.outputs);
                let (bucket, lane) = units(1);
                let at = At::Second(tile, bucket, output);
                Place { at, lane }
            }
            Var::Bias(1) => {
                let (bucket, lane) = units(1);
                let at = At::SecondBias(bucket);
                Place { at, lane }
            }
            Var::Weight(THIRD) => {
                let (bucket, unit) = units(THIRD);
                let at = At::Third(bucket, self.sizes.place_of_input(row), unit / WIDTH);
                Place {
                    at,
                    lane: unit % WIDTH,
                }
            }
            Var::Bias(THIRD) => {
                let (bucket, unit) = units(THIRD);
                let at = At::ThirdBias(bucket, unit / WIDTH);
                Place {
                    at,
                    lane: unit % WIDTH,
                }
            }
            Var::Weight(OUTPUT) => Place {
                at: At::Output(column, row / WIDTH),
                lane: row % WIDTH,
            },
            Var::Bias(OUTPUT) => Place {
                at: At::OutputBias(column),
                lane: 0,
            },
            Var::Weight(layer) | Var::Bias(layer) => unreachable!("a net here has no layer {layer}"),
        }
    }

    fn cell(&self, at: At) -> &Cell {
        match at {
            At::First(tile, input, cell) => &self.tiles[tile].first[input][cell],
            At::Shared(tile, bit, cell) => &self.tiles[tile].shared[bit][cell],
            At::FirstBias(tile, cell) => &self.tiles[tile].bias[cell],
            At::Second(tile, bucket, output) => &self.tiles[tile].second[bucket].cells[output],
            At::SecondBias(bucket) => &self.layers[bucket].second_bias,
            At::Third(bucket, input, cell) => &self.layers[bucket].third[input][cell],
            At::ThirdBias(bucket, cell) => &self.layers[bucket].third_bias[cell],
            At::Output(bucket, cell) => &self.layers[bucket].output[cell],
            At::OutputBias(bucket) => &self.layers[bucket].output_bias,
        }
    }

    fn cell_mut(&mut self, at: At) -> &mut Cell {
        match at {
            At::First(tile, input, cell) => &mut self.tiles[tile].first[input][cell],
            At::Shared(tile, bit, cell) => &mut self.tiles[tile].shared[bit][cell],
            At::FirstBias(tile, cell) => &mut self.tiles[tile].bias[cell],
            At::Second(tile, bucket, output) => &mut self.tiles[tile].second[bucket].cells[output],
            At::SecondBias(bucket) => &mut self.layers[bucket].second_bias,
            At::Third(bucket, input, cell) => &mut self.layers[bucket].third[input][cell],
            At::ThirdBias(bucket, cell) => &mut self.layers[bucket].third_bias[cell],
            At::Output(bucket, cell) => &mut self.layers[bucket].output[cell],
            At::OutputBias(bucket) => &mut self.layers[bucket].output_bias,
        }
    }

    /// A part of all weights.
    pub(super) fn tensors(&self, part: Part) -> Result<Vec<Tensor>> {
        let tensor = |var| {
            let dimensions = self.dimensions_of(var);
            let (rows, columns) = rows_and_columns(&dimensions);
            let mut numbers = Vec::with_capacity(rows * columns);
            for row in 0..rows {
                for column in 0..columns {
                    let Place { at, lane } = self.place(var, row, column);
                    numbers.push(part.read(self.cell(at)).0[lane]);
                }
            }
            Tensor::from_vec(numbers, dimensions, &Device::Cpu)
        };
        self.vars().into_iter().map(tensor).collect()
    }

    /// Sets a part of all weights to tensors of the right shapes.
    pub(super) fn set(&mut self, part: Part, tensors: &[Tensor]) -> Result<()> {
        for (var, tensor) in self.vars().into_iter().zip(tensors) {
            let (rows, columns) = rows_and_columns(&self.dimensions_of(var));
            let numbers = tensor.flatten_all()?.to_vec1::<f32>()?;
            for (row, numbers) in (0..rows).zip(numbers.chunks_exact(columns)) {
                for (column, &number) in numbers.iter().enumerate() {
                    let Place { at, lane } = self.place(var, row, column);
                    part.of(self.cell_mut(at)).0[lane] = number;
                }
            }
        }
        Ok(())
    }
}

/// The cell and lane of a number.
#[derive(Clone, Copy)]
struct Place {
    at: At,
    lane: usize,
}

/// A cell: its tile or bucket first, then its place there.
#[derive(Clone, Copy)]
enum At {
    First(usize, usize, usize),
    Shared(usize, usize, usize),
    FirstBias(usize, usize),
    Second(usize, usize, usize),
    SecondBias(usize),
    Third(usize, usize, usize),
    ThirdBias(usize, usize),
    Output(usize, usize),
    OutputBias(usize),
}

/// A bias is one row.
fn rows_and_columns(dimensions: &[usize]) -> (usize, usize) {
    match dimensions {
        [rows, columns] => (*rows, *columns),
        _ => (1, dimensions.iter().product()),
    }
}
