//! The comparison: which moves networks and engines choose, held against a reference's opinion of every legal move.
//!
//! [`set`] is what is compared on, [`contestant`] who takes part, [`measure`] what the answers are worth, [`play`]
//! lets contestants play each other, and [`report`] writes it down. Each uses only those before it, and [`answer`] and
//! [`score`].

pub mod answer;
pub mod contestant;
pub mod error;
pub mod measure;
pub mod play;
pub mod report;
pub mod score;
pub mod set;

pub use answer::{Answer, Answers};
pub use contestant::Contestant;
pub use error::CompareError;
pub use set::{Case, Reference, Set};
