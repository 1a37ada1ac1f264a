//! Chess boards as pictures, and the frame of the pages that other rooms write with them.

mod board;
mod page;

pub use board::{Arrow, board, definitions};
pub use page::page;
