//! Positions to learn from: where they come from, how they are labelled, kept and handed to training.

pub mod count;
pub mod error;
pub mod feed;
pub mod formats;
pub mod import;
pub mod job;
pub mod record;
pub mod store;

pub use error::DataError;
pub use feed::filter::{Filter, FilterSettings};
pub use feed::split::{Part, Split};
pub use formats::labelled::LabelledReader;
pub use record::Record;
pub use record::label::Label;
pub use record::origin::Origin;
