//! What a command comes to.

use std::error::Error;

/// What a command returns; its error is printed as one line.
pub type Outcome = Result<(), Box<dyn Error>>;
