//! One notation on the whole page: the letters of the language, or figurines; and what it shows can be pasted back.

use crate::page::Page;

const GAME: &str = "1. e4 e5 2. Qh5 (2. Nf3 Nc6 3. Bb5) 2... Nc6 3. Qxf7+ Kxf7 4. Nf3 *";

/// All that the page shows of moves, in the list, the lines, "Why?", the networks and the retry.
fn shown(page: &Page) -> String {
    let text = page.eval("[...document.querySelectorAll('#moves, .lines, #why, #analysis-below, #networks, #retry')].filter((e) => e.checkVisibility()).map((e) => e.innerText).join('\\n')");
    text.as_str().expect("a text").to_string()
}

/// Whether a text has a move with one of these signs for a piece.
fn has_moves_with(text: &str, signs: &str) -> bool {
    let words = text.split(|c: char| c.is_whitespace() || c == '(' || c == '.');
    words.into_iter().any(|word| {
        let mut letters = word.chars();
        let first = letters.next().unwrap_or(' ');
        let rest = letters.as_str().trim_start_matches('x');
        signs.contains(first)
            && rest.len() >= 2
            && rest.as_bytes()[0].is_ascii_lowercase()
            && rest.as_bytes()[1].is_ascii_digit()
    })
}

#[test]
fn every_part_of_the_page_has_the_same_notation() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.read_text(GAME);
    page.wait("document.querySelectorAll('#moves .move').length === 10");
    for (language, notation, own, foreign) in [
        ("ca", "letters", "RDTAC", "KQNB"),
        ("es", "figurines", "♔♕♖♗♘", "KQRBNDTAC"),
        ("en", "letters", "KQRBN", "DTAC♔♕♖♗♘"),
    ] {
        page.speak(language);
        page.click("[data-key=settings]");
        page.click(&format!("dialog label:has([data-key=notation-{notation}])"));
        page.click("dialog[open] [data-key=close]");
        page.eval("[...document.querySelectorAll('#moves .move')].find((e) => e.textContent.includes('xf7+')).click()");
        page.wait("document.querySelector('[data-key=why]')?.textContent.includes('xf7')");
        page.click("[data-key=why]");
        page.wait("document.querySelector('#why .prose')");
        page.click("#why summary");
        page.click("[data-key=engine]");
        page.wait("document.querySelectorAll('.lines li').length > 0");
        let text = shown(&page);
        assert!(has_moves_with(&text, own), "{language} {notation}: {text}");
        assert!(!has_moves_with(&text, foreign), "{language} {notation}: {text}");
        page.click("[data-key=engine]");
        page.click("#why [data-key=close], #why .icon-button");
        page.click("[data-key=networks]");
        page.click("#networks .primary");
        page.wait("document.querySelectorAll('#networks tbody tr').length >= 1 && document.querySelectorAll('#networks tbody td b').length >= 1");
        assert!(
            !has_moves_with(&shown(&page), foreign),
            "networks, {language}: {}",
            shown(&page)
        );
        page.click("[data-key=analysis]");
    }
    page.is_clean(&server);
}

#[test]
fn what_the_page_shows_can_be_pasted_back() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    for (text, moves) in [
        (
            "1.e4 e5 2.Cf3 Cc6 3.Ab5 {un Cf6 aquí} a6 4.O-O Cf6 5.Te1",
            "e4 e5 Nf3 Nc6 Bb5 a6 O-O Nf6 Re1",
        ),
        ("1. e4 e5 2. ♘f3 ♞c6 3. ♗b5 ♟a6", "e4 e5 Nf3 Nc6 Bb5 a6"),
        ("1.e4 d5 2.exd5 Dxd5 3.Re2 Dxd2+", "e4 d5 exd5 Qxd5 Ke2 Qxd2+"),
        ("1.e4 e5 2.Nf3 Nc6 3.Bb5 a6", "e4 e5 Nf3 Nc6 Bb5 a6"),
    ] {
        page.paste(text);
        page.wait_moves(moves);
    }
    page.is_clean(&server);
}
