//! The part of the report on another referee: does it change who is ahead?

use super::answer::probability;
use super::results::{Results, number};
use super::tables::{by_contestant, table};
use crate::compare::measure::judge::Measure;
use crate::compare::measure::pairs::Pair;
use crate::compare::measure::referee::{SecondOpinion, ranks};
use crate::compare::measure::summary::Subset;
use maud::{Markup, html};

/// What is shown by both referees.
const SHOWN: [Measure; 3] = [Measure::Same, Measure::Equal, Measure::ExpectedLoss];

/// The tables, where there is another referee.
pub fn second(results: &Results, second: &SecondOpinion) -> Markup {
    let agreement = second.agreement;
    let share = |count: usize| {
        let share = 100.0 * count as f64 / agreement.positions.max(1) as f64;
        format!("{share:.1} %")
    };
    html! {
        h2 { "By another referee" }
        p.small {
            "The same answers by the scores of " (second.labelled_by) ". The two referees have the same best move \
            in " (share(agreement.same)) " of the positions, and in " (share(agreement.equal)) " the first's is of \
            equal strength by the second's scores. Each cell holds the figure by the first and by the second, and the \
            place among all; places that change are bold."
        }
        (both_figures(results, second))
        (changed_pairs(results, second))
    }
}

/// The figures by both referees.
fn both_figures(results: &Results, second: &SecondOpinion) -> Markup {
    let sides = [results.summaries, &second.summaries];
    let ranks = SHOWN.map(|measure| sides.map(|summaries| ranks(summaries, measure)));
    by_contestant(results, &SHOWN.map(Measure::heading), |place, column| {
        let measure = SHOWN[column];
        let found = sides.map(|summaries| summaries[place].get(Subset::All, measure));
        let [first, other] = [found[0]?, found[1]?].map(|found| number(measure, found.value));
        let [before, after] = [ranks[column][0][place]?, ranks[column][1][place]?];
        Some(html! {
            (first) " · " (other)
            small {
                @if before == after { "place " (before) } @else { b { "place " (before) " → " (after) } }
            }
        })
    })
}

/// The pairs of which the referees say different things.
fn changed_pairs(results: &Results, second: &SecondOpinion) -> Markup {
    let again = |pair: &Pair| second.pairs.iter().find(|again| again.places == pair.places);
    let both = results.pairs.iter().filter_map(|pair| Some((pair, again(pair)?)));
    let changed: Vec<(&Pair, &Pair)> = both.filter(|(pair, again)| ahead(pair) != ahead(again)).collect();
    let headings = ["first", "second", "by the first referee", "by the second"];
    let rows = html! {
        @for (pair, again) in &changed {
            tr {
                @for name in &pair.names { td { (name) } }
                @for said in [pair, again] {
                    td { (ahead(said).unwrap_or("neither")) " (p " (probability(said.corrected)) ")" }
                }
            }
        }
    };
    html! {
        @if changed.is_empty() {
            p.small {
                "Of every pair both referees say the same: who has the reference's move more often beyond chance, or \
                that neither has."
            }
        } @else {
            p.small { "Pairs of which they do not say the same: who is ahead beyond chance." }
            (table(&headings, &rows))
        }
    }
}

/// Who of two has the reference's move more often beyond chance.
fn ahead(pair: &Pair) -> Option<&str> {
    let ahead = usize::from(pair.only[1] > pair.only[0]);
    (pair.corrected < 0.05).then_some(pair.names[ahead].as_str())
}
