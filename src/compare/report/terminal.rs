//! The results for a terminal.

use super::results::{MATCH_HEADINGS, Results, interval, match_cells, number};
use crate::compare::measure::judge::Measure;
use crate::compare::measure::summary::Subset;
use crate::compare::play::Match;

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
    let width = results
        .summaries
        .iter()
        .map(|summary| summary.name.chars().count());
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

/// The matches, a line each, for the first of its two.
pub fn matches(matches: &[Match]) -> String {
    let mut rows = vec![MATCH_HEADINGS.map(str::to_string)];
    for found in matches {
        let [games, won, drawn, lost, pairs, score, elo] = match_cells(&found.standing);
        let [first, second] = found.names.clone();
        rows.push([first, second, games, won, drawn, lost, pairs, score, elo]);
    }
    let width = |column: usize| {
        rows.iter()
            .map(|row| row[column].chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..MATCH_HEADINGS.len()).map(width).collect();
    let line = |row: &[String; 9]| {
        let cells = row
            .iter()
            .zip(&widths)
            .map(|(cell, &width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_string()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}
