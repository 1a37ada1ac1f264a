//! What the answers are worth.

pub mod entrant;
pub mod estimate;
pub mod group;
pub mod judge;
pub mod pairs;
pub mod referee;
pub mod summary;
