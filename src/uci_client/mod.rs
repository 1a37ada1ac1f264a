//! Talking to another UCI engine, Stockfish above all: starting it, asking for positions, hearing its answers.
//!
//! Nothing else in the crate starts processes, and nothing here waits without a time limit. Questions may be sent
//! ahead: the engine answers them in their order.

mod listen;

use crate::board::{Move, Position};
use listen::{Heard, listen, read_analysis, read_answer};
use std::collections::VecDeque;
use std::io::Write;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};
use thiserror::Error;

/// Questions that may be unanswered at once. With at most 200 bytes each they fit into the 64 KiB of a pipe, so that
/// writing them never blocks, even when the engine hangs.
pub const MOST_AHEAD: usize = 256;

/// How long an engine may take to leave when asked to.
const FAREWELL: Duration = Duration::from_millis(500);

/// Where Debian installs chess engines; not on every user's PATH.
const DEBIAN_GAMES: &str = "/usr/games";

/// Why an engine is of no use, or no longer.
#[derive(Debug, Error)]
pub enum EngineError {
    /// There is no such program.
    #[error(
        "there is no engine '{0}': install Stockfish (on Debian: apt install stockfish) or name another UCI engine"
    )]
    Missing(String),
    /// The program does not start.
    #[error("cannot start the engine '{program}': {source}")]
    Start {
        /// Its name or path.
        program: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// It did not answer in time.
    #[error("the engine '{program}' has not answered '{question}' within {seconds} s")]
    Silent {
        /// Its name or path.
        program: String,
        /// What it was asked.
        question: String,
        /// How long it had.
        seconds: f32,
    },
    /// It ended by itself.
    #[error("the engine '{program}' ended by itself ({status})")]
    Died {
        /// Its name or path.
        program: String,
        /// How, if the system tells.
        status: String,
    },
    /// It said something that is no answer.
    #[error("the engine '{program}' answered nonsense: '{text}'")]
    Nonsense {
        /// Its name or path.
        program: String,
        /// What it said.
        text: String,
    },
}

/// Which engine, and how it is set up.
#[derive(Clone, Debug)]
pub struct EngineSettings {
    /// A path, or a name to look for on the PATH.
    pub program: String,
    /// UCI options to set, by name.
    pub options: Vec<(String, String)>,
    /// How long any one answer may take.
    pub patience: Duration,
}

impl Default for EngineSettings {
    /// `stockfish` with one thread and 16 MiB of hash, half a minute an answer.
    fn default() -> EngineSettings {
        let option = |name: &str, value: &str| (name.to_string(), value.to_string());
        EngineSettings {
            program: "stockfish".to_string(),
            options: vec![option("Threads", "1"), option("Hash", "16")],
            patience: Duration::from_secs(30),
        }
    }
}

impl EngineSettings {
    /// The options that are not [`EngineSettings::default`]'s, as a part of the engine's name: ` Contempt=0 Hash=64`,
    /// or nothing.
    pub fn beyond_default(&self) -> String {
        let default = EngineSettings::default().options;
        let mut own: Vec<String> = self
            .options
            .iter()
            .filter(|option| !default.contains(option))
            .map(|(name, value)| format!(" {name}={value}"))
            .collect();
        own.sort();
        own.concat()
    }
}

/// How much work goes into one answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// `go depth`
    Depth(u32),
    /// `go nodes`
    Nodes(u64),
    /// `go movetime`
    Time(Duration),
}

impl std::fmt::Display for Effort {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Effort::Depth(plies) => write!(f, "depth {plies}"),
            Effort::Nodes(nodes) => write!(f, "nodes {nodes}"),
            Effort::Time(time) => write!(f, "movetime {}", time.as_millis()),
        }
    }
}

/// A score as UCI gives it, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UciScore {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in so many moves; negative when the side to move is mated.
    Mate(i32),
}

/// What an engine thinks of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The last score that it gave.
    pub score: UciScore,
    /// Its move.
    pub best: Move,
}

/// What an engine thinks of a position in more than one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// Its move.
    pub best: Move,
    /// The first moves of its lines, best first, each with the last score that it gave.
    pub lines: Vec<(Move, UciScore)>,
    /// Positions searched, by its own count; 0 if it does not say.
    pub nodes: u64,
}

/// A running engine. It is told to quit, and killed if it does not, when this value goes.
pub struct Engine {
    program: String,
    name: String,
    child: Child,
    input: ChildStdin,
    heard: Receiver<Heard>,
    patience: Duration,
    chess960: bool,
    /// Best lines that it was told to find.
    lines: usize,
    asked: VecDeque<(Position, Effort)>,
}

impl Engine {
    /// Starts an engine and sets its options.
    ///
    /// # Errors
    /// [`EngineError`] if there is none, or if it does not speak UCI.
    pub fn start(settings: &EngineSettings) -> Result<Engine, EngineError> {
        let program = settings.program.clone();
        let mut child = spawn(&program)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            unreachable!("both ends were asked to be pipes");
        };
        let (sender, heard) = sync_channel(4 * MOST_AHEAD);
        thread::spawn(move || listen(output, &sender));
        let mut engine = Engine {
            name: program.clone(),
            program,
            child,
            input,
            heard,
            patience: settings.patience,
            chess960: false,
            lines: 1,
            asked: VecDeque::new(),
        };
        engine.tell("uci")?;
        engine.wait_for("uciok", "uci")?;
        for (name, value) in &settings.options {
            engine.tell(&format!("setoption name {name} value {value}"))?;
        }
        engine.tell("ucinewgame\nisready")?;
        engine.wait_for("readyok", "isready")?;
        Ok(engine)
    }

    /// The name that the engine gives itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Asks for a position, which must have a legal move, without waiting; at most [`MOST_AHEAD`] at once.
    ///
    /// # Errors
    /// [`EngineError::Died`] if nobody listens.
    ///
    /// # Panics
    /// With more than [`MOST_AHEAD`] questions at once.
    pub fn ask(&mut self, position: &Position, effort: Effort) -> Result<(), EngineError> {
        assert!(self.asked.len() < MOST_AHEAD, "too many questions at once");
        let mut text = String::with_capacity(160);
        let chess960 = position.needs_chess960();
        if chess960 != self.chess960 {
            text.push_str(&format!("setoption name UCI_Chess960 value {chess960}\n"));
            self.chess960 = chess960;
        }
        text.push_str(&format!(
            "position fen {}\ngo {effort}",
            position.to_fen(chess960)
        ));
        self.asked.push_back((*position, effort));
        self.tell(&text)
    }

    /// Waits for the answer to the oldest question.
    ///
    /// # Errors
    /// [`EngineError::Silent`], [`EngineError::Died`] or [`EngineError::Nonsense`]; the engine is then of no more use.
    ///
    /// # Panics
    /// If nothing was asked.
    pub fn answer(&mut self) -> Result<Answer, EngineError> {
        let (position, effort) = self.asked.pop_front().expect("nothing was asked");
        let question = || format!("go {effort} for {}", position.to_fen(false));
        let deadline = Instant::now() + self.patience;
        loop {
            if let Heard::Best { lines, best } = self.hear(deadline, question)? {
                let info = lines.first().map_or("", String::as_str);
                return read_answer(&position, info, &best).ok_or_else(|| self.nonsense(info, &best));
            }
        }
    }

    /// Searches a position, which must have a legal move, as if it were the first that the engine sees, and tells
    /// the best `lines` lines; only the moves in `only` are searched, all of them when it is empty.
    ///
    /// # Errors
    /// As [`Engine::answer`].
    ///
    /// # Panics
    /// If questions of [`Engine::ask`] are waiting.
    pub fn analyse(
        &mut self,
        position: &Position,
        effort: Effort,
        lines: usize,
        only: &[Move],
    ) -> Result<Analysis, EngineError> {
        assert!(self.asked.is_empty(), "questions are waiting");
        let chess960 = position.needs_chess960();
        if chess960 != self.chess960 {
            self.tell(&format!("setoption name UCI_Chess960 value {chess960}"))?;
            self.chess960 = chess960;
        }
        if lines != self.lines {
            self.tell(&format!("setoption name MultiPV value {lines}"))?;
            self.lines = lines;
        }
        self.tell("ucinewgame\nisready")?;
        self.wait_for("readyok", "isready")?;
        let fen = position.to_fen(chess960);
        let mut question = format!("go {effort}");
        if !only.is_empty() {
            let moves: Vec<String> = only.iter().map(|m| m.to_uci(chess960)).collect();
            question.push_str(&format!(" searchmoves {}", moves.join(" ")));
        }
        self.tell(&format!("position fen {fen}\n{question}"))?;
        let deadline = Instant::now() + self.patience;
        loop {
            if let Heard::Best { lines, best } = self.hear(deadline, || format!("{question} for {fen}"))? {
                return read_analysis(position, &lines, &best)
                    .ok_or_else(|| self.nonsense(lines.last().map_or("", String::as_str), &best));
            }
        }
    }

    fn nonsense(&self, info: &str, best: &str) -> EngineError {
        EngineError::Nonsense {
            program: self.program.clone(),
            text: format!("{} … {}", info.trim(), best.trim()),
        }
    }

    fn tell(&mut self, text: &str) -> Result<(), EngineError> {
        // one call, for each is a message to another process
        let line = format!("{text}\n");
        let written = self.input.write_all(line.as_bytes());
        written.map_err(|_| self.died())
    }

    fn wait_for(&mut self, word: &str, question: &str) -> Result<(), EngineError> {
        let deadline = Instant::now() + self.patience;
        loop {
            if let Heard::Line(line) = self.hear(deadline, || question.to_string())? {
                if line.trim() == word {
                    return Ok(());
                }
                if let Some(name) = line.trim().strip_prefix("id name ") {
                    self.name = name.to_string();
                }
            }
        }
    }

    fn hear(&mut self, deadline: Instant, question: impl Fn() -> String) -> Result<Heard, EngineError> {
        let left = deadline.saturating_duration_since(Instant::now());
        // an engine that never stops talking must not count as one that answers
        let heard = if left.is_zero() {
            Err(RecvTimeoutError::Timeout)
        } else {
            self.heard.recv_timeout(left)
        };
        heard.map_err(|error| match error {
            RecvTimeoutError::Disconnected => self.died(),
            RecvTimeoutError::Timeout => EngineError::Silent {
                program: self.program.clone(),
                question: question(),
                seconds: self.patience.as_secs_f32(),
            },
        })
    }

    fn died(&mut self) -> EngineError {
        let status =
            wait(&mut self.child, FAREWELL).map_or("its output is closed".to_string(), |s| s.to_string());
        EngineError::Died {
            program: self.program.clone(),
            status,
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let asked = writeln!(self.input, "quit").and_then(|()| self.input.flush());
        if asked.is_err() || wait(&mut self.child, FAREWELL).is_none() {
            // it may be gone already, which is as good
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

fn spawn(program: &str) -> Result<Child, EngineError> {
    let start = |path: &Path| {
        Command::new(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
    };
    let path = Path::new(program);
    let missing = |error: &std::io::Error| error.kind() == std::io::ErrorKind::NotFound;
    let plain_name = path.components().count() == 1;
    match start(path) {
        Err(error) if missing(&error) && plain_name => start(&Path::new(DEBIAN_GAMES).join(program)),
        other => other,
    }
    .map_err(|source| {
        let program = program.to_string();
        if missing(&source) {
            EngineError::Missing(program)
        } else {
            EngineError::Start { program, source }
        }
    })
}

/// Waits for a process to end.
fn wait(child: &mut Child, patience: Duration) -> Option<std::process::ExitStatus> {
    let deadline = Instant::now() + patience;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_engine_says_what_to_do() {
        let settings = EngineSettings {
            program: "no-such-engine-anywhere".to_string(),
            ..EngineSettings::default()
        };
        let error = Engine::start(&settings).err().unwrap();
        assert!(matches!(error, EngineError::Missing(_)));
        assert!(error.to_string().contains("install Stockfish"));
    }
}
