//! Training a CNN: its recipe, its variables, and convolutions whose gradients are fast on the CPU.

pub mod body;
pub mod convolution;
pub mod encode;
pub mod model;
pub mod normalise;

use super::TrainError;
use super::batch::{Batch, Encoder, Inputs};
use super::faults::first_fault;
use super::kind::{Design, Model, TrainingKind};
use super::loss::Loss;
use super::meaning::Meaning;
use super::net_recipe::NetRecipe;
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

/// Settings of an MLP that recipes of CNNs, written out with every default, used to hold too. They may say what is so
/// in every CNN, and nothing else.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct MlpSettings {
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
}

fn design(net: &NetRecipe) -> std::result::Result<Box<dyn Design>, String> {
    let of_mlp: MlpSettings = net.settings()?;
    let shape = net
        .layout
        .parse()
        .map_err(|error| format!("net.layout: {error}"))?;
    let bends = |activation| activation != Activation::Relu;
    first_fault(&[
        (
            bends(of_mlp.first_activation) || bends(of_mlp.later_activation),
            "first_activation and later_activation are for MLPs; a CNN has relu everywhere",
        ),
        (
            !of_mlp.clip.is_empty(),
            "clip is for MLPs; no integer path asks for bounds of a CNN",
        ),
        (
            of_mlp.sparsity != 0.0,
            "sparsity is for MLPs; nothing passes over the silent units of a CNN",
        ),
    ])?;
    let meaning = net.meaning();
    Ok(Box::new(CnnDesign { shape, meaning }))
}

impl Design for CnnDesign {
    fn architecture(&self) -> Architecture {
        self.shape.architecture()
    }

    /// Batches consist of whole blocks, so that empty boards do not count in the batch norms.
    fn batch_multiple(&self) -> usize {
        BLOCK
    }

    fn model(&self, seed: u64, device: &Device) -> Result<Box<dyn Model>> {
        Ok(Box::new(CnnInTraining {
            net: TrainedCnn::new(self.shape.clone(), seed, device)?,
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

    fn loss(&mut self, batch: &Batch, exponent: f64) -> Result<Loss> {
        let sums = self.net.forward(batch.inputs.get()?)?;
        Loss::of_sums(&sums, &batch.targets, exponent)
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
