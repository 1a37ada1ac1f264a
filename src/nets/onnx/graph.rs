//! Building a graph node by node.

use super::proto::{
    Attribute, Dimension, FLOAT, GraphProto, INT64, Node, Shape, Tensor, TensorType, Type, Value,
};
use crate::nets::net::NetTensor;

/// The name of a graph's output: after tanh, a number for each position.
pub const OUTPUT: &str = "output";
/// The dimension that is not fixed.
const BATCH: &str = "positions";

/// A number of an attribute.
pub enum Setting<'a> {
    One(&'a str, i64),
    Many(&'a str, &'a [i64]),
}

/// A graph under construction. Values are named by the nodes that make them.
#[derive(Default)]
pub struct Graph(GraphProto);

impl Graph {
    /// Adds an input: floats, of which each position has so many.
    pub fn input(&mut self, name: &str, dims: &[usize]) -> String {
        self.declare_input(name, dims, FLOAT)
    }

    /// Adds an input: one whole number for each position.
    pub fn index_input(&mut self, name: &str) -> String {
        self.declare_input(name, &[], INT64)
    }

    fn declare_input(&mut self, name: &str, dims: &[usize], element: i32) -> String {
        self.0.inputs.push(value(name, dims, element));
        name.to_string()
    }

    /// Adds a tensor of the net under its own name.
    pub fn weight(&mut self, name: &str, tensor: &NetTensor) {
        self.0.initializers.push(Tensor {
            dims: tensor.shape.iter().map(|&size| size as i64).collect(),
            kind: FLOAT,
            name: name.to_string(),
            raw: tensor
                .values
                .iter()
                .flat_map(|value| value.to_le_bytes())
                .collect(),
            ..Tensor::default()
        });
    }

    /// A constant number, which has one name however often it is used.
    pub fn number(&mut self, value: f32) -> String {
        self.constant(
            format!("number_{value}"),
            Vec::new(),
            FLOAT,
            value.to_le_bytes().to_vec(),
        )
    }

    /// Constant whole numbers, such as a shape; equal ones have one name.
    pub fn ints(&mut self, values: &[i64]) -> String {
        let texts: Vec<String> = values.iter().map(i64::to_string).collect();
        let raw = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.constant(
            format!("ints_{}", texts.join("_")),
            vec![values.len() as i64],
            INT64,
            raw,
        )
    }

    fn constant(&mut self, name: String, dims: Vec<i64>, kind: i32, raw: Vec<u8>) -> String {
        if self.0.initializers.iter().all(|tensor| tensor.name != name) {
            self.0.initializers.push(Tensor {
                dims,
                kind,
                name: name.clone(),
                raw,
                ..Tensor::default()
            });
        }
        name
    }

    /// Adds a node with one output.
    pub fn node(&mut self, operator: &str, inputs: &[&str], settings: &[Setting]) -> String {
        let [output] = self.nodes(operator, inputs, settings);
        output
    }

    /// Adds a node with several outputs.
    pub fn nodes<const OUTPUTS: usize>(
        &mut self,
        operator: &str,
        inputs: &[&str],
        settings: &[Setting],
    ) -> [String; OUTPUTS] {
        let name = format!("{operator}_{}", self.0.nodes.len());
        let outputs = std::array::from_fn(|number| format!("{name}_{number}"));
        let attributes = settings.iter().map(|setting| match setting {
            Setting::One(name, value) => Attribute {
                name: name.to_string(),
                int: Some(*value),
                kind: 2,
                ..Attribute::default()
            },
            Setting::Many(name, values) => Attribute {
                name: name.to_string(),
                ints: values.to_vec(),
                kind: 7,
                ..Attribute::default()
            },
        });
        self.0.nodes.push(Node {
            inputs: inputs.iter().map(|name| name.to_string()).collect(),
            outputs: outputs.to_vec(),
            name,
            operator: operator.to_string(),
            attributes: attributes.collect(),
        });
        outputs
    }

    /// Reshapes.
    pub fn reshape(&mut self, input: &str, dims: &[i64]) -> String {
        let dims = self.ints(dims);
        self.node("Reshape", &[input, &dims], &[])
    }

    /// The dense layer `name` of rows (positions × inputs).
    pub fn dense(&mut self, input: &str, name: &str) -> String {
        let (weight, bias) = (format!("{name}.weight"), format!("{name}.bias"));
        self.node("Gemm", &[input, &weight, &bias], &[Setting::One("transB", 1)])
    }

    /// The dense layers `dense0` … with ReLU between.
    pub fn dense_layers(&mut self, input: &str, count: usize) -> String {
        let mut hidden = input.to_string();
        for layer in 0..count {
            hidden = self.dense(&hidden, &format!("dense{layer}"));
            if layer + 1 < count {
                hidden = self.node("Relu", &[&hidden], &[]);
            }
        }
        hidden
    }

    /// Ends the graph with the tanh of sums (positions × 1).
    pub fn finish(mut self, sums: &str) -> GraphProto {
        let sums = self.reshape(sums, &[-1]);
        self.node("Tanh", &[&sums], &[]);
        let last = self.0.nodes.last_mut().expect("it was just added");
        last.outputs = vec![OUTPUT.to_string()];
        self.0.outputs.push(value(OUTPUT, &[], FLOAT));
        self.0.name = "enroc".to_string();
        self.0
    }
}

/// The declaration of an input or output with these dimensions after that of the positions.
fn value(name: &str, dims: &[usize], element: i32) -> Value {
    let batch = Dimension {
        name: Some(BATCH.to_string()),
        value: None,
    };
    let fixed = dims.iter().map(|&size| Dimension {
        value: Some(size as i64),
        name: None,
    });
    let shape = Shape {
        dims: [batch].into_iter().chain(fixed).collect(),
    };
    let tensor = TensorType {
        element,
        shape: Some(shape),
    };
    Value {
        name: name.to_string(),
        kind: Some(Type { tensor: Some(tensor) }),
    }
}
