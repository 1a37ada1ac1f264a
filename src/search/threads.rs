//! The threads of a search: lazy SMP, that is, every thread searches the same root on its own and all share what they
//! find through the table.

use super::shared::{Counter, Shared};
use super::tablebase::Probing;
use super::time::Clock;
use super::tt::{MemoryError, Table, find_move};
use super::worker::Worker;
use super::{Control, Game, Limits, Outcome, Report, Reporter, Settings};
use crate::arch::give_back_freed_memory;
use crate::board::Move;
use crate::nets::Evaluator;
use crate::nets::score::{DRAW, mated_in};
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

/// How often a finished search looks whether it may answer.
const IDLE: Duration = Duration::from_millis(1);
/// The stack of a thread that searches; the deepest lines take about a megabyte.
pub const STACK: usize = 16 << 20;

/// Memory of a thread's histories, frames and evaluator, in bytes; most of it are the histories, of two and a half MiB.
const MEMORY: usize = 4 << 20;

/// The table and the threads, with all that they keep between searches.
pub struct Pool<E> {
    table: Table,
    workers: Vec<Worker<E>>,
}

impl<E: Evaluator + Send> Pool<E> {
    /// A pool with one thread for each evaluator and a table of `megabytes` MiB.
    ///
    /// # Errors
    /// [`MemoryError`] when the table's memory cannot be allocated.
    ///
    /// # Panics
    /// Without any evaluator.
    pub fn new(megabytes: usize, evaluators: Vec<E>) -> Result<Pool<E>, MemoryError> {
        Ok(Pool {
            table: Table::new(megabytes)?,
            workers: workers(evaluators),
        })
    }

    /// Another table size. The old table is freed first, for both together might not fit; when the new one cannot be
    /// allocated there is one of the old size again, empty.
    ///
    /// # Errors
    /// [`MemoryError`] when that memory cannot be allocated.
    pub fn resize(&mut self, megabytes: usize) -> Result<(), MemoryError> {
        let before = self.table.megabytes();
        self.table = Table::new(1)?;
        let (table, done) = match Table::new(megabytes) {
            Ok(table) => (table, Ok(())),
            Err(error) => (Table::new(before)?, Err(error)),
        };
        self.table = table;
        done
    }

    /// Another number of threads, each with the first one's network; forgets what was learnt. Threads that stay keep their
    /// memory, so that more of the others' can go back to the system.
    ///
    /// # Errors
    /// [`MemoryError`] when there is no memory for so many; the pool is then unchanged.
    ///
    /// # Panics
    /// For no thread.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), MemoryError>
    where
        E: Clone,
    {
        assert!(threads > 0, "a search needs a thread");
        // asked for in one piece, because a refusal of one of the many small ones would end the program
        let needed = threads.saturating_sub(self.workers.len()) * MEMORY;
        let mut room: Vec<u8> = Vec::new();
        room.try_reserve_exact(needed)
            .map_err(|_| MemoryError::Threads(threads))?;
        drop(black_box(room));
        if threads < self.workers.len() {
            self.workers.truncate(threads);
            give_back_freed_memory();
        }
        // reserved at once and first: a list that grew between the threads' blocks would keep the allocator from
        // returning them
        let more = threads - self.workers.len();
        self.workers.reserve_exact(more);
        for id in self.workers.len()..threads {
            self.workers.push(Worker::new(id, self.evaluator().clone()));
        }
        self.clear();
        Ok(())
    }

    /// Forgets everything, as before a new game.
    pub fn clear(&mut self) {
        self.table.clear();
        for worker in &mut self.workers {
            worker.histories.clear();
            worker.corrections.clear();
        }
    }

    /// The evaluator of the first thread.
    pub fn evaluator(&self) -> &E {
        &self.workers[0].evaluator
    }

    /// The same, to ask it.
    pub fn evaluator_mut(&mut self) -> &mut E {
        &mut self.workers[0].evaluator
    }

    /// Searches until a limit is met or `control` stops it. Reports come on the calling thread; where there is a legal
    /// move, one with a score always comes before the outcome.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        settings: &Settings,
        control: &Control,
        reporter: Reporter,
    ) -> Outcome {
        let cost = self.workers[0].usual_cost;
        let clock = Clock::start(limits, settings, game.position.side_to_move(), cost);
        let mut root_moves = choose_root_moves(game, limits);
        let probing = Probing::begin(game, settings, &mut root_moves);
        let nodes: Vec<Counter> = self.workers.iter().map(|_| Counter::default()).collect();
        let shared = Shared {
            table: &self.table,
            control,
            limits,
            settings,
            clock,
            game,
            nodes: &nodes,
            granted: AtomicU64::new(0),
            tablebase_hits: AtomicU64::new(probing.root_hits),
            probing,
            is_enough: AtomicBool::new(false),
            finished: AtomicBool::new(false),
        };
        if root_moves.is_empty() {
            wait_until_asked(&shared);
            return Outcome::of_no_move(if game.position.in_check() {
                mated_in(0)
            } else {
                DRAW
            });
        }
        self.table.new_search();
        let ranked: Vec<(Move, i32)> = root_moves.iter().map(|&m| (m, shared.probing.rank(m))).collect();
        for worker in &mut self.workers {
            worker.begin(game, &ranked);
        }
        let reported = run(&mut self.workers, &shared, reporter);
        let best = match settings.multi_pv {
            0 | 1 => choose_worker(&self.workers),
            // the lines belong together
            _ => 0,
        };
        let chosen = &mut self.workers[best];
        chosen.settle(&shared);
        let line = &mut chosen.root.best_mut().line;
        if line.len() == 1 {
            line.extend(expected_answer(&shared, line[0]));
        }
        // clients show and judge by the last report: it is of the move that is played, with all that was searched
        let last = (shared.all_nodes(), chosen.root.best().line.to_vec());
        if best != 0 || reported != Some(last) {
            chosen.report_end(&shared, chosen.lines(&shared), reporter);
        }
        wait_until_asked(&shared);
        let evaluations = self.workers.iter().map(|worker| worker.evaluations).sum();
        outcome(&self.workers[best], &shared, evaluations)
    }
}

/// One for each evaluator.
fn workers<E: Evaluator>(evaluators: Vec<E>) -> Vec<Worker<E>> {
    assert!(!evaluators.is_empty(), "a search needs an evaluator");
    evaluators
        .into_iter()
        .enumerate()
        .map(|(id, evaluator)| Worker::new(id, evaluator))
        .collect()
}

/// Runs all threads to their end; the main one, on the calling thread, ends the others. Returns the nodes and the line of the
/// last report of the best move.
fn run<E: Evaluator + Send>(
    workers: &mut [Worker<E>],
    shared: &Shared,
    reporter: Reporter,
) -> Option<(u64, Vec<Move>)> {
    let (main, helpers) = workers.split_at_mut(1);
    let mut reported = None;
    thread::scope(|scope| {
        for helper in helpers {
            let start = move || think(helper, shared, None);
            // without memory for another thread the search goes on with fewer
            let _ = thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, start);
        }
        let mut note = |report: &Report| {
            if report.multi_pv == 1 {
                reported = Some((report.nodes, report.line.clone()));
            }
            reporter(report);
        };
        think(&mut main[0], shared, Some(&mut note));
        shared.finished.store(true, Relaxed);
    });
    reported
}

/// Searches in the way that the settings ask for; the main thread has the reporter.
fn think<E: Evaluator>(worker: &mut Worker<E>, shared: &Shared, reporter: Option<Reporter>) {
    match shared.settings.look_ahead {
        0 => worker.iterate(shared, reporter),
        plies => worker.look_ahead(shared, plies as i32, reporter),
    }
}

fn choose_root_moves(game: &Game, limits: &Limits) -> Vec<Move> {
    let legal = game.position.legal_moves();
    let wanted = |m: &Move| limits.search_moves.is_empty() || limits.search_moves.contains(m);
    legal.into_iter().filter(wanted).collect()
}

/// The thread whose result is best: a deeper iteration, or the same with a better score.
fn choose_worker<E>(workers: &[Worker<E>]) -> usize {
    let worth = |worker: &Worker<E>| (worker.completed, worker.root.best().last_score());
    (0..workers.len())
        .rev()
        .max_by_key(|&index| worth(&workers[index]))
        .unwrap_or(0)
}

/// A search that is infinite or ponders must not answer before it is told to.
fn wait_until_asked(shared: &Shared) {
    let waits = || shared.limits.infinite || shared.control.pondering.load(Relaxed);
    while waits() && !shared.control.stop.load(Relaxed) {
        thread::sleep(IDLE);
    }
}

fn outcome<E>(worker: &Worker<E>, shared: &Shared, evaluations: u64) -> Outcome {
    let root_move = worker.root.best();
    Outcome {
        best: Some(root_move.first),
        ponder: root_move.line.get(1).copied(),
        score: worker.told_score(shared, 0),
        nodes: shared.all_nodes(),
        evaluations,
        depth: worker.completed.max(0) as u32,
    }
}

/// The answer that the table expects when the line ends with our own move.
fn expected_answer(shared: &Shared, best: Move) -> Option<Move> {
    let child = shared.game.position.after(best);
    let entry = shared.table.probe(child.key(), 1)?;
    find_move(&child, entry.best)
}
