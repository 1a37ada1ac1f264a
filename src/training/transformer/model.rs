//! The variables of a transformer in training.

use super::body;
use super::body::Body;
use super::geometry;
use crate::nets::transformer::encoder::{PAIRS, Planes};
use crate::nets::transformer::reference;
use crate::nets::transformer::shape::TransformerShape;
use crate::nets::transformer::weights::{TransformerPlan, TransformerWeights};
use crate::training::first_weights::FirstWeights;
use candle_core::{Device, Result, Tensor, Var};
use std::sync::Arc;

/// The bound of the first shares of templates in the bias of a head: a head begins with its own mixture of piece moves.
const FIRST_SHARES: f64 = 2.0;
/// The bound of the noise added to the first templates; it also scales the first weights of the mixture.
const FIRST_NOISE: f64 = 0.1;

/// A transformer whose weights can be trained.
pub struct TrainedTransformer {
    body: Arc<Body>,
    /// One for each of [`TransformerPlan::parameters`].
    vars: Vec<Var>,
}

impl TrainedTransformer {
    /// Draws the first weights from a random seed.
    ///
    /// # Errors
    /// Those of candle.
    pub fn new(shape: TransformerShape, seed: u64, device: &Device) -> Result<TrainedTransformer> {
        let plan = TransformerPlan::new(shape);
        let values = first_values(&plan, &mut FirstWeights::new(seed));
        let parameters = plan.parameters.iter();
        let vars = parameters
            .map(|parameter| Var::from_slice(&values[parameter.place.clone()], &parameter.dims[..], device));
        Ok(TrainedTransformer {
            vars: vars.collect::<Result<_>>()?,
            body: Arc::new(Body::new(plan)),
        })
    }

    /// The variables, in the order of the net file's tensors in [`TransformerPlan::parameters`].
    pub fn vars(&self) -> Vec<Var> {
        self.vars.clone()
    }

    /// The outputs before tanh, one for each position, on the CPU by an operation of our own, elsewhere by candle's.
    ///
    /// # Errors
    /// Those of candle.
    pub fn forward(&self, positions: &Arc<Vec<Planes>>) -> Result<Tensor> {
        let device = self.vars[0].device();
        if device.is_cpu() {
            return body::forward(&self.body, &self.row()?, positions);
        }
        self.forward_plain(positions)
    }

    /// The same in candle's operations.
    ///
    /// # Errors
    /// Those of candle.
    pub fn forward_plain(&self, positions: &[Planes]) -> Result<Tensor> {
        let planes = reference::planes(positions, self.vars[0].device())?;
        let vars = self.vars.iter().map(|var| var.as_tensor().clone());
        reference::forward(self.body.plan(), &vars.collect::<Vec<_>>(), &planes)
    }

    /// The outputs before tanh as the finished net will give them, without keeping anything for gradients.
    ///
    /// # Errors
    /// Those of candle.
    pub fn outputs(&self, positions: &[Planes]) -> Result<Vec<f32>> {
        if self.vars[0].device().is_cpu() {
            let values = self.row()?.to_vec1::<f32>()?;
            return Ok(self.body.outputs(&values, positions));
        }
        self.forward_plain(positions)?.detach().to_vec1()
    }

    /// All parameters in one row.
    fn row(&self) -> Result<Tensor> {
        let parts = self.vars.iter().map(|var| var.flatten_all());
        Tensor::cat(&parts.collect::<Result<Vec<_>>>()?, 0)
    }

    /// Takes over the weights of a net file.
    ///
    /// # Errors
    /// If a shape differs.
    pub fn set_weights(&self, weights: &TransformerWeights) -> Result<()> {
        let mut parameters = self.vars.iter().zip(&weights.plan.parameters);
        parameters.try_for_each(|(var, parameter)| {
            let values = &weights.values[parameter.place.clone()];
            var.set(&Tensor::from_slice(values, &parameter.dims[..], var.device())?)
        })
    }

    /// The weights as a net file holds them.
    ///
    /// # Errors
    /// Those of candle.
    pub fn weights(&self) -> Result<TransformerWeights> {
        Ok(TransformerWeights {
            plan: self.body.plan().clone(),
            values: self.row()?.to_vec1()?,
        })
    }
}

/// The first weights, in the plan's order. Sums keep the mean square of their terms, or have twice that where ReLU
/// follows (He). What the blocks add to the tokens is scaled down by the root of the number of additions, so that
/// together they add as much as the tokens begin with. Queries are scaled down by the root of the head's width, because
/// the attention does not divide by it. The templates begin as the moves of the pieces, and each head with its own
/// mixture of them, which is in the mixture's bias; other biases are 0.
fn first_values(plan: &TransformerPlan, random: &mut FirstWeights) -> Vec<f32> {
    let shape = &plan.shape;
    let mut values = vec![0f32; plan.length()];
    let mut draw = |place: &std::ops::Range<usize>, bound: f64| {
        values[place.clone()].copy_from_slice(&random.uniform(place.len(), bound));
    };
    let keeping = |terms: usize| (3.0 / terms as f64).sqrt();
    let before_relu = |terms: usize| (6.0 / terms as f64).sqrt();
    let added = 1.0 / (2.0 * shape.blocks as f64).sqrt();
    draw(&plan.planes, 1.0);
    draw(&plan.squares, 1.0);
    draw(&plan.templates, FIRST_NOISE);
    for block in &plan.blocks {
        let queries = block.project.weight.start..block.project.weight.start + shape.width * shape.width;
        draw(&block.project.weight, keeping(shape.width));
        draw(
            &queries,
            keeping(shape.width) / (shape.head_width() as f64).sqrt(),
        );
        draw(&block.code.weight, before_relu(block.code.inputs));
        draw(&block.mixture.weight, keeping(block.mixture.inputs) * FIRST_NOISE);
        draw(&block.mixture.bias, FIRST_SHARES);
        draw(&block.out.weight, keeping(block.out.inputs) * added);
        draw(&block.up.weight, before_relu(block.up.inputs));
        draw(&block.down.weight, keeping(block.down.inputs) * added);
    }
    for (number, layer) in plan.dense.iter().enumerate() {
        let last = number + 1 == plan.dense.len();
        let bound = if last { keeping } else { before_relu };
        draw(&layer.weight, bound(layer.inputs));
    }
    let templates = values[plan.templates.clone()].chunks_exact_mut(PAIRS);
    for (number, template) in templates.enumerate() {
        let relation = geometry::relation(number).unwrap_or_default();
        template.iter_mut().zip(relation).for_each(|(x, seen)| *x += seen);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::nets::encoding;

    fn boards(count: usize) -> Arc<Vec<Planes>> {
        let mut position = Position::default();
        let mut boards = Vec::new();
        while boards.len() < count {
            boards.push(encoding::plane_boards(&position, position.side_to_move()));
            let moves = position.legal_moves();
            position = match moves.get(boards.len() * 7 % moves.len().max(1)) {
                Some(&m) => position.after(m),
                None => Position::default(),
            };
        }
        Arc::new(boards)
    }

    fn model(layout: &str) -> TrainedTransformer {
        TrainedTransformer::new(layout.parse().unwrap(), 3, &Device::Cpu).unwrap()
    }

    /// The mean square of the outputs less a target.
    fn loss(outputs: &Tensor) -> Result<Tensor> {
        let count = outputs.elem_count();
        let targets = Tensor::from_iter((0..count).map(|n| (n as f32).sin()), &Device::Cpu)?;
        (outputs.tanh()? - targets)?.sqr()?.mean_all()
    }

    const LAYOUTS: [&str; 3] = [
        "16-8-2t2h6f3g-pool-5-1",
        "16-24-1t3h40f12g-pool-1",
        "16-64-3t4h128f16g-pool-64-1",
    ];

    #[test]
    fn outputs_and_gradients_are_those_of_candles_operations() -> Result<()> {
        for layout in LAYOUTS {
            let model = model(layout);
            // chunks of several sizes
            let boards = boards(21);
            let (ours, theirs) = (model.forward(&boards)?, model.forward_plain(&boards)?);
            let difference = (&ours - &theirs)?.abs()?.max_all()?.to_scalar::<f32>()?;
            assert!(difference < 1e-4, "{layout}: {difference}");
            assert_eq!(ours.to_vec1::<f32>()?, model.outputs(&boards)?, "{layout}");
            let (ours, theirs) = (loss(&ours)?.backward()?, loss(&theirs)?.backward()?);
            for (parameter, var) in model.body.plan().parameters.iter().zip(&model.vars) {
                let of = |store: &candle_core::backprop::GradStore| {
                    store.get(var).unwrap().flatten_all()?.to_vec1::<f32>()
                };
                let (found, wanted) = (of(&ours)?, of(&theirs)?);
                let largest = wanted.iter().fold(0f32, |largest, x| largest.max(x.abs()));
                let distance = found.iter().zip(&wanted).map(|(a, b)| (a - b).abs());
                let distance = distance.fold(0f32, f32::max);
                assert!(
                    largest > 0.0 || parameter.name.ends_with("project.bias"),
                    "{}",
                    parameter.name
                );
                assert!(
                    distance <= 1e-4 * largest + 1e-7,
                    "{layout}, {}: {distance} of {largest}",
                    parameter.name
                );
            }
        }
        Ok(())
    }

    /// Beside differences of the loss: along each tensor's gradient, by a small step to both sides.
    #[test]
    fn gradients_are_the_slopes_of_the_loss() -> Result<()> {
        let model = model(LAYOUTS[0]);
        let boards = boards(8);
        let gradients = loss(&model.forward(&boards)?)?.backward()?;
        for (parameter, var) in model.body.plan().parameters.iter().zip(&model.vars) {
            let gradient = gradients.get(var).unwrap().detach();
            let length = gradient.sqr()?.sum_all()?.to_scalar::<f32>()?.sqrt();
            if length < 1e-4 {
                continue;
            }
            let before = var.as_tensor().copy()?;
            let at = |step: f64| -> Result<f64> {
                var.set(&(&before + (&gradient * (step / f64::from(length)))?)?)?;
                Ok(f64::from(loss(&model.forward(&boards)?)?.to_scalar::<f32>()?))
            };
            let step = 5e-3;
            let slope = (at(step)? - at(-step)?) / (2.0 * step);
            at(0.0)?;
            assert!(
                (slope / f64::from(length) - 1.0).abs() < 0.03,
                "{}: {slope} where the gradient has {length}",
                parameter.name
            );
        }
        Ok(())
    }

    #[test]
    fn tokens_and_outputs_begin_at_a_sensible_size() -> Result<()> {
        let outputs = model(LAYOUTS[2]).outputs(&boards(64))?;
        let square = outputs.iter().map(|x| x * x).sum::<f32>() / outputs.len() as f32;
        assert!((1e-4..4.0).contains(&square), "{square}");
        let mean = outputs.iter().sum::<f32>() / outputs.len() as f32;
        let spread = outputs.iter().map(|x| (x - mean).powi(2)).sum::<f32>() / outputs.len() as f32;
        assert!(spread > 1e-5, "{spread}");
        Ok(())
    }

    #[test]
    fn a_seed_draws_the_same_weights_again() -> Result<()> {
        let weights =
            |seed| TrainedTransformer::new(LAYOUTS[0].parse().unwrap(), seed, &Device::Cpu)?.weights();
        assert_eq!(weights(1)?, weights(1)?);
        assert_ne!(weights(1)?.values, weights(2)?.values);
        Ok(())
    }

    /// A few steps down the gradient bring the outputs nearer to the targets.
    #[test]
    fn it_learns() -> Result<()> {
        let model = model(LAYOUTS[1]);
        let boards = boards(32);
        let before = loss(&model.forward(&boards)?)?.to_scalar::<f32>()?;
        for _ in 0..60 {
            let gradients = loss(&model.forward(&boards)?)?.backward()?;
            for var in &model.vars {
                if let Some(gradient) = gradients.get(var) {
                    var.set(&(var.as_tensor() - (gradient * 0.1)?)?)?;
                }
            }
        }
        let after = loss(&model.forward(&boards)?)?.to_scalar::<f32>()?;
        assert!(after < 0.8 * before, "{before} {after}");
        Ok(())
    }
}
