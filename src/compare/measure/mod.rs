//! What the answers are worth.

pub mod estimate;
pub mod judge;
pub mod pairs;
pub mod summary;
