//! The MLP as a candle model: the reference that every faster path must agree with.

use super::MlpKind;
use super::shape::{Activation, MlpShape, Nonlinearity};
use crate::board::Position;
use crate::nets::device;
use crate::nets::encoding::{self, View};
use crate::nets::head::OutputHead;
use crate::nets::mlp::weights::MlpWeights;
use crate::nets::net::{Dense, Net, NetError};
use crate::nets::reference::Reference;
use crate::nets::score::Score;
use crate::nets::stateless::Stateless;
use candle_core::{DType, Device, Result, Tensor};
use candle_nn::{Linear, Module};

/// The layers of an MLP on a device, for inference only; training uses its own form with transposed weights.
#[derive(Clone, Debug)]
pub struct MlpModel {
    shape: MlpShape,
    layers: Vec<Linear>,
}

/// Consecutive rows of a batch whose positions share an output bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    pub bucket: usize,
    /// The first row.
    pub start: usize,
    /// The number of rows.
    pub length: usize,
}

/// Groups the buckets of a batch's rows into runs. A batch sorted by bucket has the fewest.
pub fn runs(buckets: impl IntoIterator<Item = usize>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (row, bucket) in buckets.into_iter().enumerate() {
        match runs.last_mut() {
            Some(run) if run.bucket == bucket => run.length += 1,
            _ => runs.push(Run {
                bucket,
                start: row,
                length: 1,
            }),
        }
    }
    runs
}

impl MlpModel {
    /// A model whose layers hold these tensors: for each layer the weights (rows × inputs) and biases (rows).
    pub fn new(shape: MlpShape, tensors: Vec<(Tensor, Tensor)>) -> Result<MlpModel> {
        if tensors.len() != shape.layers() {
            candle_core::bail!("{shape} has {} layers, not {}", shape.layers(), tensors.len());
        }
        for (layer, (weight, bias)) in tensors.iter().enumerate() {
            let (rows, inputs) = (shape.rows_of(layer), shape.inputs_of(layer));
            if weight.dims() != [rows, inputs] || bias.dims() != [rows] {
                candle_core::bail!(
                    "layer {layer} of {shape} is {rows} x {inputs}, not {:?}",
                    weight.dims()
                );
            }
        }
        let layers = tensors
            .into_iter()
            .map(|(weight, bias)| Linear::new(weight, Some(bias)));
        Ok(MlpModel {
            shape,
            layers: layers.collect(),
        })
    }

    /// A model with the weights of a net, in f32.
    pub fn from_weights(weights: &MlpWeights, device: &Device) -> Result<MlpModel> {
        let tensors = weights.layers.iter().map(|layer| {
            let weight = Tensor::from_slice(&layer.weight, (layer.outputs, layer.inputs), device)?;
            Ok((weight, Tensor::from_slice(&layer.bias, layer.outputs, device)?))
        });
        MlpModel::new(weights.shape.clone(), tensors.collect::<Result<_>>()?)
    }

    pub fn shape(&self) -> &MlpShape {
        &self.shape
    }

    /// The outputs before tanh (batch) for dense inputs (batch × 774 · regions), one tensor for each perspective.
    pub fn forward(&self, perspectives: &[Tensor], runs: &[Run]) -> Result<Tensor> {
        let halves = perspectives
            .iter()
            .map(|inputs| self.layers[0].forward(inputs))
            .collect::<Result<Vec<_>>>()?;
        self.forward_from_first(&Tensor::cat(&halves, 1)?, runs)
    }

    /// The outputs before tanh (batch) for the first layer's sums before its activation, with the perspectives side by
    /// side (batch × perspectives · units).
    pub fn forward_from_first(&self, first: &Tensor, runs: &[Run]) -> Result<Tensor> {
        let first = match self.shape.nonlinearity(0) {
            Some(Nonlinearity::Pairs) => products_of_pairs(first, self.shape.perspectives)?,
            _ => activate(first, self.shape.first_activation)?,
        };
        if self.shape.buckets == 1 {
            return self.tower(&first, 0);
        }
        let outputs = runs
            .iter()
            .map(|run| self.tower(&first.narrow(0, run.start, run.length)?, run.bucket))
            .collect::<Result<Vec<_>>>()?;
        Tensor::cat(&outputs, 0)
    }

    /// The layers after the first, of one bucket.
    fn tower(&self, hidden: &Tensor, bucket: usize) -> Result<Tensor> {
        let mut hidden = hidden.clone();
        let mut straight = None;
        for layer in 1..self.shape.layers() {
            hidden = self.layer_of_bucket(layer, bucket)?.forward(&hidden)?;
            match self.shape.nonlinearity(layer) {
                Some(Nonlinearity::Each(activation)) => hidden = activate(&hidden, activation)?,
                Some(Nonlinearity::Pairs) => hidden = products_of_pairs(&hidden, 1)?,
                Some(Nonlinearity::Twice) => {
                    let (outputs, last) = activated_twice(&hidden)?;
                    (hidden, straight) = (outputs, Some(last));
                }
                None => {}
            }
        }
        match straight {
            Some(straight) => (hidden + straight)?.flatten_all(),
            None => hidden.flatten_all(),
        }
    }

    fn layer_of_bucket(&self, layer: usize, bucket: usize) -> Result<Linear> {
        let all = &self.layers[layer];
        if self.shape.buckets == 1 {
            return Ok(all.clone());
        }
        let rows = self.shape.units_of(layer);
        let part = |tensor: &Tensor| tensor.narrow(0, bucket * rows, rows);
        let bias = all.bias().map(part).transpose()?;
        Ok(Linear::new(part(all.weight())?, bias))
    }
}

/// Applies an activation.
pub fn activate(x: &Tensor, activation: Activation) -> Result<Tensor> {
    match activation {
        Activation::Relu => x.relu(),
        Activation::ClippedRelu => x.clamp(0f32, 1f32),
        Activation::SquaredClippedRelu => x.clamp(0f32, 1f32)?.sqr(),
    }
}

/// [`Nonlinearity::Pairs`] of sums with the perspectives side by side (batch × perspectives · units), which its products
/// keep (batch × perspectives · units / 2).
pub fn products_of_pairs(x: &Tensor, perspectives: usize) -> Result<Tensor> {
    let (rows, width) = x.dims2()?;
    let half = width / perspectives / 2;
    let clipped = x.clamp(0f32, 1f32)?.reshape((rows * perspectives, 2 * half))?;
    let products = (clipped.narrow(1, 0, half)? * clipped.narrow(1, half, half)?)?;
    products.reshape((rows, width / 2))
}

/// [`Nonlinearity::Twice`] of sums (batch × units + 1): its outputs (batch × 2 · units), and the sums that go straight to
/// the net's output (batch × 1).
pub fn activated_twice(x: &Tensor) -> Result<(Tensor, Tensor)> {
    let units = x.dims2()?.1 - 1;
    let sums = x.narrow(1, 0, units)?;
    let squares = sums.sqr()?.minimum(1f32)?;
    let outputs = Tensor::cat(&[squares, sums.clamp(0f32, 1f32)?], 1)?;
    Ok((outputs, x.narrow(1, units, 1)?))
}

/// A trained MLP as an evaluator.
///
/// `Evaluator::evaluate` sums the first layer's rows of the set bits itself and computes the other layers with candle;
/// [`Mlp::evaluate_dense`] computes everything with candle. Both agree up to rounding. A single position is computed on
/// the calling thread, because the matrix library parallelizes only products of about 590,000 multiplications or more; a
/// batch may use all of rayon's threads.
#[derive(Clone, Debug)]
pub struct Mlp {
    model: MlpModel,
    head: OutputHead,
    /// The first layer's weights, a row of units for every input.
    rows: Vec<f32>,
    bias: Vec<f32>,
    device: Device,
}

impl Mlp {
    /// The model of an MLP, on the CPU.
    ///
    /// # Errors
    /// If the net is not an MLP.
    pub fn new(net: &Net) -> std::result::Result<Mlp, NetError> {
        Mlp::on(net, &Device::Cpu)
    }

    /// The model of an MLP, on a device. The first layer of single positions is computed on the CPU.
    ///
    /// # Errors
    /// If the net is not an MLP, or the device's memory is too small for it.
    pub fn on(net: &Net, device: &Device) -> std::result::Result<Mlp, NetError> {
        let weights = net.mlp()?;
        let model =
            MlpModel::from_weights(&weights, device).map_err(|error| NetError::Device(error.to_string()))?;
        Ok(Mlp {
            model,
            head: OutputHead::of(&net.info),
            rows: transposed(&weights.layers[0]),
            bias: weights.layers[0].bias.clone(),
            device: device.clone(),
        })
    }

    /// The layout of the net.
    pub fn shape(&self) -> &MlpShape {
        &self.model.shape
    }

    /// The scores of positions, for the side to move, computed by candle from dense inputs: the reference.
    pub fn evaluate_dense(&self, positions: &[Position]) -> Result<Vec<Score>> {
        Ok(self.head.scores(positions, self.sums(positions)?).collect())
    }

    /// The outputs before tanh, by candle from dense inputs.
    ///
    /// # Errors
    /// If the device runs out of memory or fails.
    pub fn sums(&self, positions: &[Position]) -> Result<Vec<f32>> {
        if positions.is_empty() {
            return Ok(Vec::new());
        }
        let mut perspectives = vec![Vec::new(); self.shape().perspectives];
        for position in positions {
            for (inputs, view) in perspectives.iter_mut().zip(self.views(position)) {
                let start = inputs.len() + view.first_input();
                inputs.resize(inputs.len() + self.shape().inputs_of(0), 0.0);
                inputs[start..][..encoding::INPUTS].copy_from_slice(&encoding::dense(position, view));
            }
        }
        let shape = (positions.len(), self.shape().inputs_of(0));
        let tensors = perspectives
            .into_iter()
            .map(|inputs| Tensor::from_vec(inputs, shape, &self.device))
            .collect::<Result<Vec<_>>>()?;
        self.model.forward(&tensors, &self.runs(positions))?.to_vec1()
    }

    fn evaluate_sparse(&self, positions: &[Position]) -> Result<Vec<Score>> {
        if positions.is_empty() {
            return Ok(Vec::new());
        }
        let width = self.bias.len() * self.shape().perspectives;
        let mut first = Vec::with_capacity(positions.len() * width);
        for position in positions {
            for view in self.views(position) {
                self.push_first_layer(position, view, &mut first);
            }
        }
        let first = Tensor::from_vec(first, (positions.len(), width), &self.device)?;
        let sums = self.model.forward_from_first(&first, &self.runs(positions))?;
        self.scores(positions, &sums)
    }

    /// Appends the first layer's sums for one position and view, before its activation.
    fn push_first_layer(&self, position: &Position, view: View, first: &mut Vec<f32>) {
        let units = self.bias.len();
        let start = first.len();
        first.extend_from_slice(&self.bias);
        let rows = &self.rows[view.first_input() * units..];
        for input in encoding::active(position, view) {
            let row = &rows[input as usize * units..][..units];
            for (sum, weight) in first[start..].iter_mut().zip(row) {
                *sum += weight;
            }
        }
    }

    fn views(&self, position: &Position) -> impl Iterator<Item = View> {
        self.shape().views(self.head.orientation, position)
    }

    fn runs(&self, positions: &[Position]) -> Vec<Run> {
        let count = |position: &Position| position.occupied().count() as usize;
        runs(
            positions
                .iter()
                .map(|position| self.shape().bucket(count(position))),
        )
    }

    /// Turns outputs before tanh into scores for the side to move.
    fn scores(&self, positions: &[Position], sums: &Tensor) -> Result<Vec<Score>> {
        let sums = sums.to_dtype(DType::F32)?.to_vec1::<f32>()?;
        Ok(self.head.scores(positions, sums).collect())
    }
}

/// The weights of a layer, transposed to one row per input.
fn transposed(layer: &Dense) -> Vec<f32> {
    (0..layer.inputs)
        .flat_map(|input| (0..layer.outputs).map(move |output| layer.weight[output * layer.inputs + input]))
        .collect()
}

impl Stateless for Mlp {
    fn score_all(&mut self, positions: &[Position], scores: &mut Vec<Score>) {
        scores.extend(
            self.evaluate_sparse(positions)
                .expect("the layers were checked when the net was read"),
        );
    }

    fn preferred_batch(&self) -> usize {
        device::batch_size(&self.device)
    }
}

impl Reference for MlpKind {
    type Model = Mlp;

    fn reference(net: &Net, device: &Device) -> std::result::Result<Mlp, NetError> {
        Mlp::on(net, device)
    }

    fn outputs(model: &Mlp, positions: &[Position]) -> Result<Vec<f32>> {
        Ok(model.sums(positions)?.into_iter().map(f32::tanh).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tensors_are_made_nonlinear_like_single_rows() -> Result<()> {
        let numbers: Vec<f32> = (0..48).map(|n| 1.7 * (n as f32 * 0.7).sin()).collect();
        let x = Tensor::from_slice(&numbers, (4, 12), &Device::Cpu)?;
        for perspectives in [1, 2] {
            let views = numbers.chunks_exact(12 / perspectives);
            let wanted: Vec<f32> = views.flat_map(|view| Nonlinearity::Pairs.apply(view)).collect();
            let products = products_of_pairs(&x, perspectives)?;
            assert_eq!(products.dims(), [4, 6]);
            assert_eq!(products.flatten_all()?.to_vec1::<f32>()?, wanted);
        }
        let (outputs, straight) = activated_twice(&x)?;
        let rows = numbers.chunks_exact(12);
        let wanted: Vec<f32> = rows
            .clone()
            .flat_map(|row| Nonlinearity::Twice.apply(row))
            .collect();
        assert_eq!(outputs.flatten_all()?.to_vec1::<f32>()?, wanted);
        let last: Vec<f32> = rows.map(|row| row[11]).collect();
        assert_eq!(straight.flatten_all()?.to_vec1::<f32>()?, last);
        Ok(())
    }
}
