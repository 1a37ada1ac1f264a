//! Training a CNN: its recipe, its variables, and convolutions whose gradients are fast on the CPU.

mod bfloat;
pub mod body;
pub mod convolution;
pub mod encode;
mod gate;
mod gate_tape;
mod kernel;
pub mod model;
pub mod normalise;

use super::batch::{Batch, Encoder, Inputs};
use super::faults::first_fault;
use super::kind::{Design, TrainingKind};
use super::loss::Loss;
use super::meaning::Meaning;
use super::model::Model;
use super::model::Pace;
use super::net_recipe::NetRecipe;
use super::{RecipeError, TrainError};
use crate::arch::matrix_unit::MatrixUnit;
use crate::data::Record;
use crate::nets::cnn::blocks::{BLOCK, BoardNet};
use crate::nets::cnn::reference::Cnn;
use crate::nets::cnn::shape::CnnShape;
use crate::nets::encoding::{PLANE_INPUTS, PLANES};
use crate::nets::mlp::shape::Activation;
use crate::nets::net::{Architecture, FORMAT, Net, NetInfo};
use crate::nets::score::Score;
use candle_core::{Device, Result, Tensor, Var};
use encode::Boards;
use model::TrainedCnn;
use rayon::prelude::*;
use serde::Deserialize;

/// Convolutions on the 16 planes.
pub const KIND: TrainingKind = TrainingKind {
    name: "cnn",
    recognises: |layout| layout.split('-').any(|field| field == "pool"),
    design,
};

/// The settings of a CNN, and those of an MLP, which older recipes of CNNs, written out with every default, hold too.
/// The latter may only have the values that are true of every CNN.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Settings {
    /// Whether filters and boards are rounded to bfloat16 before they are multiplied, where the processor has a unit for
    /// that; sums, weights and statistics remain in f32.
    bfloat16: bool,
    first_activation: Activation,
    later_activation: Activation,
    clip: Vec<f64>,
    sparsity: f64,
}

/// A CNN that a recipe asks for.
#[derive(Clone)]
struct CnnDesign {
    shape: CnnShape,
    meaning: Meaning,
    bfloat16: bool,
}

fn design(net: &NetRecipe) -> std::result::Result<Box<dyn Design>, RecipeError> {
    let settings: Settings = net.settings()?;
    let shape = net.layout.parse()?;
    let bends = |activation| activation != Activation::Relu;
    first_fault(&[
        (
            bends(settings.first_activation) || bends(settings.later_activation),
            "first_activation and later_activation are for MLPs; a CNN has relu everywhere",
        ),
        (
            !settings.clip.is_empty(),
            "clip is for MLPs; no integer path asks for bounds of a CNN",
        ),
        (
            settings.sparsity != 0.0,
            "sparsity is for MLPs; nothing passes over the silent units of a CNN",
        ),
    ])?;
    Ok(Box::new(CnnDesign {
        shape,
        meaning: net.meaning(),
        bfloat16: settings.bfloat16,
    }))
}

impl CnnDesign {
    /// What multiplies in bfloat16, if the recipe asks for it and the processor can.
    fn unit(&self) -> Option<MatrixUnit> {
        self.bfloat16.then(MatrixUnit::of_processor).flatten()
    }
}

impl Design for CnnDesign {
    fn architecture(&self) -> Architecture {
        self.shape.architecture()
    }

    /// Written out only if bfloat16 is chosen, so that other recipes read as they did before the setting existed.
    fn settings(&self) -> toml::Table {
        let chosen = self.bfloat16.then(|| ("bfloat16".to_string(), true.into()));
        chosen.into_iter().collect()
    }

    fn note(&self, device: &Device) -> Option<&'static str> {
        (self.bfloat16 && !(device.is_cpu() && self.unit().is_some())).then_some(
            "products are in f32: bfloat16 needs a processor with AMX (Intel's for servers, since 2023) and Linux",
        )
    }

    /// Batches consist of whole blocks, so that empty boards do not count in the batch norms.
    fn batch_multiple(&self) -> usize {
        BLOCK
    }

    fn model(&self, seed: u64, device: &Device) -> Result<Box<dyn Model>> {
        Ok(Box::new(CnnInTraining {
            net: TrainedCnn::new(self.shape.clone(), seed, self.unit(), device)?,
            design: self.clone(),
            device: device.clone(),
        }))
    }
}

/// A CNN in training.
struct CnnInTraining {
    net: TrainedCnn,
    design: CnnDesign,
    device: Device,
}

impl CnnInTraining {
    /// The outputs before tanh, computed in blocks as the finished net is in play, on all threads.
    fn sums_in_blocks(&self, records: &[Record]) -> Result<Vec<f32>> {
        let net = BoardNet::new(&self.net.weights()?);
        let orientation = self.design.meaning.orientation;
        let blocks = records.par_chunks(BLOCK).flat_map_iter(|records| {
            let planes = Boards::encode(records, orientation, BLOCK).planes;
            let sums = net.forward(planes, BLOCK).into_iter();
            sums.take(records.len())
        });
        Ok(blocks.collect())
    }

    /// The same, computed by candle on a device.
    fn sums_on_device(&self, records: &[Record], batch: usize) -> std::result::Result<Vec<f32>, TrainError> {
        let Meaning { orientation, curve } = self.design.meaning;
        let info = NetInfo {
            format: FORMAT,
            name: String::new(),
            architecture: self.design.architecture(),
            orientation,
            curve,
            data: String::new(),
            positions: 0,
            validation: None,
            recipe: None,
        };
        let model = Cnn::new(&self.net(info)?, &self.device)?;
        let mut sums = Vec::with_capacity(records.len());
        for records in records.chunks(batch) {
            let planes = Boards::encode(records, orientation, 1).planes;
            let shape = (planes.len() / PLANE_INPUTS, PLANES, 8, 8);
            let planes = Tensor::from_vec(planes, shape, &self.device)?;
            sums.extend(model.forward(&planes)?.to_vec1::<f32>()?);
        }
        Ok(sums)
    }
}

impl Model for CnnInTraining {
    fn vars(&self) -> Vec<Var> {
        self.net.vars()
    }

    fn encoder(&self) -> Encoder {
        let orientation = self.design.meaning.orientation;
        Box::new(move |records| Inputs::new(Boards::encode(records, orientation, BLOCK)))
    }

    fn loss(&mut self, batch: &Batch, pace: &Pace) -> Result<Loss> {
        let sums = self.net.forward(batch.inputs.get()?)?;
        Loss::of_sums(&sums, &batch.targets, pace.exponent)
    }

    fn scores(&self, records: &[Record], batch: usize) -> std::result::Result<Vec<Score>, TrainError> {
        let sums = if self.device.is_cpu() {
            self.sums_in_blocks(records)?
        } else {
            self.sums_on_device(records, batch)?
        };
        Ok(self.design.meaning.scores_for_white(records, &sums))
    }

    fn state(&self) -> Result<Vec<Tensor>> {
        self.net.running()
    }

    fn set_state(&mut self, state: &[Tensor]) -> Result<()> {
        self.net.set_running(state)
    }

    fn take_over(&mut self, net: &Net, sample: &[Record]) -> std::result::Result<(), TrainError> {
        // empty lanes would count in the statistics
        let whole = sample.len() / BLOCK * BLOCK;
        let sample = if whole > 0 { &sample[..whole] } else { sample };
        let boards = Boards::encode(sample, self.design.meaning.orientation, BLOCK);
        Ok(self.net.unfold(&net.cnn()?, &boards)?)
    }

    fn net(&self, info: NetInfo) -> Result<Net> {
        Ok(Net::of_cnn(info, &self.net.weights()?))
    }
}

#[cfg(test)]
mod tests {
    use crate::training::RecipeError;
    use crate::training::recipe::Recipe;

    fn recipe(setting: &str) -> Result<Recipe, RecipeError> {
        Recipe::parse(&format!(
            "name = 'test'\n\
             net = {{ layout = '16-8-pool-1', orientation = 'mover', curve = {{ tanh = {{ scale = 500.0 }} }}{setting} }}\n\
             data = {{ description = 'none', files = ['none'] }}\n\
             schedule = {{ positions = 64, warm_up = 0, batch = 32, seed = 1, measure_every = 64 }}"
        ))
    }

    /// Checkpoints and net files hold the text of their recipe, from before there was this setting, too.
    #[test]
    fn bfloat16_is_written_out_where_it_is_chosen() {
        let chosen = recipe(", bfloat16 = true").unwrap();
        assert_eq!(Recipe::parse(&chosen.to_text().unwrap()), Ok(chosen.clone()));
        let single = recipe("").unwrap();
        assert_ne!(single, chosen);
        assert_eq!(recipe(", bfloat16 = false").unwrap(), single);
        assert!(!single.to_text().unwrap().contains("bfloat16"));
        let error = recipe(", bfloat16 = 16").unwrap_err().to_string();
        assert!(error.starts_with("[net]: "), "{error}");
    }
}
