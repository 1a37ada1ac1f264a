//! The weights of a control net as its file holds them: `layer0.weight` (hidden units × 65) and `layer0.bias`,
//! `layer1.weight` (6 × hidden units) and `layer1.bias`, and `advantage` (3), the steps of the fitted curve.

use super::KIND;
use super::head::AdvantageCurve;
use super::shape::ControlShape;
use crate::nets::curve::Orientation;
use crate::nets::net::{Architecture, Dense, Net, NetError, NetInfo, NetTensor};

/// The tensor of [`AdvantageCurve::steps`].
const ADVANTAGE: &str = "advantage";

/// The layers of a control net, with its shape and curve.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlWeights {
    /// The sizes of the layers.
    pub shape: ControlShape,
    /// From the inputs to the hidden units, and from these to the outputs.
    pub layers: [Dense; 2],
    /// What an advantage is worth.
    pub advantage: AdvantageCurve,
}

impl ControlShape {
    /// How a net file describes it.
    pub fn architecture(&self) -> Architecture {
        Architecture::new(KIND, self)
    }
}

impl Net {
    /// The layers of a control net.
    ///
    /// # Errors
    /// If the net is not a control net, a tensor is missing or does not have the shape that the layout requires, or the
    /// curve decreases.
    pub fn control(&self) -> Result<ControlWeights, NetError> {
        self.expect_kind(KIND)?;
        if self.info.orientation != Orientation::White {
            let reason = "a control net sees the board as it is: its orientation is white";
            return Err(NetError::Metadata(reason.into()));
        }
        let shape: ControlShape = self.info.architecture.layout.parse()?;
        let [(inputs, hidden), (_, outputs)] = shape.layers();
        let steps = &self.tensor(ADVANTAGE, &[3])?.values;
        let advantage = AdvantageCurve {
            steps: [steps[0], steps[1], steps[2]],
        };
        if !advantage.is_valid() {
            let reason = format!("tensor `{ADVANTAGE}` holds a step below 0");
            return Err(NetError::Metadata(reason));
        }
        Ok(ControlWeights {
            shape,
            layers: [
                self.dense("layer0", inputs, hidden)?,
                self.dense("layer1", hidden, outputs)?,
            ],
            advantage,
        })
    }

    /// A net made of the layers of a control net.
    pub fn of_control(info: NetInfo, weights: &ControlWeights) -> Net {
        let mut net = Net::empty(info);
        for (number, layer) in weights.layers.iter().enumerate() {
            net.add_dense(&format!("layer{number}"), layer);
        }
        let steps = NetTensor {
            shape: vec![3],
            values: weights.advantage.steps.to_vec(),
        };
        net.tensors.insert(ADVANTAGE.to_string(), steps);
        net
    }
}
