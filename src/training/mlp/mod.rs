//! Training an MLP: its recipe, its variables, and the operations that make a step fast.

pub mod activation;
pub mod bucketed;
pub mod encode;
pub mod fused;
pub mod hints;
pub mod model;
mod settings;
pub mod sparse;
mod widen;

use super::batch::{Batch, Encoder, Inputs};
use super::kind::{Design, TrainingKind};
use super::loss::{Loss, error_of_sums};
use super::meaning::Meaning;
use super::model::Model;
use super::model::Pace;
use super::net_recipe::NetRecipe;
use super::optimizer::AdamSettings;
use super::stepper::{Generic, Stepper};
use super::{RecipeError, TrainError};
use crate::arch::vectors::VectorUnit;
use crate::data::Record;
use crate::nets::curve::Curve;
use crate::nets::mlp::shape::MlpShape;
use crate::nets::net::{Architecture, Net, NetInfo};
use crate::nets::score::Score;
use candle_core::{Device, Result, Var};
use encode::Bits;
use fused::FusedMlp;
use model::{Forward, TrainedMlp};
use settings::{Backend, MlpSettings, Regularisation};
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

/// An MLP that a recipe asks for.
#[derive(Clone)]
struct MlpDesign {
    shape: MlpShape,
    settings: MlpSettings,
    meaning: Meaning,
}

fn design(net: &NetRecipe) -> std::result::Result<Box<dyn Design>, RecipeError> {
    let (settings, shape) = MlpSettings::of(net)?;
    Ok(Box::new(MlpDesign {
        shape,
        settings,
        meaning: net.meaning(),
    }))
}

impl MlpDesign {
    /// Whether the fused training computes the steps.
    fn is_fused(&self, device: &Device) -> bool {
        match self.settings.backend {
            Backend::Auto => device.is_cpu() && fused::fault(&self.shape).is_none(),
            Backend::Candle => false,
            Backend::Fused => true,
        }
    }

    /// What a step's loss has beside the error.
    fn regularisation(&self, batch: &Batch, pace: &Pace) -> Regularisation {
        self.settings.regularisation(!batch.hints.is_empty(), pace.gone)
    }

    /// Gives candle's model the weights of a net file.
    fn take_over(&self, model: &TrainedMlp, net: &Net) -> std::result::Result<(), TrainError> {
        let mut weights = widened(net.mlp()?, model.weights()?);
        if let Some(factor) = ratio(net.info.curve, self.meaning.curve) {
            scale_output(&mut weights, factor);
        }
        Ok(model.set_weights(&weights)?)
    }
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
        let Ok(layout) = earlier.layout.parse::<MlpShape>() else {
            return false;
        };
        let shape = layout.with_activations(first_activation, later_activation);
        shape.is_ok_and(|shape| can_widen(&shape, &self.shape) && ratio(curve, self.meaning.curve).is_some())
    }

    fn model(&self, seed: u64, device: &Device) -> Result<Box<dyn Model>> {
        Ok(Box::new(MlpInTraining {
            net: TrainedMlp::new(self.shape.clone(), self.settings.factorised, seed, device)?
                .with_bytes(self.settings.bytes)
                .with_byte_rows(self.settings.byte_rows),
            design: self.clone(),
        }))
    }

    fn stepper(&self, seed: u64, device: &Device, optimizer: AdamSettings) -> Result<Box<dyn Stepper>> {
        if self.is_fused(device) {
            let unit = VectorUnit::chosen();
            return Ok(Box::new(FusedMlp::new(self, seed, optimizer, unit)?));
        }
        Ok(Box::new(Generic::new(self.model(seed, device)?, optimizer)?))
    }

    fn note(&self, device: &Device) -> Option<&'static str> {
        let moved = self.settings.backend == Backend::Fused && !device.is_cpu();
        moved.then_some("backend fused runs on the CPU; the GPU stays idle")
    }

    fn note_on_net_files(&self) -> Option<&'static str> {
        let note = "a net file holds the sums of the factoriser's weights and those of the regions; the factoriser's begin at 0";
        self.settings.factorised.then_some(note)
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

    fn loss(&mut self, batch: &Batch, pace: &Pace) -> Result<Loss> {
        let bits = batch.inputs.get()?;
        let Regularisation { hints, sparsity } = self.design.regularisation(batch, pace);
        if hints == 0.0 && sparsity == 0.0 {
            return Loss::of_sums(&self.net.forward(bits)?, &batch.targets, pace.exponent);
        }
        let Forward {
            sums,
            activity,
            doubled,
        } = self.net.forward_with_activity(bits)?;
        let mut price = (activity * sparsity)?;
        if let Some(doubled) = doubled.filter(|_| hints > 0.0) {
            let penalty = hints::penalty(&doubled, batch, self.design.meaning.curve)?;
            price = (price + (penalty * hints)?)?;
        }
        Ok(Loss {
            error: error_of_sums(&sums, &batch.targets, pace.exponent)?,
            price: Some(price),
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
        self.design.take_over(&self.net, net)
    }

    fn net(&self, info: NetInfo) -> Result<Net> {
        Ok(Net::of_mlp(info, &self.net.weights()?))
    }
}
