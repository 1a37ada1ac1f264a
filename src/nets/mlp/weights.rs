//! The weights of an MLP as its net file holds them: `layer0.weight` (rows × inputs) and `layer0.bias` (rows),
//! `layer1.weight` and so on.

use super::KIND;
use super::shape::{Activation, MlpShape};
use crate::nets::curve::Orientation;
use crate::nets::net::{Architecture, Dense, Net, NetError, NetInfo};

/// The layers of an MLP, with their shape.
#[derive(Clone, Debug, PartialEq)]
pub struct MlpWeights {
    pub shape: MlpShape,
    /// One for each of [`MlpShape::layers`].
    pub layers: Vec<Dense>,
}

/// Steps of 1 in a first layer whose rows are bytes: weights up to ±2 have at most 126. Such a net is trained for it, and its
/// file has multiples of a step; its rows are half as long, so that more of them stay in the processor's caches.
pub const ROW_STEPS: f64 = 63.0;

/// The settings of [`Architecture`] that name the activations.
const FIRST_ACTIVATION: &str = "first_activation";
const LATER_ACTIVATION: &str = "later_activation";

impl MlpShape {
    /// Its description in a net file.
    pub fn architecture(&self) -> Architecture {
        let mut architecture = Architecture::new(KIND, self);
        for (key, activation) in [
            (FIRST_ACTIVATION, self.first_activation),
            (LATER_ACTIVATION, self.later_activation),
        ] {
            architecture
                .settings
                .insert(key.to_string(), activation.name().to_string());
        }
        architecture
    }

    /// The shape that a net file describes.
    fn of(architecture: &Architecture) -> Result<MlpShape, NetError> {
        let activation = |key: &str| {
            let name = architecture.settings.get(key);
            let name = name.ok_or_else(|| NetError::Metadata(format!("missing field `{key}`")))?;
            Activation::from_name(name)
                .ok_or_else(|| NetError::Metadata(format!("`{name}` is not an activation")))
        };
        let (first, later) = (activation(FIRST_ACTIVATION)?, activation(LATER_ACTIVATION)?);
        let layout: MlpShape = architecture.layout.parse()?;
        let shape = layout.with_activations(first, later);
        shape.map_err(|error| NetError::Metadata(error.to_string()))
    }
}

impl Net {
    /// The layers of an MLP.
    pub fn mlp(&self) -> Result<MlpWeights, NetError> {
        self.expect_kind(KIND)?;
        let shape = MlpShape::of(&self.info.architecture)?;
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

    /// A net made of the layers of an MLP.
    pub fn of_mlp(info: NetInfo, weights: &MlpWeights) -> Net {
        let mut net = Net::empty(info);
        for (number, layer) in weights.layers.iter().enumerate() {
            net.add_dense(&format!("layer{number}"), layer);
        }
        net
    }
}
