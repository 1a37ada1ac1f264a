//! The results for a terminal.

use super::results::{Results, interval, number};
use crate::compare::measure::judge::Measure;
use crate::compare::measure::summary::Subset;

/// What is printed, in this order.
const PRINTED: [Measure; 11] = [
    Measure::Same,
    Measure::TopThree,
    Measure::Within10,
    Measure::Within30,
    Measure::Equal,
    Measure::Blunder,
    Measure::Loss,
    Measure::Error,
    Measure::StaticError,
    Measure::Nodes,
    Measure::Time,
];

/// The measures on all positions, for a terminal. Shares are in per cent.
pub fn printed(results: &Results) -> String {
    let width = results.answers.iter().map(|answers| answers.name.chars().count());
    let width = width.max().unwrap_or(0).max("contestant".len());
    let mut text = format!("{:width$}", "contestant");
    for measure in PRINTED {
        text.push_str(&format!("  {:>14}", measure.title()));
    }
    for summary in results.summaries {
        let mut lines = [format!("\n{:width$}", summary.name), format!("\n{:width$}", "")];
        for measure in PRINTED {
            let estimate = summary.get(Subset::All, measure);
            let value = estimate.map_or("–".to_string(), |found| number(measure, found.value));
            let range = estimate.map_or(String::new(), |found| interval(measure, &found));
            lines[0].push_str(&format!("  {value:>14}"));
            lines[1].push_str(&format!("  {range:>14}"));
        }
        text.extend(lines);
    }
    text
}
