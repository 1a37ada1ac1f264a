//! candle as the reference of every kind of network.

use super::Evaluator;
use super::device;
use super::kind::{EvaluatorVisitor, NetKind};
use super::net::{Net, NetError};
use candle_core::Device;

/// A kind of network that candle computes, too.
pub trait Reference: NetKind {
    /// candle's evaluator, which the fast one must agree with.
    type Model: Evaluator + Clone + Send + 'static;

    /// candle's evaluator of a net of this kind, on a device.
    ///
    /// # Errors
    /// [`NetError`] if the device's memory is too small for it.
    fn reference(net: &Net, device: &Device) -> Result<Self::Model, NetError>;

    /// Runs generic code with candle's evaluator on the CPU.
    ///
    /// # Errors
    /// As [`Reference::reference`].
    fn visit_on_cpu<V: EvaluatorVisitor>(net: &Net, visitor: V) -> Result<V::Output, NetError> {
        Ok(visitor.visit(Self::reference(net, &Device::Cpu)?))
    }

    /// Runs generic code with candle's evaluator on the GPU.
    ///
    /// # Errors
    /// [`NetError::NoGpu`], or as [`Reference::reference`].
    fn visit_on_gpu<V: EvaluatorVisitor>(net: &Net, visitor: V) -> Result<V::Output, NetError> {
        let device = device::cuda().map_err(NetError::NoGpu)?;
        Ok(visitor.visit(Self::reference(net, &device)?))
    }
}
