//! What the report says first: the answer, before any table.

use super::results::{Results, interval, number};
use crate::compare::contestant::Contestant;
use crate::compare::contestant::spec::SharedLimit;
use crate::compare::measure::judge::Measure;
use crate::compare::measure::pairs::Pair;
use crate::compare::measure::summary::{Subset, Summary};
use maud::{Markup, html};

/// Look-aheads and limits that the answer goes through, and how many entrants of each it names.
const MOST_LIMITS: usize = 4;
const MOST_NAMES: usize = 4;

/// The answer: the comparison that was named beforehand, and who is ahead at each look-ahead.
pub fn answer(results: &Results) -> Markup {
    html! {
        @if let Some(pair) = results.pairs.iter().find(|pair| pair.main) { (main_comparison(results, pair)) }
        (rankings(results))
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

fn main_comparison(results: &Results, pair: &Pair) -> Markup {
    let [one, two] = pair.places.map(|place| &results.summaries[place]);
    html! {
        p.answer {
            b { (one.name) } " has the reference's move in " (figure(one, Measure::Same)) ", "
            b { (two.name) } " in " (figure(two, Measure::Same)) "; " (verdict(pair))
            ". By its moves it gives away " (figure(one, Measure::ExpectedLoss)) " of the expected score, the other "
            (figure(two, Measure::ExpectedLoss)) "."
            @if let Some(second) = results.second
                && let Some(again) = second.pairs.iter().find(|again| again.main)
            {
                @let [one, two] = pair.places.map(|place| figure(&second.summaries[place], Measure::Same));
                " By " (second.labelled_by) ": " (one) " and " (two) "; " (verdict(again)) "."
            }
            " This is the comparison that was named beforehand."
        }
    }
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
        true => "< 0.001".to_string(),
        false => format!("= {p:.3}"),
    }
}

/// Who is ahead at each look-ahead or limit that several share, by the expected score that their moves give away.
fn rankings(results: &Results) -> Markup {
    let limits = by_limit(results);
    html! {
        @if !limits.is_empty() {
            p.answer {
                "Who gives away least of the expected score a move (in brackets how often it has the reference's \
                move):"
            }
            ul.answer { @for (limit, places) in limits { (ranking(results, limit, &places)) } }
        }
    }
}

/// The entrants of the first limits that several share, by the expected score that their moves give away.
fn by_limit(results: &Results) -> Vec<(Option<SharedLimit>, Vec<usize>)> {
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
    limits.truncate(MOST_LIMITS);
    for (_, places) in &mut limits {
        let value = |place| lost(place).map_or(0.0, |found| found.value);
        places.sort_by(|&one, &two| value(one).total_cmp(&value(two)));
    }
    limits
}

fn ranking(results: &Results, limit: Option<SharedLimit>, places: &[usize]) -> Markup {
    let part = |place: usize, measure: Measure| {
        let found = results.summaries[place].get(Subset::All, measure);
        found.map_or("–".to_string(), |found| number(measure, found.value))
    };
    html! {
        li {
            (heading(limit)) ": "
            @for (rank, &place) in places.iter().take(MOST_NAMES).enumerate() {
                @if rank > 0 { ", " }
                b { (results.summaries[place].name) } " " (part(place, Measure::ExpectedLoss))
                " (" (part(place, Measure::Same)) " %)"
            }
            @if places.len() > MOST_NAMES { ", and " (places.len() - MOST_NAMES) " more" }
        }
    }
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
