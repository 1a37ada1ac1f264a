//! Quiescence search: at the leaves only captures and promotions are followed (in check every move), so that the network
//! is never asked about a position in the middle of an exchange.

use super::pruning::{table_may_cut, takes_too_little};
use crate::board::{Move, Position, Wanted};
use crate::nets::Evaluator;
use crate::nets::score::{DRAW, MATE_FOUND, Score, mated_in};
use crate::search::Bound;
use crate::search::ordering::{MoveOrder, Picked, Picker};
use crate::search::params::{delta_margin, quiescence_moves, quiescence_quiets, quiescence_see};
use crate::search::shared::Shared;
use crate::search::tt::{Entry, short};
use crate::search::worker::Worker;

impl<E: Evaluator> Worker<E> {
    /// The score of a leaf; when not in check at least its static evaluation (stand pat).
    pub(super) fn quiescence<const PV: bool>(
        &mut self,
        shared: &Shared,
        position: &Position,
        mut alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        if PV {
            self.begin_line(ply);
        }

        // 1. The end of the search or of the game, and a draw that is in hand.
        if let Some(score) = self.ended(shared, position, ply) {
            return score;
        }
        if is_stalemate(position) {
            return self.draw_score();
        }
        if alpha < DRAW && self.can_repeat(position) {
            alpha = self.draw_score();
            if alpha >= beta {
                return alpha;
            }
        }

        // 2. The table.
        let entry = shared.table.probe(position.key(), ply);
        if let Some(entry) = entry.filter(|_| !PV)
            && entry.allows_cut(alpha, beta)
            && table_may_cut(position)
        {
            return entry.score;
        }

        // 3. Stand pat.
        let raw = self.raw_evaluation(shared, position, entry, ply);
        let evaluation = raw.map(|raw| self.corrected(position, raw, ply));
        let mut leaf = Leaf {
            position,
            ply,
            evaluation,
            alpha,
            beta,
            best: mated_in(ply),
            best_move: 0,
        };
        if let Some(corrected) = evaluation {
            leaf.best = entry.map_or(corrected, |entry| entry.improve(corrected));
            if leaf.best >= beta {
                return leaf.best;
            }
            leaf.alpha = alpha.max(leaf.best);
        }
        let original_alpha = leaf.alpha;

        // 4. Captures that do not lose material, and all moves out of check.
        let picker = self.order_noisy(position, entry, ply);
        self.follow::<PV>(shared, &mut leaf, picker);
        if self.stopped {
            return 0;
        }

        // 5. The table.
        let result = Entry {
            best: leaf.best_move,
            score: leaf.best,
            evaluation: raw,
            depth: 0,
            bound: Some(Bound::of(leaf.best, original_alpha, beta)),
            was_pv: PV || entry.is_some_and(|entry| entry.was_pv),
        };
        shared.table.store(position.key(), ply, result);
        leaf.best
    }

    /// Step 4: tries the moves of a leaf, until one fails high or the search is stopped.
    fn follow<const PV: bool>(&mut self, shared: &Shared, leaf: &mut Leaf, mut picker: Picker) {
        let Leaf { position, ply, .. } = *leaf;
        let mut tried = Tried::default();
        while let Some(picked) = picker.next(position, &self.histories) {
            if leaf.best > -MATE_FOUND
                && (is_hopeless(position, &picked, leaf.evaluation, leaf.alpha)
                    || self.is_late(position, picked.m, &tried, &picker, ply))
            {
                continue;
            }
            tried.note(picked.m);
            let mut child = *position;
            self.make(shared, &mut child, picked.m, ply);
            let score = -self.quiescence::<PV>(shared, &child, -leaf.beta, -leaf.alpha, ply + 1);
            self.unmake();
            if self.stopped {
                return;
            }
            leaf.best = leaf.best.max(score);
            if score > leaf.alpha {
                leaf.alpha = score;
                leaf.best_move = short(picked.m);
                if PV {
                    self.extend_line(ply, picked.m);
                }
                if score >= leaf.beta {
                    return;
                }
            }
        }
    }

    /// Whether a move comes so late in the order that it is not worth a look: most captures after the first few, and most
    /// quiet moves out of check.
    fn is_late(&self, position: &Position, m: Move, tried: &Tried, picker: &Picker, ply: usize) -> bool {
        if position.in_check() {
            return m.is_quiet() && tried.quiet >= quiescence_quiets();
        }
        let last = self.earlier(ply, 1).played;
        let retakes = last.is_some_and(|last| last.to() == m.to());
        tried.all >= quiescence_moves()
            && m.promoted().is_none()
            && !retakes
            && !picker.gives_check(position, m)
    }

    /// The moves of a leaf in their order.
    fn order_noisy(&self, position: &Position, entry: Option<Entry>, ply: usize) -> Picker {
        let wanted = match position.in_check() {
            true => Wanted::All,
            false => Wanted::Noisy,
        };
        let order = MoveOrder {
            table_move: entry.map_or(0, |entry| entry.best),
            ..MoveOrder::of(wanted)
        };
        Picker::new(order, self.context_of_leaf(position, ply))
    }
}

/// Whether the game ends in stalemate; looked for only where nothing but king and pawns could move, elsewhere it is too rare.
#[inline]
fn is_stalemate(position: &Position) -> bool {
    !position.has_pieces(position.side_to_move()) && !position.in_check() && !position.has_moves()
}

/// A leaf whose moves are tried.
struct Leaf<'a> {
    position: &'a Position,
    /// Plies from the root.
    ply: usize,
    /// The static evaluation; `None` in check.
    evaluation: Option<Score>,
    alpha: Score,
    beta: Score,
    /// The best score so far; at first what standing pat is worth.
    best: Score,
    /// The move that raised alpha last, in the table's short form; 0 for none.
    best_move: u16,
}

/// How many moves a leaf has tried.
#[derive(Default)]
struct Tried {
    all: i32,
    quiet: i32,
}

impl Tried {
    fn note(&mut self, m: Move) {
        self.all += 1;
        self.quiet += m.is_quiet() as i32;
    }
}

/// Whether a move loses more material than it may, or could not raise alpha even if nothing took back (delta pruning).
fn is_hopeless(position: &Position, picked: &Picked, evaluation: Option<Score>, alpha: Score) -> bool {
    let cannot_reach =
        |evaluation: Score| takes_too_little(position, picked.m, evaluation + delta_margin(), alpha);
    let loses = !picked.is_good && !position.see_at_least(picked.m, quiescence_see());
    loses || evaluation.is_some_and(cannot_reach)
}
