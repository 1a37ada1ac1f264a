//! What all threads of a search share: the table, the limits, the counts of nodes, and when to stop.

use super::tablebase::Probing;
use super::time::Clock;
use super::tt::Table;
use super::{Control, Game, Limits, Settings};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The nodes of one thread, in a cache line of their own, for every node writes there.
#[derive(Default)]
#[repr(align(64))]
pub struct Counter(pub AtomicU64);

/// What all threads of one search share.
pub struct Shared<'a> {
    pub table: &'a Table,
    pub control: &'a Control,
    pub limits: &'a Limits,
    pub settings: &'a Settings,
    pub clock: Clock,
    pub game: &'a Game,
    /// Nodes of each thread.
    pub nodes: &'a [Counter],
    /// Nodes that the threads were granted of those that the limit allows.
    pub granted: AtomicU64,
    /// What endgame tablebases say.
    pub probing: Probing<'a>,
    /// Positions that they knew, all threads together.
    pub tablebase_hits: AtomicU64,
    /// While the search ponders: it would have ended were it on its own clock, so it does at the ponder hit.
    pub is_enough: AtomicBool,
    /// The main thread is done; the others end too.
    pub finished: AtomicBool,
}

impl Shared<'_> {
    /// Nodes of all threads.
    pub fn all_nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.0.load(Relaxed)).sum()
    }

    /// Whether the search ends by the clock or when somebody ends it, so that it must never be busy for long.
    pub fn is_timed(&self) -> bool {
        self.clock.is_limited() || self.limits.is_endless()
    }

    /// Grants a thread some of the nodes that are left, at most as many as it wants and its share; 0 if none are left. What is
    /// granted is never more than the limit, however late a thread uses it.
    pub fn grant(&self, wanted: u64) -> u64 {
        let Some(limit) = self.limits.nodes else {
            return wanted;
        };
        let share = |granted: u64| {
            let left = limit.saturating_sub(granted);
            wanted.min((left / self.nodes.len() as u64).max(1)).min(left)
        };
        let before = self
            .granted
            .fetch_update(Relaxed, Relaxed, |granted| Some(granted + share(granted)));
        share(before.unwrap_or(limit))
    }

    /// Whether the time is over, or will be after so long, or the search was stopped.
    pub fn must_stop(&self, ahead: Duration) -> bool {
        if self.control.stop.load(Relaxed) || self.finished.load(Relaxed) {
            return true;
        }
        let pondering = self.control.pondering.load(Relaxed);
        !pondering && (self.is_enough.load(Relaxed) || self.clock.is_over_in(ahead))
    }
}
