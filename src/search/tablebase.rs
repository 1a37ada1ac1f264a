//! Endgame tablebases in the search: when they are asked, and what they say of the root.

use super::root::RootMove;
use super::{Bound, Game, Settings};
use crate::board::Move;
use crate::nets::score::{DRAW, INFINITE, Score, is_mate, tablebase_loss, tablebase_win};
use crate::tablebases::{RankedMove, Tablebases, Wdl};
use std::sync::Arc;

/// Positions with more pieces have no tables.
pub const MOST_PIECES: u32 = 7;

/// The tables, and when to ask them.
#[derive(Clone, Debug)]
pub struct TablebaseSettings {
    pub tables: Option<Arc<Tablebases>>,
    /// Nodes of fewer plies do not ask about positions with as many pieces as tables have.
    pub probe_depth: u32,
    /// Positions with more pieces are not asked about.
    pub most_pieces: u32,
    /// Whether fifty moves without a capture or pawn move are a draw.
    pub fifty_moves: bool,
}

impl Default for TablebaseSettings {
    fn default() -> TablebaseSettings {
        TablebaseSettings {
            tables: None,
            probe_depth: 1,
            most_pieces: MOST_PIECES,
            fifty_moves: true,
        }
    }
}

impl TablebaseSettings {
    /// The tables and the most pieces to ask about.
    fn usable(&self) -> Option<(&Tablebases, u32)> {
        let tables = self.tables.as_deref()?;
        Some((tables, self.most_pieces.min(tables.most_pieces())))
    }
}

/// What the tables say of the root, and what the search may ask them.
#[derive(Default)]
pub struct Probing<'a> {
    /// To be asked in the search, with the most pieces; not where the root's moves are known by distance, for then only
    /// mates are left to find.
    pub tables: Option<(&'a Tablebases, u32)>,
    /// The moves of the root, the best first.
    root: Vec<RankedMove>,
    /// Moves of the root that were looked up.
    pub root_hits: u64,
}

impl<'a> Probing<'a> {
    /// Asks about the root, and leaves of its moves only the best, as many as lines are wanted and those as good.
    pub fn begin(game: &Game, settings: &'a Settings, root_moves: &mut Vec<Move>) -> Probing<'a> {
        let tables = settings.tablebases.usable().filter(|_| settings.look_ahead == 0);
        let Some((tables, most_pieces)) = tables else {
            return Probing::default();
        };
        let few = game.position.occupied().count() <= most_pieces;
        let ranking =
            few.then(|| tables.rank(&game.position, &game.history, settings.tablebases.fifty_moves));
        let Some(Some(mut ranking)) = ranking else {
            return Probing {
                tables: Some((tables, most_pieces)),
                ..Probing::default()
            };
        };
        let root_hits = ranking.moves.len() as u64;
        ranking.moves.retain(|ranked| root_moves.contains(&ranked.m));
        if let Some(last) = ranking
            .moves
            .get(settings.multi_pv.max(1) - 1)
            .or(ranking.moves.last())
        {
            let least = last.rank;
            ranking.moves.retain(|ranked| ranked.rank >= least);
        }
        *root_moves = ranking.moves.iter().map(|ranked| ranked.m).collect();
        Probing {
            tables: (!ranking.by_distance).then_some((tables, most_pieces)),
            root: ranking.moves,
            root_hits,
        }
    }

    /// The rank of a move of the root; 0 where the tables do not know the root.
    pub fn rank(&self, m: Move) -> i32 {
        self.ranked(m).map_or(0, |ranked| ranked.rank)
    }

    /// The score of a root move as it is told: that of the tables where they know the move and the search found no mate.
    pub fn told(&self, root_move: &RootMove) -> Score {
        let searched = root_move.last_score();
        match self.known(root_move.first) {
            Some(known) if !is_mate(searched) || searched == -INFINITE => known,
            _ => searched,
        }
    }

    /// The score of a move of the root by the tables, whatever the search found.
    pub fn known(&self, m: Move) -> Option<Score> {
        self.ranked(m).map(|ranked| score(ranked.wdl, 0))
    }

    /// Whether the tables prove that a move of the root leads to a draw, perhaps by the fifty-move rule.
    pub fn is_drawn(&self, m: Move) -> bool {
        let decides = |ranked: &RankedMove| matches!(ranked.wdl, Wdl::Win | Wdl::Loss);
        self.ranked(m).is_some_and(|ranked| !decides(ranked))
    }

    fn ranked(&self, m: Move) -> Option<&RankedMove> {
        self.root.iter().find(|ranked| ranked.m == m)
    }
}

/// What the tables prove of a node.
#[derive(Clone, Copy)]
pub struct Proof {
    pub score: Score,
    /// How far it can be trusted: a mate may still be found in a position that is won or lost.
    pub bound: Bound,
}

impl Proof {
    /// The proof that a result is, `ply` plies from the root.
    pub fn of(wdl: Wdl, ply: usize) -> Proof {
        let bound = match wdl {
            Wdl::Win => Bound::Lower,
            Wdl::Loss => Bound::Upper,
            _ => Bound::Exact,
        };
        Proof {
            score: score(wdl, ply),
            bound,
        }
    }

    /// Whether it decides a search with this window.
    pub fn decides(self, alpha: Score, beta: Score) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        }
    }

    /// The least and the greatest score that a node with this proof can have.
    pub fn limits(self) -> (Score, Score) {
        match self.bound {
            Bound::Lower => (self.score, INFINITE),
            Bound::Upper => (-INFINITE, self.score),
            Bound::Exact => (self.score, self.score),
        }
    }
}

/// The score of a result `ply` plies from the root. What the fifty-move rule spoils is a draw with a hint.
fn score(wdl: Wdl, ply: usize) -> Score {
    match wdl {
        Wdl::Win => tablebase_win(ply),
        Wdl::CursedWin => DRAW + 1,
        Wdl::Draw => DRAW,
        Wdl::BlessedLoss => DRAW - 1,
        Wdl::Loss => tablebase_loss(ply),
    }
}
