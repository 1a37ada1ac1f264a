//! Training a transformer: its recipe, its first weights, and gradients that are fast on the CPU.

mod back;
pub mod body;
mod geometry;
pub mod model;

use super::batch::{Batch, Encoder, Inputs};
use super::cnn::encode::plane_boards;
use super::kind::{Design, TrainingKind};
use super::loss::Loss;
use super::meaning::Meaning;
use super::model::Model;
use super::model::Pace;
use super::net_recipe::NetRecipe;
use super::{RecipeError, TrainError};
use crate::data::Record;
use crate::nets::curve::Orientation;
use crate::nets::net::{Architecture, Net, NetInfo};
use crate::nets::score::Score;
use crate::nets::transformer;
use crate::nets::transformer::encoder::Planes;
use crate::nets::transformer::shape::TransformerShape;
use candle_core::{Device, Result, Var};
use model::TrainedTransformer;
use serde::Deserialize;
use std::sync::Arc;

/// Encoder blocks on the 64 squares.
pub const KIND: TrainingKind = TrainingKind {
    name: transformer::KIND,
    // `3t4h128f16g`
    recognises: |layout| {
        let mut fields = layout.split('-');
        fields.any(|field| field.ends_with('g') && field.contains('t'))
    },
    design,
};

/// A transformer has no settings of its own.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoSettings {}

/// A transformer that a recipe asks for.
#[derive(Clone)]
struct TransformerDesign {
    shape: TransformerShape,
    meaning: Meaning,
}

fn design(net: &NetRecipe) -> std::result::Result<Box<dyn Design>, RecipeError> {
    let NoSettings {} = net.settings()?;
    Ok(Box::new(TransformerDesign {
        shape: net.layout.parse()?,
        meaning: net.meaning(),
    }))
}

impl Design for TransformerDesign {
    fn architecture(&self) -> Architecture {
        self.shape.architecture()
    }

    fn model(&self, seed: u64, device: &Device) -> Result<Box<dyn Model>> {
        Ok(Box::new(TransformerModel {
            net: TrainedTransformer::new(self.shape.clone(), seed, device)?,
            meaning: self.meaning,
        }))
    }
}

/// A transformer in training.
struct TransformerModel {
    net: TrainedTransformer,
    meaning: Meaning,
}

fn encode(records: &[Record], orientation: Orientation) -> Vec<Planes> {
    let planes = |record: &Record| plane_boards(record, orientation.view(record.side_to_move()));
    records.iter().map(planes).collect()
}

impl Model for TransformerModel {
    fn vars(&self) -> Vec<Var> {
        self.net.vars()
    }

    fn encoder(&self) -> Encoder {
        let orientation = self.meaning.orientation;
        Box::new(move |records| Inputs::new(Arc::new(encode(records, orientation))))
    }

    fn loss(&mut self, batch: &Batch, pace: &Pace) -> Result<Loss> {
        let sums = self.net.forward(batch.inputs.get()?)?;
        Loss::of_sums(&sums, &batch.targets, pace.exponent)
    }

    fn scores(&self, records: &[Record], batch: usize) -> std::result::Result<Vec<Score>, TrainError> {
        let mut sums = Vec::with_capacity(records.len());
        for records in records.chunks(batch) {
            sums.extend(self.net.outputs(&encode(records, self.meaning.orientation))?);
        }
        Ok(self.meaning.scores_for_white(records, &sums))
    }

    fn take_over(&mut self, net: &Net, _: &[Record]) -> std::result::Result<(), TrainError> {
        Ok(self.net.set_weights(&net.transformer()?)?)
    }

    fn net(&self, info: NetInfo) -> Result<Net> {
        Ok(Net::of_transformer(info, &self.net.weights()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nets::curve::Curve;
    use crate::training::registry;

    fn net(layout: &str, settings: &str) -> NetRecipe {
        NetRecipe {
            kind: String::new(),
            layout: layout.into(),
            orientation: Orientation::Mover,
            curve: Curve::THESIS,
            after: None,
            settings: toml::from_str(settings).unwrap(),
        }
    }

    #[test]
    fn recipes_are_known_by_their_layout() {
        let layout = "16-64-3t4h128f16g-pool-64-1";
        assert_eq!(
            registry::kind_of(&net(layout, "")).unwrap().name,
            transformer::KIND
        );
        let architecture = registry::design(&net(layout, "")).unwrap().architecture();
        assert_eq!(
            (&architecture.kind[..], &architecture.layout[..]),
            (transformer::KIND, layout)
        );
        for (layout, settings, word) in [
            ("16-64-3t5h128f16g-pool-1", "", "net.layout"),
            (layout, "sparsity = 0.1", "sparsity"),
        ] {
            let error = registry::design(&net(layout, settings))
                .err()
                .unwrap()
                .to_string();
            assert!(error.contains(word), "{error}");
        }
    }
}
