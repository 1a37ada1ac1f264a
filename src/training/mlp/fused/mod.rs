//! The fused training of an MLP on the CPU: two perspectives, and two narrow layers after the first.
//!
//! candle's operations are the reference ([`super::model`]): values, gradients and whole steps are compared with them. What
//! makes this faster is that a tile of 64 units of the first layer goes through a batch on its own ([`tile`]), so that its
//! weights stay in the cache; that its sums are 16-bit integers, as in play; that later layers are products with the
//! weights of one bucket, because batches are sorted by it; and that gradients of the first layer are added up input by
//! input, from rows in bfloat16, and go straight into the optimiser's step.

pub mod adam;
pub mod backward;
pub mod encode;
pub mod forward;
pub mod hints;
pub mod later;
pub mod state;
#[cfg(test)]
mod tests;
pub mod tile;

use super::MlpDesign;
use super::hints::teachers_sums;
use super::model::TrainedMlp;
use crate::arch::vectors::{Floats, VectorUnit};
use crate::data::Record;
use crate::nets::mlp::shape::{Activation, MlpShape};
use crate::nets::net::{Net, NetInfo};
use crate::nets::score::Score;
use crate::training::TrainError;
use crate::training::batch::{Batch, Encoder, Inputs};
use crate::training::model::Pace;
use crate::training::optimizer::AdamSettings;
use crate::training::stepper::Stepper;
use adam::Change;
use backward::{Backward, Refresh, Scratch};
use candle_core::{Device, Tensor};
use encode::Sorted;
use forward::Forward;
use hints::Regressed;
use later::{Changes, Goals, Gradients, Later, Layers, Sizes, Update};
use rayon::prelude::*;
use state::Part;
use tile::{Activity, Grid, Outputs, Tile, UNITS, Units};

/// Places that go through the layers together.
pub const BLOCK: usize = 8;
/// Places whose gradients of the later layers one task adds up: the same sums whatever the threads.
const PLACES_PER_TASK: usize = 512;

/// Why a layout is not trained here, if it is not.
pub fn fault(shape: &MlpShape) -> Option<&'static str> {
    let [first, second, third] = shape.hidden[..] else {
        return Some("it needs three hidden layers");
    };
    let faults = [
        (shape.perspectives != 2, "it needs two perspectives"),
        (
            !first.is_multiple_of(UNITS),
            "its first layer's units must be a multiple of 64",
        ),
        (
            second > later::MOST_SECOND || third > later::MOST_THIRD,
            "its later layers can have 16 and 32 units",
        ),
        (
            shape.first_activation == Activation::Relu,
            "its first activation must be a clipped one",
        ),
    ];
    faults.iter().find(|fault| fault.0).map(|fault| fault.1)
}

/// What the first layer's sums of a shape become.
fn outputs_of(shape: &MlpShape) -> Outputs {
    match shape.first_activation {
        _ if shape.paired => Outputs::Products,
        Activation::SquaredClippedRelu => Outputs::Squared,
        Activation::Relu | Activation::ClippedRelu => Outputs::Clipped,
    }
}

/// An MLP in training, with its optimiser.
pub(super) struct FusedMlp {
    design: MlpDesign,
    optimizer: AdamSettings,
    outputs: Outputs,
    sizes: Sizes,
    tiles: Vec<Tile>,
    /// For each bucket.
    layers: Vec<Layers>,
    steps: u64,
    unit: VectorUnit,
    activities: Vec<Activity>,
    scratch: Vec<Scratch>,
}

impl FusedMlp {
    /// The first weights are those that candle's model draws from the same seed.
    pub fn new(
        design: &MlpDesign,
        seed: u64,
        optimizer: AdamSettings,
        unit: VectorUnit,
    ) -> candle_core::Result<FusedMlp> {
        let shape = &design.shape;
        let (outputs, sizes) = (outputs_of(shape), Sizes::of(shape));
        let shared = if design.settings.factorised {
            crate::nets::encoding::INPUTS
        } else {
            0
        };
        let units = match design.settings.byte_rows {
            true => Units::BYTES,
            false => Units::FINE,
        };
        let tile = || Tile::new(encode::input_count(shape), shared, outputs, shape.buckets, units);
        let count = shape.hidden[0] / UNITS;
        let mut fused = FusedMlp {
            design: design.clone(),
            optimizer,
            outputs,
            sizes,
            tiles: (0..count).map(|_| tile()).collect(),
            layers: vec![Layers::new(&sizes); shape.buckets],
            steps: 0,
            unit,
            activities: (0..count).map(|_| Activity::default()).collect(),
            scratch: Vec::new(),
        };
        let drawn = TrainedMlp::new(shape.clone(), design.settings.factorised, seed, &Device::Cpu)?;
        let drawn = drawn.vars().into_iter().map(|var| var.as_tensor().clone());
        fused.set(Part::Weights, &drawn.collect::<Vec<_>>())?;
        fused.refresh();
        Ok(fused)
    }

    /// How a step, counted from 1, changes each layer.
    fn changes(&self, rate: f64, step: u64, positions: usize) -> [Changes; 4] {
        let settings = AdamSettings {
            rate,
            ..self.optimizer
        };
        std::array::from_fn(|layer| {
            let bound = self.design.settings.bound(layer);
            let change = |decays| Change::new(&settings, step, positions, decays, bound);
            Changes {
                weight: change(true),
                bias: change(false),
            }
        })
    }

    /// Makes what is derived from the weights anew.
    fn refresh(&mut self) {
        let (unit, regions) = (self.unit, self.design.shape.regions);
        let change = self.changes(0.0, 1, 1)[0].weight;
        self.tiles.par_iter_mut().for_each(|tile| {
            unit.run(Refresh {
                tile,
                change: &change,
                regions,
            });
        });
        self.layers.iter_mut().for_each(Layers::copy_weights);
        self.copy_second();
    }

    /// Makes the copies of the second layer's weights anew.
    fn copy_second(&mut self) {
        let grid = |bucket: usize| {
            let mut largest = Floats::ZERO;
            self.tiles
                .iter()
                .for_each(|tile| tile.second[bucket].raise(&mut largest));
            Grid::new(largest)
        };
        let bytes = self.design.settings.bytes;
        let grids: Vec<Option<Grid>> = (0..self.layers.len())
            .map(|bucket| bytes.then(|| grid(bucket)))
            .collect();
        self.tiles.par_iter_mut().for_each(|tile| {
            for (second, grid) in tile.second.iter_mut().zip(&grids) {
                second.copy_weights(grid.as_ref());
            }
        });
    }

    /// Runs the first layer forward.
    fn forward(&self, batch: &Sorted, activities: &mut [Activity]) {
        let (unit, outputs) = (self.unit, self.outputs);
        self.tiles
            .par_iter()
            .zip(activities)
            .for_each(|(tile, activity)| {
                activity.resize(batch.places());
                unit.run(Forward {
                    tile,
                    batch,
                    outputs,
                    activity,
                });
            });
    }

    /// Runs the later layers forward, and back if there are goals: the outputs before tanh and the gradients of the second
    /// layer's sums, for each place, and the gradients of each bucket.
    fn later(
        &self,
        batch: &Sorted,
        activities: &[Activity],
        goals: Option<Goals>,
    ) -> (Vec<f32>, Vec<Floats>, Vec<Gradients>) {
        let inputs = self.layers[0].third.len();
        let mut outputs = vec![0.0; batch.places()];
        let mut deltas = vec![Floats::ZERO; if goals.is_some() { batch.places() } else { 0 }];
        let (mut outputs_left, mut deltas_left) = (&mut outputs[..], &mut deltas[..]);
        let mut tasks = Vec::new();
        for segment in &batch.segments {
            for first in (0..segment.places).step_by(PLACES_PER_TASK) {
                let places = PLACES_PER_TASK.min(segment.places - first);
                let (outputs, rest) = std::mem::take(&mut outputs_left).split_at_mut(places);
                outputs_left = rest;
                let here = if goals.is_some() { places } else { 0 };
                let (deltas, rest) = std::mem::take(&mut deltas_left).split_at_mut(here);
                deltas_left = rest;
                let positions = segment.positions.saturating_sub(first).min(places);
                tasks.push((segment.bucket, segment.start + first, positions, outputs, deltas));
            }
        }
        let done = tasks
            .into_par_iter()
            .map(|(bucket, start, positions, outputs, deltas)| {
                let places = start..start + outputs.len();
                let parts = activities.iter();
                let parts: Vec<&[Floats]> = parts.map(|activity| &activity.parts[places.clone()]).collect();
                let goals = goals.map(|goals| Goals {
                    targets: &goals.targets[places.clone()],
                    hints: goals.hints.get(places.clone()).unwrap_or(&[]),
                    ..goals
                });
                let gradients = self.unit.run(Later {
                    sizes: self.sizes,
                    layers: &self.layers[bucket],
                    parts: &parts,
                    positions,
                    outputs,
                    training: goals.map(|goals| (goals, deltas)),
                });
                (bucket, gradients)
            });
        let mut gradients = vec![Gradients::new(inputs); self.layers.len()];
        for (bucket, sums) in done.collect::<Vec<_>>() {
            gradients[bucket].add(&sums);
        }
        (outputs, deltas, gradients)
    }

    /// A step on an encoded batch; the mean loss of its errors before it.
    fn step_on(&mut self, batch: &Sorted, goals: Goals, positions: usize, rate: f64) -> f32 {
        let mut activities = std::mem::take(&mut self.activities);
        self.forward(batch, &mut activities);
        let (_, deltas, gradients) = self.later(batch, &activities, Some(goals));
        self.steps += 1;
        let [first, second, third, output] = self.changes(rate, self.steps, positions);
        self.backward(batch, &activities, &deltas, goals.price, &[first, second]);
        self.copy_second();
        self.activities = activities;
        let unit = self.unit;
        for (layers, gradients) in self.layers.iter_mut().zip(&gradients) {
            unit.run(Update {
                layers,
                gradients,
                changes: &[second, third, output],
            });
        }
        let loss: f64 = gradients.iter().map(|gradients| gradients.loss).sum();
        (loss / positions as f64) as f32
    }

    /// Runs the first layer back and changes it, the tiles divided among the threads.
    fn backward(
        &mut self,
        batch: &Sorted,
        activities: &[Activity],
        deltas: &[Floats],
        price: f32,
        changes: &[Changes; 2],
    ) {
        let share = self.tiles.len().div_ceil(rayon::current_num_threads());
        self.scratch
            .resize_with(self.tiles.len().div_ceil(share), Scratch::default);
        let (unit, outputs, regions) = (self.unit, self.outputs, self.design.shape.regions);
        self.tiles
            .par_chunks_mut(share)
            .zip(activities.par_chunks(share))
            .zip(&mut self.scratch)
            .for_each(|((tiles, activities), scratch)| {
                for (tile, activity) in tiles.iter_mut().zip(activities) {
                    unit.run(Backward {
                        tile,
                        batch,
                        outputs,
                        activity,
                        deltas,
                        price,
                        changes,
                        regions,
                        scratch,
                    });
                }
            });
    }

    /// What the second layer's sums are regressed on at each place; nothing where no hint has a weight.
    fn regressed(&self, batch: &Batch, sorted: &Sorted, weight: f64) -> Vec<Regressed> {
        if batch.hints.is_empty() || weight == 0.0 {
            return Vec::new();
        }
        let curve = self.design.meaning.curve;
        let at = |number: &Option<u32>| {
            let sums = number.and_then(|number| teachers_sums(&batch.hints[number as usize], curve));
            sums.map_or(Regressed::NOTHING, |sums| Regressed::new(sums, weight as f32))
        };
        sorted.order.iter().map(at).collect()
    }
}

impl Stepper for FusedMlp {
    fn encoder(&self) -> Encoder {
        let shape = self.design.shape.clone();
        Box::new(move |records| Inputs::new(Sorted::encode(records, &shape)))
    }

    fn step(&mut self, batch: &Batch, pace: &Pace) -> Result<f32, TrainError> {
        let sorted = batch.inputs.get::<Sorted>()?;
        let target = |number: &Option<u32>| number.map_or(0.0, |number| batch.targets[number as usize]);
        let targets: Vec<f32> = sorted.order.iter().map(target).collect();
        let regularisation = self.design.regularisation(batch, pace);
        let hints = self.regressed(batch, sorted, regularisation.hints);
        let goals = Goals {
            targets: &targets,
            hints: &hints,
            exponent: pace.exponent,
            price: regularisation.sparsity as f32,
        };
        Ok(self.step_on(sorted, goals, batch.targets.len(), pace.rate))
    }

    fn scores(&self, records: &[Record], batch: usize) -> Result<Vec<Score>, TrainError> {
        let mut activities: Vec<Activity> = self.tiles.iter().map(|_| Activity::default()).collect();
        let mut scores = Vec::with_capacity(records.len());
        for records in records.chunks(batch) {
            let sorted = Sorted::encode(records, &self.design.shape);
            self.forward(&sorted, &mut activities);
            let (outputs, ..) = self.later(&sorted, &activities, None);
            let mut sums = vec![0.0; records.len()];
            for (number, output) in sorted.order.iter().zip(outputs) {
                if let Some(number) = number {
                    sums[*number as usize] = output;
                }
            }
            scores.extend(self.design.meaning.scores_for_white(records, &sums));
        }
        Ok(scores)
    }

    fn weights(&self) -> Result<Vec<Tensor>, TrainError> {
        Ok(self.tensors(Part::Weights)?)
    }

    fn set_weights(&mut self, weights: &[Tensor]) -> Result<(), TrainError> {
        crate::training::stepper::check_shapes(weights, &self.dimensions())?;
        self.set(Part::Weights, weights)?;
        self.refresh();
        Ok(())
    }

    fn moments(&self) -> Result<Vec<(Tensor, Tensor)>, TrainError> {
        let (first, second) = (self.tensors(Part::First)?, self.tensors(Part::Second)?);
        Ok(first.into_iter().zip(second).collect())
    }

    fn restore(&mut self, steps: u64, moments: Vec<(Tensor, Tensor)>) -> Result<(), TrainError> {
        let (first, second): (Vec<_>, Vec<_>) = moments.into_iter().unzip();
        for moments in [&first, &second] {
            crate::training::stepper::check_shapes(moments, &self.dimensions())?;
        }
        self.set(Part::First, &first)?;
        self.set(Part::Second, &second)?;
        self.steps = steps;
        Ok(())
    }

    fn take_over(&mut self, net: &Net, _: &[Record]) -> Result<(), TrainError> {
        let model = self.model()?;
        self.design.take_over(&model, net)?;
        let weights = model.vars().into_iter().map(|var| var.as_tensor().clone());
        self.set_weights(&weights.collect::<Vec<_>>())
    }

    fn net(&self, info: NetInfo) -> Result<Net, TrainError> {
        let model = self.model()?;
        model.clip(&self.design.settings.clip)?;
        Ok(Net::of_mlp(info, &model.weights()?))
    }
}

impl FusedMlp {
    /// candle's model with the same weights.
    fn model(&self) -> Result<TrainedMlp, TrainError> {
        let shape = self.design.shape.clone();
        let settings = &self.design.settings;
        let model =
            TrainedMlp::new(shape, settings.factorised, 0, &Device::Cpu)?.with_byte_rows(settings.byte_rows);
        for (var, weight) in model.vars().iter().zip(self.tensors(Part::Weights)?) {
            var.set(&weight)?;
        }
        Ok(model)
    }
}
