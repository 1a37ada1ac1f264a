//! The result of a command.

use std::error::Error;

/// What a command returns; its error is printed as one line.
pub type CommandResult = Result<(), Box<dyn Error>>;
