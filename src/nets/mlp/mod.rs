//! The multilayer perceptron on 774 inputs.

pub mod integer;
pub mod reference;
pub mod shape;
