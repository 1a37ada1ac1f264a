//! The part of the report on another referee: does it change who is ahead?

use super::answer::probability;
use super::results::{Results, number};
use crate::compare::measure::judge::Measure;
use crate::compare::measure::referee::ranks;
use crate::compare::measure::summary::Subset;
use crate::pictures::escape;
use std::fmt::Write;

/// What is shown by both referees.
const SHOWN: [Measure; 3] = [Measure::Same, Measure::Equal, Measure::ExpectedLoss];

/// The tables, or nothing where there is no other referee.
pub fn second(results: &Results) -> String {
    let Some(second) = results.second else {
        return String::new();
    };
    let agreement = second.agreement;
    let share = |count: usize| 100.0 * count as f64 / agreement.positions.max(1) as f64;
    let mut html = format!(
        "<h2>By another referee</h2>\n<p class=\"small\">The same answers by the scores of {}. The two referees have the same \
        best move in {:.1} % of the positions, and in {:.1} % the first's is of equal strength by the second's scores. Each \
        cell holds the figure by the first and by the second, and the place among all; places that change are bold.</p>\n\
        <div class=\"scroll\"><table><thead><tr><th>contestant</th>",
        escape(&second.labelled_by),
        share(agreement.same),
        share(agreement.equal)
    );
    for measure in SHOWN {
        let _ = write!(html, "<th>{}</th>", measure.heading());
    }
    html.push_str("</tr></thead><tbody>\n");
    let places = SHOWN.map(|measure| {
        [
            ranks(results.summaries, measure),
            ranks(&second.summaries, measure),
        ]
    });
    for (place, (one, two)) in results.summaries.iter().zip(&second.summaries).enumerate() {
        let _ = write!(html, "<tr><td>{}</td>", escape(&one.name));
        for (measure, [before, after]) in SHOWN.into_iter().zip(&places) {
            let found = [one, two].map(|summary| summary.get(Subset::All, measure));
            let (Some(first), Some(other), Some(before), Some(after)) =
                (found[0], found[1], before[place], after[place])
            else {
                html.push_str("<td>–</td>");
                continue;
            };
            let places = match before == after {
                true => format!("place {before}"),
                false => format!("<b>place {before} → {after}</b>"),
            };
            let [first, other] = [first, other].map(|found| number(measure, found.value));
            let _ = write!(html, "<td>{first} · {other}<small>{places}</small></td>");
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody></table></div>\n");
    html.push_str(&changed_pairs(results));
    html
}

/// The pairs of which the referees say different things.
fn changed_pairs(results: &Results) -> String {
    let Some(second) = results.second else {
        return String::new();
    };
    let mut rows = String::new();
    for pair in results.pairs {
        let Some(again) = second.pairs.iter().find(|again| again.places == pair.places) else {
            continue;
        };
        let says = |pair: &crate::compare::measure::pairs::Pair| {
            let sure = pair.corrected < 0.05;
            sure.then(|| usize::from(pair.only[1] > pair.only[0]))
        };
        if says(pair) != says(again) {
            let who =
                |found: Option<usize>| found.map_or("neither".to_string(), |side| escape(&pair.names[side]));
            let _ = writeln!(
                rows,
                "<tr><td>{}</td><td>{}</td><td>{} (p {})</td><td>{} (p {})</td></tr>",
                escape(&pair.names[0]),
                escape(&pair.names[1]),
                who(says(pair)),
                probability(pair.corrected),
                who(says(again)),
                probability(again.corrected)
            );
        }
    }
    match rows.is_empty() {
        true => "<p class=\"small\">Of every pair both referees say the same: who has the reference's move more often \
            beyond chance, or that neither has.</p>\n"
            .to_string(),
        false => format!(
            "<p class=\"small\">Pairs of which they do not say the same: who is ahead beyond chance.</p>\n<div \
            class=\"scroll\"><table><thead><tr><th>first</th><th>second</th><th>by the first referee</th><th>by the \
            second</th></tr></thead><tbody>\n{rows}</tbody></table></div>\n"
        ),
    }
}
