//! What a comparison found, and how its numbers are written.

use crate::compare::answer::Answers;
use crate::compare::measure::entrant::Entrant;
use crate::compare::measure::estimate::Estimate;
use crate::compare::measure::judge::Measure;
use crate::compare::measure::pairs::Pair;
use crate::compare::measure::referee::SecondOpinion;
use crate::compare::measure::summary::Summary;
use crate::compare::play::{Match, Standing};
use crate::compare::set::Set;

/// Everything that a comparison found.
pub struct Results<'a> {
    /// Positions and reference.
    pub set: &'a Set,
    pub answers: &'a [Answers],
    /// Who is measured: contestants and groups of them.
    pub entrants: &'a [Entrant],
    /// What their answers are worth.
    pub summaries: &'a [Summary],
    /// Two by two.
    pub pairs: &'a [Pair],
    /// What another referee says.
    pub second: Option<&'a SecondOpinion>,
    /// Games that were played.
    pub matches: &'a [Match],
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

/// What stands over the names of the two sides of a match and its [`match_cells`].
pub const MATCH_HEADINGS: [&str; 9] = [
    "first",
    "second",
    "games",
    "first wins",
    "drawn",
    "second wins",
    "pairs with 0 ½ 1 1½ 2",
    "score of the first",
    "its Elo",
];

/// What a match tells its readers: games, won, drawn and lost ones, pairs by points, the score and Elo with intervals.
pub fn match_cells(standing: &Standing) -> [String; 7] {
    let [won, drawn, lost] = standing.games;
    let pairs: Vec<String> = standing.pairs.iter().map(usize::to_string).collect();
    let score = standing.score().map_or("–".to_string(), |found| {
        format!(
            "{:.1} % ({:.1}–{:.1})",
            100.0 * found.value,
            100.0 * found.low,
            100.0 * found.high
        )
    });
    let elo = standing.elo().map_or("–".to_string(), |found| {
        let [value, low, high] = [found.value, found.low, found.high].map(elo);
        format!("{value} ({low} to {high})")
    });
    [
        standing.count().to_string(),
        won.to_string(),
        drawn.to_string(),
        lost.to_string(),
        pairs.join(" "),
        score,
        elo,
    ]
}

fn elo(value: f64) -> String {
    match value.is_finite() {
        // an even match is no negative one
        true => format!("{:+.0}", value.round() + 0.0),
        false if value > 0.0 => "+∞".to_string(),
        false => "−∞".to_string(),
    }
}
