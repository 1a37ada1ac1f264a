//! The layout of a transformer.

use crate::nets::encoding::PLANES;
use crate::nets::layout::LayoutError;
use std::fmt;
use std::str::FromStr;

/// Squares of a board; each is a token.
pub const SQUARES: usize = 64;
/// Numbers of each token that the geometric bias is computed from.
pub const SUMMARY: usize = 8;
/// Hidden units between the summaries of all tokens and the mixture of templates.
pub const CODE: usize = 64;
/// The largest number in a layout: more than is useful, small enough that sizes cannot overflow.
const MAX: usize = 1024;
/// The most encoder blocks or hidden layers.
const MAX_LAYERS: usize = 64;
/// The example of a layout in error messages.
const EXAMPLE: &str = "16-64-3t4h128f16g-pool-64-1";

/// The shape of a transformer on the 16 planes. Its text form is a chain: `16-64-3t4h128f16g-pool-64-1` has tokens of
/// 64 numbers, 3 encoder blocks (`t`) of 4 attention heads (`h`) with 128 feed-forward units (`f`), 16 templates of the
/// geometric bias (`g`), the mean over the board (`pool`), a hidden layer of 64 units, and one output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransformerShape {
    /// Numbers of a token; a multiple of the heads.
    pub width: usize,
    pub blocks: usize,
    /// Attention heads of each block.
    pub heads: usize,
    /// Hidden units of each block's feed-forward part.
    pub feed_forward: usize,
    /// Templates (64 × 64) that the attention's bias is mixed from, shared by all blocks.
    pub templates: usize,
    /// Units of the dense layers between the pooling and the output, each followed by ReLU.
    pub hidden: Vec<usize>,
}

impl TransformerShape {
    /// Numbers of a token that belong to one head.
    pub fn head_width(&self) -> usize {
        self.width / self.heads
    }

    /// Numbers that a block's first product makes of a token: queries, keys, values and the summary.
    pub fn projected(&self) -> usize {
        3 * self.width + SUMMARY
    }

    /// Inputs and outputs of the dense layers after the pooling, the output layer included.
    pub fn dense(&self) -> Vec<(usize, usize)> {
        let widths = [self.width]
            .into_iter()
            .chain(self.hidden.iter().copied())
            .chain([1]);
        let widths: Vec<usize> = widths.collect();
        widths.windows(2).map(|pair| (pair[0], pair[1])).collect()
    }

    /// Multiply-adds in matrix products for one position.
    pub fn operations(&self) -> usize {
        let tokens = self.projected() + self.width + 2 * self.feed_forward;
        let attention = 2 * SQUARES * SQUARES * self.width;
        let bias = SQUARES * SUMMARY * CODE
            + CODE * self.heads * self.templates
            + self.heads * self.templates * SQUARES * SQUARES;
        let head: usize = self
            .dense()
            .iter()
            .map(|(inputs, outputs)| inputs * outputs)
            .sum();
        self.blocks * (SQUARES * self.width * tokens + attention + bias) + head
    }
}

impl fmt::Display for TransformerShape {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let TransformerShape {
            width,
            blocks,
            heads,
            feed_forward,
            templates,
            ..
        } = self;
        write!(
            f,
            "{PLANES}-{width}-{blocks}t{heads}h{feed_forward}f{templates}g-pool"
        )?;
        for units in &self.hidden {
            write!(f, "-{units}")?;
        }
        write!(f, "-1")
    }
}

/// Makes the error of a reason.
type Fail<'a> = &'a dyn Fn(String) -> LayoutError;

/// A number from 1 to [`MAX`], written without sign and leading zeros.
fn number(text: &str, fail: Fail) -> Result<usize, LayoutError> {
    match text.parse() {
        Ok(number @ 1..=MAX) if !text.starts_with(['+', '0']) => Ok(number),
        _ => Err(fail(format!("`{text}` is not a number from 1 to {MAX}"))),
    }
}

/// The four numbers of `3t4h128f16g`.
fn blocks(text: &str, fail: Fail) -> Result<[usize; 4], LayoutError> {
    let mut rest = text;
    let mut numbers = [0; 4];
    for (number_of, letter) in numbers.iter_mut().zip(['t', 'h', 'f', 'g']) {
        let (digits, after) = rest
            .split_once(letter)
            .ok_or_else(|| fail(format!("`{text}` has no number before `{letter}`")))?;
        (*number_of, rest) = (number(digits, fail)?, after);
    }
    match rest {
        "" => Ok(numbers),
        _ => Err(fail(format!("`{text}` continues after `g`"))),
    }
}

impl FromStr for TransformerShape {
    type Err = LayoutError;

    fn from_str(text: &str) -> Result<TransformerShape, LayoutError> {
        let fail = |reason: String| LayoutError::new(text, reason, EXAMPLE);
        let fields: Vec<&str> = text.split('-').collect();
        let [planes, width, encoder, "pool", hidden @ .., "1"] = &fields[..] else {
            let reason = "it must be planes, width, blocks, `pool`, hidden layers and one output";
            return Err(fail(reason.into()));
        };
        if *planes != PLANES.to_string() {
            return Err(fail(format!("it must begin with {PLANES} planes")));
        }
        let width = number(width, &fail)?;
        let [blocks, heads, feed_forward, templates] = blocks(encoder, &fail)?;
        if !width.is_multiple_of(heads) {
            let reason = format!("a width of {width} is not a multiple of {heads} heads");
            return Err(fail(reason));
        }
        if blocks > MAX_LAYERS || hidden.len() > MAX_LAYERS {
            let reason = format!("it may have {MAX_LAYERS} blocks and hidden layers at most");
            return Err(fail(reason));
        }
        let hidden = hidden.iter().map(|units| number(units, &fail));
        Ok(TransformerShape {
            width,
            blocks,
            heads,
            feed_forward,
            templates,
            hidden: hidden.collect::<Result<_, _>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_read_and_printed() {
        for text in [
            EXAMPLE,
            "16-8-1t2h16f3g-pool-1",
            "16-96-12t6h1024f32g-pool-32-8-1",
        ] {
            assert_eq!(text.parse::<TransformerShape>().unwrap().to_string(), text);
        }
        for (text, reason) in [
            ("", "planes, width"),
            ("16-64-pool-64-1", "planes, width"),
            ("16-64-3t4h128f16g-pool-64-2", "planes, width"),
            ("16-64-3t4h128f16g-64-1", "planes, width"),
            ("15-64-3t4h128f16g-pool-1", "16 planes"),
            ("16-0-3t4h128f16g-pool-1", "`0` is not a number"),
            ("16-64-3t4h128f-pool-1", "before `g`"),
            ("16-64-3t4h128f16g2-pool-1", "after `g`"),
            ("16-64-3t+4h128f16g-pool-1", "`+4`"),
            ("16-64-t4h128f16g-pool-1", "``"),
            ("16-64-3t5h128f16g-pool-1", "not a multiple of 5"),
            ("16-64-65t4h128f16g-pool-1", "64 blocks"),
            ("16-64-3t4h128f16g-pool-99999-1", "`99999`"),
        ] {
            let error = text.parse::<TransformerShape>().unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    /// Ten million multiplications and additions: a core that does forty thousand million operations a second manages
    /// two thousand positions.
    #[test]
    fn the_example_costs_what_it_should() {
        let shape: TransformerShape = EXAMPLE.parse().unwrap();
        let tokens = 64 * 64 * (3 * 64 + 8 + 64 + 2 * 128);
        let (scores, values) = (4 * 64 * 64 * 16, 4 * 64 * 64 * 16);
        let bias = 64 * 8 * 64 + 64 * 4 * 16 + 4 * 16 * 64 * 64;
        let by_hand = 3 * (tokens + scores + values + bias) + 64 * 64 + 64;
        assert_eq!(shape.operations(), by_hand);
        assert!((8_000_000..10_000_000).contains(&by_hand));
    }
}
