//! Nets with random weights, for what has to work with any net.

use enroc::nets::curve::{Curve, Orientation};
use enroc::nets::mlp::shape::{Activation, MlpShape};
use enroc::nets::net::{FORMAT, Net, NetInfo, NetTensor};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// The shape with this text form and these activations.
pub fn shape(layout: &str, first: Activation, later: Activation) -> MlpShape {
    let shape: MlpShape = layout.parse().expect("a layout");
    shape
        .with_activations(first, later)
        .expect("activations of the layout")
}

/// A net whose weights `weight` gives: for a layer, its number of inputs and the random number generator.
pub fn net_of(
    shape: &MlpShape,
    seed: u64,
    mut weight: impl FnMut(usize, usize, &mut ChaCha8Rng) -> f32,
) -> Net {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut tensors = BTreeMap::new();
    for layer in 0..shape.layers() {
        let (rows, inputs) = (shape.rows_of(layer), shape.inputs_of(layer));
        let mut tensor = |shape: Vec<usize>| {
            let count = shape.iter().product();
            let values = (0..count).map(|_| weight(layer, inputs, &mut random)).collect();
            NetTensor { shape, values }
        };
        tensors.insert(format!("layer{layer}.weight"), tensor(vec![rows, inputs]));
        tensors.insert(format!("layer{layer}.bias"), tensor(vec![rows]));
    }
    let info = NetInfo {
        format: FORMAT,
        name: "random".into(),
        architecture: shape.architecture(),
        orientation: Orientation::Mover,
        curve: Curve::Tanh { scale: 800.0 },
        data: "none".into(),
        positions: 0,
        validation: None,
        recipe: None,
    };
    Net { info, tensors }
}

/// A net with weights about as large as training leaves them: the variance of a layer's outputs is about that of its
/// inputs.
pub fn random_net(shape: &MlpShape, seed: u64) -> Net {
    net_of(shape, seed, |layer, inputs, random| {
        // 30 bits of a position are set, and about half of the later inputs
        let active = if layer == 0 { 30.0 } else { inputs as f32 / 2.0 };
        let size = (3.0 / active).sqrt();
        random.random_range(-size..=size)
    })
}
