//! Net files: safetensors whose metadata describe the net and its training.
//!
//! The metadata key [`METADATA_KEY`] holds [`NetInfo`] as JSON; tensors are in f16 or f32.

use super::names::present_name;
use super::net::{FORMAT, METADATA_KEY, Net, NetError, NetInfo, NetTensor, Precision};
use crate::support::hex::hex;
use crate::support::whole_file;
use half::f16;
use safetensors::tensor::{Dtype, SafeTensorError, SafeTensors, TensorView};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

impl Net {
    /// Parses the contents of a file, without checking the tensors against the layout.
    pub(super) fn parse(bytes: &[u8]) -> Result<Net, NetError> {
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
        Ok(Net { info, tensors })
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
    NetError::NotSafetensors(error.to_string())
}

/// Compares the file's length with its header, because safetensors reports a truncated file as invalid metadata.
fn check_length(bytes: &[u8]) -> Result<(), NetError> {
    let Some((length, rest)) = bytes.split_first_chunk::<8>() else {
        return Err(NetError::NotSafetensors(format!("it has {} bytes", bytes.len())));
    };
    let (length, found) = (u64::from_le_bytes(*length), rest.len() as u64);
    // a header begins with a brace; this is a file of another format
    if rest.first() != Some(&b'{') {
        return Err(NetError::NotSafetensors(
            "it does not begin like a safetensors file".into(),
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
