//! Labelling positions with a UCI engine: several engines at once, questions sent ahead, results in the order of the
//! input, so that a run can be cut off and go on.

pub mod line;

use crate::board::Color;
use crate::data::DataError;
use crate::data::formats::source::GroupSource;
use crate::data::record::Record;
use crate::data::record::label::Label;
use crate::data::store::writer::ShardWriter;
use crate::labelling::line::{Line, LineSettings};
use crate::uci_client::{ClientError, Effort, EngineSettings, ScoredMove, UciClient, UciScore};
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, TryLockError};
use std::thread;
use std::time::Duration;

/// Lines that may be under way before the oldest of them is written: bounds the memory when an engine hangs.
const MOST_UNDER_WAY: u64 = 1 << 16;

/// A position on which the engine fails this often is skipped.
const ATTEMPTS: u32 = 2;

/// An engine that fails this often without one answer ends the run.
const FAILURES_IN_A_ROW: u32 = 5;

/// How long the collector waits before it looks at what is to be made safe.
const LOOK: Duration = Duration::from_millis(250);

/// How positions are labelled.
#[derive(Clone, Debug)]
pub struct LabelSettings {
    /// The engine that gives the labels.
    pub engine: EngineSettings,
    /// How long it thinks.
    pub effort: Effort,
    /// Engines at once.
    pub workers: usize,
    /// Questions that each engine is sent before its first answer.
    pub ahead: usize,
    /// What is made of each position.
    pub line: LineSettings,
}

impl LabelSettings {
    /// Questions to send ahead by default: many where depth bounds the work, and waiting for each answer would cost
    /// more than the search; one where nodes or time do, for some engines stop thinking at the next question.
    pub fn default_ahead(effort: Effort) -> usize {
        match effort {
            Effort::Depth(_) => 64,
            Effort::Nodes(_) | Effort::Time(_) => 1,
        }
    }
}

/// What a labelling run has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LabelReport {
    /// Positions labelled in this run.
    pub labelled: u64,
    /// Starts that were drawn again, or given up, because they were out of balance.
    pub unbalanced: u64,
    /// Start positions given up because the engine failed on them.
    pub given_up: u64,
    /// Times that an engine had to be started again.
    pub restarts: u64,
}

/// A line under way, and where it belongs.
struct Task {
    /// Its place among all lines of the input.
    number: u64,
    /// Whether its group begins with it.
    starts_group: bool,
    /// Whether its group ends with it.
    ends_group: bool,
    line: Line,
    attempts: u32,
}

/// A finished line.
struct Done {
    number: u64,
    ends_group: bool,
    /// The first position of its group, where that was passed over.
    passed: Option<Record>,
    records: Vec<Record>,
}

/// What the threads share.
struct Shared {
    /// Lines whose records are written.
    written: AtomicU64,
    stopped: AtomicBool,
    labelled: AtomicU64,
    unbalanced: AtomicU64,
    given_up: AtomicU64,
    restarts: AtomicU64,
}

/// Labels the groups of the input, from the first that the writer has not dealt with, and appends them to it.
/// `progress` is called with what was done so far.
///
/// # Errors
/// [`DataError::Engine`] if the engine is missing or fails again and again, and as the input and the writer.
pub fn label(
    input: &mut (dyn GroupSource + Send),
    settings: &LabelSettings,
    writer: &mut ShardWriter,
    progress: &mut dyn FnMut(&LabelReport),
) -> Result<LabelReport, DataError> {
    let shared = Shared {
        written: AtomicU64::new(0),
        stopped: AtomicBool::new(false),
        labelled: AtomicU64::new(0),
        unbalanced: AtomicU64::new(0),
        given_up: AtomicU64::new(0),
        restarts: AtomicU64::new(0),
    };
    let workers = settings.workers.max(1);
    let (work_sender, work) = sync_channel(2 * workers * settings.ahead.max(1));
    let work = Mutex::new(work);
    let (done_sender, done) = channel();
    let skip = writer.groups();
    thread::scope(|scope| {
        let (shared, work) = (&shared, &work);
        scope.spawn({
            let done_sender = done_sender.clone();
            move || {
                let fed = feed(input, skip, &settings.line, &work_sender, shared);
                if let Err(error) = fed {
                    let _ = done_sender.send(Err(error));
                }
            }
        });
        for _ in 0..workers {
            let done_sender = done_sender.clone();
            scope.spawn(move || {
                let worker = Worker::new(settings, work, &done_sender, shared);
                if let Err(error) = worker.and_then(Worker::run) {
                    let _ = done_sender.send(Err(error.into()));
                }
            });
        }
        drop(done_sender);
        let result = collect(done, writer, shared, progress);
        shared.stopped.store(true, Ordering::Relaxed);
        // whoever waits for room or for work must wake up
        if result.is_err() {
            // what is finished was paid for; of two errors the first is told
            let _ = writer.flush();
            while let Ok(work) = work.lock() {
                if work.recv().is_err() {
                    break;
                }
            }
        }
        result.map(|()| report(shared))
    })
}

fn report(shared: &Shared) -> LabelReport {
    LabelReport {
        labelled: shared.labelled.load(Ordering::Relaxed),
        unbalanced: shared.unbalanced.load(Ordering::Relaxed),
        given_up: shared.given_up.load(Ordering::Relaxed),
        restarts: shared.restarts.load(Ordering::Relaxed),
    }
}

/// Sends the lines of the input to the workers, without those of the groups that are done.
fn feed(
    input: &mut (dyn GroupSource + Send),
    skip: u64,
    settings: &LineSettings,
    work: &SyncSender<Task>,
    shared: &Shared,
) -> Result<(), DataError> {
    let (mut group, mut groups, mut number, mut first) = (Vec::new(), 0, 0, 0);
    while input.next_group(&mut group)? {
        groups += 1;
        for (place, record) in group.iter().enumerate() {
            number += 1;
            if groups <= skip {
                first = number;
                continue;
            }
            let task = Task {
                number: number - 1 - first,
                starts_group: place == 0,
                ends_group: place + 1 == group.len(),
                line: Line::new(record, settings, number),
                attempts: 0,
            };
            while task.number > shared.written.load(Ordering::Relaxed) + MOST_UNDER_WAY {
                thread::sleep(Duration::from_millis(5));
                if shared.stopped.load(Ordering::Relaxed) {
                    return Ok(());
                }
            }
            if shared.stopped.load(Ordering::Relaxed) || work.send(task).is_err() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Writes finished lines, group by group, in the order of the input. While nothing comes, or what comes has to wait for
/// a slow line before it, what was written before is made safe.
fn collect(
    done: Receiver<Result<Done, DataError>>,
    writer: &mut ShardWriter,
    shared: &Shared,
    progress: &mut dyn FnMut(&LabelReport),
) -> Result<(), DataError> {
    let (mut early, mut next, mut group) = (HashMap::new(), 0, Vec::new());
    let mut passed = None;
    loop {
        let finished = match done.recv_timeout(LOOK) {
            Ok(finished) => finished?,
            Err(RecvTimeoutError::Timeout) => {
                writer.flush_if_old()?;
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        };
        early.insert(finished.number, finished);
        while let Some(line) = early.remove(&next) {
            next += 1;
            group.extend(line.records);
            passed = passed.or(line.passed);
            if line.ends_group {
                // the part of a group is drawn by its first position
                if let Some(first) = passed.take().filter(|_| !group.is_empty()) {
                    group.insert(0, first);
                }
                writer.append(&group)?;
                group.clear();
            }
        }
        writer.flush_if_old()?;
        shared.written.store(next, Ordering::Relaxed);
        progress(&report(shared));
    }
}

/// One engine and the lines that it works on, in the order in which it was asked.
struct Worker<'a> {
    settings: &'a LabelSettings,
    engine: UciClient,
    active: VecDeque<Task>,
    work: &'a Mutex<Receiver<Task>>,
    done: &'a Sender<Result<Done, DataError>>,
    shared: &'a Shared,
    failures: u32,
}

impl<'a> Worker<'a> {
    fn new(
        settings: &'a LabelSettings,
        work: &'a Mutex<Receiver<Task>>,
        done: &'a Sender<Result<Done, DataError>>,
        shared: &'a Shared,
    ) -> Result<Worker<'a>, ClientError> {
        Ok(Worker {
            engine: UciClient::start(&settings.engine)?,
            settings,
            active: VecDeque::new(),
            work,
            done,
            shared,
            failures: 0,
        })
    }

    /// Works until there is no more to do.
    fn run(mut self) -> Result<(), ClientError> {
        while !self.shared.stopped.load(Ordering::Relaxed) {
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

    /// Asks the next question of a line, or hands it in if it has none.
    fn go_on(&mut self, task: Task) -> Result<(), ClientError> {
        match task.line.question() {
            Some(position) => {
                let position = *position;
                self.active.push_back(task);
                self.engine.ask(&position, self.settings.effort)
            }
            None => {
                self.hand_in(task);
                Ok(())
            }
        }
    }

    fn hand_in(&self, task: Task) {
        // nobody listens any more if the run has failed elsewhere
        let _ = self.done.send(Ok(Done {
            number: task.number,
            ends_group: task.ends_group,
            passed: task.line.passed().filter(|_| task.starts_group),
            records: task.line.into_records(),
        }));
    }

    fn take_answer(&mut self) -> Result<(), ClientError> {
        let answer = self.engine.answer()?;
        self.failures = 0;
        if let Some(mut task) = self.active.pop_front() {
            let white = task.line.question().map(|position| position.side_to_move());
            let Some(label) = white.and_then(|side| label_for_white(&answer, side)) else {
                self.shared.given_up.fetch_add(1, Ordering::Relaxed);
                self.hand_in(task);
                return Ok(());
            };
            let count = match task.line.answer(label, answer.best) {
                true => &self.shared.labelled,
                false => &self.shared.unbalanced,
            };
            count.fetch_add(1, Ordering::Relaxed);
            self.go_on(task)?;
        }
        Ok(())
    }

    /// After a failure: a new engine, and the same questions. The oldest one is to blame.
    fn start_again(&mut self, error: ClientError) -> Result<(), ClientError> {
        self.failures += 1;
        if self.failures >= FAILURES_IN_A_ROW {
            return Err(error);
        }
        self.shared.restarts.fetch_add(1, Ordering::Relaxed);
        let mut tasks = std::mem::take(&mut self.active);
        if let Some(mut task) = tasks.pop_front() {
            task.attempts += 1;
            if task.attempts >= ATTEMPTS {
                self.shared.given_up.fetch_add(1, Ordering::Relaxed);
                self.hand_in(task);
            } else {
                tasks.push_front(task);
            }
        }
        self.engine = UciClient::start(&self.settings.engine)?;
        // a question that cannot be asked is noticed when its answer is waited for
        for task in &tasks {
            if let Some(position) = task.line.question() {
                let _ = self.engine.ask(position, self.settings.effort);
            }
        }
        self.active = tasks;
        Ok(())
    }
}

/// The label for White of an answer for the side to move; `None` for a mate in no moves.
fn label_for_white(answer: &ScoredMove, side: Color) -> Option<Label> {
    let label = match answer.score {
        UciScore::Centipawns(value) => Label::centipawns(value),
        UciScore::Mate(moves) => Label::mate(moves)?,
    };
    Some(if side == Color::White {
        label
    } else {
        label.negated()
    })
}
