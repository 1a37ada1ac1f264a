//! Net files: safetensors whose metadata describe the net and its training.
//!
//! The metadata key [`METADATA_KEY`] holds [`NetInfo`] as JSON, and [`GOLDEN_KEY`] may hold outputs to check the file by.
//! Tensors are in f16 or f32; bf16 and f64 are read too.

use super::names::present_name;
use super::net::{FORMAT, GOLDEN_KEY, Golden, METADATA_KEY, Net, NetError, NetInfo, NetTensor, Precision};
use crate::support::foreign::{one_line, visible};
use crate::support::hex::hex;
use crate::support::memory::has_room;
use crate::support::whole_file;
use half::{bf16, f16};
use safetensors::tensor::{Dtype, SafeTensorError, SafeTensors, TensorView};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

impl Net {
    /// Parses the contents of a file, without checking the tensors against the layout.
    pub(super) fn parse(bytes: &[u8]) -> Result<Net, NetError> {
        let head = Head::of_bytes(bytes)?;
        let file = SafeTensors::deserialize(bytes).map_err(not_safetensors)?;
        let tensors = file
            .iter()
            .map(|(name, view)| Ok((name.to_string(), read_tensor(name, &view)?)))
            .collect::<Result<_, NetError>>()?;
        Ok(Net {
            info: head.info,
            tensors,
        })
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
    /// path. The file is written atomically.
    pub fn save_in(&self, directory: &Path, precision: Precision) -> Result<PathBuf, NetError> {
        let bytes = self.to_bytes(precision)?;
        let name = format!(
            "{}-{}.safetensors",
            self.info.architecture.kind,
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
    hex(&Sha256::digest(bytes)[..6])
}

pub(super) fn file_error(path: &Path, error: std::io::Error) -> NetError {
    NetError::File {
        path: path.into(),
        reason: error.to_string(),
    }
}

fn not_safetensors(error: SafeTensorError) -> NetError {
    // it may quote names of tensors
    NetError::NotSafetensors(one_line(&error.to_string()).into_owned())
}

/// What a file says before its tensors.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// What the net is.
    pub info: NetInfo,
    /// The numbers in all tensors.
    pub parameters: usize,
    /// Outputs that the file's writer computed; none if it gives none.
    pub golden: Vec<Golden>,
}

/// The bytes of a file before its header: the header's length, and the brace that it begins with.
const START: usize = 9;
/// No header is longer, in bytes: those of the nets here have about ten thousand.
const LONGEST_HEADER: u64 = 16 << 20;
/// No net file is longer, in bytes; the largest net here has 17 million.
const LONGEST: u64 = 1 << 30;

impl Head {
    /// Reads the head of a file and nothing else.
    ///
    /// # Errors
    /// [`NetError`] if it is no net file, or its length is not what the header promises.
    pub fn read(path: &Path) -> Result<Head, NetError> {
        let (head, ..) = Head::open(path)?;
        Ok(head)
    }

    /// The head of a file, which is then open behind it, with the bytes that were read and the file's length.
    fn open(path: &Path) -> Result<(Head, File, Vec<u8>, u64), NetError> {
        let fault = |error| file_error(path, error);
        // a pipe without a writer would never open
        if !std::fs::metadata(path).map_err(fault)?.is_file() {
            return Err(fault(io::Error::other("it is not a file")));
        }
        let mut file = File::open(path).map_err(fault)?;
        let found = file.metadata().map_err(fault)?.len();
        let mut bytes = Vec::new();
        let mut read_to = |length: u64, bytes: &mut Vec<u8>| {
            let more = length.saturating_sub(bytes.len() as u64);
            (&mut file).take(more).read_to_end(bytes).map_err(fault)
        };
        read_to(START as u64, &mut bytes)?;
        let end = header_end(&bytes, found)?;
        read_to(end, &mut bytes)?;
        let head = Head::of_start(&bytes, found)?;
        Ok((head, file, bytes, found))
    }

    /// The head of a whole file.
    pub(super) fn of_bytes(bytes: &[u8]) -> Result<Head, NetError> {
        Head::of_start(bytes, bytes.len() as u64)
    }

    /// The head of a file of this length, of which the beginning is here.
    fn of_start(start: &[u8], found: u64) -> Result<Head, NetError> {
        let end = header_end(start, found)?;
        let header = start.get(8..end as usize).ok_or(NetError::Truncated {
            promised: end,
            found: start.len() as u64,
        })?;
        #[derive(Deserialize)]
        struct Tensor {
            shape: Vec<usize>,
            data_offsets: (u64, u64),
        }
        let header: HashMap<String, serde_json::Value> =
            serde_json::from_slice(header).map_err(|error| NetError::NotSafetensors(error.to_string()))?;
        let tensors: Vec<Tensor> = header
            .iter()
            .filter(|(name, _)| *name != "__metadata__")
            .filter_map(|(_, value)| Tensor::deserialize(value).ok())
            .collect();
        let last = tensors.iter().map(|tensor| tensor.data_offsets.1).max();
        let promised = end.saturating_add(last.unwrap_or(0));
        if promised != found {
            return Err(NetError::Truncated { promised, found });
        }
        let metadata = |key: &str| {
            let text = header.get("__metadata__").and_then(|map| map.get(key));
            text.and_then(serde_json::Value::as_str)
        };
        let description = metadata(METADATA_KEY).ok_or(NetError::Foreign)?;
        let golden = metadata(GOLDEN_KEY).map(serde_json::from_str).transpose();
        let golden = golden.map_err(|error| NetError::Metadata(format!("`{GOLDEN_KEY}`: {error}")))?;
        let numbers = |tensor: &Tensor| {
            let shape = tensor.shape.iter();
            shape.fold(1, |product: usize, &size| product.saturating_mul(size))
        };
        Ok(Head {
            info: read_info(description)?,
            parameters: tensors.iter().map(numbers).fold(0, usize::saturating_add),
            golden: golden.unwrap_or_default(),
        })
    }
}

/// Where the header ends in a file of this length, of which the beginning is here.
fn header_end(start: &[u8], found: u64) -> Result<u64, NetError> {
    let Some((length, rest)) = start.split_first_chunk::<8>() else {
        return Err(NetError::NotSafetensors(format!("it has {} bytes", start.len())));
    };
    // a header begins with a brace; this is a file of another format
    if rest.first() != Some(&b'{') {
        return Err(NetError::NotSafetensors(
            "it does not begin like a safetensors file".into(),
        ));
    }
    let end = u64::from_le_bytes(*length).saturating_add(8);
    if end > found {
        return Err(NetError::Truncated { promised: end, found });
    }
    if end > LONGEST_HEADER {
        return Err(NetError::NotSafetensors(format!("its header has {end} bytes")));
    }
    Ok(end)
}

/// The contents of a net file, read only once its header is sound and `memory_of` knows its kind: what a net of it takes
/// while it is read, in bytes for each byte of its file.
pub(super) fn read_bytes(
    path: &Path,
    memory_of: impl Fn(&str) -> Result<u64, NetError>,
) -> Result<Vec<u8>, NetError> {
    let (head, file, mut bytes, found) = Head::open(path)?;
    let memory = memory_of(&head.info.architecture.kind)?;
    if found > LONGEST {
        return Err(NetError::TooLarge(found));
    }
    // asked for in one piece, because a refusal of one of the many small ones would end the program
    let needed = found.saturating_mul(memory);
    if !has_room(usize::try_from(needed).unwrap_or(usize::MAX)) {
        return Err(NetError::Memory(needed));
    }
    let rest = (found as usize).saturating_sub(bytes.len());
    bytes
        .try_reserve_exact(rest)
        .map_err(|_| NetError::Memory(found))?;
    file.take(rest as u64)
        .read_to_end(&mut bytes)
        .map_err(|error| file_error(path, error))?;
    Ok(bytes)
}

/// The description of a net, cleaned of what must not reach a terminal.
pub(super) fn read_info(description: &str) -> Result<NetInfo, NetError> {
    let mut info: NetInfo =
        serde_json::from_str(description).map_err(|error| NetError::Metadata(error.to_string()))?;
    if info.format > FORMAT {
        return Err(NetError::Metadata(format!(
            "its format is {}, and this engine reads formats up to {FORMAT}",
            info.format
        )));
    }
    if !info.curve.is_valid() {
        return Err(NetError::Metadata(format!("{} is not a valid curve", info.curve)));
    }
    info.name = present_name(&info.name).to_string();
    // these are shown on terminals and in lines of protocols
    let architecture = &mut info.architecture;
    for text in [
        &mut info.name,
        &mut info.data,
        &mut architecture.kind,
        &mut architecture.layout,
    ] {
        *text = one_line(text).into_owned();
    }
    let settings = std::mem::take(&mut architecture.settings);
    let clean = |text: String| one_line(&text).into_owned();
    architecture.settings = settings
        .into_iter()
        .map(|(key, value)| (clean(key), clean(value)))
        .collect();
    info.recipe = info.recipe.map(|recipe| visible(&recipe).into_owned());
    Ok(info)
}

fn read_tensor(name: &str, view: &TensorView) -> Result<NetTensor, NetError> {
    let shown = || one_line(name).into_owned();
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
        Dtype::BF16 => {
            let halves = view.data().as_chunks().0.iter();
            halves.map(|b| bf16::from_le_bytes(*b).to_f32()).collect()
        }
        Dtype::F64 => {
            let doubles = view.data().as_chunks().0.iter();
            doubles.map(|b| f64::from_le_bytes(*b) as f32).collect()
        }
        other => {
            return Err(NetError::Type {
                name: shown(),
                dtype: format!("{other:?}"),
            });
        }
    };
    if values.iter().any(|value| !value.is_finite()) {
        return Err(NetError::NotFinite(shown()));
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
