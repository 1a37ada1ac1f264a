//! The convolutional network on 16 planes, computed in blocks of boards, or in bfloat16 on a matrix unit.

pub mod bfloat;
pub mod blocks;
pub mod gate;
pub mod kernel;
pub mod reference;
pub mod shape;
pub mod weights;
pub mod winograd;

use super::kind::{Backend, EvaluatorVisitor, NetKind};
use super::net::{Net, NetError};
use super::reference::Reference;
use crate::arch::matrix_unit::MatrixUnit;
use crate::board::Position;
use bfloat::Bfloat;
use blocks::Tiled;
use candle_core::Device;
use reference::Cnn;

/// The name of this kind of network.
pub const KIND: &str = "cnn";

/// The entry in the registry of networks.
pub struct CnnKind;

impl NetKind for CnnKind {
    const NAME: &'static str = KIND;
    // twice the file as floats, four times that as filters transformed for Winograd's algorithm, and room to work in
    const MEMORY: u64 = 24;
    type Fast = Tiled;

    fn check(net: &Net) -> Result<(), NetError> {
        net.cnn().map(|_| ())
    }

    fn fast(net: &Net) -> Result<Tiled, NetError> {
        Tiled::new(net)
    }

    fn visit_in_bfloat16<V: EvaluatorVisitor>(net: &Net, visitor: V) -> Result<V::Output, NetError> {
        let unit = MatrixUnit::of_processor().ok_or_else(|| {
            let name = Backend::Bfloat16.name();
            NetError::Backend(format!(
                "{name} needs a matrix unit for it (Intel's AMX, under Linux), which this processor has not: set Backend to auto"
            ))
        })?;
        Ok(visitor.visit(Bfloat::new(net, unit)?))
    }
}

impl Reference for CnnKind {
    type Model = Cnn;

    fn reference(net: &Net, device: &Device) -> Result<Cnn, NetError> {
        Cnn::new(net, device)
    }

    fn outputs(model: &Cnn, positions: &[Position]) -> candle_core::Result<Vec<f32>> {
        Ok(model.sums(positions)?.into_iter().map(f32::tanh).collect())
    }
}
