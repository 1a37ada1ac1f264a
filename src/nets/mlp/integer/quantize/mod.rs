//! An MLP in integers.
//!
//! The scales are chosen when a net is loaded: as large as possible while no sum can overflow in any position that a FEN
//! can describe, which is proved from the weights. A net that would become too coarse is refused.
//!
//! A first layer with a bounded activation gives bytes, and the second layer multiplies bytes with bytes ([`dense`]):
//!
//! | what | unit | bound |
//! |---|---|---|
//! | accumulator | [`FirstLayer::scale`] | 16 bits, for up to 16 pieces of either colour |
//! | first output | 1 is 127, or less if the accumulators are too coarse | 7 bits |
//! | second layer's weights | a scale for each unit | ± 127 |
//! | sums | the product of the units of inputs and weights | 32 bits, with all inputs at their largest |
//! | later outputs | the sum's, divided by a power of two | saturates at 15 bits |
//! | later weights | a scale for each unit | 16 bits |
//! | output | one scale for all buckets | 51 bits |
//!
//! Rounding the second layer of the default net to bytes changes its squared error from 0.00819 to 0.00820.
//!
//! Without a bound, bytes would be too coarse: first outputs have 15 bits, all weights 16, and a scale for each layer
//! ([`lists`]). The layers then are wide, and are computed from the inputs above zero alone.

pub mod dense;
pub mod first;
mod grouping;
pub mod lists;

use super::calibration;
use crate::nets::curve::{Curve, Orientation};
use crate::nets::encoding;
use crate::nets::mlp::shape::MlpShape;
use crate::nets::net::{Net, NetError};
use dense::Dense;
use first::FirstLayer;
use lists::Lists;

/// The largest scale of the weights of later layers.
const LARGEST_WEIGHT_SCALE: f64 = 65_536.0;
/// The largest sum of a later layer: 32 bits, minus half a unit of the next activation (2¹⁵ at most) for rounding.
const LARGEST_SUM: f64 = i32::MAX as f64 - 65_536.0;
/// A net is refused if the largest weight of a layer would be quantized to less than this.
const LEAST_WEIGHT: f64 = 64.0;
/// The largest activation.
const ACTIVATION_MAX: f64 = i16::MAX as f64;
/// Unclipped activations may reach this many times the largest that calibration found.
const HEADROOM: f64 = 8.0;
/// Input bits of the pieces.
pub const PIECE_BITS: usize = encoding::SIDE_TO_MOVE as usize;
/// Why a net cannot be quantized; candle can still compute it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum QuantizeError {
    /// The net is invalid.
    #[error(transparent)]
    Net(#[from] NetError),
    /// A weight or bias is infinite or NaN.
    #[error("layer {0} of the net holds a number that is not finite")]
    NotFinite(usize),
    /// A squared activation after another layer than the first.
    #[error("layer {0} of the net has a squared activation, which only the first may have here")]
    Squared(usize),
    /// The first layer would need more than 16 bits, or be too coarse in them.
    #[error("the first layer's sums can reach {sum:.0}, 16-bit accumulators hold them up to {largest:.0}")]
    Accumulator {
        /// The largest sum that any position causes.
        sum: f64,
        /// The largest sum that is accepted.
        largest: f64,
    },
    /// A later layer would need more than 32 bits, or be too coarse in them.
    #[error(
        "layer {layer}'s sums can grow so large that its largest weight would be {weight:.1} in 32 bits, which is too little"
    )]
    Sum {
        /// Counted from 0.
        layer: usize,
        /// The integer that the largest weight would become.
        weight: f64,
    },
}

/// The layers after the first.
#[derive(Clone, Debug)]
pub enum Later {
    /// After a bounded activation.
    Dense(Dense),
    /// After ReLU.
    Lists(Lists),
}

/// An MLP in integers.
#[derive(Clone, Debug)]
pub struct QuantizedMlp {
    pub shape: MlpShape,
    /// The net's point of view.
    pub orientation: Orientation,
    /// The conversion of its output to centipawns.
    pub curve: Curve,
    /// The accumulators' layer.
    pub first: FirstLayer,
    pub later: Later,
}

impl QuantizedMlp {
    /// Quantizes a net.
    pub fn new(net: &Net) -> Result<QuantizedMlp, QuantizeError> {
        let mut weights = net.mlp()?;
        for (number, layer) in weights.layers.iter().enumerate() {
            if !layer.weight.iter().chain(&layer.bias).all(|x| x.is_finite()) {
                return Err(QuantizeError::NotFinite(number));
            }
        }
        let found = calibration::run(net, &weights);
        grouping::group(&mut weights, &found.first);
        let first = first::quantize(&weights)?;
        let later = match first.activation {
            Some(_) => Later::Dense(dense::quantize(&weights, &first, &found.largest)?),
            None => Later::Lists(lists::quantize(&weights, &first, &found.largest)?),
        };
        Ok(QuantizedMlp {
            shape: weights.shape,
            orientation: net.info.orientation,
            curve: net.info.curve,
            first,
            later,
        })
    }

    /// The integer for an output of 1 before the final tanh.
    pub fn scale(&self) -> f64 {
        match &self.later {
            Later::Dense(dense) => dense.scale,
            Later::Lists(lists) => lists.output.scale,
        }
    }
}

fn round(number: f32, scale: f64) -> f64 {
    (number as f64 * scale).round()
}
