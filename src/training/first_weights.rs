//! The weights that a training begins with.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Draws first weights: the same ones in the same order for the same seed. candle's own generator cannot be seeded on
/// the CPU.
pub struct FirstWeights(ChaCha8Rng);

impl FirstWeights {
    /// A generator of weights from a recipe's random seed.
    pub fn new(seed: u64) -> FirstWeights {
        FirstWeights(ChaCha8Rng::seed_from_u64(seed))
    }

    /// So many weights, uniform within ± a bound.
    pub fn uniform(&mut self, count: usize, bound: f64) -> Vec<f32> {
        let bound = bound as f32;
        (0..count).map(|_| self.0.random_range(-bound..bound)).collect()
    }

    /// So many weights, uniform within ±√(6 / terms), for sums of so many terms that ReLU follows (He and others, 2015):
    /// the mean square of what ReLU gives is then that of the terms.
    pub fn he(&mut self, count: usize, terms: usize) -> Vec<f32> {
        self.uniform(count, (6.0 / terms as f64).sqrt())
    }
}
