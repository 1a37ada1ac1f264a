//! The multilayer perceptron on 774 inputs, computed incrementally in integers.

pub mod integer;
#[cfg(feature = "lab")]
pub mod reference;
pub mod regions;
pub mod shape;
pub mod weights;

use super::kind::NetKind;
use super::net::{Net, NetError};
use integer::Incremental;

/// The name of this kind of network.
pub const KIND: &str = "mlp";

/// The entry in the registry of networks.
pub struct MlpKind;

impl NetKind for MlpKind {
    const NAME: &'static str = KIND;
    const FOLLOWS_SEARCH: bool = true;
    type Fast = Incremental;

    fn check(net: &Net) -> Result<(), NetError> {
        net.mlp().map(|_| ())
    }

    fn fast(net: &Net) -> Result<Incremental, NetError> {
        Incremental::new(net).map_err(|error| NetError::Integers(error.to_string()))
    }
}
