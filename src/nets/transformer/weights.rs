//! The weights of a transformer: one row of numbers, and where each tensor of the net file stands in it.
//!
//! A net file has `planes` (16 × width), `squares` (64 × width) and `templates` (templates × 64 × 64); for each block
//! `block0.project`, `block0.code`, `block0.mixture`, `block0.out`, `block0.up` and `block0.down`, each with `.weight`
//! (outputs × inputs) and `.bias`; then `dense0.weight`, `dense0.bias` … What they do is told in [`super`].

use super::KIND;
use super::shape::{CODE, SQUARES, SUMMARY, TransformerShape};
use crate::nets::encoding::PLANES;
use crate::nets::net::{Architecture, Net, NetError, NetInfo, NetTensor};
use std::ops::Range;

/// A tensor of the net file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in the file.
    pub name: String,
    /// Its dimensions, slowest first.
    pub dims: Vec<usize>,
    /// Where its numbers stand in the row.
    pub place: Range<usize>,
}

/// A product with a bias.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linear {
    /// Numbers that come in.
    pub inputs: usize,
    /// Numbers that go out.
    pub outputs: usize,
    /// Where the weights (outputs × inputs) stand in the row.
    pub weight: Range<usize>,
    /// Where the biases stand.
    pub bias: Range<usize>,
}

/// The products of an encoder block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockPlan {
    /// From a token to its queries, keys, values and summary.
    pub project: Linear,
    /// From the summaries of all tokens to hidden units.
    pub code: Linear,
    /// From those to the share of each template in the bias of each head (heads × templates).
    pub mixture: Linear,
    /// From what the heads gathered to what is added to a token.
    pub out: Linear,
    /// From a token to the feed-forward units.
    pub up: Linear,
    /// From those to what is added to the token.
    pub down: Linear,
}

/// Where the parameters of a shape stand in their row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransformerPlan {
    pub shape: TransformerShape,
    /// Every tensor, in the order of the row.
    pub parameters: Vec<Parameter>,
    /// What a set plane adds to a token (planes × width).
    pub planes: Range<usize>,
    /// What a square adds to its token (64 × width).
    pub squares: Range<usize>,
    /// Templates × 64 × 64.
    pub templates: Range<usize>,
    /// The encoder blocks.
    pub blocks: Vec<BlockPlan>,
    /// The layers after the pooling.
    pub dense: Vec<Linear>,
}

impl TransformerPlan {
    /// The plan of a shape.
    pub fn new(shape: TransformerShape) -> TransformerPlan {
        let mut row = Row::default();
        let planes = row.tensor("planes".into(), vec![PLANES, shape.width]);
        let squares = row.tensor("squares".into(), vec![SQUARES, shape.width]);
        let templates = row.tensor("templates".into(), vec![shape.templates, SQUARES, SQUARES]);
        let blocks = (0..shape.blocks).map(|number| {
            let mut linear =
                |name: &str, inputs, outputs| row.linear(format!("block{number}.{name}"), inputs, outputs);
            BlockPlan {
                project: linear("project", shape.width, shape.projected()),
                code: linear("code", SQUARES * SUMMARY, CODE),
                mixture: linear("mixture", CODE, shape.heads * shape.templates),
                out: linear("out", shape.width, shape.width),
                up: linear("up", shape.width, shape.feed_forward),
                down: linear("down", shape.feed_forward, shape.width),
            }
        });
        let blocks = blocks.collect();
        let dense = shape.dense().into_iter().enumerate();
        let dense =
            dense.map(|(number, (inputs, outputs))| row.linear(format!("dense{number}"), inputs, outputs));
        TransformerPlan {
            planes,
            squares,
            templates,
            blocks,
            dense: dense.collect(),
            parameters: row.parameters,
            shape,
        }
    }

    /// How many numbers the row has.
    pub fn length(&self) -> usize {
        self.parameters.last().map_or(0, |last| last.place.end)
    }
}

/// A row under construction.
#[derive(Default)]
struct Row {
    parameters: Vec<Parameter>,
    end: usize,
}

impl Row {
    fn tensor(&mut self, name: String, dims: Vec<usize>) -> Range<usize> {
        let place = self.end..self.end + dims.iter().product::<usize>();
        self.end = place.end;
        self.parameters.push(Parameter {
            name,
            dims,
            place: place.clone(),
        });
        place
    }

    fn linear(&mut self, name: String, inputs: usize, outputs: usize) -> Linear {
        Linear {
            inputs,
            outputs,
            weight: self.tensor(format!("{name}.weight"), vec![outputs, inputs]),
            bias: self.tensor(format!("{name}.bias"), vec![outputs]),
        }
    }
}

/// The weights of a transformer with their plan.
#[derive(Clone, Debug, PartialEq)]
pub struct TransformerWeights {
    /// Where each parameter is stored in `values`.
    pub plan: TransformerPlan,
    /// All parameters in one row.
    pub values: Vec<f32>,
}

impl TransformerShape {
    /// How a net file describes it.
    pub fn architecture(&self) -> Architecture {
        Architecture::new(KIND, self)
    }
}

impl Net {
    /// The weights of a transformer.
    ///
    /// # Errors
    /// If the net is of another kind, or a tensor is missing or has another shape than the layout says.
    pub fn transformer(&self) -> Result<TransformerWeights, NetError> {
        self.expect_kind(KIND)?;
        let plan = TransformerPlan::new(self.info.architecture.layout.parse()?);
        let mut values = Vec::with_capacity(plan.length());
        for parameter in &plan.parameters {
            let tensor = self.tensor(&parameter.name, &parameter.dims)?;
            values.extend_from_slice(&tensor.values);
        }
        Ok(TransformerWeights { plan, values })
    }

    /// A net made of the weights of a transformer.
    pub fn of_transformer(info: NetInfo, weights: &TransformerWeights) -> Net {
        let mut net = Net::empty(info);
        for parameter in &weights.plan.parameters {
            let tensor = NetTensor {
                shape: parameter.dims.clone(),
                values: weights.values[parameter.place.clone()].to_vec(),
            };
            net.tensors.insert(parameter.name.clone(), tensor);
        }
        net
    }
}
