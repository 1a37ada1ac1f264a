//! The homework's players as kinds of network: its minimax, which is the engine's plain look-ahead over the heuristics, and
//! its regressor.

use super::regressor::{self, Regressor, heuristics_of, homework_net};
use super::{Heuristics, NAME};
use crate::board::Position;
use crate::nets::kind::NetKind;
use crate::nets::net::{Net, NetError};
use crate::nets::reference::Reference;
use candle_core::Device;

impl Heuristics {
    /// A net file's contents: a kind of network without numbers.
    pub fn to_net(self) -> Net {
        Net::empty(homework_net(NAME, self, 0))
    }

    /// What a net would give, from its own point of view.
    fn outputs(self, positions: &[Position]) -> Vec<f32> {
        let info = homework_net(NAME, self, 0);
        let value = |position| info.curve.value(self.score(position));
        positions.iter().map(value).collect()
    }
}

/// Positions scored by the heuristics.
pub struct HeuristicsKind;

impl NetKind for HeuristicsKind {
    const NAME: &'static str = NAME;
    const IS_RULES: bool = true;
    type Fast = Heuristics;

    fn check(net: &Net) -> Result<(), NetError> {
        heuristics_of(net).map(|_| ())
    }

    fn fast(net: &Net) -> Result<Heuristics, NetError> {
        heuristics_of(net)
    }
}

impl Reference for HeuristicsKind {
    // there is nothing that candle could compute
    type Model = Heuristics;

    fn reference(net: &Net, _: &Device) -> Result<Heuristics, NetError> {
        heuristics_of(net)
    }

    fn outputs(model: &Heuristics, positions: &[Position]) -> candle_core::Result<Vec<f32>> {
        Ok(model.outputs(positions))
    }
}

/// Moves chosen by the regressor; as an evaluation it has only the heuristics that are among its features.
pub struct RegressorKind;

impl NetKind for RegressorKind {
    const NAME: &'static str = regressor::KIND;
    const IS_RULES: bool = true;
    type Fast = Heuristics;

    fn check(net: &Net) -> Result<(), NetError> {
        Regressor::of(net).map(|_| ())
    }

    fn fast(net: &Net) -> Result<Heuristics, NetError> {
        heuristics_of(net)
    }
}

impl Reference for RegressorKind {
    type Model = Heuristics;

    fn reference(net: &Net, _: &Device) -> Result<Heuristics, NetError> {
        heuristics_of(net)
    }

    fn outputs(model: &Heuristics, positions: &[Position]) -> candle_core::Result<Vec<f32>> {
        Ok(model.outputs(positions))
    }
}
