//! The results as files: tables for other programs, and a page to read.

pub mod answer;
pub mod charts;
pub mod figures;
pub mod files;
pub mod html;
pub mod results;
pub mod second;
pub mod tables;
pub mod terminal;

pub use results::Results;
