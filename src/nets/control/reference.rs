//! The control net as a candle model: the reference that the faster path must agree with.

use super::encoding::{INPUTS, encode};
use super::head::{AdvantageCurve, OUTPUTS, advantage};
use crate::board::Position;
use crate::nets::curve::{Curve, Orientation};
use crate::nets::device;
use crate::nets::net::{Net, NetError};
use crate::nets::score::Score;
use crate::nets::stateless::Stateless;
use candle_core::{Device, Result, Tensor};
use candle_nn::ops::sigmoid;
use candle_nn::{Linear, Module};

/// A trained control net that gives positions scores, computed by candle.
#[derive(Clone, Debug)]
pub struct ControlModel {
    layers: [Linear; 2],
    advantage: AdvantageCurve,
    curve: Curve,
    device: Device,
}

impl ControlModel {
    /// The model of a control net, on a device.
    ///
    /// # Errors
    /// If the net is not a control net, or does not fit into the device's memory.
    pub fn new(net: &Net, device: &Device) -> std::result::Result<ControlModel, NetError> {
        let weights = net.control()?;
        let [first, second] = &weights.layers;
        let layer = |layer: &crate::nets::net::Dense| -> Result<Linear> {
            let weight = Tensor::from_slice(&layer.weight, (layer.outputs, layer.inputs), device)?;
            let bias = Tensor::from_slice(&layer.bias, layer.outputs, device)?;
            Ok(Linear::new(weight, Some(bias)))
        };
        let layers = || Ok([layer(first)?, layer(second)?]);
        Ok(ControlModel {
            layers: layers().map_err(|error: candle_core::Error| NetError::Device(error.to_string()))?,
            advantage: weights.advantage,
            curve: net.info.curve,
            device: device.clone(),
        })
    }

    /// The six outputs for each position.
    ///
    /// # Errors
    /// If the device has no room or fails.
    pub fn outputs(&self, positions: &[Position]) -> Result<Vec<[f32; OUTPUTS]>> {
        if positions.is_empty() {
            return Ok(Vec::new());
        }
        let inputs: Vec<f32> = positions
            .iter()
            .flat_map(|position| encode(position).map(f32::from))
            .collect();
        let mut values = Tensor::from_vec(inputs, (positions.len(), INPUTS), &self.device)?;
        for layer in &self.layers {
            values = sigmoid(&layer.forward(&values)?)?;
        }
        let values = values.flatten_all()?.to_vec1::<f32>()?;
        Ok(values.as_chunks().0.to_vec())
    }

    /// The scores of positions, each for its side to move.
    ///
    /// # Errors
    /// If the device has no room or fails.
    pub fn scores(&self, positions: &[Position]) -> Result<Vec<Score>> {
        let values = self.values(positions)?;
        let scores = positions.iter().zip(values).map(|(position, value)| {
            Orientation::White.for_mover(self.curve.score(value), position.side_to_move())
        });
        Ok(scores.collect())
    }

    /// The values (-1 to 1, for White) that the six outputs stand for.
    ///
    /// # Errors
    /// As [`ControlModel::outputs`].
    pub fn values(&self, positions: &[Position]) -> Result<Vec<f32>> {
        let outputs = self.outputs(positions)?.into_iter();
        Ok(outputs
            .map(|outputs| self.advantage.value(advantage(&outputs)))
            .collect())
    }
}

impl Stateless for ControlModel {
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::nets::control::shape::ControlShape;
    use crate::nets::control::weights::ControlWeights;
    use crate::nets::net::{Dense, FORMAT, NetInfo, Precision};

    /// A net in which no two weights are alike.
    pub fn net(hidden: usize) -> Net {
        let shape = ControlShape { hidden };
        let number = |n: usize| ((n * 7919 + 13) % 251) as f32 / 512.0 - 0.25;
        let layer = |(inputs, outputs): (usize, usize)| Dense {
            inputs,
            outputs,
            weight: (0..inputs * outputs).map(number).collect(),
            bias: (0..outputs).map(|n| number(3 * n) - 0.5).collect(),
        };
        let info = NetInfo {
            format: FORMAT,
            name: "test".into(),
            architecture: shape.architecture(),
            orientation: Orientation::White,
            curve: Curve::THESIS,
            data: String::new(),
            positions: 0,
            validation: None,
            recipe: None,
        };
        let weights = ControlWeights {
            shape,
            layers: shape.layers().map(layer),
            advantage: AdvantageCurve {
                steps: [0.1, 0.2, 0.4],
            },
        };
        Net::of_control(info, &weights)
    }

    /// The positions of a game.
    pub fn positions() -> Vec<Position> {
        let mut position = Position::default();
        let mut positions = vec![position];
        for ply in 0..60 {
            let moves = position.legal_moves();
            let Some(&m) = moves.get(ply * 7 % moves.len().max(1)) else {
                break;
            };
            position.play(m);
            positions.push(position);
        }
        positions
    }

    /// The document's steps by hand for a net of one hidden unit that sees nothing but the turn.
    #[test]
    fn a_net_by_hand() {
        let mut net = net(1);
        let tensors = &mut net.tensors;
        let mut set = |name: &str, values: &[f32]| {
            let tensor = tensors.get_mut(name).unwrap();
            tensor.values.fill(0.0);
            tensor.values[..values.len()].copy_from_slice(values);
        };
        set("layer0.weight", &[]);
        set("layer0.bias", &[]);
        set("layer1.weight", &[2.0, -2.0, 0.0, 0.0, 0.0, 0.0]);
        set("layer1.bias", &[0.0, 0.0, 0.0, -1.3, -1.2, -9.0]);
        let weight = net.tensors.get_mut("layer0.weight").unwrap();
        weight.values[64] = 0.1;
        let model = ControlModel::new(&net, &Device::Cpu).unwrap();
        let sigmoid = |x: f32| 1.0 / (1.0 + (-x).exp());
        let white_moves = Position::default();
        let hidden = sigmoid(-1.0);
        let outputs = model.outputs(&[white_moves]).unwrap()[0];
        let wanted = [2.0 * hidden, -2.0 * hidden, 0.0, -1.3, -1.2, -9.0].map(sigmoid);
        assert!(
            outputs
                .iter()
                .zip(wanted)
                .all(|(found, wanted)| (found - wanted).abs() < 1e-6)
        );
        // the fourth output is below 0.22 and the last nearly 0: neither counts
        assert!(wanted[3] < 0.22 && wanted[4] > 0.22);
        let sum = wanted[0] + 2.0 * wanted[1] + 3.0 * wanted[2] - 2.0 * wanted[4];
        assert!(sum > 2.0 && sum < 3.0);
        let value = 0.1 + 0.2 + 0.4 * (sum - 2.0);
        assert_eq!(
            model.scores(&[white_moves]).unwrap(),
            [(1000.0 * value).round() as Score]
        );
        let mut null = white_moves;
        null.make_null();
        let [white, black] = [white_moves, null].map(|position| model.scores(&[position]).unwrap()[0]);
        assert!(
            black < 0 && -black != white,
            "the turn is an input, and scores are for the mover"
        );
    }

    #[test]
    fn nets_survive_the_file_and_what_is_wrong_is_named() {
        let net = net(5);
        assert_eq!(
            Net::from_bytes(&net.to_bytes(Precision::F32).unwrap()).unwrap(),
            net
        );
        let refused = |net: &Net| {
            Net::from_bytes(&net.to_bytes(Precision::F32).unwrap())
                .unwrap_err()
                .to_string()
        };
        let mut falling = net.clone();
        falling.tensors.get_mut("advantage").unwrap().values[1] = -0.5;
        assert!(refused(&falling).contains("advantage"));
        let mut without = net.clone();
        without.tensors.remove("advantage");
        assert!(refused(&without).contains("advantage"));
        let mut turned = net.clone();
        turned.info.orientation = Orientation::Mover;
        assert!(refused(&turned).contains("white"));
        let mut wider = net;
        wider.info.architecture.layout = "65-6-6".into();
        assert!(refused(&wider).contains("layer0.weight"));
    }
}
