//! The variables of an MLP in training.

use super::activation::activated;
use super::bucketed::bucketed;
use super::encode::Bits;
use super::sparse::sum_of_rows;
use crate::nets::encoding::INPUTS;
use crate::nets::mlp::reference::{activate, activated_twice, products_of_pairs};
use crate::nets::mlp::shape::{Activation, MlpShape, Nonlinearity};
use crate::nets::mlp::weights::{MlpWeights, ROW_STEPS};
use crate::training::first_weights::FirstWeights;
use crate::training::head::{dense, set_layers};
use candle_core::{Device, Result, Tensor, Var};

/// Inputs that are set in a usual position: what the first layer's sums are made of.
const USUAL_INPUTS: f64 = 32.0;

/// An MLP whose weights can be trained.
pub struct TrainedMlp {
    shape: MlpShape,
    /// Weight (inputs × rows, so that all products run along rows) and bias of each layer.
    vars: Vec<(Var, Var)>,
    /// The factoriser's weights (bits × units): every region's first layer has its own weights plus these.
    shared: Option<Var>,
    /// Whether the second layer computes with its weights as bytes.
    bytes: bool,
    /// Whether the first layer does, and its biases too.
    byte_rows: bool,
}

/// What the layers give for a batch.
pub struct Forward {
    /// The outputs before tanh, one for each position.
    pub sums: Tensor,
    /// How active the hidden layers are: the sum of their units' outputs, the mean over the positions.
    pub activity: Tensor,
    /// The sums of the layer whose units have two activations (positions × units), if there is one.
    pub doubled: Option<Tensor>,
}

impl TrainedMlp {
    /// Draws the first weights from a seed: uniform within ±√(3 / inputs), where 32 inputs of the first layer are
    /// counted, and biases of 0. The mean square of a sum is then that of its inputs. ReLU halves it afterwards, so deeper
    /// layers begin smaller; ±√(6 / inputs) would make up for that, as it does in a CNN.
    ///
    /// With a factoriser its weights are drawn, and those of the regions begin at 0.
    pub fn new(shape: MlpShape, factorised: bool, seed: u64, device: &Device) -> Result<TrainedMlp> {
        let mut random = FirstWeights::new(seed);
        let shared = |random: &mut FirstWeights| {
            let units = shape.rows_of(0);
            let weights = random.uniform(INPUTS * units, (3.0 / USUAL_INPUTS).sqrt());
            Var::from_vec(weights, (INPUTS, units), device)
        };
        let shared = factorised.then(|| shared(&mut random)).transpose()?;
        let vars = (0..shape.layers())
            .map(|layer| {
                let (inputs, rows) = (shape.inputs_of(layer), shape.rows_of(layer));
                let terms = if layer == 0 { USUAL_INPUTS } else { inputs as f64 };
                let weights = if layer == 0 && factorised {
                    vec![0.0; inputs * rows]
                } else {
                    random.uniform(inputs * rows, (3.0 / terms).sqrt())
                };
                let weight = Var::from_vec(weights, (inputs, rows), device)?;
                Ok((weight, Var::from_vec(vec![0f32; rows], rows, device)?))
            })
            .collect::<Result<_>>()?;
        Ok(TrainedMlp {
            shape,
            vars,
            shared,
            bytes: false,
            byte_rows: false,
        })
    }

    /// The same, but its second layer computes with the bytes that play makes of its weights.
    pub fn with_bytes(self, bytes: bool) -> TrainedMlp {
        TrainedMlp { bytes, ..self }
    }

    /// The same, but its first layer computes with the bytes that play makes of its weights, and a net file has these.
    pub fn with_byte_rows(self, byte_rows: bool) -> TrainedMlp {
        TrainedMlp { byte_rows, ..self }
    }

    /// The variables, weight before bias, from the first layer on; then the factoriser's weights, if there is one.
    pub fn vars(&self) -> Vec<Var> {
        self.vars
            .iter()
            .flat_map(|(weight, bias)| [weight.clone(), bias.clone()])
            .chain(self.shared.clone())
            .collect()
    }

    /// The first layer's weights, with the factoriser's added to those of every region.
    fn first_weight(&self) -> Result<Tensor> {
        let own = self.vars[0].0.as_tensor();
        let Some(shared) = &self.shared else {
            return Ok(own.clone());
        };
        let (inputs, units) = own.dims2()?;
        let regions = own.reshape((inputs / INPUTS, INPUTS, units))?;
        regions.broadcast_add(shared)?.reshape((inputs, units))
    }

    /// The weights that a layer computes with.
    fn weight(&self, layer: usize) -> Result<Tensor> {
        match layer {
            0 if self.byte_rows => in_steps(&self.first_weight()?),
            0 => self.first_weight(),
            1 if self.bytes => as_bytes(self.vars[1].0.as_tensor()),
            _ => Ok(self.vars[layer].0.as_tensor().clone()),
        }
    }

    /// The biases that a layer computes with.
    fn bias(&self, layer: usize) -> Result<Tensor> {
        let bias = self.vars[layer].1.as_tensor();
        match layer {
            0 if self.byte_rows => in_steps(bias),
            _ => Ok(bias.clone()),
        }
    }

    /// The outputs before tanh, one for each position.
    pub fn forward(&self, batch: &Bits) -> Result<Tensor> {
        let mut outputs = self.layers(batch)?;
        outputs.layers.pop().expect("a net has layers").flatten_all()
    }

    /// The outputs with what else a loss may depend on.
    pub fn forward_with_activity(&self, batch: &Bits) -> Result<Forward> {
        let Outputs {
            mut layers, doubled, ..
        } = self.layers(batch)?;
        let sums = layers.pop().expect("a net has layers").flatten_all()?;
        let hidden = layers.iter().map(Tensor::sum_all);
        let activity = Tensor::stack(&hidden.collect::<Result<Vec<_>>>()?, 0)?.sum_all()?;
        let positions = sums.elem_count() as f64;
        Ok(Forward {
            sums,
            activity: (activity / positions)?,
            doubled,
        })
    }

    /// What every layer gives, a row for each position. On the CPU sums of rows and fused passes do it; elsewhere candle's
    /// own operations on dense inputs.
    fn layers(&self, batch: &Bits) -> Result<Outputs<'_>> {
        if self.vars[0].0.device().is_cpu() {
            self.layers_fused(batch)
        } else {
            self.layers_plain(batch)
        }
    }

    fn layers_fused(&self, batch: &Bits) -> Result<Outputs<'_>> {
        let shape = &self.shape;
        let mut outputs = Outputs::new(shape);
        let (weight, bias) = (&self.weight(0)?, &self.bias(0)?);
        let each = |layer| match shape.nonlinearity(layer) {
            Some(Nonlinearity::Each(activation)) => Some(activation),
            _ => None,
        };
        let first = sum_of_rows(weight, bias, &batch.rows, shape.perspectives, each(0))?;
        let mut hidden = outputs.after(0, first, |x, _| Ok(x))?;
        for (layer, (_, bias)) in self.vars.iter().enumerate().skip(1) {
            let weight = self.weight(layer)?;
            let sums = match shape.buckets {
                1 => activated(&hidden.matmul(&weight)?, bias, each(layer))?,
                blocks => bucketed(&hidden, &weight, bias, each(layer), &batch.buckets, blocks)?,
            };
            hidden = outputs.after(layer, sums, |x, _| Ok(x))?;
        }
        Ok(outputs)
    }

    fn layers_plain(&self, batch: &Bits) -> Result<Outputs<'_>> {
        let (shape, device) = (&self.shape, self.vars[0].0.device());
        let (rows, inputs) = (batch.rows.len(), shape.inputs_of(0));
        let mut dense = vec![0f32; rows * inputs];
        for row in 0..rows {
            for &index in batch.rows.row(row) {
                dense[row * inputs + index as usize] = 1.0;
            }
        }
        let positions = rows / shape.perspectives;
        let buckets: Vec<u32> = batch.buckets.iter().map(|&bucket| bucket as u32).collect();
        let buckets = Tensor::from_vec(buckets, (positions, 1, 1), device)?;
        let mut hidden = Tensor::from_vec(dense, (rows, inputs), device)?;
        let mut outputs = Outputs::new(shape);
        for layer in 0..self.vars.len() {
            let bias = self.bias(layer)?;
            hidden = hidden.matmul(&self.weight(layer)?)?.broadcast_add(&bias)?;
            if layer == 0 {
                hidden = hidden.reshape((positions, shape.perspectives * shape.units_of(0)))?;
            } else if shape.buckets > 1 {
                let units = shape.units_of(layer);
                let index = buckets.broadcast_as((positions, 1, units))?.contiguous()?;
                let blocks = hidden.reshape((positions, shape.buckets, units))?;
                hidden = blocks.gather(&index, 1)?.squeeze(1)?;
            }
            hidden = outputs.after(layer, hidden, |x, activation| activate(&x, activation))?;
        }
        Ok(outputs)
    }

    /// Keeps weights and biases within ± a bound, one for each layer, the last for all that follow; 0 is no bound. Where a
    /// factoriser's weights are added, the sums are kept within it.
    pub fn clip(&self, bounds: &[f64]) -> Result<()> {
        for (layer, (weight, bias)) in self.vars.iter().enumerate() {
            let Some(&bound) = bounds.get(layer).or(bounds.last()) else {
                continue;
            };
            if bound > 0.0 {
                if layer == 0 && self.shared.is_some() {
                    let sums = self.first_weight()?;
                    let excess = (sums.clamp(-bound, bound)? - &sums)?;
                    weight.set(&(weight.as_tensor() + excess)?)?;
                } else {
                    weight.set(&weight.clamp(-bound, bound)?)?;
                }
                bias.set(&bias.clamp(-bound, bound)?)?;
            }
        }
        Ok(())
    }

    /// Takes over the weights of a net file; a factoriser's begin at 0.
    ///
    /// # Errors
    /// If a shape differs.
    pub fn set_weights(&self, weights: &MlpWeights) -> Result<()> {
        if let Some(shared) = &self.shared {
            shared.set(&shared.zeros_like()?)?;
        }
        set_layers(&self.vars, &weights.layers)
    }

    /// The weights as a net file holds them.
    pub fn weights(&self) -> Result<MlpWeights> {
        let first = (self.weight(0)?, self.bias(0)?);
        let layers = self
            .vars
            .iter()
            .enumerate()
            .map(|(layer, (weight, bias))| match layer {
                0 => dense(&first.0, &first.1),
                _ => dense(weight, bias),
            });
        Ok(MlpWeights {
            shape: self.shape.clone(),
            layers: layers.collect::<Result<_>>()?,
        })
    }
}

/// Weights or biases in whole steps, of which [`ROW_STEPS`] make 1. Gradients pass as if nothing had been rounded.
fn in_steps(weight: &Tensor) -> Result<Tensor> {
    let exact = weight.detach();
    let change = (((&exact * ROW_STEPS)?.round()? / ROW_STEPS)? - &exact)?;
    weight + change
}

/// Weights (inputs × rows) on the grid of bytes: the largest of each row is ± 127 steps. Gradients pass as if nothing had
/// been rounded.
fn as_bytes(weight: &Tensor) -> Result<Tensor> {
    let largest = weight.detach().abs()?.max_keepdim(0)?;
    let step = (largest.clamp(f32::MIN_POSITIVE, f32::INFINITY)? / f64::from(i8::MAX))?;
    let steps = weight.detach().broadcast_div(&step)?.round()?;
    let change = (steps.broadcast_mul(&step)? - weight.detach())?;
    weight + change
}

/// What the layers of a batch give.
struct Outputs<'a> {
    shape: &'a MlpShape,
    layers: Vec<Tensor>,
    /// The sums that go straight to the net's output.
    straight: Option<Tensor>,
    /// The sums of the layer that they belong to.
    doubled: Option<Tensor>,
}

impl Outputs<'_> {
    fn new(shape: &MlpShape) -> Outputs<'_> {
        Outputs {
            shape,
            layers: Vec::with_capacity(shape.layers()),
            straight: None,
            doubled: None,
        }
    }

    /// Keeps what a layer gives and returns it, from its sums; `each` applies the activation of single sums, unless an
    /// earlier pass did.
    fn after(
        &mut self,
        layer: usize,
        sums: Tensor,
        each: impl Fn(Tensor, Activation) -> Result<Tensor>,
    ) -> Result<Tensor> {
        let outputs = match self.shape.nonlinearity(layer) {
            Some(Nonlinearity::Each(activation)) => each(sums, activation)?,
            Some(Nonlinearity::Pairs) => products_of_pairs(&sums, self.shape.perspectives)?,
            Some(Nonlinearity::Twice) => {
                let (outputs, straight) = activated_twice(&sums)?;
                (self.straight, self.doubled) = (Some(straight), Some(sums));
                outputs
            }
            None => match &self.straight {
                Some(straight) => (sums + straight)?,
                None => sums,
            },
        };
        self.layers.push(outputs.clone());
        Ok(outputs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::data::{Label, Record};
    use crate::nets::curve::{Curve, Orientation};
    use crate::nets::encoding;
    use crate::nets::mlp::reference::Mlp;
    use crate::nets::net::{FORMAT, Net, NetInfo};

    const LAYOUTS: [(&str, Orientation); 8] = [
        ("774-12-6-1", Orientation::White),
        ("774-12-6-1x8", Orientation::Mover),
        ("2x774-12-6-4-1x8", Orientation::Mover),
        ("2x774m-12-6-4-1x8", Orientation::Mover),
        ("2x774m5-12-6-4-1x8", Orientation::Mover),
        ("2x774m5-12p-6d-4-1x8", Orientation::Mover),
        ("774-12p-6-1", Orientation::White),
        ("2x774-12-6d-1x8", Orientation::Mover),
    ];

    fn shape(layout: &str) -> MlpShape {
        let shape: MlpShape = layout.parse().unwrap();
        let first = if shape.paired {
            shape.first_activation
        } else {
            Activation::SquaredClippedRelu
        };
        shape.with_activations(first, Activation::ClippedRelu).unwrap()
    }

    /// Positions on the way to an ending, so that several buckets occur.
    fn positions() -> Vec<Position> {
        let mut position = Position::default();
        let mut positions = vec![position];
        for ply in 0..150 {
            let moves = position.legal_moves();
            let capture = moves.iter().find(|m| m.is_capture() && ply % 3 == 0);
            let Some(&m) = capture.or_else(|| moves.get(ply * 7 % moves.len().max(1))) else {
                break;
            };
            position = position.after(m);
            positions.push(position);
        }
        positions
    }

    fn records(positions: &[Position]) -> Vec<Record> {
        let label = |n: usize| Label::centipawns(n as i32 * 10 - 400);
        let records = positions.iter().enumerate();
        records
            .map(|(n, position)| Record::new(position).with_label(label(n)))
            .collect()
    }

    #[test]
    fn rows_of_a_batch_are_the_encoding() {
        let positions = positions();
        for (layout, orientation) in LAYOUTS {
            let shape = shape(layout);
            let batch = Bits::encode(&records(&positions), &shape, orientation);
            let views = shape.perspectives;
            assert_eq!(batch.rows.len(), positions.len() * views);
            for (place, position) in positions.iter().enumerate() {
                let seen = shape.views(orientation, position);
                for (number, view) in seen.enumerate() {
                    let mut row = batch.rows.row(place * views + number).to_vec();
                    let first = view.first_input() as u16;
                    let active = encoding::active(position, view);
                    let mut wanted: Vec<u16> = active.into_iter().map(|bit| first + bit).collect();
                    row.sort_unstable();
                    wanted.sort_unstable();
                    assert_eq!(row, wanted);
                }
            }
        }
    }

    #[test]
    fn fused_and_plain_operations_agree_in_values_and_gradients() -> Result<()> {
        let records = records(&positions());
        for (layout, orientation) in LAYOUTS {
            let shape = shape(layout);
            let batch = Bits::encode(&records, &shape, orientation);
            let model = TrainedMlp::new(shape.clone(), shape.regions > 1, 7, &Device::Cpu)?;
            let (fused, plain) = (model.layers_fused(&batch)?, model.layers_plain(&batch)?);
            let difference = |a: &Tensor, b: &Tensor| (a - b)?.abs()?.max_all()?.to_scalar::<f32>();
            for (fused, plain) in fused.layers.iter().zip(&plain.layers) {
                assert!(difference(fused, plain)? < 1e-5, "{layout}");
            }
            let squares = |outputs: &Outputs| outputs.layers[shape.layers() - 1].sqr()?.sum_all()?.backward();
            let (fused, plain) = (squares(&fused)?, squares(&plain)?);
            for var in model.vars() {
                let found = difference(fused.get(&var).unwrap(), plain.get(&var).unwrap())?;
                assert!(found < 1e-3, "{layout}: {found}");
            }
        }
        Ok(())
    }

    #[test]
    fn activity_is_the_sum_of_the_hidden_units() -> Result<()> {
        let shape = shape(LAYOUTS[2].0);
        let batch = Bits::encode(&records(&positions()), &shape, LAYOUTS[2].1);
        let model = TrainedMlp::new(shape, false, 7, &Device::Cpu)?;
        let Forward { sums, activity, .. } = model.forward_with_activity(&batch)?;
        assert_eq!(sums.to_vec1::<f32>()?, model.forward(&batch)?.to_vec1::<f32>()?);
        let layers = model.layers_plain(&batch)?.layers;
        let mut total = 0.0;
        for layer in &layers[..layers.len() - 1] {
            total += layer.flatten_all()?.to_vec1::<f32>()?.iter().sum::<f32>();
        }
        let wanted = total / sums.elem_count() as f32;
        assert!(wanted > 1.0 && (activity.to_scalar::<f32>()? / wanted - 1.0).abs() < 1e-4);
        Ok(())
    }

    #[test]
    fn the_net_file_computes_what_was_trained() -> Result<()> {
        let positions = positions();
        let curve = Curve::Tanh { scale: 800.0 };
        for (layout, orientation) in LAYOUTS {
            let shape = shape(layout);
            let model = TrainedMlp::new(shape.clone(), shape.regions > 1, 3, &Device::Cpu)?;
            let info = NetInfo {
                format: FORMAT,
                name: "test".into(),
                architecture: shape.architecture(),
                orientation,
                curve,
                data: String::new(),
                positions: 0,
                validation: None,
                recipe: None,
            };
            let mlp = Mlp::new(&Net::of_mlp(info, &model.weights()?)).unwrap();
            let batch = Bits::encode(&records(&positions), &shape, orientation);
            let sums: Vec<f32> = model.forward(&batch)?.to_vec1()?;
            for ((position, sum), score) in positions.iter().zip(sums).zip(mlp.evaluate_dense(&positions)?) {
                let black = position.side_to_move() == crate::board::Color::Black;
                let sign = if orientation == Orientation::White && black {
                    -1
                } else {
                    1
                };
                assert!(
                    (curve.score_before_tanh(sum) * sign - score).abs() <= 1,
                    "{layout}"
                );
            }
        }
        Ok(())
    }

    #[test]
    fn clipping_keeps_every_layer_within_its_bound() -> Result<()> {
        let model = TrainedMlp::new("774-8-4-4-1".parse().unwrap(), false, 1, &Device::Cpu)?;
        model.clip(&[0.0, 0.25, 0.125])?;
        let largest = |var: &Var| var.abs()?.max_all()?.to_scalar::<f32>();
        let found = model
            .vars()
            .iter()
            .step_by(2)
            .map(largest)
            .collect::<Result<Vec<f32>>>()?;
        assert!(found[0] > 0.25);
        assert_eq!(found[1..], [0.25, 0.125, 0.125]);
        Ok(())
    }
}
