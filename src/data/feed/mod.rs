//! From shards to the batches of a training: filters, the split into parts, shuffling.

pub mod batches;
pub mod filter;
pub mod loader;
pub mod part;
pub mod split;
pub mod stream;
