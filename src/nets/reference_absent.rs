//! Builds without candle, which have no reference.

use super::kind::{EvaluatorVisitor, NetKind};
use super::net::{Net, NetError};

/// Every kind of network; candle computes none of them.
pub trait Reference: NetKind {
    /// See the builds with candle.
    ///
    /// # Errors
    /// Always, with what to do.
    fn visit_on_cpu<V: EvaluatorVisitor>(_: &Net, _: V) -> Result<V::Output, NetError> {
        Err(absent())
    }

    /// See the builds with candle.
    ///
    /// # Errors
    /// Always, with what to do.
    fn visit_on_gpu<V: EvaluatorVisitor>(_: &Net, _: V) -> Result<V::Output, NetError> {
        Err(absent())
    }
}

impl<K: NetKind> Reference for K {}

fn absent() -> NetError {
    NetError::Backend(
        "this program was built without candle: build it with `--features lab`, or set Backend to auto"
            .into(),
    )
}
