//! The convolutional part of a CNN in training as one operation: everything from the planes to the averages over the
//! board, forwards and backwards, on all threads of the CPU.
//!
//! Each operation in candle's graph costs a tensor of zeros and an addition on one thread for every gradient that
//! passes it; with an operation for each convolution and each norm that took longer than the convolutions. The plain
//! form of the same network in candle's operations is in [`super::model`], for other devices and as the reference.

use super::convolution::Backward;
use super::gate_tape::{GateLayers, Normed, Opening};
use super::kernel::{Rooms, TrainedKernel};
use super::normalise;
use super::normalise::{BatchNormBackward, Blocks, Statistics};
use crate::arch::matrix_unit::MatrixUnit;
use crate::nets::cnn::kernel::{average, pooled};
use crate::nets::cnn::shape::{CnnShape, ConvolutionShape, GateShape};
use crate::nets::cnn::winograd::SQUARES;
use crate::nets::encoding::PLANES;
use crate::training::floats::{floats, with_floats};
use candle_core::{CpuStorage, CustomOp2, Layout, Result, Shape, Tensor, bail};
use pulp::Arch;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// A convolution with its norm and what follows them, as part of the whole.
#[derive(Clone, Debug)]
struct Layer {
    shape: ConvolutionShape,
    /// Where its weights stand among all parameters.
    weights: Range<usize>,
    /// Where its scales and shifts stand.
    scales: Range<usize>,
    /// The gate before the shortcut is added, and where its parameters stand.
    gate: Option<(GateShape, Range<usize>)>,
    /// The boards that are added before ReLU: 0 the planes, n what layer n − 1 gave.
    shortcut: Option<usize>,
}

/// How the layers are joined, and memory that is used over and over.
#[derive(Debug)]
pub struct Plan {
    layers: Vec<Layer>,
    /// The number of all parameters.
    parameters: usize,
    unit: Option<MatrixUnit>,
    rooms: Rooms,
    buffers: Mutex<Vec<Vec<f32>>>,
    /// Kernels of steps that are over, each with one for every layer.
    kernels: Mutex<Vec<Vec<TrainedKernel>>>,
}

impl Plan {
    /// The plan of a shape. Parameters are, layer by layer, the weights (outputs × inputs × side × side), then the scales
    /// of the channels, then their shifts, then weight and bias of each layer of the gate, if there is one. A matrix unit,
    /// if there is one, multiplies filters and boards in bfloat16.
    pub fn new(shape: &CnnShape, unit: Option<MatrixUnit>) -> Plan {
        let mut end = 0;
        let mut next = |length: usize| {
            end += length;
            end - length..end
        };
        let layers = shape.convolutions().into_iter().enumerate();
        let layers = layers.map(|(number, shape)| Layer {
            shape,
            weights: next(shape.weights()),
            scales: next(2 * shape.outputs),
            gate: shape.gate.map(|gate| (gate, next(gate.parameters()))),
            // a block of two layers begins with what the layer before both gave
            shortcut: shape.shortcut.then(|| number - 1),
        });
        let layers = layers.collect();
        Plan {
            layers,
            parameters: end,
            unit,
            rooms: Rooms::default(),
            buffers: Mutex::default(),
            kernels: Mutex::default(),
        }
    }

    /// A buffer of this length; its contents are unspecified.
    fn take(&self, length: usize) -> Vec<f32> {
        let mut buffers = self.buffers.lock().expect("no thread panics with the lock");
        let fit = buffers.iter().position(|buffer| buffer.len() == length);
        fit.map_or_else(|| vec![0f32; length], |place| buffers.swap_remove(place))
    }

    /// The kernels of all layers with these parameters.
    fn kernels(&self, parameters: &[f32]) -> Vec<TrainedKernel> {
        let used = self.kernels.lock().expect("no thread panics with the lock").pop();
        let layers = self.layers.iter();
        match used {
            None => layers
                .map(|layer| TrainedKernel::new(&parameters[layer.weights.clone()], layer.shape, self.unit))
                .collect(),
            Some(mut kernels) => {
                for (kernel, layer) in kernels.iter_mut().zip(layers) {
                    kernel.set(&parameters[layer.weights.clone()]);
                }
                kernels
            }
        }
    }

    fn take_zeros(&self, length: usize) -> Vec<f32> {
        let mut buffer = self.take(length);
        buffer.par_chunks_mut(1 << 14).for_each(|part| part.fill(0.0));
        buffer
    }

    fn give(&self, used: impl IntoIterator<Item = Vec<f32>>) {
        self.buffers
            .lock()
            .expect("no thread panics with the lock")
            .extend(used);
    }
}

/// What the forward pass keeps for the backward pass.
#[derive(Debug, Default)]
struct Tape {
    /// What each layer was given, the planes first; one more than there are layers.
    boards: Vec<Vec<f32>>,
    /// What each convolution gave.
    convolved: Vec<Vec<f32>>,
    kernels: Vec<TrainedKernel>,
    statistics: Vec<Vec<Statistics>>,
    /// What each gate found, block by block; nothing for a layer without one.
    openings: Vec<Vec<Opening>>,
}

impl Layer {
    /// Its gate with these parameters of the body.
    fn gate_of<'a>(&self, parameters: &'a [f32]) -> Option<GateLayers<'a>> {
        let (shape, place) = self.gate.as_ref()?;
        Some(GateLayers::new(*shape, &parameters[place.clone()]))
    }
}

struct Body {
    plan: Arc<Plan>,
    tape: Arc<Mutex<Tape>>,
}

/// The averages over the board (blocks × channels × lanes) for planes (blocks × 16 × 64 × lanes) and all parameters in one
/// row, as [`Plan::new`] says; and the statistics of each layer's channels.
///
/// # Errors
/// If the shapes do not fit or a tensor is not plain f32 on the CPU.
pub fn body(
    planes: &Tensor,
    parameters: &Tensor,
    plan: &Arc<Plan>,
) -> Result<(Tensor, Vec<Vec<Statistics>>)> {
    let (_, channels, squares, _) = planes.dims4()?;
    if (channels, squares) != (PLANES, SQUARES) || parameters.dims() != [plan.parameters] {
        bail!(
            "{:?} parameters for planes {:?}",
            parameters.dims(),
            planes.dims()
        );
    }
    let tape = Arc::<Mutex<Tape>>::default();
    let op = Body {
        plan: plan.clone(),
        tape: tape.clone(),
    };
    let result = planes.apply_op2(parameters, op)?;
    let statistics = tape
        .lock()
        .expect("no thread panics with the lock")
        .statistics
        .clone();
    Ok((result, statistics))
}

impl Body {
    fn forward(&self, planes: &[f32], parameters: &[f32], blocks: usize, lanes: usize) -> Tape {
        let mut first = self.plan.take(planes.len());
        first.copy_from_slice(planes);
        let mut tape = Tape {
            boards: vec![first],
            kernels: self.plan.kernels(parameters),
            ..Tape::default()
        };
        for (number, layer) in self.plan.layers.iter().enumerate() {
            let length = blocks * layer.shape.outputs * SQUARES * lanes;
            let (mut convolved, mut result) = (self.plan.take(length), self.plan.take(length));
            let shape = Blocks::new(layer.shape.outputs, lanes);
            let gate = layer.gate_of(parameters);
            // a gate needs the averages of every board too
            let sums = |block: &[f32]| {
                let averages = gate
                    .as_ref()
                    .map_or_else(Vec::new, |_| Arch::new().dispatch(|| pooled(block, lanes)));
                (normalise::channel_sums_and_squares(block, shape), averages)
            };
            let (boards, rooms) = (&tape.boards[number], &self.plan.rooms);
            let sums = tape.kernels[number].convolve_all(boards, &mut convolved, blocks, rooms, sums);
            let (sums, averages): (Vec<_>, Vec<_>) = sums.into_iter().unzip();
            let statistics = normalise::statistics(&sums, shape);
            let shortcut = layer.shortcut.map(|place| &tape.boards[place][..]);
            let normed = Normed {
                boards: &convolved,
                scales: &parameters[layer.scales.clone()],
                statistics: &statistics,
                shape,
            };
            let openings = match (gate, shortcut) {
                (Some(gate), Some(shortcut)) => gate.forward(&normed, averages, shortcut, &mut result),
                _ => {
                    let affine = normalise::scale_and_shift(normed.scales, &statistics);
                    normalise::forward(&convolved, &affine, shortcut, shape, &mut result);
                    Vec::new()
                }
            };
            tape.boards.push(result);
            tape.convolved.push(convolved);
            tape.statistics.push(statistics);
            tape.openings.push(openings);
        }
        tape
    }

    /// Takes the gradients of a layer's results back behind ReLU, notes those of its scales and of its gate among `found`,
    /// and returns how they go on to what the convolution gave.
    fn relu_backward(
        &self,
        number: usize,
        tape: &Tape,
        parameters: &[f32],
        gradient: &mut [f32],
        found: &mut [f32],
        lanes: usize,
    ) -> BatchNormBackward {
        let layer = &self.plan.layers[number];
        let outputs = layer.shape.outputs;
        let results = &tape.boards[number + 1];
        let normed = Normed {
            boards: &tape.convolved[number],
            scales: &parameters[layer.scales.clone()],
            statistics: &tape.statistics[number],
            shape: Blocks::new(outputs, lanes),
        };
        let Normed {
            boards,
            scales,
            statistics,
            shape,
        } = normed;
        let (totals, gates_backward) = match (layer.gate_of(parameters), &layer.gate) {
            (Some(gate), Some((_, place))) => {
                let back = gate.relu_backward(&normed, &tape.openings[number], results, gradient);
                found[place.clone()].copy_from_slice(&back.parameters);
                (back.totals, Some(back.gates_backward))
            }
            _ => (
                normalise::relu_backward(gradient, results, boards, statistics, shape),
                None,
            ),
        };
        let of_scales = &mut found[layer.scales.clone()];
        for (channel, total) in totals.iter().enumerate() {
            of_scales[channel] = total[1] as f32;
            of_scales[outputs + channel] = total[0] as f32;
        }
        let blocks = boards.len() / shape.block();
        BatchNormBackward::new(&totals, scales, statistics, shape, blocks, gates_backward)
    }

    /// The gradients of all parameters, from those of the averages over the board.
    fn backward(
        &self,
        tape: &Tape,
        parameters: &[f32],
        averages: &[f32],
        blocks: usize,
        lanes: usize,
    ) -> Vec<f32> {
        let plan = &self.plan;
        let mut result = vec![0f32; parameters.len()];
        // of the boards that each layer was given; those of shortcuts wait here for the rest
        let mut gradients: Vec<Option<Vec<f32>>> = vec![None; tape.boards.len()];
        let mut last = plan.take(tape.boards[plan.layers.len()].len());
        spread(averages, &mut last, lanes);
        gradients[plan.layers.len()] = Some(last);
        for (number, layer) in plan.layers.iter().enumerate().rev() {
            let Some(mut gradient) = gradients[number + 1].take() else {
                continue;
            };
            let norm_backward =
                self.relu_backward(number, tape, parameters, &mut gradient, &mut result, lanes);
            let (boards, convolved) = (&tape.boards[number], &tape.convolved[number]);
            let waiting = gradients[number].take();
            let mut boards_back = waiting.unwrap_or_else(|| plan.take_zeros(boards.len()));
            let all = Backward {
                boards,
                boards_back: &mut boards_back,
                blocks,
            };
            let outputs = layer.shape.outputs;
            let weights = tape.kernels[number].back(all, outputs, &plan.rooms, |block, channel, to| {
                norm_backward.board(block, channel, convolved, &gradient, to);
            });
            result[layer.weights.clone()].copy_from_slice(&weights);
            gradients[number] = Some(boards_back);
            match layer.shortcut {
                Some(place) => gradients[place] = Some(gradient),
                None => plan.give([gradient]),
            }
        }
        plan.give(gradients.into_iter().flatten());
        result
    }
}

/// The gradients of averages over the board, to each square its share.
fn spread(averages: &[f32], boards: &mut [f32], lanes: usize) {
    let boards = boards.par_chunks_exact_mut(SQUARES * lanes);
    boards
        .zip(averages.par_chunks_exact(lanes))
        .for_each(|(board, average)| {
            for square in board.chunks_exact_mut(lanes) {
                let pairs = square.iter_mut().zip(average);
                pairs.for_each(|(to, gradient)| *to = gradient / SQUARES as f32);
            }
        });
}

/// The averages of boards over their squares.
fn averages(boards: &[f32], lanes: usize) -> Vec<f32> {
    let mut means = vec![0f32; boards.len() / SQUARES];
    let boards = boards.par_chunks_exact(SQUARES * lanes);
    means
        .par_chunks_exact_mut(lanes)
        .zip(boards)
        .for_each(|(means, board)| average(board, means));
    means
}

impl CustomOp2 for Body {
    fn name(&self) -> &'static str {
        "body"
    }

    fn cpu_fwd(
        &self,
        planes: &CpuStorage,
        planes_layout: &Layout,
        parameters: &CpuStorage,
        parameters_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (blocks, _, _, lanes) = planes_layout.shape().dims4()?;
        let planes = floats(planes, planes_layout)?;
        let tape = self.forward(planes, floats(parameters, parameters_layout)?, blocks, lanes);
        let averages = averages(&tape.boards[self.plan.layers.len()], lanes);
        let shape = (blocks, averages.len() / (blocks * lanes), lanes);
        *self.tape.lock().expect("no thread panics with the lock") = tape;
        Ok((CpuStorage::F32(averages), shape.into()))
    }

    fn bwd(
        &self,
        planes: &Tensor,
        parameters: &Tensor,
        _: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let (blocks, _, _, lanes) = planes.dims4()?;
        let tape = std::mem::take(&mut *self.tape.lock().expect("no thread panics with the lock"));
        if tape.kernels.is_empty() {
            bail!("the body of a CNN goes backwards once after each way forward");
        }
        let back = with_floats([parameters, gradient], |[parameters, gradient]| {
            Ok(self.backward(&tape, parameters, gradient, blocks, lanes))
        })?;
        self.plan.give(tape.boards.into_iter().chain(tape.convolved));
        let mut kernels = self.plan.kernels.lock().expect("no thread panics with the lock");
        kernels.push(tape.kernels);
        Ok((
            None,
            Some(Tensor::from_vec(back, parameters.shape(), parameters.device())?),
        ))
    }
}
