//! The figures of docs/board.md and the picture of the README. They are measured and taken by name, on a quiet machine:
//! `cargo test --release --test board_page -- --ignored --nocapture NAME`.

use crate::analysis::{analysing, held};
use crate::chromium::Chromium;
use crate::page::Page;
use crate::served::Served;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

/// Notes when the first pieces stand on the board.
const WATCH_PIECES: &str = "new MutationObserver((_, watching) => {
  if (document.querySelectorAll('.piece').length < 32) return;
  window.piecesAt = performance.now();
  watching.disconnect();
}).observe(document, { childList: true, subtree: true })";

/// Notes for every answer of Enroc the milliseconds from the server's word to the change of the board, and to the end of
/// the frame that shows it.
const WATCH_ANSWERS: &str = "window.answers = [];
let word = null;
const { read } = ReadableStreamDefaultReader.prototype;
ReadableStreamDefaultReader.prototype.read = function () {
  return read.call(this).then((piece) => {
    if (String(piece.value).includes('event: done')) word = performance.now();
    return piece;
  });
};
new MutationObserver(() => {
  if (word === null) return;
  const [said, changed] = [word, performance.now()];
  word = null;
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => answers.push([changed - said, performance.now() - said]);
    port2.postMessage(null);
  });
}).observe(document, { subtree: true, attributes: true, attributeFilter: ['style'] })";

fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The number in each row's column.
fn column(rows: &[Value], number: usize) -> Vec<f64> {
    rows.iter()
        .map(|row| row[number].as_f64().expect("a number"))
        .collect()
}

fn print_medians(names: &[&str], rows: &[Value]) {
    for (number, name) in names.iter().enumerate() {
        let values = column(rows, number);
        println!(
            "{name}: median {:.1} ms, most {:.1} ms, of {}",
            median(&values),
            values.iter().fold(0.0, |most, &value| f64::max(most, value)),
            values.len()
        );
    }
}

#[test]
#[ignore = "measures"]
fn how_fast_the_page_is_there() {
    let Some(browser) = Chromium::start() else { return };
    let server = Served::start();
    let mut rows = Vec::new();
    for _ in 0..9 {
        let page = Page::open_at(&browser, "about:blank");
        page.call(
            "Page.addScriptToEvaluateOnNewDocument",
            json!({ "source": WATCH_PIECES }),
        );
        page.call("Page.navigate", json!({ "url": server.address() }));
        page.wait(
            "performance.getEntriesByName('first-contentful-paint').length === 1 && window.piecesAt > 0",
        );
        rows.push(page.eval(
            "[performance.getEntriesByType('navigation')[0].responseStart, \
             ...['first-paint', 'first-contentful-paint'].map((name) => performance.getEntriesByName(name)[0].startTime), piecesAt]",
        ));
        page.call("Page.close", json!({}));
    }
    // the first two open while the browser still starts
    let names = ["first byte", "first paint", "first contentful paint", "pieces"];
    print_medians(&names, &rows[2..]);
    let sizes = ["/", "/page.css", "/page.mjs", "/icon.svg"].map(|path| server.get(path).body.len());
    println!("{sizes:?} bytes, {} in all", sizes.iter().sum::<usize>());
}

#[test]
#[ignore = "measures"]
fn how_fast_an_answer_is_shown() {
    let Some(browser) = Chromium::start() else { return };
    let server = Served::start();
    let page = Page::open_at(&browser, "about:blank");
    page.call(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({ "source": WATCH_ANSWERS }),
    );
    page.call("Page.navigate", json!({ "url": server.address() }));
    page.is_ready();
    page.press("Enroc");
    page.press("Start");
    let moves = ["a3", "b3", "c3", "d3", "e3", "f3", "g3", "h3"];
    for (number, typed) in moves.into_iter().enumerate() {
        page.wait_text("#play-above", "Your move");
        page.write("#entry", typed);
        page.key("Enter");
        page.wait(&format!("answers.length === {}", number + 1));
    }
    let answers = page.eval("answers");
    let rows = answers.as_array().expect("a list");
    print_medians(&["the board changes after", "the frame has ended after"], rows);
}

#[test]
#[ignore = "ten minutes"]
fn ten_minutes_of_analysis_leak_nothing() {
    let Some(browser) = Chromium::start() else { return };
    let server = Served::start();
    let page = analysing(&browser, &server);
    let start = std::time::Instant::now();
    let mut rows = Vec::new();
    for minutes in [0, 2, 5, 10] {
        let at = Duration::from_secs(60 * minutes);
        sleep(at.saturating_sub(start.elapsed()));
        let (heap, nodes) = held(&page);
        let lines = page.eval("document.querySelectorAll('.lines li').length");
        let memory = resident(server.id());
        println!(
            "{minutes} min: heap {heap} bytes, {nodes} nodes outside the document, {lines} lines, server {memory} KiB"
        );
        assert_eq!(lines, 3);
        rows.push((heap, nodes, memory));
    }
    let (early, late) = (rows[1], rows[3]);
    assert!(
        late.0 - early.0 < 1_000_000,
        "the scripts' memory grows: {rows:?}"
    );
    assert!((late.1 - early.1).abs() < 200, "the page grows: {rows:?}");
    // the table of 64 MiB may still fill up
    assert!(late.2 - early.2 < 80 << 10, "the server grows: {rows:?}");
}

/// The memory of a process that is in use, in KiB; 0 where the system does not tell it.
fn resident(process: u32) -> i64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}

/// Morphy against the Duke of Brunswick and Count Isouard, Paris 1858.
const OPERA: &str = "[Event \"Opéra de Paris\"]\n[Date \"1858.11.02\"]\n[White \"Morphy\"]\n[Black \"Karl & Isouard\"]\n[Result \"1-0\"]\n\n\
    1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 \
    11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0";

/// Takes `docs/board.png`, and pictures of other sizes and of the dark theme to be looked at.
#[test]
#[ignore = "takes pictures"]
fn pictures() {
    let Some(browser) = Chromium::start() else { return };
    let server = Served::start();
    let page = Page::open(&browser, &server);
    page.eval("document.documentElement.dataset.theme = 'light'");
    page.read_text(OPERA);
    page.wait("document.querySelectorAll('#moves .move').length === 33");
    page.press("Find the mistakes");
    page.wait("[...document.querySelectorAll('button')].some((e) => e.textContent.startsWith('Retry the mistakes'))");
    page.eval(
        "[...document.querySelectorAll('#moves .move')].find((e) => e.textContent.startsWith('Nf6')).click()",
    );
    page.click("[data-key=why]");
    page.wait("document.querySelector('#why .prose')");
    page.size(1280, 800);
    // pieces have arrived and the list has scrolled
    sleep(Duration::from_millis(600));
    page.picture(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/board.png"));
    let others = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    for theme in ["light", "dark"] {
        page.eval(&format!("document.documentElement.dataset.theme = '{theme}'"));
        for (width, height) in [(360, 640), (768, 1024), (1440, 900)] {
            page.size(width, height);
            for room in ["Analysis", "Networks", "Play"] {
                page.press(room);
                sleep(Duration::from_millis(400));
                let file = others.join(format!("board-{}-{width}-{theme}.png", room.to_lowercase()));
                page.picture(&file);
            }
        }
    }
    println!("docs/board.png, and others in {}", others.display());
}
