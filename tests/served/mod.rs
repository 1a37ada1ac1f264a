//! A running `enroc board`, and calls to it over real connections.

// every test program that uses this file uses another part of it
#![allow(dead_code)]

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// After this long without an answer the server hangs; no answer of a sound server comes near it, on any machine.
pub const HANGS: Duration = Duration::from_secs(120);

/// Arguments for a server that has no Stockfish, whatever is installed.
pub const WITHOUT_STOCKFISH: [&str; 2] = ["--stockfish", "no-such-engine-anywhere"];

/// A server of its own, which ends with this value.
pub struct Served {
    program: Child,
    pub port: u16,
    pub token: String,
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Served {
    /// Starts the board on a free port, without Stockfish.
    pub fn start() -> Served {
        Served::start_with(&WITHOUT_STOCKFISH)
    }

    /// Starts it on a free port.
    pub fn start_with(arguments: &[&str]) -> Served {
        Served::start_on(0, arguments)
    }

    /// Starts it on this port; 0 takes one that is free.
    pub fn start_on(port: u16, arguments: &[&str]) -> Served {
        let mut program = Command::new(env!("CARGO_BIN_EXE_enroc"))
            .args(["board", "--no-open", "--port", &port.to_string()])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let output = BufReader::new(program.stdout.take().expect("its output"));
        let address = output
            .lines()
            .map_while(Result::ok)
            .find(|line| line.starts_with("http://"))
            .expect("an address");
        let rest = address
            .strip_prefix("http://127.0.0.1:")
            .expect("the loopback interface");
        let (port, token) = rest.split_once("/#token=").expect("a token");
        Served {
            program,
            port: port.parse().expect("a port"),
            token: token.to_string(),
        }
    }

    pub fn id(&self) -> u32 {
        self.program.id()
    }

    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The address of the page without its token.
    pub fn origin(&self) -> String {
        format!("http://{}", self.host())
    }

    /// The address to open.
    pub fn address(&self) -> String {
        format!("{}/#token={}", self.origin(), self.token)
    }

    /// A connection on which nothing waits for ever.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        stream.set_read_timeout(Some(HANGS)).expect("a time limit");
        stream.set_write_timeout(Some(HANGS)).expect("a time limit");
        stream
    }

    /// Sends bytes as they are and reads the answer to its end.
    pub fn send(&self, request: &[u8]) -> Answer {
        let mut stream = self.connect();
        // the server may have answered before it has read everything
        let _ = stream.write_all(request);
        Answer::read(stream)
    }

    /// The headers of a sound call of a session.
    pub fn headers(&self, session: u64) -> String {
        format!(
            "Host: {}\r\nAuthorization: Bearer {}\r\nX-Board-Session: {session:016x}\r\nContent-Type: application/json\r\n",
            self.host(),
            self.token
        )
    }

    /// A sound request with these headers beside its length.
    pub fn request(method: &str, path: &str, headers: &str, body: &str) -> Vec<u8> {
        let length = body.len();
        format!(
            "{method} {path} HTTP/1.1\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
        .into_bytes()
    }

    pub fn get(&self, path: &str) -> Answer {
        let headers = format!("Host: {}\r\n", self.host());
        self.send(&Served::request("GET", path, &headers, ""))
    }

    /// A call of a session.
    pub fn call(&self, session: u64, path: &str, question: &Value) -> Answer {
        // the answer comes on a connection that stays whole until then
        let mut stream = self.connect();
        let request = Served::request("POST", path, &self.headers(session), &question.to_string());
        stream.write_all(&request).expect("the server reads");
        Answer::read(stream)
    }

    /// A call that is answered well.
    pub fn ask(&self, path: &str, question: &Value) -> Value {
        let answer = self.call(1, path, question);
        assert_eq!(answer.status, 200, "{path} {question}: {answer:?}");
        answer.json()
    }

    /// A call that is refused: its status and the fault.
    pub fn fault(&self, path: &str, question: &Value) -> (u16, Value) {
        let answer = self.call(1, path, question);
        assert!(answer.status >= 400, "{path} {question}: {answer:?}");
        (answer.status, answer.json()["error"].clone())
    }

    /// Begins a stream of events.
    pub fn stream(&self, session: u64, path: &str, question: &Value) -> Events {
        let mut stream = self.connect();
        let request = Served::request("POST", path, &self.headers(session), &question.to_string());
        stream.write_all(&request).expect("the server reads");
        Events(BufReader::new(stream))
    }

    /// Interrupts the server as Ctrl-C does, and waits until it ends.
    pub fn interrupt(mut self) -> ExitStatus {
        let signal = Command::new("kill")
            .args(["-INT", &self.id().to_string()])
            .status();
        assert!(signal.is_ok_and(|status| status.success()));
        let deadline = Instant::now() + HANGS;
        loop {
            match self.program.try_wait().expect("a status") {
                Some(status) => return status,
                None if Instant::now() > deadline => panic!("the server does not end"),
                None => thread::sleep(Duration::from_millis(5)),
            }
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

impl Answer {
    fn read(mut stream: TcpStream) -> Answer {
        let mut bytes = Vec::new();
        // what came before the connection was cut off counts
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        Answer {
            status: status.unwrap_or(0),
            head: head.to_lowercase(),
            body: body.to_string(),
        }
    }

    pub fn json(&self) -> Value {
        assert!(
            self.head.contains("\r\ncontent-type: application/json\r\n"),
            "{self:?}"
        );
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The code of a refusal.
    pub fn code(&self) -> String {
        self.json()["error"]["code"]
            .as_str()
            .unwrap_or_default()
            .to_string()
    }
}

/// A stream of server-sent events; dropped, its connection closes.
pub struct Events(BufReader<TcpStream>);

impl Iterator for Events {
    type Item = (String, Value);

    /// The next event, with its data.
    fn next(&mut self) -> Option<(String, Value)> {
        let mut name = None;
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).unwrap_or(0) == 0 {
                return None;
            }
            let line = line.trim_end();
            if let Some(event) = line.strip_prefix("event: ") {
                name = Some(event.to_string());
            }
            if let (Some(data), Some(name)) = (line.strip_prefix("data: "), &name) {
                return Some((name.clone(), serde_json::from_str(data).expect("JSON")));
            }
        }
    }
}

impl Events {
    /// The next event of this name.
    pub fn until(&mut self, name: &str) -> Value {
        let found = self.find(|event| event.0 == name);
        found
            .unwrap_or_else(|| panic!("the stream ends without {name}"))
            .1
    }
}

/// A search from the start of a game that nothing ends.
pub fn endless() -> Value {
    json!({ "state": {}, "player": { "net": "mlp", "mode": "search" }, "limit": { "infinite": true } })
}
