//! The output head of nets in training: dense layers with ReLU between them, down to one number before tanh.

use super::first_weights::FirstWeights;
use crate::nets::head::DenseLayers;
use crate::nets::net::Dense;
use candle_core::{Device, Result, Tensor, Var};

/// Dense layers, each followed by ReLU but the last, which gives the sum before tanh.
pub struct TrainedHead {
    /// Weight (inputs × outputs) and bias (outputs) of each.
    layers: Vec<(Var, Var)>,
}

impl TrainedHead {
    /// Draws the first weights of layers with these numbers of inputs and outputs, He's way; biases begin at 0.
    ///
    /// # Errors
    /// Those of candle.
    pub fn new(layers: &[(usize, usize)], random: &mut FirstWeights, device: &Device) -> Result<TrainedHead> {
        let layers = layers.iter().map(|&(inputs, outputs)| {
            let weight = Var::from_vec(random.he(inputs * outputs, inputs), (inputs, outputs), device)?;
            Ok((weight, Var::from_vec(vec![0f32; outputs], outputs, device)?))
        });
        Ok(TrainedHead {
            layers: layers.collect::<Result<_>>()?,
        })
    }

    /// The variables, weight before bias, from the first layer on.
    pub fn vars(&self) -> impl Iterator<Item = Var> {
        let layers = self.layers.iter();
        layers.flat_map(|(weight, bias)| [weight.clone(), bias.clone()])
    }

    /// The sums before tanh (positions) for what the net found in each position (positions × inputs).
    ///
    /// # Errors
    /// If the shapes do not fit, or the device fails.
    pub fn forward(&self, features: &Tensor) -> Result<Tensor> {
        let layers = self.layers.iter();
        let layers = layers.map(|(weight, bias)| Ok((weight.t()?, bias.as_tensor().clone())));
        DenseLayers::of_tensors(layers.collect::<Result<Vec<_>>>()?).forward(features)
    }

    /// Takes over the layers of a net file.
    ///
    /// # Errors
    /// If a shape differs.
    pub fn set(&self, layers: &[Dense]) -> Result<()> {
        set_layers(&self.layers, layers)
    }

    /// The layers as a net file holds them.
    ///
    /// # Errors
    /// Those of candle.
    pub fn weights(&self) -> Result<Vec<Dense>> {
        let layers = self.layers.iter();
        layers.map(|(weight, bias)| dense(weight, bias)).collect()
    }
}

/// A layer in training, weights (inputs × outputs) and biases (outputs), as a net file holds it.
///
/// # Errors
/// Those of candle.
pub fn dense(weight: &Tensor, bias: &Tensor) -> Result<Dense> {
    let (inputs, outputs) = weight.dims2()?;
    Ok(Dense {
        inputs,
        outputs,
        weight: weight.t()?.contiguous()?.flatten_all()?.to_vec1()?,
        bias: bias.to_vec1()?,
    })
}

/// Takes over layers of a net file, each the reverse of [`dense`].
///
/// # Errors
/// If a shape differs.
pub fn set_layers(vars: &[(Var, Var)], layers: &[Dense]) -> Result<()> {
    for ((weight, bias), layer) in vars.iter().zip(layers) {
        let device = weight.device();
        let rows = Tensor::from_slice(&layer.weight, (layer.outputs, layer.inputs), device)?;
        weight.set(&rows.t()?.contiguous()?)?;
        bias.set(&Tensor::from_slice(&layer.bias, layer.outputs, device)?)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The head beside sums by hand, from the layers that its net file holds.
    #[test]
    fn the_layers_of_the_net_file_give_the_sums_of_the_head() -> Result<()> {
        let head = TrainedHead::new(&[(3, 4), (4, 1)], &mut FirstWeights::new(7), &Device::Cpu)?;
        head.layers[0]
            .1
            .set(&Tensor::new(&[0.1f32, -0.2, 0.3, 0.0], &Device::Cpu)?)?;
        head.layers[1].1.set(&Tensor::new(&[0.5f32], &Device::Cpu)?)?;
        let features = [[0.5f32, -1.0, 2.0], [0.0, 3.0, -0.25]];
        let found = head
            .forward(&Tensor::new(&features, &Device::Cpu)?)?
            .to_vec1::<f32>()?;
        let layers = head.weights()?;
        for (features, found) in features.iter().zip(found) {
            let sum = |layer: &Dense, row: usize, inputs: &[f32]| {
                let weights = &layer.weight[row * layer.inputs..][..layer.inputs];
                layer.bias[row]
                    + weights
                        .iter()
                        .zip(inputs)
                        .map(|(weight, x)| weight * x)
                        .sum::<f32>()
            };
            let hidden: Vec<f32> = (0..4)
                .map(|row| sum(&layers[0], row, features).max(0.0))
                .collect();
            assert!((sum(&layers[1], 0, &hidden) - found).abs() < 1e-6);
        }
        assert_eq!(head.vars().count(), 4);
        Ok(())
    }
}
