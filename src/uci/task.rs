//! What takes long, and the thread that does it.

use super::complaint::complain;
use super::engine::UciEngine;
use super::go::Go;
use super::input::Line;
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

/// What can happen.
pub(super) enum Event {
    /// The client said something.
    Line(Line),
    /// The client will say nothing more.
    End,
    /// A task is done; with its last line, if that has to be printed when the engine is free again.
    Done(Box<UciEngine>, Option<String>),
    /// The searching thread is gone, and the engine with it.
    Lost,
}

/// A task with the engine to do it and the signals that end it.
pub(super) struct Work {
    pub(super) engine: Box<UciEngine>,
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
    fn run(self, engine: &mut UciEngine, control: &Control) -> Option<String> {
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
