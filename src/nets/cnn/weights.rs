//! The weights of a CNN as its net file holds them: `conv0.weight` (outputs × inputs × side × side) and `conv0.bias`,
//! `conv1.weight` and so on, in order, with batch norm folded in; then `dense0.weight`
//! (outputs × inputs), `dense0.bias` … If a residual block is gated and ends with convolution 2, its gate's dense layers are
//! `gate2.reduce` and `gate2.expand`.

use super::KIND;
use super::gate::Gate;
use super::shape::{CnnShape, ConvolutionShape, GateShape};
use crate::nets::net::{Architecture, Dense, Net, NetError, NetInfo, NetTensor};

/// A convolution with batch norm folded in.
#[derive(Clone, Debug, PartialEq)]
pub struct Convolution {
    pub shape: ConvolutionShape,
    /// Outputs × inputs × side × side.
    pub weight: Vec<f32>,
    /// One number for every output.
    pub bias: Vec<f32>,
    /// The gate that follows it, if its shape names one.
    pub gate: Option<Gate>,
}

/// The names of a gate's two layers, which follows the convolution of this number.
fn gate_names(number: usize) -> [String; 2] {
    ["reduce", "expand"].map(|layer| format!("gate{number}.{layer}"))
}

/// The layers of a CNN, with their shape.
#[derive(Clone, Debug, PartialEq)]
pub struct CnnWeights {
    pub shape: CnnShape,
    /// One for each of [`CnnShape::convolutions`].
    pub convolutions: Vec<Convolution>,
    /// One for each of [`CnnShape::dense`].
    pub dense: Vec<Dense>,
}

impl CnnShape {
    /// Its description in a net file.
    pub fn architecture(&self) -> Architecture {
        Architecture::new(KIND, self)
    }
}

impl Net {
    /// The layers of a CNN.
    ///
    /// # Errors
    /// If the net is not a CNN, or a tensor is missing or does not have the shape that the layout requires.
    pub fn cnn(&self) -> Result<CnnWeights, NetError> {
        self.expect_kind(KIND)?;
        let shape: CnnShape = self.info.architecture.layout.parse()?;
        let convolutions = shape
            .convolutions()
            .into_iter()
            .enumerate()
            .map(|(number, shape)| {
                let dims = [shape.outputs, shape.inputs, shape.side, shape.side];
                Ok(Convolution {
                    shape,
                    weight: self
                        .tensor(&format!("conv{number}.weight"), &dims)?
                        .values
                        .clone(),
                    bias: self
                        .tensor(&format!("conv{number}.bias"), &[shape.outputs])?
                        .values
                        .clone(),
                    gate: shape.gate.map(|shape| self.gate(number, shape)).transpose()?,
                })
            });
        let convolutions = convolutions.collect::<Result<_, NetError>>()?;
        let dense = shape.dense().into_iter().enumerate();
        let dense = dense
            .map(|(number, (inputs, outputs))| self.dense(&format!("dense{number}"), inputs, outputs))
            .collect::<Result<_, _>>()?;
        Ok(CnnWeights {
            shape,
            convolutions,
            dense,
        })
    }

    /// The gate behind a convolution.
    fn gate(&self, number: usize, shape: GateShape) -> Result<Gate, NetError> {
        let [reduce, expand] = gate_names(number);
        let GateShape { channels, units } = shape;
        Ok(Gate {
            layers: [
                self.dense(&reduce, channels, units)?,
                self.dense(&expand, units, channels)?,
            ],
        })
    }

    /// A net made of the layers of a CNN.
    pub fn of_cnn(info: NetInfo, weights: &CnnWeights) -> Net {
        let mut net = Net::empty(info);
        for (number, layer) in weights.convolutions.iter().enumerate() {
            let ConvolutionShape {
                inputs,
                outputs,
                side,
                ..
            } = layer.shape;
            let weight = NetTensor {
                shape: vec![outputs, inputs, side, side],
                values: layer.weight.clone(),
            };
            net.add(&format!("conv{number}"), weight, &layer.bias);
            if let Some(gate) = &layer.gate {
                let layers = gate_names(number).into_iter().zip(&gate.layers);
                layers.for_each(|(name, layer)| net.add_dense(&name, layer));
            }
        }
        for (number, layer) in weights.dense.iter().enumerate() {
            net.add_dense(&format!("dense{number}"), layer);
        }
        net
    }
}
