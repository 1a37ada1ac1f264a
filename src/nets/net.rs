//! A net: its description, its training, and its tensors by name.
//!
//! Each kind of network defines its own tensors: see the `weights` of [`super::mlp`] and [`super::cnn`].

use super::curve::{Curve, Orientation};
use super::layout::LayoutError;
use crate::support::threads::TooFewThreads;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The metadata key of a net's description in its file.
pub const METADATA_KEY: &str = "enroc";
/// The metadata key of outputs that the file's writer computed, for [`Golden`].
pub const GOLDEN_KEY: &str = "golden";
/// The format version of the description; readers refuse a higher one.
pub const FORMAT: u32 = 1;

/// Why a net cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetError {
    /// The file cannot be read or written.
    #[error("net file {path}: {reason}")]
    File { path: PathBuf, reason: String },
    /// Fewer or more bytes than the header declares.
    #[error("the net file is cut short or damaged: its header promises {promised} bytes, it has {found}")]
    Truncated { promised: u64, found: u64 },
    /// Not safetensors at all.
    #[error("not a net file: {0}")]
    NotSafetensors(String),
    /// Safetensors written by another program.
    #[error("not a net of this engine: the file has no metadata `{METADATA_KEY}`")]
    Foreign,
    /// The description cannot be parsed.
    #[error("the net's description is not understood: {0}")]
    Metadata(String),
    /// The layout cannot be parsed.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// The net is of another kind than is needed.
    #[error("the net is of the kind {found}; here a net of the kind {wanted} is needed")]
    Kind { found: String, wanted: &'static str },
    /// No kind of network has this name.
    #[error("the net is of the kind `{found}`, which this program does not know; it knows {known}{hint}")]
    UnknownKind {
        found: String,
        known: String,
        /// What to do about it, with the separator before it; empty if nothing can be done.
        hint: &'static str,
    },
    /// The backend cannot compute this kind of network.
    #[error("{0}")]
    Backend(String),
    /// No GPU can be used.
    #[error("{0}")]
    NoGpu(String),
    /// The weights cannot be quantized.
    #[error("the net does not fit the integers: {0}")]
    Integers(String),
    /// A tensor of the layout is missing.
    #[error("the net has no tensor `{0}`, which its layout needs")]
    Missing(String),
    /// A tensor does not have the shape that the layout requires.
    #[error("tensor `{name}` has the shape {found:?}, its layout needs {wanted:?}")]
    Shape {
        name: String,
        found: Vec<usize>,
        wanted: Vec<usize>,
    },
    /// A tensor of integers, or of floats of another kind.
    #[error("tensor `{name}` holds {dtype}; nets hold F16, F32, BF16 or F64")]
    Type { name: String, dtype: String },
    /// The device's memory is too small for the net, there are too few threads, or the device fails.
    #[error("the net cannot be put on its device: {0}")]
    Device(String),
    /// The file is longer than any net.
    #[error("it has {0} bytes, more than any net")]
    TooLarge(u64),
    /// An ONNX file that is none of ours.
    #[error("it is no ONNX file of a net: {0}")]
    Onnx(String),
    /// The system has no memory for the net.
    #[error("the net needs {} MB of memory, which the system refuses", .0 >> 20)]
    Memory(u64),
    /// A weight is infinite or not a number.
    #[error("tensor `{0}` holds a number that is not finite")]
    NotFinite(String),
}

impl From<TooFewThreads> for NetError {
    fn from(error: TooFewThreads) -> NetError {
        NetError::Device(error.to_string())
    }
}

/// The kind of network in a file, its layout, and further settings of the kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Architecture {
    /// The name of the kind, such as `mlp`; see [`super::registry`].
    pub kind: String,
    /// The text form of the layout, in the notation of the kind.
    pub layout: String,
    /// Settings of the kind that are not part of the layout, such as the activations of an MLP.
    #[serde(flatten)]
    pub settings: BTreeMap<String, String>,
}

impl Architecture {
    /// A layout of a kind without further settings.
    pub fn new(kind: &str, layout: impl ToString) -> Architecture {
        Architecture {
            kind: kind.to_string(),
            layout: layout.to_string(),
            settings: BTreeMap::new(),
        }
    }
}

/// Errors on held-out positions in the unit of the thesis: scores are divided by ten pawns and clipped to ±1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Validation {
    /// The number of positions.
    pub positions: u64,
    /// The mean absolute error.
    pub error: f64,
    /// The mean absolute error on quiet positions, where the side to move is not in check and the best move neither
    /// captures nor promotes; `None` if there are none.
    pub error_quiet: Option<f64>,
    /// The error of the best constant.
    pub constant: f64,
    /// The error of a material count with values fitted to the training scores.
    pub material: f64,
}

/// What a net is and how it was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NetInfo {
    /// The [`FORMAT`] of the program that wrote it.
    pub format: u32,
    /// The name of the recipe that made the net.
    pub name: String,
    /// The kind of network and its layout.
    pub architecture: Architecture,
    /// The net's point of view.
    pub orientation: Orientation,
    /// The conversion of its output to centipawns.
    pub curve: Curve,
    /// The training data in words.
    pub data: String,
    /// Positions that these weights were trained on, counted as often as they were seen.
    pub positions: u64,
    /// Errors on held-out positions, where they were measured.
    pub validation: Option<Validation>,
    /// The text of the whole recipe, if the file holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipe: Option<String>,
}

/// What the program that wrote a net says its output is for one position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Golden {
    /// The position.
    pub fen: String,
    /// The output after tanh, -1 to 1, from the net's point of view.
    pub output: f64,
}

/// A tensor of a net, as f32.
#[derive(Clone, Debug, PartialEq)]
pub struct NetTensor {
    /// Its dimensions, slowest first.
    pub shape: Vec<usize>,
    /// Its numbers, row-major.
    pub values: Vec<f32>,
}

/// The number format of a net file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// Half floats: 11 bits, rounded to nearest.
    F16,
    /// Single floats, as trained.
    F32,
}

/// A net as a file holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    /// What the net is.
    pub info: NetInfo,
    /// Its tensors by name.
    pub tensors: BTreeMap<String, NetTensor>,
}

/// A dense layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    /// The number of inputs.
    pub inputs: usize,
    /// The number of outputs, those of all buckets together.
    pub outputs: usize,
    /// `outputs` rows of `inputs` weights.
    pub weight: Vec<f32>,
    /// One number for every output.
    pub bias: Vec<f32>,
}

impl Net {
    /// A net without tensors yet.
    pub fn empty(info: NetInfo) -> Net {
        Net {
            info,
            tensors: BTreeMap::new(),
        }
    }

    /// Checks that the net is of this kind.
    ///
    /// # Errors
    /// [`NetError::Kind`] if it is not.
    pub fn expect_kind(&self, wanted: &'static str) -> Result<(), NetError> {
        match self.info.architecture.kind == wanted {
            true => Ok(()),
            false => Err(NetError::Kind {
                found: self.info.architecture.kind.clone(),
                wanted,
            }),
        }
    }

    /// A tensor that must have the given shape.
    pub fn tensor(&self, name: &str, wanted: &[usize]) -> Result<&NetTensor, NetError> {
        let tensor = self
            .tensors
            .get(name)
            .ok_or_else(|| NetError::Missing(name.into()))?;
        if tensor.shape != wanted {
            return Err(NetError::Shape {
                name: name.into(),
                found: tensor.shape.clone(),
                wanted: wanted.into(),
            });
        }
        Ok(tensor)
    }

    /// The dense layer of this name.
    pub fn dense(&self, name: &str, inputs: usize, outputs: usize) -> Result<Dense, NetError> {
        let weight = self.tensor(&format!("{name}.weight"), &[outputs, inputs])?;
        let bias = self.tensor(&format!("{name}.bias"), &[outputs])?;
        Ok(Dense {
            inputs,
            outputs,
            weight: weight.values.clone(),
            bias: bias.values.clone(),
        })
    }

    /// Adds the tensors of a layer.
    pub fn add(&mut self, name: &str, weight: NetTensor, bias: &[f32]) {
        let bias = NetTensor {
            shape: vec![bias.len()],
            values: bias.to_vec(),
        };
        self.tensors.insert(format!("{name}.weight"), weight);
        self.tensors.insert(format!("{name}.bias"), bias);
    }

    /// Adds the tensors of a dense layer.
    pub fn add_dense(&mut self, name: &str, layer: &Dense) {
        let weight = NetTensor {
            shape: vec![layer.outputs, layer.inputs],
            values: layer.weight.clone(),
        };
        self.add(name, weight, &layer.bias);
    }
}
