//! Helpers for every module: atomic file writes, hexadecimal digits, mixed bits, the terminal.

pub mod hex;
pub mod mix;
pub mod terminal;
pub mod version;
pub mod whole_file;
