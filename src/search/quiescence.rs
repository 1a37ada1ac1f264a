//! Quiescence: at the leaves only captures and promotions are followed (in check every move), so that the network is
//! never asked about a position in the middle of an exchange.

use super::Bound;
use super::history::victim;
use super::ordering::{Picked, Picker};
use super::params::DELTA_MARGIN;
use super::tt::{Entry, short};
use super::worker::{Shared, Worker};
use crate::board::{Position, Wanted};
use crate::nets::Evaluator;
use crate::nets::score::Score;
use crate::nets::score::{MATE_FOUND, MAX_PLY, mated_in};

/// What a captured piece may add to the score at most, by kind, in centipawns of the network's scale.
const GAIN: [Score; 6] = [150, 450, 450, 650, 1_200, 0];

impl<E: Evaluator> Worker<E> {
    /// The score of a leaf, at least as good as standing still when not in check.
    pub(super) fn quiescence<const PV: bool>(
        &mut self,
        shared: &Shared,
        position: &Position,
        mut alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        if PV {
            self.frame(ply).line.clear();
            self.selective_depth = self.selective_depth.max(ply);
        }
        // 1. the end of the search, of the game, or of the board of plies
        if self.is_over(shared) {
            return 0;
        }
        if self.is_draw(position) {
            return self.draw_score();
        }
        if ply >= MAX_PLY - 1 {
            return self.evaluation_at_the_limit(position, ply);
        }

        // 2. what the table knows
        let entry = shared.table.probe(position.key(), ply);
        if let Some(entry) = entry.filter(|_| !PV)
            && entry.allows_cut(alpha, beta)
        {
            return entry.score;
        }

        // 3. standing still
        let raw = self.raw_evaluation(shared, position, entry, ply);
        let evaluation = raw.map(|raw| self.corrected(position, raw, ply));
        let mut best = match evaluation {
            None => mated_in(ply),
            Some(corrected) => {
                let score = entry.map_or(corrected, |entry| entry.improve(corrected));
                if score >= beta {
                    return score;
                }
                alpha = alpha.max(score);
                score
            }
        };

        // 4. captures that do not lose material, and all moves out of check
        let wanted = if position.in_check() {
            Wanted::All
        } else {
            Wanted::Noisy
        };
        let table_move = entry.map_or(0, |entry| entry.best);
        let context = self.context_of_leaf(position, ply);
        let moves = position.moves(wanted);
        let mut picker = Picker::new(moves, table_move, None, context);
        let mut best_move = 0;
        let original_alpha = alpha;
        while let Some(picked) = picker.next(position, &self.histories) {
            if best > -MATE_FOUND && is_hopeless(position, &picked, evaluation, alpha) {
                continue;
            }
            let child = self.make(shared, position, picked.m, ply);
            let score = -self.quiescence::<PV>(shared, &child, -beta, -alpha, ply + 1);
            self.unmake();
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = short(picked.m);
                    if PV {
                        self.extend_line(ply, picked.m);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }

        // 5. remember
        let bound = Bound::of(best, original_alpha, beta);
        let was_pv = PV || entry.is_some_and(|entry| entry.was_pv);
        let entry = Entry {
            best: best_move,
            score: best,
            evaluation: raw,
            depth: 0,
            bound: Some(bound),
            was_pv,
        };
        shared.table.store(position.key(), ply, entry);
        best
    }
}

/// Whether a move loses material, or could not raise alpha even if nothing took back.
fn is_hopeless(position: &Position, picked: &Picked, evaluation: Option<Score>, alpha: Score) -> bool {
    let cannot_reach = |evaluation: Score| {
        picked.m.promoted().is_none()
            && evaluation + DELTA_MARGIN + GAIN[victim(position, picked.m).index()] <= alpha
    };
    !picked.is_good || evaluation.is_some_and(cannot_reach)
}
