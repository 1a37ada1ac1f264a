//! The comparison: which moves networks and engines choose, held against a reference's opinion of every legal move.
//!
//! [`position`] and [`reference`] say what is compared, [`contestant`] who, [`run`] asks them, [`judge`] and
//! [`summary`] measure, and [`report`] and [`output`] write it down.

pub mod answer;
pub mod board_svg;
pub mod charts;
pub mod contestant;
pub mod epd;
pub mod error;
pub mod estimate;
pub mod figures;
pub mod judge;
pub mod label;
pub mod output;
pub mod pairs;
pub mod parallel;
pub mod player;
pub mod position;
pub mod reference;
pub mod report;
pub mod run;
pub mod sample;
pub mod score;
pub mod seed_table;
pub mod store;
pub mod summary;

pub use answer::{Answer, Answers};
pub use contestant::Contestant;
pub use error::CompareError;
pub use position::{Case, Set};
pub use reference::Reference;
