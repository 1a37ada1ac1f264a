//! What can go wrong with another engine.

use super::settings::Effort;
use thiserror::Error;

/// Why an engine cannot be used, or can no longer.
#[derive(Debug, Error)]
pub enum ClientError {
    /// There is no such program.
    #[error(
        "there is no engine '{0}': install Stockfish (on Debian: apt install stockfish) or name another UCI engine"
    )]
    Missing(String),
    /// The engine is written in a way that names no program.
    #[error("the engine '{text}': {reason}")]
    CommandLine {
        /// As it was written.
        text: String,
        /// What is wrong with it.
        reason: &'static str,
    },
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
    /// It scored only a part of the legal moves.
    #[error("the engine '{program}' scored {scored} of {legal} legal moves: give it more, such as {more}")]
    TooLittle {
        /// Its name or path.
        program: String,
        /// Moves with a score.
        scored: usize,
        /// Legal moves.
        legal: usize,
        /// What should be enough.
        more: Effort,
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
