//! Nets of classes in files: safetensors with `layer0.weight` (inputs × units), `layer0.bias`, `layer1.weight` … in f32,
//! and what the net is in the metadata.

use super::ClassesError;
use super::list::NetName;
use super::net::ClassNet;
use crate::support::whole_file;
use candle_core::{Device, Tensor, Var};
use safetensors::SafeTensors;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The metadata's key.
const KEY: &str = "enroc-classes";
/// The version of the format.
const FORMAT: u32 = 1;

/// What a file says of its net.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: u32,
    net: NetName,
    /// Centipawns that count 1 in the classes' bounds.
    unit: u32,
}

/// A net from a file.
pub struct SavedNet {
    pub net: ClassNet,
    /// Centipawns that count 1 in the classes' bounds.
    pub unit: u32,
}

/// Where a run keeps a net.
pub fn path(folder: &Path, name: &NetName) -> PathBuf {
    folder.join("nets").join(format!("{}.safetensors", name.slug()))
}

/// Writes a net into the folder of a run.
///
/// # Errors
/// [`ClassesError`] names the file.
pub fn write(folder: &Path, net: &ClassNet, unit: u32) -> Result<(), ClassesError> {
    let path = path(folder, &net.name);
    let header = Header {
        format: FORMAT,
        net: net.name,
        unit,
    };
    let header = serde_json::to_string(&header).map_err(|error| ClassesError::file(&path, error))?;
    let tensors = net
        .layers
        .iter()
        .enumerate()
        .flat_map(|(number, (weight, bias))| {
            let name = |of| format!("layer{number}.{of}");
            [
                (name("weight"), weight.as_tensor()),
                (name("bias"), bias.as_tensor()),
            ]
        });
    let metadata = HashMap::from([(KEY.to_string(), header)]);
    let bytes =
        safetensors::serialize(tensors, Some(metadata)).map_err(|error| ClassesError::file(&path, error))?;
    std::fs::create_dir_all(folder.join("nets")).map_err(|error| ClassesError::file(folder, error))?;
    whole_file::write_bytes(&path, &bytes).map_err(|error| ClassesError::file(&path, error))
}

impl SavedNet {
    /// Reads a file.
    ///
    /// # Errors
    /// [`ClassesError`] says what is wrong with it.
    pub fn read(path: &Path) -> Result<SavedNet, ClassesError> {
        let bytes = std::fs::read(path).map_err(|error| ClassesError::file(path, error))?;
        SavedNet::parse(&bytes).map_err(|reason| ClassesError::file(path, reason))
    }

    fn parse(bytes: &[u8]) -> Result<SavedNet, Box<dyn std::error::Error>> {
        let (_, metadata) = SafeTensors::read_metadata(bytes)?;
        let header = metadata
            .metadata()
            .as_ref()
            .and_then(|metadata| metadata.get(KEY));
        let header =
            header.ok_or("it is no net of classes (`enroc experiment classes --save` writes them)")?;
        let Header {
            format,
            net: name,
            unit,
        } = serde_json::from_str(header)?;
        if format != FORMAT || !name.is_known() || unit == 0 {
            return Err("it is a net of classes that this program does not know".into());
        }
        let file = SafeTensors::deserialize(bytes)?;
        let boards = if name.task.of_moves() { 2 } else { 1 };
        let mut width = boards * name.manner.inputs.len();
        let mut layers = Vec::new();
        for (number, &units) in name.hidden().iter().chain([&name.outputs()]).enumerate() {
            let tensor = |of: &str, shape: &[usize]| -> Result<Var, Box<dyn std::error::Error>> {
                let name = format!("layer{number}.{of}");
                let view = file.tensor(&name)?;
                let (floats, _) = view.data().as_chunks::<4>();
                if view.dtype() != safetensors::Dtype::F32 || view.shape() != shape {
                    return Err(format!("its {name} is {:?}, not {shape:?} in f32", view.shape()).into());
                }
                let floats: Vec<f32> = floats.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
                Ok(Var::from_tensor(&Tensor::from_vec(floats, shape, &Device::Cpu)?)?)
            };
            layers.push((tensor("weight", &[width, units])?, tensor("bias", &[units])?));
            width = units;
        }
        let coding = name.task.coding();
        Ok(SavedNet {
            net: ClassNet { name, coding, layers },
            unit,
        })
    }
}

/// The files of nets that a path means: itself, or those in the folder.
///
/// # Errors
/// [`ClassesError`] if the path cannot be read, or is a folder without nets.
pub fn files(path: &Path) -> Result<Vec<PathBuf>, ClassesError> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let entries = std::fs::read_dir(path).map_err(|error| ClassesError::file(path, error))?;
    let mut files = Vec::new();
    for entry in entries {
        let file = entry.map_err(|error| ClassesError::file(path, error))?.path();
        if file.extension().is_some_and(|ending| ending == "safetensors") {
            files.push(file);
        }
    }
    files.sort();
    match files.is_empty() {
        true => Err(ClassesError::file(path, "there are no .safetensors files in it")),
        false => Ok(files),
    }
}

#[cfg(test)]
mod tests {
    use super::super::boards::Inputs;
    use super::super::list::nets;
    use super::super::rows::{MoveRow, PositionRow, Rows};
    use super::*;
    use crate::board::Position;
    use crate::data::Label;
    use crate::experiments::classes::coding::Task;

    #[test]
    fn nets_come_back_and_what_is_none_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let position = Position::default();
        let m = position.parse_uci("g1f3").unwrap();
        let labels = [Label::Centipawns(20), Label::Centipawns(10)];
        for name in nets(&[Task::Evaluation(3), Task::Explanation]) {
            if name.layout != 3 {
                continue;
            }
            let rows = match name.task.of_moves() {
                true => Rows::Moves(vec![MoveRow::of(&position, m, labels)]),
                false => Rows::Positions(vec![PositionRow::of(&position, 20)]),
            };
            let net = ClassNet::new(name, rows.width(name.manner.inputs), 7).unwrap();
            write(folder.path(), &net, 100).unwrap();
            let read = SavedNet::read(&path(folder.path(), &name)).unwrap();
            assert_eq!((read.net.name, read.unit), (name, 100));
            assert_eq!(read.net.answers(&rows).unwrap(), net.answers(&rows).unwrap());
        }
        let nets_folder = folder.path().join("nets");
        assert_eq!(files(&nets_folder).unwrap().len(), 5 + 4);
        let other = Path::new(env!("CARGO_MANIFEST_DIR")).join("nets/control-f344bada9d21.safetensors");
        let refused = |path: &Path| SavedNet::read(path).err().unwrap().to_string();
        assert!(refused(&other).contains("no net of classes"));
        // the weights of another layout
        let (small, large) = (nets(&[Task::FreeFile])[0], nets(&[Task::FreeFile])[1]);
        assert_eq!(small.manner.inputs, Inputs::Squares);
        let mut wrong = ClassNet::new(small, 128, 1).unwrap();
        wrong.name = large;
        write(folder.path(), &wrong, 100).unwrap();
        let message = refused(&path(folder.path(), &large));
        assert!(
            message.contains("layer0.weight is [128, 1], not [128, 256]"),
            "{message}"
        );
    }
}
