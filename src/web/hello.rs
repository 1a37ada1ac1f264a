//! `/api/hello`: what this program is and has.

use super::board::Board;
use super::gallery::NetCard;
use super::request::LONGEST_BODY;
use super::search;
use super::sessions::MOST_SESSIONS;
use super::state::MOST_MOVES;
use crate::board::pgn::read::MOST_NODES;
use crate::engine::level::ELO;
use serde::Serialize;

/// The answer of `/api/hello`: what this program is and has.
#[derive(Serialize)]
pub struct Hello<'a> {
    version: &'static str,
    nets: &'a [NetCard],
    stockfish: Option<&'a str>,
    explain: bool,
    /// The most pieces that the endgame tablebases have; 0 without them.
    tablebases: u32,
    limits: Limits,
}

#[derive(Serialize)]
struct Limits {
    moves: usize,
    pgn_bytes: usize,
    pgn_nodes: usize,
    multipv: usize,
    plies: u32,
    elo: [u32; 2],
    threads: usize,
    hash_mb: usize,
    most_hash_mb: usize,
    sessions: usize,
}

/// `/api/hello`
pub fn hello(board: &Board) -> Hello<'_> {
    let catalogue = board.gallery.catalogue();
    Hello {
        version: env!("CARGO_PKG_VERSION"),
        nets: &catalogue.nets,
        stockfish: catalogue.stockfish.as_deref(),
        explain: true,
        tablebases: board.tables.as_ref().map_or(0, |tables| tables.most_pieces()),
        limits: Limits {
            moves: MOST_MOVES,
            pgn_bytes: LONGEST_BODY,
            pgn_nodes: MOST_NODES,
            multipv: search::MOST_LINES,
            plies: search::MOST_PLIES,
            elo: [ELO.0, ELO.1],
            threads: search::threads(),
            hash_mb: search::HASH,
            most_hash_mb: search::MOST_HASH,
            sessions: MOST_SESSIONS,
        },
    }
}
