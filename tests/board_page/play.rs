//! Games: to mate by every kind of hand, promotion, castling in Chess960, and against Enroc.

use crate::page::Page;
use serde_json::json;

/// The fool's mate, as squares.
const MATE: [(&str, &str); 4] = [("f2", "f3"), ("e7", "e5"), ("g2", "g4"), ("d8", "h4")];
const MATE_SAN: &str = "f3 e5 g4 Qh4#";

/// Plays the mate with `hand` and looks at the end.
fn to_mate(hand: impl Fn(&Page, &str, &str)) {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.two_people();
    for (from, to) in MATE {
        hand(&page, from, to);
        page.wait_square(from, "empty");
    }
    page.wait_moves(MATE_SAN);
    page.wait_text("#play-above", "Black wins · checkmate");
    page.wait_square("e1", "in check");
    page.wait_text("#live", "Black: queen h4, checkmate. Black wins");
    page.is_clean(&server);
}

#[test]
fn a_game_to_mate_by_drag() {
    to_mate(|page, from, to| page.drag(from, to, "left"));
}

#[test]
fn a_game_to_mate_by_click() {
    to_mate(|page, from, to| {
        page.click_square(from);
        page.wait_square(from, "picked up");
        page.wait_square(to, "legal move");
        page.click_square(to);
    });
}

#[test]
fn a_game_to_mate_by_touch() {
    to_mate(|page, from, to| page.touch_drag(from, to));
}

#[test]
fn a_game_to_mate_by_arrow_keys() {
    to_mate(|page, from, to| {
        let focused = || page.eval("document.activeElement.dataset.square ?? ''");
        let walk = |square: &str| {
            while focused() != square {
                let at = focused().as_str().expect("a square").to_string();
                let (file, rank) = (at.as_bytes()[0], at.as_bytes()[1]);
                let (to_file, to_rank) = (square.as_bytes()[0], square.as_bytes()[1]);
                page.key(match (file.cmp(&to_file), rank.cmp(&to_rank)) {
                    (std::cmp::Ordering::Less, _) => "ArrowRight",
                    (std::cmp::Ordering::Greater, _) => "ArrowLeft",
                    (_, std::cmp::Ordering::Less) => "ArrowUp",
                    _ => "ArrowDown",
                });
            }
        };
        // before the legal moves are known, a second square would be a move in advance
        page.wait("document.querySelector('.grid').ariaBusy === 'false'");
        page.eval("document.querySelector('.square[tabindex=\"0\"]').focus()");
        page.key("Enter"); // from here on the arrow keys go over the board
        walk(from);
        page.key("Enter");
        page.wait_square(from, "picked up");
        walk(to);
        page.key(" ");
    });
}

#[test]
fn a_game_to_mate_by_typed_moves() {
    let sans = MATE_SAN.split(' ');
    let typed = std::cell::RefCell::new(sans);
    to_mate(|page, _, _| {
        page.wait("document.querySelector('.grid').ariaBusy === 'false'");
        page.write("#entry", typed.borrow_mut().next().expect("a move"));
        page.key("Enter");
    });
}

#[test]
fn a_typed_move_that_is_none_is_refused_beside_the_field() {
    let Some((page, _server)) = Page::start() else {
        return;
    };
    page.write("#entry", "Nf6");
    page.key("Enter");
    page.wait("!document.querySelector('#entry-fault').hidden");
    assert_eq!(page.moves(), "");
    page.no_exceptions();
}

#[test]
fn a_pawn_becomes_what_is_chosen() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.read_text("8/P6k/8/8/8/8/8/K7 w - - 0 1");
    page.wait_square("a7", "white pawn");
    page.drag("a7", "a8", "left");
    page.wait("document.querySelectorAll('.promotion button').length === 4");
    page.key("Escape");
    page.wait("document.querySelector('.promotion').hidden");
    page.wait_square("a7", "white pawn");
    page.drag("a7", "a8", "left");
    page.wait("document.activeElement.ariaLabel === 'queen'");
    // in the order that players know: queen, knight, rook, bishop
    page.key("ArrowDown");
    page.key("Enter");
    page.wait_square("a8", "white knight");
    page.wait_moves("a8=N");
    page.is_clean(&server);
}

#[test]
fn a_tap_that_promotes_does_not_choose_at_once() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.call("Emulation.setTouchEmulationEnabled", json!({"enabled": true}));
    page.read_text("8/P6k/8/8/8/8/8/K7 w - - 0 1");
    page.wait_square("a7", "white pawn");
    page.wait("document.querySelector('.grid').ariaBusy === 'false'");
    page.eval("window.clicks = 0; addEventListener('click', () => (clicks += 1), { capture: true })");
    page.touch_tap("[data-square=a7]");
    page.wait_square("a8", "legal move");
    page.touch_tap("[data-square=a8]");
    page.wait("clicks === 2");
    assert_eq!(
        page.eval("document.querySelectorAll('.promotion button').length"),
        4
    );
    page.touch_tap(".promotion [aria-label=knight]");
    page.wait_moves("a8=N");
    page.is_clean(&server);
}

#[test]
fn a_typed_pawn_asks_what_it_becomes() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.read_text("1n6/P6k/8/8/8/8/8/K7 w - - 0 1");
    page.wait_square("a7", "white pawn");
    page.wait("document.querySelector('.grid').ariaBusy === 'false'");
    for (typed, square) in [("a8", "a8"), ("axb8", "b8"), ("a7a8", "a8")] {
        page.write("#entry", typed);
        page.key("Enter");
        page.wait("document.activeElement.ariaLabel === 'queen'");
        page.key("Enter");
        page.wait_square(square, "white queen");
        page.click("[data-key=back]");
        page.wait_square("a7", "white pawn");
        page.wait("document.querySelector('.grid').ariaBusy === 'false'");
    }
    page.is_clean(&server);
}

#[test]
fn castling_in_chess960_by_putting_the_king_on_its_rook() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.read_text("4k3/8/8/8/8/8/8/RK5R w HA - 0 1");
    page.wait_square("b1", "white king");
    page.drag("b1", "h1", "left");
    page.wait_square("g1", "white king");
    page.wait_square("f1", "white rook");
    page.wait_moves("O-O");
    // from b1 the king may step to c1, where it would also castle to
    page.click("[data-key=back]");
    page.wait_square("b1", "white king");
    page.drag("b1", "c1", "left");
    page.wait_square("a1", "white rook");
    page.wait_square("c1", "white king");
    page.is_clean(&server);
}

#[test]
fn enroc_answers_a_premove_follows_and_moves_are_taken_back() {
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
    page.eval("releaseSearches()");
    page.wait("document.querySelectorAll('#moves .move').length >= 4");
    assert!(page.moves().split(' ').nth(2) == Some("Nf3"), "{}", page.moves());
    page.wait_text("#play-above", "Your move");
    page.press("Take back");
    page.wait("document.querySelectorAll('#moves .move').length === 2");
    page.wait_text("#play-above", "Your move");
    page.press("Resign");
    page.wait_text("#play-above", "Black wins · resignation");
    page.is_clean(&server);
}

#[test]
fn arrows_and_circles_are_drawn_with_the_right_button() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.drag("e2", "e4", "right");
    page.wait("document.querySelectorAll('path.mark').length === 1");
    page.drag("d4", "d4", "right");
    page.wait("document.querySelectorAll('circle.mark').length === 1");
    page.drag("e2", "e4", "right");
    page.wait("document.querySelectorAll('path.mark').length === 0");
    page.click_square("a5");
    page.wait("document.querySelectorAll('.mark').length === 0");
    assert_eq!(page.moves(), "");
    page.is_clean(&server);
}
