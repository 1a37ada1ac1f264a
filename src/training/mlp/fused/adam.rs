//! Steps of Adam on 16 weights that stand beside their means.
//!
//! The formula is that of [`crate::training::optimizer`]. The difference is in the first layer, where only the weights of
//! inputs that occur in the batch are changed: a dense Adam also lets the means of the others fade, moves those weights on
//! by what is left of them, and takes their decay. Here they wait for the next batch that has them, as in other trainers
//! of such nets; an input that is rare keeps the memory of its own gradients.

use crate::arch::vectors::{Floats, Vectors};
use crate::training::optimizer::AdamSettings;

/// 16 weights with the means of their gradients and of the gradients' squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    pub weight: Floats,
    /// Means of the gradients.
    pub first: Floats,
    /// Means of their squares.
    pub second: Floats,
}

impl Cell {
    /// Weights of 0 before the first step.
    pub const ZERO: Cell = Cell {
        weight: Floats::ZERO,
        first: Floats::ZERO,
        second: Floats::ZERO,
    };
}

/// What one step does to the weights of a layer.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// Sums of gradients are multiplied by this: 1 / positions.
    pub scale: f32,
    beta1: f32,
    beta2: f32,
    kept: f32,
    rate: f32,
    corrected: f32,
    epsilon: f32,
    bound: f32,
}

impl Change {
    /// The change at a step, counted from 1, of weights (which decay) or biases, kept within ± a bound; 0 is none.
    pub fn new(settings: &AdamSettings, step: u64, positions: usize, decays: bool, bound: f64) -> Change {
        let corrected = |beta: f64| 1.0 - beta.powf(step as f64);
        Change {
            scale: 1.0 / positions as f32,
            beta1: settings.beta1 as f32,
            beta2: settings.beta2 as f32,
            kept: if decays {
                (1.0 - settings.rate * settings.decay) as f32
            } else {
                1.0
            },
            rate: (settings.rate / corrected(settings.beta1)) as f32,
            corrected: (1.0 / corrected(settings.beta2)) as f32,
            epsilon: settings.epsilon as f32,
            bound: if bound > 0.0 { bound as f32 } else { f32::INFINITY },
        }
    }
}

/// A [`Change`] in vectors.
#[derive(Clone, Copy)]
pub struct Changing<V: Vectors> {
    scale: V::Floats,
    beta1: V::Floats,
    rest1: V::Floats,
    beta2: V::Floats,
    rest2: V::Floats,
    kept: V::Floats,
    rate: V::Floats,
    corrected: V::Floats,
    epsilon: V::Floats,
    least: V::Floats,
    most: V::Floats,
}

impl<V: Vectors> Changing<V> {
    /// Spreads the numbers.
    #[inline(always)]
    pub fn new(v: V, change: &Change) -> Changing<V> {
        Changing {
            scale: v.splat(change.scale),
            beta1: v.splat(change.beta1),
            rest1: v.splat(1.0 - change.beta1),
            beta2: v.splat(change.beta2),
            rest2: v.splat(1.0 - change.beta2),
            kept: v.splat(change.kept),
            rate: v.splat(-change.rate),
            corrected: v.splat(change.corrected),
            epsilon: v.splat(change.epsilon),
            least: v.splat(-change.bound),
            most: v.splat(change.bound),
        }
    }

    /// A step, for the sums of the gradients over the batch.
    #[inline(always)]
    pub fn step(&self, v: V, cell: &mut Cell, gradients: V::Floats) {
        let weight = self.unbound(v, cell, gradients);
        v.store(v.clamp(weight, self.least, self.most), &mut cell.weight);
    }

    /// A step of weights whose bound holds for their sum with others. The new weights are given, not stored.
    #[inline(always)]
    pub fn unbound(&self, v: V, cell: &mut Cell, gradients: V::Floats) -> V::Floats {
        let gradient = v.multiply(gradients, self.scale);
        let first = v.multiply_add(v.load(&cell.first), self.beta1, v.multiply(gradient, self.rest1));
        let square = v.multiply(gradient, gradient);
        let second = v.multiply_add(v.load(&cell.second), self.beta2, v.multiply(square, self.rest2));
        v.store(first, &mut cell.first);
        v.store(second, &mut cell.second);
        let root = v.add(v.root(v.multiply(second, self.corrected)), self.epsilon);
        let kept = v.multiply(v.load(&cell.weight), self.kept);
        v.multiply_add(v.divide(first, root), self.rate, kept)
    }

    /// Weights within the bound.
    #[inline(always)]
    pub fn within_bound(&self, v: V, weights: V::Floats) -> V::Floats {
        v.clamp(weights, self.least, self.most)
    }

    /// Brings the sum of weights and `shared` ones within the bound by changing the weights; gives the sum.
    #[inline(always)]
    pub fn bound_sum(&self, v: V, cell: &mut Cell, shared: V::Floats) -> V::Floats {
        let weight = v.load(&cell.weight);
        let sum = v.add(weight, shared);
        let within = v.clamp(sum, self.least, self.most);
        // exactly the old weight where the sum was within the bound
        v.store(v.add(weight, v.subtract(within, sum)), &mut cell.weight);
        within
    }
}
