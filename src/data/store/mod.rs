//! Shards: records on disk, written so that a run that is cut off loses nothing.

pub mod check;
pub mod folder;
mod items;
mod journal;
pub mod shard;
pub mod stats;
pub mod writer;
