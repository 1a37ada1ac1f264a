//! Positions to learn from: where they come from, how they are labelled, kept and handed to training.

pub mod batches;
pub mod check;
pub mod count;
pub mod error;
pub mod export;
pub mod filter;
pub mod games;
pub mod import;
mod journal;
pub mod label;
pub mod labelled;
pub mod labelling;
pub mod line;
pub mod list;
pub mod loader;
pub mod origin;
pub mod pgn;
pub mod record;
pub mod shard;
pub mod source;
pub mod split;
pub mod stats;
pub mod stream;
pub mod text;
pub mod writer;

pub use error::DataError;
pub use filter::{Filter, FilterSettings};
pub use label::Label;
pub use labelled::LabelledReader;
pub use origin::{GameResult, Origin};
pub use record::Record;
pub use split::{Part, Split};
