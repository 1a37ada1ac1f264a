//! A labelling run: the input goes to the engines, what comes back is written in the order of the input.

use super::error::LabellingError;
use super::playout::{Playout, PlayoutSettings};
use super::settings::{LabelReport, LabelSettings};
use super::worker::{Finished, LabellingWorker, PlayoutTask, RunState};
use crate::data::formats::source::GroupSource;
use crate::data::store::writer::ShardWriter;
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;

/// Playouts that may be under way before the oldest of them is written: bounds the memory when an engine hangs.
const MOST_UNDER_WAY: u64 = 1 << 16;

/// How long the collector waits for a playout before it checks whether records have to be flushed.
const LOOK: Duration = Duration::from_millis(250);

/// Labels the groups of the input, from the first that the writer has not dealt with, and appends them to it.
/// `progress` is called with what was done so far.
///
/// # Errors
/// [`LabellingError::Engine`] if the engine is missing or fails again and again, and as the input and the writer.
pub fn label(
    input: &mut (dyn GroupSource + Send),
    settings: &LabelSettings,
    writer: &mut ShardWriter,
    progress: &mut dyn FnMut(&LabelReport),
) -> Result<LabelReport, LabellingError> {
    let state = RunState {
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
        let (state, work) = (&state, &work);
        scope.spawn({
            let done_sender = done_sender.clone();
            move || {
                let fed = feed(input, skip, &settings.playout, &work_sender, state);
                if let Err(error) = fed {
                    let _ = done_sender.send(Err(error));
                }
            }
        });
        for _ in 0..workers {
            let done_sender = done_sender.clone();
            scope.spawn(move || {
                let worker = LabellingWorker::new(settings, work, &done_sender, state);
                if let Err(error) = worker.and_then(LabellingWorker::run) {
                    let _ = done_sender.send(Err(error.into()));
                }
            });
        }
        drop(done_sender);
        let result = collect(done, writer, state, progress);
        state.stopped.store(true, Ordering::Relaxed);
        // threads that wait for room or for work must wake up
        if result.is_err() {
            // finished labels were expensive; the first of two errors is the one to report
            let _ = writer.flush();
            while let Ok(work) = work.lock() {
                if work.recv().is_err() {
                    break;
                }
            }
        }
        result.map(|()| report(state))
    })
}

fn report(state: &RunState) -> LabelReport {
    LabelReport {
        labelled: state.labelled.load(Ordering::Relaxed),
        unbalanced: state.unbalanced.load(Ordering::Relaxed),
        given_up: state.given_up.load(Ordering::Relaxed),
        restarts: state.restarts.load(Ordering::Relaxed),
    }
}

/// Sends the playouts of the input to the workers, without those of the groups that are done.
fn feed(
    input: &mut (dyn GroupSource + Send),
    skip: u64,
    settings: &PlayoutSettings,
    work: &SyncSender<PlayoutTask>,
    state: &RunState,
) -> Result<(), LabellingError> {
    let (mut group, mut groups, mut number, mut first) = (Vec::new(), 0, 0, 0);
    while input.next_group(&mut group)? {
        groups += 1;
        for (place, record) in group.iter().enumerate() {
            number += 1;
            if groups <= skip {
                first = number;
                continue;
            }
            let task = PlayoutTask {
                number: number - 1 - first,
                starts_group: place == 0,
                ends_group: place + 1 == group.len(),
                playout: Playout::new(record, settings, number),
                attempts: 0,
            };
            while task.number > state.written.load(Ordering::Relaxed) + MOST_UNDER_WAY {
                thread::sleep(Duration::from_millis(5));
                if state.stopped.load(Ordering::Relaxed) {
                    return Ok(());
                }
            }
            if state.stopped.load(Ordering::Relaxed) || work.send(task).is_err() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Writes finished playouts, group by group, in the order of the input. While none arrives, or those that do have to
/// wait for a slow one before them, what was written before is flushed.
fn collect(
    done: Receiver<Result<Finished, LabellingError>>,
    writer: &mut ShardWriter,
    state: &RunState,
    progress: &mut dyn FnMut(&LabelReport),
) -> Result<(), LabellingError> {
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
        while let Some(playout) = early.remove(&next) {
            next += 1;
            group.extend(playout.records);
            passed = passed.or(playout.passed);
            if playout.ends_group {
                // the part of a group is drawn by its first position
                if let Some(first) = passed.take().filter(|_| !group.is_empty()) {
                    group.insert(0, first);
                }
                writer.append(&group)?;
                group.clear();
            }
        }
        writer.flush_if_old()?;
        state.written.store(next, Ordering::Relaxed);
        progress(&report(state));
    }
}
