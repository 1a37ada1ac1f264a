//! The convolutional network on 16 planes.

pub mod blocks;
pub mod kernel;
pub mod reference;
pub mod shape;
pub mod winograd;
