//! Enroc, a UCI chess engine whose evaluation is a neural network.
//!
//! The rooms from the rules up; `tests/layers.rs` says which may use which, and holds them to it.

/// The rules: positions, moves, attacks, FEN, SAN, exchanges.
pub mod board;

/// Networks: encoding, layers in candle and in integers, their files, and what a score means.
pub mod evaluation;

/// Counting the leaves of the move tree.
pub mod perft;

/// Alpha-beta with everything around it: tables, move ordering, time, threads.
pub mod search;

/// The fixed positions of `enroc bench`.
pub mod bench;

/// The search with the network that the options choose.
pub mod brain;

/// The UCI protocol.
pub mod uci;

/// Talking to another UCI engine.
pub mod stockfish;

/// Positions to learn from: sources, labels, shards.
pub mod data;

/// Training networks from recipes.
pub mod training;

/// Networks and engines against a reference.
pub mod compare;

/// The command line.
pub mod cli;

/// Files that are written whole or not at all.
pub mod whole_file;

/// Printing to a reader who may leave.
pub mod terminal;
