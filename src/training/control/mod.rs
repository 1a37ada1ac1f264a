//! Training a control net: its recipe, its loss, and the curve that is fitted beside it.

pub mod encode;
pub mod model;

use super::batch::{Batch, Encoder, Inputs};
use super::kind::{Design, TrainingKind};
use super::loss::Loss;
use super::meaning::Meaning;
use super::model::Model;
use super::model::Pace;
use super::net_recipe::NetRecipe;
use super::{RecipeError, TrainError};
use crate::data::Record;
use crate::nets::control::shape::ControlShape;
use crate::nets::curve::Orientation;
use crate::nets::net::{Architecture, Net, NetInfo};
use crate::nets::score::Score;
use candle_core::{Device, Result, Var};
use encode::Rows;
use model::TrainedControl;
use serde::Deserialize;

/// One hidden layer on the 65 numbers of a position.
pub const KIND: TrainingKind = TrainingKind {
    name: "control",
    recognises: |layout| layout.starts_with("65-"),
    design,
};

/// A control net has no settings beside its layout.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoSettings {}

/// A control net that a recipe asks for.
#[derive(Clone)]
struct ControlDesign {
    shape: ControlShape,
    meaning: Meaning,
}

fn design(net: &NetRecipe) -> std::result::Result<Box<dyn Design>, RecipeError> {
    net.settings::<NoSettings>()?;
    let shape = net.layout.parse()?;
    if net.orientation != Orientation::White {
        let fault = "a control net sees the board as it is and needs the orientation white";
        return Err(RecipeError::Value(fault));
    }
    let meaning = net.meaning();
    Ok(Box::new(ControlDesign { shape, meaning }))
}

impl Design for ControlDesign {
    fn architecture(&self) -> Architecture {
        self.shape.architecture()
    }

    fn model(&self, seed: u64, device: &Device) -> Result<Box<dyn Model>> {
        Ok(Box::new(ControlTraining {
            net: TrainedControl::new(self.shape, seed, device)?,
            meaning: self.meaning,
        }))
    }
}

/// A control net in training.
struct ControlTraining {
    net: TrainedControl,
    meaning: Meaning,
}

impl Model for ControlTraining {
    fn vars(&self) -> Vec<Var> {
        self.net.vars()
    }

    fn encoder(&self) -> Encoder {
        Box::new(|records| Inputs::new(Rows::encode(records)))
    }

    /// The six outputs have a loss of their own, so the recipe's exponent is that of the curve's alone.
    fn loss(&mut self, batch: &Batch, pace: &Pace) -> Result<Loss> {
        let rows = batch.inputs.get()?;
        let logits = self.net.forward(rows)?;
        Ok(Loss {
            error: self.net.error_of_outputs(&logits, rows)?,
            price: Some(self.net.error_of_curve(&logits, &batch.targets, pace.exponent)?),
        })
    }

    /// A greater advantage is never worth less.
    fn after_step(&mut self) -> Result<()> {
        self.net.keep_curve_rising()
    }

    fn scores(&self, records: &[Record], batch: usize) -> std::result::Result<Vec<Score>, TrainError> {
        let mut scores = Vec::with_capacity(records.len());
        for records in records.chunks(batch) {
            let values = self.net.values(&Rows::encode(records))?;
            scores.extend(values.into_iter().map(|value| self.meaning.curve.score(value)));
        }
        Ok(scores)
    }

    fn take_over(&mut self, net: &Net, _: &[Record]) -> std::result::Result<(), TrainError> {
        Ok(self.net.set_weights(&net.control()?)?)
    }

    fn net(&self, info: NetInfo) -> Result<Net> {
        Ok(Net::of_control(info, &self.net.weights()?))
    }
}
