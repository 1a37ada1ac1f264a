//! What every kind of network offers, and the ways to compute one.

use super::Evaluator;
use super::net::{Net, NetError};
use candle_core::Device;

/// How a network is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// The fastest way on the processor that the kind has.
    #[default]
    Auto,
    /// The same, but only if it follows the search move by move.
    Incremental,
    /// candle's floats on the processor: the reference.
    Candle,
    /// The same on the graphics processor.
    Cuda,
}

impl Backend {
    /// Every backend, the default first.
    pub const ALL: [Backend; 4] = [
        Backend::Auto,
        Backend::Incremental,
        Backend::Candle,
        Backend::Cuda,
    ];

    /// As options and arguments write it.
    pub const fn name(self) -> &'static str {
        match self {
            Backend::Auto => "auto",
            Backend::Incremental => "incremental",
            Backend::Candle => "candle",
            Backend::Cuda => "cuda",
        }
    }

    /// The backend of a name that [`Backend::name`] gives.
    pub fn from_name(name: &str) -> Option<Backend> {
        Backend::ALL.into_iter().find(|backend| backend.name() == name)
    }
}

/// A kind of network: how its files are checked, and what computes it.
pub trait NetKind {
    /// As net files and recipes write it.
    const NAME: &'static str;
    /// Whether [`NetKind::Fast`] keeps a picture of the board that follows the search.
    const FOLLOWS_SEARCH: bool = false;
    /// The fastest evaluator on the processor.
    type Fast: Evaluator + Clone + Send + 'static;
    /// candle's evaluator, which the fast one must agree with.
    type Reference: Evaluator + Clone + Send + 'static;

    /// Whether the net has every tensor that its layout needs, in the right shape.
    ///
    /// # Errors
    /// What is wrong with the first that is not.
    fn check(net: &Net) -> Result<(), NetError>;

    /// The fast evaluator of a net of this kind.
    ///
    /// # Errors
    /// [`NetError`] if the net cannot be computed so.
    fn fast(net: &Net) -> Result<Self::Fast, NetError>;

    /// candle's evaluator of a net of this kind, on a device.
    ///
    /// # Errors
    /// [`NetError`] if the device has no room for it.
    fn reference(net: &Net, device: &Device) -> Result<Self::Reference, NetError>;
}

/// Code that works with an evaluator of any type, chosen at run time: see [`super::registry::with_evaluator`].
pub trait EvaluatorVisitor {
    /// What comes of it.
    type Output;

    /// Takes the evaluator.
    fn visit<E: Evaluator + Clone + Send + 'static>(self, evaluator: E) -> Self::Output;
}
