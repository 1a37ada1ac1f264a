//! What training asks of a kind of network.
//!
//! A kind has a folder here, beside the one in `nets` that plays, and a line in [`super::registry`]. The folder gives a
//! [`TrainingKind`]: it checks the recipe's `[net]` table and makes a [`Design`] of it, from which a [`Model`] is made, or a
//! [`Stepper`] where the kind has one of its own.

use super::RecipeError;
use super::model::Model;
use super::net_recipe::NetRecipe;
use super::optimizer::AdamSettings;
use super::stepper::{Generic, Stepper};
use crate::nets::curve::Curve;
use crate::nets::net::Architecture;
use candle_core::{Device, Result};

/// A kind of network, as the registry lists it.
pub struct TrainingKind {
    /// As net files call it, and recipes in `net.kind`.
    pub name: &'static str,
    /// Whether a layout is written as this kind writes them. It decides for recipes without `net.kind`; whether the
    /// layout makes sense is for `design` to say.
    pub recognises: fn(layout: &str) -> bool,
    /// Checks layout, orientation and the kind's own settings of a recipe. The error is one line that names the key.
    pub design: fn(&NetRecipe) -> std::result::Result<Box<dyn Design>, RecipeError>,
}

/// A net that a recipe asks for, checked but without weights.
pub trait Design {
    /// What the net file will say of the net. Its layout and settings decide, with orientation and curve, what the weights
    /// mean: a training can take over the weights of another one only where all of these are the same, or as
    /// [`Design::takes_over`] says.
    fn architecture(&self) -> Architecture;

    /// Whether [`Model::take_over`] makes up for another layout or curve of an earlier net, where all else is the same.
    fn takes_over(&self, _: &Architecture, _: Curve) -> bool {
        false
    }

    /// The kind's own settings of the `[net]` table, every default written out; empty where there are none.
    fn settings(&self) -> toml::Table {
        toml::Table::new()
    }

    /// What the recipe asks for and this device cannot do, and what is done instead; `None` if it can do everything.
    fn note(&self, _: &Device) -> Option<&'static str> {
        None
    }

    /// What cannot be taken over from a net file, and what is done instead; `None` if it holds everything.
    fn note_on_net_files(&self) -> Option<&'static str> {
        None
    }

    /// What the number of positions in a batch must be a multiple of.
    fn batch_multiple(&self) -> usize {
        1
    }

    /// A model whose first weights are drawn from a random seed, on a device.
    ///
    /// # Errors
    /// Those of candle.
    fn model(&self, seed: u64, device: &Device) -> Result<Box<dyn Model>>;

    /// The same with its optimiser. A kind that computes gradients and steps by itself gives one of its own.
    ///
    /// # Errors
    /// Those of candle.
    fn stepper(&self, seed: u64, device: &Device, optimizer: AdamSettings) -> Result<Box<dyn Stepper>> {
        Ok(Box::new(Generic::new(self.model(seed, device)?, optimizer)?))
    }
}
