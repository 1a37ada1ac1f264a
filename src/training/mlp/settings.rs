//! What a recipe can say of an MLP beside its layout.

use super::fused;
use crate::nets::curve::{Curve, Orientation};
use crate::nets::mlp::shape::{Activation, MlpShape};
use crate::nets::mlp::weights::ROW_STEPS;
use crate::training::RecipeError;
use crate::training::faults::{first_fault, is_size};
use crate::training::net_recipe::NetRecipe;
use serde::{Deserialize, Serialize};

/// The settings of the `[net]` table.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct MlpSettings {
    /// After the first layer; none where the layout says it.
    pub first_activation: Option<Activation>,
    /// After later hidden layers.
    pub later_activation: Activation,
    /// Weights and biases are kept within ± this bound, where an integer path needs it; one number for each layer,
    /// the last one for all that follow. 0 sets no bound.
    pub clip: Vec<f64>,
    /// The price of activity: this times the sum of the hidden units' mean outputs is added to the loss. It silences
    /// units, and the integer path skips silent ones. 0 for none.
    pub sparsity: f64,
    /// What computes the steps.
    pub backend: Backend,
    /// Whether the weights of each region are those of a factoriser, which all regions share, plus its own.
    pub factorised: bool,
    /// Whether the second layer's weights are trained as the bytes that play rounds them to.
    pub bytes: bool,
    /// Whether the first layer's are, of which [`ROW_STEPS`] make 1.
    pub byte_rows: bool,
    /// The weight of the teacher's hints in the loss, where the data has them; none for nets that hints do not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hints: Option<f64>,
    /// The last share of the training, in which that weight falls to 0 and the price of activity rises from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hints_fade: Option<f64>,
}

/// What computes the steps of an MLP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Backend {
    /// The fused training where layout and device allow it, candle elsewhere.
    #[default]
    Auto,
    /// candle's gradients.
    Candle,
    /// The fused training.
    Fused,
}

/// What hints weigh unless a recipe says otherwise.
const HINTS: f64 = 0.1;
/// The share of the training in which they fade.
const HINTS_FADE: f64 = 0.2;

/// Whether a teacher's hints fit a net: its second layer has the teacher's 16 units, the last of them straight to the output,
/// and that one has a unit that can be told from centipawns.
fn takes_hints(shape: &MlpShape, curve: Curve) -> bool {
    shape.doubled && shape.hidden.get(1) == Some(&16) && matches!(curve, Curve::Tanh { .. })
}

impl MlpSettings {
    /// Reads the settings of a recipe and fills in what depends on the layout; with them comes the shape.
    ///
    /// # Errors
    /// [`RecipeError`] names the key.
    pub fn of(net: &NetRecipe) -> Result<(MlpSettings, MlpShape), RecipeError> {
        let mut settings: MlpSettings = net.settings()?;
        let layout: MlpShape = net.layout.parse()?;
        let first = *settings.first_activation.get_or_insert(layout.first_activation);
        let shape = layout.with_activations(first, settings.later_activation)?;
        settings.check(net, &shape)?;
        if takes_hints(&shape, net.curve) {
            settings.hints.get_or_insert(HINTS);
            settings.hints_fade.get_or_insert(HINTS_FADE);
        }
        Ok((settings, shape))
    }

    fn check(&self, net: &NetRecipe, shape: &MlpShape) -> Result<(), RecipeError> {
        first_fault(&[
            (
                shape.perspectives == 2 && net.orientation != Orientation::Mover,
                "a layout with two perspectives needs the orientation mover",
            ),
            (
                !self.clip.iter().all(|&bound| is_size(bound)),
                "each bound of clip must be at least 0, where 0 sets none",
            ),
            (
                !(0.0..1.0).contains(&self.sparsity),
                "sparsity must be at least 0 and less than 1; useful prices are far below",
            ),
            (
                self.factorised && shape.regions == 1,
                "factorised needs a layout with regions, such as 2x774m5-…",
            ),
            (
                self.bytes && shape.first_activation == Activation::Relu,
                "bytes needs a clipped first activation: after relu a net plays in 16 bits",
            ),
            (
                self.byte_rows && shape.first_activation == Activation::Relu,
                "byte_rows needs a clipped first activation: after relu a net plays in 16 bits",
            ),
            (
                self.byte_rows && (self.bound(0) == 0.0 || self.bound(0) * ROW_STEPS > i8::MAX.into()),
                "byte_rows needs a clip of the first layer of at most 2, such as clip = [1.98]",
            ),
            (
                (self.hints.is_some() || self.hints_fade.is_some()) && !takes_hints(shape, net.curve),
                "hints need a layout with 16d after the first layer, and a tanh curve",
            ),
            (
                self.hints.is_some_and(|weight| !is_size(weight)),
                "hints must be at least 0",
            ),
            (
                self.hints_fade.is_some_and(|share| !(0.0..=1.0).contains(&share)),
                "hints_fade, a share of the training, must be from 0 to 1",
            ),
        ])?;
        match fused::fault(shape) {
            Some(fault) if self.backend == Backend::Fused => Err(RecipeError::Backend {
                shape: shape.clone(),
                fault,
            }),
            _ => Ok(()),
        }
    }

    /// The bound of a layer's weights; 0 for none.
    pub fn bound(&self, layer: usize) -> f64 {
        let bound = self.clip.get(layer).or(self.clip.last());
        bound.copied().unwrap_or(0.0)
    }

    /// The weight of hints and the price of activity at a place in the training, see [`Pace::gone`], for data with hints
    /// or without: the price takes the place of the hints.
    ///
    /// [`Pace::gone`]: crate::training::model::Pace::gone
    pub fn regularisation(&self, has_hints: bool, gone: f64) -> Regularisation {
        let weight = self.hints.unwrap_or(0.0);
        if !has_hints || weight == 0.0 {
            return Regularisation {
                hints: 0.0,
                sparsity: self.sparsity,
            };
        }
        let fade = self.hints_fade.unwrap_or(HINTS_FADE);
        let left = if fade == 0.0 {
            1.0
        } else {
            ((1.0 - gone) / fade).clamp(0.0, 1.0)
        };
        Regularisation {
            hints: weight * left,
            sparsity: self.sparsity * (1.0 - left),
        }
    }
}

/// What a step's loss has beside the error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Regularisation {
    /// The weight of hints.
    pub hints: f64,
    /// The price of activity.
    pub sparsity: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_price_takes_the_place_of_the_hints() {
        let settings = MlpSettings {
            sparsity: 1e-4,
            hints: Some(0.1),
            hints_fade: Some(0.2),
            ..MlpSettings::default()
        };
        for (has_hints, gone, hints, sparsity) in [
            (false, 0.0, 0.0, 1e-4),
            (true, 0.0, 0.1, 0.0),
            (true, 0.8, 0.1, 0.0),
            (true, 0.9, 0.05, 0.5e-4),
            (true, 1.0, 0.0, 1e-4),
        ] {
            let found = settings.regularisation(has_hints, gone);
            assert!(
                (found.hints - hints).abs() < 1e-9 && (found.sparsity - sparsity).abs() < 1e-12,
                "{found:?}"
            );
        }
    }

    #[test]
    fn what_fits_no_layout_is_named() {
        let of = |layout: &str, line: &str| {
            let text = format!(
                "layout = '{layout}'\norientation = 'mover'\ncurve = {{ tanh = {{ scale = 300.0 }} }}\n{line}"
            );
            MlpSettings::of(&toml::from_str(&text).unwrap()).map(|(settings, _)| settings)
        };
        let new = "2x774m5-64p-16d-32-1x8";
        let found = of(new, "").unwrap();
        assert_eq!((found.hints, found.hints_fade), (Some(HINTS), Some(HINTS_FADE)));
        assert_eq!(of("2x774m5-64-16-32-1x8", "").unwrap().hints, None);
        for (layout, line, word) in [
            ("2x774m-64-16-32-1x8", "factorised = true", "regions"),
            ("2x774m-64-16-32-1x8", "bytes = true", "clipped"),
            (
                "2x774m-64-16-32-1x8",
                "byte_rows = true\nclip = [1.98]",
                "clipped",
            ),
            (new, "byte_rows = true", "clip"),
            (new, "byte_rows = true\nclip = [2.1]", "at most 2"),
            ("2x774m5-64-16-32-1x8", "hints = 0.1", "16d"),
            (new, "hints = -0.1", "hints"),
            (new, "hints_fade = 1.5", "hints_fade"),
            ("2x774m5-64-16-32-1x8", "backend = 'fused'", "clipped"),
            ("774-64-16-32-1", "backend = 'fused'", "perspectives"),
            ("2x774m5-63-16-32-1x8", "backend = 'fused'", "64"),
            (new, "backend = 'cuda'", "cuda"),
        ] {
            let fault = of(layout, line).unwrap_err().to_string();
            assert!(fault.contains(word), "{line}: {fault}");
        }
        assert!(of(new, "backend = 'fused'").is_ok());
    }
}
