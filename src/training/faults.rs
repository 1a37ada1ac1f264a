//! What can be wrong with a recipe, and how its numbers are checked.

use crate::nets::layout::LayoutError;
use crate::nets::mlp::shape::{ActivationError, MlpShape};

/// Why nothing can be trained by a recipe.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecipeError {
    /// The file cannot be read.
    #[error("{0}")]
    File(String),
    /// The text is no TOML, or has a key that recipes do not have, lacks one, or gives one a value of another type.
    #[error("line {line}: {reason}")]
    Text { line: usize, reason: String },
    /// The recipe cannot be written as TOML.
    #[error(transparent)]
    Unwritable(#[from] toml::ser::Error),
    /// The recipe names no kind of network, and no kind writes its layouts like this.
    #[error("net.layout `{layout}` is not written as that of any kind of net; net.kind can be {known}")]
    UnknownLayout { layout: String, known: String },
    /// No kind of network has this name.
    #[error("net.kind `{kind}` is not known; it can be {known}")]
    UnknownKind { kind: String, known: String },
    /// The kind has no such setting, or not with such a value.
    #[error("[net]: {0}")]
    Settings(String),
    /// The kind has no such layout.
    #[error("net.layout: {0}")]
    Layout(#[from] LayoutError),
    /// The layout has another activation after the first layer.
    #[error("net.first_activation: {0}")]
    Activation(#[from] ActivationError),
    /// The backend that the recipe asks for cannot train this layout.
    #[error("backend fused cannot train {shape}: {fault}")]
    Backend { shape: MlpShape, fault: &'static str },
    /// Batches do not have the size that the kind needs.
    #[error("the batch of a {kind} must be a multiple of {multiple}")]
    Batch { kind: String, multiple: usize },
    /// A value that makes no sense, alone or beside others; it says what would.
    #[error("{0}")]
    Value(&'static str),
}

/// The first fault whose condition is true, as an error.
pub(super) fn first_fault(faults: &[(bool, &'static str)]) -> Result<(), RecipeError> {
    let first = faults.iter().find(|(there, _)| *there);
    first.map_or(Ok(()), |&(_, fault)| Err(RecipeError::Value(fault)))
}

/// Whether a number is finite and not below 0.
pub(super) fn is_size(number: f64) -> bool {
    number.is_finite() && number >= 0.0
}
