//! One thread of the search: what it carries from node to node, and making and taking back moves.

use super::correction::Corrections;
use super::history::{Context, Histories, LOOK_BACK, PieceTo};
use super::ordering::{MoveOrder, Picker};
use super::root::{RootMoves, RootResult};
use super::shared::Shared;
use super::tt::Entry;
use super::{Bound, Game, Line};
use crate::board::{Changes, Move, Position, Wanted, attacks, cycles};
use crate::nets::Evaluator;
use crate::nets::score::{DRAW, INFINITE, MAX_PLY, Score};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Frames before the root, so that a node may look back without asking whether anything is there.
const BEFORE_ROOT: usize = 6;
/// Reading the clock this often costs nothing that can be measured and is exact enough for the shortest games.
const POLL_EVERY: Duration = Duration::from_micros(500);
/// At most so many nodes between two looks at the clock.
const LONGEST_POLL: u64 = 1_024;

/// How often a long search tells how far it is.
const PROGRESS_EVERY: Duration = Duration::from_secs(1);

/// The first iteration may go on for so long, ten times what it takes with the incremental network.
const FIRST_MOMENT: Duration = Duration::from_millis(5);
/// It may also search so many nodes, about what it needs, in case a busy machine spends that moment on something else; but
/// not with a network that needs longer than that moment for them, which might lose on time.
const FIRST_NODES: u64 = 64;
/// After so many looks at the clock it is known what an evaluation costs at least.
const FIRST_POLLS: u32 = 3;
/// Where time counts, a batch of evaluations is so small that it takes no longer.
const BATCH_TIME: Duration = Duration::from_millis(30);

/// What a node leaves for its children and its parent.
#[derive(Clone, Default)]
pub struct Frame {
    /// The move that is being searched here; `None` for a null move.
    pub played: Option<Move>,
    /// What the histories of this node's quiet moves depend on.
    pub context: Context,
    /// The corrected evaluation; `None` in check.
    pub evaluation: Option<Score>,
    /// A quiet move that failed high in a sibling (killer heuristic).
    pub killer: Option<Move>,
    /// The move left out by a singular test.
    pub excluded: Option<Move>,
    /// Whether the node is or was on the principal variation.
    pub was_pv: bool,
    /// Plies by which the child that is being searched was reduced as a late move.
    pub reduction: i32,
    /// How many moves were searched here before the one that is being searched.
    pub tried: usize,
    /// How many nodes of this ply failed high since the node two plies above began.
    pub cutoffs: u32,
    /// The best line found from here.
    pub line: Line,
}

/// A search that makes sure that a node fails high without a null move, too.
#[derive(Clone, Copy, Default)]
pub struct Verification {
    /// The ply of that node, which must be decided by its moves.
    pub root: Option<usize>,
    /// No null move is tried before this ply.
    pub end: usize,
}

/// One thread's state; histories stay from search to search until the pool is cleared.
pub struct Worker<E> {
    pub id: usize,
    pub evaluator: E,
    pub histories: Histories,
    pub corrections: Corrections,
    pub root: RootMoves,
    /// Plies of the current iteration.
    pub iteration: i32,
    /// The width of the window in which the root is searched.
    pub root_window: Score,
    /// The deepest iteration that was completed.
    pub completed: i32,
    pub nodes: u64,
    /// Positions that the network evaluated.
    pub evaluations: u64,
    pub selective_depth: usize,
    /// The verification of a null move that is under way.
    pub verification: Verification,
    /// The place in `keys` of the oldest position that may come again.
    pub oldest_key: usize,
    /// The search is over; every score on the way back up is void.
    pub stopped: bool,
    frames: Vec<Frame>,
    /// Keys of the game's positions and of the line to this node, this node's own last.
    keys: Vec<u64>,
    /// Where the root's key is in `keys`.
    root_key: usize,
    next_poll: u64,
    poll_interval: u64,
    last_poll: Instant,
    /// So many nodes it may search before it asks for more.
    granted_end: u64,
    /// Evaluations at the last look at the clock.
    polled_evaluations: u64,
    /// Looks at the clock since which the network was asked.
    polls: u32,
    /// The least time that an evaluation took.
    evaluation_cost: Duration,
    /// Whether the network needs longer than [`FIRST_MOMENT`] for [`FIRST_NODES`]; known from search to search, because the
    /// next one may begin with nothing but positions of the table.
    is_slow: bool,
    /// What an evaluation of a slow network takes, from search to search; zero for a fast one.
    pub usual_cost: Duration,
    /// What an evaluation took in the last batch.
    batch_cost: Duration,
    last_progress: Instant,
}

impl<E: Evaluator> Worker<E> {
    pub fn new(id: usize, evaluator: E) -> Worker<E> {
        Worker {
            id,
            histories: Histories::default(),
            corrections: Corrections::default(),
            root: RootMoves::default(),
            iteration: 0,
            root_window: 2 * INFINITE,
            completed: 0,
            nodes: 0,
            evaluations: 0,
            selective_depth: 0,
            verification: Verification::default(),
            oldest_key: 0,
            stopped: false,
            frames: vec![Frame::default(); MAX_PLY + BEFORE_ROOT + 2],
            keys: Vec::new(),
            root_key: 0,
            next_poll: 0,
            poll_interval: 1,
            last_poll: Instant::now(),
            granted_end: 0,
            polled_evaluations: 0,
            polls: 0,
            evaluation_cost: Duration::MAX,
            // networks that gain by batches are the slow ones
            is_slow: evaluator.batch_size() > 1,
            usual_cost: Duration::ZERO,
            batch_cost: Duration::ZERO,
            last_progress: Instant::now(),
            evaluator,
        }
    }

    /// Prepares for a search of `game` over the given root moves, with their ranks.
    pub fn begin(&mut self, game: &Game, root_moves: &[(Move, i32)]) {
        self.root = RootMoves::new(root_moves);
        self.histories.begin_search();
        self.iteration = 0;
        self.completed = 0;
        self.nodes = 0;
        self.evaluations = 0;
        self.verification = Verification::default();
        self.oldest_key = 0;
        self.stopped = false;
        self.frames.fill(Frame::default());
        self.keys.clear();
        self.keys.extend_from_slice(&game.history);
        self.root_key = self.keys.len();
        self.keys.push(game.position.key());
        self.next_poll = 0;
        self.granted_end = 0;
        self.poll_interval = 1;
        self.last_poll = Instant::now();
        self.polled_evaluations = 0;
        self.polls = 0;
        self.evaluation_cost = Duration::MAX;
        self.last_progress = self.last_poll;
        self.evaluator.refresh(&game.position);
    }

    /// Notes what the search of a root move found, whose line the frame after the root holds.
    pub fn note_root(&mut self, m: Move, score: Score, bound: Bound, is_first: bool, nodes: u64) {
        let result = RootResult {
            score,
            bound,
            below: &self.frames[BEFORE_ROOT + 1].line,
            nodes,
            selective_depth: self.selective_depth,
            is_first,
        };
        self.root.note(m, &result);
    }

    /// If the search ended before it found a score, takes the move that it was looking at or would have looked at, the first
    /// in its order, and gives it the network's score of the root. Where the clock leaves no time for a slow network, the
    /// score says nothing.
    pub fn settle(&mut self, shared: &Shared) {
        if self.root.best().last_score() != -INFINITE {
            return;
        }
        let position = &shared.game.position;
        let entry = shared.table.probe(position.key(), 0);
        let first = self.frame(0).played;
        if let Some(m) = first.or_else(|| self.first_in_order(position, entry)) {
            self.root.put_first(m);
        }
        // a slow network is not asked twice
        let known = entry.and_then(|entry| entry.evaluation);
        let is_late = self.is_slow && shared.clock.is_over_in(self.usual_cost);
        self.root.best_mut().score = match (position.in_check(), known) {
            (true, _) => DRAW,
            (false, Some(known)) => known,
            (false, None) if is_late => DRAW,
            (false, None) => {
                self.evaluator.refresh(position);
                self.ask(position)
            }
        };
    }

    /// The root move that a search would look at first.
    fn first_in_order(&mut self, position: &Position, entry: Option<Entry>) -> Option<Move> {
        let order = MoveOrder {
            table_move: entry.map_or(0, |entry| entry.best),
            ..MoveOrder::of(Wanted::All)
        };
        let mut picker = Picker::new(order, self.context(position, 0));
        std::iter::from_fn(|| picker.next(position, &self.histories))
            .map(|picked| picked.m)
            .find(|&m| self.root.is_choice(m))
    }

    /// The frame of a node.
    pub fn frame(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + BEFORE_ROOT]
    }

    /// The frame `plies` before this one, empty before the root.
    pub fn earlier(&self, ply: usize, plies: usize) -> &Frame {
        &self.frames[ply + BEFORE_ROOT - plies]
    }

    /// Piece and target of the move `plies` plies ago.
    pub fn move_before(&self, ply: usize, plies: usize) -> PieceTo {
        PieceTo::of(self.earlier(ply, plies).played)
    }

    /// What the histories of a node's quiet moves depend on.
    pub fn context(&self, position: &Position, ply: usize) -> Context {
        Context::new(position, ply, LOOK_BACK.map(|plies| self.move_before(ply, plies)))
    }

    /// The same for quiescence, which asks about quiet moves only in check.
    pub fn context_of_leaf(&self, position: &Position, ply: usize) -> Context {
        if position.in_check() {
            self.context(position, ply)
        } else {
            Context::default()
        }
    }

    /// Makes a move at `ply`, on a copy of the node's position, and follows it with everything that is kept up to date.
    #[inline]
    pub fn make(&mut self, shared: &Shared, position: &mut Position, m: Move, ply: usize) {
        shared.table.prefetch(position.key_after(m));
        let changes = position.make(m);
        self.evaluator.push(changes);
        self.keys.push(position.key());
        self.frame(ply).played = Some(m);
        self.count_node(shared);
    }

    /// Makes a null move at `ply`.
    pub fn make_null(&mut self, shared: &Shared, position: &Position, ply: usize) -> Position {
        let mut child = *position;
        child.make_null();
        self.evaluator.push(Changes::default());
        self.keys.push(child.key());
        self.frame(ply).played = None;
        self.count_node(shared);
        child
    }

    /// Positions before this one count as repetitions no longer; returns the `oldest_key` to set when they do again.
    pub fn repeat_nothing_before(&mut self) -> usize {
        std::mem::replace(&mut self.oldest_key, self.keys.len() - 1)
    }

    /// Takes the last move back.
    #[inline]
    pub fn unmake(&mut self) {
        self.evaluator.pop();
        self.keys.pop();
    }

    #[inline]
    pub fn count_node(&mut self, shared: &Shared) {
        self.nodes += 1;
        shared.nodes[self.id].0.store(self.nodes, Relaxed);
    }

    /// Begins a node on the principal variation: with an empty line.
    #[inline]
    pub fn begin_line(&mut self, ply: usize) {
        self.frame(ply).line.clear();
        self.selective_depth = self.selective_depth.max(ply);
    }

    /// Puts a move before the line of the node below.
    pub fn extend_line(&mut self, ply: usize, m: Move) {
        let (upper, lower) = self.frames.split_at_mut(ply + BEFORE_ROOT + 1);
        let line = &mut upper[ply + BEFORE_ROOT].line;
        line.clear();
        line.push(m);
        line.extend(lower[0].line.iter().copied().take(MAX_PLY - 1));
    }

    /// Whether the search is over. The clock is read about twice a millisecond, however fast the nodes are; node limits are
    /// exact.
    #[inline]
    pub fn is_over(&mut self, shared: &Shared) -> bool {
        if self.stopped {
            return true;
        }
        if self.nodes >= self.next_poll {
            self.poll(shared);
        }
        self.stopped
    }

    #[cold]
    fn poll(&mut self, shared: &Shared) {
        let now = Instant::now();
        let spent = now - self.last_poll;
        if self.evaluations > self.polled_evaluations {
            let evaluations = u32::try_from(self.evaluations - self.polled_evaluations).unwrap_or(u32::MAX);
            let cost = spent / evaluations;
            self.evaluation_cost = self.evaluation_cost.min(cost);
            self.polls += 1;
            self.is_slow |=
                self.polls >= FIRST_POLLS && self.evaluation_cost > FIRST_MOMENT / FIRST_NODES as u32;
            if self.is_slow {
                self.usual_cost = match self.usual_cost.is_zero() {
                    true => cost,
                    false => (7 * self.usual_cost + cost) / 8,
                };
            }
        }
        // a move that was not looked at may lose the game, but so does a clock that runs out
        let beginning = self.completed == 0
            && (self.nodes < FIRST_NODES && !self.is_slow
                || shared.clock.elapsed() + self.usual_cost < FIRST_MOMENT);
        self.stopped = !beginning && shared.must_stop(self.usual_cost);
        if spent < POLL_EVERY {
            self.poll_interval = (self.poll_interval * 2).min(LONGEST_POLL);
        } else if spent > 2 * POLL_EVERY {
            self.poll_interval = (self.poll_interval / 2).max(1);
        }
        self.last_poll = now;
        self.polled_evaluations = self.evaluations;
        if self.nodes >= self.granted_end {
            let granted = shared.grant(self.poll_interval);
            self.granted_end = self.nodes + granted;
            self.stopped |= granted == 0;
        }
        self.next_poll = self.granted_end.min(self.nodes + self.poll_interval);
        if self.id == 0 && now - self.last_progress >= PROGRESS_EVERY {
            self.last_progress = now;
            self.tell_progress(shared);
        }
    }

    /// The most positions for a batch of evaluations.
    pub fn batch_size(&self, shared: &Shared) -> usize {
        let full = self.evaluator.batch_size();
        if !shared.is_timed() || self.batch_cost.is_zero() {
            return full;
        }
        let fits = BATCH_TIME.as_nanos() / self.batch_cost.as_nanos();
        full.min(fits as usize).max(1)
    }

    /// Has the network evaluate a batch of positions.
    pub fn ask_all(&mut self, positions: &[Position], scores: &mut Vec<Score>) {
        let start = Instant::now();
        self.evaluations += positions.len() as u64;
        self.evaluator.evaluate_batch(positions, scores);
        self.batch_cost = start.elapsed() / positions.len().max(1) as u32;
        self.next_poll = self.nodes;
    }

    /// Has the network evaluate a position.
    #[inline]
    pub fn ask(&mut self, position: &Position) -> Score {
        self.evaluations += 1;
        if self.is_slow {
            self.next_poll = self.nodes;
        }
        self.evaluator.evaluate(position)
    }

    /// Whether the game is drawn here: by the fifty-move rule, by material, or by a position that came before. One
    /// repetition inside the search is enough, for what could be gained by another round can be gained at once.
    pub fn is_draw(&self, position: &Position) -> bool {
        let clock = position.halfmove_clock() as usize;
        if clock >= 100 && (!position.in_check() || position.has_moves()) {
            return true;
        }
        position.insufficient_material() || self.is_repetition(position.key(), clock)
    }

    /// Whether the side to move can go back to a position of the tree with one reversible move, and so has a draw in hand.
    pub fn can_repeat(&self, position: &Position) -> bool {
        let here = self.keys.len() - 1;
        let oldest = self.oldest_repeatable(position.halfmove_clock() as usize);
        let oldest = oldest.max(self.root_key + 1);
        let occupied = position.occupied();
        let ours = position.of_color(position.side_to_move());
        (oldest..(here + 1).saturating_sub(3))
            .rev()
            .step_by(2)
            .any(|index| {
                cycles::squares_of(self.keys[here] ^ self.keys[index]).is_some_and(|(a, b)| {
                    (attacks::between(a, b) & occupied).is_empty() && (ours.has(a) || ours.has(b))
                })
            })
    }

    /// The place in `keys` of the oldest position that may come again with this halfmove clock.
    fn oldest_repeatable(&self, clock: usize) -> usize {
        (self.keys.len() - 1).saturating_sub(clock).max(self.oldest_key)
    }

    fn is_repetition(&self, key: u64, clock: usize) -> bool {
        let here = self.keys.len() - 1;
        let mut seen_in_game = false;
        let oldest = self.oldest_repeatable(clock);
        let mut index = here;
        while index >= oldest + 2 {
            index -= 2;
            if self.keys[index] == key {
                if index > self.root_key || seen_in_game {
                    return true;
                }
                seen_in_game = true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nothing;

    impl Evaluator for Nothing {
        fn refresh(&mut self, _: &Position) {}
        fn push(&mut self, _: Changes) {}
        fn pop(&mut self) {}
        fn evaluate(&mut self, _: &Position) -> Score {
            0
        }
        fn evaluate_batch(&mut self, positions: &[Position], scores: &mut Vec<Score>) {
            scores.resize(positions.len(), 0);
        }
    }

    fn repetition(keys: &[u64], root_key: usize, clock: usize) -> bool {
        let mut worker = Worker::new(0, Nothing);
        worker.keys = keys.to_vec();
        worker.root_key = root_key;
        worker.is_repetition(keys[keys.len() - 1], clock)
    }

    #[test]
    fn one_repetition_inside_the_search_draws_and_two_in_the_game() {
        // inside the search, after the root
        assert!(repetition(&[1, 2, 3, 4, 5, 2], 0, 99));
        // of the root or the game before it: once is not enough
        assert!(!repetition(&[1, 2, 3, 4, 1], 0, 99));
        assert!(repetition(&[1, 2, 3, 4, 1, 2, 3, 4, 1], 8, 99));
        assert!(!repetition(&[9, 2, 3, 4, 1, 2, 3, 4, 1], 8, 99));
    }

    #[test]
    fn after_a_null_move_nothing_from_before_repeats() {
        let mut worker = Worker::new(0, Nothing);
        worker.keys = vec![9, 1, 2];
        let before = worker.repeat_nothing_before();
        worker.keys.extend([1]);
        assert!(!worker.is_repetition(1, 99));
        worker.keys.extend([2]);
        assert!(worker.is_repetition(2, 99));
        worker.keys.pop();
        worker.oldest_key = before;
        assert!(worker.is_repetition(1, 99));
    }

    #[test]
    fn a_capture_or_pawn_move_ends_the_look_back() {
        assert!(!repetition(&[1, 2, 3, 4, 5, 2], 0, 3));
        assert!(!repetition(&[5], 0, 0));
    }
}
