//! The search that options ask for: its net read, its evaluator made, and what the integers cost a net from elsewhere.

use super::bench;
#[cfg(feature = "lab")]
use super::imitation::Imitation;
use crate::board::Position;
use crate::nets::choice::{ChoiceError, NetChoice};
use crate::nets::kind::{Backend, EvaluatorVisitor, Method};
use crate::nets::registry::{evaluator, method, with_evaluator};
#[cfg(feature = "lab")]
use crate::nets::regressor::{self, Regressor};
use crate::nets::{Evaluator, Net, NetError, Score};
use crate::search::{MemoryError, Pool};
use thiserror::Error;

pub use super::player::Searcher;

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
        Ok(searcher) => Ok((
            player(&net, searcher?).map_err(|reason| plan.net.fault(reason))?,
            identity,
        )),
        Err(NetError::NoGpu(reason)) => Err(SearcherError::NoGpu(reason)),
        Err(reason) => Err(plan.net.fault(reason).into()),
    }
}

/// What plays with a net: the search, or one that is told its move.
#[cfg(feature = "lab")]
fn player(net: &Net, searcher: Box<dyn Searcher>) -> Result<Box<dyn Searcher>, NetError> {
    if net.info.architecture.kind != regressor::KIND {
        return Ok(searcher);
    }
    let regressor = Regressor::of(net)?;
    Ok(Box::new(Imitation { regressor, searcher }))
}

#[cfg(not(feature = "lab"))]
fn player(_: &Net, searcher: Box<dyn Searcher>) -> Result<Box<dyn Searcher>, NetError> {
    Ok(searcher)
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
