//! What a hand meets: the piece that it clicks, the keys, the wheel, typed moves.

use crate::page::Page;
use serde_json::json;

/// The filling of White's pieces.
const WHITE: [u8; 3] = [0xfd, 0xfa, 0xf2];
const GAME: &str = "1. e4 e5 (1... c5 2. Nf3) (1... e6) 2. Nf3 Nc6 *";

#[test]
fn a_piece_stays_in_sight_whatever_rings_its_square() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    let seen = || page.share_of("[data-square=e2]", WHITE);
    let before = seen();
    assert!(before > 0.08, "the pawn has {before} of its square");
    let same = |what: &str| {
        let now = seen();
        assert!(
            // a ring adds to it, for its inner line is as light
            now > before - 0.03,
            "{what}: {before} of the square was the pawn, now {now}"
        );
    };
    page.click_square("e2");
    page.wait_square("e2", "picked up");
    same("clicked");
    page.key("Shift");
    same("after a key");
    page.key("Escape");
    page.eval("document.querySelector('[data-square=e2]').focus()");
    page.key("Enter");
    page.wait_square("e2", "picked up");
    assert_eq!(
        page.eval("document.activeElement.matches('[data-square=e2]:focus-visible')"),
        true
    );
    same("with the keyboard's ring");
    page.is_clean(&server);
}

#[test]
fn the_arrow_keys_go_through_the_game_after_a_mouse_move() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.press("Analysis");
    page.drag("e2", "e4", "left");
    page.wait_moves("e4");
    page.click_square("e7");
    page.click_square("e5");
    page.wait_moves("e4 e5");
    page.key("ArrowLeft");
    page.wait_square("e5", "empty");
    page.key("ArrowLeft");
    page.wait_square("e4", "empty");
    page.key("ArrowRight");
    page.wait_square("e4", "white pawn");
    page.key("End");
    page.wait_square("e5", "black pawn");
    // nor does a choice by the mouse keep them
    page.press("Play");
    page.press("Two people");
    page.key("ArrowLeft");
    page.wait_square("e5", "empty");
    page.key("ArrowRight");
    page.wait_square("e5", "black pawn");
    page.press("Analysis");
    // the grid has its own mode, which Enter begins and Escape or the mouse ends
    page.eval("document.querySelector('.square[tabindex=\"0\"]').focus()");
    page.key("ArrowLeft");
    page.wait_square("e5", "empty");
    page.key("Enter");
    let at = page.eval("document.activeElement.dataset.square");
    page.key("ArrowLeft");
    assert_ne!(page.eval("document.activeElement.dataset.square"), at);
    page.wait_square("e4", "white pawn");
    page.key("Escape");
    page.key("Escape");
    page.key("ArrowLeft");
    page.wait_square("e4", "empty");
    page.is_clean(&server);
}

#[test]
fn the_wheel_and_the_keys_go_through_the_game_and_its_variations() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.read_text(GAME);
    page.wait_moves("e4 e5 c5 Nf3 e6 Nf3 Nc6");
    page.wheel("d4", -120.0);
    page.wait_square("c6", "empty");
    page.wheel("d4", 120.0);
    page.wait_square("c6", "black knight");
    page.key("Home");
    page.wait_square("e4", "empty");
    page.key("ArrowRight");
    page.wait_square("e4", "white pawn");
    page.key_with("ArrowRight", 8); // into the variation
    page.wait_square("c5", "black pawn");
    page.key("ArrowDown"); // to the other one
    page.wait_square("e6", "black pawn");
    page.key("ArrowUp");
    page.wait_square("c5", "black pawn");
    page.key("ArrowRight");
    page.wait_square("f3", "white knight");
    page.key_with("ArrowLeft", 8); // out of it
    page.wait_square("e4", "white pawn");
    page.wait_square("c5", "empty");
    page.type_keys("v");
    page.wait("document.querySelector('.square').dataset.square === 'h1'");
    page.type_keys("?");
    page.wait_text("dialog[open]", "into the next variation");
    page.is_clean(&server);
}

/// Types a move on a fresh page of a language, and looks where a knight then is.
fn types(page: &Page, language: &str, text: &str) {
    page.speak(language);
    page.key("Escape");
    page.eval("document.activeElement.blur()");
    page.type_keys(text);
    page.wait(&format!("document.querySelector('#entry').value === '{text}'"));
    page.key("Enter");
    page.wait("document.querySelectorAll('#moves .move').length === 1");
    page.wait("document.querySelector('[data-square=f3] ').ariaLabel.match(/knight|cavall|caballo/)");
    page.click("[data-key=back]");
    page.wait("!document.querySelector('[data-square=f3]').ariaLabel.match(/knight|cavall|caballo/)");
}

#[test]
fn typed_letters_are_those_of_the_language_in_either_case() {
    let Some((page, _server)) = Page::start() else {
        return;
    };
    page.press("Analysis");
    for (language, text) in [
        ("en", "nf3"),
        ("en", "Nf3"),
        ("ca", "Cf3"),
        ("ca", "cf3"),
        ("es", "Cf3"),
        ("ca", "Nf3"),
    ] {
        types(&page, language, text);
    }
    // what is not clear is refused beside the field, in words of the language
    page.speak("en");
    page.read_text("4k3/8/8/8/8/8/8/4K2R w - - 0 1");
    page.wait_square("a1", "empty");
    page.write("#entry", "rf1");
    page.key("Enter");
    page.wait_text("#entry-fault", "More than one piece");
    page.no_exceptions();
}

#[test]
fn a_piece_that_is_put_down_is_there_at_once() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.two_people();
    // so slow that nothing that glides could arrive
    page.eval("document.documentElement.style.setProperty('--quick', '600s')");
    let gliding = "document.getAnimations().filter((own) => own.effect.target?.matches('.piece')).length";
    page.drag("e2", "e4", "left");
    page.wait_moves("e4");
    assert_eq!(page.eval(gliding), 0);
    // of a click it glides
    page.click_square("e7");
    page.click_square("e5");
    page.wait_moves("e4 e5");
    assert_eq!(page.eval(gliding), 1);
    page.is_clean(&server);
}

#[test]
fn an_arrow_is_seen_while_it_is_drawn() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.drag_found(&Page::square("e2"), &Page::square("e4"), "right", |page| {
        page.wait("document.querySelectorAll('path.mark.good').length === 1");
    });
    page.wait("document.querySelectorAll('path.mark').length === 1");
    // let go beside the board, it is not drawn
    page.drag_found(
        &Page::square("d2"),
        "document.querySelector('#rooms')",
        "right",
        |page| {
            page.wait("document.querySelectorAll('.mark').length === 2");
        },
    );
    page.wait("document.querySelectorAll('.mark').length === 1");
    page.is_clean(&server);
}

#[test]
fn a_right_click_takes_a_premove_back() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.hold_searches();
    page.press("Start");
    page.wait_text("#play-above", "Your move");
    page.drag("e2", "e4", "left");
    page.wait_text("#play-above", "thinking");
    page.drag("g1", "f3", "left");
    page.wait_square("f3", "premove");
    page.click_right("d5");
    page.wait("document.querySelectorAll('.square.premove').length === 0");
    assert_eq!(page.eval("document.querySelectorAll('.mark').length"), 0);
    page.is_clean(&server);
}

#[test]
fn nothing_moves_when_the_engine_starts() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.read_text(GAME);
    page.wait_moves("e4 e5 c5 Nf3 e6 Nf3 Nc6");
    let places = "['#board', '#moves', '#analysis-below', '#moves .move'].map((name) => { const { x, y, width, height } = document.querySelector(name).getBoundingClientRect(); return [name, x, y, width, height]; })";
    page.wait("document.querySelector('.grid').ariaBusy === 'false'");
    page.settles();
    let before = page.eval(places);
    page.press("Engine");
    page.wait("document.querySelectorAll('.lines li').length === 3");
    page.wait("document.querySelectorAll('.lines li')[2].querySelectorAll('.move').length > 3");
    assert_eq!(page.eval(places), before);
    // from room to room the board stays, too
    page.press("Play");
    page.wait("document.documentElement.dataset.room === 'play'");
    let board = |places: &serde_json::Value| places[0].clone();
    let now = page.eval("['#board'].map((name) => { const { x, y, width, height } = document.querySelector(name).getBoundingClientRect(); return [name, x, y, width, height]; })");
    assert_eq!(board(&now), board(&before));
    page.is_clean(&server);
}

#[test]
fn the_board_stays_in_every_room_of_a_narrow_window() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.two_people();
    let place = "(() => { const { x, y, width } = document.querySelector('#board').getBoundingClientRect(); return [x, y, width]; })()";
    for (width, height) in [(620, 900), (768, 1024)] {
        page.size(width, height);
        page.press("Play");
        page.settles();
        let before = page.eval(place);
        page.press("Networks");
        page.settles();
        assert_eq!(page.eval(place), before, "at {width}");
    }
    page.is_clean(&server);
}

#[test]
fn every_move_of_a_line_shows_its_position_and_plays() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.press("Analysis");
    page.click("[data-key=fold-engine]");
    page.choose("analysis-limit", "depth");
    page.wait("document.querySelector('[data-key=analysis-depth]')");
    page.write("[data-key=analysis-depth]", "8");
    page.key("Tab");
    page.press("Engine");
    page.wait_text(".lines .figures", "Depth 8");
    // the search has ended: the line stays as it is
    page.hover(".lines li:first-child [data-ply='2']");
    page.wait("!document.querySelector('#preview').hidden && document.querySelectorAll('#preview use').length >= 29");
    let line = page.eval("[...document.querySelectorAll('.lines li:first-child .move')].slice(0, 3).map((e) => e.textContent).join(' ')");
    page.click(".lines li:first-child [data-ply='2']");
    page.wait_moves(line.as_str().expect("moves"));
    page.wait("document.querySelector('#preview').hidden");
    // and the engine's own move by a key
    page.wait_text(".lines .figures", "Depth 8");
    page.eval("document.activeElement.blur()");
    page.key(" ");
    page.wait("document.querySelectorAll('#moves .move').length === 4");
    page.is_clean(&server);
}

#[test]
fn one_space_stands_between_the_moves_of_a_line() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.read_text("1. e4 e5 (1... c5 2. Nf3 (2. c3 {so} 2... d5) (2. d4) 2... d6) 2. Nf3 *");
    page.wait("document.querySelectorAll('#moves .move').length === 9");
    assert_eq!(
        page.eval("document.querySelector('#moves .variations').textContent"),
        "1…c5 2.Nf3 (2.c3 so 2…d5) (2.d4) 2…d6"
    );
    page.is_clean(&server);
}

#[test]
fn numbers_stay_with_their_moves() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.read_text("1. e4 e5 (1... c5 2. Nf3 Nc6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 e5 6. Ndb5 d6 7. Bg5 a6 8. Na3 b5 9. Nd5 Be7 10. Bxf6 Bxf6 11. c3 O-O 12. Nc2 Bg5 13. a4 bxa4 14. Rxa4 a5 15. Bc4 Rb8) *");
    page.wait("document.querySelectorAll('#moves .move').length === 31");
    for width in [360, 768, 1280] {
        page.size(width, 900);
        page.wait(&format!("innerWidth === {width}"));
        let parted = page.eval(
            "[...document.querySelectorAll('#moves .variations .number')].filter((e) => Math.abs(e.getBoundingClientRect().bottom - e.nextSibling.getBoundingClientRect().bottom) > 6).length",
        );
        assert_eq!(parted, json!(0), "at {width}");
    }
    page.is_clean(&server);
}
