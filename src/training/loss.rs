//! The loss of nets whose one output ends in tanh.

use candle_core::{Result, Tensor};

/// What a step minimises: the sum of two scalars.
pub struct Loss {
    /// How far the outputs are from the targets; this is what reports show.
    pub error: Tensor,
    /// A term that does not depend on the targets, such as the price of activity.
    pub price: Option<Tensor>,
}

impl Loss {
    /// The loss of a net without any price; see [`error_of_sums`].
    ///
    /// # Errors
    /// Those of candle.
    pub fn of_sums(sums: &Tensor, targets: &[f32], exponent: f64) -> Result<Loss> {
        Ok(Loss {
            error: error_of_sums(sums, targets, exponent)?,
            price: None,
        })
    }
}

/// The mean of |tanh(sum) − target|^exponent over a batch, from outputs before tanh (positions) and a target in [-1, 1]
/// for each. The square has an operation of its own, which is exact and fast.
///
/// # Errors
/// If the numbers of sums and targets differ, or the device fails.
pub fn error_of_sums(sums: &Tensor, targets: &[f32], exponent: f64) -> Result<Tensor> {
    let targets = Tensor::from_slice(targets, targets.len(), sums.device())?;
    let errors = (sums.tanh()? - targets)?;
    if exponent == 2.0 {
        errors.sqr()?.mean_all()
    } else {
        errors.abs()?.powf(exponent)?.mean_all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::{Device, Var};

    #[test]
    fn the_loss_and_its_gradient_have_the_exponent() -> Result<()> {
        let values = [0.5f32, -1.0, 0.0, 0.25];
        let targets = [0.9f32, -0.2, 0.0, -0.5];
        for exponent in [1.0, 1.5, 2.0, 2.6] {
            let sums = Var::from_slice(&values, 4, &Device::Cpu)?;
            let loss = error_of_sums(&sums, &targets, exponent)?;
            let gradient = loss
                .backward()?
                .get(&sums)
                .expect("a gradient")
                .to_vec1::<f32>()?;
            let mut wanted = 0.0;
            for ((&sum, &target), found) in values.iter().zip(&targets).zip(gradient) {
                let (value, target) = (f64::from(sum).tanh(), f64::from(target));
                let error = value - target;
                wanted += error.abs().powf(exponent) / 4.0;
                let slope =
                    exponent * error.abs().powf(exponent - 1.0) * error.signum() * (1.0 - value * value)
                        / 4.0;
                // the size has no slope at 0
                assert!(
                    error == 0.0 || (f64::from(found) - slope).abs() < 1e-6,
                    "{exponent}: {found} {slope}"
                );
                assert!(found.is_finite());
            }
            assert!((f64::from(loss.to_scalar::<f32>()?) - wanted).abs() < 1e-6);
        }
        Ok(())
    }
}
