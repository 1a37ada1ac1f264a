//! The files that positions come from and go to.

mod chunks;
pub mod evaluations;
pub mod export;
pub mod export_report;
pub mod games;
pub mod labelled;
pub mod list;
pub mod losses;
pub mod pgn;
pub mod source;
pub mod text;
mod unicode;
pub mod viriformat;
mod zstd;
