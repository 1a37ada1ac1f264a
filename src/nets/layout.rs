//! The error for texts that do not describe a layout, shared by all kinds of network.

/// The text does not describe a layout.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a layout: {reason}, as in {example}")]
pub struct LayoutError {
    text: String,
    reason: String,
    example: &'static str,
}

impl LayoutError {
    /// The error for a text, with the reason and an example of a valid layout.
    pub fn new(text: &str, reason: String, example: &'static str) -> LayoutError {
        LayoutError {
            text: text.into(),
            reason,
            example,
        }
    }
}
