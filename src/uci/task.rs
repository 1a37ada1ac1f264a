//! Long-running tasks and the thread that runs them.

use super::complaint::complain;
use super::engine::UciEngine;
use super::go::Go;
use super::input::InputLine;
use crate::engine::bench;
use crate::search::Control;
use crate::support::terminal::{is_lost, say};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, SyncSender};

/// A long-running task.
pub(super) enum Task {
    /// `go`.
    Search(Box<Go>),
    /// `go perft`, to this depth.
    Perft(u32),
    /// `bench`, to this depth or the default.
    Bench(Option<u32>),
    /// `eval`.
    Eval,
    /// `explain`, with a move and perhaps a language.
    Explain {
        /// In UCI or algebraic notation.
        m: String,
        language: Option<String>,
    },
}

/// An event of the session.
pub(super) enum Event {
    /// The client sent a line.
    Line(InputLine),
    /// The input ended.
    End,
    /// A task is done; the line, if any, is printed once the engine is idle.
    Done(Box<UciEngine>, Option<String>),
    /// Nobody reads the answers any more.
    ReaderLeft,
    /// The search thread ended, and the engine is lost.
    Lost,
}

/// A task with the engine to run it and the signals that stop it.
pub(super) struct Work {
    pub(super) engine: Box<UciEngine>,
    pub(super) task: Task,
    pub(super) control: Arc<Control>,
}

/// Runs tasks and returns the engine after each, until the session drops the sender.
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
    /// Runs the task; returns the `bestmove` line of a search instead of printing it.
    fn run(self, engine: &mut UciEngine, control: &Control) -> Option<String> {
        let mut tell = |line: String| {
            say(line);
            if is_lost() {
                control.stop.store(true, Relaxed);
            }
        };
        match self {
            Task::Search(go) => return Some(engine.search(&go, control, &mut tell)),
            Task::Perft(depth) => engine.perft(depth, control, &mut tell),
            Task::Eval => say(engine.evaluation()),
            Task::Explain { m, language } => match engine.explain(&m, language.as_deref(), control) {
                Ok(sentences) => sentences.iter().for_each(say),
                Err(error) => complain(error),
            },
            Task::Bench(depth) => {
                let depth = depth.unwrap_or(bench::DEPTH);
                if let Err(error) = engine.bench(depth, control, &mut tell) {
                    complain(error);
                }
            }
        }
        None
    }
}

/// Notifies the session when this thread ends, even by a panic.
struct Farewell(SyncSender<Event>);

impl Drop for Farewell {
    fn drop(&mut self) {
        let _ = self.0.send(Event::Lost);
    }
}
