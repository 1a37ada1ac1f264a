//! Games and positions in and out.

use crate::page::Page;

const GAME: &str = "[Event \"<img src=x onerror=alert(1)>\"]\n[White \"<b>Ada</b>\"]\n[Black \"Grace & Co\"]\n[Result \"1-0\"]\n\n1. e4 e5 (1... c5 2. Nf3 {the <i>open</i> Sicilian}) 2. Nf3 Nc6 1-0\n";

#[test]
fn a_game_comes_in_and_goes_out_with_its_variations() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.read_text(GAME);
    page.wait_moves("e4 e5 c5 Nf3 Nf3 Nc6");
    page.wait_text("#moves", "the <i>open</i> Sicilian");
    page.wait_text(".stage", "<b>Ada</b>");
    assert_eq!(
        page.eval("document.querySelectorAll('img[src=x], main b b, #moves .comment i').length"),
        0
    );
    let pgn = page.pgn();
    for part in ["[White \"<b>Ada</b>\"]", "c5", "Sicilian", "1-0"] {
        assert!(pgn.contains(part), "{part} is missing in {pgn}");
    }
    // a move out of the variation, and back by the keys
    page.click("#moves .variations .move");
    page.wait_square("c5", "black pawn");
    page.key("ArrowLeft");
    page.wait_square("c5", "empty");
    page.is_clean(&server);
}

#[test]
fn drawings_come_in_stay_and_go_out() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.read_text("{[%csl Re4] look} 1. e4 {[%clk 0:03:00] [%cal Gg1f3,Bf1c4] next} e5 *");
    page.wait_moves("e4 e5");
    page.wait_text("#moves", "next");
    assert_eq!(
        page.eval("document.querySelector('#moves').textContent.includes('[%')"),
        false
    );
    page.click("[data-key=back]");
    page.wait("document.querySelectorAll('path.mark.good, path.mark.neutral').length === 2");
    page.click("[data-key=back]");
    page.wait("document.querySelectorAll('circle.mark.bad').length === 1");
    // drawn here, kept over a reload, and written
    page.drag("d2", "d4", "right");
    page.wait("document.querySelectorAll('path.mark').length === 1");
    page.wait("Object.keys(localStorage).some((key) => localStorage[key].includes('\"to\":\"d4\"'))");
    page.reload_until_ready();
    page.wait("document.querySelectorAll('path.mark, circle.mark').length === 2");
    let pgn = page.pgn().replace('\n', " ");
    for part in [
        "{[%csl Re4] [%cal Gd2d4] look} 1. e4",
        "{[%cal Gg1f3,Bf1c4] [%clk 0:03:00] next}",
    ] {
        assert!(pgn.contains(part), "{part} is missing in {pgn}");
    }
    page.is_clean(&server);
}

#[test]
fn a_fault_is_said_beside_the_field_and_the_game_stays() {
    let Some((page, _server)) = Page::start() else {
        return;
    };
    page.press("Analysis");
    page.drag("e2", "e4", "left");
    page.wait_moves("e4");
    for wrong in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ<b>NR w KQkq - 0 1",
        "hello there",
    ] {
        page.read_text(wrong);
        page.wait("document.querySelector('#found .problem')?.textContent.length > 10");
        assert_eq!(
            page.eval("document.querySelector('#incoming').ariaInvalid"),
            "true"
        );
        page.click("#exchange [data-key=close]");
        page.wait_moves("e4");
    }
    page.no_exceptions();
}

#[test]
fn a_fen_comes_in_and_goes_out() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 20";
    page.read_text(fen);
    page.wait_square("b8", "empty");
    page.click("#tools button");
    page.wait(&format!("document.querySelector('#fen-out')?.value === '{fen}'"));
    page.click("#exchange [data-key=close]");
    page.drag("e8", "g8", "left");
    page.wait_moves("O-O");
    page.wait_text("#moves", "20.");
    page.is_clean(&server);
}

#[test]
fn a_file_is_dropped_and_a_text_is_pasted_anywhere() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.eval(
        "(() => { const data = new DataTransfer(); data.items.add(new File(['1. d4 d5 *'], 'game.pgn')); \
         document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })); })()",
    );
    page.wait_moves("d4 d5");
    page.eval(
        "(() => { const data = new DataTransfer(); data.setData('text/plain', '1. c4 e5 *'); \
         document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true })); })()",
    );
    page.wait_moves("c4 e5");
    page.is_clean(&server);
}
