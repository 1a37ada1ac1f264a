//! Chess boards as pictures for the pages that other rooms write.

mod board;

pub use board::{Arrow, board, definitions, escape};
