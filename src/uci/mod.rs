//! The Universal Chess Interface: commands on standard input, answers on standard output.

pub mod command;
mod complaint;
pub mod engine;
pub mod error;
pub mod go;
pub mod info;
pub mod input;
pub mod options;
mod session;
pub mod show;
mod task;

pub use engine::UciEngine;
pub use session::SessionError;

/// Talks with the client on standard input and output until it quits or closes its end.
///
/// # Errors
/// [`SessionError`] when the system gives no threads, or a search breaks down.
pub fn run(engine: UciEngine) -> Result<(), SessionError> {
    session::Session::start(engine)?.run()
}
