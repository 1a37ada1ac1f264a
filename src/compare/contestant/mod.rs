//! Who takes part, and their answers.

pub mod error;
pub mod guess;
pub mod player;
pub mod run;
mod sources;
pub mod spec;
pub mod store;

pub use spec::Contestant;
