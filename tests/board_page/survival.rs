//! What happens to the game when tabs are reloaded and the server goes.

use crate::chromium::Chromium;
use crate::looks::is_sound;
use crate::page::Page;
use crate::served::{Served, WITHOUT_STOCKFISH};
use serde_json::json;

#[test]
fn two_tabs_have_a_game_each_also_after_a_reload() {
    let Some(browser) = Chromium::start() else { return };
    let server = Served::start();
    let first = Page::open(&browser, &server);
    first.press("Analysis");
    first.drag("e2", "e4", "left");
    first.wait_moves("e4");
    let second = Page::open(&browser, &server);
    second.wait_moves("");
    second.press("Analysis");
    second.drag("d2", "d4", "left");
    second.wait_moves("d4");
    for (page, moves) in [(&first, "e4"), (&second, "d4")] {
        page.call("Page.bringToFront", json!({}));
        page.wait("Object.keys(localStorage).filter((key) => key.startsWith('enroc.game.')).length === 2");
        page.reload_until_ready();
        page.wait_moves(moves);
        page.is_clean(&server);
    }
}

#[test]
fn the_game_survives_the_server_and_goes_on_with_the_next() {
    let Some(browser) = Chromium::start() else { return };
    let server = Served::start();
    let port = server.port;
    let page = Page::open(&browser, &server);
    page.two_people();
    page.drag("e2", "e4", "left");
    page.wait_moves("e4");
    page.wait_square("e2", "empty");
    drop(server);
    page.drag("e7", "e5", "left");
    page.wait("!document.querySelector('#banner').hidden");
    page.wait_text("#banner", "does not answer");
    is_sound(&page, "the banner");
    page.wait_text("#moves", "e4");

    let server = Served::start_on(port, &WITHOUT_STOCKFISH);
    page.wait_text("#banner", "Open the address");
    let next = Page::open(&browser, &server);
    // the old tab hears of the new address from the new one
    page.call("Page.bringToFront", json!({}));
    page.wait("document.querySelector('#banner').hidden");
    page.wait_text("#moves", "e4");
    page.no_exceptions();
    next.is_clean(&server);
}

#[test]
fn a_tab_without_a_token_asks_the_others_and_a_stale_one_spoils_none() {
    let Some(browser) = Chromium::start() else { return };
    let server = Served::start();
    let port = server.port;
    let stale = Page::open(&browser, &server);
    drop(server);
    let server = Served::start_on(port, &WITHOUT_STOCKFISH);
    let good = Page::open(&browser, &server);
    let bare = Page::open_at(&browser, &format!("{}/", server.origin()));
    bare.is_ready();
    // a reload brings back the token that the tab last had; what the others told it before does not reach the new page
    let source = "sessionStorage.setItem('enroc.token', '00000000000000000000000000000000')";
    stale.call(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({ "source": source }),
    );
    stale.reload();
    stale.wait("document.querySelector('#banner').textContent.includes('Open the address')");
    good.call("Page.bringToFront", json!({}));
    good.press("Analysis");
    good.drag("e2", "e4", "left");
    good.wait_moves("e4");
    good.is_clean(&server);
}

#[test]
fn a_new_tab_goes_on_with_the_game_of_one_that_was_closed() {
    let Some(browser) = Chromium::start() else { return };
    let server = Served::start();
    let port = server.port;
    let page = Page::open(&browser, &server);
    page.two_people();
    page.drag("d2", "d4", "left");
    page.wait_moves("d4");
    page.wait("Object.keys(localStorage).some((key) => key.startsWith('enroc.game.'))");
    drop(server);
    page.call("Page.navigate", json!({"url": "about:blank"}));
    let server = Served::start_on(port, &WITHOUT_STOCKFISH);
    // the browser lets go of the lock by which a tab holds its game a moment after its page is gone
    let watcher = Page::open_at(&browser, &format!("{}/icon.svg", server.origin()));
    watcher.wait("navigator.locks.query().then(({ held }) => held.length === 0)");
    let next = Page::open(&browser, &server);
    next.wait_moves("d4");
    next.wait_text("#play-above", "Black to move");
    next.drag("d7", "d5", "left");
    next.wait_moves("d4 d5");
    next.is_clean(&server);
}
