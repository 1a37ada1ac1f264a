//! The CNN in training.

pub mod body;
pub mod convolution;
pub mod model;
pub mod normalise;
