//! Small tools of no particular room: files written whole, hexadecimal digits, mixed bits, the terminal.

pub mod hex;
pub mod mix;
pub mod terminal;
pub mod whole_file;
