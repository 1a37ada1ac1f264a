//! candle as the reference of every kind of network.

use super::Evaluator;
use super::device;
use super::kind::{EvaluatorVisitor, NetKind};
use super::net::{Net, NetError};
use crate::board::Position;
use crate::support::threads;
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

    /// What the network gives for positions, after tanh (-1 to 1) and from its own point of view.
    ///
    /// # Errors
    /// If the device runs out of memory or fails.
    fn outputs(model: &Self::Model, positions: &[Position]) -> candle_core::Result<Vec<f32>>;

    /// The same for a net.
    ///
    /// # Errors
    /// [`NetError`] if the net is not of this kind, or the memory is too small.
    fn outputs_of(net: &Net, positions: &[Position]) -> Result<Vec<f32>, NetError> {
        /// Positions at a time: the activations of a wide CNN take a megabyte each.
        const AT_ONCE: usize = 256;
        threads::ensure()?;
        let model = Self::reference(net, &Device::Cpu)?;
        let mut outputs = Vec::with_capacity(positions.len());
        for positions in positions.chunks(AT_ONCE) {
            let found =
                Self::outputs(&model, positions).map_err(|error| NetError::Device(error.to_string()))?;
            outputs.extend(found);
        }
        Ok(outputs)
    }

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
        let device = device::cuda()?;
        Ok(visitor.visit(Self::reference(net, &device)?))
    }
}
