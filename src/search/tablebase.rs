//! Endgame tablebases in the search: when they are asked, and what they say of the root.

use super::root::RootMove;
use super::{Bound, Game, Settings};
use crate::board::Move;
use crate::nets::score::{DRAW, INFINITE, Score, is_mate, tablebase_loss, tablebase_win};
use crate::tablebases::{Tablebases, Wdl};
use std::sync::Arc;

/// Positions with more pieces have no tables.
pub const MOST_PIECES: u32 = 7;

/// The tables, and when to ask them.
#[derive(Clone, Debug)]
pub struct TablebaseSettings {
    /// The tables.
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
    /// The scores of the root's moves.
    root: Vec<(Move, Score)>,
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
        let scores = ranking
            .moves
            .iter()
            .map(|ranked| (ranked.m, score(ranked.wdl, 0)));
        Probing {
            tables: (!ranking.by_distance).then_some((tables, most_pieces)),
            root: scores.collect(),
            root_hits,
        }
    }

    /// The score of a root move as it is told: that of the tables where they know the move and the search found no mate.
    pub fn told(&self, root_move: &RootMove) -> Score {
        let searched = root_move.last_score();
        let known = self.root.iter().find(|(m, _)| *m == root_move.first);
        match known {
            Some(&(_, known)) if !is_mate(searched) => known,
            _ => searched,
        }
    }
}

/// What the tables prove of a node.
#[derive(Clone, Copy)]
pub struct Proof {
    /// The score.
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
