//! The graph of each kind of network: the operations of its candle reference, in ONNX's operators.

use super::graph::{Graph, Setting};
use crate::nets::cnn::shape::CnnShape;
use crate::nets::encoding::PLANES;
use crate::nets::mlp::shape::{Activation, MlpShape, Nonlinearity};
use crate::nets::transformer::layers::EPSILON;
use crate::nets::transformer::shape::{SQUARES, SUMMARY, TransformerShape};

/// The inputs of an MLP: the bits from the mover's side (or White's), and from the other side where it has two
/// perspectives. With regions, the 774 bits stand at the place of the region.
pub const BITS: [&str; 2] = ["bits", "other_bits"];
/// The bucket of each position, where an MLP has buckets.
pub const BUCKET: &str = "bucket";
/// The input of the other kinds: positions × 16 × 8 × 8.
pub const BOARD: &str = "planes";

/// An MLP's sums before tanh (positions × 1).
pub fn mlp(graph: &mut Graph, shape: &MlpShape) -> String {
    let mut halves = Vec::new();
    for name in &BITS[..shape.perspectives] {
        let bits = graph.input(name, &[shape.inputs_of(0)]);
        let sums = graph.dense(&bits, "layer0");
        halves.push(match shape.nonlinearity(0) {
            Some(Nonlinearity::Pairs) => pairs(graph, &sums),
            _ => activate(graph, &sums, shape.first_activation),
        });
    }
    let bucket = (shape.buckets > 1).then(|| graph.index_input(BUCKET));
    let mut hidden = match &halves[..] {
        [one] => one.clone(),
        more => {
            let more: Vec<&str> = more.iter().map(String::as_str).collect();
            graph.node("Concat", &more, &[Setting::One("axis", 1)])
        }
    };
    let mut straight = None;
    for layer in 1..shape.layers() {
        hidden = match &bucket {
            None => graph.dense(&hidden, &format!("layer{layer}")),
            Some(bucket) => of_bucket(graph, shape, layer, &hidden, bucket),
        };
        match shape.nonlinearity(layer) {
            Some(Nonlinearity::Each(activation)) => hidden = activate(graph, &hidden, activation),
            Some(Nonlinearity::Pairs) => hidden = pairs(graph, &hidden),
            Some(Nonlinearity::Twice) => {
                let (outputs, last) = twice(graph, &hidden, shape.units_of(layer) - 1);
                (hidden, straight) = (outputs, Some(last));
            }
            None => {}
        }
    }
    match straight {
        Some(straight) => graph.node("Add", &[&hidden, &straight], &[]),
        None => hidden,
    }
}

/// A later layer with the weights of each position's bucket.
fn of_bucket(graph: &mut Graph, shape: &MlpShape, layer: usize, hidden: &str, bucket: &str) -> String {
    let (units, inputs) = (shape.units_of(layer) as i64, shape.inputs_of(layer) as i64);
    let buckets = shape.buckets as i64;
    let weight = graph.reshape(&format!("layer{layer}.weight"), &[buckets, units, inputs]);
    let bias = graph.reshape(&format!("layer{layer}.bias"), &[buckets, units]);
    let weight = graph.node("Gather", &[&weight, bucket], &[]);
    let bias = graph.node("Gather", &[&bias, bucket], &[]);
    let column = graph.reshape(hidden, &[-1, inputs, 1]);
    let product = graph.node("MatMul", &[&weight, &column], &[]);
    let product = graph.reshape(&product, &[-1, units]);
    graph.node("Add", &[&product, &bias], &[])
}

fn clip(graph: &mut Graph, x: &str) -> String {
    let (zero, one) = (graph.number(0.0), graph.number(1.0));
    graph.node("Clip", &[x, &zero, &one], &[])
}

fn activate(graph: &mut Graph, x: &str, activation: Activation) -> String {
    match activation {
        Activation::Relu => graph.node("Relu", &[x], &[]),
        Activation::ClippedRelu => clip(graph, x),
        Activation::SquaredClippedRelu => {
            let clipped = clip(graph, x);
            graph.node("Mul", &[&clipped, &clipped], &[])
        }
    }
}

/// [`Nonlinearity::Pairs`].
fn pairs(graph: &mut Graph, x: &str) -> String {
    let clipped = clip(graph, x);
    let [left, right] = graph.nodes("Split", &[&clipped], &[Setting::One("axis", 1)]);
    graph.node("Mul", &[&left, &right], &[])
}

/// [`Nonlinearity::Twice`]: the outputs, and the sum that goes straight to the net's output.
fn twice(graph: &mut Graph, x: &str, units: usize) -> (String, String) {
    let sizes = graph.ints(&[units as i64, 1]);
    let [sums, straight] = graph.nodes("Split", &[x, &sizes], &[Setting::One("axis", 1)]);
    let square = graph.node("Mul", &[&sums, &sums], &[]);
    let one = graph.number(1.0);
    let square = graph.node("Min", &[&square, &one], &[]);
    let clipped = clip(graph, &sums);
    let outputs = graph.node("Concat", &[&square, &clipped], &[Setting::One("axis", 1)]);
    (outputs, straight)
}

/// A CNN's sums before tanh (positions × 1).
pub fn cnn(graph: &mut Graph, shape: &CnnShape) -> String {
    let planes = graph.input(BOARD, &[PLANES, 8, 8]);
    let convolutions = shape.convolutions();
    let mut number = 0;
    let walked = shape.walk(planes, |boards: &String, shortcut| {
        let name = format!("conv{number}");
        let padding = (convolutions[number].side / 2) as i64;
        let (weight, bias) = (format!("{name}.weight"), format!("{name}.bias"));
        let pads = [padding; 4];
        let mut result = graph.node("Conv", &[boards, &weight, &bias], &[Setting::Many("pads", &pads)]);
        if convolutions[number].gate.is_some() {
            result = gate(graph, &result, number);
        }
        number += 1;
        if let Some(shortcut) = shortcut {
            result = graph.node("Add", &[&result, shortcut], &[]);
        }
        Ok::<_, std::convert::Infallible>(graph.node("Relu", &[&result], &[]))
    });
    let Ok(boards) = walked;
    let pooled = pool(graph, &boards);
    graph.dense_layers(&pooled, shape.dense().len())
}

/// The averages of channels over the board (positions × channels).
fn pool(graph: &mut Graph, boards: &str) -> String {
    let pooled = graph.node("GlobalAveragePool", &[boards], &[]);
    graph.node("Flatten", &[&pooled], &[])
}

/// Weights each channel by the gate behind this convolution.
fn gate(graph: &mut Graph, boards: &str, number: usize) -> String {
    let averages = pool(graph, boards);
    let hidden = graph.dense(&averages, &format!("gate{number}.reduce"));
    let hidden = graph.node("Relu", &[&hidden], &[]);
    let factors = graph.dense(&hidden, &format!("gate{number}.expand"));
    let factors = graph.node("Sigmoid", &[&factors], &[]);
    let axes = graph.ints(&[2, 3]);
    let factors = graph.node("Unsqueeze", &[&factors, &axes], &[]);
    graph.node("Mul", &[boards, &factors], &[])
}

/// A transformer's sums before tanh (positions × 1).
pub fn transformer(graph: &mut Graph, shape: &TransformerShape) -> String {
    let squares = SQUARES as i64;
    let planes = graph.input(BOARD, &[PLANES, 8, 8]);
    let planes = graph.reshape(&planes, &[-1, PLANES as i64, squares]);
    let planes = transposed(graph, &planes, &[0, 2, 1]);
    let embedded = graph.node("MatMul", &[&planes, "planes.weight"], &[]);
    let mut tokens = graph.node("Add", &[&embedded, "squares"], &[]);
    for block in 0..shape.blocks {
        let gathered = attend(graph, shape, &tokens, block);
        let added = linear(graph, &gathered, &format!("block{block}.out"));
        tokens = graph.node("Add", &[&tokens, &added], &[]);
        let normal = normal(graph, &tokens);
        let hidden = linear(graph, &normal, &format!("block{block}.up"));
        let hidden = graph.node("Relu", &[&hidden], &[]);
        let added = linear(graph, &hidden, &format!("block{block}.down"));
        tokens = graph.node("Add", &[&tokens, &added], &[]);
    }
    let normal = normal(graph, &tokens);
    let mean = [Setting::Many("axes", &[1]), Setting::One("keepdims", 0)];
    let pooled = graph.node("ReduceMean", &[&normal], &mean);
    graph.dense_layers(&pooled, shape.dense().len())
}

/// What the heads of a block gather (positions × 64 × width).
fn attend(graph: &mut Graph, shape: &TransformerShape, tokens: &str, block: usize) -> String {
    let squares = SQUARES as i64;
    let (width, heads, templates) = (shape.width as i64, shape.heads as i64, shape.templates as i64);
    let tokens = normal(graph, tokens);
    let projected = linear(graph, &tokens, &format!("block{block}.project"));
    let sizes = graph.ints(&[width, width, width, SUMMARY as i64]);
    let [queries, keys, values, summaries] =
        graph.nodes("Split", &[&projected, &sizes], &[Setting::One("axis", 2)]);
    let code = graph.reshape(&summaries, &[-1, squares * SUMMARY as i64]);
    let code = graph.dense(&code, &format!("block{block}.code"));
    let code = graph.node("Relu", &[&code], &[]);
    let mixture = graph.dense(&code, &format!("block{block}.mixture"));
    let mixture = graph.reshape(&mixture, &[-1, templates]);
    let flat = graph.reshape("templates", &[templates, squares * squares]);
    let bias = graph.node("MatMul", &[&mixture, &flat], &[]);
    let bias = graph.reshape(&bias, &[-1, heads, squares, squares]);
    let mut part = |numbers: &str, order: &[i64]| {
        let of_heads = graph.reshape(numbers, &[-1, squares, heads, width / heads]);
        transposed(graph, &of_heads, order)
    };
    let queries = part(&queries, &[0, 2, 1, 3]);
    let keys = part(&keys, &[0, 2, 3, 1]);
    let values = part(&values, &[0, 2, 1, 3]);
    let scores = graph.node("MatMul", &[&queries, &keys], &[]);
    let scores = graph.node("Add", &[&scores, &bias], &[]);
    let shares = graph.node("Softmax", &[&scores], &[Setting::One("axis", -1)]);
    let gathered = graph.node("MatMul", &[&shares, &values], &[]);
    let gathered = transposed(graph, &gathered, &[0, 2, 1, 3]);
    graph.reshape(&gathered, &[-1, squares, width])
}

fn transposed(graph: &mut Graph, x: &str, order: &[i64]) -> String {
    graph.node("Transpose", &[x], &[Setting::Many("perm", order)])
}

/// The product `name` of the last dimension, with its bias.
fn linear(graph: &mut Graph, x: &str, name: &str) -> String {
    let weight = transposed(graph, &format!("{name}.weight"), &[1, 0]);
    let product = graph.node("MatMul", &[x, &weight], &[]);
    graph.node("Add", &[&product, &format!("{name}.bias")], &[])
}

/// Tokens divided by the root of their mean square.
fn normal(graph: &mut Graph, tokens: &str) -> String {
    let square = graph.node("Mul", &[tokens, tokens], &[]);
    let mean = [Setting::Many("axes", &[-1]), Setting::One("keepdims", 1)];
    let mean = graph.node("ReduceMean", &[&square], &mean);
    let epsilon = graph.number(EPSILON);
    let mean = graph.node("Add", &[&mean, &epsilon], &[]);
    let root = graph.node("Sqrt", &[&mean], &[]);
    graph.node("Div", &[tokens, &root], &[])
}
