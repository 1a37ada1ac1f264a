//! The systems of the documents that Enroc grew from, run as their authors ran them.

pub mod classes;
pub mod homework;
mod run_file;
