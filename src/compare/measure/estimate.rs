//! Estimates with 95 % intervals, and the test for paired shares.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

/// The 97.5 % point of the normal distribution.
const Z: f64 = 1.959_964;
/// Samples of the bootstrap.
pub(super) const SAMPLES: usize = 1_000;
/// Draws the bootstrap's samples: intervals are the same on every run.
pub(super) const SEED: u64 = 1;

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
        let means: Vec<f64> = (0..SAMPLES)
            .map(|_| {
                let draw = |_| values[rng.random_range(0..values.len() as u32) as usize];
                mean((0..values.len()).map(draw).sum())
            })
            .collect();
        let (low, high) = percentiles(means);
        Some(Estimate {
            value: mean(values.iter().sum()),
            low,
            high,
            count: values.len(),
        })
    }
}

/// The ends of the interval that holds 95 in 100 of a bootstrap's samples.
pub(super) fn percentiles(mut samples: Vec<f64>) -> (f64, f64) {
    samples.sort_unstable_by(f64::total_cmp);
    (samples[SAMPLES / 40], samples[SAMPLES - 1 - SAMPLES / 40])
}

/// Holm's correction of the p of several tests (Scandinavian Journal of Statistics, 1979): compared with 0.05, the
/// corrected ones call any true null hypothesis false at most 5 times in 100.
pub fn holm(ps: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..ps.len()).collect();
    order.sort_by(|&one, &two| ps[one].total_cmp(&ps[two]));
    let (mut corrected, mut least) = (vec![1.0; ps.len()], 0f64);
    for (place, &test) in order.iter().enumerate() {
        // a larger p never becomes the smaller one
        least = least.max((ps.len() - place) as f64 * ps[test]).min(1.0);
        corrected[test] = least;
    }
    corrected
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
    fn holm_as_in_textbooks() {
        let found = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (found, expected) in found.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!(near(*found, expected), "{found} {expected}");
        }
        assert_eq!(holm(&[0.7, 0.9]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
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
