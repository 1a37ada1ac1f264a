//! The comparison: which moves networks and engines choose, held against a reference's opinion of every legal move.
//!
//! [`position`] and [`reference`] say what is compared, [`contestant`] who, [`run`] asks them, [`judge`] and
//! [`summary`] measure, and [`report`] and [`output`] write it down.

pub mod contestant;
pub mod error;
pub mod measure;
pub mod report;
pub mod set;

pub use contestant::Contestant;
pub use contestant::answer::{Answer, Answers};
pub use error::CompareError;
pub use set::reference::Reference;
pub use set::{Case, Set};
