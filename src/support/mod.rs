//! What every room may need and no room is about: files that are written whole, the terminal.

pub mod terminal;
pub mod whole_file;
