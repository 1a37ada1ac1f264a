//! Nothing is lost without a way back, and what is wanted stays: over mistakes of the hand, reloads, and a browser that
//! keeps nothing.

use crate::chromium::Chromium;
use crate::page::Page;
use crate::served::Served;
use serde_json::json;

const IMPORTED: &str = "{[%cal Ge2e4]} 1. e4 {[%csl Rd5]} e5 2. Nf3 Nc6 *";

/// Begins a game in which Enroc thinks and thinks.
fn against_a_slow_enroc(page: &Page) {
    page.hold_searches();
    page.press("Start");
    page.wait_text("#play-above", "Your move");
    page.drag("e2", "e4", "left");
    page.wait_text("#play-above", "thinking");
    page.wait("searches.length === 1");
}

#[test]
fn a_pasted_game_stops_the_search_and_can_be_taken_back_with_the_match() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    against_a_slow_enroc(&page);
    page.paste("1. d4 d5 *");
    page.wait_moves("d4 d5");
    page.wait("searches[0].aborted");
    page.wait_text("#toast", "Another game is on the board");
    page.press("Undo");
    page.wait_moves("e4");
    page.wait_text("#play-above", "thinking");
    page.wait("searches.length === 2 && !searches[1].aborted");
    // and back again
    page.key_with("Z", 2 + 8);
    page.wait_moves("d4 d5");
    page.wait("searches[1].aborted");
    page.is_clean(&server);
}

#[test]
fn a_new_match_and_a_deleted_move_can_be_undone() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.read_text("1. e4 e5 (1... c5 2. Nf3) 2. Nf3 Nc6 *");
    page.wait_moves("e4 e5 c5 Nf3 Nf3 Nc6");
    page.press("Play");
    page.press("Two people");
    page.press("Start");
    page.wait_moves("");
    page.wait_text("#toast", "A new game has begun");
    page.press("Undo");
    page.wait_moves("e4 e5 c5 Nf3 Nf3 Nc6");
    page.press("Analysis");
    page.click("#moves .move");
    page.wait_text("[data-key=why]", "e4"); // the tools are those of this move
    page.click("#analysis-below button[title='Delete from this move on']");
    page.wait_moves("");
    page.key_with("z", 2);
    page.wait_moves("e4 e5 c5 Nf3 Nf3 Nc6");
    page.is_clean(&server);
}

#[test]
fn resigning_and_taking_back_can_be_undone() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.two_people();
    page.drag("e2", "e4", "left");
    page.wait_moves("e4");
    page.drag("e7", "e5", "left");
    page.wait_moves("e4 e5");
    page.press("Resign");
    page.wait_text("#play-above", "resignation");
    page.click("#toast [data-key=way]");
    page.wait_text("#play-above", "White to move");
    page.press("Take back");
    page.wait_moves("e4");
    page.wait_text("#toast", "taken back");
    page.click("#toast [data-key=way]");
    page.wait_moves("e4 e5");
    page.wait_text("#play-above", "White to move");
    page.is_clean(&server);
}

#[test]
fn a_click_on_a_piece_leaves_imported_arrows_and_the_others_come_back() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.read_text(IMPORTED);
    page.wait_moves("e4 e5 Nf3 Nc6");
    page.key("Home");
    page.wait("document.querySelectorAll('path.mark').length === 1");
    for square in ["e7", "e2", "e2"] {
        page.click_square(square);
    }
    assert_eq!(page.eval("document.querySelectorAll('path.mark').length"), 1);
    page.click_square("a5");
    page.wait("document.querySelectorAll('.mark').length === 0");
    page.wait_text("#toast", "removed");
    page.press("Undo");
    page.wait("document.querySelectorAll('path.mark').length === 1");
    page.is_clean(&server);
}

#[test]
fn the_clock_and_the_engine_survive_a_reload() {
    let Some((page, _server)) = Page::start() else {
        return;
    };
    page.press("With a clock");
    page.two_people();
    page.drag("e2", "e4", "left");
    page.wait_moves("e4");
    page.drag("e7", "e5", "left");
    page.wait_moves("e4 e5");
    // White thinks for two seconds, and the page is loaded anew
    let seconds = "document.querySelector('.clock[data-side=w]').textContent.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)";
    page.wait(&format!("{seconds} <= 598"));
    page.reload_until_ready();
    page.wait("document.querySelector('.clock[data-side=w]')?.textContent");
    let left = page.eval(seconds);
    assert!(left.as_i64() <= Some(598), "the reload gave time back: {left} s");

    page.press("Resign");
    page.press("Analysis");
    page.choose("lines", "2");
    page.press("Engine");
    page.wait("document.querySelectorAll('.lines li').length === 2");
    page.reload_until_ready();
    page.wait("document.querySelectorAll('.lines li').length === 2");
    page.no_exceptions();
}

#[test]
fn a_browser_that_keeps_nothing_has_a_board_too() {
    let blocked = json!({"profile": {"default_content_setting_values": {"cookies": 2}}});
    let Some(browser) = Chromium::start_with(&blocked) else {
        return;
    };
    let server = Served::start();
    let page = Page::open(&browser, &server);
    let refused = "(() => { try { localStorage; return false; } catch { return true; } })()";
    assert_eq!(page.eval(refused), true, "the browser does not block site data");
    page.two_people();
    page.drag("e2", "e4", "left");
    page.wait_moves("e4");
    page.speak("ca");
    page.wait_text("#rooms", "Anàlisi");
    page.no_exceptions();
}

#[test]
fn an_ended_server_is_noticed_without_a_call() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.wait_text("#play-above", "White to move");
    drop(server);
    page.wait("!document.querySelector('#banner').hidden");
    page.wait_text("#banner", "does not answer");
}
