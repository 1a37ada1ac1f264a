//! The homework's minimax as a kind of network: the engine's plain look-ahead over the heuristics.

use super::{Heuristics, NAME};
use crate::board::Position;
use crate::nets::curve::{Curve, Orientation};
use crate::nets::kind::NetKind;
use crate::nets::net::{Architecture, FORMAT, Net, NetError, NetInfo};
use crate::nets::reference::Reference;
use candle_core::Device;

/// The name of the recipe of its nets: there is one alone, `enroc experiment homework`.
const RECIPE: &str = "homework";

impl Heuristics {
    /// A net file's contents: a kind of network without numbers.
    pub fn to_net(self) -> Net {
        Net::empty(homework_net(NAME, self, 0))
    }

    /// What a net would give, from its own point of view.
    pub fn outputs(self, positions: &[Position]) -> Vec<f32> {
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

/// What the homework's net files say of themselves: the heuristics are the layout.
pub fn homework_net(kind: &str, heuristics: Heuristics, positions: u64) -> NetInfo {
    NetInfo {
        format: FORMAT,
        name: RECIPE.to_string(),
        architecture: Architecture::new(kind, heuristics),
        orientation: Orientation::Mover,
        curve: Curve::THESIS,
        data: "moves of minimax, from `enroc experiment homework`".to_string(),
        positions,
        validation: None,
        recipe: None,
    }
}

/// The heuristics that a net of the homework names as its layout.
///
/// # Errors
/// [`NetError::Metadata`] if it names none.
pub fn heuristics_of(net: &Net) -> Result<Heuristics, NetError> {
    let layout = &net.info.architecture.layout;
    let heuristics = layout.parse::<Heuristics>();
    heuristics.map_err(|error| NetError::Metadata(error.to_string()))
}
