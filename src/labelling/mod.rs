//! Labelling positions with a UCI engine: several engines at once, questions sent ahead, results in the order of the
//! input, so that a run can be cut off and continued. A teacher's network labels without an engine.

pub mod error;
pub mod job;
pub mod playout;
pub mod run;
pub mod settings;
pub mod teach;
mod worker;

pub use error::LabellingError;
pub use job::{LabelJob, SelfplayJob, TeachJob};
pub use playout::PlayoutSettings;
pub use run::label;
pub use settings::{LabelReport, LabelSettings, Means};
pub use teach::{TeacherIdentity, lesson, teach};
