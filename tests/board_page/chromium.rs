//! A headless Chromium, spoken to over the DevTools protocol: one socket, one call at a time.

use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tempfile::TempDir;
use tungstenite::{Message, WebSocket, client};

/// Names by which Chromium is installed.
const NAMES: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

/// Set where tests must fail without a browser.
const REQUIRED: &str = "ENROC_NEEDS_BROWSER";

/// One browser at a time: several would make each other late.
static TURN: Mutex<()> = Mutex::new(());

/// A running browser with a profile of its own.
pub struct Chromium {
    process: Child,
    socket: RefCell<WebSocket<TcpStream>>,
    last_id: Cell<u64>,
    events: RefCell<Vec<Value>>,
    _profile: TempDir,
    _turn: MutexGuard<'static, ()>,
}

impl Chromium {
    /// Starts the browser; none where it is not installed.
    pub fn start() -> Option<Rc<Self>> {
        Self::start_with(&json!({}))
    }

    /// Starts it with these preferences in its profile.
    pub fn start_with(preferences: &Value) -> Option<Rc<Self>> {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let profile = TempDir::new().expect("a folder for the profile");
        let own = profile.path().join("Default");
        std::fs::create_dir(&own).expect("a profile");
        std::fs::write(own.join("Preferences"), preferences.to_string()).expect("preferences");
        let Some(mut process) = NAMES.iter().find_map(|name| spawn(name, &profile)) else {
            tell_that_nothing_is_tested();
            return None;
        };
        let address = listening_address(&mut process);
        let host = address
            .trim_start_matches("ws://")
            .split('/')
            .next()
            .unwrap_or_default();
        let stream = TcpStream::connect(host).expect("a connection to Chromium");
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .expect("a time limit");
        let (socket, _) = client(address.as_str(), stream).expect("a DevTools session");
        Some(Rc::new(Self {
            process,
            socket: RefCell::new(socket),
            last_id: Cell::new(0),
            events: RefCell::default(),
            _profile: profile,
            _turn: turn,
        }))
    }

    /// Calls a DevTools method, in a tab if `session` names one, and waits for its result.
    pub fn call(&self, session: Option<&str>, method: &str, params: Value) -> Value {
        let result = self.try_call(session, method, params);
        result.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// The same, where the browser may refuse it.
    pub fn try_call(&self, session: Option<&str>, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.last_id.get() + 1;
        self.last_id.set(id);
        let mut question = json!({"id": id, "method": method, "params": params});
        if let Some(session) = session {
            question["sessionId"] = json!(session);
        }
        let mut socket = self.socket.borrow_mut();
        socket
            .send(Message::text(question.to_string()))
            .expect("Chromium listens");
        loop {
            let message = socket.read().expect("an answer of Chromium within a minute");
            let Message::Text(text) = message else { continue };
            let answer: Value = serde_json::from_str(&text).expect("DevTools sends JSON");
            if answer["id"] == id {
                return match answer.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(answer["result"].clone()),
                };
            }
            self.events.borrow_mut().push(answer);
        }
    }

    /// The events of a tab so far with one of these names.
    pub fn events(&self, session: &str, names: &[&str]) -> Vec<Value> {
        let events = self.events.borrow();
        let wanted = |event: &&Value| {
            event["sessionId"] == session && names.iter().any(|&name| event["method"] == name)
        };
        events
            .iter()
            .filter(wanted)
            .map(|event| event["params"].clone())
            .collect()
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // it may have ended by itself
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Without a browser a test has shown nothing: that must not look like success. Where one has to be there, as in CI, it is
/// a failure.
fn tell_that_nothing_is_tested() {
    let names = NAMES.join(", ");
    assert!(
        std::env::var_os(REQUIRED).is_none(),
        "no browser is installed ({names}), and {REQUIRED} asks for one"
    );
    // written past the test harness, which shows what a test prints only if it fails
    let current = std::thread::current();
    let test = current.name().unwrap_or("a test");
    let warning = format!("\nNOT TESTED: {test} needs a browser, and none of {names} is installed\n");
    let _ = std::io::stderr().write_all(warning.as_bytes());
}

fn spawn(name: &str, profile: &TempDir) -> Option<Child> {
    Command::new(name)
        .args(["--headless=new", "--no-sandbox", "--remote-debugging-port=0"])
        .args([
            "--no-first-run",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--lang=en-GB",
            "--accept-lang=en-GB",
        ])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg("about:blank")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .ok()
}

/// Chromium prints where it listens among other lines; the rest of them is read and dropped.
fn listening_address(process: &mut Child) -> String {
    let mut lines = BufReader::new(process.stderr.take().expect("its errors are piped")).lines();
    let address = lines
        .by_ref()
        .map_while(Result::ok)
        .find_map(|line| {
            line.split_once("DevTools listening on ")
                .map(|(_, address)| address.to_string())
        })
        .expect("Chromium says where it listens");
    std::thread::spawn(move || lines.for_each(drop));
    address
}
