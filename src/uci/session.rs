//! A session with a UCI client.
//!
//! It has three threads: one reads lines, one searches, and this one dispatches commands without ever blocking on work.
//! It owns the [`UciEngine`] while the engine is idle, sends it to the search thread with a task and gets it back with
//! the result, so that no lock is needed and no command can reach a busy engine.
//!
//! `isready`, `stop`, `ponderhit`, `quit` and `uci` are answered at once; only where commands wait for a task that ends in
//! a moment (`eval`, a search that was stopped) `isready` is answered after them. What needs the engine waits for a task that ends
//! by itself (`eval`, `explain`, perft, `bench`, a search with a limit), so that commands can be piped in one after
//! another. A search that only the client can end (`go infinite`, a ponder search) is stopped by the commands that change
//! the engine (`position`, `setoption`, `ucinewgame`), which are executed after its `bestmove`; `go`, `d`, `eval`,
//! `explain` and `bench` are refused meanwhile.
//!
//! `bestmove` is printed by this thread once the engine is back, so that a client that answers it with another `go` at
//! once is not refused. At the end of the input a search without a limit is stopped; everything else gets [`PATIENCE`],
//! because a client that died must not leave a busy process behind. When nobody reads the answers any more, all stops at
//! once.

use super::command::Command;
use super::complaint::complain;
use super::engine::UciEngine;
use super::go::Go;
use super::help::HELP;
use super::info;
use super::input;
use super::input::InputLine;
use super::options::OPTIONS;
use super::task::{Event, Task, Work, work};
use crate::search::{Control, Limits, Listener, STACK};
use crate::support::log::{self, Direction};
use crate::support::terminal::{is_lost, say, when_lost};
use crate::support::version::VERSION;
use std::collections::VecDeque;
use std::io::{self, BufReader};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// How many lines may wait before the reader blocks.
const QUEUE: usize = 1024;
/// How long a stopped task may take to end before the program exits without its last line.
const FAREWELL: Duration = Duration::from_secs(1);
/// How long a task that ends by itself may go on after the end of the input.
const PATIENCE: Duration = Duration::from_secs(10);

/// Why nothing is searched or evaluated after a `position` that was refused: a client would take the answer for one about
/// its own position.
const NO_POSITION: &str = "the last position was refused, so there is none to search or evaluate";
/// The answer to a `go` that is refused: UCI's notation of no move.
const NO_MOVE: &str = "bestmove 0000";

/// What the engine is doing.
enum State {
    Idle(Box<UciEngine>),
    Busy(Busy),
}

/// A running task.
struct Busy {
    control: Arc<Control>,
    /// Only the client can end it.
    is_endless: bool,
    /// The same once the opponent has played the expected move.
    is_endless_after_ponderhit: bool,
    /// It does not look at `control`, but takes no longer than a moment.
    is_brief: bool,
    /// When the session stops waiting for it; none as long as the client listens.
    deadline: Option<Instant>,
}

/// Whether the session is about to end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    No,
    InputEnded,
    Quit,
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

pub(super) struct Session {
    state: State,
    events: Receiver<Event>,
    work: Sender<Work>,
    /// The line that names the net, which `uci` may ask for while the engine is busy.
    identity: String,
    waiting: VecDeque<Command>,
    ending: Ending,
    /// The last `position` was refused, so there is nothing to search.
    position_refused: bool,
}

impl Session {
    /// Starts the threads that read standard input and search.
    pub(super) fn start(engine: UciEngine) -> Result<Session, SessionError> {
        let (sender, events) = sync_channel(QUEUE);
        let (work_sender, work_receiver) = channel();
        let (results, reader_left) = (sender.clone(), sender.clone());
        thread::Builder::new()
            .name("search".to_string())
            .stack_size(STACK)
            .spawn(move || work(work_receiver, results))?;
        thread::Builder::new()
            .name("input".to_string())
            .spawn(move || read(sender))?;
        when_lost(move || drop(reader_left.send(Event::ReaderLeft)));
        Ok(Session {
            identity: engine.identity(),
            state: State::Idle(Box::new(engine)),
            events,
            work: work_sender,
            waiting: VecDeque::new(),
            ending: Ending::No,
            position_refused: false,
        })
    }

    /// Runs until the client quits or the input ends.
    pub(super) fn run(mut self) -> Result<(), SessionError> {
        while self.ending == Ending::No || matches!(self.state, State::Busy(_)) {
            match self.next_event() {
                Some(Event::Line(line)) if self.ending != Ending::Quit => self.read(line)?,
                Some(Event::Line(_)) => {}
                Some(Event::End) if self.ending == Ending::Quit => {}
                Some(Event::End) => self.end(Ending::InputEnded),
                Some(Event::Done(engine, last_line)) => self.finish(engine, last_line)?,
                Some(Event::ReaderLeft) => {}
                Some(Event::Lost) => return Err(SessionError::Lost),
                None if self.gives_up() => return Ok(()),
                None => {}
            }
            if is_lost() && self.ending != Ending::Quit {
                self.end(Ending::Quit);
            }
        }
        Ok(())
    }

    /// The next event; `None` if the running task has taken too long.
    fn next_event(&self) -> Option<Event> {
        let State::Busy(Busy {
            deadline: Some(deadline),
            ..
        }) = &self.state
        else {
            return Some(self.events.recv().unwrap_or(Event::Lost));
        };
        let left = deadline.saturating_duration_since(Instant::now());
        match self.events.recv_timeout(left) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Event::Lost),
        }
    }

    /// Reads a line of the client.
    fn read(&mut self, line: InputLine) -> Result<(), SessionError> {
        match line {
            InputLine::Text(line) => match Command::parse(&line) {
                Ok(Some(Command::Quit)) => self.end(Ending::Quit),
                Ok(Some(command)) => self.receive(command)?,
                Ok(None) => {}
                Err(error) => complain(error),
            },
            InputLine::TooLong => {
                complain(format!("a line of more than {} bytes is ignored", input::LONGEST))
            }
        }
        Ok(())
    }

    /// Executes a command, or queues it until the engine is idle.
    fn receive(&mut self, command: Command) -> Result<(), SessionError> {
        match command {
            Command::Uci => introduce(&self.identity),
            Command::Debug => {}
            // the client that sends it after `setoption` wants to know when that is done
            Command::IsReady if self.is_about_to_catch_up() => self.waiting.push_back(command),
            Command::IsReady => say("readyok"),
            Command::Help => say(HELP),
            #[cfg(feature = "tune")]
            Command::Spsa => super::tune::spsa().for_each(say),
            Command::Stop | Command::PonderHit => self.signal(command),
            command => match &self.state {
                State::Idle(_) => self.execute(command)?,
                State::Busy(busy) if busy.is_endless && !busy.control.stop.load(Relaxed) => {
                    if changes_the_engine(&command) {
                        busy.control.stop.store(true, Relaxed);
                        self.waiting.push_back(command);
                    } else {
                        complain("a search is running: stop it first");
                    }
                }
                State::Busy(_) => self.waiting.push_back(command),
            },
        }
        Ok(())
    }

    /// Whether commands wait for a task that ends in a moment.
    fn is_about_to_catch_up(&self) -> bool {
        match &self.state {
            State::Idle(_) => false,
            State::Busy(busy) => {
                !self.waiting.is_empty() && (busy.is_brief || busy.control.stop.load(Relaxed))
            }
        }
    }

    /// Signals `stop` or `ponderhit` to the running task, and queues it if a `go` is waiting.
    fn signal(&mut self, command: Command) {
        if let State::Busy(busy) = &mut self.state {
            match command {
                Command::Stop => busy.control.stop.store(true, Relaxed),
                _ => {
                    busy.control.pondering.store(false, Relaxed);
                    busy.is_endless = busy.is_endless_after_ponderhit;
                }
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
            Command::SetOption { name, value } => match engine.set_option(&name, &value) {
                Ok(told) => {
                    self.identity = engine.identity();
                    told.into_iter().for_each(say);
                }
                Err(error) => complain(error),
            },
            Command::NewGame => engine.new_game(),
            Command::Position { fen, moves } => {
                let answer = engine.set_position(fen.as_deref(), &moves);
                self.position_refused = answer.is_err();
                match answer {
                    Ok(ignored) => ignored
                        .iter()
                        .for_each(|fault| complain(format_args!("{fault}; ignored"))),
                    Err(error) => complain(error),
                }
            }
            Command::BadPosition(error) => {
                self.position_refused = true;
                complain(error);
            }
            Command::Show => say(engine.show()),
            Command::Eval if self.position_refused => complain(NO_POSITION),
            Command::Eval => return self.begin(Task::Eval),
            Command::Explain { m, language } => return self.begin(Task::Explain { m, language }),
            Command::Bench(depth) => return self.begin(Task::Bench(depth)),
            Command::Go(go) => return self.go(go),
            Command::Uci
            | Command::Debug
            | Command::IsReady
            | Command::Help
            | Command::Stop
            | Command::PonderHit
            | Command::Quit => {}
            #[cfg(feature = "tune")]
            Command::Spsa => {}
        }
        Ok(())
    }

    /// Begins a search or perft. One that is refused is answered all the same, for the client waits for a move.
    fn go(&mut self, go: Box<Go>) -> Result<(), SessionError> {
        for fault in &go.faults {
            complain(format_args!("go: {fault}"));
        }
        if self.position_refused {
            complain(NO_POSITION);
        } else if let Some(depth) = go.perft {
            return self.begin(Task::Perft(depth));
        } else if go.has_lost_its_limit() {
            complain(
                "go: without that there is no limit, so nothing is searched; 'go infinite' asks for none",
            );
        } else {
            return self.begin(Task::Search(go));
        }
        if go.perft.is_none() {
            say(NO_MOVE);
        }
        Ok(())
    }

    /// Sends the engine with a task to the search thread.
    fn begin(&mut self, task: Task) -> Result<(), SessionError> {
        let mut busy = Busy::with(&task);
        busy.hurry(self.ending);
        let control = busy.control.clone();
        if let State::Idle(engine) = std::mem::replace(&mut self.state, State::Busy(busy)) {
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

    /// Prepares the end. `quit` stops the running task and drops the waiting ones, but `eval`, `d` and `isready` are
    /// still answered.
    fn end(&mut self, ending: Ending) {
        self.ending = ending;
        if ending == Ending::Quit {
            let is_brief =
                |command: &Command| matches!(command, Command::Eval | Command::Show | Command::IsReady);
            let last = self.waiting.iter().rposition(is_brief);
            self.waiting.truncate(last.map_or(0, |last| last + 1));
            self.waiting
                .retain(|command| !matches!(command, Command::Go(_) | Command::Bench(_)));
        }
        if let State::Busy(busy) = &mut self.state {
            busy.hurry(ending);
        }
    }

    /// Stops a task that has reached its deadline; `true` if it was stopped before and does not end.
    fn gives_up(&mut self) -> bool {
        let State::Busy(busy) = &mut self.state else {
            return false;
        };
        if busy.is_brief || busy.control.stop.load(Relaxed) {
            return true;
        }
        complain(format_args!(
            "the input ended {} seconds ago: what is running is stopped",
            PATIENCE.as_secs()
        ));
        busy.stop();
        false
    }
}

impl Busy {
    /// What a task that begins needs.
    fn with(task: &Task) -> Busy {
        let limits = match task {
            Task::Search(go) => Some(&go.limits),
            _ => None,
        };
        let control = Arc::new(Control {
            listener: limits.map(|_| -> Listener {
                Box::new(|progress| {
                    say(info::progress(progress));
                    !is_lost()
                })
            }),
            ..Control::default()
        });
        if let Some(limits) = limits {
            control.pondering.store(limits.ponder, Relaxed);
        }
        let after_ponderhit = |limits: &Limits| Limits {
            ponder: false,
            ..limits.clone()
        };
        Busy {
            control,
            is_endless: limits.is_some_and(Limits::is_endless),
            is_endless_after_ponderhit: limits.is_some_and(|limits| after_ponderhit(limits).is_endless()),
            is_brief: matches!(task, Task::Eval),
            deadline: None,
        }
    }

    /// Stops the task and gives it a moment to end.
    fn stop(&mut self) {
        self.control.stop.store(true, Relaxed);
        self.deadline = Some(Instant::now() + FAREWELL);
    }

    /// Sees to it that the task ends before the session does.
    fn hurry(&mut self, ending: Ending) {
        match ending {
            Ending::No => {}
            _ if self.is_brief => self.deadline = Some(Instant::now() + PATIENCE),
            Ending::Quit => self.stop(),
            Ending::InputEnded if self.is_endless => self.stop(),
            Ending::InputEnded => self.deadline = Some(Instant::now() + PATIENCE),
        }
    }
}

fn changes_the_engine(command: &Command) -> bool {
    matches!(
        command,
        Command::SetOption { .. } | Command::NewGame | Command::Position { .. } | Command::BadPosition(_)
    )
}

fn read(events: SyncSender<Event>) {
    let mut input = BufReader::new(io::stdin());
    while let Ok(Some(line)) = input::read_line(&mut input) {
        if let InputLine::Text(text) = &line {
            log::note(Direction::In, text);
        }
        if events.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = events.send(Event::End);
}

fn introduce(identity: &str) {
    say(format!("id name Enroc {}", VERSION));
    say("id author the Enroc developers");
    for option in OPTIONS {
        say(option);
    }
    #[cfg(feature = "tune")]
    super::tune::options().for_each(say);
    say(identity);
    say("uciok");
}
