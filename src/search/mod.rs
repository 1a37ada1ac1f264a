//! The search: what is asked of it ([`Limits`], [`Settings`]) and what it tells ([`Report`], [`Outcome`]).
//!
//! It never writes to standard output: whoever starts it hands in a function that receives the reports.

mod alphabeta;
mod checks;
mod correction;
mod history;
mod look_ahead;
mod mate;
mod ordering;
pub mod params;
mod report;
mod root;
mod shared;
pub mod tablebase;
#[cfg(test)]
mod tests;
mod threads;
mod time;
mod tt;
mod worker;

pub use threads::{Pool, STACK};
pub use tt::MemoryError;

use crate::board::{Move, Position};
use crate::nets::score::{MAX_PLY, Score};
use arrayvec::ArrayVec;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tablebase::TablebaseSettings;

/// When a search has to end. With nothing set it goes on until it is stopped, as after `go infinite`.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Only these root moves are searched; all of them when empty.
    pub search_moves: Vec<Move>,
    /// Time left on the clocks of White and Black.
    pub clock: [Option<Duration>; 2],
    /// What each player gains with every move.
    pub increment: [Duration; 2],
    /// Moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// Iterations of at most this many plies.
    pub depth: Option<u32>,
    /// About this many positions, over all threads.
    pub nodes: Option<u64>,
    /// Until a mate in at most this many moves is found, or proved not to be there.
    pub mate: Option<u32>,
    /// This long, less what the client needs.
    pub move_time: Option<Duration>,
    /// Search until [`Control::stop`], even when nothing is left to search.
    pub infinite: bool,
    /// The opponent is thinking: the clock rules only once [`Control::pondering`] ends.
    pub ponder: bool,
}

impl Limits {
    /// Whether the search goes on until somebody ends it.
    pub fn is_endless(&self) -> bool {
        let bounded = self.depth.is_some()
            || self.nodes.is_some()
            || self.mate.is_some()
            || self.move_time.is_some()
            || self.clock.iter().any(Option::is_some);
        self.infinite || self.ponder || !bounded
    }
}

/// How to search, from the UCI options.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How many best lines to find.
    pub multi_pv: usize,
    /// Kept back from the clock for every move, for the time that a client needs.
    pub move_overhead: Duration,
    /// 0 for a full search; otherwise a plain search of exactly this many plies.
    pub look_ahead: u32,
    /// Whether a search with a look-ahead resolves captures at its leaves.
    pub quiescence: bool,
    /// Endgame tablebases; a search with a look-ahead does not ask them.
    pub tablebases: TablebaseSettings,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            multi_pv: 1,
            move_overhead: Duration::from_millis(30),
            look_ahead: 0,
            quiescence: false,
            tablebases: TablebaseSettings::default(),
        }
    }
}

/// Receives the progress of a search, on the thread that searches, and says whether the search should go on.
pub type Listener = Box<dyn Fn(&Progress) -> bool + Send + Sync>;

/// Signals between a running search and whoever started it.
#[derive(Default)]
pub struct Control {
    /// Ends the search as soon as possible.
    pub stop: AtomicBool,
    /// True while the search ponders; cleared by `ponderhit`.
    pub pondering: AtomicBool,
    /// Told about once a second how far a long search is.
    pub listener: Option<Listener>,
}

/// How far a search is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// As in [`Report`].
    pub nodes: u64,
    /// As in [`Report`].
    pub tablebase_hits: u64,
    /// As in [`Report`].
    pub hash_full: u32,
    /// As in [`Report`].
    pub time: Duration,
}

/// How far a score can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The score itself.
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

impl Bound {
    /// What a search with this window (not the one that its result narrowed) proves.
    fn of(score: Score, alpha: Score, beta: Score) -> Bound {
        if score >= beta {
            Bound::Lower
        } else if score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

/// A line of moves.
type Line = ArrayVec<Move, MAX_PLY>;

/// Receives the reports of the main thread.
pub type Reporter<'a> = &'a mut dyn FnMut(&Report);

/// One line of thought, as UCI's `info` prints it.
#[derive(Clone, Debug)]
pub struct Report {
    /// Plies of this iteration.
    pub depth: u32,
    /// The longest line looked at.
    pub selective_depth: u32,
    /// 1 for the best line.
    pub multi_pv: usize,
    /// For the side to move at the root.
    pub score: Score,
    /// Whether an aspiration window cut the score off.
    pub bound: Bound,
    /// Whether tablebases or the rules prove that it is a draw.
    pub is_drawn: bool,
    /// Positions searched so far, over all threads.
    pub nodes: u64,
    /// Positions that endgame tablebases knew.
    pub tablebase_hits: u64,
    /// How full the table is with entries of this search, in thousandths.
    pub hash_full: u32,
    /// Since the search began.
    pub time: Duration,
    /// The line, at least one move.
    pub line: Vec<Move>,
}

/// How a search ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The best move; `None` when the game is over.
    pub best: Option<Move>,
    /// The expected answer.
    pub ponder: Option<Move>,
    /// For the side to move.
    pub score: Score,
    /// Positions searched, over all threads.
    pub nodes: u64,
    /// Positions that the network evaluated, over all threads.
    pub evaluations: u64,
    /// The deepest iteration that was completed.
    pub depth: u32,
}

impl Outcome {
    /// The outcome where there is no move.
    fn of_no_move(score: Score) -> Outcome {
        Outcome {
            best: None,
            ponder: None,
            score,
            nodes: 0,
            evaluations: 0,
            depth: 0,
        }
    }
}

/// A game up to the position to search: what was before matters for repetitions.
#[derive(Clone, Debug)]
pub struct Game {
    /// The position to search.
    pub position: Position,
    /// The keys of the positions before it, oldest first, at least back to the last capture or pawn move.
    pub history: Vec<u64>,
}
