//! What a running board has: its guard, its networks, its sessions.

use super::closing::Close;
use super::explain::Explainer;
use super::gallery::{Gallery, NetCard};
use super::guard::Guard;
use super::request::LONGEST_BODY;
use super::search;
use super::sessions::{MOST_SESSIONS, Sessions};
use super::state::MOST_MOVES;
use crate::board::pgn::read::MOST_NODES;
use serde::Serialize;
use std::sync::Arc;
use std::thread;

/// A running board.
pub struct Board {
    /// Who may ask.
    pub guard: Guard,
    /// The networks.
    pub gallery: Arc<Gallery>,
    /// The engine that explains moves.
    pub explainer: Explainer,
    /// The tabs that have an engine.
    pub sessions: Sessions,
    /// The end of the server.
    pub close: Close,
}

/// The answer of `/api/hello`: what this program is and has.
#[derive(Serialize)]
pub struct Hello<'a> {
    version: &'static str,
    nets: &'a [NetCard],
    stockfish: Option<&'a str>,
    explain: bool,
    limits: Limits,
}

#[derive(Serialize)]
struct Limits {
    moves: usize,
    pgn_bytes: usize,
    pgn_nodes: usize,
    multipv: usize,
    plies: u32,
    threads: usize,
    hash_mb: usize,
    sessions: usize,
}

impl Board {
    /// A board without sessions. Its networks are read meanwhile, on another thread.
    pub fn new(guard: Guard, gallery: Gallery) -> Board {
        let gallery = Arc::new(gallery);
        let reader = Arc::clone(&gallery);
        thread::spawn(move || {
            reader.catalogue();
        });
        Board {
            guard,
            gallery,
            explainer: Explainer::default(),
            sessions: Sessions::default(),
            close: Close::default(),
        }
    }

    /// `/api/hello`
    pub fn hello(&self) -> Hello<'_> {
        let catalogue = self.gallery.catalogue();
        Hello {
            version: env!("CARGO_PKG_VERSION"),
            nets: &catalogue.nets,
            stockfish: catalogue.stockfish.as_deref(),
            explain: true,
            limits: Limits {
                moves: MOST_MOVES,
                pgn_bytes: LONGEST_BODY,
                pgn_nodes: MOST_NODES,
                multipv: search::MOST_LINES,
                plies: search::MOST_PLIES,
                threads: search::threads(),
                hash_mb: search::HASH,
                sessions: MOST_SESSIONS,
            },
        }
    }
}
