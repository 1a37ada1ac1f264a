//! What takes long, and the thread that does it.

use super::engine::Engine;
use super::go::Go;
use super::session::{Event, complain};
use crate::engine::bench;
use crate::search::Control;
use crate::support::terminal::say;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender};

/// Something long.
pub(super) enum Task {
    /// `go`.
    Search(Box<Go>),
    /// `go perft`, to this depth.
    Perft(u32),
    /// `bench`, to this depth or its own.
    Bench(Option<u32>),
    /// `eval`.
    Eval,
}

/// A task with the engine to do it and the signals that end it.
pub(super) struct Work {
    pub(super) engine: Box<Engine>,
    pub(super) task: Task,
    pub(super) control: Arc<Control>,
}

/// Does one task after the other and gives the engine back after each, until no more can come.
pub(super) fn work(tasks: Receiver<Work>, events: SyncSender<Event>) {
    let _farewell = Farewell(events.clone());
    for Work {
        mut engine,
        task,
        control,
    } in tasks
    {
        let last_line = task.run(&mut engine, &control);
        if events.send(Event::Done(engine, last_line)).is_err() {
            return;
        }
    }
}

impl Task {
    /// Runs to the end; the `bestmove` line of a search is not yet printed.
    fn run(self, engine: &mut Engine, control: &Control) -> Option<String> {
        match self {
            Task::Search(go) => return Some(engine.search(&go, control, &mut |line| say(line))),
            Task::Perft(depth) => engine.perft(depth, control, &mut |line| say(line)),
            Task::Eval => say(engine.evaluation()),
            Task::Bench(depth) => {
                let depth = depth.unwrap_or(bench::DEPTH);
                if let Err(error) = engine.bench(depth, control, &mut |line| say(line)) {
                    complain(error);
                }
            }
        }
        None
    }
}

/// Tells the session when this thread ends, however it does: nobody else would notice.
struct Farewell(SyncSender<Event>);

impl Drop for Farewell {
    fn drop(&mut self) {
        let _ = self.0.send(Event::Lost);
    }
}
