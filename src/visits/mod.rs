//! Positions from inside searches: what the engine's own search evaluates on its way from a position.
//!
//! Games show what good play leads to; a search spends most of its evaluations on what bad moves lead to. A network that
//! is to be asked there learns from such positions best. A teacher's network that guides the searches labels them on the
//! way; otherwise they come without labels.

mod recorder;
pub mod run;

pub use recorder::{Drawing, Thinning};
pub use run::{VisitError, VisitReport, VisitSettings, visit};
