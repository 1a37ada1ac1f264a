//! Everything that reads foreign input, under thousands of damaged inputs: it neither panics nor hangs, and what it
//! accepts is what it claims to be.
//!
//! Each target takes valid inputs and damages them ([`mutation`]); the properties are in the files of the targets. A
//! target tries a fixed sequence of inputs, or random ones for `ENROC_FUZZ_SECONDS`; CONTRIBUTING.md says how to let one run
//! for hours.

mod board;
mod data;
mod mutation;
mod names;
mod nets;
mod packed;
mod pgn;
mod recipes;
mod shards;
mod target;
mod uci;
