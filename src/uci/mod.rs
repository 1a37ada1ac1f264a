//! The Universal Chess Interface: commands on standard input, answers on standard output.

pub mod command;
pub mod go;
pub mod options;
