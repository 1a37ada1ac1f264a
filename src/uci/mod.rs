//! The Universal Chess Interface: commands on standard input, answers on standard output.

pub mod command;
pub mod complaint;
pub mod engine;
pub mod error;
pub mod go;
mod help;
pub mod info;
pub mod input;
pub mod options;
mod session;
pub mod show;
mod suggestion;
mod task;
#[cfg(feature = "tune")]
mod tune;

pub use engine::UciEngine;
pub use session::SessionError;

/// Runs a session on standard input and output until the client quits or closes the input.
///
/// # Errors
/// [`SessionError`] if threads cannot be started or the search thread ends unexpectedly.
pub fn run(engine: UciEngine) -> Result<(), SessionError> {
    session::Session::start(engine)?.run()
}
