//! A client that talks with the real program over its standard input and output.

// every test program that uses this file uses another part of it
#![allow(dead_code)]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// After this long without an answer the program hangs; no answer of a sound program comes near it, on any machine.
const HANGS: Duration = Duration::from_secs(120);

/// The running program.
pub struct Client {
    program: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Client {
    /// Starts the program without arguments.
    pub fn start() -> Client {
        Client::of(&mut Command::new(env!("CARGO_BIN_EXE_enroc")))
    }

    /// Starts a command that becomes the program.
    pub fn of(command: &mut Command) -> Client {
        let mut program = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let output = BufReader::new(program.stdout.take().expect("its output"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            output
                .lines()
                .map_while(Result::ok)
                .try_for_each(|line| sender.send(line))
        });
        Client {
            input: program.stdin.take(),
            program,
            lines,
        }
    }

    /// Memory of the program that is in use, in MiB.
    #[cfg(target_os = "linux")]
    pub fn resident(&self) -> u64 {
        self.status("VmRSS:") / 1024
    }

    /// The most memory that was in use so far, in MiB.
    #[cfg(target_os = "linux")]
    pub fn most_resident(&self) -> u64 {
        self.status("VmHWM:") / 1024
    }

    /// The program's address space, in KiB.
    #[cfg(target_os = "linux")]
    pub fn address_space(&self) -> u64 {
        self.status("VmSize:")
    }

    /// The program's threads.
    #[cfg(target_os = "linux")]
    pub fn threads(&self) -> u64 {
        self.status("Threads:")
    }

    #[cfg(target_os = "linux")]
    fn status(&self, name: &str) -> u64 {
        let path = format!("/proc/{}/status", self.program.id());
        let status = std::fs::read_to_string(path).expect("the program runs");
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        number.expect("a number")
    }

    /// Sends one line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input
            .write_all(bytes)
            .and_then(|()| input.flush())
            .expect("the program reads");
    }

    /// The lines up to and with the first that begins with this word.
    pub fn until(&mut self, word: &str) -> Vec<String> {
        let mut seen = Vec::new();
        loop {
            match self.lines.recv_timeout(HANGS) {
                Ok(line) => {
                    let found = line.split(' ').next() == Some(word);
                    seen.push(line);
                    if found {
                        return seen;
                    }
                }
                Err(RecvTimeoutError::Timeout) => panic!("no {word} after {seen:?}"),
                Err(RecvTimeoutError::Disconnected) => {
                    panic!("ended before {word}: {seen:?}\n{}", self.complaints())
                }
            }
        }
    }

    /// The lines before the answer to `isready`, sent after this command.
    pub fn answers(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.ready()
    }

    /// The lines before the answer to `isready`.
    pub fn ready(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Closes the input and gives the exit status and the lines that were left.
    pub fn hang_up(mut self) -> (ExitStatus, Vec<String>) {
        self.input = None;
        self.end()
    }

    /// Sends `quit` and gives the exit status and the lines that were left.
    pub fn quit(mut self) -> (ExitStatus, Vec<String>) {
        self.send("quit");
        self.end()
    }

    fn end(&mut self) -> (ExitStatus, Vec<String>) {
        let deadline = Instant::now() + HANGS;
        let status = loop {
            match self.program.try_wait().expect("a status") {
                Some(status) => break status,
                None if Instant::now() > deadline => panic!("the program does not end"),
                None => thread::sleep(Duration::from_millis(5)),
            }
        };
        (status, self.lines.iter().collect())
    }

    fn complaints(&mut self) -> String {
        let mut text = String::new();
        if let Some(errors) = &mut self.program.stderr {
            let _ = errors.read_to_string(&mut text);
        }
        text
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// Runs the program with arguments to its end.
pub fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_enroc"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the program runs")
}

/// The token after a word in an `info` line.
pub fn after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    line.split(' ').skip_while(|&token| token != word).nth(1)
}
