//! Helpers for every module: atomic file writes, hexadecimal digits, mixed bits, the terminal and its log, room in memory,
//! the threads of parallel loops, text from elsewhere.

pub mod foreign;
pub mod hex;
pub mod log;
pub mod memory;
pub mod mix;
pub mod terminal;
pub mod threads;
pub mod version;
pub mod whole_file;
