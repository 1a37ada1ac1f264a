//! Estimates with 95 % intervals, and the test for paired shares.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

/// The 97.5 % point of the normal distribution.
const Z: f64 = 1.959_964;
/// Samples of the bootstrap.
const SAMPLES: usize = 1_000;
/// Draws the bootstrap's samples: intervals are the same on every run.
const SEED: u64 = 1;

/// A share or a mean, with the interval that holds the true one 95 times in 100.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Of the positions looked at.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Positions looked at.
    pub count: usize,
}

impl Estimate {
    /// The share of ones among zeros and ones, with Wilson's interval; `None` without any.
    pub fn of_share(values: &[f64]) -> Option<Estimate> {
        let n = values.len() as f64;
        if values.is_empty() {
            return None;
        }
        let share = values.iter().sum::<f64>() / n;
        let center = (share + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
        let half = Z / (1.0 + Z * Z / n) * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
        Some(Estimate {
            value: share,
            // rounding must not put a share of none or all outside its interval
            low: (center - half).clamp(0.0, share),
            high: (center + half).clamp(share, 1.0),
            count: values.len(),
        })
    }

    /// A mean, with the percentile interval of a bootstrap over positions; `None` without any.
    pub fn of_mean(values: &[f64]) -> Option<Estimate> {
        if values.is_empty() {
            return None;
        }
        let mean = |sum: f64| sum / values.len() as f64;
        let mut rng = ChaCha8Rng::seed_from_u64(SEED);
        let mut means: Vec<f64> = (0..SAMPLES)
            .map(|_| {
                let draw = |_| values[rng.random_range(0..values.len() as u32) as usize];
                mean((0..values.len()).map(draw).sum())
            })
            .collect();
        means.sort_unstable_by(f64::total_cmp);
        Some(Estimate {
            value: mean(values.iter().sum()),
            low: means[SAMPLES / 40],
            high: means[SAMPLES - 1 - SAMPLES / 40],
            count: values.len(),
        })
    }
}

/// McNemar's exact test, two-sided: how likely it is that of `one + two` positions on which exactly one of two is
/// right, the sides fall at least so unevenly by chance alone.
pub fn mcnemar(one: usize, two: usize) -> f64 {
    let (n, least) = (one + two, one.min(two));
    // the terms are summed as logarithms first, for 2 to the power of n may not fit
    let mut log_term = -(n as f64) * std::f64::consts::LN_2;
    let mut tail = 0.0;
    for k in 0..=least {
        tail += log_term.exp();
        log_term += ((n - k) as f64 / (k + 1) as f64).ln();
    }
    (2.0 * tail).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 5e-4
    }

    #[test]
    fn wilson_as_in_textbooks() {
        // 15 of 50: 0.191 to 0.438 (Newcombe 1998, method 3)
        let values: Vec<f64> = (0..50).map(|n| f64::from(n < 15)).collect();
        let share = Estimate::of_share(&values).unwrap();
        assert!(
            near(share.value, 0.3) && near(share.low, 0.1910) && near(share.high, 0.4375),
            "{share:?}"
        );
        let none = Estimate::of_share(&[0.0; 10]).unwrap();
        assert!(none.low == 0.0 && near(none.high, 0.2775), "{none:?}");
        let all = Estimate::of_share(&[1.0; 10]).unwrap();
        assert!(all.high == 1.0 && near(all.low, 0.7225), "{all:?}");
        assert_eq!(Estimate::of_share(&[]), None);
    }

    #[test]
    fn the_bootstrap_is_the_same_every_time_and_about_normal() {
        let values: Vec<f64> = (0..400).map(|n| f64::from(n % 20)).collect();
        let mean = Estimate::of_mean(&values).unwrap();
        assert_eq!(Some(mean), Estimate::of_mean(&values));
        // the standard error is 5.766 / 20
        assert!((mean.value - 9.5).abs() < 1e-9);
        assert!(
            (mean.low - (9.5 - 0.565)).abs() < 0.08 && (mean.high - (9.5 + 0.565)).abs() < 0.08,
            "{mean:?}"
        );
        let constant = Estimate::of_mean(&[3.0; 9]).unwrap();
        assert_eq!((constant.low, constant.value, constant.high), (3.0, 3.0, 3.0));
        assert_eq!(Estimate::of_mean(&[]), None);
    }

    #[test]
    fn mcnemar_is_a_coin() {
        assert!(near(mcnemar(0, 0), 1.0) && near(mcnemar(3, 3), 1.0));
        // 2 * (1 + 10) / 1024
        assert!(near(mcnemar(1, 9), 0.021_48) && near(mcnemar(9, 1), 0.021_48));
        assert!(near(mcnemar(0, 5), 0.0625));
        assert!(mcnemar(400, 900) < 1e-30 && mcnemar(1_000, 1_010) > 0.8);
    }
}
