//! Enroc, a UCI chess engine whose evaluation is a neural network.

pub mod bench;
pub mod board;
pub mod brain;
pub mod cli;
pub mod compare;
pub mod data;
pub mod evaluation;
pub mod perft;
pub mod search;
pub mod stockfish;
pub mod terminal;
pub mod training;
pub mod uci;
pub mod whole_file;
