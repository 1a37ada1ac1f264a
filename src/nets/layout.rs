//! What is wrong with the text of a layout, of whatever kind of network.

/// The text does not describe a layout.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a layout: {reason}, as in {example}")]
pub struct LayoutError {
    text: String,
    reason: String,
    example: &'static str,
}

impl LayoutError {
    /// Why a text is no layout, and one that is.
    pub fn new(text: &str, reason: String, example: &'static str) -> LayoutError {
        LayoutError {
            text: text.into(),
            reason,
            example,
        }
    }
}
