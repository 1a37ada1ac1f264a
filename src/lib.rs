//! Enroc, a UCI chess engine whose evaluation is a neural network.
//!
//! The rooms in the order of their layers: each uses only rooms above it, and `tests/layers.rs` holds them to that.
//! The features in `Cargo.toml` say which rooms a build has.

// What every room may need and no room is about: files that are written whole, the terminal.
pub mod support;

// The rules: positions, moves, attacks, FEN, SAN, exchanges.
pub mod board;

// Chess boards as SVG, and the frame of a page with them, for reports.
#[cfg(feature = "lab")]
pub mod pictures;

// SIMD instruction sets, prefetching and matrix products; the only unsafe code.
pub mod arch;

// Networks: what a score means, the net file, and a folder for each kind of network.
pub mod nets;

// Syzygy probing.
pub mod tablebases;

// Alpha-beta with everything around it: tables, move ordering, time, threads.
pub mod search;

// Why a move is good or bad: verdicts by a search, and claims that the rules can prove.
pub mod explain;

// The engine without a protocol: a net with a search, the benchmark, perft.
pub mod engine;

// The UCI protocol.
#[cfg(feature = "play")]
pub mod uci;

// Another UCI engine's process.
#[cfg(feature = "lab")]
pub mod uci_client;

// Positions to learn from: records, shards, the formats they come from, and how they reach a training.
#[cfg(feature = "lab")]
pub mod data;

// Positions labelled by a UCI engine.
#[cfg(feature = "lab")]
pub mod labelling;

// Positions from inside searches.
#[cfg(feature = "lab")]
pub mod visits;

// Training networks from recipes.
#[cfg(feature = "lab")]
pub mod training;

// Games with a verdict on every move, as PGN and as a page.
#[cfg(feature = "lab")]
pub mod annotate;

// The systems of the documents that Enroc grew from, run as their authors ran them.
#[cfg(feature = "lab")]
pub mod experiments;

// Networks and engines against a reference.
#[cfg(feature = "lab")]
pub mod compare;

// The board in the browser.
#[cfg(feature = "board")]
pub mod web;

// The command line.
#[cfg(feature = "play")]
pub mod cli;
