//! Running lines, the search for mistakes, why, and the retry.

use crate::chromium::Chromium;
use crate::looks::is_sound;
use crate::page::Page;
use crate::served::Served;
use serde_json::{Value, json};

/// White leaves the queen en prise with the third move.
const BLUNDER: &str = "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 4. Nf3 *";

/// Counts the nodes of the document. Lines grow longer while the engine thinks; what leaks has left the document.
const COUNT_NODES: &str = "(() => {
  const walker = document.createTreeWalker(document);
  let count = 1;
  while (walker.nextNode()) count += 1;
  return count;
})()";

/// Bytes of the page's scripts, and the nodes that are held outside the document, with the garbage gone.
pub fn held(page: &Page) -> (i64, i64) {
    let number = |value: &Value| value.as_i64().expect("a number");
    page.call("HeapProfiler.collectGarbage", json!({}));
    let heap = number(&page.call("Runtime.getHeapUsage", json!({}))["usedSize"]);
    let all = number(&page.call("Memory.getDOMCounters", json!({}))["nodes"]);
    (heap, all - number(&page.eval(COUNT_NODES)))
}

/// Waits until the engine shows three running lines.
pub fn is_analysing(page: &Page) {
    page.press("Analysis");
    page.press("Engine");
    page.wait("document.querySelectorAll('.lines li').length === 3");
}

/// Answers every search of the page with `window.count` changing lines, each in frames of its own; `window.told` is the
/// number of the last.
const TELL_LINES: &str = "{
  const { fetch } = window;
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const sans = ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6', 'Ba4', 'Nf6'];
  const moves = ['e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1b5', 'a7a6', 'b5a4', 'g8f6'].map((uci, i) => ({ uci, san: sans[i] }));
  const info = (at) => {
    const line = (rank) => ({ rank, score: { cp: at % 90 }, expected: 0.5, depth: at, bound: 'exact', pv: moves.slice(0, 1 + at % 8) });
    return { depth: at, seldepth: at, nodes: at, nps: 1, time_ms: at, hashfull: 0, lines: [1, 2, 3].map(line) };
  };
  const start = (signal) => async (stream) => {
    signal.addEventListener('abort', () => stream.error(signal.reason));
    for (let at = 1; at <= count; at += 1) {
      stream.enqueue(new TextEncoder().encode(`event: info\\ndata: ${JSON.stringify(info(at))}\\n\\n`));
      await frame();
      await frame();
      told = at;
    }
  };
  window.fetch = (path, request) =>
    path === '/api/search' ? Promise.resolve(new Response(new ReadableStream({ start: start(request.signal) }))) : fetch(path, request);
}";

/// What is held is looked at while the engine is off: lines that were replaced since the garbage was collected are
/// no leak, and on a busy machine they are many.
#[test]
fn changing_lines_leak_nothing() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.press("Analysis");
    page.eval(TELL_LINES);
    let held_after = |count: u32| {
        page.eval(&format!("window.count = {count}; window.told = 0"));
        page.press("Engine");
        page.wait(&format!("told === {count}"));
        page.press("Engine");
        page.wait("document.querySelectorAll('.lines li').length === 0");
        page.settles();
        held(&page)
    };
    held_after(20); // what is made once has been made
    let (heap, nodes) = held_after(20);
    let (heap_after, nodes_after) = held_after(200);
    assert!(
        heap_after - heap < 300_000,
        "the scripts held {heap} bytes, and {heap_after} later"
    );
    assert!(
        nodes_after - nodes < 50,
        "{nodes} nodes were held outside the document, and {nodes_after} later"
    );
    page.no_exceptions();
    drop(server);
}

#[test]
fn the_lines_follow_the_board_and_stop() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    is_analysing(&page);
    page.click(".lines li .move");
    page.wait("document.querySelectorAll('#moves .move').length === 1");
    page.wait("document.querySelector('.lines li .number')?.textContent === '1…'");
    is_sound(&page, "the lines");
    page.press("Engine");
    page.wait("document.querySelectorAll('.lines li').length === 0");
    page.is_clean(&server);
}

#[test]
fn mistakes_are_found_explained_and_tried_again() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.read_text(BLUNDER);
    page.wait_moves("e4 e5 Qh5 Nc6 Qxf7+ Kxf7 Nf3");
    page.press("Find the mistakes");
    page.wait("document.querySelector('#moves .blunder')?.textContent === 'Qxf7+??'");
    page.wait("[...document.querySelectorAll('button')].some((e) => e.textContent.startsWith('Retry the mistakes'))");
    page.wait("document.querySelectorAll('#graph .dot.blunder').length === 1");
    is_sound(&page, "the mistakes");

    // why, of the blunder
    page.click("#moves .blunder");
    page.wait_text("[data-key=why]", "Qxf7+");
    page.click("[data-key=why]");
    page.wait_text("#why h2", "3. Qxf7+ is a blunder.");
    // what is wrong with it, not only what was better
    page.wait_text("#why p.prose", "loses");
    page.wait_text("#why p.prose", "Better was");
    page.wait("document.querySelectorAll('.mark').length > 0");
    is_sound(&page, "why");

    // the mistakes again, down to the blunder: there the same move is refused, and the answer shown
    page.eval("[...document.querySelectorAll('button')].find((e) => e.textContent.startsWith('Retry the mistakes')).click()");
    page.wait("!document.querySelector('#retry').hidden");
    while page.eval("document.querySelector('#retry').textContent.includes('Qxf7+ was played')") != true {
        page.press("Show the answer");
        page.wait_text("#retry", "The best was");
        page.press("Next");
        page.wait_text("#retry", "Play it on the board");
    }
    page.wait_moves("e4 e5 Qh5 Nc6");
    page.drag("h5", "f7", "left");
    page.wait_text("#retry .verdict.wrong", "loses");
    page.wait_text("#retry", "The answer to it is Kxf7");
    page.wait_square("f7", "white queen");
    is_sound(&page, "the retry");
    // a wrong try tells what answers it, and not what was better
    let said = page.eval("document.querySelector('#retry').textContent");
    page.press("Show the answer");
    page.wait_text("#retry", "The best was");
    let best =
        page.eval("/The best was (\\S+)\\./.exec(document.querySelector('#retry .verdict').textContent)[1]");
    let best = best.as_str().expect("a move").to_string();
    assert!(
        !said.as_str().expect("words").contains(&best),
        "{best} is told in {said}"
    );
    page.click("#retry [data-key=next]");
    page.wait("document.querySelector('#retry').hidden");

    // a right answer stays on the board and is praised
    page.press("Retry the mistakes (1)");
    page.wait_text("#retry", "Play it on the board");
    page.write("#entry", &best);
    page.key("Enter");
    page.wait_text("#retry .verdict.right", &format!("{best} is good!"));
    page.wait("document.querySelectorAll('.square.last').length === 2");
    page.wait_square("f7", "black pawn");
    page.wait_moves("e4 e5 Qh5 Nc6");
    page.click("#retry [data-key=next]");
    page.is_clean(&server);
}

/// A short search thinks the move good, "Why?" finds the mate: the sign, the dot and the words change together.
#[test]
fn a_deeper_search_changes_everything_that_shows_the_move() {
    let Some(browser) = Chromium::start() else { return };
    let server = Served::start();
    let page = Page::open(&browser, &server);
    // the review's searches see nothing, whatever the server answers
    page.eval(
        "{
          const { fetch } = window;
          window.fetch = async (path, request) => {
            const answer = await fetch(path, request);
            if (path !== '/api/grade') return answer;
            const { judged, ...rest } = await answer.json();
            const good = { ...judged, grade: 'best', loss: 0, after: judged.before, nodes: 1 };
            return Response.json({ ...rest, judged: good }, { status: answer.status });
          };
        }",
    );
    page.read_text("1. e4 e5 2. Bc4 Bc5 3. Qh5 Nf6 $1 4. a3 *");
    page.wait_moves("e4 e5 Bc4 Bc5 Qh5 Nf6! a3");
    page.press("Find the mistakes");
    page.wait("document.querySelector('.sums')");
    let knight =
        "[...document.querySelectorAll('#moves .move')].find((e) => e.textContent.startsWith('Nf6'))";
    assert_eq!(page.eval(&format!("{knight}.textContent")), "Nf6!");
    page.eval(&format!("{knight}.click()"));
    page.wait_text("[data-key=why]", "Nf6");
    page.click("[data-key=why]");
    page.wait_text("#why h2", "3… Nf6 is a blunder.");
    page.wait(&format!(
        "{knight}.textContent === 'Nf6??' && {knight}.matches('.blunder')"
    ));
    page.wait("[...document.querySelectorAll('#graph .dot.blunder')].some((e) => e.title.startsWith('Nf6'))");
    page.is_clean(&server);
}

/// Where the curve of the graph has points, in per cent of its width, a list for each unbroken part.
const CURVE: &str = "document.querySelector('#graph .curve').getAttribute('d').slice(1).split('M').map((part) => part.split('L').map((point) => Math.round(parseFloat(point))))";

#[test]
fn the_graph_draws_what_is_known_and_nothing_between() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.read_text("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *");
    page.wait_moves("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7");
    // the first and the ninth move are asked about, of ten: each has a score before it and one after it
    for (move_, shown) in [(1, "e4"), (9, "O-O")] {
        page.eval(&format!(
            "document.querySelectorAll('#moves .move')[{}].click()",
            move_ - 1
        ));
        page.wait_text("[data-key=why]", shown);
        page.click("[data-key=why]");
        page.wait(&format!("document.querySelector('#why .prose') && document.querySelector('#why h2').textContent.includes('{shown}')"));
    }
    page.wait(&format!("{CURVE}.length === 2"));
    assert_eq!(page.eval(CURVE), json!([[0, 10], [80, 90]]));
    // nor is a side better between them
    let areas = "[...document.querySelectorAll('#graph .area')].map((e) => e.getAttribute('d').split('Z').length - 1)";
    assert_eq!(page.eval(areas), json!([2, 2]));
    page.press("Find the mistakes");
    page.wait("document.querySelector('.sums')");
    let all: Vec<i64> = (0..=10).map(|place| place * 10).collect();
    assert_eq!(page.eval(CURVE), json!([all]));
    page.is_clean(&server);
}

#[test]
fn the_engine_does_not_wait_for_the_networks() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    // a comparison that does not end by itself
    page.eval(
        "{
          const { fetch } = window;
          window.fetch = (path, request) => (path === '/api/networks' ? new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason))) : fetch(path, request));
        }",
    );
    page.press("Networks");
    page.press("Compare");
    page.wait_text("#networks", "Stop");
    is_analysing(&page);
    page.press("Networks");
    page.wait_text("#networks", "Compare");
    page.is_clean(&server);
}

#[test]
fn the_networks_stand_side_by_side() {
    let Some((page, server)) = Page::start() else {
        return;
    };
    page.press("Networks");
    page.press("1");
    page.press("Compare");
    page.wait("document.querySelectorAll('#networks tbody tr').length === 2");
    page.wait("document.querySelectorAll('#networks tbody td b').length >= 2");
    page.wait("document.querySelectorAll('#networks [name=shares]').length > 1");
    page.click("#networks label:has([name=shares][value]:not([value=\"\"]))");
    page.wait("document.querySelectorAll('.labels text').length >= 30");
    is_sound(&page, "the networks");
    page.is_clean(&server);
}
