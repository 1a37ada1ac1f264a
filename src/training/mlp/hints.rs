//! What a teacher's hidden layer says beside the score: the sums of its second layer, which those of the net in training are
//! drawn towards.

use crate::data::record::hint::{HINT_CENTIPAWNS, HINT_NUMBERS, HINT_UNIT};
use crate::data::{Hint, NO_HINT};
use crate::nets::curve::Curve;
use crate::training::batch::Batch;
use candle_core::{Result, Tensor};

/// Numbers of a hint.
pub const NUMBERS: usize = HINT_NUMBERS;
/// What stands for 1 in a hint.
const UNIT: f32 = HINT_UNIT as f32;
/// The centipawns that are 1 in its last number.
const CENTIPAWNS: f32 = HINT_CENTIPAWNS as f32;
/// Sums are compared within ± this: beyond it the unit's activations have long been flat.
pub const BOUND: f32 = 1.5;
/// How much more the error of the straight unit weighs than that of another.
pub const STRAIGHT_WEIGHT: f32 = 4.0;

/// The teacher's sums in the units of a net with this curve; `None` where there is no hint.
pub fn teachers_sums(hint: &Hint, curve: Curve) -> Option<[f32; NUMBERS]> {
    let Curve::Tanh { scale } = curve else {
        return None;
    };
    let mut sums = hint.map(|number| f32::from(number) / UNIT);
    sums[NUMBERS - 1] *= CENTIPAWNS / scale;
    (*hint != NO_HINT).then_some(sums)
}

/// The penalty of sums (positions × units) against the hints of a batch, the mean over its positions, before its weight:
/// the squared differences within the bound, and those of the straight unit through tanh. A sum beyond the bound costs in
/// proportion to how far it is, unless the teacher's is beyond the same one.
///
/// # Errors
/// Those of candle.
pub fn penalty(sums: &Tensor, batch: &Batch, curve: Curve) -> Result<Tensor> {
    let (rows, units) = sums.dims2()?;
    let (mut teacher, mut given) = (Vec::with_capacity(rows * units), Vec::with_capacity(rows));
    for hint in &batch.hints {
        let sums = teachers_sums(hint, curve);
        given.push(sums.is_some() as u8 as f32);
        teacher.extend(sums.unwrap_or_default());
    }
    let teacher = Tensor::from_vec(teacher, (rows, units), sums.device())?;
    let given = Tensor::from_vec(given, (rows, 1), sums.device())?;
    let others = |tensor: &Tensor| tensor.narrow(1, 0, units - 1);
    let straight = |tensor: &Tensor| tensor.narrow(1, units - 1, 1)?.tanh();
    let own = others(sums)?;
    let within = own.clamp(-BOUND, BOUND)?;
    let difference = (&within - others(&teacher)?.clamp(-BOUND, BOUND)?)?;
    let beyond = ((own - within)? * difference.detach())?;
    let penalty = (difference.sqr()? + (beyond * 2.0)?)?.sum_keepdim(1)?;
    let straight = (straight(sums)? - straight(&teacher)?)?.sqr()?;
    let all = (penalty + (straight * f64::from(STRAIGHT_WEIGHT))?)?;
    (all * given)?.sum_all()? / rows as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::batch::Inputs;
    use candle_core::{Device, Var};

    #[test]
    fn the_penalty_by_hand() -> Result<()> {
        // within the bound, beyond it, both beyond it, and beyond opposite ones
        let (own, teacher) = ([0.5, 2.0, 3.0, -2.0], [0.25, 0.5, 2.0, 1.75]);
        let (mut sums, mut hint) = ([0f32; 32], [0i16; 16]);
        sums[..4].copy_from_slice(&own);
        sums[15] = 0.5;
        for (number, teacher) in hint.iter_mut().zip(teacher) {
            *number = (teacher * UNIT) as i16;
        }
        hint[15] = 1024;
        let sums = Var::from_slice(&sums, (2, 16), &Device::Cpu)?;
        let batch = Batch {
            inputs: Inputs::new(()),
            targets: Vec::new(),
            hints: vec![hint, NO_HINT],
        };
        let found = penalty(&sums, &batch, Curve::Tanh { scale: 600.0 })?;
        let straight = STRAIGHT_WEIGHT * (0.5f32.tanh() - 0.5f32.tanh()).powi(2);
        let wanted = (0.0625 + (1.0 + 2.0 * 0.5) + 0.0 + (9.0 + 6.0 * 0.5) + straight) / 2.0;
        assert!((found.to_scalar::<f32>()? - wanted).abs() < 1e-5, "{found}");
        let slopes = found.backward()?.get(&sums).unwrap().to_vec2::<f32>()?;
        for (slope, wanted) in slopes[0].iter().zip([0.25, 1.0, 0.0, -3.0]) {
            assert!((slope - wanted).abs() < 1e-5, "{slopes:?}");
        }
        assert_eq!(slopes[1], [0.0; 16]);
        Ok(())
    }
}
