//! What a running board has: its guard, its networks, its sessions.

use super::guard::Guard;
use super::request::LONGEST_BODY;
use super::state::MOST_MOVES;
use serde::Serialize;

/// A running board.
pub struct Board {
    /// Who may ask.
    pub guard: Guard,
}

/// The answer of `/api/hello`: what this program is and has.
#[derive(Serialize)]
pub struct Hello {
    version: &'static str,
    limits: Limits,
}

#[derive(Serialize)]
struct Limits {
    moves: usize,
    pgn_bytes: usize,
}

impl Board {
    /// `/api/hello`
    pub fn hello(&self) -> Hello {
        Hello {
            version: env!("CARGO_PKG_VERSION"),
            limits: Limits {
                moves: MOST_MOVES,
                pgn_bytes: LONGEST_BODY,
            },
        }
    }
}
