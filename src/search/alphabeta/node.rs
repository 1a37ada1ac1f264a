//! A node of the search: what is asked about it, what is known of it before its moves are tried, and what they brought.

use crate::board::{Move, Position};
use crate::nets::score::{INFINITE, Score};
use crate::search::tt::Entry;
use arrayvec::ArrayVec;

/// Quiet moves (and captures) whose failure a node remembers.
const REMEMBERED: usize = 32;

/// A node to be searched.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    pub position: &'a Position,
    /// Plies from the root.
    pub ply: usize,
    /// Plies to search before quiescence.
    pub depth: i32,
    pub alpha: Score,
    pub beta: Score,
    /// Whether the parent expects this node to fail high.
    pub cut_node: bool,
}

/// What is known of a node before its moves are tried.
pub struct Facts {
    /// What the table knows of it.
    pub entry: Option<Entry>,
    /// The network's score; `None` in check.
    pub raw: Option<Score>,
    /// The static evaluation: the network's score corrected; `None` in check.
    pub evaluation: Option<Score>,
    /// Centipawns by which correction history changed the static evaluation, either way; 0 in check.
    pub correction: Score,
    /// The static evaluation or the table's score, whichever says more.
    pub estimate: Score,
    /// The static evaluation rose since the mover's last turn.
    pub improving: bool,
    /// The move left out by a singular test.
    pub excluded: Option<Move>,
    /// On the principal variation now or when the table's entry was written.
    pub was_pv: bool,
}

/// What the moves of a node have brought so far.
pub struct Found {
    /// The best score, -[`INFINITE`] before any move.
    pub best: Score,
    /// The move that raised alpha last.
    pub best_move: Option<Move>,
    pub alpha: Score,
    /// Moves searched.
    pub tried: usize,
    /// Quiet moves that did not fail high.
    pub quiets: ArrayVec<Move, REMEMBERED>,
    /// Captures and promotions that did not fail high.
    pub captures: ArrayVec<Move, REMEMBERED>,
}

impl Found {
    /// Nothing yet.
    pub fn nothing(alpha: Score) -> Found {
        Found {
            best: -INFINITE,
            best_move: None,
            alpha,
            tried: 0,
            quiets: ArrayVec::new(),
            captures: ArrayVec::new(),
        }
    }

    /// Notes a move that did not fail high.
    #[inline]
    pub fn note_failure(&mut self, m: Move) {
        let failures = if m.is_quiet() {
            &mut self.quiets
        } else {
            &mut self.captures
        };
        // what no longer fits is forgotten
        let _ = failures.try_push(m);
    }
}
