//! Net files: safetensors with what a net is and how it was made in their metadata.
//!
//! The metadata key [`METADATA_KEY`] holds [`NetInfo`] as JSON. An MLP has the tensors `layer0.weight` (rows × inputs)
//! and `layer0.bias` (rows), `layer1.weight` and so on, in f16 or f32; those of a CNN are in [`super::cnn::shape`].

use super::curve::{Curve, Orientation};
use super::mlp::shape::{Activation, LayoutError, MlpShape};
use crate::support::whole_file;
use half::f16;
use safetensors::tensor::{Dtype, SafeTensorError, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// Where the description of a net stands in the metadata of its file.
pub const METADATA_KEY: &str = "enroc";
/// The version of the description; readers refuse a higher one.
pub const FORMAT: u32 = 1;

/// Why a net cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetError {
    /// The file cannot be read or written.
    #[error("net file {path}: {reason}")]
    File { path: PathBuf, reason: String },
    /// Fewer bytes than the header promises, or more.
    #[error("the net file is cut short or damaged: its header promises {promised} bytes, it has {found}")]
    Truncated { promised: u64, found: u64 },
    /// Not safetensors at all.
    #[error("not a net file: {0}")]
    NotSafetensors(String),
    /// Safetensors, but of another program.
    #[error("not a net of this engine: the file has no metadata `{METADATA_KEY}`")]
    Foreign,
    /// The description is not understood.
    #[error("the net's description is not understood: {0}")]
    Metadata(String),
    /// The layout is not understood.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// An MLP was asked for and the file holds a CNN, or the other way round.
    #[error("the net is of the kind {found}; here a net of the kind {wanted} is needed")]
    Kind {
        found: &'static str,
        wanted: &'static str,
    },
    /// A tensor that the layout needs is not there.
    #[error("the net has no tensor `{0}`, which its layout needs")]
    Missing(String),
    /// A tensor has another shape than the layout says.
    #[error("tensor `{name}` has the shape {found:?}, its layout needs {wanted:?}")]
    Shape {
        name: String,
        found: Vec<usize>,
        wanted: Vec<usize>,
    },
    /// A tensor of integers, or of floats of another size.
    #[error("tensor `{name}` holds {dtype}; nets hold F16 or F32")]
    Type { name: String, dtype: String },
    /// The device has no room for the net, or fails.
    #[error("the net cannot be put on its device: {0}")]
    Device(String),
    /// A weight is infinite or not a number.
    #[error("tensor `{0}` holds a number that is not finite")]
    NotFinite(String),
}

/// The kinds of network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Dense layers on the 774 bits.
    #[default]
    Mlp,
    /// Convolutions on the 16 planes.
    Cnn,
}

impl Kind {
    /// Both.
    pub const ALL: [Kind; 2] = [Kind::Mlp, Kind::Cnn];

    /// `mlp` or `cnn`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Mlp => "mlp",
            Kind::Cnn => "cnn",
        }
    }
}

/// The kind of network in a file, and its layout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Architecture {
    /// Dense layers on the 774 bits.
    Mlp {
        /// The text form of an [`MlpShape`].
        layout: String,
        /// After the first layer.
        first_activation: Activation,
        /// After later hidden layers.
        later_activation: Activation,
    },
    /// Convolutions on the 16 planes.
    Cnn {
        /// The text form of a [`super::cnn::shape::CnnShape`].
        layout: String,
    },
}

impl Architecture {
    /// The description of an MLP.
    pub fn of_mlp(shape: &MlpShape) -> Architecture {
        Architecture::Mlp {
            layout: shape.to_string(),
            first_activation: shape.first_activation,
            later_activation: shape.later_activation,
        }
    }

    /// Which kind it is.
    pub fn kind(&self) -> Kind {
        match self {
            Architecture::Mlp { .. } => Kind::Mlp,
            Architecture::Cnn { .. } => Kind::Cnn,
        }
    }

    /// The text form of the layout.
    pub fn layout(&self) -> &str {
        let (Architecture::Mlp { layout, .. } | Architecture::Cnn { layout }) = self;
        layout
    }
}

/// Errors on positions that the net never saw, in the seed's unit: ten pawns are 1, scores are clipped to ±1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Validation {
    /// Positions measured on.
    pub positions: u64,
    /// Mean absolute error on all of them.
    pub error: f64,
    /// The same where the side to move is not in check and the best move neither captures nor promotes, if there are
    /// such positions.
    pub error_quiet: Option<f64>,
    /// What always answering the best constant has on all of them.
    pub constant: f64,
    /// What counting material, with values fitted to the training scores, has on all of them.
    pub material: f64,
}

/// What a net is and how it was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NetInfo {
    /// [`FORMAT`] of the writer.
    pub format: u32,
    /// The name of the recipe that made the net.
    pub name: String,
    /// The kind of network and its layout.
    pub architecture: Architecture,
    /// From whose side it sees the board.
    pub orientation: Orientation,
    /// What its output means.
    pub curve: Curve,
    /// The training data in words.
    pub data: String,
    /// Positions that these weights were trained on, counted as often as they were seen.
    pub positions: u64,
    /// Errors on held-out positions, where they were measured.
    pub validation: Option<Validation>,
    /// The text of the whole recipe, where the file tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipe: Option<String>,
}

/// A tensor of a net, widened to f32.
#[derive(Clone, Debug, PartialEq)]
pub struct NetTensor {
    /// Its dimensions, slowest first.
    pub shape: Vec<usize>,
    /// Its numbers, row-major.
    pub values: Vec<f32>,
}

/// How the numbers of a net are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// Half floats: 11 bits, rounded to nearest.
    F16,
    /// As they were trained.
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
    /// Numbers that come in.
    pub inputs: usize,
    /// Numbers that go out; all buckets together where there are buckets.
    pub outputs: usize,
    /// `outputs` rows of `inputs` weights.
    pub weight: Vec<f32>,
    /// One number for every output.
    pub bias: Vec<f32>,
}

/// The layers of an MLP, with their shape.
#[derive(Clone, Debug, PartialEq)]
pub struct MlpWeights {
    /// How the layers are joined.
    pub shape: MlpShape,
    /// One for each of [`MlpShape::layers`].
    pub layers: Vec<Dense>,
}

impl Net {
    /// Reads a net file.
    pub fn read(path: &Path) -> Result<Net, NetError> {
        let bytes = std::fs::read(path).map_err(|error| file_error(path, error))?;
        Net::from_bytes(&bytes)
    }

    /// Reads a net from the contents of its file. Every tensor is checked against the layout here.
    pub fn from_bytes(bytes: &[u8]) -> Result<Net, NetError> {
        check_length(bytes)?;
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(not_safetensors)?;
        let description = header
            .metadata()
            .as_ref()
            .and_then(|map| map.get(METADATA_KEY))
            .ok_or(NetError::Foreign)?;
        let info = read_info(description)?;
        let file = SafeTensors::deserialize(bytes).map_err(not_safetensors)?;
        let tensors = file
            .iter()
            .map(|(name, view)| Ok((name.to_string(), read_tensor(name, &view)?)))
            .collect::<Result<_, NetError>>()?;
        let net = Net { info, tensors };
        match net.info.architecture {
            Architecture::Mlp { .. } => net.mlp().map(|_| ())?,
            Architecture::Cnn { .. } => net.cnn().map(|_| ())?,
        }
        Ok(net)
    }

    /// The layers of an MLP.
    pub fn mlp(&self) -> Result<MlpWeights, NetError> {
        let Architecture::Mlp {
            layout,
            first_activation,
            later_activation,
        } = &self.info.architecture
        else {
            return Err(NetError::Kind {
                found: self.info.architecture.kind().name(),
                wanted: "mlp",
            });
        };
        let shape = MlpShape {
            first_activation: *first_activation,
            later_activation: *later_activation,
            ..layout.parse()?
        };
        if shape.perspectives == 2 && self.info.orientation != Orientation::Mover {
            let reason = "a layout with two perspectives has the orientation mover";
            return Err(NetError::Metadata(reason.into()));
        }
        let layers = (0..shape.layers())
            .map(|layer| {
                let name = format!("layer{layer}");
                self.dense(&name, shape.inputs_of(layer), shape.rows_of(layer))
            })
            .collect::<Result<_, _>>()?;
        Ok(MlpWeights { shape, layers })
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
    pub(super) fn dense(&self, name: &str, inputs: usize, outputs: usize) -> Result<Dense, NetError> {
        let weight = self.tensor(&format!("{name}.weight"), &[outputs, inputs])?;
        let bias = self.tensor(&format!("{name}.bias"), &[outputs])?;
        Ok(Dense {
            inputs,
            outputs,
            weight: weight.values.clone(),
            bias: bias.values.clone(),
        })
    }

    /// A net made of the layers of an MLP.
    pub fn of_mlp(info: NetInfo, weights: &MlpWeights) -> Net {
        let mut net = Net {
            info,
            tensors: BTreeMap::new(),
        };
        for (number, layer) in weights.layers.iter().enumerate() {
            net.add_dense(&format!("layer{number}"), layer);
        }
        net
    }

    /// Adds the tensors of a layer.
    pub(super) fn add(&mut self, name: &str, weight: NetTensor, bias: &[f32]) {
        let bias = NetTensor {
            shape: vec![bias.len()],
            values: bias.to_vec(),
        };
        self.tensors.insert(format!("{name}.weight"), weight);
        self.tensors.insert(format!("{name}.bias"), bias);
    }

    /// Adds the tensors of a dense layer.
    pub(super) fn add_dense(&mut self, name: &str, layer: &Dense) {
        let weight = NetTensor {
            shape: vec![layer.outputs, layer.inputs],
            values: layer.weight.clone(),
        };
        self.add(name, weight, &layer.bias);
    }

    /// The contents of the net's file.
    pub fn to_bytes(&self, precision: Precision) -> Result<Vec<u8>, NetError> {
        let data: Vec<(&str, &[usize], Dtype, Vec<u8>)> = self
            .tensors
            .iter()
            .map(|(name, tensor)| {
                let (dtype, bytes) = encode(&tensor.values, precision);
                (name.as_str(), &tensor.shape[..], dtype, bytes)
            })
            .collect();
        let views = data
            .iter()
            .map(|(name, shape, dtype, bytes)| Ok((*name, TensorView::new(*dtype, shape.to_vec(), bytes)?)))
            .collect::<Result<Vec<_>, SafeTensorError>>()
            .map_err(not_safetensors)?;
        let info =
            serde_json::to_string(&self.info).map_err(|error| NetError::Metadata(error.to_string()))?;
        let metadata = HashMap::from([(METADATA_KEY.to_string(), info)]);
        safetensors::serialize(views, Some(metadata)).map_err(not_safetensors)
    }

    /// Writes the net into a directory as `<kind>-<first 12 hex digits of its SHA-256>.safetensors` and returns the
    /// path. The file is written under another name first, so that it is never there in part.
    pub fn save_in(&self, directory: &Path, precision: Precision) -> Result<PathBuf, NetError> {
        let bytes = self.to_bytes(precision)?;
        let name = format!(
            "{}-{}.safetensors",
            self.info.architecture.kind().name(),
            fingerprint(&bytes)
        );
        let path = directory.join(name);
        let write = || -> std::io::Result<()> {
            std::fs::create_dir_all(directory)?;
            whole_file::write(&path, |file| file.write_all(&bytes))
        };
        write().map_err(|error| file_error(&path, error))?;
        Ok(path)
    }
}

/// The first 12 hexadecimal digits of the SHA-256 of a file's contents.
pub fn fingerprint(bytes: &[u8]) -> String {
    Sha256::digest(bytes)[..6]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn file_error(path: &Path, error: std::io::Error) -> NetError {
    NetError::File {
        path: path.into(),
        reason: error.to_string(),
    }
}

fn not_safetensors(error: SafeTensorError) -> NetError {
    NetError::NotSafetensors(error.to_string())
}

/// Compares the file's length with what its header says, for safetensors itself calls a short file invalid metadata.
fn check_length(bytes: &[u8]) -> Result<(), NetError> {
    let Some((length, rest)) = bytes.split_first_chunk::<8>() else {
        return Err(NetError::NotSafetensors(format!("it has {} bytes", bytes.len())));
    };
    let (length, found) = (u64::from_le_bytes(*length), rest.len() as u64);
    // the first byte of the header is a brace; anything else is another kind of file
    if rest.first() != Some(&b'{') {
        return Err(NetError::NotSafetensors(
            "it does not begin as safetensors do".into(),
        ));
    }
    if length > found {
        return Err(NetError::Truncated {
            promised: length.saturating_add(8),
            found: found + 8,
        });
    }
    #[derive(Deserialize)]
    struct Extent {
        data_offsets: (u64, u64),
    }
    let header: HashMap<String, serde_json::Value> = serde_json::from_slice(&rest[..length as usize])
        .map_err(|error| NetError::NotSafetensors(error.to_string()))?;
    let end = header
        .into_iter()
        .filter(|(name, _)| name != "__metadata__")
        .filter_map(|(_, value)| Extent::deserialize(value).ok())
        .map(|extent| extent.data_offsets.1)
        .max()
        .unwrap_or(0);
    let promised = end.saturating_add(length);
    if promised != found {
        return Err(NetError::Truncated {
            promised: promised.saturating_add(8),
            found: found + 8,
        });
    }
    Ok(())
}

fn read_info(description: &str) -> Result<NetInfo, NetError> {
    let info: NetInfo =
        serde_json::from_str(description).map_err(|error| NetError::Metadata(error.to_string()))?;
    if info.format > FORMAT {
        return Err(NetError::Metadata(format!(
            "it has format {}, this engine reads formats up to {FORMAT}",
            info.format
        )));
    }
    if !info.curve.is_valid() {
        return Err(NetError::Metadata(format!("{} is no curve", info.curve)));
    }
    Ok(info)
}

fn read_tensor(name: &str, view: &TensorView) -> Result<NetTensor, NetError> {
    let values: Vec<f32> = match view.dtype() {
        Dtype::F32 => view
            .data()
            .as_chunks()
            .0
            .iter()
            .map(|b| f32::from_le_bytes(*b))
            .collect(),
        Dtype::F16 => {
            let halves = view.data().as_chunks().0.iter();
            halves.map(|b| f16::from_le_bytes(*b).to_f32()).collect()
        }
        other => {
            return Err(NetError::Type {
                name: name.into(),
                dtype: format!("{other:?}"),
            });
        }
    };
    if values.iter().any(|value| !value.is_finite()) {
        return Err(NetError::NotFinite(name.into()));
    }
    Ok(NetTensor {
        shape: view.shape().to_vec(),
        values,
    })
}

fn encode(values: &[f32], precision: Precision) -> (Dtype, Vec<u8>) {
    match precision {
        Precision::F32 => (
            Dtype::F32,
            values.iter().flat_map(|value| value.to_le_bytes()).collect(),
        ),
        Precision::F16 => {
            let halves = values.iter().map(|value| f16::from_f32(*value));
            (Dtype::F16, halves.flat_map(f16::to_le_bytes).collect())
        }
    }
}
