//! The variables of a control net in training.

use super::encode::Rows;
use crate::nets::control::encoding::INPUTS;
use crate::nets::control::head::{AdvantageCurve, OUTPUTS, advantage, units};
use crate::nets::control::shape::ControlShape;
use crate::nets::control::weights::ControlWeights;
use crate::training::first_weights::FirstWeights;
use crate::training::head::{dense, set_layers};
use candle_core::{Device, Result, Tensor, Var};
use candle_nn::ops::sigmoid;

/// The usual size of a position's 65 inputs, the root of the sum of their squares: about 30 pieces with codes from 2 to 7,
/// as many empty squares and the side to move.
const USUAL_SIZE: f64 = 22.0;
/// The curve that a training begins with: about what the bounds of the kinds of advantage are worth.
const FIRST_STEPS: [f32; 3] = [0.1, 0.2, 0.4];

/// A control net whose weights can be trained.
pub struct TrainedControl {
    shape: ControlShape,
    /// Weight (inputs × units) and bias (units) of the two layers.
    layers: [(Var, Var); 2],
    /// The steps of the curve.
    steps: Var,
}

impl TrainedControl {
    /// Draws the first weights from a random seed, so that sums before the sigmoids are about 1; biases begin at 0.
    ///
    /// # Errors
    /// Those of candle.
    pub fn new(shape: ControlShape, seed: u64, device: &Device) -> Result<TrainedControl> {
        let mut random = FirstWeights::new(seed);
        let mut layer = |(inputs, units): (usize, usize), size: f64| -> Result<(Var, Var)> {
            // a sum of uniform weights within ±b has the mean square b² / 3 times the square of its inputs' size
            let weights = random.uniform(inputs * units, 3f64.sqrt() / size);
            let weight = Var::from_vec(weights, (inputs, units), device)?;
            Ok((weight, Var::from_vec(vec![0f32; units], units, device)?))
        };
        let [first, second] = shape.layers();
        // hidden units lie around ½
        let hidden_size = (shape.hidden as f64).sqrt() / 2.0;
        Ok(TrainedControl {
            shape,
            layers: [layer(first, USUAL_SIZE)?, layer(second, hidden_size)?],
            steps: Var::from_slice(&FIRST_STEPS, 3, device)?,
        })
    }

    /// The variables, weight before bias, then the curve.
    pub fn vars(&self) -> Vec<Var> {
        let layers = self.layers.iter();
        let mut vars: Vec<Var> = layers
            .flat_map(|(weight, bias)| [weight.clone(), bias.clone()])
            .collect();
        vars.push(self.steps.clone());
        vars
    }

    /// The six sums before the last sigmoid (positions × 6).
    ///
    /// # Errors
    /// Those of candle.
    pub fn forward(&self, rows: &Rows) -> Result<Tensor> {
        let [(weight, bias), (last_weight, last_bias)] = &self.layers;
        let inputs = Tensor::from_slice(&rows.inputs, (rows.len(), INPUTS), weight.device())?;
        let hidden = sigmoid(&inputs.matmul(weight)?.broadcast_add(bias)?)?;
        hidden.matmul(last_weight)?.broadcast_add(last_bias)
    }

    /// The binary cross entropy of the outputs, the mean over positions of the sum over the six: ln(1 + eˣ) − x · target
    /// for each sum x before its sigmoid.
    ///
    /// # Errors
    /// Those of candle.
    pub fn error_of_outputs(&self, logits: &Tensor, rows: &Rows) -> Result<Tensor> {
        let targets = Tensor::from_slice(&rows.outputs, (rows.len(), OUTPUTS), logits.device())?;
        // ln(1 + eˣ) = max(x, 0) + ln(1 + e^−|x|), which never overflows
        let softplus = (logits.relu()? + (logits.abs()?.neg()?.exp()? + 1.0)?.log()?)?;
        (softplus - (logits * targets)?)?.sum(1)?.mean_all()
    }

    /// The mean of |value − target|^exponent, where only the curve can change: the outputs are taken as they are.
    ///
    /// # Errors
    /// Those of candle.
    pub fn error_of_curve(&self, logits: &Tensor, targets: &[f32], exponent: f64) -> Result<Tensor> {
        let parts: Vec<f32> = advantages(logits)?
            .into_iter()
            .flat_map(|advantage| units(advantage.abs()).map(|part| part.copysign(advantage)))
            .collect();
        let parts = Tensor::from_vec(parts, (targets.len(), 3), logits.device())?;
        let targets = Tensor::from_slice(targets, (targets.len(), 1), logits.device())?;
        let errors = (parts.matmul(&self.steps.reshape((3, 1))?)? - targets)?;
        if exponent == 2.0 {
            errors.sqr()?.mean_all()
        } else {
            errors.abs()?.powf(exponent)?.mean_all()
        }
    }

    /// Keeps the steps of the curve at or above 0.
    ///
    /// # Errors
    /// Those of candle.
    pub fn keep_curve_rising(&self) -> Result<()> {
        self.steps.set(&self.steps.relu()?)
    }

    /// The values in [−1, 1] of positions, for White.
    ///
    /// # Errors
    /// Those of candle.
    pub fn values(&self, rows: &Rows) -> Result<Vec<f32>> {
        let curve = self.curve()?;
        let advantages = advantages(&self.forward(rows)?)?.into_iter();
        Ok(advantages.map(|advantage| curve.value(advantage)).collect())
    }

    fn curve(&self) -> Result<AdvantageCurve> {
        let steps = self.steps.to_vec1::<f32>()?;
        Ok(AdvantageCurve {
            steps: [steps[0], steps[1], steps[2]],
        })
    }

    /// Takes over the weights of a net file.
    ///
    /// # Errors
    /// If a shape differs.
    pub fn set_weights(&self, weights: &ControlWeights) -> Result<()> {
        set_layers(&self.layers, &weights.layers)?;
        let AdvantageCurve { steps } = &weights.advantage;
        self.steps.set(&Tensor::new(steps, self.steps.device())?)
    }

    /// The weights as a net file holds them.
    ///
    /// # Errors
    /// Those of candle.
    pub fn weights(&self) -> Result<ControlWeights> {
        let [first, second] = &self.layers;
        Ok(ControlWeights {
            shape: self.shape,
            layers: [dense(&first.0, &first.1)?, dense(&second.0, &second.1)?],
            advantage: self.curve()?,
        })
    }
}

/// The valuations in [−3, 3] that sums before the last sigmoid stand for.
fn advantages(logits: &Tensor) -> Result<Vec<f32>> {
    let outputs = sigmoid(&logits.detach())?.flatten_all()?.to_vec1::<f32>()?;
    Ok(outputs.as_chunks().0.iter().map(advantage).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::data::{Label, Record};
    use crate::nets::control::network::ControlNet;
    use crate::nets::curve::{Curve, Orientation};
    use crate::nets::net::{FORMAT, Net, NetInfo};

    fn records() -> Vec<Record> {
        let mut position = Position::default();
        let mut records = Vec::new();
        for ply in 0..60 {
            let label = Label::centipawns((ply * 97 % 1200) as i32 - 600);
            records.push(Record::new(&position).with_label(label));
            let moves = position.legal_moves();
            position.play(moves[ply * 7 % moves.len()]);
        }
        records
    }

    #[test]
    fn the_loss_of_the_outputs_is_the_cross_entropy() -> Result<()> {
        let rows = Rows::encode(&records());
        let model = TrainedControl::new(ControlShape { hidden: 8 }, 3, &Device::Cpu)?;
        let logits = model.forward(&rows)?;
        let found = model.error_of_outputs(&logits, &rows)?.to_scalar::<f32>()?;
        let outputs = sigmoid(&logits)?.flatten_all()?.to_vec1::<f32>()?;
        let surprise = |(output, target): (&f32, &f32)| {
            let right = if *target == 1.0 { *output } else { 1.0 - output };
            -f64::from(right).ln()
        };
        let wanted: f64 = outputs.iter().zip(&rows.outputs).map(surprise).sum::<f64>() / rows.len() as f64;
        assert!((f64::from(found) - wanted).abs() < 1e-5, "{found} {wanted}");
        Ok(())
    }

    #[test]
    fn the_error_of_the_curve_is_that_of_its_values() -> Result<()> {
        let rows = Rows::encode(&records());
        let model = TrainedControl::new(ControlShape { hidden: 8 }, 3, &Device::Cpu)?;
        let targets: Vec<f32> = (0..rows.len()).map(|n| (n as f32 * 0.7).sin()).collect();
        let logits = model.forward(&rows)?;
        for exponent in [2.0, 2.5] {
            let found = model
                .error_of_curve(&logits, &targets, exponent)?
                .to_scalar::<f32>()?;
            let errors = model.values(&rows)?.into_iter().zip(&targets);
            let powers = errors.map(|(value, target)| f64::from((value - target).abs()).powf(exponent));
            let wanted = powers.sum::<f64>() / rows.len() as f64;
            assert!(
                (f64::from(found) - wanted).abs() < 1e-5,
                "{exponent}: {found} {wanted}"
            );
        }
        Ok(())
    }

    /// Gradients of both losses beside differences: the outputs' reach the layers, the curve's nothing but the curve.
    #[test]
    fn gradients_are_those_of_differences() -> Result<()> {
        let rows = Rows::encode(&records());
        let targets: Vec<f32> = (0..rows.len()).map(|n| (n as f32 * 0.7).sin()).collect();
        let model = TrainedControl::new(ControlShape { hidden: 5 }, 4, &Device::Cpu)?;
        let loss = || -> Result<Tensor> {
            let logits = model.forward(&rows)?;
            model.error_of_outputs(&logits, &rows)? + model.error_of_curve(&logits, &targets, 2.0)?
        };
        let gradients = loss()?.backward()?;
        let outputs = || {
            model
                .error_of_outputs(&model.forward(&rows)?, &rows)?
                .to_scalar::<f32>()
        };
        let curve = || {
            model
                .error_of_curve(&model.forward(&rows)?, &targets, 2.0)?
                .to_scalar::<f32>()
        };
        let vars = model.vars();
        for (number, var) in vars.iter().enumerate() {
            let gradient = gradients
                .get(var)
                .expect("a gradient")
                .flatten_all()?
                .to_vec1::<f32>()?;
            let values = var.flatten_all()?.to_vec1::<f32>()?;
            for place in (0..values.len()).step_by(values.len().div_ceil(7)) {
                let at = |step: f32| -> Result<f32> {
                    let mut moved = values.clone();
                    moved[place] += step;
                    var.set(&Tensor::from_vec(moved, var.shape(), &Device::Cpu)?)?;
                    if number + 1 == vars.len() {
                        curve()
                    } else {
                        outputs()
                    }
                };
                let slope = (at(1e-2)? - at(-1e-2)?) / 2e-2;
                at(0.0)?;
                let found = gradient[place];
                assert!(
                    (found - slope).abs() < 2e-3 + 0.02 * slope.abs(),
                    "{number} {place}: {found} {slope}"
                );
            }
        }
        Ok(())
    }

    #[test]
    fn the_net_file_computes_what_was_trained() -> Result<()> {
        let records = records();
        let model = TrainedControl::new(ControlShape { hidden: 20 }, 5, &Device::Cpu)?;
        let shape = model.shape;
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
        let control = ControlNet::new(&Net::of_control(info, &model.weights()?)).unwrap();
        let logits = model.forward(&Rows::encode(&records))?;
        let outputs = sigmoid(&logits)?.to_vec2::<f32>()?;
        for (record, wanted) in records.iter().zip(outputs) {
            let found = control.outputs(&record.position().unwrap());
            assert!(
                found
                    .iter()
                    .zip(wanted)
                    .all(|(found, wanted)| (found - wanted).abs() < 1e-5)
            );
        }
        Ok(())
    }

    #[test]
    fn the_curve_never_falls() -> Result<()> {
        let model = TrainedControl::new(ControlShape { hidden: 2 }, 6, &Device::Cpu)?;
        model
            .steps
            .set(&Tensor::new(&[0.1f32, -0.3, 0.2], &Device::Cpu)?)?;
        model.keep_curve_rising()?;
        assert_eq!(model.curve()?.steps, [0.1, 0.0, 0.2]);
        Ok(())
    }
}
