//! The second layer's sums beside those of a teacher: the gradients of [`crate::training::mlp::hints::penalty`].

use crate::arch::vectors::{Floats, Vectors};
use crate::training::mlp::hints::{BOUND, NUMBERS, STRAIGHT_WEIGHT};

/// What the second layer's sums at one place are regressed on.
#[derive(Clone, Copy, Debug)]
pub struct Regressed {
    /// The teacher's sums, within ± [`BOUND`] but for the straight unit's.
    sums: Floats,
    /// The tanh of the straight unit's.
    straight: f32,
    /// The weight of all this in the loss.
    weight: f32,
}

impl Regressed {
    /// Says nothing.
    pub const NOTHING: Regressed = Regressed {
        sums: Floats::ZERO,
        straight: 0.0,
        weight: 0.0,
    };

    /// A teacher's sums, with their weight in the loss.
    pub fn new(sums: [f32; NUMBERS], weight: f32) -> Regressed {
        Regressed {
            sums: Floats(sums.map(|sum| sum.clamp(-BOUND, BOUND))),
            straight: sums[NUMBERS - 1].tanh(),
            weight,
        }
    }

    /// The slopes of the penalty in the net's own sums. A sum beyond the bound is drawn back as if it stood there.
    #[inline(always)]
    pub fn slopes<V: Vectors>(&self, v: V, sums: V::Floats) -> V::Floats {
        if self.weight == 0.0 {
            return v.splat(0.0);
        }
        let clipped = v.clamp(sums, v.splat(-BOUND), v.splat(BOUND));
        let differences = v.subtract(clipped, v.load(&self.sums));
        let (mut slopes, mut raw) = (Floats::ZERO, Floats::ZERO);
        v.store(v.multiply(differences, v.splat(2.0 * self.weight)), &mut slopes);
        v.store(sums, &mut raw);
        let value = raw.0[NUMBERS - 1].tanh();
        slopes.0[NUMBERS - 1] =
            2.0 * STRAIGHT_WEIGHT * self.weight * (value - self.straight) * (1.0 - value * value);
        v.load(&slopes)
    }
}
