//! The figures of docs/board_calls.md and the picture of the README, measured and taken by name, on a quiet machine:
//! `cargo test --release --test board_page -- --ignored --nocapture NAME`.

use crate::analysis::{held, is_analysing};
use crate::page::Page;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

#[test]
#[ignore = "ten minutes"]
fn ten_minutes_of_analysis_leak_nothing() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    is_analysing(&page);
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
    let Some((page, _server)) = Page::start() else {
        return;
    };
    page.eval("document.documentElement.dataset.theme = 'light'");
    page.read_text(OPERA);
    page.wait("document.querySelectorAll('#moves .move').length === 33");
    page.press("Find the mistakes");
    page.wait("[...document.querySelectorAll('button')].some((e) => e.textContent.startsWith('Retry the mistakes'))");
    page.eval(
        "[...document.querySelectorAll('#moves .move')].find((e) => e.textContent.startsWith('Nf6')).click()",
    );
    page.wait_text("[data-key=why]", "Nf6");
    page.click("[data-key=why]");
    page.wait("document.querySelector('#why .prose')");
    page.size(1280, 860);
    page.press("Engine");
    page.wait("Number(/\\d+/.exec(document.querySelector('.lines .figures').textContent)) >= 14");
    page.eval("document.querySelector('#toast').hidden = true");
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
