//! The control net of a Spanish thesis (see `docs/experiments.md`): 64 squares with codes of their pieces, empty squares by
//! who controls them, one hidden layer of sigmoids, and six outputs for kinds of advantage.

pub mod encoding;
pub mod head;
pub mod network;
pub mod reference;
pub mod shape;
pub mod weights;

use super::kind::NetKind;
use super::net::{Net, NetError};
use super::reference::Reference;
use crate::board::Position;
use candle_core::Device;
use network::ControlNet;
use reference::ControlModel;

/// The name of this kind of network.
pub const KIND: &str = "control";

/// The registry's entry.
pub struct ControlKind;

impl NetKind for ControlKind {
    const NAME: &'static str = KIND;
    type Fast = ControlNet;

    fn check(net: &Net) -> Result<(), NetError> {
        net.control().map(|_| ())
    }

    fn fast(net: &Net) -> Result<ControlNet, NetError> {
        ControlNet::new(net)
    }
}

impl Reference for ControlKind {
    type Model = ControlModel;

    fn reference(net: &Net, device: &Device) -> Result<ControlModel, NetError> {
        ControlModel::new(net, device)
    }

    fn outputs(model: &ControlModel, positions: &[Position]) -> candle_core::Result<Vec<f32>> {
        model.values(positions)
    }
}
