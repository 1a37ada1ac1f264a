//! Statistics of groups: nets of one recipe from several random seeds, whose differences are the noise of training.
//!
//! A figure of a group is the mean over its members and the positions. It varies for two reasons: other positions could
//! have been drawn, and other seeds. Both are in its interval, by a bootstrap of two levels: each sample draws
//! positions with replacement, and members with replacement. What members add is widened by √(k / (k − 1)) for k of
//! them, since resampling so few underestimates their spread; a single net says nothing of this noise, and its interval
//! has only that of the positions.
//!
//! Two groups, or a group and a net, are tested by the mean difference over positions. Its variance is the sum of that of
//! the position-wise differences over the positions and, for each side, that of the members' means over the members; the
//! degrees of freedom are those of Welch and Satterthwaite, and p is that of Student's t, two-sided.

use super::estimate::{Estimate, SAMPLES, SEED, percentiles};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A measure of every member (outer) on every position (inner); all have the same positions.
pub type Values = [Vec<f64>];

/// The mean of a group with its interval; `None` without any value.
pub fn estimate(values: &Values) -> Option<Estimate> {
    let by_position = by_position(values)?;
    let mean = mean(&by_position);
    let (low, high) = interval(&by_position, &[member_means(values)]);
    Some(Estimate {
        value: mean,
        low: low.min(mean),
        high: high.max(mean),
        count: by_position.len(),
    })
}

/// A difference of two sides, first − second, and how likely one as large is by chance alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// With its interval.
    pub estimate: Estimate,
    /// Two-sided.
    pub p: f64,
}

/// Compares two sides on the same positions; `None` without any value.
pub fn difference(sides: [&Values; 2]) -> Option<Difference> {
    let [first, second] = sides.map(by_position);
    let differences: Vec<f64> = first?.iter().zip(&second?).map(|(one, two)| one - two).collect();
    let value = mean(&differences);
    let members = sides.map(member_means);
    let (low, high) = interval(&differences, &members);
    let parts = [spread(&differences), spread(&members[0]), spread(&members[1])];
    Some(Difference {
        estimate: Estimate {
            value,
            low: low.min(value),
            high: high.max(value),
            count: differences.len(),
        },
        p: welch(value, &parts),
    })
}

/// The mean over the members for each position.
fn by_position(values: &Values) -> Option<Vec<f64>> {
    let count = values.first()?.len();
    let means =
        (0..count).map(|place| values.iter().map(|member| member[place]).sum::<f64>() / values.len() as f64);
    (count > 0).then(|| means.collect())
}

fn member_means(values: &Values) -> Vec<f64> {
    values.iter().map(|member| mean(member)).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The bootstrap of two levels.
fn interval(by_position: &[f64], members: &[Vec<f64>]) -> (f64, f64) {
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let mut resampled = |values: &[f64]| {
        let draw = |_| values[rng.random_range(0..values.len() as u32) as usize];
        (0..values.len()).map(draw).sum::<f64>() / values.len() as f64
    };
    let samples = (0..SAMPLES).map(|_| {
        let mut sample = resampled(by_position);
        for means in members.iter().filter(|means| means.len() > 1) {
            let count = means.len() as f64;
            sample += (resampled(means) - mean(means)) * (count / (count - 1.0)).sqrt();
        }
        sample
    });
    percentiles(samples.collect())
}

/// The variance of a mean, and its degrees of freedom; nothing for a single value.
fn spread(values: &[f64]) -> (f64, f64) {
    let (count, center) = (values.len() as f64, mean(values));
    match values.len() {
        0 | 1 => (0.0, 1.0),
        _ => {
            let squares: f64 = values.iter().map(|value| (value - center).powi(2)).sum();
            (squares / (count - 1.0) / count, count - 1.0)
        }
    }
}

/// Two-sided p of a mean whose variance has these parts.
fn welch(value: f64, parts: &[(f64, f64)]) -> f64 {
    let variance: f64 = parts.iter().map(|(variance, _)| variance).sum();
    if variance == 0.0 {
        return if value == 0.0 { 1.0 } else { 0.0 };
    }
    let weights: f64 = parts
        .iter()
        .map(|(variance, freedom)| variance * variance / freedom)
        .sum();
    student(value.abs() / variance.sqrt(), variance * variance / weights)
}

/// How often Student's t with so many degrees of freedom is at least so far from 0, on either side.
///
/// With t = √f · tan θ the density of θ is proportional to cos^(f−1) θ, which Simpson's rule sums on both sides of the
/// bound; the constant in front cancels.
fn student(t: f64, freedom: f64) -> f64 {
    use std::f64::consts::FRAC_PI_2;
    const STEPS: usize = 2_000;
    let bound = (t / freedom.sqrt()).atan();
    let simpson = |from: f64, to: f64| {
        let width = (to - from) / STEPS as f64;
        let value = |step: usize| (from + step as f64 * width).cos().max(0.0).powf(freedom - 1.0);
        let inner: f64 = (1..STEPS)
            .map(|step| value(step) * if step % 2 == 1 { 4.0 } else { 2.0 })
            .sum();
        (value(0) + inner + value(STEPS)) * width / 3.0
    };
    let (inside, outside) = (simpson(0.0, bound), simpson(bound, FRAC_PI_2));
    (outside / (inside + outside)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn student_as_in_tables() {
        for (t, freedom, p) in [
            (2.228, 10.0, 0.05),
            (4.303, 2.0, 0.05),
            (63.657, 1.0, 0.01),
            (1.9623, 1_000.0, 0.05),
            (0.0, 5.0, 1.0),
        ] {
            let found = student(t, freedom);
            assert!((found - p).abs() < 2e-4, "{t} {freedom}: {found}");
        }
    }

    fn positions(shift: f64) -> Vec<f64> {
        (0..400).map(|n| f64::from(n % 20) + shift).collect()
    }

    #[test]
    fn seeds_widen_the_interval() {
        let alone = estimate(&[positions(0.0)]).unwrap();
        // the standard error is 5.766 / 20 by the positions alone
        assert!((alone.high - alone.low - 1.13).abs() < 0.12, "{alone:?}");
        let group = [positions(-1.0), positions(0.0), positions(1.0)];
        let wide = estimate(&group).unwrap();
        assert!((wide.value - alone.value).abs() < 1e-9);
        // three means with a standard deviation of 1 add 1/√3 to the standard error
        let expected = 2.0 * 1.96 * (0.288f64.powi(2) + 1.0 / 3.0).sqrt();
        assert!(
            (wide.high - wide.low - expected).abs() < 0.35,
            "{wide:?} {expected}"
        );
    }

    #[test]
    fn what_seeds_alone_explain_is_no_difference() {
        let noisy = [positions(-1.0), positions(0.0), positions(1.0)];
        let moved = [positions(-0.5), positions(0.5), positions(1.5)];
        let found = difference([&noisy, &moved]).unwrap();
        assert!((found.estimate.value + 0.5).abs() < 1e-9);
        // t = 0.5 / √(1/3 + 1/3) with 4 degrees of freedom
        assert!((found.p - 0.573).abs() < 0.01, "{found:?}");
        assert!(found.estimate.low < -1.0 && found.estimate.high > 0.0);
        // the same difference of two nets that always differ so is beyond doubt
        let sure = difference([&[positions(0.0)], &[positions(0.5)]]).unwrap();
        assert_eq!((sure.p, sure.estimate.low, sure.estimate.high), (0.0, -0.5, -0.5));
        assert_eq!(difference([&[positions(0.0)], &[positions(0.0)]]).unwrap().p, 1.0);
    }
}
