//! Positions to learn from.

/// Counting things by kind.
pub mod count;
/// What can go wrong.
pub mod error;
/// From shards to the batches of a training: filters, the split into parts, shuffling.
pub mod feed;
/// The files that positions come from and go to.
pub mod formats;
/// From any source to a folder of shards.
pub mod import;
/// What a run is, so that only the same one continues it.
pub mod job;
/// One labelled position in 32 bytes.
pub mod record;
/// Folders of shards.
pub mod store;

pub use error::DataError;
pub use feed::filter::{Filter, FilterSettings};
pub use feed::split::{Part, Split};
pub use formats::labelled::LabelledReader;
pub use record::Record;
pub use record::hint::{Hint, NO_HINT};
pub use record::label::Label;
pub use record::origin::Origin;
