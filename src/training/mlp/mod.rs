//! Training an MLP: its recipe, its variables, and the operations that make a step fast.

pub mod activation;
pub mod bucketed;
pub mod encode;
pub mod model;
pub mod sparse;
mod widen;

use super::TrainError;
use super::batch::{Batch, Encoder, Inputs};
use super::faults::{first_fault, is_size};
use super::kind::{Design, Model, TrainingKind};
use super::loss::{Loss, error_of_sums};
use super::meaning::Meaning;
use super::net_recipe::NetRecipe;
use crate::data::Record;
use crate::nets::curve::{Curve, Orientation};
use crate::nets::mlp::shape::{Activation, MlpShape};
use crate::nets::net::{Architecture, Net, NetInfo};
use crate::nets::score::Score;
use candle_core::{Device, Result, Var};
use encode::Bits;
use model::TrainedMlp;
use serde::{Deserialize, Serialize};
use widen::{can_widen, ratio, scale_output, widened};

/// Dense layers on the 774 bits.
pub const KIND: TrainingKind = TrainingKind {
    name: "mlp",
    recognises: |layout| {
        let inputs = layout.strip_prefix("2x").unwrap_or(layout);
        inputs.starts_with("774-") || inputs.starts_with("774m")
    },
    design,
};

/// What a recipe can say of an MLP beside its layout.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct MlpSettings {
    /// After the first layer; none where the layout says it.
    first_activation: Option<Activation>,
    /// After later hidden layers.
    later_activation: Activation,
    /// Weights and biases are kept within ± this bound, where an integer path needs it; one number for each layer,
    /// the last one for all that follow. 0 sets no bound.
    clip: Vec<f64>,
    /// The price of activity: this times the sum of the hidden units' mean outputs is added to the loss. It silences
    /// units, and the integer path skips silent ones. 0 for none.
    sparsity: f64,
}

/// An MLP that a recipe asks for.
#[derive(Clone)]
struct MlpDesign {
    shape: MlpShape,
    settings: MlpSettings,
    meaning: Meaning,
}

fn design(net: &NetRecipe) -> std::result::Result<Box<dyn Design>, String> {
    let mut settings: MlpSettings = net.settings()?;
    let layout: MlpShape = net
        .layout
        .parse()
        .map_err(|error| format!("net.layout: {error}"))?;
    let first = *settings.first_activation.get_or_insert(layout.first_activation);
    let shape = layout
        .with_activations(first, settings.later_activation)
        .map_err(|fault| format!("net.first_activation: {fault}"))?;
    first_fault(&[
        (
            shape.perspectives == 2 && net.orientation != Orientation::Mover,
            "a layout with two perspectives needs the orientation mover",
        ),
        (
            !settings.clip.iter().all(|&bound| is_size(bound)),
            "each bound of clip must be at least 0, where 0 sets none",
        ),
        (
            !(0.0..1.0).contains(&settings.sparsity),
            "sparsity must be at least 0 and less than 1; useful prices are far below",
        ),
    ])?;
    Ok(Box::new(MlpDesign {
        shape,
        settings,
        meaning: net.meaning(),
    }))
}

impl Design for MlpDesign {
    fn architecture(&self) -> Architecture {
        self.shape.architecture()
    }

    fn settings(&self) -> toml::Table {
        toml::Table::try_from(&self.settings).expect("the settings are what TOML can say")
    }

    fn takes_over(&self, earlier: &Architecture, curve: Curve) -> bool {
        let MlpShape {
            first_activation,
            later_activation,
            ..
        } = self.shape;
        let layout = earlier
            .layout
            .parse::<MlpShape>()
            .map_err(|error| error.to_string());
        let shape = layout.and_then(|layout| layout.with_activations(first_activation, later_activation));
        shape.is_ok_and(|shape| can_widen(&shape, &self.shape) && ratio(curve, self.meaning.curve).is_some())
    }

    fn model(&self, seed: u64, device: &Device) -> Result<Box<dyn Model>> {
        Ok(Box::new(MlpInTraining {
            net: TrainedMlp::new(self.shape.clone(), seed, device)?,
            design: self.clone(),
        }))
    }
}

/// An MLP in training.
struct MlpInTraining {
    net: TrainedMlp,
    design: MlpDesign,
}

impl Model for MlpInTraining {
    fn vars(&self) -> Vec<Var> {
        self.net.vars()
    }

    fn encoder(&self) -> Encoder {
        let MlpDesign { shape, meaning, .. } = self.design.clone();
        Box::new(move |records| Inputs::new(Bits::encode(records, &shape, meaning.orientation)))
    }

    fn loss(&mut self, batch: &Batch, exponent: f64) -> Result<Loss> {
        let bits = batch.inputs.get()?;
        if self.design.settings.sparsity == 0.0 {
            return Loss::of_sums(&self.net.forward(bits)?, &batch.targets, exponent);
        }
        let (sums, activity) = self.net.forward_with_activity(bits)?;
        Ok(Loss {
            error: error_of_sums(&sums, &batch.targets, exponent)?,
            price: Some((activity * self.design.settings.sparsity)?),
        })
    }

    fn after_step(&mut self) -> Result<()> {
        self.net.clip(&self.design.settings.clip)
    }

    fn scores(&self, records: &[Record], batch: usize) -> std::result::Result<Vec<Score>, TrainError> {
        let MlpDesign { shape, meaning, .. } = &self.design;
        let mut scores = Vec::with_capacity(records.len());
        for records in records.chunks(batch) {
            let sums = self
                .net
                .forward(&Bits::encode(records, shape, meaning.orientation))?;
            scores.extend(meaning.scores_for_white(records, &sums.to_vec1::<f32>()?));
        }
        Ok(scores)
    }

    fn take_over(&mut self, net: &Net, _: &[Record]) -> std::result::Result<(), TrainError> {
        let mut weights = widened(net.mlp()?, self.net.weights()?);
        if let Some(factor) = ratio(net.info.curve, self.design.meaning.curve) {
            scale_output(&mut weights, factor);
        }
        Ok(self.net.set_weights(&weights)?)
    }

    fn net(&self, info: NetInfo) -> Result<Net> {
        Ok(Net::of_mlp(info, &self.net.weights()?))
    }
}
