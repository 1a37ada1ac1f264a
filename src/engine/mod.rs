//! The engine without a protocol: a net with a search, the benchmark, perft.

pub mod bench;
pub mod perft;
pub mod searcher;
