//! The moves of the root: their scores and lines, and in which order the next iteration searches them.

use super::{Bound, Line};
use crate::board::Move;
use crate::nets::score::{INFINITE, MAX_PLY, Score};
use std::cmp::Reverse;

/// A root move and what is known of it.
#[derive(Clone, Debug)]
pub struct RootMove {
    pub first: Move,
    /// Its rank by endgame tablebases, greater for better moves; the same for all moves without them.
    pub rank: i32,
    /// Its score in this iteration; -[`INFINITE`] when it has only an upper bound or was not searched yet.
    pub score: Score,
    /// How far the score can be trusted.
    pub bound: Bound,
    /// The score of the iteration before.
    pub previous: Score,
    /// The best line that begins with it.
    pub line: Line,
    /// Nodes searched below it, over all iterations.
    pub nodes: u64,
    /// The longest line looked at below it, in plies.
    pub selective_depth: usize,
}

impl RootMove {
    fn new((first, rank): (Move, i32)) -> RootMove {
        RootMove {
            first,
            rank,
            score: -INFINITE,
            bound: Bound::Exact,
            previous: -INFINITE,
            line: Line::from_iter([first]),
            nodes: 0,
            selective_depth: 0,
        }
    }

    /// The score of this iteration, or of the one before where this one has only a bound or nothing yet.
    pub fn last_score(&self) -> Score {
        if self.score == -INFINITE {
            self.previous
        } else {
            self.score
        }
    }
}

/// What a search of one root move found.
pub struct RootResult<'a> {
    pub score: Score,
    /// What the score proves.
    pub bound: Bound,
    /// The line that follows the move.
    pub below: &'a [Move],
    /// Nodes that it took.
    pub nodes: u64,
    /// The longest line looked at, in plies.
    pub selective_depth: usize,
    /// Whether it is the first move searched in this iteration.
    pub is_first: bool,
}

/// All root moves, the best first: by rank, and by score where the rank is the same. With several lines (MultiPV) those
/// before [`RootMoves::line`] are settled.
#[derive(Clone, Debug, Default)]
pub struct RootMoves {
    moves: Vec<RootMove>,
    line: usize,
}

impl RootMoves {
    /// The moves that the search may choose from, with their ranks, the highest rank first.
    pub fn new(moves: &[(Move, i32)]) -> RootMoves {
        RootMoves {
            moves: moves.iter().copied().map(RootMove::new).collect(),
            line: 0,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// The best move.
    ///
    /// # Panics
    /// Without any move.
    pub fn best(&self) -> &RootMove {
        &self.moves[0]
    }

    /// See [`RootMoves::best`].
    pub fn best_mut(&mut self) -> &mut RootMove {
        &mut self.moves[0]
    }

    /// The move that stands first in line `index`.
    pub fn at(&self, index: usize) -> &RootMove {
        &self.moves[index]
    }

    /// The line that is searched, 0 for the best one.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The first move of the line that is searched.
    pub fn current(&self) -> &RootMove {
        &self.moves[self.line]
    }

    /// The moves that the line being searched may choose from: those that are left of the highest rank.
    pub fn choices(&self) -> &[RootMove] {
        let left = &self.moves[self.line..];
        let rank = left.first().map_or(0, |first| first.rank);
        &left[..left.partition_point(|root_move| root_move.rank == rank)]
    }

    /// Whether the line being searched may choose this move: it was asked for and is not the first of a better line.
    pub fn is_choice(&self, m: Move) -> bool {
        self.choices().iter().any(|root_move| root_move.first == m)
    }

    /// Begins an iteration: the scores become those of the iteration before.
    pub fn begin_iteration(&mut self) {
        for root_move in &mut self.moves {
            root_move.previous = root_move.score;
        }
    }

    /// Chooses the line that is searched next.
    pub fn begin_line(&mut self, line: usize) {
        self.line = line;
    }

    /// Orders the moves of the line that is searched by their scores, equals as they stood.
    pub fn sort_choices(&mut self) {
        self.moves[self.line..].sort_by_key(|root_move| Reverse((root_move.rank, root_move.score)));
    }

    /// Orders the lines up to the one that is searched by their scores.
    pub fn sort_lines(&mut self) {
        self.moves[..=self.line].sort_by_key(|root_move| Reverse((root_move.rank, root_move.score)));
    }

    /// Orders all moves by what is known of them, where an iteration ended before all of its lines were searched.
    pub fn sort_by_last(&mut self) {
        self.moves
            .sort_by_key(|root_move| Reverse((root_move.rank, root_move.last_score())));
    }

    /// Puts a move first.
    pub fn put_first(&mut self, m: Move) {
        if let Some(place) = self.moves.iter().position(|root_move| root_move.first == m) {
            self.moves[..=place].rotate_right(1);
        }
    }

    /// Puts a move first whose score and line are proved.
    pub fn prove(&mut self, line: &[Move], score: Score) {
        self.put_first(line[0]);
        let best = self.best_mut();
        best.score = score;
        best.bound = Bound::Exact;
        best.selective_depth = line.len();
        best.line = line.iter().copied().take(MAX_PLY).collect();
    }

    /// Notes what a search of a move found. A move that did not beat the best has only an upper bound, which says nothing
    /// that could order it, unless it is the first.
    pub fn note(&mut self, m: Move, result: &RootResult) {
        let Some(root_move) = self.moves.iter_mut().find(|root_move| root_move.first == m) else {
            return;
        };
        root_move.nodes += result.nodes;
        if result.is_first || result.bound != Bound::Upper {
            root_move.score = result.score;
            root_move.bound = result.bound;
            root_move.selective_depth = result.selective_depth;
            root_move.line.clear();
            root_move.line.push(m);
            root_move
                .line
                .extend(result.below.iter().copied().take(MAX_PLY - 1));
        } else {
            root_move.score = -INFINITE;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    #[test]
    fn the_moves_before_one_that_is_put_first_keep_their_order() {
        let moves: Vec<Move> = Position::default().legal_moves().into_iter().take(4).collect();
        let ranked: Vec<(Move, i32)> = moves.iter().map(|&m| (m, 0)).collect();
        let mut root = RootMoves::new(&ranked);
        root.put_first(moves[2]);
        let order: Vec<Move> = (0..4).map(|place| root.at(place).first).collect();
        assert_eq!(order, [moves[2], moves[0], moves[1], moves[3]]);
    }
}
