//! One engine at work: it is asked ahead, and started again when it fails.

use super::error::LabellingError;
use super::playout::Playout;
use super::settings::{LabelSettings, Means};
use crate::board::{Color, Move, Position};
use crate::data::{Label, Record};
use crate::uci_client::{ClientError, UciClient, UciScore};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Mutex, TryLockError};

/// A position on which the engine fails this often is skipped.
const ATTEMPTS: u32 = 2;

/// An engine that fails this often without one answer ends the run.
const FAILURES_IN_A_ROW: u32 = 5;

/// A playout under way, and where it belongs.
pub(super) struct PlayoutTask {
    /// Its place among all playouts of this run.
    pub number: u64,
    /// Whether its group begins with it.
    pub starts_group: bool,
    /// Whether its group ends with it.
    pub ends_group: bool,
    pub playout: Playout,
    pub attempts: u32,
}

/// A finished playout.
pub(super) struct Finished {
    pub number: u64,
    pub ends_group: bool,
    /// The first position of its group, where that was passed over.
    pub passed: Option<Record>,
    pub records: Vec<Record>,
}

/// What the threads share.
pub(super) struct RunState {
    /// Playouts whose records are written.
    pub written: AtomicU64,
    pub stopped: AtomicBool,
    pub labelled: AtomicU64,
    pub unbalanced: AtomicU64,
    pub given_up: AtomicU64,
    pub restarts: AtomicU64,
}

/// One engine and the playouts that it works on, in the order in which it was asked.
pub(super) struct LabellingWorker<'a> {
    settings: &'a LabelSettings,
    engine: UciClient,
    active: VecDeque<PlayoutTask>,
    work: &'a Mutex<Receiver<PlayoutTask>>,
    done: &'a Sender<Result<Finished, LabellingError>>,
    state: &'a RunState,
    failures: u32,
}

impl<'a> LabellingWorker<'a> {
    pub fn new(
        settings: &'a LabelSettings,
        work: &'a Mutex<Receiver<PlayoutTask>>,
        done: &'a Sender<Result<Finished, LabellingError>>,
        state: &'a RunState,
    ) -> Result<LabellingWorker<'a>, ClientError> {
        Ok(LabellingWorker {
            engine: UciClient::start(&settings.engine)?,
            settings,
            active: VecDeque::new(),
            work,
            done,
            state,
            failures: 0,
        })
    }

    /// Works until there is no more to do.
    pub fn run(mut self) -> Result<(), ClientError> {
        while !self.state.stopped.load(Ordering::Relaxed) {
            let served = self.take_work().and_then(|()| match self.active.is_empty() {
                true => Ok(false),
                false => self.take_answer().map(|()| true),
            });
            match served {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(error) => self.start_again(error)?,
            }
        }
        Ok(())
    }

    /// Asks questions until enough are under way; waits for work only if there is none at all.
    fn take_work(&mut self) -> Result<(), ClientError> {
        while self.active.len() < self.settings.ahead.max(1) {
            let task = if self.active.is_empty() {
                self.work.lock().ok().and_then(|work| work.recv().ok())
            } else {
                // another worker may be waiting for work behind the lock
                match self.work.try_lock() {
                    Ok(work) => work.try_recv().ok(),
                    Err(TryLockError::WouldBlock | TryLockError::Poisoned(_)) => None,
                }
            };
            let Some(task) = task else { break };
            self.go_on(task)?;
        }
        Ok(())
    }

    /// Asks the next question of a playout, or hands it in if it has none.
    fn go_on(&mut self, task: PlayoutTask) -> Result<(), ClientError> {
        match task.playout.question() {
            Some(position) => {
                let position = *position;
                self.active.push_back(task);
                ask(&mut self.engine, &position, self.settings.means)
            }
            None => {
                self.hand_in(task);
                Ok(())
            }
        }
    }

    fn hand_in(&self, task: PlayoutTask) {
        // the receiver is gone if the run has failed elsewhere
        let _ = self.done.send(Ok(Finished {
            number: task.number,
            ends_group: task.ends_group,
            passed: task.playout.passed().filter(|_| task.starts_group),
            records: task.playout.into_records(),
        }));
    }

    fn take_answer(&mut self) -> Result<(), ClientError> {
        let answer = self.hear_answer()?;
        self.failures = 0;
        if let Some(mut task) = self.active.pop_front() {
            let Some((label, best)) = answer else {
                self.state.given_up.fetch_add(1, Ordering::Relaxed);
                self.hand_in(task);
                return Ok(());
            };
            let count = match task.playout.answer(label, best) {
                true => &self.state.labelled,
                false => &self.state.unbalanced,
            };
            count.fetch_add(1, Ordering::Relaxed);
            self.go_on(task)?;
        }
        Ok(())
    }

    /// The next answer, which is to the oldest question: the label for White, and the best move where it is known. `None`
    /// for a mate in no moves, and where the engine has no static evaluation.
    fn hear_answer(&mut self) -> Result<Option<(Label, Option<Move>)>, ClientError> {
        match self.settings.means {
            Means::Search(_) => {
                let answer = self.engine.answer()?;
                let question = self.active.front().and_then(|task| task.playout.question());
                let label = question.and_then(|asked| label_for_white(answer.score, asked.side_to_move()));
                Ok(label.map(|label| (label, Some(answer.best))))
            }
            Means::Static(scale) => {
                let score = self.engine.static_answer()?;
                let scaled = |score| Label::centipawns((f64::from(score) * scale).round() as i32);
                Ok(score.map(|score| (scaled(score), None)))
            }
        }
    }

    /// After a failure: a new engine, and the same questions. The oldest one counts as the cause.
    fn start_again(&mut self, error: ClientError) -> Result<(), ClientError> {
        self.failures += 1;
        if self.failures >= FAILURES_IN_A_ROW {
            return Err(error);
        }
        self.state.restarts.fetch_add(1, Ordering::Relaxed);
        let mut tasks = std::mem::take(&mut self.active);
        if let Some(mut task) = tasks.pop_front() {
            task.attempts += 1;
            if task.attempts >= ATTEMPTS {
                self.state.given_up.fetch_add(1, Ordering::Relaxed);
                self.hand_in(task);
            } else {
                tasks.push_front(task);
            }
        }
        self.engine = UciClient::start(&self.settings.engine)?;
        // a question that cannot be asked is noticed when its answer is waited for
        for task in &tasks {
            if let Some(position) = task.playout.question() {
                let _ = ask(&mut self.engine, position, self.settings.means);
            }
        }
        self.active = tasks;
        Ok(())
    }
}

/// Asks for a position without waiting.
fn ask(engine: &mut UciClient, position: &Position, means: Means) -> Result<(), ClientError> {
    match means {
        Means::Search(effort) => engine.ask(position, effort),
        Means::Static(_) => engine.ask_static(position),
    }
}

/// The label for White of a score for the side to move; `None` for a mate in no moves.
fn label_for_white(score: UciScore, side: Color) -> Option<Label> {
    let label = match score {
        UciScore::Centipawns(value) => Label::centipawns(value),
        UciScore::Mate(moves) => Label::mate(moves)?,
    };
    Some(if side == Color::White {
        label
    } else {
        label.negated()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Engines tell scores as the side to move sees them; labels are White's.
    #[test]
    fn what_an_engine_says_for_black_is_turned_round() {
        let labels = |score| Color::ALL.map(|side| label_for_white(score, side));
        let centipawns = [30, -30].map(|value| Some(Label::Centipawns(value)));
        assert_eq!(labels(UciScore::Centipawns(30)), centipawns);
        assert_eq!(
            labels(UciScore::Mate(-2)),
            [-2, 2].map(|moves| Some(Label::Mate(moves)))
        );
        assert_eq!(labels(UciScore::Mate(0)), [None; 2]);
    }
}
