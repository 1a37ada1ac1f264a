//! What the report says first: the answer, before any table.

use super::results::{Results, interval, number};
use crate::compare::contestant::Contestant;
use crate::compare::contestant::spec::SharedLimit;
use crate::compare::measure::judge::Measure;
use crate::compare::measure::pairs::Pair;
use crate::compare::measure::summary::{Subset, Summary};
use crate::pictures::escape;
use std::fmt::Write;

/// Look-aheads and limits that the answer goes through, and how many entrants of each it names.
const MOST_LIMITS: usize = 4;
const MOST_NAMES: usize = 4;

/// The answer: the comparison that was named beforehand, or else who is ahead at each look-ahead.
pub fn answer(results: &Results) -> String {
    match results.pairs.iter().find(|pair| pair.main) {
        Some(pair) => main_comparison(results, pair) + &rankings(results),
        None => rankings(results),
    }
}

fn figure(summary: &Summary, measure: Measure) -> String {
    match summary.get(Subset::All, measure) {
        None => "–".to_string(),
        Some(found) => {
            let unit = if measure.is_share() { " %" } else { "" };
            format!(
                "{}{unit} ({})",
                number(measure, found.value),
                interval(measure, &found)
            )
        }
    }
}

fn main_comparison(results: &Results, pair: &Pair) -> String {
    let [one, two] = pair.places.map(|place| &results.summaries[place]);
    let mut html = format!(
        "<p class=\"answer\"><b>{}</b> has the reference's move in {}, <b>{}</b> in {}; {}. By its moves it gives away {} of \
        the expected score, the other {}.",
        escape(&one.name),
        figure(one, Measure::Same),
        escape(&two.name),
        figure(two, Measure::Same),
        verdict(pair),
        figure(one, Measure::ExpectedLoss),
        figure(two, Measure::ExpectedLoss),
    );
    if let Some(second) = results.second
        && let Some(again) = second.pairs.iter().find(|again| again.main)
    {
        let [one, two] = pair.places.map(|place| &second.summaries[place]);
        let _ = write!(
            html,
            " By {}: {} and {}; {}.",
            escape(&second.labelled_by),
            figure(one, Measure::Same),
            figure(two, Measure::Same),
            verdict(again)
        );
    }
    html.push_str(" This is the comparison that was named beforehand.</p>\n");
    html
}

fn verdict(pair: &Pair) -> String {
    let ahead = pair.only[0] >= pair.only[1];
    let p = probability(pair.p);
    match (pair.p < 0.05, ahead) {
        (true, true) => format!("the first is ahead beyond chance (p {p})"),
        (true, false) => format!("the second is ahead beyond chance (p {p})"),
        (false, _) => format!("the difference is within chance (p {p})"),
    }
}

/// A probability with its sign, as reports show it.
pub fn probability(p: f64) -> String {
    match p < 0.001 {
        true => "&lt; 0.001".to_string(),
        false => format!("= {p:.3}"),
    }
}

/// Who is ahead at each look-ahead or limit that several share, by the expected score that their moves give away.
fn rankings(results: &Results) -> String {
    let limit = |place: usize| {
        results.entrants[place]
            .contestant
            .as_ref()
            .map(Contestant::shared_limit)
    };
    let lost = |place: usize| results.summaries[place].get(Subset::All, Measure::ExpectedLoss);
    let mut limits: Vec<(Option<SharedLimit>, Vec<usize>)> = Vec::new();
    for place in (0..results.entrants.len()).filter(|&place| lost(place).is_some()) {
        match limits.iter_mut().find(|(known, _)| *known == limit(place)) {
            Some((_, places)) => places.push(place),
            None => limits.push((limit(place), vec![place])),
        }
    }
    limits.retain(|(_, places)| places.len() > 1);
    limits.sort_by_key(|(limit, _)| *limit);
    let mut html = String::new();
    for (limit, mut places) in limits.into_iter().take(MOST_LIMITS) {
        places.sort_by(|&one, &two| {
            let value = |place| lost(place).map_or(0.0, |found| found.value);
            value(one).total_cmp(&value(two))
        });
        let names: Vec<String> = places
            .iter()
            .take(MOST_NAMES)
            .map(|&place| {
                let summary = &results.summaries[place];
                let part = |measure: Measure| {
                    let found = summary.get(Subset::All, measure);
                    found.map_or("–".to_string(), |found| number(measure, found.value))
                };
                let (name, same) = (escape(&summary.name), part(Measure::Same));
                format!("<b>{name}</b> {} ({same} %)", part(Measure::ExpectedLoss))
            })
            .collect();
        let more = match places.len().saturating_sub(MOST_NAMES) {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        let _ = write!(html, "<li>{}: {}{more}</li>", heading(limit), names.join(", "));
    }
    if html.is_empty() {
        return html;
    }
    format!(
        "<p class=\"answer\">Who gives away least of the expected score a move (in brackets how often it has the reference's \
        move):</p>\n<ul class=\"answer\">{html}</ul>\n"
    )
}

fn heading(limit: Option<SharedLimit>) -> String {
    match limit {
        None => "In the table".to_string(),
        Some(SharedLimit::Plies(1)) => "1 ply".to_string(),
        Some(SharedLimit::Plies(plies)) => format!("{plies} plies"),
        Some(SharedLimit::Nodes(nodes)) => format!("{nodes} nodes"),
        Some(SharedLimit::Time(time)) => format!("{time} ms"),
        Some(SharedLimit::Level) => "a level each".to_string(),
    }
}
