//! The homework's regressor as a kind of network.

use super::{KIND, Regressor};
use crate::board::Position;
use crate::nets::heuristics::Heuristics;
use crate::nets::heuristics::kind::heuristics_of;
use crate::nets::kind::NetKind;
use crate::nets::net::{Net, NetError};
use crate::nets::reference::Reference;
use candle_core::Device;

/// Moves chosen by the regressor; as an evaluation it has only the heuristics that are among its features.
pub struct RegressorKind;

impl NetKind for RegressorKind {
    const NAME: &'static str = KIND;
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

#[cfg(test)]
mod tests {
    use super::super::features::{FEATURES, MoveModel};
    use super::*;

    #[test]
    fn a_file_that_lacks_a_part_of_the_model_is_refused_at_once() {
        let regressor = Regressor {
            model: MoveModel::new([0.0; FEATURES], [0.0; FEATURES], 0.0),
            heuristics: Heuristics::default(),
        };
        let check = |net: &Net| RegressorKind::check(net);
        assert!(check(&regressor.to_net(1)).is_ok());
        for part in ["means", "weights", "mean"] {
            let mut net = regressor.to_net(1);
            net.tensors.remove(part);
            let refused = check(&net).expect_err("refused").to_string();
            assert!(refused.contains(part), "{refused}");
        }
    }
}
