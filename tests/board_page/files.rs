//! Files with many games, positions in EPD, and what goes out of the page.

use crate::chromium::Chromium;
use crate::page::Page;
use crate::served::Served;
use std::fmt::Write;

/// So many games, each with a comment in which a tag seems to begin a line.
fn many_games(count: usize) -> String {
    let mut text = String::new();
    for number in 1..=count {
        let (white, result) = if number % 1000 == 7 {
            ("Müller", "0-1")
        } else {
            ("Ada", "1-0")
        };
        let _ = write!(
            text,
            "[Event \"Open\"]\n[White \"{white}\"]\n[Black \"Player {number}\"]\n[Result \"{result}\"]\n\n1. e4 {{see\n[Event \"x\"]}} e5 2. Nf3 {result}\n\n"
        );
    }
    text
}

/// Drops a file onto the page.
fn drop_file(page: &Page, name: &str, text: &str) {
    drop_content(page, name, &serde_json::json!(text).to_string());
}

/// Drops a file onto the page; what is in it is given as an expression.
fn drop_content(page: &Page, name: &str, content: &str) {
    page.eval(&format!(
        "(() => {{ const data = new DataTransfer(); data.items.add(new File([{content}], '{name}')); \
         document.body.dispatchEvent(new DragEvent('drop', {{ dataTransfer: data, bubbles: true, cancelable: true }})); }})()"
    ));
}

#[test]
fn files_in_other_encodings_keep_their_letters() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    let text = "[White \"Müller\"]\r\n[Black \"Šahović\"]\r\n\r\n1. e4 {½ – €} e5 *\r\n";
    let utf16 = |to_bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        let units = "\u{feff}".encode_utf16().chain(text.encode_utf16());
        units.flat_map(to_bytes).collect()
    };
    let latin = b"[White \"M\xfcller\"]\r[Black \"\x8aahovic\"]\r\r1. e4 {\xbd \x96 \x80} e5 *\r".to_vec();
    let files = [
        ("Šahović", utf16(u16::to_le_bytes)),
        ("Šahović", utf16(u16::to_be_bytes)),
        ("Šahović", text.as_bytes().to_vec()),
        ("Šahovic", latin),
    ];
    for (black, bytes) in files {
        drop_file(&page, "empty.pgn", "1. d4 *");
        page.wait_moves("d4");
        drop_content(&page, "a.pgn", &format!("new Uint8Array({bytes:?})"));
        page.wait_moves("e4 e5");
        page.wait_text(".stage", "Müller");
        page.wait_text(".stage", black);
        page.wait_text("#moves", "½ – €");
    }
    page.is_clean(&server);
}

#[test]
fn no_game_of_a_file_is_lost_however_its_lines_are_broken() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    let text = "[White \"One\"] [Result \"1-0\"] 1. e4 1-0 [White \"Two\"]\n\n1. d4 *\n\n1. c4 *\n\n[White \"Four\"] 1. f4 *\n";
    drop_file(&page, "lines.pgn", text);
    page.wait_text("#found", "One");
    page.click("#found .games li:nth-child(1) button");
    page.wait_moves("e4");
    page.wait_text("#file", "Game 1 of 4");
    for moves in ["d4", "c4", "f4"] {
        page.click("[data-key=file-forth]");
        page.wait_moves(moves);
    }
    page.is_clean(&server);
}

#[test]
fn a_file_of_many_games_is_counted_filtered_and_stays() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    drop_file(&page, "open.pgn", &many_games(4_500));
    page.wait_text("#found", "4,500 games");
    page.write("#exchange [data-key=filter]", "muller 0-1");
    page.wait_text("#found", "5 of 4,500 games");
    page.wait("document.querySelectorAll('#found .games li').length === 5");
    page.click("#found .games li:nth-child(2) button");
    page.wait_text(".stage", "Müller");
    page.wait_moves("e4 e5 Nf3");
    page.wait_text("#file", "Game 1,007 of 4,500");
    // the next of those that the filter leaves, and the list again
    page.click("[data-key=file-forth]");
    page.wait_text("#file", "Game 2,007 of 4,500");
    page.wait_text(".stage", "Player 2007");
    page.click("[data-key=file-list]");
    page.wait("document.querySelectorAll('#found .games li').length === 5");
    page.write("#exchange [data-key=filter]", "player 4500");
    page.wait_text("#found", "1 of 4,500 games");
    page.click("#found .games button");
    page.wait_text("#file", "Game 4,500 of 4,500");
    page.is_clean(&server);
}

#[test]
fn a_file_stays_over_a_reload_and_closing_it_can_be_undone() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    drop_file(&page, "open.pgn", &many_games(1_010));
    page.wait_text("#found", "1,010 games");
    page.write("#exchange [data-key=filter]", "muller");
    page.click("#found .games li:nth-child(2) button");
    page.wait_text("#file", "Game 1,007 of 1,010");
    page.wait("Object.keys(localStorage).some((key) => localStorage[key].includes('\"at\":1006'))");
    page.reload_until_ready();
    page.wait_text("#file", "Game 1,007 of 1,010");
    page.wait_text("#file", "open.pgn");
    page.click("[data-key=file-back]");
    page.wait_text("#file", "Game 7 of 1,010");
    page.click("[data-key=file-close]");
    page.wait("document.querySelector('#file').hidden");
    page.press("Undo");
    page.wait_text("#file", "Game 7 of 1,010");
    // another game takes the file's place, and gives it back
    page.paste("1. d4 d5 *");
    page.wait_moves("d4 d5");
    page.wait("document.querySelector('#file').hidden");
    page.click("#toast [data-key=way]");
    page.wait_text("#file", "Game 7 of 1,010");
    page.wait_moves("e4 e5 Nf3");
    page.is_clean(&server);
}

#[test]
fn scores_and_clocks_that_a_game_brings_are_shown() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.read_text(
        "1. e4 {[%eval 0.3] [%clk 0:03:00]} e5 {[%eval 0.25] [%clk 0:02:58]} 2. Nf3 {[%clk 0:02:57]} d6 {[%eval #4] so} *",
    );
    page.wait_moves("e4 e5 Nf3 d6");
    page.wait_text("#moves", "so");
    let scores = "[...document.querySelectorAll('#moves .move')].map((e) => e.dataset.score ?? '').join()";
    assert_eq!(page.eval(scores), "+0.3,+0.3,,#4");
    page.wait("document.querySelector('#evalbar .figure').textContent === '#4'");
    page.wait("document.querySelector('.clock[data-side=w]').textContent === '2:57'");
    page.wait("document.querySelector('.clock[data-side=b]').textContent === '2:58'");
    // the score of the third position is not known: there the curve breaks off
    assert_eq!(
        page.eval("document.querySelector('#graph .curve').getAttribute('d').split('M').length"),
        3
    );
    page.click("#moves .move");
    page.wait("document.querySelector('#evalbar .figure').textContent === '+0.3'");
    page.wait("document.querySelector('.clock[data-side=w]').textContent === '3:00'");
    page.wait("document.querySelector('.clock[data-side=b]') === null");
    page.reload_until_ready();
    page.wait("document.querySelector('.clock[data-side=w]')?.textContent === '3:00'");
    let pgn = page.pgn().replace('\n', " ");
    assert!(pgn.contains("1. e4 {[%eval 0.3] [%clk 0:03:00]}"), "{pgn}");
    assert!(pgn.contains("{[%eval #4] so}"), "{pgn}");
    page.is_clean(&server);
}

#[test]
fn a_list_of_positions_in_epd_is_read() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    let epd = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"BK.01\";\n\
               3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - bm d5; id \"BK.02\";\n";
    drop_file(&page, "bk.epd", epd);
    page.wait_text("#found", "2 games");
    page.wait_text("#found", "BK.02");
    page.click("#found .games li:nth-child(2) button");
    page.wait_square("f2", "white king");
    page.wait_text("#moves", "bm d5");
    // one alone is opened at once
    page.read_text(epd.lines().next().expect("a line"));
    page.wait_square("b8", "black king");
    page.is_clean(&server);
}

/// A game with a blunder of White's and an inaccuracy or worse to be found.
const GAME: &str =
    "[White \"Ada\"]\n[Result \"0-1\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Qxf7+ {oh} Kxf7 $10 4. Nf3 0-1";

#[test]
fn the_export_has_grades_scores_and_better_lines_unless_they_are_not_wanted() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.read_text(GAME);
    page.wait_moves("e4 e5 Qh5 Nc6 Qxf7+ Kxf7= Nf3");
    page.press("Find the mistakes");
    page.wait("document.querySelector('.sums')");
    page.wait_text(".sums", "Accuracy");
    let pgn = page.pgn().replace('\n', " ");
    assert!(pgn.contains("3. Qxf7+ $4 {[%eval -"), "{pgn}");
    assert!(
        pgn.contains("] oh} ( 3. ") || pgn.contains("] oh} (3. "),
        "no better line: {pgn}"
    );
    assert!(pgn.contains("$10"), "{pgn}");
    assert!(
        pgn.trim_end().ends_with("0-1") && pgn.contains("[Result \"0-1\"]"),
        "{pgn}"
    );
    assert_eq!(pgn.matches("[%eval ").count(), 7, "{pgn}");
    page.click("#tools button");
    page.wait("document.querySelector('#outgoing').value.includes('%eval')");
    page.click("[data-key=annotated]");
    page.wait("!document.querySelector('#outgoing').value.includes('%eval')");
    let plain = page.eval("document.querySelector('#outgoing').value").to_string();
    assert!(
        !plain.contains('(') && !plain.contains("$4") && plain.contains("{oh}"),
        "{plain}"
    );
    page.is_clean(&server);
}

#[test]
fn the_clocks_of_a_game_are_written() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.press("With a clock");
    page.two_people();
    page.drag("e2", "e4", "left");
    page.wait_moves("e4");
    page.drag("e7", "e5", "left");
    page.wait_moves("e4 e5");
    let pgn = page.pgn();
    assert!(pgn.contains("[TimeControl \"600+5\"]"), "{pgn}");
    assert!(
        pgn.contains("1. e4 {[%clk 0:10:00]} 1... e5 {[%clk 0:10:0"),
        "{pgn}"
    );
    page.is_clean(&server);
}

#[test]
fn signs_and_comments_are_written_on_the_page() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.read_text("1. e4 {[%clk 0:03:00] so} e5 2. Nf3 *");
    page.wait_moves("e4 e5 Nf3");
    page.click("#moves .move");
    page.click("[data-key=write]");
    page.wait("document.querySelector('#notes textarea').value === 'so'");
    page.click("[data-key=glyph-5]");
    page.wait_moves("e4!? e5 Nf3");
    page.write("#notes textarea", "a king's pawn");
    page.eval("document.activeElement.blur()");
    page.wait_text("#moves .comment", "a king's pawn");
    let pgn = page.pgn().replace('\n', " ");
    assert!(pgn.contains("1. e4 $5 {[%clk 0:03:00] a king's pawn}"), "{pgn}");
    page.key_with("z", 2);
    page.wait_text("#moves .comment", "so");
    page.is_clean(&server);
}

#[test]
fn a_position_is_set_up() {
    let Some((page, _server)) = Page::start() else {
        return;
    };
    page.click("[data-key=edit]");
    page.wait_text("#editor-said", "A game can begin here");
    page.press("Clear");
    page.wait_text("#editor-said", "Each side needs exactly one king");
    for (piece, square) in [("K", "g1"), ("k", "g8"), ("P", "a7"), ("P", "b7")] {
        page.click(&format!("[data-key=tool-{piece}]"));
        page.tap(&format!("[data-at={square}]"));
        page.wait(&format!("document.querySelector('[data-at={square}] use')"));
    }
    page.click("[data-key=tool-none]");
    page.tap("[data-at=b7]");
    page.wait("!document.querySelector('[data-at=b7] use')");
    page.wait("document.querySelector('#editor-fen').value === '6k1/P7/8/8/8/8/8/6K1 w - - 0 1'");
    page.press("Analyse");
    page.wait_square("a7", "white pawn");
    page.wait_text("#rooms [aria-current]", "Analysis");
    page.no_exceptions();
}

#[test]
fn pieces_are_dragged_over_the_editor_and_off_it() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.click("[data-key=edit]");
    page.wait_text("#editor-said", "A game can begin here");
    let at = |square: &str| format!("document.querySelector('[data-at={square}]')");
    page.drag_found(&at("e2"), &at("e4"), "left", |page| {
        page.wait("document.querySelector('[data-at=e2] svg.carried')");
    });
    page.wait("document.querySelector('#editor-fen').value.includes('/4P3/8/PPPP1PPP/')");
    page.drag_found(
        &at("d1"),
        "document.querySelector('#editor-said')",
        "left",
        |_| {},
    );
    page.wait("document.querySelector('#editor-fen').value.includes('/RNB1KBNR ')");
    // any other tool works on every square that the pointer passes
    page.click("[data-key=tool-none]");
    page.drag_found(&at("a8"), &at("d8"), "left", |_| {});
    page.wait("document.querySelector('#editor-fen').value.startsWith('4kbnr/')");
    page.is_clean(&server);
}

#[test]
fn an_opening_has_its_name() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.read_text("1. e4 e5 2. Nf3 Nc6 3. Bc4 *");
    page.wait_text("#opening", "C50 Italian Game");
    page.key("Home");
    page.wait("document.querySelector('#opening').textContent === ''");
    page.is_clean(&server);
}

#[test]
#[cfg(feature = "syzygy")]
fn tables_say_what_perfect_play_leads_to() {
    let Some(browser) = Chromium::start() else { return };
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/syzygy");
    let server = Served::start_with(&["--stockfish", "no-such-engine-anywhere", "--syzygy", folder]);
    let page = Page::open(&browser, &server);
    page.read_text("8/8/8/8/8/2k5/1R6/K7 w - - 0 1");
    page.wait_text(".tables", "Tablebase: White wins");
    page.click(".tables [data-key='table-b2b8']");
    page.wait_moves("Rb8");
    page.wait_text(".tables li", "loses");
    page.is_clean(&server);
}
