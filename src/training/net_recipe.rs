//! The `[net]` table of a recipe: what every kind of network has in common, and the settings of one kind.

use super::RecipeError;
use super::faults::first_fault;
use super::meaning::Meaning;
use crate::nets::curve::{Curve, Orientation};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Tells a net file from the name of a training.
pub(super) const NET_ENDING: &str = ".safetensors";

/// The network that a recipe trains.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NetRecipe {
    /// The name of the kind of network; where it is missing, the layout tells it.
    #[serde(default)]
    pub kind: String,
    /// The text form of the layout, as the kind writes it.
    pub layout: String,
    /// From whose side the net sees the board.
    pub orientation: Orientation,
    /// What its output means.
    pub curve: Curve,
    /// What the weights are taken from instead of being drawn: the name of another training in the same output folder (its
    /// best weights), or the path of a net file relative to the recipe, which ends in `.safetensors`. Layout, orientation,
    /// curve and whatever else decides what the weights of the kind mean must be the same.
    #[serde(default)]
    pub after: Option<String>,
    /// All other keys: the settings of the kind, which knows and checks them.
    #[serde(flatten)]
    pub settings: toml::Table,
}

impl NetRecipe {
    /// What the net's output means.
    pub fn meaning(&self) -> Meaning {
        Meaning {
            orientation: self.orientation,
            curve: self.curve,
        }
    }

    /// The kind's own settings as a type of the kind's; it should refuse unknown keys.
    ///
    /// # Errors
    /// [`RecipeError::Settings`] names the key.
    pub fn settings<T: DeserializeOwned>(&self) -> Result<T, RecipeError> {
        let settings = self.settings.clone().try_into();
        settings.map_err(|error| RecipeError::Settings(one_line(&error)))
    }

    /// What is wrong with the keys that every kind has, if anything.
    pub(super) fn check(&self) -> Result<(), RecipeError> {
        first_fault(&[(!self.curve.is_valid(), "the curve needs a positive number")])
    }
}

/// What TOML's reader says, in one line.
pub(super) fn one_line(error: &toml::de::Error) -> String {
    let message: Vec<&str> = error.message().lines().collect();
    message.join(" ")
}
