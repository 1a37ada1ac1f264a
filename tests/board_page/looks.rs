//! What the eye and the finger need: sizes, names, contrast, and a phone that need not be scrolled in play.

use crate::page::Page;
use serde_json::json;

/// The rooms by the names on their buttons.
const ROOMS: [&str; 3] = ["Play", "Analysis", "Networks"];

#[test]
fn a_game_fits_on_a_phone_without_scrolling() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.press("With a clock");
    page.two_people();
    page.drag("e2", "e4", "left");
    page.wait_moves("e4");
    for (width, height) in [
        (320, 568),
        (360, 640),
        (390, 844),
        (740, 360),
        (768, 1024),
        (1440, 900),
    ] {
        page.size(width, height);
        page.wait(&format!("innerWidth === {width}"));
        let over = page.eval("[Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth), document.documentElement.scrollHeight - innerHeight]");
        assert_eq!(over, json!([0, 0]), "at {width} × {height}");
    }
    page.is_clean(&server);
}

/// Controls without a name, or smaller than 24 pixels either way.
const CONTROLS: &str = "[...document.querySelectorAll('button, select, input, textarea, summary, a')]
  .filter((e) => e.checkVisibility() && !e.closest('[hidden]') && e.type !== 'file')
  .map((e) => {
    const name = e.ariaLabel || e.textContent.trim() || [...(e.labels ?? [])].map((l) => l.textContent).join('').trim();
    const { width, height } = e.getBoundingClientRect();
    return { what: e.outerHTML.slice(0, 100), fault: !name ? 'has no name' : width < 24 || height < 24 ? `is ${width} × ${height}` : '' };
  })
  .filter((e) => e.fault)";

/// Texts whose contrast with what is behind them is below 4.5.
const CONTRAST: &str = "(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const rgba = (colour) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); return canvas.getImageData(0, 0, 1, 1).data; };
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (e) => { for (let at = e; at; at = at.parentElement) { const colour = rgba(getComputedStyle(at).backgroundColor); if (colour[3] > 250) return colour; } return [255, 255, 255, 255]; };
  const faults = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !e.checkVisibility() || e.closest('.visually-hidden, svg, :disabled, script, .evalbar')) continue;
    const [a, b] = [light(rgba(getComputedStyle(e).color)), light(behind(e))].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < 4.5) faults.push([e.outerHTML.slice(0, 90), contrast.toFixed(2)]);
  }
  return faults;
})()";

/// Controls that do not show that they have the keyboard.
const FOCUS: &str = "[...document.querySelectorAll('button, select, input, textarea, summary')]
  .filter((e) => e.checkVisibility() && !e.closest('[hidden]') && !e.disabled)
  .filter((e) => {
    e.focus({ preventScroll: true });
    if (document.activeElement !== e) return false;
    const outlined = (shown) => shown && getComputedStyle(shown).outlineStyle !== 'none' && parseFloat(getComputedStyle(shown).outlineWidth) >= 2;
    return !outlined(e) && !outlined(e.nextElementSibling) && !outlined(e.closest('label'));
  })
  .map((e) => e.outerHTML.slice(0, 100))";

/// Everything that the page shows now has a name, a size and contrast, in both themes, shows when it has the keyboard,
/// and is no wider than the window.
pub fn is_sound(page: &Page, what: &str) {
    page.settles();
    let theme = page.eval("document.documentElement.dataset.theme");
    for theme in ["light", "dark"] {
        page.eval(&format!("document.documentElement.dataset.theme = '{theme}'"));
        assert_eq!(page.eval(CONTROLS), json!([]), "{what}, {theme}");
        assert_eq!(page.eval(CONTRAST), json!([]), "{what}, {theme}");
    }
    page.eval(&format!("document.documentElement.dataset.theme = {theme}"));
    // after a key the browser shows the focus
    page.key("Shift");
    let focused = "window.focusedBefore = document.activeElement";
    page.eval(&format!("void ({focused})"));
    assert_eq!(page.eval(FOCUS), json!([]), "{what}: no sign of the focus");
    page.eval("void (focusedBefore?.focus(), document.activeElement?.blur?.())");
    let root = "document.documentElement";
    // it is narrower where a place is kept for the scroll bar
    let over = page.eval(&format!("Math.max(0, {root}.scrollWidth - {root}.clientWidth)"));
    let wide = "[...document.body.querySelectorAll('*')].filter((e) => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
      .map((e) => `${e.tagName}#${e.id}.${e.getAttribute('class')}`).slice(0, 9)";
    assert_eq!(over, 0, "{what} is wider than the window: {}", page.eval(wide));
}

/// The filling of White's pieces and Canvas where dark colours are forced.
const FORCED: [(&str, &str); 2] = [("forced-colors", "active"), ("prefers-color-scheme", "dark")];

#[test]
fn forced_colours_keep_squares_and_the_last_move_apart() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    let features = FORCED.map(|(name, value)| json!({"name": name, "value": value}));
    page.call("Emulation.setEmulatedMedia", json!({ "features": features }));
    page.read_text("1. e4 e5 2. Nf3 *");
    page.wait_moves("e4 e5 Nf3");
    let colour = |square: &str| page.colour_of(&format!("[data-square={square}]"));
    page.wait("!document.querySelector('.piece.held')");
    let (dark, light, left) = (colour("d4"), colour("d5"), colour("g1"));
    let apart = |a: [i64; 3], b: [i64; 3]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<i64>();
    assert!(apart(dark, light) > 90, "{dark:?} and {light:?}");
    for plain in [dark, light] {
        assert!(
            apart(left, plain) > 60,
            "the last move is {left:?}, a square {plain:?}"
        );
    }
    page.is_clean(&server);
}

#[test]
fn nothing_is_wider_than_the_window() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.read_text("1. e4 e5 (1... c5 {a comment}) 2. Nf3 Nc6 1/2-1/2");
    for (width, height) in [
        (320, 568),
        (360, 640),
        (600, 800),
        (768, 1024),
        (1440, 900),
        (2560, 1440),
    ] {
        page.size(width, height);
        for room in ROOMS {
            page.press(room);
            is_sound(&page, &format!("{room} at {width}"));
            let hidden = "[...document.querySelectorAll('#tools button')].filter((e) => e.offsetParent && e.getBoundingClientRect().right > innerWidth).length";
            assert_eq!(page.eval(hidden), 0, "a button is out of sight at {width}");
        }
    }
    page.is_clean(&server);
}

/// What can be pressed and is in sight, but has something else above its middle.
const COVERED: &str = "[...document.querySelectorAll('button:not(.square), select, input, .square')]
  .filter((e) => e.checkVisibility() && !e.disabled && !e.closest('#toast') && !e.matches('[type=radio], [type=file]'))
  .map((e) => {
    const { left, top, width, height } = e.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const panel = e.closest('.panel, .moves')?.getBoundingClientRect();
    const seen = y > 0 && y < innerHeight && x > 0 && x < innerWidth && (!panel || (y > panel.top && y < panel.bottom));
    return seen && document.elementFromPoint(x, y)?.closest('#toast') ? e.outerHTML.slice(0, 90) : null;
  })
  .filter(Boolean)";

#[test]
fn the_way_back_covers_nothing_that_is_pressed() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.two_people();
    for language in ["es", "ca", "en"] {
        page.speak(language);
        for (width, height) in [(360, 640), (768, 1024), (1100, 800), (1280, 900), (2560, 1440)] {
            page.size(width, height);
            page.paste("1. d4 d5 *");
            page.wait_moves("d4 d5");
            page.click("[data-key=undo]");
            page.wait_moves("");
            page.settles();
            assert_eq!(page.eval("document.querySelector('#toast').hidden"), false);
            assert_eq!(page.eval(COVERED), json!([]), "at {width} in {language}");
            let inside = "(() => { const { left, right } = document.querySelector('#toast').getBoundingClientRect(); return left >= 0 && right <= innerWidth; })()";
            assert_eq!(page.eval(inside), true, "at {width} in {language}");
        }
    }
    page.is_clean(&server);
}

/// The names in the table of mistakes that do not stand on one line.
const BROKEN_NAMES: &str = "[...document.querySelectorAll('.sums th')].filter((name) => {
    const range = document.createRange();
    range.selectNodeContents(name);
    return range.getClientRects().length > 1;
  }).map((name) => name.textContent)";

#[test]
fn what_was_found_fits_on_a_phone_in_every_language() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.read_text("1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 *");
    page.press("Find the mistakes");
    page.wait("document.querySelector('.sums')");
    page.size(360, 640);
    for language in ["ca", "es", "en"] {
        page.speak(language);
        is_sound(&page, &format!("the mistakes in {language}"));
        assert_eq!(
            page.eval(BROKEN_NAMES),
            json!([]),
            "names in {language} take two lines"
        );
    }
    page.is_clean(&server);
}

#[test]
fn everything_has_a_name_a_size_and_contrast() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.read_text("1. e4 e5 (1... c5 {a comment}) 2. Nf3 Nc6 1/2-1/2");
    page.wait_moves("e4 e5 c5 Nf3 Nc6");
    for room in ROOMS {
        page.press(room);
        page.wait(&format!(
            "document.documentElement.dataset.room === '{}'",
            room.to_lowercase()
        ));
        is_sound(&page, room);
    }
    for dialog in ["#tools button:first-child", "#tools button:last-child"] {
        page.click(dialog);
        page.wait("document.querySelector('dialog[open]')");
        is_sound(&page, dialog);
        page.click("dialog[open] [data-key=close]");
    }
    page.is_clean(&server);
}

#[test]
fn the_settings_take_effect_and_stay() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.click("#tools button:last-child");
    page.press("Dark");
    page.press("Wood");
    page.eval("(() => { const e = document.querySelector('[data-key=language]'); e.value = 'ca'; e.dispatchEvent(new Event('change')); })()");
    page.wait_text("#rooms", "Anàlisi");
    page.reload_until_ready();
    page.wait_text("#rooms", "Xarxes");
    assert_eq!(page.eval("document.documentElement.lang"), "ca");
    assert_eq!(page.eval("document.documentElement.dataset.board"), "wood");
    assert_eq!(page.eval("getComputedStyle(document.body).colorScheme"), "dark");
    page.is_clean(&server);
}
