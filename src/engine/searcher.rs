//! A search with a network of any kind behind one trait object. The search itself is compiled for each type of
//! evaluator, so that dynamic dispatch happens once per search.

use super::bench::{self, Step, Totals};
use crate::board::Position;
use crate::explain::contributions::Effort;
use crate::nets::choice::{ChoiceError, NetChoice};
use crate::nets::kind::{Backend, EvaluatorVisitor, Method};
use crate::nets::registry::{evaluator, method, with_evaluator};
use crate::nets::{Evaluator, Net, NetError, Score};
use crate::search::{Control, Game, Limits, MemoryError, Outcome, Pool, Report, Settings};
use thiserror::Error;

/// Why a searcher cannot be made.
#[derive(Debug, Error)]
pub enum SearcherError {
    /// The net cannot be used: its file is missing or damaged, or the backend cannot compute it.
    #[error(transparent)]
    Net(#[from] ChoiceError),
    /// No GPU can be used.
    #[error("Backend cuda: {0}; the backend stays as it was")]
    NoGpu(String),
    /// Memory for the table or the threads cannot be allocated.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

/// The net and resources of a searcher.
#[derive(Clone, Debug)]
pub struct SearcherPlan {
    pub net: NetChoice,
    /// How the net is computed.
    pub backend: Backend,
    /// Search threads, each with an evaluator of its own.
    pub threads: usize,
    /// The transposition table's size in MiB.
    pub hash: usize,
}

/// A search with its network, table and threads.
pub trait Searcher: Send {
    /// See [`Pool::search`].
    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        settings: &Settings,
        control: &Control,
        report: &mut dyn FnMut(&Report),
    ) -> Outcome;

    /// The static evaluations of positions, each for its side to move.
    fn evaluate(&mut self, positions: &[Position]) -> Vec<Score>;

    /// How much effort to spend on the contributions of the pieces, so that it takes this network a fraction of a
    /// second.
    fn effort(&self) -> Effort;

    /// Clears the table and the histories.
    fn clear(&mut self);

    /// Resizes the table, in MiB; see [`Pool::resize`].
    ///
    /// # Errors
    /// [`MemoryError`] if the table cannot be allocated.
    fn resize(&mut self, hash: usize) -> Result<(), MemoryError>;

    /// Sets the number of threads; the table and the histories are cleared.
    ///
    /// # Errors
    /// [`MemoryError`] if there is no memory for so many.
    fn set_threads(&mut self, threads: usize) -> Result<(), MemoryError>;

    /// Runs the benchmark with this network in a separate search.
    ///
    /// # Errors
    /// [`MemoryError`] if that search's table cannot be allocated.
    fn bench(
        &self,
        depth: u32,
        control: &Control,
        tell: &mut dyn FnMut(&Step),
    ) -> Result<Totals, MemoryError>;
}

impl<E: Evaluator + Clone + Send> Searcher for Pool<E> {
    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        settings: &Settings,
        control: &Control,
        report: &mut dyn FnMut(&Report),
    ) -> Outcome {
        Pool::search(self, game, limits, settings, control, report)
    }

    fn evaluate(&mut self, positions: &[Position]) -> Vec<Score> {
        let mut scores = Vec::with_capacity(positions.len());
        self.evaluator_mut().evaluate_batch(positions, &mut scores);
        scores
    }

    fn effort(&self) -> Effort {
        // networks that gain by batches are the slow ones
        match self.evaluator().batch_size() {
            1 => Effort::FAST,
            _ => Effort::SLOW,
        }
    }

    fn clear(&mut self) {
        Pool::clear(self);
    }

    fn resize(&mut self, hash: usize) -> Result<(), MemoryError> {
        Pool::resize(self, hash)
    }

    fn set_threads(&mut self, threads: usize) -> Result<(), MemoryError> {
        Pool::set_threads(self, threads)
    }

    fn bench(
        &self,
        depth: u32,
        control: &Control,
        tell: &mut dyn FnMut(&Step),
    ) -> Result<Totals, MemoryError> {
        bench::run(self.evaluator().clone(), depth, control, tell)
    }
}

/// Makes the pool of a plan around an evaluator.
struct MakePool<'a>(&'a SearcherPlan);

impl EvaluatorVisitor for MakePool<'_> {
    type Output = Result<Box<dyn Searcher>, MemoryError>;

    fn visit<E: Evaluator + Clone + Send + 'static>(self, evaluator: E) -> Self::Output {
        let SearcherPlan { hash, threads, .. } = *self.0;
        let mut pool = Pool::new(hash, vec![evaluator])?;
        if threads > 1 {
            pool.set_threads(threads)?;
        }
        Ok(Box::new(pool))
    }
}

/// What a searcher evaluates with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Where the net is from.
    pub net: NetChoice,
    /// The name in the net's file.
    pub name: String,
    /// How it is computed.
    pub method: Method,
    /// What the integers cost, where that was measured.
    pub rounding: Option<Rounding>,
}

/// By how much the scores of a net in integers differ from those in floats, in centipawns, on the positions of the
/// benchmark whose score lies within ten pawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rounding {
    /// On average.
    pub mean: Score,
    /// At most.
    pub most: Score,
}

impl Rounding {
    /// Beyond these, net and integers do not fit each other. The nets here are off by half a centipawn, and by 1 at most.
    const TOLERATED: Rounding = Rounding { mean: 10, most: 60 };
    /// Scores beyond this say that a game is decided, and little more.
    const DECIDED: Score = 1000;

    /// Measures a net with a backend against candle; `None` without candle.
    fn of(net: &Net, backend: Backend) -> Option<Rounding> {
        let scores = |backend| {
            let mut scores = Vec::new();
            let positions: Vec<Position> = bench::positions().flatten().collect();
            evaluator(net, backend)
                .ok()?
                .evaluate_batch(&positions, &mut scores);
            Some(scores)
        };
        let (exact, found): (Vec<Score>, Vec<Score>) = (scores(Backend::Candle)?, scores(backend)?);
        let pairs = exact.iter().zip(&found);
        let errors: Vec<Score> = pairs
            .filter(|(exact, found)| exact.abs().min(found.abs()) <= Rounding::DECIDED)
            .map(|(exact, found)| (exact - found).abs())
            .collect();
        Some(Rounding {
            mean: errors.iter().sum::<Score>() / errors.len().max(1) as Score,
            most: errors.iter().copied().max().unwrap_or(0),
        })
    }

    /// Whether the net plays worse in integers than it should.
    pub fn is_coarse(self) -> bool {
        self.mean > Rounding::TOLERATED.mean || self.most > Rounding::TOLERATED.most
    }
}

/// Reads the net of a plan and makes a searcher with it.
///
/// # Errors
/// [`SearcherError`] if the net cannot be used or the table cannot be allocated.
pub fn searcher(plan: &SearcherPlan) -> Result<(Box<dyn Searcher>, Identity), SearcherError> {
    let net = plan.net.read()?;
    let method = method(&net, plan.backend);
    // nets from elsewhere may have weights that the integers cannot hold
    let is_measured = matches!((&plan.net, method), (NetChoice::File(_), Method::Incremental(_)));
    let identity = Identity {
        net: plan.net.clone(),
        name: net.info.name.clone(),
        method,
        rounding: is_measured.then(|| Rounding::of(&net, plan.backend)).flatten(),
    };
    match with_evaluator(&net, plan.backend, MakePool(plan)) {
        Ok(searcher) => Ok((searcher?, identity)),
        Err(NetError::NoGpu(reason)) => Err(SearcherError::NoGpu(reason)),
        Err(reason) => Err(plan.net.fault(reason).into()),
    }
}

#[cfg(all(test, feature = "lab"))]
mod tests {
    use super::*;
    use crate::nets::curve::{Curve, Orientation};
    use crate::nets::mlp::shape::{Activation, MlpShape};
    use crate::nets::net::{Dense, FORMAT, NetInfo, Precision};

    /// What is measured of a net that counts material, as White sees it: its first layer's numbers are scaled by this, and
    /// those of its last by the inverse.
    fn rounding_of(scale: f32) -> Rounding {
        let worth = [100.0, 300.0, 320.0, 500.0, 900.0, 0.0];
        let mut weight = vec![0.0; 2 * 774];
        for (kind, worth) in worth.iter().enumerate() {
            for square in 0..64 {
                weight[kind * 64 + square] = worth / 800.0 * scale;
                weight[774 + (kind + 6) * 64 + square] = worth / 800.0 * scale;
            }
        }
        let shape: MlpShape = "774-2-1".parse().unwrap();
        let mut net = Net::empty(NetInfo {
            format: FORMAT,
            name: "material".into(),
            architecture: MlpShape {
                first_activation: Activation::Relu,
                later_activation: Activation::Relu,
                ..shape
            }
            .architecture(),
            orientation: Orientation::White,
            curve: Curve::Tanh { scale: 800.0 },
            data: "none".into(),
            positions: 0,
            validation: None,
            recipe: None,
        });
        let layer = |inputs, outputs, weight: Vec<f32>| Dense {
            inputs,
            outputs,
            weight,
            bias: vec![0.0; outputs],
        };
        net.add_dense("layer0", &layer(774, 2, weight));
        net.add_dense("layer1", &layer(2, 1, vec![1.0 / scale, -1.0 / scale]));
        let folder = tempfile::tempdir().unwrap();
        let plan = SearcherPlan {
            net: NetChoice::File(net.save_in(folder.path(), Precision::F32).unwrap()),
            backend: Backend::Auto,
            threads: 1,
            hash: 1,
        };
        searcher(&plan).unwrap().1.rounding.unwrap()
    }

    #[test]
    fn a_net_that_the_integers_cannot_hold_is_known() {
        let fine = rounding_of(1.0);
        assert!(!fine.is_coarse(), "{fine:?}");
        // so small that its weights become zero
        let coarse = rounding_of(1e-5);
        assert!(coarse.is_coarse() && coarse.most > 100, "{coarse:?}");
    }
}
