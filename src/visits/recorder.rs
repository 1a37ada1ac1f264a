//! An evaluator that keeps some of the positions that it is asked for.

use crate::board::{Changes, Position};
use crate::data::record::Origin;
use crate::data::{Hint, Label, NO_HINT, Record};
use crate::nets::{Evaluator, Score};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

/// Which of the evaluated positions are kept.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Drawing {
    /// One in so many is kept.
    pub one_in: u32,
    /// Of those whose label says that the game is decided, fewer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thin: Option<Thinning>,
}

/// Which labels make a position less worth keeping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Thinning {
    /// Those beyond ± this many centipawns.
    pub beyond: u16,
    /// Of which one in so many is kept.
    pub one_in: u32,
}

/// The score of the position that the search stands at, and what else is known of it.
pub type Answer<E> = fn(&mut E, &Position) -> (Score, Option<(Label, Hint)>);

/// What was kept, in the order in which it was asked for.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// The positions, with labels if those are known.
    pub records: Vec<Record>,
    /// The hints of the records.
    pub hints: Vec<Hint>,
}

/// Passes every question on to another evaluator, and keeps some of the positions. Only those of single questions: batches
/// are asked for by plain look-ahead, which no visit makes.
#[derive(Clone)]
pub struct Recorder<E> {
    evaluator: E,
    answer: Answer<E>,
    drawing: Drawing,
    rng: ChaCha8Rng,
    kept: Kept,
}

impl<E> Recorder<E> {
    /// Keeps positions drawn at random, with what `answer` says of them.
    pub fn new(evaluator: E, answer: Answer<E>, drawing: Drawing) -> Recorder<E> {
        Recorder {
            evaluator,
            answer,
            drawing,
            rng: ChaCha8Rng::seed_from_u64(0),
            kept: Kept::default(),
        }
    }

    /// Forgets what was kept, and draws from this seed on.
    pub fn begin(&mut self, seed: u64) {
        self.rng = ChaCha8Rng::seed_from_u64(seed);
        self.kept = Kept::default();
    }

    /// What was kept since [`Recorder::begin`].
    pub fn take(&mut self) -> Kept {
        std::mem::take(&mut self.kept)
    }

    fn keep(&mut self, position: &Position, known: Option<(Label, Hint)>) {
        let mut record = Record::new(position).with_origin(Origin::Sample);
        let mut hint = NO_HINT;
        if let Some((label, known)) = known {
            if let Some(thin) = self.drawing.thin
                && label.encode().unsigned_abs() > thin.beyond
                && !self.rng.random_ratio(1, thin.one_in)
            {
                return;
            }
            record = record.with_label(label);
            hint = known;
        }
        self.kept.records.push(record);
        self.kept.hints.push(hint);
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
        if !self.rng.random_ratio(1, self.drawing.one_in) {
            return self.evaluator.evaluate(position);
        }
        let (score, known) = (self.answer)(&mut self.evaluator, position);
        self.keep(position, known);
        score
    }

    fn evaluate_batch(&mut self, positions: &[Position], scores: &mut Vec<Score>) {
        self.evaluator.evaluate_batch(positions, scores);
    }

    fn batch_size(&self) -> usize {
        self.evaluator.batch_size()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An evaluator that knows every position to be worth this much.
    #[derive(Clone)]
    struct Sure(i32);

    impl Evaluator for Sure {
        fn refresh(&mut self, _: &Position) {}

        fn push(&mut self, _: Changes) {}

        fn pop(&mut self) {}

        fn evaluate(&mut self, _: &Position) -> Score {
            self.0
        }

        fn evaluate_batch(&mut self, positions: &[Position], scores: &mut Vec<Score>) {
            scores.extend(positions.iter().map(|_| self.0));
        }
    }

    #[test]
    fn only_what_lies_beyond_the_bound_is_thinned() {
        let drawing = Drawing {
            one_in: 1,
            thin: Some(Thinning {
                beyond: 600,
                one_in: 4,
            }),
        };
        let kept = |score| {
            let answer = |sure: &mut Sure, _: &Position| (sure.0, Some((Label::centipawns(sure.0), NO_HINT)));
            let mut recorder = Recorder::new(Sure(score), answer, drawing);
            recorder.begin(7);
            for _ in 0..400 {
                recorder.evaluate(&Position::default());
            }
            recorder.take().records.len()
        };
        assert_eq!([kept(0), kept(600), kept(-600)], [400; 3]);
        for score in [601, -601] {
            assert!((70..130).contains(&kept(score)), "{}", kept(score));
        }
    }
}
