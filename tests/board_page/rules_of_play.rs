//! What a match is worth: moves that start it, draws that are not given away, no help by the engines.

use crate::chromium::Chromium;
use crate::page::Page;
use crate::served::Served;

#[test]
fn a_first_move_starts_the_game() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.wait_text("#play-above", "White to move. Make a move, and Enroc answers.");
    page.drag("e2", "e4", "left");
    page.wait("document.querySelectorAll('#moves .move').length === 2");
    page.wait_text("#play-above", "Your move");
    assert_eq!(page.asked("/api/search")[0]["player"]["elo"], 1500);
    // after the game a move says what it is, and a game can go on from there with its moves
    page.press("Resign");
    page.press("New game");
    page.drag("d2", "d4", "left");
    page.wait_text("#play-above", "No game is being played");
    page.wait("document.querySelectorAll('#moves .move').length === 3");
    page.press("Play on from here");
    page.wait("document.querySelectorAll('#moves .move').length === 4");
    assert!(page.moves().starts_with("e4 "), "{}", page.moves());
    page.is_clean(&server);
}

#[test]
fn enroc_gives_no_draw_away_and_nobody_helps_in_a_match() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.press("Full");
    page.press("Start");
    page.wait_text("#play-above", "Your move");
    page.press("Draw");
    page.wait_text("#play-above", "no draw before move 20");
    page.wait_text("#play-above", "Your move");
    page.press("Networks");
    page.wait_text("#networks", "do not help while it is played");
    assert_eq!(
        page.eval("document.querySelectorAll('#networks table, #networks .segmented').length"),
        0
    );
    page.press("Analysis");
    page.wait_text("#analysis-above", "does not help while it is played");
    assert_eq!(
        page.eval("document.querySelectorAll('.lines:not([hidden])').length"),
        0
    );
    page.is_clean(&server);
}

#[test]
fn a_reviewed_game_keeps_its_result() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.two_people();
    for (from, to) in [("f2", "f3"), ("e7", "e5"), ("g2", "g4"), ("d8", "h4")] {
        page.drag(from, to, "left");
        page.wait_square(from, "empty");
    }
    page.wait_text("#play-above", "Black wins · checkmate");
    page.press("Find the mistakes");
    page.wait("document.querySelector('.sums')");
    page.drag("a2", "a3", "left"); // nothing: the game is over
    page.key("ArrowLeft");
    page.drag("b8", "c6", "left");
    page.wait("document.querySelectorAll('#moves .move').length === 5");
    let pgn = page.pgn();
    assert!(
        pgn.contains("[Result \"0-1\"]") && pgn.trim_end().ends_with("0-1"),
        "{pgn}"
    );
    page.is_clean(&server);
}

#[test]
fn the_bar_and_the_scores_at_the_end() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.read_text("1. f3 e5 2. g4 Qh4# 0-1");
    page.wait_moves("f3 e5 g4 Qh4#");
    page.press("Find the mistakes");
    page.wait("document.querySelector('.sums')");
    page.wait("document.querySelector('#evalbar:not(.unknown) .figure').textContent === '0–1'");
    page.wait("document.querySelector('#evalbar .part').getBoundingClientRect().height < 2");
    page.key("ArrowLeft");
    page.wait("document.querySelector('#evalbar .figure').textContent === '−#1'");
    // mate on the board has no number
    assert!(!page.eval("document.body.innerText").to_string().contains("#0"));
    page.is_clean(&server);
}

/// An answer of the engine to every search: this score for White, as JSON.
fn answer_searches(page: &Page, score: &str) {
    page.eval(&format!(
        "{{
          const {{ fetch }} = window;
          const line = {{ rank: 1, score: {score}, expected: 0.5, depth: 1, bound: 'exact', pv: [{{ uci: 'e2e4', san: 'e4' }}] }};
          const info = {{ depth: 1, seldepth: 1, nodes: 1, nps: 1, time_ms: 1, hashfull: 0, lines: [line] }};
          const events = `event: info\\ndata: ${{JSON.stringify(info)}}\\n\\nevent: done\\ndata: {{\"bestmove\":null,\"stopped\":false}}\\n\\n`;
          window.fetch = (path, request) => (path === '/api/search' ? Promise.resolve(new Response(events)) : fetch(path, request));
        }}"
    ));
}

#[test]
fn a_score_next_to_nothing_has_no_sign() {
    let Some(browser) = Chromium::start() else { return };
    let server = Served::start();
    for (score, shown) in [
        ("{ cp: -4 }", "0.0"),
        ("{ cp: 4 }", "0.0"),
        ("{ cp: -31 }", "−0.3"),
        ("{ mate: -2 }", "−#2"),
    ] {
        let page = Page::open(&browser, &server);
        page.press("Analysis");
        answer_searches(&page, score);
        page.press("Engine");
        page.wait(&format!(
            "document.querySelector('#evalbar .figure').textContent === '{shown}'"
        ));
        page.press("Engine");
        page.no_exceptions();
    }
}
