//! A game against a level of strength.

use crate::page::Page;
use serde_json::{Value, json};

/// Moves that are legal whatever Enroc plays.
const MOVES: [&str; 3] = ["a3", "Ra2", "Ra1"];

#[test]
fn a_level_is_passed_on_and_answers() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.press("Enroc");
    page.press("Beginner");
    page.wait_text("#play-above", "about 900 Elo");
    page.click("[data-key=fold-strength]");
    // what lies outside of the levels is brought inside, which is said
    page.write("[data-key=elo]", "700");
    page.key("Tab");
    page.wait("document.querySelector('[data-key=elo]').value === '800'");
    page.wait_text("#play-above", "Between 800 and");
    page.write("[data-key=elo]", "900");
    page.key("Tab");
    page.wait("document.querySelector('[data-key=elo]').value === '900'");
    page.wait("!document.querySelector('#play-above').textContent.includes('Between 800')");
    page.press("Start");
    for (number, typed) in MOVES.into_iter().enumerate() {
        page.wait_text("#play-above", "Your move");
        page.wait("document.querySelector('.grid').ariaBusy === 'false'");
        page.write("#entry", typed);
        page.key("Enter");
        page.wait(&format!(
            "document.querySelectorAll('#moves .move').length === {}",
            2 * (number + 1)
        ));
    }
    let searches = page.asked("/api/search");
    let players: Vec<&Value> = searches.iter().map(|search| &search["player"]).collect();
    let level = json!({ "net": "mlp", "mode": "level", "elo": 900 });
    assert_eq!(players, [&level; MOVES.len()]);
    // a level ends its own searches
    assert!(
        searches.iter().all(|search| search["limit"] == json!({})),
        "{searches:?}"
    );
    assert!(
        page.pgn().contains("[Black \"Enroc (mlp, 900 Elo)\"]"),
        "{}",
        page.pgn()
    );
    page.is_clean(&server);
}
