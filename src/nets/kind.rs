//! The interface of every kind of network, and the backends that compute one.

use super::Evaluator;
use super::net::{Net, NetError};
use crate::arch::InstructionSet;

/// How a network is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// The kind's fastest implementation on the CPU.
    #[default]
    Auto,
    /// The same, but refused unless it is updated incrementally.
    Incremental,
    /// A CNN in bfloat16 on the processor's matrix unit.
    Bfloat16,
    /// candle in floats on the CPU: the reference.
    Candle,
    /// candle on the GPU.
    Cuda,
}

impl Backend {
    /// Every backend, the default first.
    pub const ALL: [Backend; 5] = [
        Backend::Auto,
        Backend::Incremental,
        Backend::Bfloat16,
        Backend::Candle,
        Backend::Cuda,
    ];

    /// Its name in options and arguments.
    pub const fn name(self) -> &'static str {
        match self {
            Backend::Auto => "auto",
            Backend::Incremental => "incremental",
            Backend::Bfloat16 => "bfloat16",
            Backend::Candle => "candle",
            Backend::Cuda => "cuda",
        }
    }

    /// The backend with this [`Backend::name`].
    pub fn from_name(name: &str) -> Option<Backend> {
        Backend::ALL.into_iter().find(|backend| backend.name() == name)
    }
}

/// How a backend evaluates a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// In integers that follow the search move by move.
    Incremental(InstructionSet),
    /// In floats, blocks of boards at once.
    Blocks,
    /// In bfloat16 on the processor's matrix unit.
    MatrixUnit,
    /// By candle on the CPU.
    Candle,
    /// By candle on the GPU.
    Gpu,
    /// By hand-written rules, whatever the backend.
    Rules,
}

/// A kind of network: the check of its files, and its evaluator in play.
pub trait NetKind {
    /// Its name in net files and recipes.
    const NAME: &'static str;
    /// Whether [`NetKind::Fast`] is updated incrementally, move by move.
    const FOLLOWS_SEARCH: bool = false;
    /// Whether it is hand-written rules, which have no numbers and one way to be computed.
    const IS_RULES: bool = false;
    /// What a net takes while it is read, in bytes for each byte of its file: the file, its numbers as floats, those of a
    /// layer once more, and the same in integers.
    const MEMORY: u64 = 8;
    /// The fastest evaluator on the CPU.
    type Fast: Evaluator + Clone + Send + 'static;

    /// Checks that the net has every tensor of its layout, in the right shape.
    ///
    /// # Errors
    /// The first tensor that is missing or wrong.
    fn check(net: &Net) -> Result<(), NetError>;

    /// The fast evaluator of a net of this kind.
    ///
    /// # Errors
    /// [`NetError`] if the net cannot be computed this way.
    fn fast(net: &Net) -> Result<Self::Fast, NetError>;

    /// Runs generic code with an evaluator that multiplies in bfloat16 on the processor's matrix unit.
    ///
    /// # Errors
    /// If the kind has none, or the processor.
    fn visit_in_bfloat16<V: EvaluatorVisitor>(_: &Net, _: V) -> Result<V::Output, NetError> {
        let name = Backend::Bfloat16.name();
        Err(NetError::Backend(format!(
            "{name} is for CNNs, not for a net of the kind {}: set Backend to auto",
            Self::NAME
        )))
    }
}

/// Generic code to run with an evaluator whose type is chosen at run time: see [`super::registry::with_evaluator`].
pub trait EvaluatorVisitor {
    type Output;

    /// Runs the code with the evaluator.
    fn visit<E: Evaluator + Clone + Send + 'static>(self, evaluator: E) -> Self::Output;
}
