//! Asking an engine and waiting for its answers.

use super::answer::{Analysis, ScoredMove};
use super::error::ClientError;
use super::listen::{Heard, listen, read_analysis, read_answer, read_static};
use super::process::{spawn, wait};
use super::settings::{Effort, EngineSettings};
use crate::board::{Move, Position};
use std::collections::VecDeque;
use std::fmt;
use std::io::Write;
use std::process::{Child, ChildStdin};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Questions that may be unanswered at once. With at most 200 bytes each they fit into the 64 KiB of a pipe, so that
/// writing them never blocks, even when the engine hangs.
pub const MOST_AHEAD: usize = 256;

/// How long an engine may take to quit when asked to.
const QUIT_PATIENCE: Duration = Duration::from_millis(500);

/// What an engine was asked about a position.
#[derive(Clone, Copy)]
enum Question {
    /// To search it.
    Search(Effort),
    /// For its static evaluation.
    Static,
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Question::Search(effort) => write!(f, "go {effort}"),
            Question::Static => write!(f, "eval"),
        }
    }
}

/// A running engine. When this value is dropped the engine is told to quit, and killed if it does not.
pub struct UciClient {
    program: String,
    name: String,
    child: Child,
    input: ChildStdin,
    heard: Receiver<Heard>,
    patience: Duration,
    chess960: bool,
    /// Best lines that it was told to find.
    lines: usize,
    asked: VecDeque<(Position, Question)>,
}

impl UciClient {
    /// Starts an engine and sets its options.
    ///
    /// # Errors
    /// [`ClientError`] if there is none, or if it does not speak UCI.
    pub fn start(settings: &EngineSettings) -> Result<UciClient, ClientError> {
        let program = settings.program.clone();
        let mut child = spawn(&program)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            unreachable!("both ends were asked to be pipes");
        };
        let (sender, heard) = sync_channel(4 * MOST_AHEAD);
        thread::spawn(move || listen(output, &sender));
        let mut engine = UciClient {
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
    /// [`ClientError::Died`] if the engine has ended.
    ///
    /// # Panics
    /// With more than [`MOST_AHEAD`] questions at once.
    pub fn ask(&mut self, position: &Position, effort: Effort) -> Result<(), ClientError> {
        self.ask_in_game(position, effort, position, &[])
    }

    /// Asks for the static evaluation of a position without waiting; otherwise as [`UciClient::ask`]. Not every engine has
    /// an answer: Stockfish has since version 12.
    ///
    /// # Errors
    /// As [`UciClient::ask`].
    ///
    /// # Panics
    /// As [`UciClient::ask`].
    pub fn ask_static(&mut self, position: &Position) -> Result<(), ClientError> {
        self.send(position, Question::Static, position, &[])
    }

    /// The same in a game, which began with `start` and these moves, so that the engine knows what would repeat.
    ///
    /// # Errors
    /// As [`UciClient::ask`].
    ///
    /// # Panics
    /// As [`UciClient::ask`].
    pub fn ask_in_game(
        &mut self,
        position: &Position,
        effort: Effort,
        start: &Position,
        moves: &[Move],
    ) -> Result<(), ClientError> {
        self.send(position, Question::Search(effort), start, moves)
    }

    fn send(
        &mut self,
        position: &Position,
        question: Question,
        start: &Position,
        moves: &[Move],
    ) -> Result<(), ClientError> {
        assert!(self.asked.len() < MOST_AHEAD, "too many questions at once");
        let mut text = String::with_capacity(160);
        let chess960 = start.needs_chess960() || position.needs_chess960();
        if chess960 != self.chess960 {
            text.push_str(&format!("setoption name UCI_Chess960 value {chess960}\n"));
            self.chess960 = chess960;
        }
        text.push_str(&format!("position fen {}", start.to_fen(chess960)));
        if !moves.is_empty() {
            text.push_str(" moves");
        }
        for m in moves {
            text.push(' ');
            text.push_str(&m.to_uci(chess960));
        }
        text.push_str(&format!("\n{question}"));
        self.asked.push_back((*position, question));
        self.tell(&text)
    }

    /// Waits for the answer to the oldest question.
    ///
    /// # Errors
    /// [`ClientError::Silent`], [`ClientError::Died`] or [`ClientError::Nonsense`]; the engine is then of no more use.
    ///
    /// # Panics
    /// If nothing was asked.
    pub fn answer(&mut self) -> Result<ScoredMove, ClientError> {
        let (position, question) = self.asked.pop_front().expect("nothing was asked");
        let asked = || format!("{question} for {}", position.to_fen(false));
        let deadline = Instant::now() + self.patience;
        loop {
            if let Heard::Best { lines, best } = self.hear(deadline, asked)? {
                let info = lines.first().map_or("", String::as_str);
                return read_answer(&position, info, &best).ok_or_else(|| self.nonsense(info, &best));
            }
        }
    }

    /// Waits for the answer to the oldest question, which was for a static evaluation: centipawns for White, or `None`
    /// where the engine has none.
    ///
    /// # Errors
    /// [`ClientError::Silent`] or [`ClientError::Died`]; the engine is then of no more use.
    ///
    /// # Panics
    /// If nothing was asked.
    pub fn static_answer(&mut self) -> Result<Option<i32>, ClientError> {
        let (position, question) = self.asked.pop_front().expect("nothing was asked");
        let asked = || format!("{question} for {}", position.to_fen(false));
        let deadline = Instant::now() + self.patience;
        loop {
            if let Heard::Static(line) = self.hear(deadline, asked)? {
                return Ok(read_static(&line));
            }
        }
    }

    /// Searches a position, which must have a legal move, as if it were the first that the engine sees, and tells
    /// the best `lines` lines; only the moves in `only` are searched, all of them when it is empty.
    ///
    /// # Errors
    /// As [`UciClient::answer`].
    ///
    /// # Panics
    /// If questions of [`UciClient::ask`] are waiting.
    pub fn analyse(
        &mut self,
        position: &Position,
        effort: Effort,
        lines: usize,
        only: &[Move],
    ) -> Result<Analysis, ClientError> {
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
        self.begin_game()?;
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

    /// Tells the engine that the next position is of another game.
    ///
    /// # Errors
    /// [`ClientError::Silent`] or [`ClientError::Died`]; the engine is then of no more use.
    pub fn begin_game(&mut self) -> Result<(), ClientError> {
        self.tell("ucinewgame\nisready")?;
        self.wait_for("readyok", "isready")
    }

    fn nonsense(&self, info: &str, best: &str) -> ClientError {
        ClientError::Nonsense {
            program: self.program.clone(),
            text: format!("{} … {}", info.trim(), best.trim()),
        }
    }

    fn tell(&mut self, text: &str) -> Result<(), ClientError> {
        // one call, for each is a message to another process
        let line = format!("{text}\n");
        let written = self.input.write_all(line.as_bytes());
        written.map_err(|_| self.died())
    }

    fn wait_for(&mut self, word: &str, question: &str) -> Result<(), ClientError> {
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

    fn hear(&mut self, deadline: Instant, question: impl Fn() -> String) -> Result<Heard, ClientError> {
        let left = deadline.saturating_duration_since(Instant::now());
        // an engine that never stops talking must not count as one that answers
        let heard = if left.is_zero() {
            Err(RecvTimeoutError::Timeout)
        } else {
            self.heard.recv_timeout(left)
        };
        heard.map_err(|error| match error {
            RecvTimeoutError::Disconnected => self.died(),
            RecvTimeoutError::Timeout => ClientError::Silent {
                program: self.program.clone(),
                question: question(),
                seconds: self.patience.as_secs_f32(),
            },
        })
    }

    fn died(&mut self) -> ClientError {
        let status = wait(&mut self.child, QUIT_PATIENCE)
            .map_or("its output is closed".to_string(), |s| s.to_string());
        ClientError::Died {
            program: self.program.clone(),
            status,
        }
    }
}

impl Drop for UciClient {
    fn drop(&mut self) {
        let asked = writeln!(self.input, "quit").and_then(|()| self.input.flush());
        if asked.is_err() || wait(&mut self.child, QUIT_PATIENCE).is_none() {
            // it may be gone already, which is as good
            let _ = self.child.kill();
            let _ = self.child.wait();
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
        let error = UciClient::start(&settings).err().unwrap();
        assert!(matches!(error, ClientError::Missing(_)));
        assert!(error.to_string().contains("install Stockfish"));
    }
}
