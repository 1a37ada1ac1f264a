//! A tab with the page in it, and the hand that plays there.

use crate::chromium::Chromium;
use crate::served::Served;
use data_encoding::BASE64;
use serde_json::{Value, json};
use std::path::Path;
use std::rc::Rc;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long a condition may take to come true.
const PATIENCE: Duration = Duration::from_secs(40);

/// One tab of a browser, which ends with the last of its tabs.
pub struct Page {
    browser: Rc<Chromium>,
    session: String,
}

impl Page {
    /// A server and its page, in a browser of its own; none where no browser is installed.
    pub fn start() -> Option<(Self, Served)> {
        let browser = Chromium::start()?;
        let server = Served::start();
        Some((Self::open(&browser, &server), server))
    }

    /// Opens the page of a server in a new tab, and waits until it has the rules of the position.
    pub fn open(browser: &Rc<Chromium>, server: &Served) -> Self {
        let page = Self::open_at(browser, &server.address());
        page.is_ready();
        page
    }

    /// Opens an address in a new tab.
    pub fn open_at(browser: &Rc<Chromium>, address: &str) -> Self {
        let page = Self::bare(browser);
        // what the page says and asks for is kept
        for domain in ["Log", "Network"] {
            page.call(&format!("{domain}.enable"), json!({}));
        }
        page.call("Page.navigate", json!({"url": address}));
        page
    }

    /// An empty tab of which nothing is kept, which would take time.
    pub fn bare(browser: &Rc<Chromium>) -> Self {
        let target = browser.call(None, "Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let attached = browser.call(None, "Target.attachToTarget", attach);
        let session = attached["sessionId"].as_str().expect("a session").to_string();
        let browser = Rc::clone(browser);
        let page = Self { browser, session };
        for domain in ["Page", "Runtime"] {
            page.call(&format!("{domain}.enable"), json!({}));
        }
        page.size(1280, 900);
        page
    }

    pub fn call(&self, method: &str, params: Value) -> Value {
        self.browser.call(Some(&self.session), method, params)
    }

    /// The value of an expression in the page; promises are waited for.
    pub fn eval(&self, expression: &str) -> Value {
        let value = self.try_eval(expression);
        value.unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// The same; the error of what throws, and of a promise whose page goes before it is kept.
    fn try_eval(&self, expression: &str) -> Result<Value, Value> {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let session = Some(self.session.as_str());
        let result = self.browser.try_call(session, "Runtime.evaluate", params)?;
        match result.get("exceptionDetails") {
            Some(exception) => Err(exception.clone()),
            None => Ok(result["result"]["value"].clone()),
        }
    }

    /// Waits until an expression in the page, or the promise that it is, is true.
    pub fn wait(&self, expression: &str) {
        let start = Instant::now();
        // while the page is being loaded there may be nothing to look at yet
        let awaited = format!("(async () => Boolean(await ({expression})))()");
        while self.try_eval(&awaited) != Ok(json!(true)) {
            let shown = || self.eval("document.body.innerText");
            assert!(
                start.elapsed() < PATIENCE,
                "never true: {expression}\nthe page shows: {}",
                shown()
            );
            sleep(Duration::from_millis(20));
        }
    }

    /// Waits until an element's text contains this.
    pub fn wait_text(&self, selector: &str, text: &str) {
        self.wait(&format!(
            "document.querySelector({}).textContent.includes({})",
            json!(selector),
            json!(text)
        ));
    }

    /// The legal moves of the position on the board are known.
    fn knows_moves(&self) {
        self.wait("document.querySelector('.grid').ariaBusy === 'false'");
    }

    /// The board is there and can be played on.
    pub fn is_ready(&self) {
        self.wait("document.querySelectorAll('.piece').length > 1");
        self.wait("document.querySelector('#rooms button')");
        self.wait("document.querySelector('#banner').hidden");
        self.knows_moves();
    }

    /// Loads the page anew; what is waited for after this is in the new one.
    pub fn reload(&self) {
        self.eval("window.isOld = true");
        self.call("Page.reload", json!({}));
        self.wait("!window.isOld");
    }

    /// The same, until the board can be played on.
    pub fn reload_until_ready(&self) {
        self.reload();
        self.is_ready();
    }

    /// What follows from the last change has been shown, beside the board too.
    pub fn settles(&self) {
        self.eval("new Promise((done) => requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(() => setTimeout(done)))))");
    }

    /// Holds every search back until `releaseSearches()` in the page, so that the engine thinks for as long as a test wants.
    /// `searches` there has what breaks each of them off.
    pub fn hold_searches(&self) {
        self.eval(
            "{
              const { fetch } = window;
              window.searches = [];
              const released = new Promise((release) => { window.releaseSearches = release; });
              window.fetch = async (path, request) => {
                const { signal } = request ?? {};
                if (path === '/api/search') {
                  searches.push(signal);
                  const brokenOff = new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
                  await Promise.race([released, brokenOff]);
                }
                return fetch(path, request);
              };
            }",
        );
    }

    pub fn size(&self, width: u32, height: u32) {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// The middle of the element that an expression finds, once it does and stands still; the page may make its elements anew,
    /// and a dialog that has just opened still grows.
    fn middle(&self, find: &str) -> (f64, f64) {
        let place = format!(
            "(() => {{ const e = {find}; if (!e) return null; e.scrollIntoView({{ block: 'nearest' }}); \
             const r = e.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; }})()"
        );
        self.wait(find);
        let start = Instant::now();
        let mut before = None;
        loop {
            let place = self.eval(&place);
            let now = place[0].as_f64().zip(place[1].as_f64());
            if let Some(now) = now.filter(|_| now == before) {
                return now;
            }
            before = now;
            assert!(start.elapsed() < PATIENCE, "{find} comes and goes");
            sleep(Duration::from_millis(20));
        }
    }

    fn mouse(&self, kind: &str, (x, y): (f64, f64), button: &str) {
        let down = match (kind, button) {
            ("mouseReleased", _) | (_, "none") => 0,
            (_, "right") => 2,
            _ => 1,
        };
        let params =
            json!({"type": kind, "x": x, "y": y, "button": button, "buttons": down, "clickCount": 1});
        self.call("Input.dispatchMouseEvent", params);
    }

    pub fn click(&self, selector: &str) {
        self.click_found(&format!("document.querySelector({})", json!(selector)));
    }

    /// Presses and lets go where an element is, whatever becomes of it in between.
    pub fn tap(&self, selector: &str) {
        let at = self.middle(&format!("document.querySelector({})", json!(selector)));
        self.mouse("mousePressed", at, "left");
        self.mouse("mouseReleased", at, "left");
    }

    /// Presses until what was found is what is pressed: on a busy machine the page may have moved it in between.
    fn click_found(&self, find: &str) {
        let missed = format!(
            "(() => {{ const e = {find}; return !e?.matches(':active') && (!e || e.matches('button, label')); }})()"
        );
        let start = Instant::now();
        loop {
            let at = self.middle(find);
            self.mouse("mousePressed", at, "left");
            if self.eval(&missed) != true {
                return self.mouse("mouseReleased", at, "left");
            }
            // let go elsewhere, so that nothing else is clicked
            self.mouse("mouseMoved", (0.0, 0.0), "left");
            self.mouse("mouseReleased", (0.0, 0.0), "left");
            assert!(start.elapsed() < PATIENCE, "{find} cannot be pressed");
        }
    }

    /// Clicks a square with the right button.
    pub fn click_right(&self, square: &str) {
        let at = self.middle(&Self::square(square));
        self.mouse("mousePressed", at, "right");
        self.mouse("mouseReleased", at, "right");
    }

    /// Clicks the button with this text, once it is there and can be pressed.
    pub fn press(&self, text: &str) {
        self.click_found(&format!(
            "[...document.querySelectorAll('button, .segmented label')].find((e) => e.textContent.trim() === {} && !e.disabled && e.offsetParent)",
            json!(text)
        ));
    }

    /// The expression that finds a square.
    pub fn square(square: &str) -> String {
        format!("document.querySelector('[data-square={square}]')")
    }

    /// Waits until a square is described like this, e.g. "white king".
    pub fn wait_square(&self, square: &str, what: &str) {
        let label = format!("{}.ariaLabel", Self::square(square));
        self.wait(&format!("{label}.includes({})", json!(what)));
    }

    pub fn drag(&self, from: &str, to: &str, button: &str) {
        self.knows_moves();
        self.drag_found(&Self::square(from), &Self::square(to), button, |_| {});
    }

    /// Drags from the middle of an element to that of another; `before_the_end` looks at the page before the button is
    /// let go.
    pub fn drag_found(&self, from: &str, to: &str, button: &str, before_the_end: impl Fn(&Page)) {
        let (start, end) = (self.middle(from), self.middle(to));
        self.mouse("mousePressed", start, button);
        for step in 1..=4 {
            let part = f64::from(step) / 4.0;
            let at = (
                start.0 + (end.0 - start.0) * part,
                start.1 + (end.1 - start.1) * part,
            );
            self.mouse("mouseMoved", at, button);
        }
        before_the_end(self);
        self.mouse("mouseReleased", end, button);
    }

    pub fn touch_drag(&self, from: &str, to: &str) {
        self.knows_moves();
        let (start, end) = (self.middle(&Self::square(from)), self.middle(&Self::square(to)));
        let touch = |kind: &str, points: Value| {
            self.call(
                "Input.dispatchTouchEvent",
                json!({"type": kind, "touchPoints": points}),
            );
        };
        touch("touchStart", json!([{"x": start.0, "y": start.1}]));
        touch(
            "touchMove",
            json!([{"x": (start.0 + end.0) / 2.0, "y": (start.1 + end.1) / 2.0}]),
        );
        touch("touchMove", json!([{"x": end.0, "y": end.1}]));
        touch("touchEnd", json!([]));
    }

    /// Taps an element with a finger.
    pub fn touch_tap(&self, selector: &str) {
        let (x, y) = self.middle(&format!("document.querySelector({})", json!(selector)));
        for (kind, points) in [("touchStart", json!([{"x": x, "y": y}])), ("touchEnd", json!([]))] {
            self.call(
                "Input.dispatchTouchEvent",
                json!({"type": kind, "touchPoints": points}),
            );
        }
    }

    pub fn click_square(&self, square: &str) {
        self.knows_moves();
        self.click_found(&Self::square(square));
    }

    /// Presses a key by its DOM name.
    pub fn key(&self, key: &str) {
        let text = match key {
            "Enter" => "\r",
            " " => " ",
            _ => "",
        };
        let code = match key {
            "Enter" => 13,
            " " => 32,
            "Tab" => 9,
            "Escape" => 27,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => 0,
        };
        let down = if text.is_empty() { "rawKeyDown" } else { "keyDown" };
        let params = |kind: &str| json!({"type": kind, "key": key, "code": key, "text": text, "windowsVirtualKeyCode": code});
        self.call("Input.dispatchKeyEvent", params(down));
        self.call(
            "Input.dispatchKeyEvent",
            json!({"type": "keyUp", "key": key, "code": key, "windowsVirtualKeyCode": code}),
        );
    }

    /// Presses keys one after the other wherever the keyboard is, as a person types.
    pub fn type_keys(&self, text: &str) {
        for letter in text.chars() {
            let key = letter.to_string();
            let params = |kind: &str| json!({"type": kind, "key": key, "text": if kind == "keyDown" { key.as_str() } else { "" }});
            self.call("Input.dispatchKeyEvent", params("keyDown"));
            self.call("Input.dispatchKeyEvent", params("keyUp"));
        }
    }

    /// Presses a key with modifiers: 1 is Alt, 2 Ctrl, 8 Shift.
    pub fn key_with(&self, key: &str, modifiers: u8) {
        for kind in ["rawKeyDown", "keyUp"] {
            let params = json!({"type": kind, "key": key, "modifiers": modifiers});
            self.call("Input.dispatchKeyEvent", params);
        }
    }

    /// Turns the wheel over a square; downwards is positive.
    pub fn wheel(&self, square: &str, turn: f64) {
        let (x, y) = self.middle(&Self::square(square));
        let params = json!({"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": turn});
        self.call("Input.dispatchMouseEvent", params);
    }

    /// Moves the pointer onto an element.
    pub fn hover(&self, selector: &str) {
        let at = self.middle(&format!("document.querySelector({})", json!(selector)));
        self.mouse("mouseMoved", at, "none");
    }

    /// Which part of an element's pixels is nearly of a colour, red, green and blue, as the browser draws it.
    pub fn share_of(&self, selector: &str, colour: [u8; 3]) -> f64 {
        let look = format!(
            "let near = 0;
             for (let i = 0; i < data.length; i += 4) if ({}.every((part, k) => Math.abs(part - data[i + k]) < 20)) near += 1;
             return near / (data.length / 4);",
            json!(colour)
        );
        self.pixels(selector, &look).as_f64().expect("a share")
    }

    /// The colour that most of an element's pixels have, red, green and blue.
    pub fn colour_of(&self, selector: &str) -> [i64; 3] {
        let found = self.pixels(
            selector,
            "const counts = new Map();
             for (let i = 0; i < data.length; i += 4) {
               const colour = data.slice(i, i + 3).join();
               counts.set(colour, (counts.get(colour) ?? 0) + 1);
             }
             return [...counts].sort((a, b) => b[1] - a[1])[0][0].split(',').map(Number);",
        );
        [0, 1, 2].map(|part| found[part].as_i64().expect("a colour"))
    }

    /// What a function of an element's pixels returns: `data` holds four bytes for each.
    fn pixels(&self, selector: &str, look: &str) -> Value {
        let rect = self.eval(&format!(
            "(() => {{ const r = document.querySelector({}).getBoundingClientRect(); \
             return {{ x: r.x, y: r.y, width: r.width, height: r.height, scale: 1 }}; }})()",
            json!(selector)
        ));
        let shot = self.call("Page.captureScreenshot", json!({"format": "png", "clip": rect}));
        self.eval(&format!(
            "(async () => {{
              const bytes = Uint8Array.from(atob({}), (sign) => sign.charCodeAt(0));
              const bitmap = await createImageBitmap(new Blob([bytes], {{ type: 'image/png' }}));
              const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
              canvas.drawImage(bitmap, 0, 0);
              const {{ data }} = canvas.getImageData(0, 0, bitmap.width, bitmap.height);
              {look}
            }})()",
            shot["data"]
        ))
    }

    /// Pastes a text onto the page, beside every field.
    pub fn paste(&self, text: &str) {
        self.eval(&format!(
            "(() => {{ const data = new DataTransfer(); data.setData('text/plain', {}); \
             document.body.dispatchEvent(new ClipboardEvent('paste', {{ clipboardData: data, bubbles: true }})); }})()",
            json!(text)
        ));
    }

    /// Chooses an option of a list that opens.
    pub fn choose(&self, key: &str, value: &str) {
        self.eval(&format!(
            "(() => {{ const e = document.querySelector('[data-key={key}]'); e.value = {}; e.dispatchEvent(new Event('change')); }})()",
            json!(value)
        ));
    }

    /// Chooses the language of the page.
    pub fn speak(&self, language: &str) {
        self.click("[data-key=settings]");
        self.wait("document.querySelector('dialog [data-key=language]')");
        self.choose("language", language);
        self.click("dialog[open] [data-key=close]");
        self.wait(&format!("document.documentElement.lang === '{language}'"));
    }

    /// Writes into an element as a person would who pastes.
    pub fn write(&self, selector: &str, text: &str) {
        self.wait(&format!("document.querySelector({})", json!(selector)));
        self.eval(&format!(
            "(() => {{ const e = document.querySelector({}); e.focus(); e.select?.(); }})()",
            json!(selector)
        ));
        self.call("Input.insertText", json!({"text": text}));
    }

    /// Reads a FEN or PGN through the dialog.
    pub fn read_text(&self, text: &str) {
        self.click("#tools button");
        self.write("#incoming", text);
        self.press("Open this text");
    }

    /// The PGN that the dialog offers to save.
    pub fn pgn(&self) -> String {
        self.click("#tools button");
        self.wait("document.querySelector('#outgoing').value");
        let text = self.eval("document.querySelector('#outgoing').value");
        self.click("#exchange [data-key=close]");
        text.as_str().expect("a text").to_string()
    }

    /// The moves in the list, with spaces between.
    pub fn moves(&self) -> String {
        let text =
            self.eval("[...document.querySelectorAll('#moves .move')].map((e) => e.textContent).join(' ')");
        text.as_str().expect("a text").to_string()
    }

    pub fn wait_moves(&self, moves: &str) {
        self.wait(&format!(
            "[...document.querySelectorAll('#moves .move')].map((e) => e.textContent).join(' ') === {}",
            json!(moves)
        ));
    }

    /// Begins a game of two people at one board.
    pub fn two_people(&self) {
        self.press("Two people");
        self.press("Start");
        self.wait_text("#play-below", "Resign");
    }

    /// What the page has asked of a call so far.
    pub fn asked(&self, call: &str) -> Vec<Value> {
        self.eval("0"); // hear what has been said until now
        let requests = self.browser.events(&self.session, &["Network.requestWillBeSent"]);
        let of_call = |params: &Value| {
            let url = params["request"]["url"].as_str();
            url.is_some_and(|url| url.ends_with(call))
        };
        let bodies = requests
            .into_iter()
            .filter(of_call)
            .filter_map(|params| serde_json::from_str(params["request"]["postData"].as_str()?).ok());
        bodies.collect()
    }

    /// Writes what the tab shows as a PNG.
    pub fn picture(&self, file: &Path) {
        let shot = self.call("Page.captureScreenshot", json!({"format": "png"}));
        let text = shot["data"].as_str().expect("a picture");
        let bytes = BASE64.decode(text.as_bytes()).expect("a picture in base 64");
        std::fs::write(file, bytes).expect("the picture is written");
    }

    /// Nothing went wrong that a developer would see in the console, and nothing was asked of anybody else.
    pub fn is_clean(&self, server: &Served) {
        self.no_exceptions();
        let logs = self
            .browser
            .events(&self.session, &["Log.entryAdded", "Runtime.consoleAPICalled"]);
        assert!(logs.is_empty(), "the console says {logs:?}");
        for request in self.browser.events(&self.session, &["Network.requestWillBeSent"]) {
            let url = request["request"]["url"].as_str().unwrap_or_default();
            let own = url.starts_with(&format!("{}/", server.origin()));
            assert!(own || url.starts_with("data:"), "a foreign request: {url}");
        }
    }

    pub fn no_exceptions(&self) {
        self.eval("0"); // hear what has been said until now
        let exceptions = self.browser.events(&self.session, &["Runtime.exceptionThrown"]);
        assert!(exceptions.is_empty(), "{exceptions:?}");
    }
}
