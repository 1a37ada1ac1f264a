//! What can go wrong with another engine.

use thiserror::Error;

/// Why an engine cannot be used, or can no longer.
#[derive(Debug, Error)]
pub enum ClientError {
    /// There is no such program.
    #[error(
        "there is no engine '{0}': install Stockfish (on Debian: apt install stockfish) or name another UCI engine"
    )]
    Missing(String),
    /// The program does not start.
    #[error("cannot start the engine '{program}': {source}")]
    Start {
        /// Its name or path.
        program: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// It did not answer in time.
    #[error("the engine '{program}' has not answered '{question}' within {seconds} s")]
    Silent {
        /// Its name or path.
        program: String,
        /// What it was asked.
        question: String,
        /// How long it had.
        seconds: f32,
    },
    /// It ended by itself.
    #[error("the engine '{program}' ended by itself ({status})")]
    Died {
        /// Its name or path.
        program: String,
        /// How, if the system tells.
        status: String,
    },
    /// Its answer cannot be understood.
    #[error("the engine '{program}' answered nonsense: '{text}'")]
    Nonsense {
        /// Its name or path.
        program: String,
        /// What it said.
        text: String,
    },
}
