//! The transformer as a candle model: the reference that the fast path must agree with, the implementation on GPUs, and
//! the reference for gradients.

use super::layers::EPSILON;
use super::shape::{SQUARES, SUMMARY, TransformerShape};
use super::weights::{Linear, TransformerPlan, TransformerWeights};
use crate::board::{Bitboard, Position};
use crate::nets::device;
use crate::nets::encoding;
use crate::nets::encoding::{PLANE_INPUTS, PLANES};
use crate::nets::head::OutputHead;
use crate::nets::net::{Net, NetError};
use crate::nets::score::Score;
use crate::nets::stateless::Stateless;
use candle_core::{D, Device, Result, Tensor};
use candle_nn::ops;
use std::ops::Range;

/// A trained transformer as an evaluator, computed by candle.
#[derive(Clone, Debug)]
pub struct Transformer {
    plan: TransformerPlan,
    /// One for each of [`TransformerPlan::parameters`].
    parameters: Vec<Tensor>,
    head: OutputHead,
    device: Device,
}

impl Transformer {
    /// The model of a transformer, on a device.
    ///
    /// # Errors
    /// If the net is not a transformer, or the device's memory is too small for it.
    pub fn new(net: &Net, device: &Device) -> std::result::Result<Transformer, NetError> {
        let TransformerWeights { plan, values } = net.transformer()?;
        let parameters = plan.parameters.iter().map(|parameter| {
            let numbers = &values[parameter.place.clone()];
            Tensor::from_slice(numbers, &parameter.dims[..], device)
        });
        let parameters = parameters
            .collect::<Result<_>>()
            .map_err(|error| NetError::Device(error.to_string()))?;
        Ok(Transformer {
            plan,
            parameters,
            head: OutputHead::of(&net.info),
            device: device.clone(),
        })
    }

    /// The scores of positions, each for its side to move.
    ///
    /// # Errors
    /// If the device runs out of memory or fails.
    pub fn scores(&self, positions: &[Position]) -> Result<Vec<Score>> {
        Ok(self.head.scores(positions, self.sums(positions)?).collect())
    }

    /// The outputs before tanh.
    ///
    /// # Errors
    /// As [`Transformer::scores`].
    pub fn sums(&self, positions: &[Position]) -> Result<Vec<f32>> {
        if positions.is_empty() {
            return Ok(Vec::new());
        }
        let boards: Vec<_> = positions
            .iter()
            .map(|position| {
                let view = self.head.orientation.view(position.side_to_move());
                encoding::plane_boards(position, view)
            })
            .collect();
        let planes = planes(&boards, &self.device)?;
        forward(&self.plan, &self.parameters, &planes)?.to_vec1()
    }
}

/// The planes of positions as numbers (positions × 64 × 16).
///
/// # Errors
/// If the device runs out of memory.
pub fn planes(boards: &[[u64; PLANES]], device: &Device) -> Result<Tensor> {
    let mut numbers = vec![0f32; boards.len() * PLANE_INPUTS];
    for (boards, numbers) in boards.iter().zip(numbers.chunks_exact_mut(PLANE_INPUTS)) {
        for (plane, squares) in boards.iter().enumerate() {
            for square in Bitboard(*squares) {
                numbers[square.index() * PLANES + plane] = 1.0;
            }
        }
    }
    Tensor::from_vec(numbers, (boards.len(), SQUARES, PLANES), device)
}

/// The outputs before tanh (positions) for planes (positions × 64 × 16). The parameters are in the plan's order; all
/// operations have gradients.
///
/// # Errors
/// If the device runs out of memory or fails.
pub fn forward(plan: &TransformerPlan, parameters: &[Tensor], planes: &Tensor) -> Result<Tensor> {
    let graph = Graph { plan, parameters };
    let shape = &plan.shape;
    let embedded = planes.reshape(((), PLANES))?.matmul(graph.tensor(&plan.planes))?;
    let embedded = embedded.reshape((planes.dim(0)?, SQUARES, shape.width))?;
    let mut tokens = embedded.broadcast_add(graph.tensor(&plan.squares))?;
    for block in &plan.blocks {
        let projected = graph.linear(&normal(&tokens)?, &block.project)?;
        let summaries = projected.narrow(D::Minus1, 3 * shape.width, SUMMARY)?;
        let code = graph
            .linear(&summaries.contiguous()?.flatten_from(1)?, &block.code)?
            .relu()?;
        let mixture = graph.linear(&code, &block.mixture)?;
        let gathered = attend(shape, &projected, &mixture, graph.tensor(&plan.templates))?;
        tokens = (tokens + graph.linear(&gathered, &block.out)?)?;
        let hidden = graph.linear(&normal(&tokens)?, &block.up)?.relu()?;
        tokens = (tokens + graph.linear(&hidden, &block.down)?)?;
    }
    let mut hidden = normal(&tokens)?.mean(1)?;
    for (number, layer) in plan.dense.iter().enumerate() {
        hidden = graph.linear(&hidden, layer)?;
        if number + 1 < plan.dense.len() {
            hidden = hidden.relu()?;
        }
    }
    hidden.flatten_all()
}

/// Tensors with the plan that names them.
struct Graph<'a> {
    plan: &'a TransformerPlan,
    parameters: &'a [Tensor],
}

impl Graph<'_> {
    /// The tensor that stands at this place of the row.
    fn tensor(&self, place: &Range<usize>) -> &Tensor {
        let mut all = self.plan.parameters.iter().zip(self.parameters);
        let found = all.find(|(parameter, _)| parameter.place == *place);
        found.expect("the plan names every place").1
    }

    /// A product with its bias, of the last dimension.
    fn linear(&self, inputs: &Tensor, layer: &Linear) -> Result<Tensor> {
        let mut dims = inputs.dims().to_vec();
        *dims.last_mut().expect("rows have numbers") = layer.outputs;
        let rows = inputs.reshape(((), layer.inputs))?;
        let product = rows.matmul(&self.tensor(&layer.weight).t()?)?;
        product.broadcast_add(self.tensor(&layer.bias))?.reshape(dims)
    }
}

/// Tokens divided by the root of their mean square.
fn normal(tokens: &Tensor) -> Result<Tensor> {
    let square = tokens.sqr()?.mean_keepdim(D::Minus1)?;
    tokens.broadcast_div(&(square + f64::from(EPSILON))?.sqrt()?)
}

/// The outputs of the heads: positions × 64 × width.
fn attend(
    shape: &TransformerShape,
    projected: &Tensor,
    mixture: &Tensor,
    templates: &Tensor,
) -> Result<Tensor> {
    let positions = projected.dim(0)?;
    let (heads, of_head) = (shape.heads, shape.head_width());
    // positions × heads × 64 × numbers of a head
    let part = |number: usize| {
        let part = projected.narrow(D::Minus1, number * shape.width, shape.width)?;
        part.reshape((positions, SQUARES, heads, of_head))?
            .transpose(1, 2)?
            .contiguous()
    };
    let templates = templates.flatten_from(1)?;
    let bias = mixture
        .reshape((positions * heads, shape.templates))?
        .matmul(&templates)?
        .reshape((positions, heads, SQUARES, SQUARES))?;
    let weights = ops::softmax(&(part(0)?.matmul(&part(1)?.t()?)? + bias)?, D::Minus1)?;
    weights
        .matmul(&part(2)?)?
        .transpose(1, 2)?
        .contiguous()?
        .reshape((positions, SQUARES, shape.width))
}

impl Stateless for Transformer {
    fn score_all(&mut self, positions: &[Position], scores: &mut Vec<Score>) {
        scores.extend(
            self.scores(positions)
                .expect("the layers were checked when the net was read"),
        );
    }

    fn preferred_batch(&self) -> usize {
        device::batch_size(&self.device)
    }
}
