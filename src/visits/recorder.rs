//! An evaluator that keeps some of the positions that it is asked for.

use crate::board::{Changes, Position};
use crate::data::Record;
use crate::data::record::Origin;
use crate::nets::{Evaluator, Score};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Passes every question on to another evaluator, and keeps one position in so many.
#[derive(Clone)]
pub struct Recorder<E> {
    evaluator: E,
    one_in: u32,
    rng: ChaCha8Rng,
    kept: Vec<Record>,
}

impl<E> Recorder<E> {
    /// Keeps one position in `one_in`, which must not be 0, drawn at random.
    pub fn new(evaluator: E, one_in: u32) -> Recorder<E> {
        Recorder {
            evaluator,
            one_in,
            rng: ChaCha8Rng::seed_from_u64(0),
            kept: Vec::new(),
        }
    }

    /// Forgets what was kept, and draws from this seed on.
    pub fn begin(&mut self, seed: u64) {
        self.rng = ChaCha8Rng::seed_from_u64(seed);
        self.kept.clear();
    }

    /// The positions kept since [`Recorder::begin`], in the order in which they were asked for.
    pub fn take(&mut self) -> Vec<Record> {
        std::mem::take(&mut self.kept)
    }

    fn note(&mut self, position: &Position) {
        if self.rng.random_ratio(1, self.one_in) {
            self.kept.push(Record::new(position).with_origin(Origin::Sample));
        }
    }
}

impl<E: Evaluator> Evaluator for Recorder<E> {
    fn refresh(&mut self, position: &Position) {
        self.evaluator.refresh(position);
    }

    fn push(&mut self, changes: Changes) {
        self.evaluator.push(changes);
    }

    fn pop(&mut self) {
        self.evaluator.pop();
    }

    fn evaluate(&mut self, position: &Position) -> Score {
        self.note(position);
        self.evaluator.evaluate(position)
    }

    fn evaluate_batch(&mut self, positions: &[Position], scores: &mut Vec<Score>) {
        for position in positions {
            self.note(position);
        }
        self.evaluator.evaluate_batch(positions, scores);
    }

    fn batch_size(&self) -> usize {
        self.evaluator.batch_size()
    }
}
