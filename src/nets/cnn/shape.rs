//! The layout of a CNN.

use crate::nets::encoding::PLANES;
use crate::nets::layout::LayoutError;
use std::fmt;
use std::str::FromStr;

/// The most channels or units that a net file may ask for: more than is useful, few enough that sizes cannot overflow.
const MAX_WIDTH: usize = 4096;
/// The most stages or dense layers that a net file may ask for.
const MAX_STAGES: usize = 64;
/// The examples of layouts in error messages.
const EXAMPLES: &str = "16-64-5r-pool-64-1 or 16-64-5se-pool-64-1";
/// How many channels there are to one unit of a gate's hidden layer.
const GATE_REDUCTION: usize = 8;
/// The least number of these units.
const LEAST_GATE_UNITS: usize = 8;

/// A part of a CNN before the pooling. Each convolution is followed by batch norm and ReLU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A 1 × 1 convolution to this many channels.
    Pointwise(usize),
    /// A 3 × 3 convolution to this many channels, with zero padding.
    Convolution(usize),
    /// A residual block: two 3 × 3 convolutions with as many channels as before, whose input is added before the last
    /// ReLU. If it is gated, each channel is weighted before that, by a factor that depends on the whole board
    /// (squeeze-and-excitation; see [`Gate`](super::gate::Gate)).
    Residual {
        /// Whether it is.
        gated: bool,
    },
}

/// The shape of a CNN on the 16 planes. Its text form is a chain: `16-1x1:50-256-512-512-1024-pool-64-1` is the net of
/// the thesis (`1x1:50` a 1 × 1 convolution, `256` a 3 × 3 one, `pool` the average over the board, then dense layers);
/// `16-64-5r-pool-64-1` has five residual blocks, and `16-64-5se-pool-64-1` has five gated ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CnnShape {
    /// The stages before the pooling.
    pub stages: Vec<Stage>,
    /// Units of the dense layers between the pooling and the output, each followed by ReLU; the output has tanh.
    pub hidden: Vec<usize>,
}

/// The shape of one convolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConvolutionShape {
    pub inputs: usize,
    pub outputs: usize,
    /// The side of the filter: 3 or 1.
    pub side: usize,
    /// Whether it ends a residual block: the block's input is added before ReLU.
    pub shortcut: bool,
    /// The gate at the end of a residual block, if the block has one.
    pub gate: Option<GateShape>,
}

/// The shape of a gate: two dense layers, from the averages of all channels to a few units and back to the channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GateShape {
    /// Channels that it weights.
    pub channels: usize,
    /// Units between its two layers.
    pub units: usize,
}

impl GateShape {
    /// The gate of so many channels.
    pub fn new(channels: usize) -> GateShape {
        GateShape {
            channels,
            units: (channels / GATE_REDUCTION).max(LEAST_GATE_UNITS),
        }
    }

    /// Inputs and outputs of its layers.
    pub fn layers(self) -> [(usize, usize); 2] {
        [(self.channels, self.units), (self.units, self.channels)]
    }

    /// The number of weights of both layers.
    pub fn weights(self) -> usize {
        2 * self.channels * self.units
    }

    /// The number of weights and biases of both layers.
    pub fn parameters(self) -> usize {
        self.weights() + self.units + self.channels
    }
}

impl ConvolutionShape {
    /// The number of weights.
    pub fn weights(self) -> usize {
        self.inputs * self.outputs * self.side * self.side
    }
}

impl CnnShape {
    /// The convolutions in order.
    pub fn convolutions(&self) -> Vec<ConvolutionShape> {
        let mut inputs = PLANES;
        let mut all = Vec::new();
        for &stage in &self.stages {
            let (outputs, side, count, gated) = match stage {
                Stage::Pointwise(outputs) => (outputs, 1, 1, false),
                Stage::Convolution(outputs) => (outputs, 3, 1, false),
                Stage::Residual { gated } => (inputs, 3, 2, gated),
            };
            for number in 0..count {
                let shortcut = number == 1;
                all.push(ConvolutionShape {
                    inputs,
                    outputs,
                    side,
                    shortcut,
                    gate: (shortcut && gated).then(|| GateShape::new(outputs)),
                });
                inputs = outputs;
            }
        }
        all
    }

    /// Applies the convolutions in order: `layer` is called for each with its input and, if it ends a residual block,
    /// the input of the block.
    ///
    /// # Errors
    /// The first error of `layer`.
    pub fn walk<B, E>(
        &self,
        boards: B,
        mut layer: impl FnMut(&B, Option<&B>) -> Result<B, E>,
    ) -> Result<B, E> {
        let mut boards = boards;
        for stage in &self.stages {
            boards = match stage {
                Stage::Residual { .. } => {
                    let inner = layer(&boards, None)?;
                    layer(&inner, Some(&boards))?
                }
                Stage::Pointwise(_) | Stage::Convolution(_) => layer(&boards, None)?,
            };
        }
        Ok(boards)
    }

    /// Inputs and outputs of the dense layers, the output layer included.
    pub fn dense(&self) -> Vec<(usize, usize)> {
        let channels = self.convolutions().last().map_or(PLANES, |last| last.outputs);
        let widths = [channels]
            .into_iter()
            .chain(self.hidden.iter().copied())
            .chain([1]);
        let widths: Vec<usize> = widths.collect();
        widths.windows(2).map(|pair| (pair[0], pair[1])).collect()
    }

    /// Multiply-adds for one position, counted for direct convolution.
    pub fn operations(&self) -> usize {
        let convolutions = self.convolutions();
        let gates = convolutions.iter().filter_map(|shape| shape.gate);
        let gates: usize = gates.map(GateShape::weights).sum();
        let convolutions: usize = convolutions.iter().map(|shape| shape.weights() * 64).sum();
        convolutions
            + gates
            + self
                .dense()
                .iter()
                .map(|(inputs, outputs)| inputs * outputs)
                .sum::<usize>()
    }
}

impl fmt::Display for CnnShape {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{PLANES}")?;
        for run in self
            .stages
            .chunk_by(|a, b| a == b && matches!(a, Stage::Residual { .. }))
        {
            match run[0] {
                Stage::Pointwise(channels) => write!(f, "-1x1:{channels}")?,
                Stage::Convolution(channels) => write!(f, "-{channels}")?,
                Stage::Residual { gated: false } => write!(f, "-{}r", run.len())?,
                Stage::Residual { gated: true } => write!(f, "-{}se", run.len())?,
            }
        }
        write!(f, "-pool")?;
        for units in &self.hidden {
            write!(f, "-{units}")?;
        }
        write!(f, "-1")
    }
}

impl FromStr for CnnShape {
    type Err = LayoutError;

    fn from_str(text: &str) -> Result<CnnShape, LayoutError> {
        let fail = |reason: String| LayoutError::new(text, reason, EXAMPLES);
        let fields: Vec<&str> = text.split('-').collect();
        let pool = fields.iter().position(|&field| field == "pool");
        let pool = pool
            .ok_or_else(|| fail("`pool` is missing between the convolutions and the dense layers".into()))?;
        let (before, after) = (&fields[..pool], &fields[pool + 1..]);
        if before.first() != Some(&PLANES.to_string().as_str()) {
            return Err(fail(format!("it must begin with {PLANES} planes")));
        }
        if after.last() != Some(&"1") {
            return Err(fail("it must end with one output".into()));
        }
        let width = |field: &str| match field.parse() {
            Ok(width @ 1..=MAX_WIDTH) if !field.starts_with(['+', '0']) => Ok(width),
            _ => Err(fail(format!("`{field}` is not a number from 1 to {MAX_WIDTH}"))),
        };
        let mut stages = Vec::new();
        for field in &before[1..] {
            let (stage, count) = if let Some(channels) = field.strip_prefix("1x1:") {
                (Stage::Pointwise(width(channels)?), 1)
            } else if let Some(count) = field.strip_suffix('r') {
                (Stage::Residual { gated: false }, width(count)?)
            } else if let Some(count) = field.strip_suffix("se") {
                (Stage::Residual { gated: true }, width(count)?)
            } else {
                (Stage::Convolution(width(field)?), 1)
            };
            stages.extend(std::iter::repeat_n(stage, count.min(MAX_STAGES + 1)));
        }
        let hidden = after[..after.len() - 1].iter().map(|field| width(field));
        let hidden = hidden.collect::<Result<Vec<_>, _>>()?;
        if stages.is_empty() || stages.len() > MAX_STAGES || hidden.len() > MAX_STAGES {
            return Err(fail(format!("it needs 1 to {MAX_STAGES} stages before `pool`")));
        }
        Ok(CnnShape { stages, hidden })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const THESIS: &str = "16-1x1:50-256-512-512-1024-pool-64-1";
    const SMALL: &str = "16-64-5r-pool-64-1";
    const GATED: &str = "16-64-5se-pool-64-1";

    #[test]
    fn layouts_are_read_and_printed() {
        assert_eq!(EXAMPLES, format!("{SMALL} or {GATED}"));
        for text in [
            THESIS,
            SMALL,
            GATED,
            "16-8-2r-4-1r-pool-1",
            "16-8-1r-2se-3r-4-1se-pool-1",
        ] {
            assert_eq!(text.parse::<CnnShape>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "16-64-1",
            "15-64-pool-1",
            "16-pool-1",
            "16-64-pool",
            "16-64-pool-2",
            "16-0-pool-1",
            "16-64-99999r-pool-1",
            "16-64-65se-pool-1",
            "16-64-se-pool-1",
            "16-64-0se-pool-1",
            "16-64-1rse-pool-1",
            "16-x-pool-1",
            "16-3x3:5-pool-1",
        ] {
            assert!(text.parse::<CnnShape>().is_err(), "{text} was taken for a layout");
        }
    }

    #[test]
    fn the_small_net_is_twenty_times_cheaper_than_that_of_the_thesis() {
        let [thesis, small] = [THESIS, SMALL].map(|text| text.parse::<CnnShape>().unwrap());
        assert_eq!(thesis.convolutions().len(), 5);
        assert_eq!(small.convolutions().len(), 11);
        assert_eq!(thesis.dense(), [(1024, 64), (64, 1)]);
        let three = |inputs: usize, outputs: usize| 9 * inputs * outputs * 64;
        let by_hand = 16 * 50 * 64 + three(50, 256) + three(256, 512) + three(512, 512) + three(512, 1024);
        assert_eq!(thesis.operations(), by_hand + 1024 * 64 + 64);
        let ratio = thesis.operations() as f64 / small.operations() as f64;
        assert!((18.0..24.0).contains(&ratio), "{ratio}");
    }

    #[test]
    fn gates_end_residual_blocks_and_cost_next_to_nothing() {
        let [plain, gated] = [SMALL, GATED].map(|text| text.parse::<CnnShape>().unwrap());
        for (number, (plain, gated)) in plain.convolutions().iter().zip(gated.convolutions()).enumerate() {
            let gate = (number > 0 && number % 2 == 0).then_some(GateShape {
                channels: 64,
                units: 8,
            });
            assert_eq!(gated, ConvolutionShape { gate, ..*plain });
        }
        let gate = GateShape::new(64);
        assert_eq!(gate.weights(), 64 * 8 + 8 * 64);
        assert_eq!(gate.parameters(), 64 * 8 + 8 + 8 * 64 + 64);
        assert_eq!(gated.operations(), plain.operations() + 5 * gate.weights());
        assert_eq!(
            [12, 64, 256].map(|channels| GateShape::new(channels).units),
            [8, 8, 32]
        );
    }
}
