//! A session with a UCI client.
//!
//! It has three threads: one reads lines, one searches, and this one dispatches commands without ever blocking on work.
//! It owns the [`UciEngine`] while the engine is idle, sends it to the search thread with a task and gets it back with
//! the result, so that no lock is needed and no command can reach a busy engine.
//!
//! `isready`, `stop`, `ponderhit`, `quit` and `uci` are answered at once. During a search that has not been told to
//! stop, `go`, `d`, `eval` and `bench` are refused. Commands that change the engine (`position`, `setoption`,
//! `ucinewgame`) stop a running search; they and all later commands are executed after its `bestmove`, so that nothing
//! is lost when a client does not wait for it. Other tasks (`go perft`, `eval`, `bench`) run to their end, and later
//! commands wait.
//!
//! `bestmove` is printed by this thread once the engine is back, so that a client that answers it with another `go` at
//! once is not refused. At the end of the input a search without a limit is stopped; everything else finishes, so that
//! commands can be piped in.

use super::command::Command;
use super::complaint::complain;
use super::engine::UciEngine;
use super::input;
use super::input::InputLine;
use super::options::OPTIONS;
use super::task::{Event, Task, Work, work};
use crate::search::{Control, STACK};
use crate::support::terminal::say;
use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{self, BufReader};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// How many lines may wait before the reader blocks.
const QUEUE: usize = 1024;
/// How long `quit` waits for the last `bestmove`.
const FAREWELL: Duration = Duration::from_secs(1);

/// What the engine is doing.
enum State {
    Idle(Box<UciEngine>),
    Busy {
        control: Arc<Control>,
        is_search: bool,
        /// Only the client can end it.
        is_endless: bool,
    },
}

/// Why a session ended unexpectedly.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// A thread could not be started.
    #[error("cannot start a thread: {0}")]
    Thread(#[from] io::Error),
    /// The search thread ended unexpectedly, which is a bug.
    #[error("the search thread ended unexpectedly; this is a bug, please report the commands that led to it")]
    Lost,
}

/// A session.
pub(super) struct Session {
    state: State,
    events: Receiver<Event>,
    work: Sender<Work>,
    waiting: VecDeque<Command>,
    input_ended: bool,
    debug: bool,
}

impl Session {
    /// Starts the threads that read standard input and search.
    pub(super) fn start(engine: UciEngine) -> Result<Session, SessionError> {
        let (sender, events) = sync_channel(QUEUE);
        let (work_sender, work_receiver) = channel();
        let results = sender.clone();
        thread::Builder::new()
            .name("search".to_string())
            .stack_size(STACK)
            .spawn(move || work(work_receiver, results))?;
        thread::Builder::new()
            .name("input".to_string())
            .spawn(move || read(sender))?;
        Ok(Session {
            state: State::Idle(Box::new(engine)),
            events,
            work: work_sender,
            waiting: VecDeque::new(),
            input_ended: false,
            debug: false,
        })
    }

    /// Runs until the client quits or the input ends.
    pub(super) fn run(mut self) -> Result<(), SessionError> {
        loop {
            match self.events.recv().unwrap_or(Event::Lost) {
                Event::Line(InputLine::Text(line)) => match Command::parse(&line) {
                    Ok(Some(Command::Quit)) => return self.quit(),
                    Ok(Some(command)) => self.receive(command)?,
                    Ok(None) if self.debug && !line.trim().is_empty() => {
                        complain(format!("unknown command: {line}"))
                    }
                    Ok(None) => {}
                    Err(error) => complain(error),
                },
                Event::Line(InputLine::TooLong) => {
                    complain(format!("a line of more than {} bytes is ignored", input::LONGEST))
                }
                Event::End => {
                    self.input_ended = true;
                    self.stop_endless_search();
                }
                Event::Done(engine, last_line) => self.finish(engine, last_line)?,
                Event::Lost => return Err(SessionError::Lost),
            }
            if self.input_ended && matches!(self.state, State::Idle(_)) {
                return Ok(());
            }
        }
    }

    /// Executes a command, or queues it until the engine is idle.
    fn receive(&mut self, command: Command) -> Result<(), SessionError> {
        match command {
            Command::Uci => introduce(),
            Command::Debug(on) => self.debug = on,
            Command::IsReady => say("readyok"),
            #[cfg(feature = "tune")]
            Command::Spsa => super::tune::spsa().for_each(say),
            Command::Stop | Command::PonderHit => self.signal(command),
            command if matches!(self.state, State::Idle(_)) => self.execute(command)?,
            command if self.refuses(&command) => {
                complain("a search is running: stop it first");
            }
            command => {
                self.stop_search();
                self.waiting.push_back(command);
            }
        }
        Ok(())
    }

    /// Whether a command is refused because a search is running that has not been told to stop.
    fn refuses(&self, command: &Command) -> bool {
        let State::Busy {
            control,
            is_search: true,
            ..
        } = &self.state
        else {
            return false;
        };
        !control.stop.load(Relaxed) && !changes_the_engine(command)
    }

    /// Signals `stop` or `ponderhit` to the running task, and queues it if a `go` is waiting.
    fn signal(&mut self, command: Command) {
        if let State::Busy { control, .. } = &self.state {
            match command {
                Command::Stop => control.stop.store(true, Relaxed),
                _ => control.pondering.store(false, Relaxed),
            }
        }
        if self
            .waiting
            .iter()
            .any(|waiting| matches!(waiting, Command::Go(_)))
        {
            self.waiting.push_back(command);
        }
    }

    /// Executes a command that needs the engine, which must be idle.
    fn execute(&mut self, command: Command) -> Result<(), SessionError> {
        let State::Idle(engine) = &mut self.state else {
            return Ok(());
        };
        match command {
            Command::SetOption { name, value } => complain_of(engine.set_option(&name, &value)),
            Command::NewGame => engine.new_game(),
            Command::Position { fen, moves } => match engine.set_position(fen.as_deref(), &moves) {
                Ok(ignored) => ignored
                    .iter()
                    .for_each(|fault| complain(format_args!("{fault}; ignored"))),
                Err(error) => complain(error),
            },
            Command::Show => say(engine.show()),
            Command::Eval => return self.begin(Task::Eval),
            Command::Bench(depth) => return self.begin(Task::Bench(depth)),
            Command::Go(go) => {
                return self.begin(match go.perft {
                    Some(depth) => Task::Perft(depth),
                    None => Task::Search(go),
                });
            }
            Command::Uci
            | Command::Debug(_)
            | Command::IsReady
            | Command::Stop
            | Command::PonderHit
            | Command::Quit => {}
            #[cfg(feature = "tune")]
            Command::Spsa => {}
        }
        Ok(())
    }

    /// Sends the engine with a task to the search thread.
    fn begin(&mut self, task: Task) -> Result<(), SessionError> {
        let control = Arc::new(Control::default());
        let is_search = matches!(task, Task::Search(_));
        let is_endless = matches!(&task, Task::Search(go) if go.limits.is_endless());
        if let Task::Search(go) = &task {
            control.pondering.store(go.limits.ponder, Relaxed);
            control.stop.store(self.input_ended && is_endless, Relaxed);
        }
        let busy = State::Busy {
            control: control.clone(),
            is_search,
            is_endless,
        };
        if let State::Idle(engine) = std::mem::replace(&mut self.state, busy) {
            let work = Work {
                engine,
                task,
                control,
            };
            self.work.send(work).map_err(|_| SessionError::Lost)?;
        }
        Ok(())
    }

    /// Takes the engine back and executes the commands that waited.
    fn finish(&mut self, engine: Box<UciEngine>, last_line: Option<String>) -> Result<(), SessionError> {
        if let Some(line) = last_line {
            say(line);
        }
        self.state = State::Idle(engine);
        for command in std::mem::take(&mut self.waiting) {
            self.receive(command)?;
        }
        Ok(())
    }

    fn stop_search(&self) {
        if let State::Busy {
            control,
            is_search: true,
            ..
        } = &self.state
        {
            control.stop.store(true, Relaxed);
        }
    }

    fn stop_endless_search(&self) {
        if let State::Busy { is_endless: true, .. } = &self.state {
            self.stop_search();
        }
    }

    /// Stops the running task, and prints the `bestmove` of a search if it comes within [`FAREWELL`].
    fn quit(self) -> Result<(), SessionError> {
        let State::Busy { control, .. } = &self.state else {
            return Ok(());
        };
        control.stop.store(true, Relaxed);
        let deadline = Instant::now() + FAREWELL;
        while let Ok(event) = self
            .events
            .recv_timeout(deadline.saturating_duration_since(Instant::now()))
        {
            match event {
                Event::Done(_, last_line) => {
                    last_line.into_iter().for_each(say);
                    return Ok(());
                }
                Event::Lost => return Err(SessionError::Lost),
                Event::Line(_) | Event::End => {}
            }
        }
        Ok(())
    }
}

fn changes_the_engine(command: &Command) -> bool {
    matches!(
        command,
        Command::SetOption { .. } | Command::NewGame | Command::Position { .. }
    )
}

fn read(events: SyncSender<Event>) {
    let mut input = BufReader::new(io::stdin());
    while let Ok(Some(line)) = input::read_line(&mut input) {
        if events.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = events.send(Event::End);
}

fn introduce() {
    say(format!("id name Enroc {}", env!("CARGO_PKG_VERSION")));
    say("id author the Enroc developers");
    for option in OPTIONS {
        say(option);
    }
    #[cfg(feature = "tune")]
    super::tune::options().for_each(say);
    say("uciok");
}

fn complain_of<E: Display>(result: Result<(), E>) {
    if let Err(error) = result {
        complain(error);
    }
}
