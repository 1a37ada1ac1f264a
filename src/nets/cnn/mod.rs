//! The convolutional network on 16 planes, computed in blocks of boards.

pub mod blocks;
pub mod kernel;
pub mod reference;
pub mod shape;
pub mod weights;
pub mod winograd;

use super::kind::NetKind;
use super::net::{Net, NetError};
use super::reference::Reference;
use blocks::Tiled;
use candle_core::Device;
use reference::Cnn;

/// The name of this kind of network.
pub const KIND: &str = "cnn";

/// The entry in the registry of networks.
pub struct CnnKind;

impl NetKind for CnnKind {
    const NAME: &'static str = KIND;
    type Fast = Tiled;

    fn check(net: &Net) -> Result<(), NetError> {
        net.cnn().map(|_| ())
    }

    fn fast(net: &Net) -> Result<Tiled, NetError> {
        Tiled::new(net)
    }
}

impl Reference for CnnKind {
    type Model = Cnn;

    fn reference(net: &Net, device: &Device) -> Result<Cnn, NetError> {
        Cnn::new(net, device)
    }
}
