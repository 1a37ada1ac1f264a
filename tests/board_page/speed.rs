//! How fast the page is there and an answer shown, beside what the browser takes for a page with nothing in it. Measured
//! by name, on a quiet machine: `cargo test --release --test board_page -- --ignored --nocapture how_fast`.

use crate::chromium::Chromium;
use crate::empty::serve_empty_page;
use crate::page::Page;
use crate::served::Served;
use serde_json::{Value, json};
use std::fs;
use std::rc::Rc;

const RUNS: usize = 5;

/// The page's process has to be a new one for this header, which the board's page has.
const OWN_PROCESS: &str = "Cross-Origin-Opener-Policy: same-origin\r\n";

/// Notes when the board can be played on.
const WATCH_BOARD: &str = "new MutationObserver((_, watching) => {
  if (!document.querySelector('.grid[aria-busy=false]')) return;
  window.playableAt = performance.now();
  watching.disconnect();
}).observe(document, { attributes: true, childList: true, subtree: true })";

/// Notes for every change that is told to `changed` the milliseconds from `since` to the change, and to the end of the
/// page's work on the frame that shows it: styles, layout and what is to be painted have then been handed over.
const WATCH_FRAMES: &str = "window.changes = [];
window.changed = (since) => {
  const at = performance.now();
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => changes.push([at - since, performance.now() - since]);
    port2.postMessage(null);
  });
};";

/// Tells `changed` of every answer: since the server's word was read, a piece has moved.
const WATCH_ANSWERS: &str = "localStorage.clear(); // the game of the run before
let word = null;
const { read } = ReadableStreamDefaultReader.prototype;
ReadableStreamDefaultReader.prototype.read = function () {
  return read.call(this).then((piece) => {
    if (piece.value && new TextDecoder().decode(piece.value).includes('event: done')) word = performance.now();
    return piece;
  });
};
new MutationObserver((changes) => {
  if (word === null || !changes.some(({ target }) => target.matches('.piece'))) return;
  changed(word);
  word = null;
}).observe(document, { subtree: true, attributes: true, attributeFilter: ['style'] })";

/// Changes an empty page now and then, at no fixed place in the time between two frames.
const CHANGE_EMPTY_PAGE: &str = "(async () => {
  for (let i = 0; i < 12; i += 1) {
    await new Promise((resolve) => setTimeout(resolve, 60 + Math.random() * 60));
    document.querySelector('p').style.transform = `translate(${i}px, 0)`;
    changed(performance.now());
  }
})()";

const FRAME_NAMES: [&str; 2] = ["change", "end of the frame"];

fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or_default().to_string()
}

/// The median and the largest of a column.
fn summary(rows: &[Value], column: usize) -> (f64, f64) {
    let values = rows.iter().map(|row| row[column].as_f64().expect("milliseconds"));
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    (values[values.len() / 2], values[values.len() - 1])
}

fn print(what: &str, names: &[&str], rows: &[Value]) {
    let columns = names.iter().enumerate().map(|(column, name)| {
        let (median, most) = summary(rows, column);
        format!("{name} {median:.1} ({most:.1})")
    });
    let columns: Vec<_> = columns.collect();
    println!(
        "load {}, {what}, median (most) of {}, ms: {}",
        load(),
        rows.len(),
        columns.join(", ")
    );
}

/// Opens a page in a new tab, and returns when it was painted and what `more` says.
fn open_and_close(browser: &Rc<Chromium>, address: &str, ready: &str, more: &str) -> Value {
    let page = Page::bare(browser);
    page.call(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({ "source": WATCH_BOARD }),
    );
    page.call("Page.navigate", json!({ "url": address }));
    let painted = "performance.getEntriesByName('first-contentful-paint')";
    page.wait(&format!(
        "location.href !== 'about:blank' && {painted}.length === 1 && {ready}"
    ));
    let times = page.eval(&format!(
        "[performance.getEntriesByType('navigation')[0].responseStart, performance.getEntriesByName('first-paint')[0].startTime, \
         {painted}[0].startTime{more}]"
    ));
    page.call("Page.close", json!({}));
    times
}

#[test]
#[ignore = "measures"]
fn how_fast_the_page_is_there() {
    let Some(browser) = Chromium::start() else { return };
    let server = Served::start();
    let (empty, own_process) = (serve_empty_page(""), serve_empty_page(OWN_PROCESS));
    let names = [
        "first byte",
        "first paint",
        "something in it",
        "the board can be played on",
    ];
    for run in 0..=RUNS {
        let mut rows = [const { Vec::new() }; 3];
        for _ in 0..7 {
            rows[0].push(open_and_close(&browser, &empty, "true", ""));
            rows[1].push(open_and_close(&browser, &own_process, "true", ""));
            let address = server.address();
            rows[2].push(open_and_close(
                &browser,
                &address,
                "window.playableAt > 0",
                ", playableAt",
            ));
        }
        // in the first run the browser itself still starts
        if run == 0 {
            continue;
        }
        print("an empty page", &names[..3], &rows[0]);
        print("an empty page in a new process", &names[..3], &rows[1]);
        print("the board's page", &names, &rows[2]);
    }
    let sizes = ["/", "/page.mjs", "/icon.svg"].map(|path| server.get(path).body.len());
    println!("{sizes:?} bytes, {} in all", sizes.iter().sum::<usize>());
}

/// Plays eight moves in a new tab against Enroc, which thinks for a second each time: one's own move has then come to
/// rest. The rows of `FRAME_NAMES`.
fn answers(browser: &Rc<Chromium>, server: &Served) -> Vec<Value> {
    let page = Page::bare(browser);
    for source in [WATCH_FRAMES, WATCH_ANSWERS] {
        page.call(
            "Page.addScriptToEvaluateOnNewDocument",
            json!({ "source": source }),
        );
    }
    page.call("Page.navigate", json!({ "url": server.address() }));
    page.is_ready();
    page.press("Enroc");
    page.press("Full");
    page.press("Start");
    let moves = ["a3", "b3", "c3", "d3", "e3", "f3", "g3", "h3"];
    for (number, typed) in moves.into_iter().enumerate() {
        page.wait_text("#play-above", "Your move");
        page.write("#entry", typed);
        page.key("Enter");
        page.wait(&format!("changes.length === {}", number + 1));
    }
    let rows = page.eval("changes");
    page.call("Page.close", json!({}));
    rows.as_array().expect("a list").clone()
}

#[test]
#[ignore = "measures"]
fn how_fast_an_answer_is_shown() {
    let Some(browser) = Chromium::start() else { return };
    let server = Served::start();
    let empty = serve_empty_page(OWN_PROCESS);
    for _ in 0..RUNS {
        let page = Page::open_at(&browser, &empty);
        page.wait("document.querySelector('p')");
        page.eval(WATCH_FRAMES);
        page.eval(CHANGE_EMPTY_PAGE);
        page.wait("changes.length === 12");
        let rows = page.eval("changes");
        print(
            "a change of an empty page",
            &FRAME_NAMES,
            rows.as_array().expect("a list"),
        );
        page.call("Page.close", json!({}));
        print("an answer of Enroc", &FRAME_NAMES, &answers(&browser, &server));
    }
}
