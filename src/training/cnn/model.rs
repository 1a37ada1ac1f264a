//! The variables of a CNN in training, with the running statistics of its batch norms.

use super::body::{Plan, body};
use super::convolution::convolve_plain;
use super::encode::Boards;
use super::gate::TrainedGate;
use super::normalise::{Statistics, finish_plain, normalise_plain, statistics_plain};
use crate::arch::matrix_unit::MatrixUnit;
use crate::nets::cnn::shape::{CnnShape, ConvolutionShape};
use crate::nets::cnn::weights::{CnnWeights, Convolution};
use crate::nets::cnn::winograd::SQUARES;
use crate::nets::encoding::PLANES;
use crate::training::first_weights::FirstWeights;
use crate::training::head::TrainedHead;
use candle_core::{Device, Result, Tensor, Var, bail};
use std::sync::Arc;

/// The share of a batch in the running statistics, the value of PyTorch.
const MOMENTUM: f64 = 0.1;

/// A convolution with its batch norm, and the gate that follows them.
struct Layer {
    shape: ConvolutionShape,
    /// Outputs × inputs × side × side.
    weight: Var,
    /// The scales of the channels, then their shifts.
    scales: Var,
    gate: Option<TrainedGate>,
    running: Vec<Statistics>,
}

/// A CNN whose weights can be trained.
pub struct TrainedCnn {
    shape: CnnShape,
    layers: Vec<Layer>,
    head: TrainedHead,
    plan: Arc<Plan>,
}

impl TrainedCnn {
    /// Draws the first weights from a seed: uniform within ±√(6 / inputs) of a sum that ReLU follows (He and others,
    /// 2015). The last scale of a residual block begins at 0, so that the block begins as its shortcut. On the CPU a matrix
    /// unit, if there is one, multiplies filters and boards in bfloat16.
    pub fn new(shape: CnnShape, seed: u64, unit: Option<MatrixUnit>, device: &Device) -> Result<TrainedCnn> {
        let mut random = FirstWeights::new(seed);
        let layers = shape
            .convolutions()
            .into_iter()
            .map(|shape| Layer::new(shape, &mut random, device))
            .collect::<Result<_>>()?;
        Ok(TrainedCnn {
            plan: Arc::new(Plan::new(&shape, unit)),
            head: TrainedHead::new(&shape.dense(), &mut random, device)?,
            shape,
            layers,
        })
    }

    /// The variables: weights and scales of each convolution, with those of its gate, then weight and bias of each dense
    /// layer.
    pub fn vars(&self) -> Vec<Var> {
        let layers = self.layers.iter().flat_map(Layer::vars).cloned();
        layers.chain(self.head.vars()).collect()
    }

    /// The outputs before tanh, one for each position of the batch; the running statistics move towards the batch's.
    /// On the CPU all convolutions and norms are one operation, elsewhere candle's operations do it.
    pub fn forward(&mut self, batch: &Boards) -> Result<Tensor> {
        let planes = self.planes(batch)?;
        let (averages, statistics) = if planes.device().is_cpu() {
            body(&planes, &self.parameters()?, &self.plan)?
        } else {
            self.averages_plain(&planes)?
        };
        for (layer, batch) in self.layers.iter_mut().zip(statistics) {
            for (running, batch) in layer.running.iter_mut().zip(batch) {
                running.mean += MOMENTUM * (batch.mean - running.mean);
                running.variance += MOMENTUM * (batch.variance - running.variance);
            }
        }
        self.numbers(&averages)
    }

    /// The inputs of a batch on the net's device (blocks × planes × squares × lanes).
    fn planes(&self, batch: &Boards) -> Result<Tensor> {
        let dims = (batch.blocks(), PLANES, SQUARES, batch.lanes);
        Tensor::from_slice(&batch.planes, dims, self.layers[0].weight.device())
    }

    /// The variables of all convolutions in one row, as the body takes them.
    fn parameters(&self) -> Result<Tensor> {
        let parts = self.layers.iter().flat_map(Layer::vars);
        let parts = parts.map(|var| var.flatten_all()).collect::<Result<Vec<_>>>()?;
        Tensor::cat(&parts, 0)
    }

    /// What the body does, in candle's operations.
    fn averages_plain(&self, planes: &Tensor) -> Result<(Tensor, Vec<Vec<Statistics>>)> {
        let mut layers = self.layers.iter();
        let mut statistics = Vec::new();
        let boards = self.shape.walk(planes.clone(), |boards: &Tensor, shortcut| {
            let layer = layers.next().expect("the shape names the layers");
            let (result, found) = layer.finish(&layer.convolve(boards)?, shortcut)?;
            statistics.push(found);
            Ok::<Tensor, candle_core::Error>(result)
        })?;
        Ok((boards.mean(2)?, statistics))
    }

    /// The output head, on averages (blocks × channels × lanes).
    fn numbers(&self, averages: &Tensor) -> Result<Tensor> {
        let (blocks, channels, lanes) = averages.dims3()?;
        let averages = averages.transpose(1, 2)?.contiguous()?;
        self.head.forward(&averages.reshape((blocks * lanes, channels))?)
    }

    /// The running statistics as tensors, for a checkpoint: means and variances of each convolution.
    pub fn running(&self) -> Result<Vec<Tensor>> {
        let tensor = |layer: &Layer| {
            let means = layer.running.iter().map(|statistics| statistics.mean);
            let variances = layer.running.iter().map(|statistics| statistics.variance);
            let numbers: Vec<f64> = means.chain(variances).collect();
            Tensor::from_vec(numbers, (2, layer.running.len()), &Device::Cpu)
        };
        self.layers.iter().map(tensor).collect()
    }

    /// Puts back what [`TrainedCnn::running`] gave.
    ///
    /// # Errors
    /// If the number of tensors or a shape differs.
    pub fn set_running(&mut self, saved: &[Tensor]) -> Result<()> {
        if saved.len() != self.layers.len() {
            bail!(
                "{} running statistics for {} convolutions",
                saved.len(),
                self.layers.len()
            );
        }
        for (layer, saved) in self.layers.iter_mut().zip(saved) {
            let rows = saved.to_vec2::<f64>()?;
            if rows.len() != 2 || rows[0].len() != layer.running.len() {
                bail!("running statistics have the shape {:?}", saved.dims());
            }
            for (channel, running) in layer.running.iter_mut().enumerate() {
                (running.mean, running.variance) = (rows[0][channel], rows[1][channel]);
            }
        }
        Ok(())
    }

    /// The weights as a net file holds them, the norms folded in with their running statistics.
    pub fn weights(&self) -> Result<CnnWeights> {
        Ok(CnnWeights {
            shape: self.shape.clone(),
            convolutions: self.layers.iter().map(Layer::folded).collect::<Result<_>>()?,
            dense: self.head.weights()?,
        })
    }

    /// Takes over the weights of a net file, whose norms are folded into the convolutions. Each is unfolded with the
    /// statistics of the sample, so that the net computes the same as the file's, and on the sample does so in training
    /// mode too.
    ///
    /// # Errors
    /// If a shape differs.
    pub fn unfold(&mut self, weights: &CnnWeights, sample: &Boards) -> Result<()> {
        let planes = self.planes(sample)?;
        let mut layers = self.layers.iter_mut().zip(&weights.convolutions);
        self.shape.walk(planes, |boards: &Tensor, shortcut| {
            let (layer, folded) = layers.next().expect("the shape names the layers");
            layer.unfold(folded, boards, shortcut)
        })?;
        self.head.set(&weights.dense)
    }
}

impl Layer {
    fn new(shape: ConvolutionShape, random: &mut FirstWeights, device: &Device) -> Result<Layer> {
        let ConvolutionShape {
            inputs,
            outputs,
            side,
            shortcut,
            gate,
        } = shape;
        let weights = random.he(shape.weights(), inputs * side * side);
        let mut scales = vec![if shortcut { 0f32 } else { 1.0 }; outputs];
        scales.resize(2 * outputs, 0.0);
        let start = Statistics {
            mean: 0.0,
            variance: 1.0,
        };
        Ok(Layer {
            shape,
            weight: Var::from_vec(weights, (outputs, inputs, side, side), device)?,
            scales: Var::from_vec(scales, 2 * outputs, device)?,
            gate: gate
                .map(|gate| TrainedGate::new(gate, random, device))
                .transpose()?,
            running: vec![start; outputs],
        })
    }

    /// The variables: weights, scales, and those of the gate.
    fn vars(&self) -> impl Iterator<Item = &Var> {
        let gate = self.gate.iter().flat_map(TrainedGate::vars);
        [&self.weight, &self.scales].into_iter().chain(gate)
    }

    /// What follows the convolution, in candle's operations: the norm, the gate if there is one, the shortcut of a residual
    /// block if given, and ReLU. Returns the statistics of the channels too.
    fn finish(&self, convolved: &Tensor, shortcut: Option<&Tensor>) -> Result<(Tensor, Vec<Statistics>)> {
        let (mut boards, statistics) = normalise_plain(convolved, &self.scales)?;
        if let Some(gate) = &self.gate {
            boards = gate.apply(&boards)?;
        }
        Ok((finish_plain(boards, shortcut)?, statistics))
    }

    /// The convolution alone, in candle's operations.
    fn convolve(&self, boards: &Tensor) -> Result<Tensor> {
        match self.shape.side {
            1 => pointwise(boards, &self.weight),
            _ => convolve_plain(boards, &self.weight),
        }
    }

    /// Takes over a convolution with its norm folded in, and returns its results for boards. The filters are rescaled
    /// to the size of freshly drawn ones, for which the norm compensates: a step of the optimiser then turns them as
    /// far as in a new net.
    fn unfold(&mut self, folded: &Convolution, boards: &Tensor, shortcut: Option<&Tensor>) -> Result<Tensor> {
        let terms = self.shape.weights() / self.shape.outputs;
        let mut filters = folded.weight.clone();
        let growth: Vec<f64> = filters.chunks_exact_mut(terms).map(give_first_size).collect();
        let device = self.weight.device().clone();
        self.weight
            .set(&Tensor::from_vec(filters, self.weight.shape(), &device)?)?;
        let convolved = self.convolve(boards)?;
        self.running = statistics_plain(&convolved)?;
        let channels = self.running.iter().zip(&growth);
        let scales = channels.clone().map(|(found, growth)| found.deviation() / growth);
        let shifts = channels
            .zip(&folded.bias)
            .map(|((found, growth), &bias)| found.mean / growth + bias as f64);
        let scales: Vec<f32> = scales.chain(shifts).map(|number| number as f32).collect();
        self.scales
            .set(&Tensor::from_vec(scales, self.scales.shape(), &device)?)?;
        if let (Some(gate), Some(folded)) = (&self.gate, &folded.gate) {
            gate.set(folded)?;
        }
        Ok(self.finish(&convolved, shortcut)?.0)
    }

    fn folded(&self) -> Result<Convolution> {
        let scales = self.scales.to_vec1::<f32>()?;
        let (scales, shifts) = scales.split_at(self.shape.outputs);
        let factors: Vec<f64> = self
            .running
            .iter()
            .zip(scales)
            .map(|(running, &scale)| scale as f64 / running.deviation())
            .collect();
        let mut weight = self.weight.flatten_all()?.to_vec1::<f32>()?;
        let filters = weight.chunks_exact_mut(self.shape.weights() / self.shape.outputs);
        for (filter, &factor) in filters.zip(&factors) {
            filter
                .iter_mut()
                .for_each(|weight| *weight = (*weight as f64 * factor) as f32);
        }
        let bias = self.running.iter().zip(&factors).zip(shifts);
        let bias = bias.map(|((running, factor), &shift)| (shift as f64 - running.mean * factor) as f32);
        Ok(Convolution {
            shape: self.shape,
            weight,
            bias: bias.collect(),
            gate: self.gate.as_ref().map(TrainedGate::weights).transpose()?,
        })
    }
}

/// Rescales a filter's weights to the size of freshly drawn ones, He's mean square of 2 / terms; returns the factor.
fn give_first_size(filter: &mut [f32]) -> f64 {
    let squares: f64 = filter.iter().map(|&weight| f64::from(weight).powi(2)).sum();
    if squares == 0.0 {
        return 1.0;
    }
    let growth = (2.0 / squares).sqrt();
    filter
        .iter_mut()
        .for_each(|weight| *weight = (f64::from(*weight) * growth) as f32);
    growth
}

/// A 1 × 1 convolution as a product.
fn pointwise(boards: &Tensor, weight: &Tensor) -> Result<Tensor> {
    let (blocks, inputs, squares, lanes) = boards.dims4()?;
    let outputs = weight.dim(0)?;
    let weight = weight
        .reshape((1, outputs, inputs))?
        .broadcast_as((blocks, outputs, inputs))?;
    let result = weight
        .contiguous()?
        .matmul(&boards.reshape((blocks, inputs, squares * lanes))?)?;
    result.reshape((blocks, outputs, squares, lanes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::data::{Label, Record};
    use crate::nets::Evaluator;
    use crate::nets::cnn::blocks::{BLOCK, BoardNet, Tiled};
    use crate::nets::cnn::reference::Cnn;
    use crate::nets::curve::{Curve, Orientation};
    use crate::nets::encoding::PLANE_INPUTS;
    use crate::nets::net::{FORMAT, Net, NetInfo};

    const CURVE: Curve = Curve::Tanh { scale: 800.0 };

    fn boards(positions: &[Position]) -> Boards {
        let records: Vec<Record> = positions
            .iter()
            .map(|position| Record::new(position).with_label(Label::centipawns(10)))
            .collect();
        Boards::encode(&records, Orientation::Mover, BLOCK)
    }

    fn positions(count: usize) -> Vec<Position> {
        let mut position = Position::default();
        let mut positions = vec![position];
        while positions.len() < count {
            let moves = position.legal_moves();
            position = match moves.get(positions.len() * 7 % moves.len().max(1)) {
                Some(&m) => position.after(m),
                None => Position::default(),
            };
            positions.push(position);
        }
        positions
    }

    fn trained(layout: &str) -> Result<TrainedCnn> {
        let mut model = TrainedCnn::new(layout.parse().unwrap(), 3, None, &Device::Cpu)?;
        // scales of residual blocks begin at 0 and would hide their convolutions
        for layer in &model.layers {
            let scales = (0..2 * layer.shape.outputs).map(|n| 0.5 + 0.1 * (n as f32).sin());
            layer.scales.set(&Tensor::from_iter(scales, &Device::Cpu)?)?;
        }
        let batch = boards(&positions(64));
        for _ in 0..40 {
            model.forward(&batch)?;
        }
        Ok(model)
    }

    const LAYOUTS: [&str; 3] = [
        "16-1x1:6-12-2r-pool-8-1",
        "16-8-1x1:4-pool-1",
        "16-12-1r-2se-pool-8-1",
    ];

    /// What was trained, folded into a net file, computed by candle and by blocks of boards: all the same.
    #[test]
    fn the_net_file_computes_what_was_trained() -> Result<()> {
        for layout in LAYOUTS {
            let mut model = trained(layout)?;
            let info = NetInfo {
                format: FORMAT,
                name: "test".into(),
                architecture: layout.parse::<CnnShape>().unwrap().architecture(),
                orientation: Orientation::Mover,
                curve: CURVE,
                data: String::new(),
                positions: 0,
                validation: None,
                recipe: None,
            };
            let net = Net::of_cnn(info, &model.weights()?);
            let positions = positions(64);
            // the running statistics have come close to those of this very batch
            let sums = model.forward(&boards(&positions))?.to_vec1::<f32>()?;
            let reference = Cnn::new(&net, &Device::Cpu).unwrap().scores(&positions)?;
            for (sum, score) in sums.iter().zip(&reference) {
                let wanted = CURVE.score_before_tanh(*sum);
                assert!(
                    (wanted - score).abs() <= 20 + score.abs() / 20,
                    "{layout}: {wanted} {score}"
                );
            }
            let mut tiled = Tiled::new(&net).unwrap();
            let mut found = Vec::new();
            tiled.evaluate_batch(&positions, &mut found);
            let single: Vec<_> = positions
                .iter()
                .map(|position| tiled.evaluate(position))
                .collect();
            for ((found, single), wanted) in found.iter().zip(&single).zip(&reference) {
                assert!(
                    (found - wanted).abs() <= 1 && (single - wanted).abs() <= 1,
                    "{layout}"
                );
            }
        }
        Ok(())
    }

    #[test]
    fn the_body_and_candles_operations_agree_in_values_and_gradients() -> Result<()> {
        for layout in LAYOUTS {
            let model = trained(layout)?;
            let batch = boards(&positions(64));
            let dims = (batch.blocks(), PLANES, SQUARES, batch.lanes);
            let planes = Tensor::from_slice(&batch.planes, dims, &Device::Cpu)?;
            for (unit, tolerance) in [(None, 1e-3), (Some(MatrixUnit::portable()), 0.1)] {
                let plan = Arc::new(Plan::new(&model.shape, unit));
                let (fused, one) = body(&planes, &model.parameters()?, &plan)?;
                let (plain, other) = model.averages_plain(&planes)?;
                let difference =
                    |a: &Tensor, b: &Tensor| (a - b)?.abs()?.flatten_all()?.max(0)?.to_scalar::<f32>();
                assert!(difference(&fused, &plain)? < tolerance / 10.0, "{layout}");
                for (one, other) in one.iter().flatten().zip(other.iter().flatten()) {
                    let near = |one: f64, other: f64| (one - other).abs() < f64::from(tolerance);
                    assert!(near(one.mean, other.mean) && near(one.variance, other.variance));
                }
                // a loss that weighs every average differently
                let loss = |averages: &Tensor| model.numbers(averages)?.sqr()?.sum_all()?.backward();
                let (fused, plain) = (loss(&fused)?, loss(&plain)?);
                for var in model.vars() {
                    let (found, wanted) = (fused.get(&var).unwrap(), plain.get(&var).unwrap());
                    let largest = wanted.abs()?.flatten_all()?.max(0)?.to_scalar::<f32>()?;
                    let found = difference(found, wanted)?;
                    assert!(
                        found <= tolerance * largest.max(1e-2),
                        "{layout} {unit:?} {:?}: {found} of {largest}",
                        var.dims()
                    );
                }
            }
        }
        Ok(())
    }

    /// The sample's sums in training mode are those of the finished net, and the norms fold in again to its weights.
    #[test]
    fn norms_are_unfolded() -> Result<()> {
        for layout in LAYOUTS {
            let weights = trained(layout)?.weights()?;
            let mut model = TrainedCnn::new(layout.parse().unwrap(), 8, None, &Device::Cpu)?;
            let sample = boards(&positions(64));
            model.unfold(&weights, &sample)?;
            let again = model.weights()?;
            let near = |found: &[f32], wanted: &[f32]| {
                let mut pairs = found.iter().zip(wanted);
                pairs.all(|(found, wanted)| (found - wanted).abs() < 1e-4 + 1e-3 * wanted.abs())
            };
            for (found, wanted) in again.convolutions.iter().zip(&weights.convolutions) {
                assert!(near(&found.weight, &wanted.weight), "{layout}");
                assert!(near(&found.bias, &wanted.bias), "{layout}");
                assert_eq!(found.gate, wanted.gate, "{layout}");
            }
            assert_eq!(again.dense, weights.dense);
            let finished =
                BoardNet::new(&weights).forward(sample.planes[..PLANE_INPUTS * BLOCK].to_vec(), BLOCK);
            let sums = model.forward(&sample)?.to_vec1::<f32>()?;
            assert!(near(&sums[..BLOCK], &finished), "{layout}: {sums:?} {finished:?}");
        }
        Ok(())
    }

    #[test]
    fn running_statistics_survive_a_checkpoint() -> Result<()> {
        let model = trained(LAYOUTS[0])?;
        let mut other = TrainedCnn::new(LAYOUTS[0].parse().unwrap(), 9, None, &Device::Cpu)?;
        other.set_running(&model.running()?)?;
        for (one, other) in model.layers.iter().zip(&other.layers) {
            assert_eq!(one.running, other.running);
        }
        assert!(other.set_running(&model.running()?[1..]).is_err());
        Ok(())
    }
}
