//! What a comparison found, and how its numbers are written.

use crate::compare::answer::Answers;
use crate::compare::measure::estimate::Estimate;
use crate::compare::measure::judge::Measure;
use crate::compare::measure::pairs::Pair;
use crate::compare::measure::summary::Summary;
use crate::compare::set::Set;

/// Everything that a comparison found.
pub struct Results<'a> {
    /// Positions and reference.
    pub set: &'a Set,
    /// All answers.
    pub answers: &'a [Answers],
    /// What they are worth.
    pub summaries: &'a [Summary],
    /// Two by two.
    pub pairs: &'a [Pair],
}

/// A number as reports show it: shares in per cent.
pub fn number(measure: Measure, value: f64) -> String {
    let factor = if measure.is_share() { 100.0 } else { 1.0 };
    format!("{:.*}", measure.decimals(), factor * value)
}

/// The interval as reports show it.
pub fn interval(measure: Measure, estimate: &Estimate) -> String {
    format!(
        "{}–{}",
        number(measure, estimate.low),
        number(measure, estimate.high)
    )
}
