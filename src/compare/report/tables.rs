//! The tables of the page.

use super::results::Results;
use maud::{Markup, Render, html};

/// A table that scrolls where it is too wide: the cells of its head, and its rows.
pub fn table(headings: &[impl Render], rows: &Markup) -> Markup {
    html! {
        div.scroll {
            table {
                thead { tr { @for heading in headings { th { (heading) } } } }
                tbody { (rows) }
            }
        }
    }
}

/// A table with a row for each contestant and a column for each heading; `cell` is asked with the places of both.
pub fn by_contestant(
    results: &Results,
    headings: &[impl Render],
    cell: impl Fn(usize, usize) -> Option<Markup>,
) -> Markup {
    let mut all = vec![html! { "contestant" }];
    all.extend(headings.iter().map(Render::render));
    let rows = html! {
        @for (place, summary) in results.summaries.iter().enumerate() {
            tr {
                td { (summary.name) }
                @for column in 0..headings.len() {
                    td { @if let Some(cell) = cell(place, column) { (cell) } @else { "–" } }
                }
            }
        }
    };
    table(&all, &rows)
}
