//! The MLP in training.

pub mod activation;
pub mod model;
pub mod sparse;
