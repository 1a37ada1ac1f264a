//! Positions from inside searches: what the engine's own search evaluates on its way from a position.
//!
//! Games show what good play leads to; a search spends most of its evaluations on what bad moves lead to. A network that
//! is to be asked there learns from such positions best. They come without labels: the static evaluation of a stronger
//! network is the cheapest.

mod recorder;
pub mod run;

pub use run::{VisitError, VisitReport, VisitSettings, visit};
