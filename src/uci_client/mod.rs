//! Talking to another UCI engine, Stockfish above all: starting it, asking for positions, reading its answers.
//!
//! Nothing else in the crate starts processes, and nothing here waits without a time limit. Questions may be sent
//! ahead: the engine answers them in their order.

pub mod answer;
pub mod client;
pub mod command_line;
pub mod error;
mod listen;
mod process;
pub mod settings;

pub use answer::{Analysis, ScoredMove, UciScore};
pub use client::{MOST_AHEAD, UciClient};
pub use error::ClientError;
pub use settings::{Effort, EngineSettings};
