//! The layout of a control net: only the size of its hidden layer is free.

use super::encoding::INPUTS;
use super::head::OUTPUTS;
use crate::nets::layout::LayoutError;
use std::fmt;
use std::str::FromStr;

/// The widest hidden layer that a net file may ask for: far wider than is useful, narrow enough that sizes cannot
/// overflow.
const MAX_WIDTH: usize = 16_384;
/// The example of a layout in error messages.
const EXAMPLE: &str = "65-128-6";

/// The shape of a control net. Its text form is the sizes of its layers, such as `65-128-6`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControlShape {
    /// Units of the hidden layer.
    pub hidden: usize,
}

impl ControlShape {
    /// Inputs and outputs of the two layers.
    pub fn layers(self) -> [(usize, usize); 2] {
        [(INPUTS, self.hidden), (self.hidden, OUTPUTS)]
    }
}

impl fmt::Display for ControlShape {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{INPUTS}-{}-{OUTPUTS}", self.hidden)
    }
}

impl FromStr for ControlShape {
    type Err = LayoutError;

    fn from_str(text: &str) -> Result<ControlShape, LayoutError> {
        let fail = |reason: String| LayoutError::new(text, reason, EXAMPLE);
        let hidden = text
            .strip_prefix(&format!("{INPUTS}-"))
            .and_then(|rest| rest.strip_suffix(&format!("-{OUTPUTS}")))
            .ok_or_else(|| fail(format!("it must have {INPUTS} inputs and {OUTPUTS} outputs")))?;
        match hidden.parse() {
            Ok(units @ 1..=MAX_WIDTH) if !hidden.starts_with(['+', '0']) => {
                Ok(ControlShape { hidden: units })
            }
            _ => Err(fail(format!("`{hidden}` is no number from 1 to {MAX_WIDTH}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_read_and_printed() {
        for text in [EXAMPLE, "65-1-6"] {
            assert_eq!(text.parse::<ControlShape>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "65-6",
            "64-8-6",
            "65-8-5",
            "65-0-6",
            "65-x-6",
            "65-8-8-6",
            "65-+8-6",
            "65-99999-6",
        ] {
            assert!(
                text.parse::<ControlShape>().is_err(),
                "{text} was taken for a layout"
            );
        }
    }
}
