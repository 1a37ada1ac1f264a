//! Endgame tablebases inside the search: the results of positions that a capture or pawn move leads to.

use super::node::Node;
use crate::board::CastlingRights;
use crate::nets::Evaluator;
use crate::nets::score::MAX_PLY;
use crate::search::shared::Shared;
use crate::search::tablebase::Proof;
use crate::search::tt::Entry;
use crate::search::worker::Worker;
use std::sync::atomic::Ordering::Relaxed;

/// A result from a table is worth so many plies of search more than the node would have got.
const EXTRA_DEPTH: i32 = 6;

impl<E: Evaluator> Worker<E> {
    /// What the tables prove of a node after the root. They are asked after captures and pawn moves only, for their results
    /// hold for a clock that begins anew.
    #[inline]
    pub(super) fn ask_tablebases(&mut self, shared: &Shared, node: &Node) -> Option<Proof> {
        let (tables, most_pieces) = shared.probing.tables?;
        let Node {
            position, ply, depth, ..
        } = *node;
        let pieces = position.occupied().count();
        let wanted = pieces < most_pieces
            || pieces == most_pieces && depth >= shared.settings.tablebases.probe_depth as i32;
        if !wanted
            || ply == 0
            || position.halfmove_clock() != 0
            || position.castling() != CastlingRights::NONE
        {
            return None;
        }
        let mut wdl = tables.wdl(position)?;
        shared.tablebase_hits.fetch_add(1, Relaxed);
        if !shared.settings.tablebases.fifty_moves {
            wdl = wdl.without_fifty_moves();
        }
        Some(Proof::of(wdl, ply))
    }

    /// Writes a proof that cuts a node off to the transposition table.
    pub(super) fn remember_proof(&self, shared: &Shared, node: &Node, proof: Proof) {
        let entry = Entry {
            best: 0,
            score: proof.score,
            evaluation: None,
            depth: (node.depth + EXTRA_DEPTH).min(MAX_PLY as i32 - 1),
            bound: Some(proof.bound),
            was_pv: false,
        };
        shared.table.store(node.position.key(), node.ply, entry);
    }
}
