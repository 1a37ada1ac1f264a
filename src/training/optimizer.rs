//! AdamW behind candle's [`Optimizer`] trait, with moments that can be saved and weight decay that spares biases.

use super::floats::{floats, floats_mut};
use candle_core::backprop::GradStore;
use candle_core::{CpuStorage, InplaceOp2, InplaceOp3, Layout, Result, Tensor, Var};
use candle_nn::Optimizer;
use pulp::Arch;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Floats that one task changes.
const FLOATS_PER_TASK: usize = 1 << 15;

/// The settings of AdamW (Loshchilov and Hutter, 2019).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AdamSettings {
    /// The step size; a schedule changes it.
    pub rate: f64,
    /// How slowly the mean of the gradients moves.
    pub beta1: f64,
    /// How slowly the mean of their squares moves.
    pub beta2: f64,
    /// Keeps the division finite.
    pub epsilon: f64,
    /// How much of a weight is taken away in each step, times the rate; only tensors of two dimensions or more.
    pub decay: f64,
}

impl Default for AdamSettings {
    /// Those of the thesis: 1e-3, 0.9, 0.999.
    fn default() -> AdamSettings {
        AdamSettings {
            rate: 1e-3,
            beta1: 0.9,
            beta2: 0.999,
            epsilon: 1e-8,
            decay: 0.0,
        }
    }
}

/// A variable with the running means of its gradients.
#[derive(Debug)]
pub struct Moments {
    var: Var,
    /// Mean of the gradients.
    pub first: Tensor,
    /// Mean of their squares.
    pub second: Tensor,
}

/// How a step changes a variable: `kept` · variable − `rate` · first / (√(second / `corrected`) + `epsilon`).
#[derive(Clone, Copy, Debug)]
struct Change {
    kept: f64,
    rate: f64,
    corrected: f64,
    epsilon: f64,
}

impl Change {
    fn new(settings: &AdamSettings, steps: u64, rank: usize) -> Change {
        let corrected = |beta: f64| 1.0 - beta.powf(steps as f64);
        Change {
            kept: if rank >= 2 {
                1.0 - settings.rate * settings.decay
            } else {
                1.0
            },
            rate: settings.rate / corrected(settings.beta1),
            corrected: corrected(settings.beta2),
            epsilon: settings.epsilon,
        }
    }
}

impl Moments {
    /// The step in candle's own operations, on any device.
    fn step_plain(&mut self, gradient: &Tensor, settings: &AdamSettings, change: Change) -> Result<()> {
        let AdamSettings { beta1, beta2, .. } = *settings;
        self.first = ((&self.first * beta1)? + (gradient * (1.0 - beta1))?)?;
        self.second = ((&self.second * beta2)? + (gradient.sqr()? * (1.0 - beta2))?)?;
        let root = ((&self.second / change.corrected)?.sqrt()? + change.epsilon)?;
        let step = ((&self.first / root)? * change.rate)?;
        self.var.set(&((self.var.as_tensor() * change.kept)? - step)?)
    }

    /// The same on the CPU in three passes without a new tensor.
    fn step_fused(&mut self, gradient: &Tensor, settings: &AdamSettings, change: Change) -> Result<()> {
        let gradient = &gradient.contiguous()?;
        let (beta1, beta2) = (settings.beta1 as f32, settings.beta2 as f32);
        self.first.inplace_op2(
            gradient,
            &Blend(move |mean, new| mean * beta1 + new * (1.0 - beta1)),
        )?;
        self.second.inplace_op2(
            gradient,
            &Blend(move |mean, new| mean * beta2 + new * new * (1.0 - beta2)),
        )?;
        self.var.inplace_op3(&self.first, &self.second, &change)
    }
}

/// Replaces each number by what a function makes of it and of its partner in another tensor.
struct Blend<F>(F);

impl<F: Fn(f32, f32) -> f32 + Sync> InplaceOp2 for Blend<F> {
    fn name(&self) -> &'static str {
        "blend"
    }

    fn cpu_fwd(
        &self,
        to: &mut CpuStorage,
        layout: &Layout,
        from: &CpuStorage,
        from_layout: &Layout,
    ) -> Result<()> {
        let (to, from) = (floats_mut(to, layout)?, floats(from, from_layout)?);
        let arch = Arch::new();
        to.par_chunks_mut(FLOATS_PER_TASK)
            .zip(from.par_chunks(FLOATS_PER_TASK))
            .for_each(|(to, from)| {
                arch.dispatch(|| {
                    for (to, &from) in to.iter_mut().zip(from) {
                        *to = self.0(*to, from);
                    }
                })
            });
        Ok(())
    }
}

impl InplaceOp3 for Change {
    fn name(&self) -> &'static str {
        "adam"
    }

    fn cpu_fwd(
        &self,
        var: &mut CpuStorage,
        layout: &Layout,
        first: &CpuStorage,
        first_layout: &Layout,
        second: &CpuStorage,
        second_layout: &Layout,
    ) -> Result<()> {
        let var = floats_mut(var, layout)?;
        let (first, second) = (floats(first, first_layout)?, floats(second, second_layout)?);
        let [kept, rate, corrected, epsilon] =
            [self.kept, self.rate, self.corrected, self.epsilon].map(|factor| factor as f32);
        let arch = Arch::new();
        var.par_chunks_mut(FLOATS_PER_TASK)
            .zip(first.par_chunks(FLOATS_PER_TASK))
            .zip(second.par_chunks(FLOATS_PER_TASK))
            .for_each(|((var, first), second)| {
                arch.dispatch(|| {
                    for ((var, first), second) in var.iter_mut().zip(first).zip(second) {
                        *var = *var * kept - rate * first / ((second / corrected).sqrt() + epsilon);
                    }
                })
            });
        Ok(())
    }
}

#[derive(Debug)]
pub struct Adam {
    settings: AdamSettings,
    moments: Vec<Moments>,
    steps: u64,
}

impl Optimizer for Adam {
    type Config = AdamSettings;

    fn new(vars: Vec<Var>, settings: AdamSettings) -> Result<Adam> {
        let moments = vars
            .into_iter()
            .filter(|var| var.dtype().is_float())
            .map(|var| {
                Ok(Moments {
                    first: var.zeros_like()?,
                    second: var.zeros_like()?,
                    var,
                })
            })
            .collect::<Result<_>>()?;
        Ok(Adam {
            settings,
            moments,
            steps: 0,
        })
    }

    fn step(&mut self, gradients: &GradStore) -> Result<()> {
        self.steps += 1;
        for moments in &mut self.moments {
            let Some(gradient) = gradients.get(&moments.var) else {
                continue;
            };
            // a gradient remembers how it was computed, and the moments would keep all of that alive
            let gradient = &gradient.detach();
            let change = Change::new(&self.settings, self.steps, moments.var.rank());
            if moments.var.device().is_cpu() {
                moments.step_fused(gradient, &self.settings, change)?;
            } else {
                moments.step_plain(gradient, &self.settings, change)?;
            }
        }
        Ok(())
    }

    fn learning_rate(&self) -> f64 {
        self.settings.rate
    }

    fn set_learning_rate(&mut self, rate: f64) {
        self.settings.rate = rate;
    }
}

impl Adam {
    /// Steps taken so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The means of every variable, in the order in which the variables were given.
    pub fn moments(&self) -> &[Moments] {
        &self.moments
    }

    /// Goes on from saved means, two tensors for every variable.
    ///
    /// # Errors
    /// If their number or shapes differ from those of the variables.
    pub fn restore(&mut self, steps: u64, saved: Vec<(Tensor, Tensor)>) -> Result<()> {
        if saved.len() != self.moments.len() {
            candle_core::bail!("{} saved means for {} variables", saved.len(), self.moments.len());
        }
        for (moments, (first, second)) in self.moments.iter_mut().zip(saved) {
            if first.shape() != moments.var.shape() || second.shape() != moments.var.shape() {
                candle_core::bail!("saved means have the shape {:?}", first.shape());
            }
            (moments.first, moments.second) = (first, second);
        }
        self.steps = steps;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;
    use candle_nn::{AdamW, ParamsAdamW};

    fn var(values: &[f32]) -> Var {
        Var::from_slice(values, (1, values.len()), &Device::Cpu).unwrap()
    }

    /// The loss Σ (x³ − x)², whose gradients change from step to step.
    fn loss(var: &Var) -> Result<Tensor> {
        (var.powf(3.0)? - var.as_tensor())?.sqr()?.sum_all()
    }

    #[test]
    fn steps_are_those_of_candles_adamw() -> Result<()> {
        let (ours, theirs) = (var(&[0.3, 2.0, -1.5]), var(&[0.3, 2.0, -1.5]));
        let settings = AdamSettings {
            rate: 0.05,
            decay: 0.1,
            ..AdamSettings::default()
        };
        let mut one = Adam::new(vec![ours.clone()], settings)?;
        let params = ParamsAdamW {
            lr: 0.05,
            weight_decay: 0.1,
            ..ParamsAdamW::default()
        };
        let mut other = AdamW::new(vec![theirs.clone()], params)?;
        for _ in 0..20 {
            one.backward_step(&loss(&ours)?)?;
            other.backward_step(&loss(&theirs)?)?;
        }
        let (ours, theirs) = (
            ours.flatten_all()?.to_vec1::<f32>()?,
            theirs.flatten_all()?.to_vec1::<f32>()?,
        );
        assert!(
            ours.iter().zip(&theirs).all(|(a, b)| (a - b).abs() < 1e-5),
            "{ours:?} {theirs:?}"
        );
        Ok(())
    }

    #[test]
    fn fused_steps_are_the_plain_ones() -> Result<()> {
        let settings = AdamSettings {
            decay: 0.1,
            ..AdamSettings::default()
        };
        let numbers: Vec<f32> = (0..FLOATS_PER_TASK + 5)
            .map(|n| (n as f32 * 0.37).sin())
            .collect();
        let moments = || -> Result<Moments> {
            let var = var(&numbers);
            Ok(Moments {
                first: var.zeros_like()?,
                second: var.zeros_like()?,
                var,
            })
        };
        let (mut fused, mut plain) = (moments()?, moments()?);
        for step in 1..5 {
            let gradient = (fused.var.sqr()? * step as f64)?;
            let change = Change::new(&settings, step, 2);
            fused.step_fused(&gradient, &settings, change)?;
            plain.step_plain(&gradient, &settings, change)?;
        }
        let found = (fused.var.as_tensor() - plain.var.as_tensor())?
            .abs()?
            .max_all()?;
        assert!(found.to_scalar::<f32>()? < 1e-6);
        Ok(())
    }

    #[test]
    fn biases_do_not_decay() -> Result<()> {
        let bias = Var::from_slice(&[1f32, 2.0], 2, &Device::Cpu)?;
        let settings = AdamSettings {
            decay: 10.0,
            ..AdamSettings::default()
        };
        let mut adam = Adam::new(vec![bias.clone()], settings)?;
        adam.backward_step(&(bias.as_tensor() * 0.0)?.sum_all()?)?;
        assert_eq!(bias.to_vec1::<f32>()?, [1.0, 2.0]);
        Ok(())
    }

    #[test]
    fn restored_means_go_on_as_before() -> Result<()> {
        let (straight, broken) = (var(&[0.7, -2.0]), var(&[0.7, -2.0]));
        let mut one = Adam::new(vec![straight.clone()], AdamSettings::default())?;
        let mut first = Adam::new(vec![broken.clone()], AdamSettings::default())?;
        for _ in 0..5 {
            one.backward_step(&loss(&straight)?)?;
            first.backward_step(&loss(&broken)?)?;
        }
        let mut second = Adam::new(vec![broken.clone()], AdamSettings::default())?;
        let saved = first
            .moments()
            .iter()
            .map(|m| (m.first.clone(), m.second.clone()));
        second.restore(first.steps(), saved.collect())?;
        for _ in 0..5 {
            one.backward_step(&loss(&straight)?)?;
            second.backward_step(&loss(&broken)?)?;
        }
        assert_eq!(straight.to_vec2::<f32>()?, broken.to_vec2::<f32>()?);
        assert!(second.restore(1, Vec::new()).is_err());
        Ok(())
    }
}
