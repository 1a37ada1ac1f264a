//! Nets as ONNX graphs, for other programs, and back.
//!
//! The weights are initializers under the names that they have in a net file; only the transformer's tensor `planes` is
//! called `planes.weight`, because the input has its name. The metadata key [`METADATA_KEY`] holds the description, as in a
//! net file. So a graph whose weights another program changed can be read again; a graph with other nodes is refused.

mod graph;
mod kinds;
mod proto;

use super::file::read_info;
use super::net::{METADATA_KEY, Net, NetError, NetTensor};
use super::registry;
use super::transformer::shape::TransformerShape;
use super::{cnn, mlp, transformer};
use graph::Graph;
use half::{bf16, f16};
use prost::Message;
use proto::{Entry, GraphProto, Model, OperatorSet, Tensor};

/// The format of files in which the operators below first appeared.
const IR_VERSION: i64 = 8;
/// The version of ONNX's operators.
const OPERATORS: i64 = 17;

/// The ONNX file of a net.
///
/// # Errors
/// If the kind has no graph, or the net is not whole.
pub fn export(net: &Net) -> Result<Vec<u8>, NetError> {
    let info = serde_json::to_string(&net.info).map_err(|error| NetError::Metadata(error.to_string()))?;
    let model = Model {
        ir_version: IR_VERSION,
        producer: "Enroc".to_string(),
        graph: Some(graph_of(net)?),
        operator_sets: vec![OperatorSet {
            domain: String::new(),
            version: OPERATORS,
        }],
        metadata: vec![Entry {
            key: METADATA_KEY.to_string(),
            value: info,
        }],
    };
    Ok(model.encode_to_vec())
}

/// The net of a file that [`export`] wrote, with the weights that the file has now.
///
/// # Errors
/// [`NetError::Onnx`] if it is no such file; otherwise as [`Net::from_bytes`].
pub fn import(bytes: &[u8]) -> Result<Net, NetError> {
    let model = Model::decode(bytes).map_err(|error| NetError::Onnx(error.to_string()))?;
    let description = model.metadata.iter().find(|entry| entry.key == METADATA_KEY);
    let description = description.ok_or_else(|| {
        NetError::Onnx(format!(
            "it has no metadata `{METADATA_KEY}`; only what `enroc net export` wrote can be read"
        ))
    })?;
    let graph = model
        .graph
        .ok_or_else(|| NetError::Onnx("it has no graph".into()))?;
    let mut net = Net::empty(read_info(&description.value)?);
    for tensor in graph.initializers.iter().filter(|tensor| is_weight(&tensor.name)) {
        net.tensors
            .insert(name_in_net(&tensor.name).to_string(), numbers(tensor)?);
    }
    let net = registry::checked(net)?;
    match differs(&graph_of(&net)?, &graph) {
        None => Ok(net),
        Some(reason) => Err(NetError::Onnx(format!(
            "its graph is not that of the layout {}: {reason}",
            net.info.architecture.layout
        ))),
    }
}

/// The graph of a net.
fn graph_of(net: &Net) -> Result<GraphProto, NetError> {
    let mut graph = Graph::default();
    for (name, tensor) in &net.tensors {
        graph.weight(name_in_graph(name), tensor);
    }
    let sums = match net.info.architecture.kind.as_str() {
        mlp::KIND => kinds::mlp(&mut graph, &net.mlp()?.shape),
        cnn::KIND => kinds::cnn(&mut graph, &net.cnn()?.shape),
        transformer::KIND => {
            let shape: TransformerShape = net.info.architecture.layout.parse()?;
            kinds::transformer(&mut graph, &shape)
        }
        other => {
            return Err(NetError::Onnx(format!(
                "nets of the kind {other} have no graph here"
            )));
        }
    };
    Ok(graph.finish(&sums))
}

/// The transformer's tensor whose name the input has.
const PLANES: [&str; 2] = ["planes", "planes.weight"];

fn name_in_graph(name: &str) -> &str {
    if name == PLANES[0] { PLANES[1] } else { name }
}

fn name_in_net(name: &str) -> &str {
    if name == PLANES[1] { PLANES[0] } else { name }
}

/// Whether an initializer is a weight and no constant of the graph.
fn is_weight(name: &str) -> bool {
    !(name.starts_with("ints_") || name.starts_with("number_"))
}

/// The first thing in which a graph differs from the one that it should be, besides the weights.
fn differs(wanted: &GraphProto, found: &GraphProto) -> Option<String> {
    let nodes = (wanted.nodes.len(), found.nodes.len());
    if nodes.0 != nodes.1 {
        return Some(format!("it has {} nodes and needs {}", nodes.1, nodes.0));
    }
    // names of nodes mean nothing, and some programs change them
    let same = |(one, other): &(&proto::Node, &proto::Node)| {
        (&one.operator, &one.inputs, &one.outputs, &one.attributes)
            == (&other.operator, &other.inputs, &other.outputs, &other.attributes)
    };
    let mut pairs = wanted.nodes.iter().zip(&found.nodes);
    if let Some((wanted, _)) = pairs.find(|pair| !same(pair)) {
        return Some(format!("node {} is another", wanted.name));
    }
    let mut constants = wanted
        .initializers
        .iter()
        .filter(|tensor| !is_weight(&tensor.name));
    let missing = constants.find(|constant| !found.initializers.contains(constant));
    missing.map(|constant| format!("the constant {} is another", constant.name))
}

/// The numbers of a tensor.
fn numbers(tensor: &Tensor) -> Result<NetTensor, NetError> {
    let fault = |reason: &str| NetError::Onnx(format!("tensor `{}` {reason}", tensor.name.escape_debug()));
    if tensor.location != 0 {
        return Err(fault("has its numbers in another file"));
    }
    let raw = &tensor.raw;
    let values: Vec<f32> = match tensor.kind {
        proto::FLOAT if raw.is_empty() => tensor.floats.clone(),
        proto::DOUBLE if raw.is_empty() => tensor.doubles.iter().map(|&value| value as f32).collect(),
        proto::FLOAT => read(raw, f32::from_le_bytes),
        proto::DOUBLE => read(raw, |bytes| f64::from_le_bytes(bytes) as f32),
        proto::FLOAT16 => read(raw, |bytes| f16::from_le_bytes(bytes).to_f32()),
        proto::BFLOAT16 => read(raw, |bytes| bf16::from_le_bytes(bytes).to_f32()),
        _ => return Err(fault("holds no floats")),
    };
    let shape = tensor
        .dims
        .iter()
        .map(|&size| usize::try_from(size).unwrap_or(usize::MAX));
    let shape: Vec<usize> = shape.collect();
    let needed = shape
        .iter()
        .fold(1usize, |product, &size| product.saturating_mul(size));
    if needed != values.len() {
        return Err(fault(&format!("has {} numbers and needs {needed}", values.len())));
    }
    if values.iter().any(|value| !value.is_finite()) {
        return Err(NetError::NotFinite(tensor.name.escape_debug().to_string()));
    }
    Ok(NetTensor { shape, values })
}

fn read<const BYTES: usize>(raw: &[u8], number: impl Fn([u8; BYTES]) -> f32) -> Vec<f32> {
    raw.as_chunks().0.iter().map(|bytes| number(*bytes)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nets::built_in::BUILT_IN;

    #[test]
    fn what_is_exported_is_read_back_with_its_own_or_other_weights() {
        for built_in in BUILT_IN {
            let net = built_in.read().unwrap();
            let bytes = export(&net).unwrap();
            assert_eq!(import(&bytes).unwrap(), net, "{}", built_in.name);
            let mut model = Model::decode(&bytes[..]).unwrap();
            let graph = model.graph.as_mut().unwrap();
            let weight = graph
                .initializers
                .iter_mut()
                .find(|tensor| is_weight(&tensor.name));
            let weight = weight.unwrap();
            weight.raw[..4].copy_from_slice(&0.125f32.to_le_bytes());
            let name = weight.name.clone();
            let changed = import(&model.encode_to_vec()).unwrap();
            assert_eq!(changed.tensors[&name].values[0], 0.125);
        }
    }

    /// Files that are nearly right.
    #[test]
    fn other_graphs_are_refused_with_their_fault() {
        let bytes = export(&BUILT_IN[0].read().unwrap()).unwrap();
        type Change = fn(&mut GraphProto);
        let faults: [(Change, &str); 5] = [
            (|graph| graph.nodes[1].operator = "Relu".into(), "is another"),
            (|graph| drop(graph.nodes.pop()), "nodes and needs"),
            (|graph| graph.initializers[0].dims.push(2), "numbers and needs"),
            (|graph| graph.initializers[0].location = 1, "another file"),
            (
                |graph| {
                    let constant = graph
                        .initializers
                        .iter_mut()
                        .find(|tensor| !is_weight(&tensor.name));
                    constant.unwrap().raw[0] ^= 1;
                },
                "the constant",
            ),
        ];
        for (change, reason) in faults {
            let mut model = Model::decode(&bytes[..]).unwrap();
            change(model.graph.as_mut().unwrap());
            let error = import(&model.encode_to_vec()).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
        assert!(import(&bytes[..bytes.len() / 2]).is_err());
        assert!(import(b"").unwrap_err().to_string().contains("no metadata"));
    }
}
