//! The frame of a page with boards.

use super::board::definitions;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// A page that needs nothing else, neither scripts nor fonts nor pictures.
pub fn page(language: &str, title: &str, style: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang=(language) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                link rel="icon" href="data:,";
                title { (title) }
                style { (PreEscaped(style)) }
            }
            body { (definitions()) (body) }
        }
        "\n"
    };
    page.into_string()
}
