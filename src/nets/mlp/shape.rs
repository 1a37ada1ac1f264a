//! The layout of an MLP: perspectives, hidden layers, output buckets, and the activations between them.

use super::regions;
use crate::board::{Color, Position, Square};
use crate::nets::curve::Orientation;
use crate::nets::encoding::{INPUTS, View, seen_square};
use crate::nets::layout::LayoutError;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The widest layer that a net file may ask for: wider than is useful, narrow enough that sizes cannot overflow.
const MAX_WIDTH: usize = 16_384;
/// The most hidden layers that a net file may ask for.
const MAX_HIDDEN: usize = 16;
/// The examples of layouts in error messages.
const EXAMPLE: &str = "774-512-512-256-64-1, 2x774-256-16-32-1x8, 2x774m-512-16-32-1x8, 2x774m5-512-16-32-1x8 or \
    2x774m5-1024p-16d-32-1x8";
/// What stands after the number of inputs of a net that mirrors the board by the king.
const MIRRORED: char = 'm';
/// What stands after the first hidden layer's units where the next layer takes products of pairs of them.
const PAIRED: char = 'p';
/// What stands after the second hidden layer's units where each of them has two activations.
const DOUBLED: char = 'd';
/// The number of output buckets of a net that has them, see [`MlpShape::bucket`].
pub const BUCKETS: usize = 8;
/// The function between two layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Activation {
    /// max(x, 0).
    #[default]
    Relu,
    /// x clamped to [0, 1].
    ClippedRelu,
    /// The square of x clamped to [0, 1].
    SquaredClippedRelu,
}

impl Activation {
    /// Its name in recipes and net files.
    pub fn name(self) -> &'static str {
        match self {
            Activation::Relu => "relu",
            Activation::ClippedRelu => "clippedrelu",
            Activation::SquaredClippedRelu => "squaredclippedrelu",
        }
    }

    /// The activation with this [`Activation::name`].
    pub fn from_name(name: &str) -> Option<Activation> {
        let all = [
            Activation::Relu,
            Activation::ClippedRelu,
            Activation::SquaredClippedRelu,
        ];
        all.into_iter().find(|activation| activation.name() == name)
    }

    /// Applies the function.
    #[inline]
    pub fn apply(self, x: f32) -> f32 {
        match self {
            Activation::Relu => x.max(0.0),
            Activation::ClippedRelu => x.clamp(0.0, 1.0),
            Activation::SquaredClippedRelu => {
                let x = x.clamp(0.0, 1.0);
                x * x
            }
        }
    }
}

/// What makes the sums of a layer the inputs of the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nonlinearity {
    /// One output for each sum.
    Each(Activation),
    /// Of 2n sums n outputs: the product of the i-th sum and the one n places behind it, each clamped to [0, 1].
    Pairs,
    /// Of n + 1 sums 2n outputs: first the squares of n sums of either sign, at most 1, then the same sums clamped to
    /// [0, 1]. The last sum goes straight to the net's output, and is added to it before tanh.
    Twice,
}

impl Nonlinearity {
    /// The number of outputs from so many sums.
    pub fn outputs(self, sums: usize) -> usize {
        match self {
            Nonlinearity::Each(_) => sums,
            Nonlinearity::Pairs => sums / 2,
            Nonlinearity::Twice => 2 * (sums - 1),
        }
    }

    /// The outputs from the sums of one perspective.
    pub fn apply(self, sums: &[f32]) -> Vec<f32> {
        let clipped = |&x: &f32| x.clamp(0.0, 1.0);
        match self {
            Nonlinearity::Each(activation) => sums.iter().map(|&x| activation.apply(x)).collect(),
            Nonlinearity::Pairs => {
                let (left, right) = sums.split_at(sums.len() / 2);
                let pairs = left.iter().zip(right);
                pairs.map(|(a, b)| clipped(a) * clipped(b)).collect()
            }
            Nonlinearity::Twice => {
                let sums = &sums[..sums.len() - 1];
                let squares = sums.iter().map(|x| (x * x).min(1.0));
                squares.chain(sums.iter().map(clipped)).collect()
            }
        }
    }
}

/// The shape of an MLP on the 774 inputs. Its text form is the sizes of its layers: `774-512-512-256-64-1` is the net of
/// the thesis; `2x774-256-16-32-1x8` sees the board from both sides through one shared first layer of 256 units,
/// concatenates the two halves (the mover's first), and has separate later layers for each of 8 output buckets; in
/// `2x774m-512-16-32-1x8` each half sees the board mirrored where its king stands on the files a to d; and in
/// `2x774m5-512-16-32-1x8` it also has a first layer's weights of its own for each of 5 (or 16) regions of its king. In
/// `2x774m5-1024p-16d-32-1x8` the next layer takes 512 products of pairs of each half's units ([`Nonlinearity::Pairs`]),
/// and 15 of the 16 units after it have two activations each, while the last is part of the output
/// ([`Nonlinearity::Twice`]). Other activations are not part of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MlpShape {
    /// 1, or 2 if the first layer sees the board from the mover's side and from the opponent's.
    pub perspectives: usize,
    /// Whether the files are reversed where the viewer's king stands on a to d; see [`View::mirrored`].
    pub mirrored: bool,
    /// Sets of the first layer's weights: 1, 5 or 16, of which the square of the viewer's king chooses one. Only a
    /// mirrored net can have more than one.
    pub regions: usize,
    /// Units of each hidden layer; of the first one for each perspective.
    pub hidden: Vec<usize>,
    /// Whether the second layer takes products of pairs of the first one's units, of which there is then an even number.
    pub paired: bool,
    /// Whether the second hidden layer's units have two activations each, and the last of them goes straight to the output.
    pub doubled: bool,
    /// After the first layer; clipped ReLU where it is [`MlpShape::paired`].
    pub first_activation: Activation,
    /// After every later hidden layer that is not [`MlpShape::doubled`]; the output has tanh.
    pub later_activation: Activation,
    /// 1, or [`BUCKETS`].
    pub buckets: usize,
}

/// The layout itself says what the first activation is, and another one was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the pairs of {shape} have the first activation {}, not {}", shape.first_activation.name(), wanted.name())]
pub struct ActivationError {
    shape: MlpShape,
    wanted: Activation,
}

impl MlpShape {
    /// Dense layers, the output layer included.
    pub fn layers(&self) -> usize {
        self.hidden.len() + 1
    }

    /// The number of inputs of a layer, counted from 0. Those of the first are the 774 bits, once for each region.
    pub fn inputs_of(&self, layer: usize) -> usize {
        let Some(before) = layer.checked_sub(1) else {
            return INPUTS * self.regions;
        };
        let nonlinearity = self.nonlinearity(before).expect("a layer with another after it");
        nonlinearity.outputs(self.units_of(before)) * if before == 0 { self.perspectives } else { 1 }
    }

    /// The number of sums of a layer in one bucket, and for one perspective in the first.
    pub fn units_of(&self, layer: usize) -> usize {
        self.hidden.get(layer).copied().unwrap_or(1)
    }

    /// The rows that a layer's weights have: the outputs of bucket 0, then those of bucket 1, and so on. The first
    /// layer is shared by all buckets.
    pub fn rows_of(&self, layer: usize) -> usize {
        self.units_of(layer) * if layer == 0 { 1 } else { self.buckets }
    }

    /// What follows a layer's sums; nothing (tanh) after the last.
    pub fn nonlinearity(&self, layer: usize) -> Option<Nonlinearity> {
        match layer {
            0 if self.paired => Some(Nonlinearity::Pairs),
            0 => Some(Nonlinearity::Each(self.first_activation)),
            1 if self.doubled => Some(Nonlinearity::Twice),
            l if l < self.hidden.len() => Some(Nonlinearity::Each(self.later_activation)),
            _ => None,
        }
    }

    /// The same shape with these activations.
    ///
    /// # Errors
    /// [`ActivationError`] if the layout itself says what the first activation is, and it is another.
    pub fn with_activations(self, first: Activation, later: Activation) -> Result<MlpShape, ActivationError> {
        if self.paired && first != self.first_activation {
            return Err(ActivationError {
                shape: self,
                wanted: first,
            });
        }
        Ok(MlpShape {
            first_activation: first,
            later_activation: later,
            ..self
        })
    }

    /// The bucket of a position with this many pieces, kings included: (pieces − 2) / 4, at most 7.
    #[inline]
    pub fn bucket(&self, pieces: usize) -> usize {
        if self.buckets == 1 {
            0
        } else {
            (pieces.saturating_sub(2) / 4).min(BUCKETS - 1)
        }
    }

    /// From where a net of this shape sees a position, in the order of its perspectives.
    #[inline]
    pub fn views(&self, orientation: Orientation, position: &Position) -> impl Iterator<Item = View> + use<> {
        let first = orientation.view(position.side_to_move());
        let [one, other] = [first, !first].map(|side| self.view(side, position.king(side)));
        [one, other].into_iter().take(self.perspectives)
    }

    /// From where a net of this shape sees the board for a side with its king on this square, and with which weights.
    #[inline]
    pub fn view(&self, side: Color, king: Square) -> View {
        if !self.mirrored {
            return side.into();
        }
        let mut view = View::mirrored_by_king(side, king);
        if self.regions > 1 {
            let square = seen_square(view, king);
            view.region = regions::of_square(self.regions, square);
        }
        view
    }

    /// Weights and biases together.
    pub fn parameters(&self) -> usize {
        (0..self.layers())
            .map(|layer| (self.inputs_of(layer) + 1) * self.rows_of(layer))
            .sum()
    }
}

impl fmt::Display for MlpShape {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.perspectives == 2 {
            write!(f, "2x")?;
        }
        write!(f, "{INPUTS}")?;
        if self.mirrored {
            write!(f, "{MIRRORED}")?;
        }
        if self.regions > 1 {
            write!(f, "{}", self.regions)?;
        }
        for (number, units) in self.hidden.iter().enumerate() {
            write!(f, "-{units}")?;
            match number {
                0 if self.paired => write!(f, "{PAIRED}")?,
                1 if self.doubled => write!(f, "{DOUBLED}")?,
                _ => {}
            }
        }
        write!(f, "-1")?;
        if self.buckets > 1 {
            write!(f, "x{}", self.buckets)?;
        }
        Ok(())
    }
}

impl FromStr for MlpShape {
    type Err = LayoutError;

    /// Reads the text form; the activations that it does not say are [`Activation::Relu`].
    fn from_str(text: &str) -> Result<MlpShape, LayoutError> {
        let fail = |reason: String| LayoutError::new(text, reason, EXAMPLE);
        let (perspectives, rest) = match text.strip_prefix("2x") {
            Some(rest) => (2, rest),
            None => (1, text),
        };
        let fields: Vec<&str> = rest.split('-').collect();
        let [first, hidden @ .., last] = &fields[..] else {
            return Err(fail("it needs at least three numbers".into()));
        };
        let seen = first.strip_prefix(&INPUTS.to_string());
        let seen = seen.ok_or_else(|| fail(format!("it must begin with {INPUTS} inputs")))?;
        let (mirrored, regions) = match seen.strip_prefix(MIRRORED) {
            None if seen.is_empty() => (false, 1),
            Some("") => (true, 1),
            Some(marked) => match regions::numbers().find(|number| number.to_string() == marked) {
                Some(regions) => (true, regions),
                None => {
                    let known: Vec<String> = regions::numbers()
                        .map(|number| format!("{MIRRORED}{number}"))
                        .collect();
                    let reason = format!(
                        "after {INPUTS} stands nothing, {MIRRORED}, {}",
                        known.join(" or ")
                    );
                    return Err(fail(reason));
                }
            },
            None => return Err(fail(format!("after {INPUTS} stands nothing or {MIRRORED}"))),
        };
        let buckets = match *last {
            "1" => 1,
            "1x8" => BUCKETS,
            _ => return Err(fail("it must end with one output, 1 or 1x8".into())),
        };
        if hidden.is_empty() || hidden.len() > MAX_HIDDEN {
            return Err(fail(format!("it needs 1 to {MAX_HIDDEN} hidden layers")));
        }
        let mut hidden = hidden.to_vec();
        let mut marked = |layer: usize, mark: char| {
            let field = hidden.get_mut(layer);
            let rest = field.and_then(|field| field.strip_suffix(mark).map(|rest| *field = rest));
            rest.is_some()
        };
        let (paired, doubled) = (marked(0, PAIRED), marked(1, DOUBLED));
        let units = |field: &&str| match field.parse() {
            Ok(units @ 1..=MAX_WIDTH) if !field.starts_with(['+', '0']) => Ok(units),
            _ => Err(fail(format!("hidden layers have 1 to {MAX_WIDTH} units"))),
        };
        let hidden = hidden.iter().map(units).collect::<Result<Vec<usize>, _>>()?;
        if paired && hidden[0] % 2 == 1 {
            return Err(fail("pairs need an even number of units".into()));
        }
        if doubled && hidden[1] < 2 {
            let reason = "where the last unit goes straight to the output, there must be another";
            return Err(fail(reason.into()));
        }
        Ok(MlpShape {
            perspectives,
            mirrored,
            regions,
            hidden,
            paired,
            doubled,
            first_activation: if paired {
                Activation::ClippedRelu
            } else {
                Activation::default()
            },
            later_activation: Activation::default(),
            buckets,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_read_and_printed() {
        for text in [
            "774-512-512-256-64-1",
            "2x774-256-16-32-1x8",
            "2x774m-512-16-32-1x8",
            "2x774m5-512-16-32-1x8",
            "2x774m5-1024p-16d-32-1x8",
            "2x774m16-1024p-16d-32-1x8",
            "774-8p-1",
            "774-7-2d-1",
            "774-8-1",
            "2x774-1-1",
        ] {
            assert_eq!(text.parse::<MlpShape>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "774-1",
            "773-5-1",
            "774-0-1",
            "774-x-1",
            "3x774-5-1",
            "774-5-2",
            "774-5-1x4",
            "774-99999-1",
            "774-+5-1",
            "774mm-5-1",
            "774x-5-1",
            "7745-5-1",
            "774m4-5-1",
            "774m05-5-1",
            "774m17-5-1",
            "774-p-5-1",
            "774-7p-5-1",
            "774-8pp-5-1",
            "774-8d-5-1",
            "774-8-4p-1",
            "774-8-1d-1",
            "774-8-4-4d-1",
            "774-8p-4d-1d",
        ] {
            assert!(text.parse::<MlpShape>().is_err(), "{text} was taken for a layout");
        }
    }

    #[test]
    fn sizes_of_the_thesis() {
        let thesis: MlpShape = "774-512-512-256-64-1".parse().unwrap();
        assert_eq!(thesis.layers(), 5);
        assert_eq!(
            thesis.parameters(),
            775 * 512 + 513 * 512 + 513 * 256 + 257 * 64 + 65
        );
        assert_eq!(thesis.bucket(32), 0);
    }

    #[test]
    fn pairs_and_double_activations_change_what_the_next_layer_sees() {
        let shape: MlpShape = "2x774m5-1024p-16d-32-1x8".parse().unwrap();
        let sizes = |layer| (shape.inputs_of(layer), shape.rows_of(layer));
        assert_eq!(
            [0, 1, 2, 3].map(sizes),
            [(5 * 774, 1024), (1024, 128), (30, 256), (32, 8)]
        );
        assert_eq!(shape.nonlinearity(3), None);
        assert_eq!(shape.first_activation, Activation::ClippedRelu);
        let with = |first| shape.clone().with_activations(first, Activation::ClippedRelu);
        assert!(
            with(Activation::SquaredClippedRelu)
                .unwrap_err()
                .to_string()
                .contains("clippedrelu")
        );
        assert_eq!(
            with(Activation::ClippedRelu).unwrap().nonlinearity(2),
            Some(Nonlinearity::Each(Activation::ClippedRelu))
        );
        let sums = [0.5, 2.0, -1.0, 0.5, 0.25, 0.75];
        assert_eq!(shape.nonlinearity(0).unwrap().apply(&sums), [0.25, 0.25, 0.0]);
        let outputs = shape.nonlinearity(1).unwrap().apply(&sums);
        assert_eq!(outputs[..5], [0.25, 1.0, 1.0, 0.25, 0.0625]);
        assert_eq!(outputs[5..], [0.5, 1.0, 0.0, 0.5, 0.25]);
        let short: MlpShape = "774-6p-3d-1".parse().unwrap();
        assert_eq!(short.parameters(), 775 * 6 + 4 * 3 + 5);
    }

    #[test]
    fn the_king_chooses_view_and_region() {
        let shape: MlpShape = "2x774m5-16-1".parse().unwrap();
        assert_eq!(shape.parameters(), (5 * 774 + 1) * 16 + 33);
        let seen = |side, king: &str| {
            let view = shape.view(side, king.parse().unwrap());
            (view.mirrored, view.region)
        };
        for (white, black, view) in [
            ("e1", "e8", (false, 0)),
            ("d1", "d8", (true, 0)),
            ("g1", "g8", (false, 1)),
            ("b1", "b8", (true, 1)),
            ("h2", "h7", (false, 2)),
            ("a1", "a8", (true, 2)),
            ("c3", "c6", (true, 3)),
            ("e8", "e1", (false, 4)),
        ] {
            assert_eq!(seen(Color::White, white), view, "{white}");
            assert_eq!(seen(Color::Black, black), view, "{black}");
        }
    }

    #[test]
    fn sizes_with_two_perspectives_and_buckets() {
        let shape: MlpShape = "2x774-256-16-32-1x8".parse().unwrap();
        assert_eq!((shape.inputs_of(1), shape.units_of(1)), (512, 16));
        assert_eq!(
            (shape.rows_of(0), shape.rows_of(1), shape.rows_of(3)),
            (256, 128, 8)
        );
        assert_eq!(
            [2, 5, 6, 29, 30, 32, 40].map(|n| shape.bucket(n)),
            [0, 0, 1, 6, 7, 7, 7]
        );
    }
}
