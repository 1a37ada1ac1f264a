//! The positions that are compared on, with what is known of each.

pub mod case;
pub mod epd;
pub mod error;
pub mod files;
pub mod labelled_csv;
pub mod labelling;
pub mod reference;
pub mod sample;
pub mod thesis_table;

/// Hears, a sentence at a time, what was skipped in a file.
pub type Tell<'a> = &'a mut dyn FnMut(String);

pub use case::{Case, Set};
pub use error::CaseError;
pub use reference::Reference;
